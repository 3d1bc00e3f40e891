"""A table that is told once, and written as a sheet, a file or a part of a page.

Foreign text is nothing active in a sheet. A program that opens a CSV file runs a text
that begins with = + - or @ as a formula: there it gets an apostrophe before it, which
kawe removes when it reads its own file.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

from kawe_xlsx.cells import RawValue, inert


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


# After apostrophes, so that taking one away always gives the text back; after
# spaces, which programs skip; and as East Asian keyboards type them.
_FORMULA: Final = re.compile(r"'*\s*[=+\-@＝＋－＠]")
# These only count, whatever program opens them: numbers and phone numbers.
_NUMBER: Final = re.compile(r"[+-]?[0-9][0-9 .]*")
# The same of many texts, each after a line.
_ANY_FORMULA: Final = re.compile(
    r"\|(?:'*\s*[=@＝＋－＠]|(?:'+\s*|\s+)[+\-]|[+\-](?![0-9][0-9 .]*(?:\||\Z)))"
)
_GUARDED: Final = re.compile(rf"'(?={_FORMULA.pattern})")


def guarded(text: str) -> str:
    """Give `text` inert, and so that no program takes it for a formula."""
    text = inert(text)
    if _FORMULA.match(text) and not _NUMBER.fullmatch(text):
        return f"'{text}"
    return text


def are_harmless(texts: Iterable[str]) -> bool:
    """Say of texts together that `guarded` changes none; False: it may change one."""
    whole = f"|{'|'.join(texts)}"
    return whole.isprintable() and _ANY_FORMULA.search(whole) is None


def unguarded(text: str) -> str:
    return text[1:] if _GUARDED.match(text) else text
