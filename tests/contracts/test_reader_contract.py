"""Reading: whatever form a workbook has, the same rows mean the same."""

import csv
import io
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from kawe.domain.sheet.findings import CellRef, RowRef, Severity
from kawe.domain.sheet.tables import Cell, Table
from kawe.errors import WorkbookError
from kawe.kinds.invitations import INVITATIONS
from kawe.kinds.projects import PROJECTS
from kawe.workbook.reading.reader import CalamineReader
from unit.workbook.books import COLUMNS, xlsx

Rows = Sequence[Sequence[str | None]]
HEADINGS = ["Name*", "Type", "Start date (d/m/y)", "Details", "Send?", "Iwi", "Notes"]
BRIDGE = ["Bridge  renewal", "LUC", "1/2/2027", "one\ntwo", "Āe", "Toa; Awa", "n"]
WRONG = [None, "Land use consents", "2/13/2027", None, "maybe", None, None]


def as_xlsx(rows: Rows) -> bytes:
    return xlsx(*rows)


def as_csv(rows: Rows) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=";").writerows(rows)
    return text.getvalue().encode("utf-8-sig")


FORMS = [("Projects.xlsx", as_xlsx), ("Projects.csv", as_csv)]


@pytest.fixture(params=FORMS, ids=["xlsx", "csv"])
def read(request, tmp_path) -> Callable[..., Table]:
    name, written = request.param

    def reading(*rows: Sequence[str | None], **asked) -> Table:
        path: Path = tmp_path / name
        path.write_bytes(written(rows))
        asked = {"kind": None, "sheet": None, **asked}
        return CalamineReader(COLUMNS).read(path, **asked)

    return reading


def test_cells_are_read_by_the_kind_of_their_column(read):
    table = read(HEADINGS, BRIDGE)

    assert table.kind is PROJECTS
    assert table.sheet == "Projects"
    assert table.rows[0].values() == {
        "name": "Bridge renewal",
        "type": "LAND_USE_CONSENT",
        "start_date": "2027-02-01",
        "description": "one\ntwo",
        "send": True,
        "iwi": ["Toa", "Awa"],
    }


def test_the_persons_values_stay_as_they_are(read):
    table = read(HEADINGS, BRIDGE)

    assert table.rows[0].raw == tuple(BRIDGE)
    assert [heading.text for heading in table.headings] == HEADINGS
    assert table.headings[-1].means is None


def test_a_text_that_many_cells_repeat_is_in_memory_once(read):
    first, second = (row.raw for row in read(HEADINGS, BRIDGE, BRIDGE).rows)
    assert list(map(id, first)) == list(map(id, second))


def test_what_cannot_be_read_is_a_finding_and_never_an_exception(read):
    row = read(HEADINGS, WRONG).rows[0]

    assert row.values() == {}
    assert [(str(each.where), each.severity, each.rule) for each in row.findings] == [
        ("Projects!B2", Severity.ERROR, "not-a-choice"),
        ("Projects!C2", Severity.ERROR, "date-month-first"),
        ("Projects!E2", Severity.ERROR, "not-yes-or-no"),
    ]
    assert row.findings[1].heading == "Start date (d/m/y)"
    assert row.findings[1].value == "2/13/2027"


def test_a_cell_knows_its_place_and_what_the_person_sees(read):
    table = read(HEADINGS, WRONG)

    assert table.rows[0].cells["start_date"] == Cell(
        ref=CellRef(sheet="Projects", row=2, column=3),
        heading="Start date (d/m/y)",
        shown="2/13/2027",
        value=None,
    )
    assert dict(table.rows[0].cells).keys() >= {"name", "type", "start_date"}
    assert "latitude" not in table.rows[0].cells


def test_one_date_with_its_month_first_casts_doubt_on_its_whole_column(read):
    other = ["Road", "Other", "1/3/2027", None, None, None, None]

    row = read(HEADINGS, WRONG, other).rows[1]

    assert [each.rule for each in row.findings] == ["date-ambiguous"]


def test_rows_are_numbered_as_excel_numbers_them(read):
    blank = [None] * 7
    title = ["Our projects", *[None] * 6]

    table = read(blank, title, blank, HEADINGS, blank, BRIDGE, blank, blank, BRIDGE)

    assert table.heading_row == 4
    assert [row.ref for row in table.rows] == [
        RowRef(sheet="Projects", row=6),
        RowRef(sheet="Projects", row=9),
    ]
    assert str(table.rows[1].cells["type"].ref) == "Projects!B9"


def test_columns_before_the_first_heading_keep_their_letters(read):
    table = read([None, *HEADINGS], [None, *BRIDGE])

    assert table.headings[0].text == ""
    assert str(table.rows[0].cells["name"].ref) == "Projects!B2"
    assert table.rows[0].raw == (None, *BRIDGE)


def test_columns_that_kawe_added_are_left_out_wherever_they_were_moved(read):
    own = ["Outcome", "What to do", "Project id", "Time"]

    table = read([*own, *HEADINGS], ["Sent", "", "p-1", "", *BRIDGE])

    assert [heading.text for heading in table.headings] == HEADINGS
    assert table.rows[0].raw == tuple(BRIDGE)
    assert str(table.rows[0].cells["name"].ref) == "Projects!E2"


def test_a_row_with_nothing_but_kawes_words_is_blank(read):
    own = ["Outcome", "What to do", "Project id", "Time"]

    assert read([*HEADINGS, *own], [*[None] * 7, "Sent", "", "p-1", ""]).rows == ()


def test_a_row_of_spaces_is_blank(read):
    assert len(read(HEADINGS, [" ", "\u00a0", "\u200b", *[None] * 4], BRIDGE).rows) == 1


def test_a_missing_required_heading_concerns_the_whole_sheet(read):
    table = read(["Name", "Type", "Notes"], ["Bridge", "Other", "a note"])

    assert [(each.severity, each.rule) for each in table.findings] == [
        (Severity.ERROR, "heading-missing")
    ]


def test_headings_without_rows_are_an_error_of_the_sheet(read):
    table = read(HEADINGS)

    assert table.rows == ()
    assert [each.rule for each in table.findings] == ["no-rows"]


def test_no_known_headings_stop_the_batch(read):
    with pytest.raises(WorkbookError, match="no headings that it knows"):
        read(["a", "b"], ["1", "2"])


def test_the_kind_that_is_asked_for_is_read(read):
    table = read(
        ["Name", "Email", "Role", "Type", "Start date"],
        ["Mere", "mere@x.govt.nz", "Owner", "Other", "1/2/2027"],
        kind=INVITATIONS,
    )

    assert table.kind is INVITATIONS
    assert table.rows[0].value("role") == "OWNER"


def test_reading_twice_gives_equal_tables(read):
    assert read(HEADINGS, BRIDGE, WRONG) == read(HEADINGS, BRIDGE, WRONG)


def test_both_forms_give_the_same_table(tmp_path):
    tables = []
    for name, written in FORMS:
        path = tmp_path / name
        path.write_bytes(written([HEADINGS, BRIDGE, WRONG]))
        tables.append(CalamineReader(COLUMNS).read(path, kind=None, sheet=None))

    assert tables[0] == tables[1]
