"""What a cell holds, how it is named, and texts that do nothing."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import cache
from typing import Final, TypeAlias

RawValue: TypeAlias = str | float | int | bool | date | datetime | time | None
"""What a cell can hold as Excel or a CSV gives it; None is an empty cell."""

OWN_SHEET: Final = "_kawe_sheet_"
"""Begins the names of each sheet that was written here: people may rename it."""
ROWS_SHEET: Final = "_kawe_rows"
"""Names, in a workbook with several lists, the one that was read."""

_LINE_ENDS: Final = re.compile(r"\r\n?|[\u2028\u2029\x0b\x0c\x85]")
# Control characters but the line end, surrogates, direction marks, no XML.
_UNSAFE: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff"
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)


_same: Final[dict[str, str]] = {}


def shared(values: Iterable[RawValue]) -> tuple[RawValue, ...]:
    """Give each text among values as the same object as an equal one shortly before."""
    # Most texts of a sheet repeat, and soon.
    if len(_same) > 2**12:
        _same.clear()
    same = _same.setdefault
    return tuple([same(each, each) if type(each) is str else each for each in values])


@cache
def column_letters(column: int) -> str:
    """Name a column, counted from 1, as Excel does: 1 is A, 28 is AB.

    Raises:
        ValueError: `column` is less than 1.
    """
    if column < 1:
        raise ValueError(f"columns count from 1, not {column}")
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def address(row: int, column: int) -> str:
    return f"{column_letters(column)}{row}"


def inert(text: str) -> str:
    """Give `text` with nothing active in it; line breaks stay."""
    if text.isprintable():
        return text
    return _UNSAFE.sub("", _LINE_ENDS.sub("\n", text)).replace("\t", " ")


def one_line(text: str, *, limit: int = 200) -> str:
    """Give a name that a stranger chose for a sentence: one line, cut if long."""
    line = " ".join(inert(unicodedata.normalize("NFC", text)).split())
    line = "".join(filter(str.isprintable, line))
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


# Never frozen: contextlib assigns __traceback__ on the way out of a `with`.
@dataclass(eq=False, kw_only=True)
class BookError(Exception):
    """A workbook is damaged, too large, or does not belong in an office.

    `message` says what is wrong and `hint` what to do.
    """

    message: str
    hint: str

    def __str__(self) -> str:
        return f"{self.message} {self.hint}"
