"""Records of the service without the people in them: names, addresses, telephones.

One name has one mask in the whole of an export, so that its tables can be joined. The
masks come from a secret that nobody keeps: the next export has others, and no list of
names that one might try leads back. Names within free text stay.
"""

import hmac
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final

from kawe.domain.service.service_words import full_name
from kawe.domain.text.texts import fold_name

MASKED: Final = "people masked"
_PEOPLE: Final = frozenset({"contact", "contacts", "invitations", "users"})
"""The lists of a record that hold people, who elsewhere have a first name."""
_NUMBERS: Final = frozenset({"phone", "mobile"})
_IDS: Final = frozenset({"member_ids", "user_id"})
_CHANGED: Final = frozenset({"from", "to"})
"""What a log says of a property; it may be a person's name."""
_ABOUT_PEOPLE: Final = re.compile(r"assign|contact|person|user|member|mail|phone")
_ADDRESS: Final = re.compile(r"[^\s@<>;,()]{1,64}@[^\s@<>;,()]{1,255}")
_NUMBER: Final = re.compile(r"(?<![\w+-])(?:\+\d|0)(?:[ ()-]{0,2}\d){6,13}(?![\w-])")
_FREE: Final = frozenset({"content", "description", "from", "to", "message"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Masks:
    """The masks of one export."""

    _secret: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)

    def of(self, what: str) -> str:
        """Give the twelve letters of a text, whose case does not count."""
        return hmac.new(self._secret, what.casefold().encode(), sha256).hexdigest()[:12]

    def name(self, name: str) -> str:
        """Give a person's mask; neither case nor accents of the name count."""
        return f"Person {self.of(fold_name(name))}"

    def email(self, address: str) -> str:
        return f"{self.of(address)}@masked.invalid"

    def record(self, item: Mapping[str, Any]) -> dict[str, Any]:
        """Give a record with people masked, and `masked` to say so to programs."""
        return self.masked(item) | {"masked": True}

    def masked(self, item: Mapping[str, Any], *, within: str = "") -> dict[str, Any]:
        """Give a record, or what stands in its field `within`, with people masked."""
        whole = {name: self._value(name, value) for name, value in item.items()}
        if within in _PEOPLE or "first_name" in item:
            whole |= self._person(item)
        if _ABOUT_PEOPLE.search(str(item.get("property") or "")):
            said = {each: item[each] for each in _CHANGED if item.get(each)}
            whole |= {each: self.name(str(was)) for each, was in said.items()}
        return whole

    def _person(self, item: Mapping[str, Any]) -> dict[str, Any]:
        name = self.name(str(item.get("name") or full_name(item)))
        first, last = name.split()
        whole = {"first_name": first, "last_name": last, "name": name}
        whole |= {"profile_picture_url": "", "id": self.of(str(item.get("id")))}
        return {field: whole[field] for field in whole.keys() & item.keys()}

    def _value(self, name: str, value: Any) -> Any:  # noqa: ANN401 - any JSON
        if isinstance(value, Mapping):
            return self.masked(value, within=name)
        if isinstance(value, list):
            return [self._value(name, each) for each in value]
        if not isinstance(value, str) or not value:
            return value
        return self._text(name, value)

    def _text(self, name: str, text: str) -> str:
        if name == "email":
            return self.email(text)
        if name in _NUMBERS:
            return self._number(text)
        if name in _IDS:
            return self.of(text)
        text = _ADDRESS.sub(lambda found: self.email(found[0]), text)
        if name not in _FREE:
            return text
        return _NUMBER.sub(lambda found: self._number(found[0]), text)

    def _number(self, number: str) -> str:
        return self.of(re.sub(r"\D", "", number))
