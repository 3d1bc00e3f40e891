"""A quick check of a projects sheet finds what the whole check finds."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from doubles.journal_values import NOW
from doubles.sheets import (
    PLAN_PDF,
    MemorySheet,
    NamedFiles,
    check_context,
    project_row,
    table,
)
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.sheet.findings import Finding, Severity
from kawe.domain.sheet.refs import CellRef
from kawe.flows.check.checking import check
from kawe.flows.checked_rows import RIGHT, Standing
from kawe.flows.kinds import Kind
from kawe.flows.report.reporting import Frame, report_check
from kawe.kinds.projects import PROJECTS

WHOLE = {
    "organisation_address": "1 Quay",
    "organisation_latitude": -41.0,
    "organisation_longitude": 174.0,
}
HEAD = Finding(
    where=CellRef(sheet="Projects", row=1, column=1),
    severity=Severity.WARNING,
    rule="heading-odd",
    heading="reference",
    value="reference",
    message="The heading is odd.",
    advice="Rename it.",
)


def quick(*rows, odd=(), **options):
    """Check rows quickly; those with a number in `odd` are read cell by cell."""
    sheet = MemorySheet(of=table(*rows), odd=frozenset(odd))
    return Kind.of(PROJECTS).quick_check(sheet, context=check_context(**options))


def whole(*rows, **options):
    """Give the standing of each row of which the whole check says something."""
    checked = check(table(*rows), context=check_context(**options), asker=None)
    found = {
        each.row.ref.row: Standing(findings=each.findings, is_valid=each.is_valid)
        for each in asyncio.run(checked).rows
    }
    return {number: each for number, each in found.items() if each != RIGHT}


@pytest.mark.parametrize("odd", [(), (2,), (3,), (2, 3, 4)], ids=str)
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"latitude": "x"},
        {"latitude": -35.0},
        {"organisation": "Hiko Tauira Ltd"},
        {"organisation": "Hiko Tauira Ltd", **WHOLE},
        {"organisation": "Hiko Tauira Ltd", **WHOLE, "organisation_latitude": "x"},
        {"organisation": "Hiko Tauira Limited"},
        {"organisation": "Hiko Tauira Limited", "latitude": "x"},
        {"name": None},
        {"reference": None},
    ],
    ids=str,
)
def test_what_one_row_says_is_found_however_it_is_read(changes, odd):
    others = {"organisation": "Hiko Tauira Limited", **WHOLE}
    rows = [project_row(1, **changes), *(project_row(n, **others) for n in (2, 3))]
    assert dict(quick(*rows, odd=odd).notable) == whole(*rows)


def test_a_file_on_two_rows_is_found_and_given_with_their_numbers():
    files = NamedFiles(there={"plan.pdf": PLAN_PDF})
    rows = [project_row(1, files=["plan.pdf"]), project_row(2, files=["plan.pdf"])]
    found = quick(*rows, files=files)
    assert (dict(found.notable), found.attached) == (
        whole(*rows, files=files),
        [(2, PLAN_PDF), (3, PLAN_PDF)],
    )


def test_of_more_than_a_thousand_organisations_no_two_are_compared():
    rows = [
        project_row(n, organisation=f"Hiko Tauira {n}", **WHOLE) for n in range(1_001)
    ]
    rows.append(project_row(0, organisation="Hiko Tauira 1", **WHOLE))
    found = quick(*rows)
    rules = {each.rule for each in found.findings}
    assert (dict(found.notable), "organisation-spelt-twice" in rules) == (
        whole(*rows),
        False,
    )


def test_a_warning_of_a_strict_check_stops_its_row():
    rows = [project_row(1, organisation="Hiko Tauira Ltd", **WHOLE)]
    rows += [project_row(2, organisation="Hiko Tauira Limited", **WHOLE)]
    found = quick(*rows, is_strict=True)
    assert {at: each.is_valid for at, each in found.notable.items()} == {
        2: False,
        3: False,
    }


def test_the_report_of_a_quick_check_has_every_row_by_its_place_and_by_its_number():
    rows = [project_row(1, name=" Culvert\n one "), project_row(2, latitude="x")]
    sheet = MemorySheet(of=replace(table(*rows), findings=(HEAD,)))
    found = Kind.of(PROJECTS).quick_check(sheet, context=check_context())

    report = report_check(
        found, workbook=Path("/home/mere/a.xlsx"), frame=Frame(written_at=NOW)
    )

    assert [
        (str(each.where), each.outcome, each.name, each.what_to_do)
        for each in report.rows
    ] == [
        ("Projects!2", Outcome.READY, "Culvert one", ""),
        ("Projects!3", Outcome.INVALID, "", "No place."),
    ]
    assert (len(report.rows), report.rows[1], report.sending, report.remarks) == (
        2,
        list(report.rows)[1],
        found.sending,
        ("The heading is odd. Rename it.",),
    )
    assert (
        [each.rule for each in found.findings],
        found.refuses_all,
        [each.rule for each in report.findings],
    ) == (["heading-odd", "odd"], False, ["heading-odd"])
    assert found.problems() == report.problems()
    assert report.problems() == report.problems(found.notable[3].findings)


def test_a_sheet_without_names_gives_rows_without_names():
    row = project_row(1)
    del row["name"]
    report = report_check(
        quick(row, odd=[2]), workbook=Path("a.xlsx"), frame=Frame(written_at=NOW)
    )
    assert [(each.outcome, each.name) for each in report.rows] == [
        (Outcome.INVALID, "")
    ]
