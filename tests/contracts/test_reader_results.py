"""Results on the disk: whole or not at all, never over a person's work, fed back."""

import json
import stat
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from kawe.domain.batch.outcomes import BatchReport, Outcome, RowReport, UnownedDraft
from kawe.domain.sheet.tables import Table
from kawe.domain.text.table_doc import TableDoc
from kawe.errors import ResultNotWritable
from kawe.workbook.reading.reader import CalamineReader
from kawe.workbook.results.result import StreamedResultWriter
from kawe.workbook.results.tables import write_table
from unit.workbook.books import COLUMNS, xlsx

READER = CalamineReader(COLUMNS)
WRITER = StreamedResultWriter()
HEADINGS = ["Name", "Type", "Start date", "Description", "Link", "Outcome"]
ROWS = [
    ["Bridge", "LUC", date(2027, 2, 1), "one\n=two", "our link", -35.714999999999996],
    ["Road", "tbc", "1/2/2027", "x" * 5000, None, "ours"],
]


def read(path: Path) -> Table:
    return READER.read(path, kind=None, sheet=None)


def reported(table: Table) -> BatchReport:
    at = datetime(2026, 11, 21, 2, 15, tzinfo=UTC)
    return BatchReport(
        batch="b-1",
        kind=table.kind.value,
        workbook="rows.xlsx",
        team="Council",
        mode="sandbox",
        written_at=at,
        sheet=table.sheet,
        orphans=(
            UnownedDraft(reference="R-2", name="Weir", project_id="p-2", why="second"),
        ),
        headings=tuple(heading.text for heading in table.headings),
        rows=tuple(
            RowReport(
                where=row.ref,
                raw=row.raw,
                outcome=Outcome.INVALID,
                what_to_do="Correct it.",
                project_id="p-1",
                link="https://portal.example.nz/1",
                at=at,
                findings=row.findings,
            )
            for row in table.rows
        ),
    )


@pytest.fixture
def table(tmp_path) -> Table:
    path = tmp_path / "rows.xlsx"
    path.write_bytes(xlsx([None], ["Our projects"], [None], HEADINGS, [], *ROWS))
    return read(path)


def test_a_result_fed_back_is_the_same_table(tmp_path, table):

    again = read(WRITER.write(reported(table), tmp_path / "rows.result.xlsx"))

    # Only the heading moves: it stands right above the first row.
    assert again == replace(
        table,
        heading_row=5,
        findings=again.findings,
        read_as=replace(table.read_as, heading_rows=(5,)),
    )
    assert {each.rule for each in again.findings} <= {
        each.rule for each in table.findings
    }


def test_a_result_of_a_result_is_the_same_table_again(tmp_path, table):
    first = WRITER.write(reported(table), tmp_path / "1.xlsx")

    assert read(WRITER.write(reported(read(first)), tmp_path / "2.xlsx")) == read(first)


def test_a_result_is_only_its_owners_to_read(tmp_path, table):
    path = WRITER.write(reported(table), tmp_path / "result.xlsx")

    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_newer_result_takes_the_place_of_an_untouched_one(tmp_path, table):
    path = tmp_path / "result.xlsx"
    WRITER.write(reported(table), path)

    assert WRITER.write(reported(table), path) == path
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        "result.csv",
        "result.json",
        "result.xlsx",
        "rows.xlsx",
    ]


def test_a_table_is_written_anew_where_it_was(tmp_path):
    path = tmp_path / "receipts.xlsx"
    for rows in ([("R-1",)], [("R-1",), ("R-2",)]):
        write_table(path, TableDoc(title="Receipts", headings=("Receipt",), rows=rows))

    assert [each.name for each in tmp_path.iterdir()] == ["receipts.xlsx"]
    assert load_workbook(path)["Receipts"]["A3"].value == "R-2"


def test_a_result_that_a_person_edited_is_never_overwritten(tmp_path, table):
    path = WRITER.write(reported(table), tmp_path / "result.xlsx")
    # Saved again by a program that leaves the author as it was.
    load_workbook(path).save(path)
    before = path.read_bytes()

    assert WRITER.write(reported(table), path) == tmp_path / "result (2).xlsx"
    assert path.read_bytes() == before


