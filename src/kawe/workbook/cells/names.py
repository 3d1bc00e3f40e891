"""Names of people that stand as surname and first name: “Ngata, Hana”."""

import re
from collections.abc import Iterable
from typing import Final

from kawe.domain.sheet.findings import NAME_TURNED
from kawe.domain.text.texts import clean
from kawe.workbook.cells.reading import Remark, note, warning
from kawe_xlsx.cells import RawValue

_WORD: Final = r"[^\W\d_](?:[’'‘.-]?[^\W\d_])*\.?"
_BEFORE: Final = r"te|van|der|den|de|du|da|di|von|la|le|st\.?|al|el|bin|ter"
_TURNED: Final = re.compile(
    rf"(?i)((?:(?:{_BEFORE}) )*{_WORD}),\s*({_WORD}(?: {_WORD}){{0,3}})"
)
# What follows the name of a person, or stands in that of an organisation.
_NO_NAME: Final = re.compile(
    r"(?i)\b(?:jr|sr|jnr|snr|i{2,3}|iv|esq|ph\.?d|qs[mo]|[mocd]nzm|jp|[bm]\.?(?:sc|a)"
    r"|ll[bm]|mba|and|ltd|limited|inc|llc|co|company|trust|councils?|group|teams?"
    r"|services?|partners|consult\w*|engineer\w*|plann\w*|advis[eo]r|manager|officer"
    r"|director|department|rūnanga|iwi|marae)\b"
)
_MOST: Final = 0.5


def surnames_first(names: Iterable[RawValue]) -> float:
    """Give the share of names, each counted once, that stand so."""
    texts = [clean(each) for each in {*names} if isinstance(each, str)]
    return sum(map(bool, map(_turned, texts))) / (len(texts) or 1)


def as_called(name: str, *, share: float) -> tuple[str, tuple[Remark, ...]]:
    """Give a name with the first name first, and what a person must know of it.

    `share` of the names in its column stand with the surname first. Where these are
    not most, it is not clear what is meant, and none is turned.
    """
    turned = _turned(name)
    if turned and share > _MOST:
        message = "The surname stands first: kawe puts the first name before it."
        return turned, (note(NAME_TURNED, message=message),)
    is_clear = not turned and share <= _MOST
    return name, () if is_clear or "," not in name else (_COMMA,)


_COMMA: Final = warning(
    "name-comma",
    message="The name has a comma and is taken as it stands.",
    advice="If the surname stands first, type the first name first.",
)


def _turned(name: str) -> str:
    is_one = "," in name and not _NO_NAME.search(name)
    found = _TURNED.fullmatch(name) if is_one else None
    return f"{found[2]} {found[1]}" if found else ""
