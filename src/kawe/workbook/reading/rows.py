"""An open sheet, whose rows are read cell by cell.

Special cells (merged, errors, formulas without value) are read separately.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from operator import attrgetter, itemgetter
from typing import Any, Final

from kawe.domain.sheet.aside import OFF, TRIAL
from kawe.domain.sheet.columns import CellKind, Column
from kawe.domain.sheet.findings import ROW_OFF, Finding, Remark, RowRef
from kawe.domain.sheet.tables import Cell, Heading, Table, TableRow
from kawe.domain.text.next_steps import Given
from kawe.domain.text.texts import CROSSES, TICKS, fold, one_line
from kawe.errors import WorkbookError
from kawe.workbook.cells.dates import is_day_first, is_month_first
from kawe.workbook.cells.readers import ColumnReader, are_plain, facts_of, is_blank
from kawe.workbook.cells.reading import (
    EMPTY,
    CellReading,
    ColumnFacts,
    quoted,
    refused,
    show,
    warning,
)
from kawe.workbook.own_words import MARKER, PROJECT_ID
from kawe.workbook.reading.lines import Body
from kawe_places.values import CellValue
from kawe_xlsx.cells import RawValue
from kawe_xlsx.scan.tally import Position

_MOST: Final = 500_000
LOOKED_AT: Final = 1_000
_CORNERS: Final = attrgetter("first_row", "first_column", "last_row", "last_column")


@dataclass(frozen=True, kw_only=True)
class OpenSheet:
    """One table of a workbook; its `head` has no rows."""

    body: Body
    head: Table

    def table(self) -> Table:
        """Give the table with its rows, read cell by cell."""
        body, reading = self.body, RowReading(self.body)
        rows = tuple(reading.read(number, raw) for number, raw in body.values())
        projects, markers = body.own(PROJECT_ID), body.own(MARKER)
        return replace(self.head, rows=rows, projects=projects, markers=markers)


class RowReading:
    """Reads one row of a table after the other."""

    def __init__(self, body: Body) -> None:
        self.places = places = {e.reader.column.field: e for e in _places(body)}
        """The known columns by field."""
        self._in_parts = tuple(e for e in places.values() if len(e.parts) > 1)
        words = {e.index for e in places.values() if e.reader.takes_plain}
        self._words = tuple(words)
        has_people = any(e.reader.column.is_person for e in places.values())
        off = f"{OFF}|{_GONE}" if has_people else OFF
        # What is named for the phase says no more than that; so does that of an act.
        is_sent = body.headings.kind.act == "send"
        self._may_be_off = [
            (index, heading, _says_off(heading, off, trial=TRIAL if is_sent else off))
            for index, heading in enumerate(body.headings.headings)
            if heading.means is None
            or heading.means.field == "name"
            or (is_sent and heading.means.field == "phase" and heading.is_said)
        ]
        self._below = body.called_off()
        self._others = tuple(e for e in places.values() if e.index not in words)
        grid, tally = body.grid, body.grid.tally
        self._sheet, self._uncertain = grid.sheet, grid.uncertain
        self._refused: dict[Position, CellReading] = {
            **dict.fromkeys(tally.uncalculated, _UNCALCULATED),
            **dict.fromkeys(() if body.takes_struck else tally.struck, _STRUCK),
            **_merged_cells(body),
        }
        for at, text in tally.errors.items():
            self._refused[at] = refused(
                "cell-error",
                message=f"The cell shows the error {one_line(text, limit=20)}.",
                advice="Correct its formula, or type the value.",
            )
        self._special_rows = {row for row, _ in (*self._refused, *self._uncertain)}

    def read(self, number: int, raw: tuple[RawValue, ...]) -> "ReadRow":
        """Read the known cells of row `number`."""
        findings: list[Finding] = []
        ref = RowRef(sheet=self._sheet, row=number)
        is_special = number in self._special_rows
        cells = self._whole(raw) if self._in_parts else raw
        is_plain = not is_special and are_plain([cells[at] for at in self._words])
        # Of a plain row, what is no word is read below, or of no known column.
        values: list[Any] = list(cells) if is_plain else [None] * len(cells)
        for place in self._others if is_plain else self.places.values():
            cell = cells[place.index]
            if is_special:
                reading = self._special(number, cell, place)
            elif cell is None:
                continue
            elif not is_plain and place.reader.is_plain(cell):
                values[place.index] = cell
                continue
            else:
                reading = place.reader.read(cell)
            values[place.index] = reading.value
            if reading.remarks:
                shown = self.shown(number, cell, place)
                findings += place.findings(ref, reading.remarks, shown)
        for place in self._in_parts:
            is_list = place.reader.column.kind is CellKind.LIST
            if values[place.index] is not None and not is_list:
                findings += _empty_parts(ref, raw, place)
        findings += self._off(ref, raw)
        return ReadRow(
            ref=ref,
            cells=RowCells(ref, self, cells, tuple(values)),
            raw=raw,
            findings=tuple(findings),
        )

    def _off(self, ref: RowRef, raw: tuple[RawValue, ...]) -> Iterator[Finding]:
        """Warn of a name, a cell that is not read, or a line above that says so."""
        if title := self._below.get(ref.row):
            yield replace(_SAYS_OFF, message=title).at(ref)
        for index, heading, says_off in self._may_be_off:
            cell = raw[index]
            if says_off.match(cell if isinstance(cell, str) else show(cell)):
                where, text = ref.cell(heading.column), heading.text
                yield _SAYS_OFF.at(where, heading=text, value=one_line(show(cell)))

    def _whole(self, raw: tuple[RawValue, ...]) -> tuple[RawValue, ...]:
        """Put each column that stands in parts together, in place of its first."""
        cells = list(raw)
        for place in self._in_parts:
            cells[place.index] = place.whole(raw)
        return tuple(cells)

    def _special(
        self, number: int, cell: RawValue, place: "ColumnPosition"
    ) -> CellReading:
        positions = [(number, column) for column in place.columns]
        refused = filter(None, map(self._refused.get, positions))
        if (reading := next(refused, None)) is not None:
            return reading
        reading = place.reader.read(cell)
        if self._uncertain.isdisjoint(positions):
            return reading
        return replace(reading, remarks=(*reading.remarks, _UNCERTAIN))

    def shown(self, row: int, cell: RawValue, place: "ColumnPosition") -> str:
        """Give what people see in a cell, or what it is if it only looks empty."""
        if text := show(cell):
            return text
        refused = [self._refused.get((row, column)) for column in place.columns]
        if _UNCALCULATED in refused:
            return "(formula)"
        return "(merged)" if any(refused) else ""


_GONE: Final = "left|leaver|leaving|resigned|retired|terminated|inactive|vacant"
"""Of people; a bank of a river is left too."""
_OVER: Final = (
    "done|comp(?:leted?)?|finished|closed(?: out)?|e-?mailed|sent|notified|consulted"
    "|declined|refused|rejected|removed|lapsed|dropped|shelved|parked|paused|stopped"
    "|void|can|dead|merged|not going ahead|(?:no longer|not) (?:required|needed)"
    "|kua (?:oti|mutu)"
)
_STATE: Final = r"\b(?:status|state|progress|tunga)\b|^(?:change|action)s?$"
_OF_A_TRIAL: Final = "(?: (?:projects?|rows?|entry|only|records?))?"
_ENDS: Final = (
    r"(?:\W*$|\s[-–—]\s|\s?[:;()\]]"
    r"|\s(?:by|on|in|as|until|pending|per|for|yet|to|of|with|s ?92)\b"
    r"|\s\d{1,2}(?:[-/.]|(?:st|nd|rd|th)?\s(?:jan|feb|mar|apr|may|ju[nl]|aug|sep|oct"
    r"|nov|dec)))"
)
# Words of a heading, and what below it says so too: a yes, a cross or a day; a no.
_TICKED: Final = rf"(?:y|yes|[āa]e|true|1|x|[{TICKS}]|\d.{{5,}})\W*$"
_CROSSED: Final = rf"(?:n|no|not yet|pending|k[āa]o|false|0|[{CROSSES}])\W*$"
_IF_DONE: Final = (
    r"\b(?:(?<!be )(?<!this is )sent(?: to \w+)?|kua tukuna|iwi (?:told|notified)"
    r"|last working day|^(?:done|excluded?|skip|draft only|opt(?:ed)? out))"
)
_IF_NOT: Final = (
    r"\b(?:active|current|ready|publish|include|invite|proceed|go ahead"
    r"|consult\w*(?: required)?|(?:ok|okay|approved|cleared) (?:to|for|by) .+)|enabled"
)


def _says_off(heading: Heading, off: str, *, trial: str) -> re.Pattern[str]:
    """Give what below a heading says that a row is off; a surname may be Left."""
    if heading.part > 1:
        off, trial = (each.replace("left|", "") for each in (off, trial))
    also = (
        (rf"(?:\b(?:{off})|{_IF_DONE})\W*(?:date)?\W*$", _TICKED),
        (rf"(?:{_IF_NOT})\W*$", _CROSSED),
        (_STATE, f"(?:s92 )?(?:{off}|{_OVER}){_ENDS}"),
    )
    says = [each for named, each in also if re.search(named, fold(heading.text))]
    if heading.means is not None and heading.means.field == "name":
        # “Ford (on hold)”, “Ford – CANCELLED”, “CANCELLED Ford”, “Ford TEST”
        loud = f"{off}|{trial}".upper()
        says += [rf".*(?:\s[-–—]\s|[(\[])(?:(?:{off}){_ENDS}|(?:{trial})[\W\d]*$)"]
        says += [rf"(?-i:(?:{loud})\W?\s.*[a-z]|.*[a-z]\W*\s(?:{loud})\W*$)"]
        # “Test”, “Example project 2”, “Sample: Ford”, and not “Test pits”
        says += [rf"(?:{trial})(?:(?:s|ing)?{_OF_A_TRIAL}[\W\d]*$|\s?[:–—-]\s)"]
    return re.compile(rf"(?i)\W*(?:{'|'.join([f'(?:{off}){_ENDS}', *says])})")


_SAYS_OFF: Final = warning(
    ROW_OFF,
    message="The row says that it is off, done already, a draft or a test.",
    advice="If it is, delete it or strike it through; if not, take that out, or use "
    f"{Given.ACCEPT_OFF}.",
)


def _empty_parts(
    ref: RowRef, raw: tuple[RawValue, ...], place: "ColumnPosition"
) -> Iterator[Finding]:
    read = f"{place.reader.column.title} is read as {quoted(show(place.whole(raw)))}"
    for index, heading in place.parts:
        if is_blank(raw[index]):
            yield warning(
                "name-part-empty",
                message=f"The cell is empty, so {read}.",
                advice="Fill it in; leave it empty if that is all of it.",
            ).at(ref.cell(heading.column), heading=heading.text)


_UNCALCULATED: Final = refused(
    "formula-uncalculated",
    message="The cell has a formula, but the workbook was saved without its value.",
    advice="Open the workbook in Excel, save it, and try again; or type the value.",
)
_STRUCK: Final = refused(
    "cell-struck",
    message="The cell or a part is struck through. kawe does not guess if it is meant.",
    advice=f"Clear it, or take the line off; or use {Given.INCLUDE_STRUCK}.",
)
_UNCERTAIN: Final = warning(
    "csv-encoding",
    message="The letters beyond a–z were read as Windows text and may be wrong.",
    advice="Look at them, or save the file as CSV UTF-8 or as .xlsx.",
)


def _merged_cells(body: Body) -> Mapping[Position, CellReading]:
    """Find the cells of known columns that are merged.

    None of them is read: Excel keeps one value for the area, so the meaning of the
    other cells is unknown. The first of a row has the finding.

    Raises:
        WorkbookError: There are so many that the sheet is no table.
    """
    rows = [number for number, _ in body.rows]
    columns = sorted(heading.column for heading, _ in body.headings.known())
    found: dict[Position, CellReading] = {}
    work = 0
    for area in sorted(body.grid.tally.merges, key=_CORNERS):
        across = _within(columns, area.first_column, area.last_column)
        down = _within(rows, area.first_row, area.last_row)
        work += len(across) * len(down) + 1
        if work > _MOST:
            raise WorkbookError(
                message="The sheet has very many merged cells.",
                hint="Unmerge them in Excel (Home > Merge & Center) and save.",
            )
        merged = refused(
            "cells-merged",
            message=f"The cells {area} are merged, so not each has its own value.",
            advice="Unmerge them (Home > Merge & Center) and fill each cell.",
        )
        for row, column in product(down, across):
            found.setdefault((row, column), merged if column == across[0] else EMPTY)
    return found


def _within(numbers: Sequence[int], first: int, last: int) -> Sequence[int]:
    return numbers[bisect_left(numbers, first) : bisect_right(numbers, last)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnPosition:
    """The position of one known column."""

    heading: Heading
    index: int
    """Among the values that the table keeps of a row."""
    reader: ColumnReader
    parts: Sequence[tuple[int, Heading]]
    """One column, or several that people have for it: each with its index, in order."""

    @property
    def columns(self) -> list[int]:
        return [part.column for _, part in self.parts]

    def whole(self, raw: Sequence[RawValue]) -> RawValue:
        """Give the cells of its parts, in their order, as one cell."""
        there = [raw[index] for index, _ in self.parts if not is_blank(raw[index])]
        between = "; " if self.reader.column.kind is CellKind.LIST else " "
        return between.join(map(show, there)) if there[1:] else next(iter(there), None)

    def findings(
        self, ref: RowRef, remarks: Iterable[Remark], shown: str
    ) -> Iterator[Finding]:
        """Place the remarks on a cell in row `ref`, with what is `shown` there."""
        where, heading = ref.cell(self.heading.column), self.heading.text
        value = one_line(shown)
        return (each.at(where, heading=heading, value=value) for each in remarks)


def _places(body: Body) -> Iterator[ColumnPosition]:
    known = ColumnFacts(counts_from_1904=body.grid.counts_from_1904)
    rows = [values for _, values in body.values()]
    stands: dict[Column, list[tuple[int, Heading]]] = {}
    for index, heading in enumerate(body.headings.headings):
        if heading.means is not None:
            stands.setdefault(heading.means, []).append((index, heading))
    for parts in stands.values():
        parts.sort(key=lambda each: each[1].part)
    facts = {
        column: facts_of(column, map(itemgetter(parts[0][0]), rows), known=known)
        for column, parts in stands.items()
    }
    # One program writes all dates of a sheet, unless they show that it did not.
    first = any(each.month_comes_first for each in facts.values())
    latest = max((each.latest for each in facts.values()), default=0)
    later = any(each.day_comes_first for each in facts.values())
    is_others = not later and not first and unread_orders(body)[0]
    later &= not any(each.says_either for each in facts.values())
    for column, parts in stands.items():
        (index, heading), each = parts[0], facts[column]
        is_first = (first or is_others) and not each.day_comes_first
        is_first |= each.month_comes_first
        is_mixed = each.month_comes_first or each.day_comes_first or latest <= 12
        turned = 0 < each.latest <= 12 and is_mixed and (first or later)
        each = replace(
            each,
            month_comes_first=is_first,
            reads_month_first=is_first and body.takes_months_first,
            may_be_turned=turned,
        )
        reader = ColumnReader(column, each)
        yield ColumnPosition(heading=heading, index=index, reader=reader, parts=parts)


def unread_orders(body: Body) -> tuple[bool, bool]:
    """Say what the dates of columns that are not read show of day and month."""
    unread = [n for n, e in enumerate(body.headings.headings) if e.means is None]
    first = islice(body.values(), LOOKED_AT)
    texts = {
        raw[at] for _, raw in first for at in unread if show(raw[at])[:1].isdigit()
    }
    return any(map(is_month_first, texts)), any(map(is_day_first, texts))


@dataclass(slots=True, eq=False)
class RowCells(Mapping[str, Cell]):
    """The cells of one row by field, made on demand: a workbook has millions."""

    ref: RowRef
    reading: RowReading
    raw: tuple[RawValue, ...]
    read: tuple[CellValue, ...]

    def __getitem__(self, field: str) -> Cell:
        place = self.reading.places[field]
        return Cell(
            ref=self.ref.cell(place.heading.column),
            heading=place.heading.text,
            shown=self.reading.shown(self.ref.row, self.raw[place.index], place),
            value=self.read[place.index],
            may_be_empty=not place.reader.column.required,
        )

    def __iter__(self) -> Iterator[str]:
        return iter(self.reading.places)

    def __len__(self) -> int:
        return len(self.reading.places)


class ReadRow(TableRow):
    """A row that gives values without making cells."""

    __slots__ = ()
    cells: RowCells

    def value(self, field: str) -> CellValue:
        """Give the value of `field` without making its cell."""
        place = self.cells.reading.places.get(field)
        return None if place is None else self.cells.read[place.index]

    def values(self) -> dict[str, CellValue]:
        """Give every value by field without making cells."""
        read = self.cells.read
        return {
            field: value
            for field, place in self.cells.reading.places.items()
            if (value := read[place.index]) is not None
        }