@pytest.mark.parametrize("data", [b"", b"my notes", xlsx(["mine"])])
def test_a_file_that_kawe_did_not_write_is_never_overwritten(tmp_path, table, data):
    path = tmp_path / "result.xlsx"
    path.write_bytes(data)

    assert WRITER.write(reported(table), path).name == "result (2).xlsx"
    assert path.read_bytes() == data


def test_the_persons_workbook_is_protected_under_any_name(tmp_path, table):
    writer = StreamedResultWriter(protect=frozenset({tmp_path / "rows.xlsx"}))
    link = tmp_path / "link.xlsx"
    link.symlink_to(tmp_path / "rows.xlsx")

    for path in (tmp_path / "rows.xlsx", link, tmp_path / "x" / ".." / "rows.xlsx"):
        with pytest.raises(ResultNotWritable, match="is your own workbook"):
            writer.check_writable(path)
        with pytest.raises(ResultNotWritable):
            writer.write(reported(table), path)


def test_a_place_that_cannot_be_written_is_known_beforehand(tmp_path):
    (tmp_path / "file").write_bytes(b"")

    for path in (tmp_path / "none" / "a.xlsx", tmp_path / "file" / "a.xlsx"):
        with pytest.raises(ResultNotWritable, match="cannot be written"):
            WRITER.check_writable(path)
    with pytest.raises(ResultNotWritable, match=r"does not end in \.xlsx"):
        WRITER.check_writable(tmp_path / "a.csv")


def test_a_check_of_the_place_leaves_nothing_behind(tmp_path):
    WRITER.check_writable(tmp_path / "a.xlsx")

    assert list(tmp_path.iterdir()) == []


def test_a_result_that_breaks_off_leaves_nothing_behind(tmp_path, table):
    # The summary, which is written after the rows, cannot show it.
    broken = replace(reported(table), owner=7)  # type: ignore[arg-type]

    with pytest.raises(TypeError):
        WRITER.write(broken, tmp_path / "result.xlsx")

    assert [each.name for each in tmp_path.iterdir()] == ["rows.xlsx"]


def test_a_plain_table_is_written_with_its_values(tmp_path):
    path = tmp_path / "receipts.xlsx"

    write_table(
        path,
        TableDoc(
            title="Receipts",
            headings=("Receipt", "Day", "Bytes"),
            rows=[("=1", date(2026, 2, 1), 12), ("R-2", None, 1.5)],
        ),
    )

    sheet = load_workbook(path)["Receipts"]
    assert [[cell.value for cell in line] for line in sheet] == [
        ["Receipt", "Day", "Bytes"],
        ["=1", datetime(2026, 2, 1), 12],  # noqa: DTZ001 (a cell has no zone)
        ["R-2", None, 1.5],
    ]
    assert sheet["A2"].data_type == "s"
    assert sheet.tables["kawe_table"].ref == "A1:C3"


def test_a_csv_result_fed_back_is_the_same_rows(tmp_path):
    rows = [["=1+1", "LUC", "2027-02-01", "-41,5 or so", "@us", "'=x"]]
    path = tmp_path / "risky.xlsx"
    path.write_bytes(xlsx(HEADINGS, *rows))
    first = read(path)
    WRITER.write(reported(first), tmp_path / "risky.result.xlsx")

    again = read(tmp_path / "risky.result.csv")

    assert [each.raw for each in again.rows] == [each.raw for each in first.rows]
    assert [each.text for each in again.headings] == HEADINGS


