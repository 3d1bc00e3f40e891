"""Lines among the rows that are no rows: totals, headings again, notes, hints.

They are told by their form alone, and a line that says anything else is a row: it is
better refused than left out. Each line that is left out is named.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import date
from itertools import pairwise
from typing import Final, TypeAlias

from kawe.domain.sheet.aside import is_aside
from kawe.domain.sheet.columns import CellKind
from kawe.domain.sheet.findings import LINES_LEFT_OUT, Finding, RowRef
from kawe.domain.sheet.tables import Heading
from kawe.domain.text.texts import fold, numbers_words
from kawe.workbook.cells.readers import is_blank
from kawe.workbook.cells.reading import note, show, warning
from kawe.workbook.own_words import HEADINGS
from kawe.workbook.reading.alike import spellings
from kawe.workbook.reading.grids import Grid, GridRow
from kawe.workbook.reading.headings import HeadingRow, is_data
from kawe.workbook.reading.notes import FULL, SparseLines, Why, is_number, says_note
from kawe_xlsx.cells import RawValue

_HEADING_CHARACTERS: Final = 200
_COUNTED: Final = (
    "people|persons?|peoples|tangata|staff|members?|users?|invitees?|invitations?|"
    "names?|employees?|projects?|consents?|applications?|rows?|lines?|records?|"
    "entries|items?|jobs?|sites?|hours?|cost|amount|sum|value|count|number"
)
_SUMMED: Final = "grand|sub|overall|running|final|page|monthly"
_LITTLE: Final = (
    "of|for|the|all|in|on|this|list|listed|sheet|page|month|year|to|date|no"
)
_ENDED: Final = "list|sheet|data|file|report|table|page|document|register|schedule"
# Folded: a word for a sum, and what was summed. Compiled when asked: it takes 20 ms.
_TOTAL: Final = (
    r"(?:"
    rf"(?:(?:{_SUMMED}) ?)?totals?|sum|tapeke|katoa|"
    rf"(?:(?:{_COUNTED}) )?count|headcount|(?:nos?|n) \d+|"
    rf"(?:number|no) of (?:{_COUNTED})|"
    rf"end(?: of(?: the)? (?:{_ENDED}|{_COUNTED}))?|[\d ]*\d (?:{_COUNTED})"
    r")"
    rf"(?: (?:{_COUNTED}|{_LITTLE}|totals?|\d+))*"
)
_TOTAL_OF: Final = r"(?:sub ?)?totals? "
_REFERENCE: Final = re.compile(r"[a-z]{1,4}[-/ ]?\d[\w/.-]{2,}", re.IGNORECASE)
_NUMBERED: Final = re.compile(r"[\d\s.,]+(?:[a-z]|$)", re.IGNORECASE)


_TWO: Final = frozenset(
    each[:2]
    for words in (_SUMMED, _COUNTED, "total|tapeke|katoa|headcount|number|no|n|end")
    for each in words.split("|")
)
"""The first letters of totals."""
_Cell: TypeAlias = tuple[Heading, Collection[str], RawValue]
"""The heading above a cell, what it may say as well, and the cell."""
_IF_ROWS: Final = "If one is a row, fill in its other cells."


class Lines:
    """The rows of a grid below its headings, and why other lines are none.

    `skipped` are rows that the person left out, and `until` is the row of the headings
    of another table below.
    """

    def __init__(
        self, grid: Grid, row: HeadingRow, *, skipped: frozenset[int], until: int | None
    ) -> None:
        self._headings = [
            (each, {*map(fold, row.names(each))} - {""}) for each in row.headings
        ]
        self._row = row
        self._first = row.headings[0].column - 1 if row.headings else 0
        self._names = {*row.meanings, *map(fold, HEADINGS)}.union(
            *(texts for _, texts in self._headings)
        )
        self._two = _TWO.union(each[:2] for each in self._names)
        self._has_references = any(map(_REFERENCE.fullmatch, self._names))
        self._skipped, self._until = skipped, until
        self.moved: set[int] = set()
        """Rows of headings, of which one stands below another."""
        self._left_out: dict[int, Why] = {}
        self.rows = self._rows(grid)

    def _rows(self, grid: Grid) -> Sequence[GridRow]:
        totals = grid.totals_rows
        special = {row for row, _ in grid.tally.uncalculated}
        there = [
            row
            for row in grid.rows
            if row[0] > self._row.row
            and row[0] not in totals
            and self._is_row(*row, is_special=row[0] in special)
        ]
        if Why.HEADINGS in self._left_out.values():
            self._leave_titles(grid)
            there = [each for each in there if each[0] not in self._left_out]
        return self._without_notes(grid, self._without_sum(there))

    def _leave_titles(self, grid: Grid) -> None:
        """Leave out titles above headings that come again.

        Below one of works that are over or of a year, another table begins.
        """
        above: set[str] = set()
        for (number, values), (below, _) in pairwise(grid.rows):
            texts = _texts(values)
            above.update(texts if number < self._row.row else ())
            is_again = self._left_out.get(below) is Why.HEADINGS
            if number <= self._row.row or len(texts) > 1 or not is_again:
                continue
            if is_aside(texts[0], today=date.max) and above.isdisjoint(texts):
                self.moved.add(below)
            elif not says_note(texts[0]) and not _REFERENCE.fullmatch(texts[0]):
                self._left_out[number] = Why.TITLE

    def _is_row(
        self, number: int, values: Sequence[RawValue], *, is_special: bool
    ) -> bool:
        first = values[self._first] if self._first < len(values) else None
        if self._until is not None and number >= self._until:
            self._left_out[number] = Why.TABLE
            return False
        if isinstance(first, str) and not self._skipped and self._is_other(first):
            return True
        if not is_special and not any(True for _ in self._filled(values)):
            return False
        if why := self._why(number, values):
            self._left_out[number] = why
        return why is None

    def _is_other(self, first: str) -> bool:
        """Check quickly that the line with this first cell is a row, as most are."""
        if not self._has_references and _REFERENCE.fullmatch(first):
            return True
        return not _NUMBERED.match(first) and not self._may_begin(first)

    def _may_begin(self, text: str) -> bool:
        """Look at the first letters alone, which is fast."""
        two = text[:2].lower()
        return two in self._two or not (two.isascii() and two.isalnum())

    def _is_name(self, value: RawValue) -> bool:
        """Check that a cell is the heading of any column of this kind."""
        return (
            isinstance(value, str)
            and len(value) <= _HEADING_CHARACTERS
            and value[:1].isalnum()
            and self._may_begin(value)
            and not self._names.isdisjoint(spellings(value))
        )

    def _why(self, number: int, values: Sequence[RawValue]) -> Why | None:
        if number in self._skipped:
            return Why.STRUCK
        if self._has_headings(number, values):
            return Why.HEADINGS
        there = [*self._filled(values)]
        cells = [value for _, _, value in there]
        words = [each for heading, _, each in there if not _is_figure(heading, each)]
        # Beside figures alone, any name of a total is one: “Total North”.
        is_sum = words[:1] == cells[:1] and len(cells) > len(words) == 1
        is_total = is_sum and re.match(_TOTAL_OF, fold(show(words[0]))) is not None
        return Why.TOTAL if words and (is_total or all(map(_is_total, words))) else None

    def _filled(self, values: Sequence[RawValue]) -> Iterator[_Cell]:
        """Give each cell below a heading that is not empty, and the heading."""
        for heading, texts in self._headings:
            index = heading.column - 1
            if index < len(values) and not is_blank(values[index]):
                yield heading, texts, values[index]

    def _has_headings(self, number: int, values: Sequence[RawValue]) -> bool:
        """Check that most cells are headings, and note if one stands elsewhere."""
        named = filled = 0
        is_moved = False
        for heading, texts, value in self._filled(values):
            is_name, is_known = self._is_name(value), heading.means is not None
            has_figure = any(map(str.isdigit, show(value)))
            if not is_name and (not filled or (is_known and has_figure)):
                return False
            filled, named = filled + 1, named + is_name
            if is_name or is_known:
                # Whether it says what the heading above it says.
                meant, said = (heading.means, heading.part), spellings(str(value))
                here = (e in texts or self._row.meanings.get(e) == meant for e in said)
                is_moved |= not any(here)
        is_again = named > 1 and 2 * named > filled
        if is_again and is_moved:
            self.moved.add(number)
        return is_again

    def _begins_table(self, values: Sequence[RawValue]) -> bool:
        """Check for a line of headings of which kawe knows some."""
        texts = _texts(values)
        is_text = all(isinstance(each, str) or is_blank(each) for each in values)
        is_like = is_text and len(set(texts)) == len(texts) >= FULL
        named = sum(map(self._is_name, texts)) if is_like else 0
        return named > 1 and not is_data(texts, texts)

    def _without_sum(self, rows: Sequence[GridRow]) -> Sequence[GridRow]:
        """Leave out the last row where it is one number alone: a sum.

        A number one higher than that above it counts rows, and is none.
        """
        if len(rows) < 2:
            return rows
        above, last = ([*self._filled(values)] for _, values in rows[-2:])
        if not _is_sum(last) or _is_sum(above):
            return rows
        heading, _, value = last[0]
        over = (_number(each) for there, _, each in above if there is heading)
        if _number(value) - 1 in over:
            return rows
        self._left_out[rows[-1][0]] = Why.TOTAL
        return rows[:-1]

    def _without_notes(self, grid: Grid, rows: Sequence[GridRow]) -> Sequence[GridRow]:
        """Leave out hints below the headings, notes, and a table of something else."""
        for (above, _), (number, values) in pairwise(rows):
            if number > above + 1 and self._begins_table(values):
                self.moved.add(number)
        lines = SparseLines(grid, self._row, rows)
        kept = lines.rows()
        self._left_out.update(lines.left_out)
        return kept

    def notes(self, sheet: str) -> Iterator[Finding]:
        """Say which lines were left out so far."""
        for why in Why:
            if rows := sorted(at for at, each in self._left_out.items() if each is why):
                one, many = why.value
                several = f"Rows {numbers_words(rows)} {many} not read."
                message = several if rows[1:] else f"Row {rows[0]} {one} not read."
                remark = note(LINES_LEFT_OUT, message=message)
                if why is Why.TITLES:
                    remark = warning(LINES_LEFT_OUT, message=message, advice=_IF_ROWS)
                yield remark.at(RowRef(sheet=sheet, row=rows[0]))


def _texts(values: Sequence[RawValue]) -> list[str]:
    return [show(value) for value in values if not is_blank(value)]


def _is_figure(heading: Heading, value: RawValue) -> bool:
    is_place = heading.means is not None and heading.means.kind is CellKind.PLACE
    return not is_place and is_number(value)


def _is_sum(cells: Sequence[_Cell]) -> bool:
    return len(cells) == 1 and _is_figure(cells[0][0], cells[0][2])


def _is_total(value: RawValue) -> bool:
    return isinstance(value, str) and re.fullmatch(_TOTAL, fold(value)) is not None


def _number(value: RawValue) -> float:
    try:
        return float(show(value))
    except ValueError:
        return float("nan")
