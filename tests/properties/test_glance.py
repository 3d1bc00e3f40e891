"""A quick check finds, of every row, just what reading it cell by cell finds."""

from __future__ import annotations

import asyncio
import csv
import io
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl import Workbook

from doubles.sheets import check_context as ground_of
from kawe.domain.batch.sending import Sending
from kawe.domain.text.texts import (
    clean,
    fold_name,
    fold_names,
    near_reference,
    near_references,
)
from kawe.flows.check.checking import check
from kawe.flows.checked_rows import RIGHT, Standing
from kawe.geo.places import PyprojPlaces
from kawe.kinds.projects.quick_checking import quick_check
from kawe.schemas.catalog import load_columns
from kawe.schemas.checker import SchemaChecker
from kawe.toolkit.kinds import KINDS
from kawe.workbook.reading.reader import CalamineReader
from kawe.workbook.reading.suggesting import RapidfuzzSuggester

GROUND = replace(
    ground_of(),
    checker=SchemaChecker(),
    places=PyprojPlaces(),
    suggester=RapidfuzzSuggester(),
)
COLUMNS = {kind: load_columns(kind) for kind in KINDS}

DAYS = st.sampled_from(
    [
        date(2030, 5, 1),
        date(2030, 5, 4),
        datetime(2030, 5, 1, 9, 30),  # noqa: DTZ001 - a cell has no zone
        date(2019, 1, 1),
        47604.0,
        "1/5/2030",
        "13/5/2030",
        "5/13/2030",
        "soon",
        "47604",
    ]
)
TEXTS = st.sampled_from(
    [
        *(
            "Bridge",
            "bridge",
            "Bridge ",
            "  Bridge",
            "Te Awa Tūpuna",
            "Te Awa Tu\u0304puna",
        ),
        *(
            "M?ori",
            "?taki",
            "MÄori",
            "Nine\nlines",
            "=1+1",
            12.0,
            1.5,
            True,
            "007",
            "7",
            100_000.0,
        ),
        *("1E+05", "x" * 300, "Bridge?", "\u200b", "\ufffd", date(2030, 3, 12)),
    ]
) | st.text(max_size=12)
NUMBERS = st.sampled_from([1.0, 2.5, "3", "three", True, -1.0, float(10**9)])
LATITUDES = st.sampled_from(
    [-41.288912, -41.2889, -41.3, -43.531234, 174.777211, 41.288912, "41°17'20\"S", 0.0]
)
LONGITUDES = st.sampled_from(
    [174.777211, 174.7772, 174.8, 172.636512, -41.288912, "174 46 38 E", 0.0]
)
EASTINGS = st.sampled_from([1_748_735.1, 5_427_916.2, "1748735"])
NORTHINGS = st.sampled_from([5_427_916.2, 1_748_735.1])
NAMES = st.sampled_from(["Te Awa Trust", "Te Awa Trusts", "te awa trust", "Whenua Ltd"])
POOLS = {
    "Reference": st.sampled_from(["R-1", "r 1", "R-2", "R-3", 4.0, "", "O-0"]) | TEXTS,
    "Name": TEXTS,
    "Description": TEXTS,
    "Type": st.sampled_from(["Earthworks", "EARTHWORKS", "Earthwork", "Coastal"]),
    "Start date": DAYS,
    "End date": DAYS,
    "Respond by": DAYS,
    "Latitude": LATITUDES,
    "Longitude": LONGITUDES,
    "Easting": EASTINGS,
    "Northing": NORTHINGS,
    "Iwi": st.sampled_from(["Ngāti Tauira", "a;b;a", ";"]),
    "Organisation": NAMES | TEXTS,
    "Organisation city": TEXTS,
    "Contact name": TEXTS,
    "Contact role": TEXTS,
    "Contact phone": st.sampled_from(["021 555 0142", 215550142.0, "+64 21", ""]),
    "Contact email": st.sampled_from(["a@b.nz", "Aroha <a@b.nz>", "a@b"]),
    "Send": st.sampled_from(["Yes", "no", True, "maybe", 1.0]),
    "Priority order": NUMBERS,
}
USUAL = {
    "Name": "Bridge at the mouth",
    "Description": "Works",
    "Type": "Earthworks",
    "Start date": date(2030, 5, 1),
    "End date": date(2030, 6, 3),
    "Respond by": date(2030, 5, 6),
    "Latitude": -41.288912,
    "Longitude": 174.777211,
}


