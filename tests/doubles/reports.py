"""Reports of batches for tests of what is made of them: rows of every outcome."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Any

from kawe.domain.batch.outcomes import BatchReport, Outcome, RowReport
from kawe.domain.sheet.findings import CellRef, Finding, RowRef, Severity
from kawe.kinds.projects import PROJECTS
from kawe.workbook.own_words import ALWAYS, FIELDS
from kawe_places.values import Place

PROJECT_HEADINGS = tuple(
    each for each, field in FIELDS.items() if each in ALWAYS or field in PROJECTS.gives
)
"""What kawe adds to a sheet of projects."""
AUCKLAND = Place(latitude=-36.8485, longitude=174.7633)
WAITANGI = Place(latitude=-43.9535, longitude=-176.5597)
"""On Chatham Island."""
PORTAL = "https://portal.example"
_AT = datetime(2026, 11, 3, 21, 32, tzinfo=UTC)
_ON_THE_WAY = (
    AUCKLAND,
    Place(latitude=-41.2866, longitude=174.7756),
    Place(latitude=-43.532, longitude=172.6366),
    Place(latitude=-45.8788, longitude=170.5028),
    WAITANGI,
    Place(latitude=-38.6623, longitude=178.0176),
)


def report_row(number: int, outcome: Outcome, *, text: str = "") -> RowReport:
    """Give one row; every seventh has no place. `text` is what people typed."""
    is_sent = outcome is Outcome.SENT
    name = text or f"Bridge {number}, Tāmaki"
    where = CellRef(sheet=text or "Projects", row=number, column=2)
    wrong = Finding(
        where=where,
        severity=Severity.ERROR,
        rule="type",
        heading=text or "Type",
        value=text or "Something",
        message=f"“{text or 'Something'}” is not a type.",
        advice=text or "Choose one of the list.",
    )
    return RowReport(
        where=RowRef(sheet=where.sheet, row=number),
        raw=(f"R-{number}", name),
        outcome=outcome,
        what_to_do="" if is_sent else text or "Do something about it.",
        name=name,
        reference=text or f"R-{number}",
        project_id=text or f"p-{number}",
        link=text or f"{PORTAL}/projects/p-{number}",
        receipt_number=(text or f"KR-{number}") if is_sent else None,
        at=_AT,
        iwi=(text or "Ngāti Tauira ki te Raki",),
        place=_moved(number) if number % 7 else None,
        respond_by_on=date(2027, 2, 1),
        findings=(wrong,) if outcome is Outcome.INVALID else (),
    )


def report_of(rows: Iterable[RowReport], *, text: str = "") -> BatchReport:
    """Give the report of a live batch."""
    said = ("batch", "workbook", "team", "sheet", "owner")
    usual = ("monthly", "monthly.xlsx", "Kaunihera o Tauira", "Projects", "Mere")
    words = {name: text or each for name, each in zip(said, usual, strict=True)}
    remarks = (text or "The run ended early.",)
    return batch_report(*rows, headings=("Reference", "Name"), remarks=remarks, **words)


def batch_report(*rows: RowReport, **said: Any) -> BatchReport:
    """Give the report of a batch of projects, with what is said of it."""
    usual = {"batch": "monthly", "workbook": "monthly.xlsx", "sheet": "Projects"}
    account = {"kind": PROJECTS.value, "team": "Council", "mode": "live"}
    given = {"written_at": _AT, "headings": (), **usual, **account, **said}
    return BatchReport(rows=rows, **given)


def standing(number: int, outcome: Outcome, **said: Any) -> RowReport:
    """Give a row of which nothing but its outcome is said."""
    where = RowRef(sheet="Projects", row=number)
    usual = {"raw": (), "what_to_do": "", **said}
    return RowReport(where=where, outcome=outcome, **usual)


def report_of_many(count: int) -> BatchReport:
    """Give a report whose rows have every outcome in turn, all over the country."""
    outcomes = list(Outcome)
    return report_of(
        report_row(number, outcomes[number % len(outcomes)])
        for number in range(2, count + 2)
    )


def _moved(number: int) -> Place:
    """Give a place near one of the towns."""
    town = _ON_THE_WAY[number % len(_ON_THE_WAY)]
    return Place(
        latitude=town.latitude + (number * 7 % 41 - 20) / 100,
        longitude=town.longitude + (number * 11 % 41 - 20) / 100,
    )
