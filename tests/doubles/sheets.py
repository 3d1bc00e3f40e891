"""Sheets made in memory, and what reading them asks for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from doubles.bodies import project_body
from kawe.domain.batch.readings import ReadingChoices
from kawe.domain.service.service_words import IwiChoice
from kawe.domain.sheet.columns import CellKind, Column, SheetKind
from kawe.domain.sheet.content import Attachment
from kawe.domain.sheet.findings import CellRef, Finding, RowRef, Severity
from kawe.domain.sheet.tables import Cell, Heading, Table, TableRow
from kawe.flows.checked_rows import CheckContext
from kawe.kinds.projects import PROJECTS
from kawe_places.values import (
    CellValue,
    GivenPlace,
    Located,
    Location,
    Misplaced,
    Place,
    PlaceRemark,
)

TODAY = date(2026, 11, 21)
TWO_IWI = (
    IwiChoice(slug="ngati-tauira", name="Ngāti Tauira"),
    IwiChoice(slug="te-ati-mea", name="Te Āti Mea"),
)


def attached(name: str, **said: Any) -> Attachment:
    """Make a file that is attached: a PDF of four bytes, where nothing else is said."""
    usual = {"path": Path(name), "mime_type": "application/pdf", "size_bytes": 4}
    return Attachment(**{"name": name, "sha256": "a" * 64, **usual, **said})


PLAN_PDF = attached("plan.pdf")


ROW_2 = RowRef(sheet="Projects", row=2)


def finding(where: CellRef | RowRef = ROW_2, **said: Any) -> Finding:
    """Make an error about a place of a sheet, empty but for what is said."""
    usual = dict.fromkeys(("heading", "value", "message", "advice"), "")
    return Finding(where=where, **{"severity": Severity.ERROR, **usual, **said})


def cells(row: int, values: Mapping[str, CellValue]) -> dict[str, Cell]:
    """Make the cells of one row, in the order given."""
    return {
        name: Cell(
            ref=CellRef(sheet="Projects", row=row, column=column),
            heading=name.replace("_", " "),
            shown=str(value),
            value=value,
        )
        for column, (name, value) in enumerate(values.items(), start=1)
    }


def table(*rows: Mapping[str, CellValue], kind: SheetKind = PROJECTS) -> Table:
    return Table(
        kind=kind,
        sheet="Projects",
        heading_row=1,
        headings=headings_named(name for values in rows for name in values),
        rows=tuple(
            TableRow(
                ref=RowRef(sheet="Projects", row=number),
                cells=cells(number, values),
                raw=tuple(str(each) for each in values.values()),
            )
            for number, values in enumerate(rows, start=2)
        ),
    )


def headings_named(names: Iterable[str]) -> tuple[Heading, ...]:
    """Make a heading of words for each name, in their order, each once."""
    return tuple(
        Heading(
            column=column,
            text=name,
            means=Column(
                field=name, title=name, kind=CellKind.TEXT, hint="", example=""
            ),
        )
        for column, name in enumerate(dict.fromkeys(names), start=1)
    )


def project_row(number: int, **changes: CellValue) -> dict[str, CellValue]:
    body = project_body(f"Culvert {number}")
    del body["files"], body["draft"]
    return {"reference": f"R-{number}", **body, "send": True, **changes}


class RequiredOnly:
    """Implements the port `RowChecker`: a name must be there."""

    def problems(
        self, kind: SheetKind, values: Mapping[str, CellValue]
    ) -> tuple[tuple[str, str, str, str], ...]:
        """Say when the name is missing."""
        if "name" in values:
            return ()
        return (("name", "required", f"{kind.value} need a name.", "Fill it in."),)


class DegreesOnly:
    """Implements the port `Places`: numbers within New Zealand's latitudes."""

    def locate(self, given: Sequence[GivenPlace]) -> tuple[Location, ...]:
        return tuple(self._one(each) for each in given)

    def _one(self, given: GivenPlace) -> Location:
        if isinstance(given.latitude, float) and isinstance(given.longitude, float):
            place = Place(latitude=given.latitude, longitude=given.longitude)
            note = PlaceRemark(
                field="latitude",
                rule="north",
                message="North of Auckland.",
                is_note=True,
            )
            return Located(place=place, remarks=(note,) if place.latitude > -36 else ())
        remark = PlaceRemark(field="latitude", rule="odd", message="No place.")
        return Misplaced(remarks=(remark,))


@dataclass(slots=True)
class NamedFiles:
    """Implements the port `Attachments` from a mapping."""

    there: dict[str, Attachment] = field(default_factory=dict)

    def find(
        self, names: Sequence[str], *, where: CellRef, heading: str
    ) -> tuple[tuple[Attachment, ...], tuple[Finding, ...]]:
        """Find what is there."""
        del where, heading
        return tuple(self.there[name] for name in names), ()

    def lie_together(self) -> tuple[str, str] | None:
        """Miss nothing."""
        return None


class WeekdaysOnly:
    """Implements the port `WorkingDays`: Monday to Friday."""

    knows_holidays = True

    def day_off(self, on: date) -> str | None:
        return "a Saturday or Sunday" if on.weekday() > 4 else None

    def until(self, on: date, *, today: date) -> int:
        """Count."""
        days = range(today.toordinal() + 1, on.toordinal() + 1)
        return sum(date.fromordinal(each).weekday() < 5 for each in days)


class SameBeginning:
    """Implements the port `Suggester`: names that begin with the same six letters."""

    def nearest(self, name: str, *, among: Sequence[str]) -> tuple[str, ...]:
        """Find them, whatever the case."""
        begins = name.casefold()[:6]
        return tuple(each for each in among if each.casefold()[:6] == begins)

    def misspelt(self, name: str, *, among: Sequence[str]) -> tuple[str, ...]:
        """Find the same."""
        return self.nearest(name, among=among)


def check_context(*, files: NamedFiles | None = None, **choices: bool) -> CheckContext:
    """Make what reading projects rows needs."""
    return CheckContext(
        checker=RequiredOnly(),
        places=DegreesOnly(),
        attachments=files or NamedFiles(),
        working_days=WeekdaysOnly(),
        suggester=SameBeginning(),
        today=TODAY,
        choices=ReadingChoices(**choices),  # type: ignore[arg-type]
    )
