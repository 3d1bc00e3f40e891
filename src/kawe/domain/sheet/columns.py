"""The columns that a sheet can have, as the row schemas describe them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class SheetKind(StrEnum):
    """What the rows of a sheet are about."""

    PROJECTS = "projects"
    INVITATIONS = "invitations"


class CellKind(StrEnum):
    """How the text of a cell is read."""

    TEXT = "text"
    LONG_TEXT = "long-text"
    """Line breaks are kept."""
    DATE = "date"
    CHOICE = "choice"
    YES_NO = "yes-no"
    NUMBER = "number"
    EMAIL = "email"
    PHONE = "phone"
    LIST = "list"
    """Several texts with `;` between them."""
    PLACE = "place"
    """One part of a place; kept as typed, read together with its partner."""
    IDENTIFIER = "identifier"
    """An id of the service."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One value that a choice column can take."""

    value: str
    """What the service calls it."""
    label: str
    """What people call it, and what the template offers."""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of a template and what its cells may say."""

    field: str
    title: str
    kind: CellKind
    hint: str
    example: str
    required: bool = False
    synonyms: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()
    max_length: int | None = None
    width: int = 18
    """Width in the template, in characters."""
