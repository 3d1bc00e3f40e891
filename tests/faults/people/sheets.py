"""Sheets as kawe's reader gives them, of the rows that people have in mind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Final

from doubles.sheets import (
    DegreesOnly,
    NamedFiles,
    RequiredOnly,
    SameBeginning,
    headings_named,
)
from kawe.domain.batch.readings import ReadingChoices
from kawe.domain.sheet.content import OrganisationContent, ProjectContent
from kawe.domain.sheet.findings import CellRef, RowRef
from kawe.domain.sheet.tables import Cell, Table, TableRow
from kawe.flows.checked_rows import CheckContext
from kawe.kinds.projects import PROJECTS
from kawe_places.values import CellValue, GivenPlace, Located, Location

FIRST_ROW: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Row(ProjectContent):
    """A row, and which work it means: kawe reads its cells, and never learns that."""

    work: int
    project_id: str = ""
    """What stands in kawe's column Project id."""
    marker: str = ""
    """What stands in kawe's column Reference at the service."""
    repeat_of: str = ""


def table_of(rows: Sequence[ProjectContent], *, sheet: str) -> Table:
    return Table(
        kind=PROJECTS,
        sheet=sheet,
        heading_row=FIRST_ROW - 1,
        headings=_HEADINGS,
        rows=tuple(
            _row(row, sheet=sheet, number=number)
            for number, row in enumerate(rows, start=FIRST_ROW)
        ),
        projects=_beside(rows, lambda row: row.project_id),
        markers=_beside(rows, lambda row: row.marker),
    )


def context_of(
    rows: Sequence[ProjectContent], *, today: date, accepts: bool
) -> CheckContext:
    """Give what a check of rows needs; `accepts`: they are no repeats."""
    files = {file.name: file for row in rows for file in row.files}
    return CheckContext(
        checker=RequiredOnly(),
        places=_Anywhere(),
        attachments=NamedFiles(files),
        working_days=_EveryDay(),
        suggester=SameBeginning(),
        today=today,
        choices=ReadingChoices(accepts_repeats=accepts),
    )


def _beside(
    rows: Sequence[ProjectContent], what: Callable[[Row], str]
) -> dict[int, str]:
    """Give what stands in a column of kawe, by the number of the row."""
    said = {
        number: what(row)
        for number, row in enumerate(rows, start=FIRST_ROW)
        if isinstance(row, Row)
    }
    return {number: words for number, words in said.items() if words}


class _Anywhere(DegreesOnly):
    """Has nothing to remark about a place."""

    def locate(self, given: Sequence[GivenPlace]) -> tuple[Location, ...]:
        return tuple(
            Located(place=each.place) if isinstance(each, Located) else each
            for each in super().locate(given)
        )


class _EveryDay:
    """Implements the port `WorkingDays`: somebody is always there."""

    knows_holidays = True

    def day_off(self, on: date) -> str | None:
        """Name no day."""
        del on
        return None

    def until(self, on: date, *, today: date) -> int:
        """Count all days."""
        return (on - today).days


def _values(row: ProjectContent) -> dict[str, CellValue]:
    values: dict[str, CellValue | None] = {
        # First: what a report shows of a row begins with its name.
        "name": row.name,
        "reference": row.reference,
        "description": row.description,
        "type": row.type,
        "start_date": row.start_on.isoformat(),
        "end_date": row.end_on.isoformat(),
        "respond_by_date": row.respond_by_on.isoformat(),
        "address": row.address,
        "latitude": None if row.place is None else row.place.latitude,
        "longitude": None if row.place is None else row.place.longitude,
        "send": row.send,
        "message": row.message,
        "files": [each.name for each in row.files] or None,
        **_organisation(row.organisation),
    }
    if isinstance(row, Row):
        values["repeat_of"] = row.repeat_of or None
    return {name: value for name, value in values.items() if value is not None}


def _organisation(of: OrganisationContent | None) -> Mapping[str, CellValue | None]:
    if of is None:
        return {}
    assert of.place is not None
    return {
        "organisation": of.name,
        "organisation_address": of.address,
        "organisation_city": of.city,
        "organisation_country": of.country,
        "organisation_postcode": of.postcode,
        "organisation_latitude": of.place.latitude,
        "organisation_longitude": of.place.longitude,
    }


_FIELDS: Final = (
    *("name", "reference", "description", "type", "start_date", "end_date"),
    *("respond_by_date", "address", "latitude", "longitude", "send", "message"),
    *("files", "organisation", "organisation_address", "organisation_city"),
    *("organisation_country", "organisation_postcode", "organisation_latitude"),
    *("organisation_longitude", "repeat_of"),
)
_HEADINGS: Final = headings_named(_FIELDS)


@lru_cache(maxsize=4_096)
def _row(row: ProjectContent, *, sheet: str, number: int) -> TableRow:
    values = _values(row)
    cells = {
        field: Cell(
            ref=CellRef(sheet=sheet, row=number, column=column),
            heading=field,
            shown=str(values[field]),
            value=values[field],
        )
        for column, field in enumerate(_FIELDS, start=1)
        if field in values
    }
    return TableRow(
        ref=RowRef(sheet=sheet, row=number),
        cells=cells,
        raw=tuple(str(values.get(field, "")) for field in _FIELDS),
    )
