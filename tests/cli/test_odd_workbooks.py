"""A workbook that cannot come back is told before the first send, and has a result."""

import io
import json
from itertools import count

import openpyxl

from doubles.command import HEADINGS, csv_row
from unit.workbook.books import with_part

DANGLING = (
    b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relations'
    b'hips"><Relationship Id="c" Target="../comments9.xml" Type="http://schemas.'
    b'openxmlformats.org/officeDocument/2006/relationships/comments"/></Relationships>'
)
BECAUSE = "its parts are not as Excel writes them"
ANNOUNCED = f"The result will be a new workbook and not your own, because {BECAUSE}."


def dangling_book(rows: int) -> bytes:
    """A workbook whose sheet names comments that are not there."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(HEADINGS)
    for number in range(1, rows + 1):
        sheet.append(csv_row(number))
    kept = io.BytesIO()
    book.save(kept)
    return with_part(kept.getvalue(), "xl/worksheets/_rels/sheet1.xml.rels", DANGLING)


def test_a_relation_to_a_part_that_is_not_there_costs_no_result(person_with):
    person = person_with(tokens=5)
    (person.folder / "odd.xlsx").write_bytes(dangling_book(2))

    done = person.run("submit", "odd.xlsx", "--yes", "2", "--no-input")

    result = person.folder / "odd.result.json"
    assert (done.returncode, person.sends()) == (0, 2)
    assert json.loads(result.read_text("utf-8"))["new_workbook"] == BECAUSE
    order = dict(zip(done.stderr.splitlines(), count(), strict=False))
    assert order[ANNOUNCED] < next(
        at for line, at in order.items() if "Sending" in line
    )
    for each in person.folder.glob("odd.result.*"):
        each.unlink()
    again = person.run("status", "--write", "odd")
    assert (again.returncode, again.stderr, result.is_file()) == (0, "", True)
