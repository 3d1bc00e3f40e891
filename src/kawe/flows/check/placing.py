"""Where rows are: which places are understood, and the findings about them.

Of a table of addresses (`--places`) an address is found only if it is the same but for
notation; a similar one is named, and taken only if a person accepts it: the place
decides which iwi is asked.
Columns such as Suburb and Town belong to the address beside them; with them, the one
address that only says more is the same. A row with coordinates of its own keeps them.
"""

import re
from bisect import bisect_left
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from kawe.domain.sheet.findings import Finding, RowRef, Severity
from kawe.domain.sheet.tables import Table, TableRow
from kawe.domain.text.next_steps import Given
from kawe.domain.text.texts import fold, fold_address, one_line, rows_words
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
    given = {
        row.ref: GivenPlace(
            latitude=row.value(f"{prefix}latitude"),
            longitude=row.value(f"{prefix}longitude"),
            easting=None if prefix else row.value("easting"),
            northing=None if prefix else row.value("northing"),
            system=None if prefix else row.value("coordinate_system"),
            takes_metres=not prefix,
        )
        for row in rows
        if not names.isdisjoint(row.cells)
    }
    if not (named := {ref: each for ref, each in given.items() if not each.is_empty}):
        return {}
    return dict(zip(named, places.locate([*named.values()]), strict=True))


def place_findings(
    row: TableRow, *, here: Location | None, there: Location | None
) -> Iterator[Finding]:
    """Give the findings about a row's place and its organisation's."""
    for location, prefix in ((here, ""), (there, ORGANISATION)):
        if location is None:
            continue
        refused = not isinstance(location, Located)
        for remark in location.remarks:
            if was_unreadable(row, prefix + remark.field):
                continue
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
    rows = rows_words([row.ref.row for row in same])
    return mark(
        same[1],
        named_by(same[1]),
        Severity.WARNING,
        rule="place-on-many-rows",
        message=f"The same place stands on {rows}.",
        advice="Check that it was not copied down by mistake.",
    )


