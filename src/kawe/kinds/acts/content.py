"""What a row of any sheet of acts says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kawe.domain.rows.identity import sha256_of
from kawe.domain.service.verdicts import RowKey
from kawe.domain.sheet.content import Attachment, Content, PlainContent
from kawe.domain.text.texts import fold_name, one_line
from kawe_contract.enums import UserRole


@dataclass(frozen=True, slots=True, kw_only=True)
class ActContent(PlainContent):
    """The cells of a row by field, and what the target was found to be."""

    field: str
    """The field that names the target."""
    name: str
    """What the target is called, once it was found; until then as it was typed."""
    target_id: str = ""
    """The project that was found; empty for other targets."""
    cells: tuple[tuple[str, Any], ...] = ()
    files: tuple[Attachment, ...] = ()

    @staticmethod
    def of(content: Content) -> ActContent:
        """Give the content of a row of acts, as its kind made it.

        Raises:
            TypeError: It is another kind's.
        """
        match content:
            case ActContent():
                return content
            case _:
                raise TypeError(f"{content.name} is no act")

    @property
    def identified_by(self) -> tuple[str, str]:
        return self.field, "words"

    @property
    def said(self) -> dict[str, Any]:
        return dict(self.cells)

    @property
    def typed(self) -> str:
        """Give the target as it was typed."""
        return str(self.said[self.field])

    @property
    def owner_words(self) -> str:
        """Name whom the row makes an owner."""
        is_owner = self.said.get("role") == UserRole.OWNER
        return one_line(self.typed) if is_owner else ""


def act_key(word: str, said: Mapping[str, Any], *, target: str) -> RowKey:
    """Give the key of an act: another word anywhere in its row is another act."""
    named = {**said, target: fold_name(str(said[target]))}
    return RowKey(f"{word}:{sha256_of(named)}")
