"""A workbook at the desk: checked, asked about, corrected, planned, submitted."""

from __future__ import annotations

import csv
import io

from doubles.command import HEADINGS, csv_row
from doubles.desk import read


def sheet(rows, *, headings=HEADINGS):
    text = io.StringIO()
    csv.writer(text).writerows([headings, *rows])
    return text.getvalue().encode("utf-8-sig")


def test_a_workbook_goes_from_the_drop_to_its_result(desk, person):
    checked = desk.put_in("monthly.csv", sheet([csv_row(n) for n in range(4)]))
    place = checked.url.path
    assert "4 rows of sheet monthly were checked" in read(checked.text)
    planned = read(desk.post(f"{place}/plan", sends="all").text)
    assert "LIVE" in planned
    assert "3 will be created and sent to iwi" in planned
    assert "1 will be created, and wait for a token" in planned
    refused = read(desk.post(f"{place}/submit", typed="4").text)
    assert "Stopped: another number was typed." in refused
    assert person.sends() == 0
    done = desk.post(f"{place}/submit", typed="3")
    said = read(done.text)
    assert "3 sent" in said
    assert "1 deferred" in said
    assert "4 rows were read, and 4 outcomes found: all here." in said
    assert person.sends() == 3
    book = desk.client.get(f"{place}/file", params={"name": "monthly.result.xlsx"})
    assert (book.status_code, book.content[:2]) == (200, b"PK")