def test_only_what_kawe_wrote_loses_its_apostrophe(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("Name,Type,Start date\n'=1,LUC,1/2/2027\n", encoding="utf-8")

    assert read(path).rows[0].raw[0] == "'=1"


@pytest.mark.parametrize("ending", [".csv", ".json", ".xlsx"])
def test_when_one_file_is_not_kawes_all_three_get_another_name(tmp_path, table, ending):
    WRITER.write(reported(table), tmp_path / "result.xlsx")
    edited = tmp_path / f"result{ending}"
    data = edited.read_bytes() if ending != ".xlsx" else xlsx(["mine"])
    edited.write_bytes(data[:-70] + data[-69:] if ending != ".xlsx" else data)
    before = {each: each.read_bytes() for each in tmp_path.glob("result.*")}

    written = WRITER.write(reported(table), tmp_path / "result.xlsx")

    assert written == tmp_path / "result (2).xlsx"
    assert {each: each.read_bytes() for each in before} == before
    assert {each.suffix for each in tmp_path.glob("result (2).*")} == {
        ".csv",
        ".json",
        ".xlsx",
    }


def test_a_csv_file_without_the_document_beside_it_is_left_alone(tmp_path, table):
    (tmp_path / "result.csv").write_bytes(b"my own")

    assert WRITER.write(reported(table), tmp_path / "result.xlsx").name == (
        "result (2).xlsx"
    )
    assert (tmp_path / "result.csv").read_bytes() == b"my own"


def test_the_persons_csv_is_not_overwritten_by_the_result_beside_another_name(
    tmp_path, table
):
    own = tmp_path / "rows.csv"
    own.write_bytes(b"Name")
    writer = StreamedResultWriter(protect=frozenset({own}))

    assert writer.write(reported(table), tmp_path / "rows.xlsx").name == "rows (2).xlsx"
    assert own.read_bytes() == b"Name"


def test_all_three_are_only_their_owners_to_read(tmp_path, table):
    WRITER.write(reported(table), tmp_path / "result.xlsx")

    assert {
        stat.S_IMODE(each.stat().st_mode) for each in tmp_path.glob("result.*")
    } == {0o600}


def test_the_document_says_every_row_and_hashes_itself_and_the_csv(tmp_path, table):
    WRITER.write(reported(table), tmp_path / "result.xlsx")
    data = (tmp_path / "result.json").read_bytes()
    document = json.loads(data)
    before = data[: data.rindex(b'"csv_before"')]

    assert document["sha256"] == sha256(before).hexdigest()
    assert document["csv_sha256"] == (
        sha256((tmp_path / "result.csv").read_bytes()).hexdigest()
    )
    assert (document["schema"], document["rows_read"], document["counts"]) == (
        "kawe.result/2",
        2,
        {"to correct": 2},
    )
    assert document["orphans"] == [
        {"reference": "R-2", "name": "Weir", "project_id": "p-2", "why": "second"}
    ]
    assert document["rows"][0] == {
        "sheet": "Projects",
        "row": 6,
        "outcome": "to correct",
        "turn": None,
        "what_to_do": "Correct it.",
        "name": "",
        "reference": None,
        "iwi": [],
        "project_id": "p-1",
        "link": "https://portal.example.nz/1",
        "receipt_number": None,
        "invitation_id": None,
        "invitation_status": None,
        "invitation_made_at": None,
        "invitation_expires_at": None,
        "at": "2026-11-21T02:15:00+00:00",
        "respond_by": None,
        "message_as_sent": None,
        "values": {
            "Name": "Bridge",
            "Type": "LUC",
            "Start date": "2027-02-01",
            "Description": "one\n=two",
            "Link": "our link",
            "Outcome": -35.715,
        },
        "findings": [],
        "of_batch": None,
    }


def test_rows_that_are_made_anew_each_time_are_asked_for_once(tmp_path, table):
    class Once(Sequence[RowReport]):
        asked = 0

        def __len__(self) -> int:
            return 2

        def __getitem__(self, index: object) -> Any:
            raise AssertionError(index)

        def __iter__(self) -> Iterator[RowReport]:
            self.asked += 1
            yield from reported(table).rows

    rows = Once()
    made = replace(reported(table), rows=rows)  # type: ignore[arg-type]
    path = WRITER.write(made, tmp_path / "result.xlsx")

    assert rows.asked == 1
    assert [each.raw for each in read(path).rows] == [each.raw for each in table.rows]


@pytest.mark.parametrize("moved", [[], [".json"], [".json", ".csv"]])
def test_a_kill_between_the_three_files_does_not_make_them_edited(
    tmp_path, table, moved
):
    aside = tmp_path / "aside"
    aside.mkdir()
    old = WRITER.write(reported(table), tmp_path / "result.xlsx")
    for each in tmp_path.glob("result.*"):
        (aside / each.name).write_bytes(each.read_bytes())
    newer = replace(reported(table), rows=reported(table).rows[:1])
    WRITER.write(newer, old)
    for ending in {".xlsx", ".csv", ".json"} - set(moved):
        old.with_suffix(ending).write_bytes((aside / f"result{ending}").read_bytes())

    assert WRITER.write(newer, old) == old
