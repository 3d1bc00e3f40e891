"""Lines among the rows that are no rows: totals, headings again, notes, hints.

They are told by their form alone, and a line that says anything else is a row: it is
better refused than left out. Each line that is left out is named.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date, time
from enum import Enum
from itertools import groupby, pairwise
from typing import Any, Final, TypeVar

from kawe.domain.sheet.columns import CellKind, Column
from kawe.domain.sheet.findings import LINES_LEFT_OUT, Finding
from kawe.domain.sheet.refs import RowRef
from kawe.domain.sheet.tables import Heading
from kawe.domain.text.counts import some_of
from kawe.domain.text.texts import fold
from kawe.workbook.cells.readers import ColumnReader, is_blank
from kawe.workbook.cells.reading import ColumnFacts, note, show
from kawe.workbook.own_words import HEADINGS
from kawe.workbook.reading.assigning import spellings
from kawe.workbook.reading.two_rows import is_data

_RUNS: Final = 8
_HEADING_CHARACTERS: Final = 200
_NUMBER: Final = re.compile(r"[$(]?\s*-?(?!0\d)\d[\d\s,.]*%?\s*\)?")
_COUNTED: Final = (
    "people|persons?|peoples|tangata|staff|members?|users?|invitees?|invitations?|"
    "names?|employees?|projects?|consents?|applications?|rows?|lines?|records?|"
    "entries|items?|jobs?|sites?|hours?|cost|amount|sum|value|count|number"
)
_LITTLE: Final = (
    "of|for|the|all|in|on|this|list|listed|sheet|page|month|year|to|date|no"
)
_ENDED: Final = "list|sheet|data|file|report|table|page|document|register|schedule"
# Folded: a word for a sum, and what was summed. Compiled when asked: it takes 20 ms.
_TOTAL: Final = (
    r"(?:"
    r"(?:(?:grand|sub|overall|running|final|page|monthly) ?)?totals?|sum|tapeke|katoa|"
    rf"(?:(?:{_COUNTED}) )?count|headcount|(?:nos?|n) \d+|"
    rf"(?:number|no) of (?:{_COUNTED})|"
    rf"end(?: of(?: the)? (?:{_ENDED}|{_COUNTED}))?|[\d ]*\d (?:{_COUNTED})"
    r")"
    rf"(?: (?:{_COUNTED}|{_LITTLE}|totals?|\d+))*"
)
# A first cell that begins so may begin such a line.
_BEGINNING: Final = (
    r"(?:grand|sub|overall|running|final|page|monthly|total|sum|tapeke|katoa|count"
    rf"|(?:{_COUNTED})\s+count|headcount|number|nos?\b|n\b|end\b"
    r"|[\d.,\s]+(?:$|\s*[a-z]+(?:\s|$)))"
)
_TWO: Final = frozenset(
    each[:2]
    for words in ("grand sub overall running final page monthly total", _COUNTED)
    for each in re.split(r"[ |]", f"{words} tapeke katoa count headcount number no end")
) | {"n", "n ", "n=", "n:", "n."}
"""Its first two letters."""
_FULL: Final = 3
"""A line with so many cells is no note."""
_TOLD: Final = frozenset({CellKind.DATE, CellKind.CHOICE, CellKind.EMAIL})
"""Kinds of which a cell tells whether it is one."""
_HINT: Final = (
    r"(?i)[\[(]?\s*(?:d{1,2}[/. -]m{1,3}[/. -]y{2,4}|y{4}-m{2}-d{2}|m|km|metres?|ha"
    r"|units?|nztm.*|wgs ?84|(?:decimal )?degrees|\$|\$?000|nzd|text|number|date"
    r"|required|yes ?/ ?no|y ?/ ?n|mandatory|optional|free text|(?:choose|select"
    r"|drop.?down|e\.?g\.?|for example|example|max|from the list)\b.*)\s*[\])]?\*?"
)
_Row = TypeVar("_Row", bound=tuple[int, Sequence[Any]])


class _Why(Enum):
    """Why a line is no row, said of one and of many."""

    TOTAL = "is a total line and is", "are total lines and are"
    HEADINGS = "repeats the headings and is", "repeat the headings and are"
    STRUCK = "is struck through and is", "are struck through and are"
    HINTS = "says what to fill in and is", "say what to fill in and are"
    NOTES = "looks like a note and is", "look like notes and are"
    TABLE = "looks like another table and is", "look like another table and are"


class Lines:
    """Tells which lines are no rows, and remembers them.

    `headings` are those of `row`, from the left, each with its texts: several where it
    is split over rows. `meanings` are as `HeadingRow` has them.
    """

    def __init__(
        self,
        headings: Sequence[tuple[Heading, Sequence[str]]],
        *,
        row: int,
        meanings: Mapping[str, Column],
        skipped: Collection[int] = (),
    ) -> None:
        self._headings = [
            (each, {*map(fold, texts)} - {""}) for each, texts in headings
        ]
        self._row, self._meanings = row, meanings
        self._names = {*meanings, *map(fold, HEADINGS)}.union(
            *(texts for _, texts in self._headings)
        )
        self.moved: set[int] = set()
        """Rows of headings, of which one stands below another."""
        self._skipped = skipped
        self._left_out: dict[int, _Why] = {}
        self._numbers: set[int] = set()
        """Rows that hold one number and nothing else."""
        texts = headings[0][1] if headings else ()
        words = {text.split()[0] for text in texts if text.split()}
        begins = "|".join((_BEGINNING, *map(re.escape, words)))
        self._begins = re.compile(f"^(?:{begins})", re.IGNORECASE)
        self._two = _TWO | {name[:2].lower() for name in (*words, *self._names)}

    def may_be(self, first_cell: str) -> bool:
        """Check quickly that a line with this first cell may be no row."""
        return self._begins.match(first_cell) is not None or self._is_name(first_cell)

    def _may_begin(self, two: str) -> bool:
        return not two.isascii() or two.lower() in self._two

    def _is_name(self, text: str) -> bool:
        """Check that a text is the heading of any column of this kind."""
        is_short = len(text) <= _HEADING_CHARACTERS and self._may_begin(text[:2])
        return is_short and not self._names.isdisjoint(spellings(text))

    def is_no_row(self, number: int, values: Sequence[Any]) -> bool:
        """Check one line; all its values are given from column A on."""
        why = self._why(number, values)
        if why is not None:
            self._left_out[number] = why
        return why is not None

    def is_of_another_table(self, number: int) -> None:
        """Remember a line that stands in a table of something else."""
        self._left_out[number] = _Why.TABLE

    def _why(self, number: int, values: Sequence[Any]) -> _Why | None:
        if number in self._skipped:
            return _Why.STRUCK
        if self._has_headings(number, values):
            return _Why.HEADINGS
        filled, totals = 0, 0
        for _, _, value in self._filled(values):
            filled += 1
            if not _is_number(value):
                if not _is_total(value):
                    return None
                totals += 1
        if not totals and filled == 1:
            self._numbers.add(number)
        return _Why.TOTAL if totals else None

    def _filled(
        self, values: Sequence[Any]
    ) -> Iterator[tuple[Heading, Collection[str], Any]]:
        """Give each cell below a heading that is not empty, and the heading."""
        for heading, texts in self._headings:
            index = heading.column - 1
            if index < len(values) and not is_blank(values[index]):
                yield heading, texts, values[index]

    def _has_headings(self, number: int, values: Sequence[Any]) -> bool:
        """Check that most cells are headings, and note if one stands elsewhere."""
        named = filled = 0
        is_moved = False
        for heading, texts, value in self._filled(values):
            is_name = isinstance(value, str) and self._is_name(value)
            is_known = heading.means is not None
            if not is_name and (not filled or (is_known and _has_figure(value))):
                return False
            filled, named = filled + 1, named + is_name
            if is_name or is_known:
                is_moved |= not self._is_here(value, heading, texts)
        is_again = named > 1 and 2 * named > filled
        if is_again and is_moved:
            self.moved.add(number)
        return is_again

    def _begins_table(self, values: Sequence[Any]) -> bool:
        """Check for a line of headings of which kawe knows some."""
        texts = [show(value) for value in values if not is_blank(value)]
        return (
            len(set(texts)) == len(texts) >= _FULL
            and self._is_text(values)
            and not is_data(texts, texts)
            and sum(map(self._is_name, texts)) > 1
        )

    def _is_here(self, value: object, heading: Heading, texts: Collection[str]) -> bool:
        """Check that a cell says what the heading above it says."""
        names = spellings(value) if isinstance(value, str) else ()
        means = heading.means
        return any(
            name in texts or (means is not None and self._meanings.get(name) is means)
            for name in names
        )

    def without_sum(self, rows: Sequence[_Row]) -> Sequence[_Row]:
        """Leave out the last row where it is one number alone: a sum.

        A number one higher than that above it counts rows, and is none.
        """
        if len(rows) < 2 or rows[-1][0] not in self._numbers:
            return rows
        if self._goes_on(rows[-1], rows[-2]):
            return rows
        self._left_out[rows[-1][0]] = _Why.TOTAL
        return rows[:-1]

    def without_notes(self, rows: Sequence[_Row]) -> Sequence[_Row]:
        """Leave out hints below the headings, notes, and a table of something else.

        A note has text in one cell alone, below an empty line, a total or a note. After
        the last row it may have a word and what it stands for. Where rows have few
        cells themselves, all of them are rows.
        """
        rows = self._without_hints(rows)
        if len(rows) < 2 or rows[-1][0] - rows[0][0] == len(rows) - 1:
            return rows
        counts = {n: sum(not is_blank(each) for each in values) for n, values in rows}
        if sorted(counts.values())[len(rows) // 2] < _FULL:
            return rows
        kept: list[_Row] = []
        tail: list[_Row] = []
        last, is_apart = self._row, False
        for row in rows:
            number, values = row
            if kept and number > last + 1 and self._begins_table(values):
                self.moved.add(number)
            is_apart = (number > last + 1 and bool(kept)) or (
                is_apart and counts[number] < _FULL
            )
            last = number
            if is_apart and counts[number] == 1 and self._is_text(values):
                self._left_out[number] = _Why.NOTES
            elif is_apart and counts[number] < _FULL:
                tail.append(row)
            else:
                kept += [*tail, row]
                tail = []
        for number, _ in tail:
            self._left_out[number] = _Why.NOTES
        return self._without_table(kept)

    def _without_table(self, rows: list[_Row]) -> Sequence[_Row]:
        """Leave out what stands below the last gap, if nothing in it can be a row."""
        told = [h for h, _ in self._headings if h.means and h.means.kind in _TOLD]
        pairs = enumerate(pairwise(rows), start=1)
        starts = [at for at, (a, b) in pairs if b[0] > a[0] + 1]
        if not starts or not told:
            return rows
        below = rows[starts[-1] :]
        if any(self._reads(told, values) for _, values in below):
            return rows
        if not any(self._reads(told, values) for _, values in rows[: starts[-1]]):
            return rows
        for number, _ in below:
            self._left_out[number] = _Why.TABLE
        return rows[: starts[-1]]

    def _reads(self, told: Sequence[Heading], values: Sequence[Any]) -> bool:
        return any(
            at < len(values)
            and not is_blank(values[at])
            and heading.means is not None
            and ColumnReader(heading.means, ColumnFacts()).read(values[at]).value
            is not None
            for heading in told
            for at in (heading.column - 1,)
        )

    def _without_hints(self, rows: Sequence[_Row]) -> Sequence[_Row]:
        """Leave out the first line where each cell says what to fill in, or a unit."""
        if not rows:
            return rows
        number, values = rows[0]
        texts = [show(value) for value in values if not is_blank(value)]
        is_count = texts == [f"{at}" for at in range(1, len(texts) + 1)]
        is_hint = is_count or all(re.fullmatch(_HINT, each) for each in texts)
        if len(texts) < 2 or not is_hint or number > self._row + 2:
            return rows
        self._left_out[number] = _Why.HINTS
        return rows[1:]

    def _is_text(self, values: Sequence[Any]) -> bool:
        return all(isinstance(each, str) or is_blank(each) for each in values)

    def _goes_on(self, row: _Row, above: _Row) -> bool:
        if above[0] in self._numbers:
            return True
        for heading, _, value in self._filled(row[1]):
            index = heading.column - 1
            before = above[1][index] if index < len(above[1]) else None
            return _figure(value) - 1 == _figure(before)
        return False

    def notes(self, sheet: str) -> Iterator[Finding]:
        """Say which lines were left out so far."""
        for why in _Why:
            rows = sorted(row for row, each in self._left_out.items() if each is why)
            if rows:
                one, many = why.value
                words = f"Row {rows[0]} {one}" if len(rows) == 1 else ""
                words = words or f"Rows {runs(rows)} {many}"
                yield note(LINES_LEFT_OUT, message=f"{words} not read.").at(
                    RowRef(sheet=sheet, row=rows[0])
                )


def runs(rows: Sequence[int]) -> str:
    """List row numbers as runs: 4–9, 12 and 3 more."""
    found = []
    for _, members in groupby(enumerate(rows), lambda pair: pair[1] - pair[0]):
        numbers = [number for _, number in members]
        first, last = numbers[0], numbers[-1]
        found.append(f"{first}" if first == last else f"{first}–{last}")
    return some_of(found, shown=_RUNS)


def _has_figure(value: object) -> bool:
    return not isinstance(value, str) or any(map(str.isdigit, value))


def _is_total(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(_TOTAL, fold(value)) is not None


def _is_number(value: object) -> bool:
    if isinstance(value, str):
        return _NUMBER.fullmatch(value.strip()) is not None
    return not isinstance(value, bool | date | time)


def _figure(value: Any) -> float:  # noqa: ANN401 - as the library gives it
    try:
        return float(show(value))
    except (TypeError, ValueError):
        return float("nan")