@st.composite
def sheets(draw):
    """Rows that are mostly right, with something in a few cells."""
    headings = draw(
        st.lists(st.sampled_from(sorted(POOLS)), unique=True).map(
            lambda more: list(dict.fromkeys((*USUAL, *more)))
        )
    )
    rows = []
    for number in range(draw(st.integers(min_value=1, max_value=8))):
        row = {"Name": f"Bridge {number}", "Reference": f"No {number}"}
        if rows and draw(st.booleans()):
            # Copied down: the name, or all but the reference.
            above = dict(zip(headings, rows[-1], strict=True))
            row |= draw(st.sampled_from([{"Name": above["Name"]}, {**above, **row}]))
        row = {**USUAL, **row}
        for heading in draw(st.lists(st.sampled_from(headings), max_size=4)):
            row[heading] = draw(st.none() | POOLS[heading])
        rows.append([row.get(heading) for heading in headings])
    return headings, rows


def as_excel(headings, rows):
    book = Workbook()
    book.active.title = "Projects"
    book.active.append(headings)
    for at, row in enumerate(rows, start=2):
        for column, value in enumerate(row, start=1):
            cell = book.active.cell(row=at, column=column)
            cell.value = _writable(value) if isinstance(value, str) else value
            if isinstance(value, str) and value not in {"=1+1", "#REF!"}:
                cell.data_type = "s"
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _writable(text):
    return "".join(c for c in text if (c >= " " and c.isprintable()) or c in "\n\u200b")


def as_csv(headings, rows):
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerows([headings, *rows])
    return file.getvalue().encode("utf-8-sig", "replace")


def sending(whole):
    """Count what the rows say, one by one."""
    right = [each for each in whole.rows if each.is_valid]
    asked = sum(each.content.send for each in right)
    heading = whole.table.heading_of("send")
    return Sending(
        heading=heading.text if heading else "",
        sends_all=whole.sends_all,
        asked=asked,
        quiet=len(right) - asked,
        says_no=tuple(
            str(each.row.where("send"))
            for each in right
            if each.row.value("send") is False
        ),
    )


def standings(rows):
    found = {
        each.row.ref.row: Standing(findings=each.findings, is_valid=each.is_valid)
        for each in rows
    }
    return {number: each for number, each in found.items() if each != RIGHT}


@pytest.mark.parametrize(("ending", "write"), [("xlsx", as_excel), ("csv", as_csv)])
def test_a_glance_overlooks_nothing_and_invents_nothing(ending, write, tmp_path):
    path = Path(tmp_path) / f"a.{ending}"

    @settings(
        max_examples=80,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(sheets(), st.booleans(), st.booleans())
    def holds(sheet, sends_all, is_strict):
        ground = replace(GROUND, send_by_default=sends_all, is_strict=is_strict)
        path.write_bytes(write(*sheet))
        opened = CalamineReader(COLUMNS).open(path, kind=None, sheet=None)
        table = opened.table()

        quick = quick_check(opened, context=ground)

        whole = asyncio.run(check(table, context=ground, asker=None))
        found = quick.rows_read, dict(sorted(quick.notable.items())), quick.sending
        assert found == (len(whole.rows), standings(whole.rows), sending(whole))

    holds()


@given(st.lists(st.text(), min_size=1, max_size=6))
def test_many_names_are_folded_as_each_by_itself(texts):
    names = [" ".join(clean(text).split()) for text in texts]

    folded = list(fold_names(names)), list(near_references(names))

    one_by_one = [fold_name(n) for n in names], [near_reference(n) for n in names]
    assert folded == one_by_one


def test_a_place_on_many_rows_is_told_with_a_row_that_has_an_error(tmp_path):
    headings = ["Reference", *USUAL]
    named = [{**USUAL, "Reference": f"No {n}", "Name": f"Bridge {n}"} for n in range(6)]
    named[5]["Name"] = "=1+1"
    rows = [[row[heading] for heading in headings] for row in named]
    (tmp_path / "a.xlsx").write_bytes(as_excel(headings, rows))
    opened = CalamineReader(COLUMNS).open(tmp_path / "a.xlsx", kind=None, sheet=None)

    quick = quick_check(opened, context=GROUND)

    assert [each.message for each in quick.notable[3].findings] == [
        "The same place stands on rows 2 to 7, 6 in all."
    ]
