"""Where rows are: which places are understood, and the findings about them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from kawe.domain.sheet.findings import Finding, Severity
from kawe.domain.sheet.refs import RowRef
from kawe.domain.sheet.tables import TableRow
from kawe.domain.text.counts import numbers_words
from kawe.flows.check.grouping import agreeing
from kawe.flows.marking import mark, mark_place, was_unreadable
from kawe.ports import Places
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


def _is_at_home_at_sea(type_: CellValue, *, prefix: str) -> bool:
    """Say whether a place at sea is plausible: a project's of such a type."""
    return not prefix and type_ in ALSO_AT_SEA


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
    if _is_at_home_at_sea(row.value("type"), prefix=prefix):
        return
    yield mark(
        row,
        named_by(row, prefix=prefix),
        severity=Severity.WARNING,
        rule="place-at-sea",
        words=(
            "The place lies at sea, more than 1 km from land.",
            "Check each digit: the place decides which iwi is asked.",
        ),
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
        severity=Severity.WARNING,
        rule="place-on-many-rows",
        words=(
            f"The same place stands on rows {rows}.",
            "Check that it was not copied down by mistake.",
        ),
    )
