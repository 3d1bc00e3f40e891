"""Which lines that have few cells are notes, hints, titles or another table.

A line that has what only rows have, such as a day under a heading of days or a
reference like the others, is a row. Of a line that is no row by its place alone, and
not by its words, there is a warning: it may be a project without its other cells.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, time
from enum import Enum
from functools import cached_property
from itertools import filterfalse, groupby, islice, pairwise, takewhile
from typing import Final, TypeAlias

from kawe.domain.sheet.columns import CellKind
from kawe.workbook.cells.readers import NO_CODE_YET, ColumnReader, is_blank
from kawe.workbook.cells.reading import ColumnFacts, show
from kawe.workbook.reading.headings import Grid, GridRow, HeadingRow
from kawe_xlsx.cells import RawValue

FULL: Final = 3
"""A line with so many cells is no note."""
_TOLD: Final = {CellKind.DATE, CellKind.CHOICE, CellKind.EMAIL, CellKind.YES_NO}
"""Kinds of which a cell tells whether it is one."""
_UNITS: Final = {CellKind.DATE, CellKind.PLACE, CellKind.NUMBER}
"""Kinds of which one cell alone may say in what they are measured."""
_LOOKED_AT: Final = 500
_LAST: Final = 20
"""Lines that are signed stand among so many at the end."""
_CHARACTERS: Final = 300
_MOSTLY: Final = 0.8
_HINTS: Final = 3
_NUMBER: Final = re.compile(r"[$(]?\s*-?(?!0\d)\d[\d\s,.]*%?\s*\)?")
_CODE: Final = re.compile(r"(?=.*\d)(?:[^\W\d_]{1,8} )?[\w/.-]{1,20}")
_BETWEEN: Final = re.compile(r"[\W_]")
_NO_CODE_YET: Final = re.compile(NO_CODE_YET, re.IGNORECASE)
_DATE_HINT: Final = r"d{1,2}[/. -]m{1,3}[/. -]y{1,4}|y{4}[/. -]m{1,2}[/. -]d{1,2}"
_HINT: Final = (
    rf"(?i)[\[(]?\s*(?:{_DATE_HINT}|mm?|km|metres?|ha|units?|nztm.*|wgs ?84"
    r"|decimals?|(?:decimal )?deg(?:ree)?s?|[a-z°*$]|\$?000|nzd|(?:free |long )?text"
    r"|string|list|enum|float|integer|numbers?|dates?|(?:not )?required|yes ?/ ?no"
    r"|y ?/ ?n|mandatory|optional|(?:string|text|number)\(\d+\)|e\.?g\.?[ :].*"
    r"|(?:choose|select|drop.?down|for example|example|max\.? \d+|from the list)\b.*"
    r")\s*[\])]?\*?"
)
_EXAMPLE: Final = re.compile(r"(?i)\W*example(?: row)?\W*|e\.?g\.?[ :].*")
_HEADS: Final = (
    r"(?:foot|end)?notes?|n\.? ?b\.?|keys?|legend|abbreviations?|sources?|disclaimers?"
    r"|caveats?|assumptions?|(?:he )?tuhipoka|[a-z]+ codes"
    r"|(?:key|codes?) (?:to|of|for) .*"
)
_BY: Final = (
    r"(?:last |data )?(?:prepared|compiled|produced|generated|exported|extracted"
    r"|created|printed|updated|modified|saved|reviewed|approved|authorised|checked"
    r"|issued|drafted|maintained|collated|supplied)"
)
# What a note says of itself; a project may be called "Notes Creek bridge".
_SAID: Final = (
    rf"(?i)(?:{_HEADS})\W*(?:\d+\W*)?$|(?:{_HEADS}) ?\d* ?(?::|[–-] )"
    rf"|(?:contact|author|owner|date|file|{_BY}) ?:|{_BY}(?:$| (?:by|on|from|\d))"
    rf"|{_BY} (?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)"
    r"|page \d|version:? \d|nb\.? |(?:correct|current)? ?as (?:at|of) |please "
    r"|(?:see|refer) (?:to|also|notes?|tab|sheet|appendix|attached|below|above) |©"
    r"|(?:draft|confidential)\W*$|draft [–-]|(?:for (?:\w+ use|further|more)|not for) "
    r"|\(?continued (?:over|on)|contact .*[\d@]|(?:all )?dates (?:in|tbc|are|may)\b"
    r"|https?:|www\.|[\W_]+$"
)
# A mark, a number or a letter, a sentence.
_FORM: Final = (
    r"(?i)[*†‡§^•]|\(?(?:\d{1,2}|[a-z])(?:[.)]|\.\))\s+[^\d\s]"
    r"|\S+ .* (?:is|are|was|were|may|must|will|should|have been|subject to|to be) "
    r"|\S+ \S+ .*[^\W\d]{3}\.$"
)
_HEAD: Final = re.compile(rf"(?i)(?:{_HEADS})\W*$|{_BY}\b")
_SIGN_OFF: Final = re.compile(rf"(?i)(?:{_BY}|signed|endorsed|submitted) by\W*")
"""What no row begins with, whatever stands beside it."""
_GROUP: Final = re.compile(
    r"(?i)(?:.* )?(?:wards?|zones?|districts?|regions?|rohe|community board"
    r"|teams?|departments?|directorates?)(?: \w+)?"
)
"""Names under which the rows below them lie."""
_BARE: Final = re.compile(r"\(?(?:\W|\d{1,2}|[a-z])[.)]*", re.IGNORECASE)
_Filled: TypeAlias = Sequence[tuple[int, RawValue]]
"""The cells that are not blank, by their index."""


class Why(Enum):
    """Why a line is no row, said of one and of many."""

    TOTAL = "is a total line and is", "are total lines and are"
    HEADINGS = "repeats the headings and is", "repeat the headings and are"
    STRUCK = "is struck through and is", "are struck through and are"
    HINTS = "says what to fill in and is", "say what to fill in and are"
    NOTES = "looks like a note and is", "look like notes and are"
    TITLE = "is a title and is", "are titles and are"
    TITLES = "has too few cells for a row and is", "have too few cells for rows and are"
    TABLE = "looks like another table and is", "look like another table and are"


class SparseLines:
    """Tells the lines of a sheet that are no rows; `left_out` says why, by line."""

    def __init__(self, grid: Grid, row: HeadingRow, lines: Sequence[GridRow]) -> None:
        self.left_out: dict[int, Why] = {}
        self._row, self._means = row.row, {e.column - 1: m for e, m in row.known()}
        self._has_name = any(map(self._is_name, self._means))
        self._readers = {
            at: ColumnReader(means, ColumnFacts())
            for at, means in self._means.items()
            if means.kind in _TOLD
        }
        self._codes: dict[int, frozenset[str]] = {}
        """The shapes of the references in a column of such."""
        hints = [*takewhile(lambda line: self._is_hint(*line), lines)]
        self.left_out.update((number, Why.HINTS) for number, _ in hints)
        ends = ((number, _filled(values)[:1]) for number, values in lines[-_LAST:])
        signed = {n for n, e in ends if e and _SIGN_OFF.fullmatch(_start(e[0][1]))}
        self.left_out.update(dict.fromkeys(signed, Why.NOTES))
        self._lines = [e for e in lines[len(hints) :] if e[0] not in signed]
        counts = {
            n: len([*islice(filterfalse(is_blank, v), FULL)]) for n, v in self._lines
        }
        least = min(FULL, max(counts.values(), default=0))
        few = [e for e in self._lines if 0 < counts[e[0]] < least]
        wide = (_filled(values) for n, values in self._lines if counts[n] >= least)
        full = [*islice(wide, _LOOKED_AT)]
        told = [*filter(self._is_marked, full)]
        self._tells, self._full = bool(told), [*map(dict, told or full)]
        self._codes = dict(self._columns_of_codes())
        # A line that has what only rows have is a row.
        brief = ((number, _filled(values)) for number, values in few)
        self._brief = {n: cells for n, cells in brief if not self._is_marked(cells)}
        self._groups = set(self._heads(full=least, counts=counts))
        # Where rows have few cells themselves, a line with few is no title.
        notes = sum(map(self._is_note, self._brief.values()))
        self._has_titles = 2 * len(few) - notes <= len(self._lines)
        self._wide = {
            area.first_row
            for area in grid.tally.merges
            if area.last_column - area.first_column >= FULL - 1
        }
        self._look()

    def _look(self) -> None:
        runs = groupby(enumerate(self._lines), key=lambda pair: pair[1][0] - pair[0])
        is_begun = False
        for run in ([line for _, line in members] for _, members in runs):
            is_apart, is_below = is_begun, False
            if is_apart and self._is_table(run):
                self.left_out.update((number, Why.TABLE) for number, _ in run)
                continue
            for number, _ in run:
                cells = self._brief.get(number, ())
                why = self._why(number, cells, is_apart=is_apart, is_below=is_below)
                if why is None:
                    is_begun, is_apart, is_below = True, False, False
                else:
                    self.left_out[number] = why
                    is_below |= _HEAD.match(_start(cells[0][1])) is not None

    def _heads(self, *, full: int, counts: Mapping[int, int]) -> Iterator[int]:
        """Give the lines with a name alone that stand above the rows of a group.

        They say so, or the first line does that and another one too.
        """
        alone = {
            number: cells[0][1]
            for number, cells in self._brief.items()
            if len(cells) == 1 and self._is_name(cells[0][0])
        }
        pairs = pairwise(number for number, _ in self._lines) if alone else ()
        heads = [e for e, below in pairs if e in alone and counts[below] >= full]
        if len(heads) > 1 and heads[0] == self._lines[0][0]:
            yield from heads
        yield from (n for n, text in alone.items() if _GROUP.fullmatch(_start(text)))

    def _is_name(self, at: int) -> bool:
        means = self._means.get(at)
        return means is not None and means.required and means.kind is CellKind.TEXT

    def _columns_of_codes(self) -> Iterator[tuple[int, frozenset[str]]]:
        for at in {at for cells in self._full for at in cells}:
            texts = [show(cells[at]) for cells in self._full if at in cells]
            codes = [*filter(_CODE.fullmatch, texts)]
            if not self._is_name(at) and len(codes) >= _MOSTLY * len(texts):
                yield at, frozenset(map(_shape, codes))

    def _kind(self, at: int) -> CellKind | None:
        return self._means[at].kind if at in self._means else None

    def _is_marked(self, cells: _Filled) -> bool:
        """Check for a cell that only rows have."""
        return any(
            (at in self._readers and self._readers[at].read(value).value is not None)
            or (self._kind(at) is CellKind.PLACE and is_number(value))
            or (at in self._means and self._means[at].is_fetched)
            or (at in self._codes and _is_code(show(value), shapes=self._codes[at]))
            for at, value in cells
        )

    def _is_hint(self, number: int, values: Sequence[RawValue]) -> bool:
        """Check for an example, numbers, units, or words that say what to fill in.

        No cell of a row says how a date is written; others beside it may say anything.
        """
        cells = _filled(values) if number <= self._row + _HINTS else []
        texts = [_start(value) for _, value in cells]
        if texts == [f"{at}" for at in range(1, len(texts) + 1)]:
            return len(texts) > 1
        if texts and _EXAMPLE.fullmatch(texts[0]):
            return True
        hints = sum(bool(re.fullmatch(_HINT, each)) for each in texts)
        days = any(re.fullmatch(_DATE_HINT, each, re.IGNORECASE) for each in texts)
        kind = self._kind(cells[0][0]) if len(cells) == 1 else None
        least = min(max(2, len(texts)), max(FULL, len(texts) / 2))
        says = days or hints >= (1 if kind in _UNITS else least)
        return says and not any(map(is_number, texts)) and not self._is_marked(cells)

    def _why(
        self, number: int, cells: _Filled, *, is_apart: bool, is_below: bool
    ) -> Why | None:
        """Say why a line with few cells is no row.

        It says that it is a note, or stands below what says so; or it has one cell
        below a gap, or no reference where other rows have one.
        """
        if not cells or is_below or self._is_note(cells):
            return Why.NOTES if cells else None
        (at, first), *others = cells
        if number in self._wide and not others:
            return Why.NOTES
        if number in self._groups:
            return Why.TITLES
        if not self._has_titles:
            return None
        is_odd = at in self._codes and not _NO_CODE_YET.fullmatch(show(first))
        is_title = (is_apart and is_odd) if others else (is_apart or is_odd)
        # What stands under none of the headings of a list is another list's.
        is_other = self._has_name and all(at not in self._means for at, _ in cells)
        return Why.TITLES if is_title or is_other else None

    def _is_note(self, cells: _Filled) -> bool:
        """Check that the first cell, or that after a bare number or sign, is a note.

        Where the same column of rows is like that, it says nothing.
        """
        bare = (e for e in cells if not _BARE.fullmatch(_start(e[1])))
        at, value = next(bare, (0, None))
        text = _start(value) if isinstance(value, str) else ""
        is_form = re.match(_FORM, text) is not None
        return says_note(text) or (is_form and at not in self._forms)

    @cached_property
    def _forms(self) -> set[int]:
        """The columns of which rows have what elsewhere is the form of a note."""
        cells = ((at, value) for each in self._full for at, value in each.items())
        return {at for at, value in cells if re.match(_FORM, _start(value))}

    def _is_table(self, run: Sequence[GridRow]) -> bool:
        """Check for headings with figures below, of which nothing can be a row."""
        if not self._tells or any(self._is_marked(_filled(e)) for _, e in run):
            return False
        lines = [_filled(values) for _, values in run]
        first, *below = [cells for cells in lines if len(cells) > 1] or [[]]
        return all(isinstance(value, str) for _, value in first) and any(
            is_number(value) for cells in below for _, value in cells
        )


def _filled(values: Sequence[RawValue]) -> _Filled:
    return [(at, each) for at, each in enumerate(values) if not is_blank(each)]


def _start(value: RawValue) -> str:
    """Give the text of a cell, as far as a note is told by it."""
    return show(value)[:_CHARACTERS]


def _shape(text: str) -> str:
    """Give a reference with 0 for each number, without what parts them."""
    return re.sub(r"\d+", "0", _BETWEEN.sub("", text.lower()))


def _is_code(text: str, *, shapes: frozenset[str]) -> bool:
    """Check for a reference like others, or of another series with letters as they."""
    digits = any(each.isdigit() for each in shapes)
    is_like = digits or any(map(str.isalpha, text))
    is_near = _shape(text) in shapes or (" " not in text and is_like)
    return is_near and _CODE.fullmatch(text) is not None


def says_note(text: str) -> bool:
    return re.match(_SAID, text[:_CHARACTERS]) is not None


def is_number(value: RawValue) -> bool:
    """Check for a number, also with a sign of money or per cent around it."""
    if isinstance(value, str):
        return _NUMBER.fullmatch(value.strip()) is not None
    return not isinstance(value, bool | date | time)
