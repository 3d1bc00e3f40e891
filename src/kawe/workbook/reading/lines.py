"""The rows below the headings, without lines that are none: totals, notes, hints.

They are told by their form alone, and a line that says anything else is a row: it is
better refused than left out. Each line that is left out is named.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import pairwise
from math import inf
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


@dataclass(kw_only=True, eq=False)
class Body:
    """What stands below the headings of a table: its rows, and lines that are none."""

    grid: Grid
    headings: HeadingRow
    skipped: frozenset[int] = frozenset()
    """Rows that the person left out: struck-through ones."""
    until: float = inf
    """The row of the headings of another table below."""
    is_other: bool = False
    """It is not of the kind that its sheet is read as."""
    is_beside: bool = False
    """Another table stands beside it."""
    moved: set[int] = field(default_factory=set, init=False)
    """Rows of headings, of which one stands below another."""
    _left_out: dict[int, Why] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        names = self.headings.names
        self._headings = [
            (each, {*map(fold, names(each))} - {""}) for each in self.headings.headings
        ]
        self._names = {*self.headings.meanings, *map(fold, HEADINGS)}.union(
            *(texts for _, texts in self._headings)
        )
        self._two = _TWO.union(each[:2] for each in self._names)
        self._has_references = any(map(_REFERENCE.fullmatch, self._names))
        self.rows = self._rows()

    @property
    def ref(self) -> RowRef:
        return RowRef(sheet=self.grid.sheet, row=self.headings.row)

    def among(self, rows: Collection[int]) -> list[int]:
        return [at for at, _ in self.rows if at in rows] if rows else []

    def own(self, heading: str) -> dict[int, str]:
        """Give what stands in one of kawe's own columns, by row."""
        at = self.headings.own.get(heading, 0)
        rows = (each for each in self.rows if 0 < at <= len(each[1]))
        texts = ((number, show(values[at - 1])) for number, values in rows)
        return {number: text for number, text in texts if text}

    def values(self) -> Iterator[GridRow]:
        """Give each row with the values of its headings."""
        indices = [heading.column - 1 for heading in self.headings.headings]
        reach = max(indices, default=-1) + 1
        is_whole = indices == [*range(reach)]
        for number, row in self.rows:
            whole = row + (None,) * (reach - len(row))
            cells = whole[:reach] if is_whole else tuple([whole[at] for at in indices])
            yield number, cells

    def _rows(self) -> Sequence[GridRow]:
        special = {row for row, _ in self.grid.tally.uncalculated}
        rows: Sequence[GridRow] = [
            row
            for row in self.grid.rows
            if row[0] > self.headings.row
            and row[0] not in self.grid.totals_rows
            and self._is_row(*row, is_special=row[0] in special)
        ]
        for find in (self._titles, self._sum, self._notes):
            if found := find(rows):
                self._left_out.update(found)
                rows = [each for each in rows if each[0] not in found]
        return rows

    def _is_row(
        self, number: int, values: Sequence[RawValue], *, is_special: bool
    ) -> bool:
        if number >= self.until:
            self._left_out[number] = Why.TABLE
            return False
        first = next((value for _, _, value in self._filled(values)), None)
        if first is None and not is_special:
            return False
        if isinstance(first, str) and not self.skipped and self._is_other(first):
            return True
        if why := self._why(number, [*self._filled(values)]):
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

    def _titles(self, _rows: Sequence[GridRow]) -> Mapping[int, Why]:
        """Find titles above headings that come again.

        Below one of works that are over or of a year, another table begins.
        """
        again = {at for at, why in self._left_out.items() if why is Why.HEADINGS}
        above, found = set[str](), dict[int, Why]()
        for (number, values), (below, _) in pairwise(self.grid.rows if again else ()):
            texts = _texts(values)
            if number <= self.headings.row:
                above.update(texts)
            elif below not in again or len(texts) != 1:
                continue
            elif is_aside(texts[0], today=date.max) and above.isdisjoint(texts):
                self.moved.add(below)
            elif not says_note(texts[0]) and not _REFERENCE.fullmatch(texts[0]):
                found[number] = Why.TITLE
        return found

    def _is_name(self, value: RawValue) -> bool:
        """Check that a cell is the heading of any column of this kind."""
        return (
            isinstance(value, str)
            and len(value) <= _HEADING_CHARACTERS
            and value[:1].isalnum()
            and self._may_begin(value)
            and not self._names.isdisjoint(spellings(value))
        )

    def _why(self, number: int, there: Sequence[_Cell]) -> Why | None:
        if number in self.skipped:
            return Why.STRUCK
        if self._has_headings(number, there):
            return Why.HEADINGS
        words = [each for heading, _, each in there if not _is_figure(heading, each)]
        # Beside figures alone, any name of a total is one: “Total North”.
        is_sum = len(there) > len(words) == 1 and words[0] is there[0][2]
        is_total = is_sum and re.match(_TOTAL_OF, fold(show(words[0]))) is not None
        return Why.TOTAL if words and (is_total or all(map(_is_total, words))) else None

    def _filled(self, values: Sequence[RawValue]) -> Iterator[_Cell]:
        """Give each cell below a heading that is not empty, and the heading."""
        for heading, texts in self._headings:
            index = heading.column - 1
            if index < len(values) and not is_blank(values[index]):
                yield heading, texts, values[index]

    def _has_headings(self, number: int, there: Sequence[_Cell]) -> bool:
        """Check that most cells are headings, and note if one stands elsewhere."""
        named, is_moved, meanings = 0, False, self.headings.meanings
        for heading, texts, value in there:
            is_name, is_known = self._is_name(value), heading.means is not None
            has_figure = any(map(str.isdigit, show(value)))
            if not is_name and (not named or (is_known and has_figure)):
                return False
            named += is_name
            if is_name or is_known:
                # Whether it says what the heading above it says.
                meant, said = (heading.means, heading.part), spellings(str(value))
                here = (e in texts or meanings.get(e) == meant for e in said)
                is_moved |= not any(here)
        is_again = named > 1 and 2 * named > len(there)
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

    def _sum(self, rows: Sequence[GridRow]) -> Mapping[int, Why]:
        """Find a sum: the last row, where it is one number alone.

        A number one higher than that above it counts rows, and is none.
        """
        if len(rows) < 2:
            return {}
        above, last = ([*self._filled(values)] for _, values in rows[-2:])
        if not _is_sum(last) or _is_sum(above):
            return {}
        heading, _, value = last[0]
        over = (_number(each) for there, _, each in above if there is heading)
        return {} if _number(value) - 1 in over else {rows[-1][0]: Why.TOTAL}

    def _notes(self, rows: Sequence[GridRow]) -> Mapping[int, Why]:
        """Find hints below the headings, notes, and a table of something else."""
        for (above, _), (number, values) in pairwise(rows):
            if number > above + 1 and self._begins_table(values):
                self.moved.add(number)
        return SparseLines(self.grid, self.headings, rows).left_out

    def findings(self) -> Iterator[Finding]:
        """Say which lines are no rows."""
        for why in Why:
            if rows := sorted(at for at, each in self._left_out.items() if each is why):
                one, many = why.value
                several = f"Rows {numbers_words(rows)} {many} not read."
                message = several if rows[1:] else f"Row {rows[0]} {one} not read."
                remark = note(LINES_LEFT_OUT, message=message)
                if why is Why.TITLES:
                    remark = warning(LINES_LEFT_OUT, message=message, advice=_IF_ROWS)
                yield remark.at(replace(self.ref, row=rows[0]))


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