_DEGREES: Final = ("latitude", "longitude")
_METRES: Final = ("easting", "northing", "coordinate_system")
_OF_ADDRESS: Final = re.compile(
    r"(?:(?:suburb|locality|town|city|taone)(?: or| name)*(?: |$))+"
)
"""Headings of what follows the street in an address, folded."""
_OF_NUMBER: Final = re.compile(r".*\b(?:suffix|prefix|high|unit|flat|level)\b.*")
"""Headings of what belongs to the number of a house, folded."""
_POSTCODE: Final = re.compile(r" \d{4}$")
_NAMED: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacesTable:
    """A table of addresses with coordinates."""

    name: str
    """The name of its file, safe to show."""
    rows: Mapping[str, Sequence[TableRow]] = field(repr=False)
    """Its rows by folded address; those without coordinates are left out."""
    addresses: Sequence[str] = field(repr=False)
    """Its folded addresses, sorted."""
    rest: Sequence[int]
    """Where it has what belongs to an address."""
    suggester: Suggester

    def fill(self, table: Table, *, accepts: bool = False) -> Table:
        """Give `table` with the places of its rows that say an address alone.

        The only address that is near is taken where a person `accepts` such ones.
        """
        rows, said = list(table.rows), table.read_as.addresses
        for at, texts, found, near in self._asked(table):
            if found:
                whose = ", as you said" if said.get(texts[0]) == found else ""
                rows[at] = self._placed(rows[at], found, whose=whose)
            elif accepts and len(near) == 1:
                rows[at] = self._placed(rows[at], near[0], is_near=True)
            elif near:
                rows[at] = self._told(rows[at], near)
        return replace(table, rows=tuple(rows))

    def near(self, table: Table) -> Mapping[tuple[str, str], str]:
        """Show each address beside the only one here that is near to it, once."""
        rows: dict[tuple[str, str], list[TableRow]] = {}
        for at, texts, _, near in self._asked(table):
            if len(near) == 1:
                rows.setdefault((texts[0], near[0]), []).append(table.rows[at])
        rest = _unread(table, _OF_ADDRESS)
        return {
            (said, there): f"{rows_words([e.ref.row for e in same]).capitalize()}: "
            f"{_whole(same[0], rest)} → {_whole(self.rows[there][0], self.rest)}"
            for (said, there), same in rows.items()
        }

    def _asked(
        self, table: Table
    ) -> Iterator[tuple[int, Sequence[str], str, Sequence[str]]]:
        """Give the rows that say an address alone, what they say, and which it is here.

        That is the same but for notation, or what a person said; else those near to it.
        """
        rest, kept = _unread(table, _OF_ADDRESS), table.read_as.addresses
        for at, row in enumerate(table.rows):
            if not _says_place(row) and (said := _addresses(row, rest)):
                found = self._same(said) or kept.get(said[0], "")
                if found in self.rows:
                    yield at, said, found, ()
                else:
                    yield at, said, "", self._near(said)

    def _same(self, said: Sequence[str]) -> str:
        """Give the address that is the same but for notation; empty: none."""
        found: Sequence[str] = [each for each in said if each in self.rows]
        if not found and len(said) > 1:
            # The list says a town or a postcode more.
            found = self._beginning(f"{said[0]} ")
            found = found if len(found) == 1 else []
        # The same street and number may be in another town than the row says.
        is_bare = len(said) > 1 and found[:1] == [said[-1]]
        return found[0] if found and not is_bare else ""

    def _placed(
        self, row: TableRow, address: str, *, whose: str = "", is_near: bool = False
    ) -> TableRow:
        first, *others = {_place(each): each for each in self.rows[address]}.values()
        if others:
            message = (
                f"{self.name} has two places for this address: rows {first.ref.row} "
                f"and {others[0].ref.row}."
            )
            advice = "Delete the wrong one there, or fill in the coordinates here."
            return _said(row, "address-twice", message, advice=advice)
        cells = {
            name: replace(
                row.cells.get(name) or row.cells["address"],
                value=value,
                shown=one_line(str(value), limit=40),
            )
            for name, value in zip(_DEGREES + _METRES, _place(first), strict=True)
            if value is not None
        }
        message = f"The place is taken from {self.name} row {first.ref.row}"
        message += f", “{_whole(first, self.rest)}”" if whose or is_near else ""
        rule = "place-from-near" if is_near else "place-from-table"
        advice = "Check that both are the same address." if is_near else ""
        row = _said(row, rule, f"{message}{whose}.", advice=advice)
        # A row of the reader makes its cells from what it read.
        return TableRow(
            ref=row.ref,
            cells={**row.cells, **cells},
            raw=row.raw,
            findings=row.findings,
        )

    def _beginning(self, text: str) -> Sequence[str]:
        first = bisect_left(self.addresses, text)
        return self.addresses[first : bisect_left(self.addresses, f"{text}\U0010ffff")]

    def _near(self, said: Sequence[str]) -> Sequence[str]:
        among = self._beginning(said[0].partition(" ")[0] + " ")
        near: list[str] = []
        for each in (_POSTCODE.sub("", text) for text in said):
            # The list may say more: as many words of it are compared.
            words = len(each.split())
            cut = {other: " ".join(other.split()[:words]) for other in among}
            found = self.suggester.nearest(each, among=[*dict.fromkeys(cut.values())])
            near += [other for name in found for other in among if cut[other] == name]
        return [*dict.fromkeys(near)]

    def _told(self, row: TableRow, near: Sequence[str]) -> TableRow:
        meant = " or ".join(
            f"“{_whole(each, self.rest)}” (row {each.ref.row})"
            for each in (self.rows[other][0] for other in near[:_NAMED])
        )
        message = f"{self.name} has no such address. Did you mean {meant}?"
        advice = "If so, write address and town the same way"
        either = f", or run again with {Given.ACCEPT_ADDRESSES}"
        advice += either if len(near) == 1 else ""
        return _said(row, "address-near", message, advice=f"{advice}.")


def _whole(row: TableRow, rest: Sequence[int]) -> str:
    """Give an address with its town, as it stands in its row."""
    said = str(row.value("address"))
    more = (str(row.raw[at] or "") for at in rest)
    whole = [said, *(e for e in more if e and fold(e) not in fold(said))]
    return one_line(", ".join(whole), limit=80)


def places_table(table: Table, *, name: str, suggester: Suggester) -> PlacesTable:
    """Index a table of addresses."""
    rows: dict[str, list[TableRow]] = {}
    rest, address = _unread(table, _OF_ADDRESS), table.heading_of("address")
    is_whole = address is None or not address.part
    # A number without its letter, or its flat, is another address.
    apart = [] if is_whole else _unread(table, _OF_NUMBER)
    for row in table.rows:
        said = [] if any(row.raw[at] for at in apart) else _addresses(row, rest)
        if said and any(each is not None for each in _place(row)):
            rows.setdefault(said[0], []).append(row)
    return PlacesTable(
        name=name, rows=rows, addresses=sorted(rows), rest=rest, suggester=suggester
    )


def _unread(table: Table, name: re.Pattern[str]) -> list[int]:
    """Give where a sheet has such headings that are not read."""
    return [
        at
        for at, each in enumerate(table.headings)
        if each.means is None and name.fullmatch(fold(each.text))
    ]


def _addresses(row: TableRow, rest: Sequence[int]) -> list[str]:
    """Give a row's address folded: with all that belongs to it, with less, alone."""
    address = str(row.value("address") or "")
    said = list(filter(None, [fold_address(address)]))
    there = {*map(fold_address, address.split(",")[1:])}
    for at in rest if said else ():
        part = fold_address(str(row.raw[at] or ""))
        if part and part not in there and not said[0].endswith(f" {part}"):
            said.insert(0, f"{said[0]} {part}")
    return said


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
