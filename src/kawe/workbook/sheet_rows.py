"""One row of a sheet as XML, filled from left to right.

There is one method for each kind of cell, and none for formulas. A workbook
of 200,000 rows has five million cells: each is written once, as text, and
nothing is kept of it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Final, TypeAlias

from kawe.domain.sheet.refs import column_letters
from kawe.workbook.sheet_styles import StyleSheet
from kawe.workbook.sheet_text import element, is_simple, safe_text

Number: TypeAlias = bool | float | date | time

_EPOCH: Final = date(1899, 12, 30)
_DAY_SECONDS: Final = 86_400


@dataclass(frozen=True, slots=True, kw_only=True)
class CellLink:
    """Where a click on a cell leads: to a web address or within the workbook."""

    cell: str
    url: str = ""
    location: str = ""
    tip: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """What is said when somebody points at a cell; both count from 1."""

    row: int
    column: int
    text: str

    @property
    def cell(self) -> str:
        """Give the address of the cell."""
        return f"{column_letters(self.column)}{self.row}"


class RowWriter:
    """Makes the rows of a sheet `widths` characters wide, one after the other."""

    def __init__(self, *, widths: Sequence[float], styles: StyleSheet) -> None:
        self.links: list[CellLink] = []
        self.comments: list[Comment] = []
        self.lines = 1
        """How many lines the highest text of the row needs."""
        self._row = 0
        self._cells: list[str] = []
        self._letters = [column_letters(at) for at in range(1, len(widths) + 1)]
        # A width counts digits; most letters are narrower, but lines break at words.
        self._rooms = [max(width * 1.05 - 2, 1) for width in widths]
        self._of_texts = styles.of_texts
        self._of_values = styles.of_values

    def begin(self, row: int) -> None:
        """Begin row number `row` with its first cell."""
        self._row = row
        self._cells = []
        self.lines = 1

    def finish(self) -> str:
        """Give the cells of the row."""
        return "".join(self._cells)

    def text(self, text: str, style: str) -> None:
        """Write a text, whatever it begins with; empty for a blank cell."""
        if is_simple(text):
            inner = f"<t>{text}</t>"
        else:
            text = safe_text(text)
            inner = element(text)
        if not text:
            self._put(f'" s="{self._of_texts[style]}"/>')
            return
        room = self._rooms[len(self._cells)]
        if len(text) > room or "\n" in text:
            self.lines = max(self.lines, lines_needed(text, room=room))
        style_id = self._of_texts[style]
        self._put(f'" s="{style_id}" t="inlineStr"><is>{inner}</is></c>')

    def number(self, value: Number, style: str) -> None:
        """Write a number, a truth value, a day or a time, finite and after 1900."""
        style_id = self._of_values[style]
        if isinstance(value, bool):
            self._put(f'" s="{style_id}" t="b"><v>{value:d}</v></c>')
        elif isinstance(value, (int, float)):
            # All digits: a row that is fed back must say what was sent.
            self._put(f'" s="{style_id}"><v>{value!r}</v></c>')
        else:
            self._put(f'" s="{style_id}"><v>{_serial(value)!r}</v></c>')

    def blank(self, style: str) -> None:
        """Leave a cell empty, in its style."""
        self._put(f'" s="{self._of_values[style]}"/>')

    def link(self, text: str, link: CellLink, *, style: str) -> None:
        """Write a text that leads somewhere, on one line."""
        lines = self.lines
        self.text(text, style)
        self.lines = lines
        self.links.append(link)

    def comment(self, text: str) -> None:
        """Hang a comment on the cell that was written last."""
        self.comments.append(
            Comment(row=self._row, column=len(self._cells), text=safe_text(text))
        )

    @property
    def next_cell(self) -> str:
        """Give the address of the cell that is written next."""
        return f"{self._letters[len(self._cells)]}{self._row}"

    def _put(self, rest: str) -> None:
        cells = self._cells
        cells.append(f'<c r="{self._letters[len(cells)]}{self._row}{rest}')


def lines_needed(text: str, *, room: float) -> int:
    """Estimate how many lines a text takes, with room for so many letters on each."""
    return sum(max(1, math.ceil(len(line) / room)) for line in text.split("\n"))


def _serial(when: date | time) -> float:
    """Count days as Excel does; the fraction is the time of day."""
    if isinstance(when, time):
        return _day_fraction(when)
    if isinstance(when, datetime):
        return (when.date() - _EPOCH).days + _day_fraction(when.time())
    return (when - _EPOCH).days


def _day_fraction(at: time) -> float:
    seconds = at.hour * 3_600 + at.minute * 60 + at.second + at.microsecond / 1e6
    return seconds / _DAY_SECONDS
