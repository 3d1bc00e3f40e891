"""Places of addresses, from a table that a person gave with `--places`.

A row with coordinates of its own keeps them. An address is found only if it is the
same but for notation; a similar one is named, and never taken: the place decides which
iwi is asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from kawe.domain.sheet.findings import Severity
from kawe.domain.sheet.tables import Table, TableRow
from kawe.domain.text.texts import fold_address, one_line
from kawe.flows.marking import mark
from kawe.ports import Suggester
from kawe_places.values import CellValue

_DEGREES: Final = ("latitude", "longitude")
_METRES: Final = ("easting", "northing", "coordinate_system")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacesTable:
    """A table of addresses with coordinates."""

    name: str
    """The name of its file, safe to show."""
    rows: Mapping[str, Sequence[TableRow]] = field(repr=False)
    """Its rows by folded address; those without coordinates are left out."""

    def fill(self, table: Table, *, suggester: Suggester) -> Table:
        """Give `table` with the places of its rows that say an address alone."""
        rows = tuple(self._filled(row, suggester) for row in table.rows)
        return replace(table, rows=rows)

    def _filled(self, row: TableRow, suggester: Suggester) -> TableRow:
        address = row.value("address")
        if not isinstance(address, str) or _says_place(row):
            return row
        folded = fold_address(address)
        found = {_place(each): each for each in self.rows.get(folded, ())}
        if not found:
            return self._near(row, folded, suggester)
        first, *others = found.values()
        if others:
            message = (
                f"{self.name} has two places for this address: rows {first.ref.row} "
                f"and {others[0].ref.row}."
            )
            advice = "Delete the wrong one there, or fill in the coordinates here."
            return _said(row, "address-twice", (message, advice))
        names = _DEGREES + _METRES
        there = dict(zip(names, _place(first), strict=True))
        cells = {
            name: replace(
                row.cells.get(name) or row.cells["address"],
                value=value,
                shown=one_line(str(value), limit=40),
            )
            for name, value in there.items()
            if value is not None
        }
        words = (f"The place is taken from {self.name} row {first.ref.row}.", "")
        row = _said(row, "place-from-table", words, severity=Severity.NOTE)
        # A row of the reader makes its cells from what it read.
        return TableRow(
            ref=row.ref,
            cells={**row.cells, **cells},
            raw=row.raw,
            findings=row.findings,
        )

    def _near(self, row: TableRow, folded: str, suggester: Suggester) -> TableRow:
        begins = folded.partition(" ")[0] + " "
        among = [each for each in self.rows if each.startswith(begins)]
        near = suggester.nearest(folded, among=among)
        if not near:
            return row
        first = self.rows[near[0]][0]
        meant = one_line(str(first.value("address")), limit=80)
        message = (
            f"{self.name} has no such address. Did you mean “{meant}” "
            f"(row {first.ref.row})?"
        )
        advice = "If so, write the address the same way."
        return _said(row, "address-near", (message, advice))


def places_table(table: Table, *, name: str) -> PlacesTable:
    """Index a table of addresses."""
    rows: dict[str, list[TableRow]] = {}
    for row in table.rows:
        folded = fold_address(str(row.value("address") or ""))
        if folded and any(each is not None for each in _place(row)):
            rows.setdefault(folded, []).append(row)
    return PlacesTable(name=name, rows=rows)


def _place(row: TableRow) -> tuple[CellValue, ...]:
    """Give the values of degrees or of metres, in the order of both."""
    metres = tuple(row.value(name) for name in _METRES)
    if None not in metres[:2]:
        return (None, None, *metres)
    return (*(row.value(name) for name in _DEGREES), None, None, None)


def _says_place(row: TableRow) -> bool:
    cells = (row.cells.get(name) for name in (*_DEGREES, *_METRES[:2]))
    return any(cell is not None and cell.shown for cell in cells)


def _said(
    row: TableRow,
    rule: str,
    words: tuple[str, str],
    *,
    severity: Severity = Severity.WARNING,
) -> TableRow:
    finding = mark(row, "address", severity=severity, rule=rule, words=words)
    return replace(row, findings=(*row.findings, finding))
