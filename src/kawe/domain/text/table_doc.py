"""A table that is told once, and written as a sheet, a file or a part of a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from kawe_xlsx.cells import RawValue


class CellForm(Enum):
    """What a field is, and so how its cells look."""

    TEXT = auto()
    CODE = auto()
    """A word of the interface, such as IN_PROGRESS, for people: In progress."""
    DAY = auto()
    MOMENT = auto()
    YES = auto()
    CENTS = auto()
    """Shown in dollars."""
    LINK = auto()
    FILE = auto()
    """A file below the folder of the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDoc:
    """Rows under headings; of a long list, the rows are given later, one by one."""

    title: str
    headings: tuple[str, ...]
    rows: Sequence[Sequence[RawValue]] = ()
    widths: tuple[float, ...] = ()
    """In characters; empty: as wide as what stands in the columns."""
    forms: Mapping[str, CellForm] = field(default_factory=dict)
    """By heading; the cells of others are written as they are."""
    above: tuple[str, ...] = ()
    """Lines above the headings; the first is printed large."""
