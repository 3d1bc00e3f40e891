"""Files that lie, break off or mean harm: one plain sentence each, no more."""

import random
import re
from contextlib import suppress
from pathlib import Path

import pytest

from kawe.errors import WorkbookError
from kawe.workbook.reading.reader import CalamineReader
from kawe_xlsx.limits import MAX_FILE_BYTES
from unit.workbook.books import COLUMNS, SHEET, patched, with_part, xlsx

READER = CalamineReader(COLUMNS)
UNHEARD = b'<?xml version="1.0" encoding="x-unheard"?>'
DATA = xlsx(["Name", "Type", "Start date"], ["Bridge", "Other", "1/2/2027"])


def read(path: Path, data: bytes):
    path.write_bytes(data)
    return READER.read(path, kind=None, sheet=None)


def sentence(path: Path, data: bytes) -> str:
    with pytest.raises(WorkbookError) as stopped:
        read(path, data)
    assert stopped.value.hint
    return stopped.value.message


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("rows.xlsx", b"", "“rows.xlsx” is empty: it holds 0 bytes."),
        ("~$rows.xlsx", b"x", "“~$rows.xlsx” is the note Excel leaves beside an open"),
        (
            "rows.xlsx",
            DATA[:-100],
            "“rows.xlsx” is damaged or was not copied to its end",
        ),
        (
            "rows.xlsx",
            DATA[:2000],
            "“rows.xlsx” is damaged or was not copied to its end",
        ),
        ("rows.xlsx", b"<html>", "“rows.xlsx” is a web page, whatever its name says."),
        (
            "rows.xlsx",
            b"Name,Type",
            "“rows.xlsx” is a text file (CSV) with the name of",
        ),
        ("rows.csv", b'Name,Type\n"a,b', "“rows.csv” cannot be read near line"),
    ],
)
def test_a_file_that_is_no_workbook_is_one_plain_sentence(
    tmp_path, *, name, data, said
):
    assert sentence(tmp_path / name, data).startswith(said)


def test_a_file_that_is_not_there_and_a_folder_are_one_plain_sentence(tmp_path):
    for path in (tmp_path / "none.xlsx", tmp_path):
        with pytest.raises(WorkbookError):
            READER.read(path, kind=None, sheet=None)


def test_a_very_large_file_is_refused_before_it_is_opened(tmp_path):
    path = tmp_path / "rows.xlsx"
    with path.open("wb") as file:
        file.truncate(MAX_FILE_BYTES + 1)

    with pytest.raises(WorkbookError, match="larger than 50 MB"):
        READER.read(path, kind=None, sheet=None)


@pytest.mark.parametrize(
    ("part", "change", "said"),
    [
        (SHEET, lambda t: b"<!DOCTYPE w>" + t, "carries a document type definition"),
        ("xl/styles.xml", lambda t: b"<!DOCTYPE w>" + t, "document type definition"),
        ("xl/workbook.xml", lambda t: b"<!DOCTYPE w>" + t, "document type definition"),
        (SHEET, lambda t: t + b" " * 5_000_000, "larger inside than kawe opens"),
        (SHEET, lambda t: t[:-30], "is damaged"),
        (SHEET, lambda t: t.replace(b"<row", b"<row <"), "is damaged"),
        ("xl/workbook.xml", lambda _: b"<workbook/>", "is damaged"),
        ("xl/workbook.xml", lambda t: t.replace(b"rId1", b"rId9"), "no headings"),
        ("xl/workbook.xml", lambda t: UNHEARD + t, "is damaged"),
        (SHEET, lambda t: UNHEARD + t.replace(b"<row", b"<!-- --><row"), "is damaged"),
    ],
)
def test_a_workbook_that_means_harm_or_is_broken_is_refused(
    tmp_path, *, part, change, said
):
    assert said in sentence(tmp_path / "rows.xlsx", patched(DATA, part, change))


@pytest.mark.parametrize(
    "nested",
    [b"<c/>", b'<c r="A1"/>', b'<row r="1"/>', b'<row r="1"><c r="A1"/></row>'],
)
def test_a_far_cell_that_hides_behind_one_inside_it_never_ends_the_process(
    tmp_path, nested
):
    far = b'<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>x</t>'
    rows = far + nested + b"</is></c></row></sheetData>"
    data = patched(DATA, SHEET, lambda t: t.replace(b"</sheetData>", rows))

    assert "is damaged" in sentence(tmp_path / "rows.xlsx", data)


SHEET_ENTRY = re.compile(rb"<sheet [^>]*/>")


@pytest.mark.parametrize(
    ("listed", "said"),
    [
        (b'<sheet name="Other" sheetId="2" r:id="rId1"/>', "is damaged"),
        (b'<sheet name="PROJECTS" sheetId="2" r:id="rId9"/>', "is damaged"),
        (
            b"".join(
                b'<sheet name="S%d" sheetId="%d" r:id="rId9"/>' % (number, number)
                for number in range(500)
            ),
            "has more than 500 sheets.",
        ),
    ],
    ids=["one content twice", "one name twice", "500 more"],
)
def test_sheets_that_excel_would_never_list_are_refused(tmp_path, *, listed, said):
    data = patched(
        DATA,
        "xl/workbook.xml",
        lambda t: SHEET_ENTRY.sub(lambda found: found[0] + listed, t),
    )

    assert said in sentence(tmp_path / "rows.xlsx", data)


def test_a_part_that_nobody_reads_may_say_what_it_likes(tmp_path):
    data = with_part(DATA, "xl/vbaProject.bin", b"\x00macro")

    assert len(read(tmp_path / "rows.xlsm", data).rows) == 1


def test_a_workbook_that_others_have_open_is_read(tmp_path):
    path = tmp_path / "rows.xlsx"
    path.write_bytes(DATA)

    with path.open("r+b"):
        table = READER.read(path, kind=None, sheet=None)

    assert len(table.rows) == 1


@pytest.mark.parametrize("seed", range(40))
def test_a_workbook_with_flipped_bytes_is_read_or_refused(tmp_path, seed):
    chance = random.Random(seed)
    data = bytearray(DATA)
    for _ in range(chance.choice([1, 3, 20])):
        data[chance.randrange(len(data))] = chance.randrange(256)

    # Anything but a table or a WorkbookError fails the test by itself.
    with suppress(WorkbookError):
        assert len(read(tmp_path / "rows.xlsx", bytes(data)).rows) <= 1
