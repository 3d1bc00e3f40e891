"""Combining: every row of a batch once, whichever workbooks it stands in.

The sheet that was read last comes first; below it come the other rows of earlier
sheets, and then rows that no workbook has any more.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from kawe.domain.rows.entries import (
    Batch,
    Entry,
    Line,
    PlacedLine,
    SheetReading,
    ToldRows,
)
from kawe.domain.service.states import RowKey
from kawe.domain.sheet.findings import CellRef, RowRef
from kawe.domain.text.texts import one_line
from kawe.ports import Journal
from kawe_xlsx.cells import RawValue


@dataclass(frozen=True, slots=True, kw_only=True)
class CombinedRows:
    """Some rows of a batch as one sheet."""

    headings: tuple[str, ...]
    lines: tuple[Line, ...]
    elsewhere: Mapping[RowRef, str]
    """Where the lines stand that are not of the sheet read last."""
    gone: frozenset[RowKey]
    """Rows of the batch that no workbook has."""


async def as_read(
    reading: SheetReading, *, own: Sequence[Entry], journal: Journal
) -> CombinedRows:
    """Give one sheet as it was read, and no other row."""
    lines = await journal.lines(reading.batch, reading=reading)
    there = {line.row for line in lines}
    rest = [entry.key for entry in own if entry.key not in there]
    return CombinedRows(
        headings=reading.headings,
        lines=lines,
        elsewhere={},
        gone=frozenset(rest) - (await journal.named(rest)).keys(),
    )


async def combine(batch: Batch, *, told: ToldRows, journal: Journal) -> CombinedRows:
    """Give every row of a batch, and the other rows of its workbooks, once each."""
    latest, *earlier = reversed(await journal.readings(batch.name))
    sheet = _Sheet(name=latest.sheet, headings=list(latest.headings))
    for line in told.lines:
        sheet.put(line)
    for reading in earlier:
        for line in await journal.lines(batch.name, reading=reading):
            sheet.add(PlacedLine(reading=reading, line=line))
    rest = [entry.key for entry in told.entries if entry.key not in sheet.seen]
    named = await journal.named(rest)
    for key in rest:
        if key in named:
            sheet.add(named[key][0])
        else:
            sheet.put(Line(where=sheet.next_row(), raw=(), findings=(), row=key))
    return CombinedRows(
        headings=tuple(sheet.headings),
        lines=tuple(sheet.lines),
        elsewhere=sheet.elsewhere,
        gone=frozenset(rest) - named.keys(),
    )


@dataclass(slots=True, kw_only=True)
class _Sheet:
    """A sheet that grows downwards, and to the right where headings are new."""

    name: str
    headings: list[str]
    columns: dict[SheetReading, list[int]] = field(default_factory=dict)
    """Where the columns of other sheets stand here."""
    lines: list[Line] = field(default_factory=list)
    elsewhere: dict[RowRef, str] = field(default_factory=dict)
    seen: set[RowKey] = field(default_factory=set)
    to_correct: set[tuple[RawValue, ...]] = field(default_factory=set)
    last_row: int = 1

    def add(self, placed: PlacedLine) -> None:
        """Take a line below all others, where it is not there already."""
        columns = self._columns(placed.reading)
        cells: list[RawValue] = [None] * len(self.headings)
        for at, value in zip(columns, placed.line.raw, strict=False):
            cells[at] = value
        line, raw = placed.line, tuple(cells)
        is_there = raw in self.to_correct if line.row is None else line.row in self.seen
        if is_there:
            return
        where = self.next_row()
        workbook = one_line(Path(placed.reading.workbook).name, limit=80)
        self.elsewhere[where] = f"It stands in {workbook} at {line.where}."
        findings = (
            replace(each, where=_moved(each.where, to=where)) for each in line.findings
        )
        self.put(replace(line, where=where, raw=raw, findings=tuple(findings)))

    def next_row(self) -> RowRef:
        return RowRef(sheet=self.name, row=self.last_row + 1)

    def put(self, line: Line) -> None:
        """Take a line as it is."""
        self.lines.append(line)
        self.last_row = max(self.last_row, line.where.row)
        if line.row is None:
            self.to_correct.add(line.raw)
        else:
            self.seen.add(line.row)

    def _columns(self, reading: SheetReading) -> list[int]:
        """Give the column of each heading here; new headings are added."""
        if reading in self.columns:
            return self.columns[reading]
        columns = self.columns[reading] = []
        for heading in reading.headings:
            free = (
                at
                for at, text in enumerate(self.headings)
                if text == heading and at not in columns
            )
            at = next(free, len(self.headings))
            if at == len(self.headings):
                self.headings.append(heading)
            columns.append(at)
        return columns


def _moved(where: CellRef | RowRef, *, to: RowRef) -> CellRef | RowRef:
    return to.cell(where.column) if isinstance(where, CellRef) else to
