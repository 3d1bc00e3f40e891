"""Where rows are: which places are understood, and the findings about them.

Of a table of addresses (`--places`) an address is found only if it is the same but for
notation; a similar one is named, and never taken: the place decides which iwi is asked.
A row with coordinates of its own keeps them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from kawe.domain.sheet.findings import Finding, RowRef, Severity
from kawe.domain.sheet.tables import Table, TableRow
from kawe.domain.text.texts import fold_address, numbers_words, one_line
from kawe.flows.checked_rows import agreeing, mark, mark_place, was_unreadable
from kawe.ports import Places, Suggester
from kawe_contract.enums import ProjectType
from kawe_places.values import CellValue, GivenPlace, Located, Location, Place

ORGANISATION: Final = "organisation_"
"""What the columns of an organisation's place begin with."""

ALSO_AT_SEA: Final = frozenset(
    {
        ProjectType.COASTAL_STREAM_CONSENT,
        ProjectType.DISCHARGE_CONSENT_APPLICATION,
        ProjectType.ENVIRONMENTAL_SPILL_HEALTH_INCIDENT,
        ProjectType.RENEWABLE_ENERGY,
        ProjectType.CONSERVATION,
        ProjectType.POLICY_OR_POLICY_CHANGE,
        ProjectType.PLAN_CHANGE,
    }
)
"""Types that are at home at sea too: the coastal marine area, outfalls, oil
spills, wind and tide, marine reserves, regional coastal plans."""

_COORDINATES: Final = ("latitude", "longitude", "easting", "northing")

_MANY_ROWS: Final = 5
"""So many rows with one place are asked about: as a rule, a cell was copied down."""


def locate_rows(
    rows: Sequence[TableRow], *, places: Places, prefix: str = ""
) -> dict[RowRef, Location]:
    """Find the places that rows name; rows that name none are left out."""
    names = {f"{prefix}{name}" for name in _COORDINATES}
    able = (row for row in rows if not names.isdisjoint(row.cells))
    given = ((row.ref, _given(row, prefix)) for row in able)
    named = {ref: each for ref, each in given if not each.is_empty}
    if not named:
        return {}
    found = places.locate([*named.values()])
    return dict(zip(named, found, strict=True))


def place_findings(
    row: TableRow, *, here: Location | None, there: Location | None
) -> Iterator[Finding]:
    """Give the findings about a row's place and its organisation's."""
    for location, prefix in ((here, ""), (there, ORGANISATION)):
        if location is None:
            continue
        refused = not isinstance(location, Located)
        for remark in location.remarks:
            yield mark_place(row, remark, refused=refused, prefix=prefix)
        if isinstance(location, Located) and location.is_at_sea:
            yield from _at_sea(row, prefix)


def place_of(location: Location | None) -> Place | None:
    return location.place if isinstance(location, Located) else None


def is_place_unclear(row: TableRow, location: Location | None, *, prefix: str) -> bool:
    """Say whether a row names a place that was not understood."""
    if location is not None:
        return not isinstance(location, Located)
    return any(was_unreadable(row, prefix + name) for name in _COORDINATES)


def named_by(row: TableRow, *, prefix: str = "") -> str:
    """Name the first of the columns in which a row says its place."""
    names = [prefix + name for name in _COORDINATES[:3]]
    return next((name for name in names if row.value(name) is not None), "northing")


def _given(row: TableRow, prefix: str) -> GivenPlace:
    return GivenPlace(
        latitude=row.value(f"{prefix}latitude"),
        longitude=row.value(f"{prefix}longitude"),
        easting=None if prefix else row.value("easting"),
        northing=None if prefix else row.value("northing"),
        system=None if prefix else row.value("coordinate_system"),
        takes_metres=not prefix,
    )


def _at_sea(row: TableRow, prefix: str) -> Iterator[Finding]:
    if not prefix and row.value("type") in ALSO_AT_SEA:
        return
    yield mark(
        row,
        named_by(row, prefix=prefix),
        Severity.WARNING,
        rule="place-at-sea",
        message="The place lies at sea, more than 1 km from land.",
        advice="Check each digit: the place decides which iwi is asked.",
    )


def copied_down(
    rows: Sequence[TableRow], located: Mapping[RowRef, Location]
) -> dict[RowRef, Finding]:
    """Ask about each place that many rows name, once: on the second of them."""

    def place(row: TableRow) -> Iterable[Hashable]:
        location = located.get(row.ref)
        return [location.place.key()] if isinstance(location, Located) else ()

    groups = agreeing(rows, place, least=_MANY_ROWS)
    return {rows[at[1]].ref: _question([rows[each] for each in at]) for at in groups}


def _question(same: Sequence[TableRow]) -> Finding:
    rows = numbers_words([row.ref.row for row in same])
    return mark(
        same[1],
        named_by(same[1]),
        Severity.WARNING,
        rule="place-on-many-rows",
        message=f"The same place stands on rows {rows}.",
        advice="Check that it was not copied down by mistake.",
    )


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
            return _said(row, "address-twice", message, advice=advice)
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
        message = f"The place is taken from {self.name} row {first.ref.row}."
        row = _said(row, "place-from-table", message)
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
        return _said(row, "address-near", message, advice=advice)


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


def _said(row: TableRow, rule: str, message: str, *, advice: str = "") -> TableRow:
    """Note something at the address; what asks for advice is a warning."""
    severity = Severity.WARNING if advice else Severity.NOTE
    found = mark(row, "address", severity, rule=rule, message=message, advice=advice)
    return replace(row, findings=(*row.findings, found))
