"""The person's own workbook comes back: all that is theirs is as it was."""

import asyncio
import io
import re
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.formatting.rule import CellIsRule
from openpyxl.styles import Font, PatternFill
from openpyxl.utils.datetime import CALENDAR_MAC_1904
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.table import Table

from contracts.test_reader_results import reported
from doubles.reports import PROJECT_HEADINGS
from flows.test_identity import OFFICE, saved_by_office
from kawe.cases.kit import NoProgress, Toolkit
from kawe.cases.sheets import result_place, why_new
from kawe.domain.batch.readings import Reading
from kawe.settings.values import Settings
from kawe.workbook.reading.books import XlsxBook
from kawe.workbook.reading.reader import CalamineReader
from kawe.workbook.results.result import StreamedResultWriter
from unit.workbook.books import COLUMNS, patched, saved, with_part

ROOT = Path(__file__).parents[2]
SAMPLES = sorted(
    each
    for folder in ("good", "odd")
    for each in (ROOT / "samples" / folder).glob("*/*.xls[xm]")
)
SHEET = "xl/worksheets/sheet1.xml"
ANEW = {
    "[Content_Types].xml",
    "xl/workbook.xml",
    "xl/_rels/workbook.xml.rels",
    "xl/styles.xml",
    "xl/worksheets/_rels/sheet1.xml.rels",
    SHEET,
}
TITLES = ["Results", "Projects", "Notes", "Summary", "Problems", "Waiting"]
NEW_WORKBOOK = "This is a new workbook and not your own, because "


class _Halt:
    asked = False


def checked(path: Path) -> Path:
    """Check a workbook and write its result where a person finds it."""
    toolkit = Toolkit(
        settings=Settings(base_url="http://127.0.0.1:9", key="k"),
        progress=NoProgress(),
        halt=_Halt(),  # type: ignore[arg-type]
    )
    reading = Reading(workbook=path, include_hidden=True, takes_struck=True)
    report = toolkit.check_report(asyncio.run(toolkit.check(reading)), workbook=path)
    return toolkit.writer(path).write(report, result_place(path, wanted=None))


def own_book(change: Callable[[Workbook], None] = lambda _: None) -> bytes:
    """A workbook as a person keeps it: with formulas, colours, a chart, names."""
    book = Workbook()
    sheet, notes = book.active, book.create_sheet("Notes")
    assert sheet is not None
    sheet.title = "Projects"
    sheet.append(["Our projects"])
    sheet.append(["Name", "Description", "Type", "Start date", "Cost"])
    sheet.append(["Bridge", "=upper(B4)", "Earthworks", "1/2/2030", 5])
    sheet.append(["Weir", "A weir", "tbc", "1/3/2030", 7])
    sheet.append(["<b>&Road", "@cmd|x", "Earthworks", "soon", None])
    sheet["A3"].fill = PatternFill("solid", fgColor="FFFF00")
    sheet["A4"].font = Font(bold=True)
    sheet["H4"] = "to the right of all"
    sheet.merge_cells("A1:C1")
    sheet.row_dimensions[5].height = 40
    choices = DataValidation(type="list", formula1='"Earthworks,Other"')
    choices.add("C3:C99")
    sheet.add_data_validation(choices)
    red = PatternFill("solid", bgColor="FF0000")
    sheet.conditional_formatting.add(
        "E3:E9", CellIsRule(operator="greaterThan", formula=["6"], fill=red)
    )
    notes["A1"] = "=SUM(Projects!E3:E9)"
    notes["B2"].comment = Comment("mine", "Mere")
    chart = BarChart()
    chart.add_data(Reference(sheet, min_col=5, min_row=2, max_row=5))
    notes.add_chart(chart, "D2")
    book.defined_names["costs"] = DefinedName("costs", attr_text="Projects!$E$3:$E$9")
    notes.print_title_rows = "1:1"
    change(book)
    return saved(book)


def crcs(path: Path) -> dict[str, int]:
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        return {info.filename: info.CRC for info in archive.infolist()}


def cells(path: Path, sheet: str) -> dict[str, Any]:
    """Every cell: what it says, and how it looks but for its fill."""
    return {
        cell.coordinate: (cell.value, cell.data_type, cell.font.b, cell.number_format)
        for row in load_workbook(path)[sheet].iter_rows()
        for cell in row
        if cell.value is not None
    }


def summary(path: Path) -> str:
    book = load_workbook(path)
    return "\n".join(str(cell.value) for row in book["Summary"] for cell in row)


@pytest.fixture
def own(tmp_path) -> Path:
    path = tmp_path / "monthly.xlsx"
    path.write_bytes(own_book())
    return path


def test_only_the_sheet_and_the_lists_of_parts_are_written_anew(own):
    before, after = crcs(own), crcs(checked(own))

    assert {name for name, crc in before.items() if after.get(name) != crc} <= ANEW
    assert any("chart" in name for name in before.keys() - ANEW)


def test_their_cells_stand_where_they_stood_and_kawes_to_the_right(own):
    before, after = cells(own, "Projects"), cells(checked(own), "Projects")

    assert {at: cell for at, cell in after.items() if at in before} == before
    added = {at: cell[0] for at, cell in after.items() if at not in before}
    assert added == {
        **{
            f"{at}2": each
            for at, each in zip("IJKLMNOP", PROJECT_HEADINGS, strict=True)
        },
        **{f"I{row}": "To correct" for row in (3, 4, 5)},
        **{at: cell for at, cell in added.items() if re.fullmatch(r"J[345]", at)},
    }
    assert {cell[1] for at, cell in after.items() if at not in before} == {"s"}


def test_what_belongs_to_their_sheets_is_alive(own):
    book = load_workbook(checked(own))

    sheet = book["Projects"]
    assert (book.sheetnames, book.active.title) == (TITLES, "Results")
    assert [str(each.sqref) for each in sheet.data_validations.dataValidation] == [
        "C3:C99"
    ]
    assert [str(each.sqref) for each in sheet.conditional_formatting] == ["E3:E9"]
    assert [str(each) for each in sheet.merged_cells.ranges] == ["A1:C1"]
    assert (sheet.freeze_panes, sheet.row_dimensions[5].height) == ("A3", 40)
    assert book.defined_names["costs"].attr_text == "Projects!$E$3:$E$9"
    assert book["Notes"].print_title_rows == "$1:$1"
    assert book["Notes"]["A1"].value == "=SUM(Projects!E3:E9)"


def test_the_cells_that_name_a_row_and_the_wrong_ones_are_marked(own):
    sheet = load_workbook(checked(own))["Projects"]

    assert {at: sheet[at].fill.fgColor.rgb for at in ("A3", "A4", "D5", "E4")} == {
        "A3": "FFFFC7CF",
        "A4": "FFFFC7CF",
        "D5": "FFFFC7CF",
        "E4": "00000000",
    }
    assert sheet["A4"].font.b
    assert "To correct." in sheet["A4"].comment.text
    assert "“soon” is not a date" in sheet["D5"].comment.text


def test_results_names_every_row_on_one_screen_with_a_link(own):
    sheet = load_workbook(checked(own))["Results"]

    assert [cell.value for cell in sheet[1]] == [
        *("Row", "Reference", "Name", "Outcome", "What to do", "To iwi"),
        *("Project id", "Link", "Receipt number", "Time", "Reference at the service"),
    ]
    assert [each.name for each in sheet.tables["kawe_results"].tableColumns] == [
        *("Row", "Reference", "Name", "ResultCode", "WhatToDo", "ToIwi"),
        *("ProjectId", "Link", "ReceiptNumber", "Time", "ReferenceAtTheService"),
    ]
    assert [row[:4] for row in sheet.iter_rows(min_row=3, values_only=True)] == [
        ("3", None, "Bridge", "To correct"),
        ("4", None, "Weir", "To correct"),
        ("5", None, "<b>&Road", "To correct"),
    ]
    assert sheet["A4"].hyperlink.location == "'Projects'!A4"
    widths = sheet.column_dimensions
    assert sum(each.width for each in widths.values() if not each.hidden) < 165
    assert widths["G"].hidden


def test_links_and_comments_both_have_their_relations(own):
    table = CalamineReader(COLUMNS).read(own, kind=None, sheet=None)
    reader = CalamineReader(COLUMNS)
    reader.open(own, kind=None, sheet=None)
    rows = tuple(
        replace(each, link=f"https://portal.example.nz/{each.where.row}?a=1&b=2")
        for each in reported(table).rows
    )
    report = replace(reported(table), rows=rows)
    original = reader.original(own, kind=table.kind, sheet=table.sheet)
    assert original is not None
    writer = StreamedResultWriter(protect=frozenset({own}), original=lambda _: original)
    result = writer.write(report, own.with_name("monthly.result.xlsx"))

    sheet = load_workbook(result)["Projects"]
    assert sheet["M4"].hyperlink.target == "https://portal.example.nz/4?a=1&b=2"
    assert sheet["A4"].comment.text.endswith("To correct. Correct it.")
    assert writer.write(report, result) == result


def test_a_corrected_result_comes_back_under_its_name(own):
    result = checked(own)
    book = load_workbook(result)
    book["Projects"]["D5"] = "1/2/2030"
    book["Projects"]["Q5"] = "my own remark"
    book["Projects"].insert_rows(4)
    book["Projects"]["A4"] = "New row"
    book.save(result)

    again = checked(result)

    assert again == result
    assert sorted(each.name for each in own.parent.iterdir()) == [
        *(f"monthly.result.{end}" for end in ("csv", "html", "json", "xlsx")),
        "monthly.xlsx",
    ]
    book = load_workbook(again)
    sheet = book["Projects"]
    assert book.sheetnames == TITLES
    assert [cell.value for cell in sheet[2]][8:16] == list(PROJECT_HEADINGS)
    assert (sheet["Q6"].value, sheet["I4"].value) == ("my own remark", "To correct")
    assert sheet["D6"].fill.fgColor.rgb == "00000000"
    assert sheet["D6"].comment is None


@pytest.mark.parametrize(
    ("sheet", "cell"), [("Projects", "J4"), ("Results", "H2"), ("Problems", "G2")]
)
def test_what_somebody_typed_into_kawes_cells_is_not_lost(own, sheet, cell):
    result = checked(own)
    book = load_workbook(result)
    book[sheet][cell] = "Hemi rings them"
    book.save(result)
    before = result.read_bytes()

    again = checked(result)

    assert (again.name, result.read_bytes()) == ("monthly.result (2).xlsx", before)


def test_the_colour_of_a_cell_comes_back_when_it_is_right(own):
    with zipfile.ZipFile(checked(own)) as archive:
        styles = archive.read("xl/styles.xml")
    assert b'<fgColor rgb="FFFFC7CF"/><bgColor rgb="00FFFF00"' in styles


def _renamed(tag: bytes) -> Callable[[bytes], bytes]:
    return lambda text: re.sub(rb"<(/?)(\w)", rb"<\1%b:\2" % tag, text).replace(
        b"xmlns=", b"xmlns:%b=" % tag
    )


ODD = {
    "prefixed": _renamed(b"x"),
    "no places": lambda text: re.sub(rb"<(row|c) r=\"[A-Z0-9]+\"", rb"<\1", text),
    "single quotes": lambda text: re.sub(
        rb'(<(?:row|c)) r="(\w+)"', rb"\1 r='\2'", text
    ),
    "comments": lambda text: text.replace(b"<row", b"<!-- <row r='1'> --><row"),
    "sections": lambda text: text.replace(b"Weir", b"<![CDATA[Weir]]>"),
    "spans": lambda text: text.replace(b"<row ", b'<row spans="1:5" '),
    "empty rows": lambda text: text.replace(
        b"</sheetData>", b'<row r="9"/></sheetData>'
    ),
    "extension": lambda text: text.replace(
        b"</worksheet>",
        b'<extLst><ext uri="{x}" xmlns:z="urn:z"><z:a b="1>2"/></ext></extLst>'
        b"</worksheet>",
    ),
}


@pytest.mark.parametrize("change", ODD.values(), ids=ODD)
def test_a_sheet_in_any_shape_comes_back_with_its_cells(tmp_path, change):
    rows = [("Name", "Type", "Start date"), ("Weir", "tbc", "soon"), ("Dam", "x", 5)]

    book = Workbook()
    assert book.active is not None
    book.active.title = "Projects"
    for row in rows:
        book.active.append(row)
    path = tmp_path / "odd.xlsx"
    path.write_bytes(patched(saved(book), SHEET, change))

    result = checked(path)

    there = dict(XlsxBook(result.read_bytes(), name="odd.xlsx").grid("Projects").rows)
    assert there[1][:11] == (*rows[0], *PROJECT_HEADINGS)
    assert [there[at][:4] for at in (2, 3)] == [
        ("Weir", "tbc", "soon", "To correct"),
        ("Dam", "x", 5.0, "To correct"),
    ]
    if b"z:a" in change(b"</worksheet>"):
        with zipfile.ZipFile(result) as archive:
            assert b"<z:a b=" in archive.read(SHEET)


def test_a_table_and_its_filter_take_kawes_columns_in(tmp_path):
    def change(book: Workbook) -> None:
        sheet = book["Projects"]
        sheet["H4"] = None
        sheet.add_table(Table(displayName="kawe_results", ref="A2:E5"))

    path = tmp_path / "table.xlsx"
    path.write_bytes(own_book(change))

    book = load_workbook(checked(path))

    table = book["Projects"].tables["kawe_results"]
    assert (table.ref, table.autoFilter.ref) == ("A2:M5", "A2:M5")
    assert [each.name for each in table.tableColumns][5:] == list(PROJECT_HEADINGS)
    assert list(book["Results"].tables) == ["kawe_results_2"]


def test_their_sheet_prints_what_matters_unless_they_said_how(tmp_path):
    def set_up(book: Workbook) -> None:
        book["Projects"].page_setup.orientation = "portrait"

    def printed(path: Path) -> tuple[Any, ...]:
        sheet = load_workbook(path)["Projects"]
        area = sheet.print_area, sheet.print_title_cols, sheet.print_title_rows
        return *area, sheet.page_setup.orientation

    plain, theirs = tmp_path / "plain.xlsx", tmp_path / "theirs.xlsx"
    plain.write_bytes(own_book())
    theirs.write_bytes(own_book(set_up))
    said = ("'Projects'!$I$1:$K$1048576", "$A:$A", "$2:$2", "landscape")

    assert printed(checked(theirs)) == ("", None, None, "portrait")
    assert printed(checked(plain)) == said
    assert printed(checked(tmp_path / "plain.result.xlsx")) == said


def test_a_filter_and_its_name_grow_together(tmp_path):
    def change(book: Workbook) -> None:
        book["Projects"]["H4"] = None
        book["Projects"].auto_filter.ref = "A2:E5"

    path = tmp_path / "filter.xlsx"
    path.write_bytes(own_book(change))

    result = checked(path)

    assert load_workbook(result)["Projects"].auto_filter.ref == "A2:M5"
    with zipfile.ZipFile(result) as archive:
        assert b"$A$2:$M$5" in archive.read("xl/workbook.xml")


def _commented(book: Workbook) -> None:
    book["Projects"]["A4"].comment = Comment("ask Hemi", "Mere")


def test_comments_stay_and_kawe_adds_none_where_boxes_are_of_another_form(tmp_path):
    path = tmp_path / "comments.xlsx"
    path.write_bytes(own_book(_commented))
    before, after = crcs(path), crcs(result := checked(path))

    said = [name for name in before if "comment" in name or "vml" in name.lower()]
    assert {name: after[name] for name in said} == {name: before[name] for name in said}
    assert load_workbook(result)["Projects"]["A4"].comment.text == "ask Hemi"
    assert "comments of its own" in summary(result)


RELATIONS = "xl/worksheets/_rels/sheet1.xml.rels"
THREAD = "xl/threadedComments/threadedComment1.xml"
SAID = (
    b"<?xml version='1.0' encoding='UTF-8' standalone='yes'?>\r\n<m:comments "
    b'xmlns:m="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
    b"<m:authors><m:author>Mere &amp; co</m:author><m:author>tc={1}</m:author>"
    b'</m:authors><m:commentList><m:comment ref="A4" authorId="0" shapeId="0"><m:text>'
    b"<m:r><m:t>ask Hemi</m:t></m:r></m:text></m:comment>"
    b'<m:comment ref="H4" authorId="1" shapeId="0"><m:text><m:t>[Threaded comment]'
    b"</m:t></m:text></m:comment></m:commentList></m:comments>"
)
_BOX = (
    b'<v:shape id="_x0000_s3073" type="#_x0000_t202" style="visibility:hidden">'
    b'<x:ClientData ObjectType="Note"><x:Row>3</x:Row><x:Column>%d</x:Column>'
    b"</x:ClientData></v:shape>"
)
BOXES = (
    b'<xml xmlns:v="urn:schemas-microsoft-com:vml"\r\n '
    b'xmlns:o="urn:schemas-microsoft-com:office:office"\r\n '
    b'xmlns:x="urn:schemas-microsoft-com:office:excel">'
    b'<v:shapetype id="_x0000_t202" o:spt="202" path="m,l,21600r21600,l21600,xe"/>'
    + _BOX % 0
    + (_BOX % 7).replace(b"3073", b"3074")
    + b"</xml>"
)


def excel_book(path: Path) -> Path:
    """A workbook with a comment and a thread, as Excel writes them."""
    data = own_book(_commented)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        relations = archive.read(RELATIONS).decode()
        texts, boxes = re.findall(r'Target="/(xl/\S*(?:comment|legacy)\S*)"', relations)
    thread = (
        f'<Relationship Id="t1" Target="/{THREAD}" Type="http://schemas.microsoft.com/'
        'office/2017/10/relationships/threadedComment"/></Relationships>'
    )
    related = relations.replace("</Relationships>", thread).encode()
    for part, text in ((texts, SAID), (boxes, BOXES), (RELATIONS, related)):
        data = patched(data, part, lambda _, text=text: text)
    data = with_part(data, THREAD, b"<ThreadedComments/>")
    path.write_bytes(data)
    return path


def notes_of(path: Path) -> dict[str, str]:
    """Every comment of the sheet by its cell, with its author and its first word."""
    return {
        cell.coordinate: f"{cell.comment.author}: {cell.comment.text.split()[0]}"
        for row in load_workbook(path)["Projects"].iter_rows()
        for cell in row
        if cell.comment is not None
    }


WITH_OURS = {
    "A3": "kawe: kawe,",
    "B3": "kawe: kawe,",
    "A4": "Mere & co: ask",
    "H4": "tc={1}: [Threaded",
    "C4": "kawe: kawe,",
    "A5": "kawe: kawe,",
    "D5": "kawe: kawe,",
}


def parts_of(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_kawe_adds_its_comments_to_theirs_which_stay_byte_for_byte(tmp_path):
    result = checked(excel_book(tmp_path / "comments.xlsx"))
    first = notes_of(result)
    once = parts_of(result)
    texts = next(text for text in once.values() if b"ask Hemi" in text)
    boxes = next(text for text in once.values() if b"_x0000_s3074" in text)
    # The same again, onto the result: kawe's comments are replaced, not added.
    again = parts_of(back := checked(result))

    assert first == WITH_OURS
    assert "comments of its own" not in summary(result)
    listed = SAID.index(b"</m:commentList>")
    assert texts.startswith(SAID[: SAID.index(b"</m:authors>")])
    assert SAID[SAID.index(b"<m:commentList>") : listed] in texts
    assert boxes.startswith(BOXES.removesuffix(b"</xml>"))
    assert once[THREAD] == b"<ThreadedComments/>"
    numbers = re.findall(rb"_x0000_s(\d+)", boxes)
    assert len(numbers) == len({*numbers}) == len(WITH_OURS)
    assert (back, notes_of(back)) == (result, WITH_OURS)
    assert [len(re.findall(rb"<v:shape ", each)) for each in again.values()].count(
        len(WITH_OURS)
    ) == 1


def test_a_persons_words_in_a_comment_of_kawes_beside_theirs_are_not_lost(tmp_path):
    result = checked(excel_book(tmp_path / "comments.xlsx"))
    name = next(n for n, text in parts_of(result).items() if b"ask Hemi" in text)
    text = parts_of(result)[name].replace(b"To correct", b"Aroha: To correct", 1)
    typed = patched(result.read_bytes(), name, lambda _: text)
    result.write_bytes(typed)

    assert checked(result).name == "comments.result (2).xlsx"
    assert result.read_bytes() == typed


@pytest.mark.short_campaign
@pytest.mark.skipif(OFFICE is None, reason="LibreOffice is not on this machine")
@pytest.mark.filterwarnings("ignore:Print area")
def test_libreoffice_opens_both_peoples_comments(tmp_path):
    result = checked(excel_book(tmp_path / "comments.xlsx"))
    opened = notes_of(saved_by_office(result, tmp_path / "saved"))
    assert opened.keys() == WITH_OURS.keys()
    assert opened["A4"].endswith(": ask")


def _wide(book: Workbook) -> None:
    book["Projects"].cell(1, 198, "far")


def _from_1904(book: Workbook) -> None:
    book.epoch = CALENDAR_MAC_1904


@pytest.mark.parametrize(
    ("change", "part", "why"),
    [
        (_wide, "docProps/none.xml", "it has no room for kawe's columns"),
        (_from_1904, "docProps/none.xml", "it counts days from 1904"),
        (lambda _: None, "_xmlsignatures/origin.sigs", "it is signed"),
    ],
    ids=["wide", "1904", "signed"],
)
def test_a_workbook_that_cannot_come_back_says_why(own, *, change, part, why):
    own.write_bytes(with_part(own_book(change), part, b""))

    result = checked(own)

    assert f"{NEW_WORKBOOK}{why}" in " ".join(summary(result).split())
    assert "Notes" not in load_workbook(result).sheetnames


def test_a_csv_file_gets_a_new_workbook_which_says_so(tmp_path):
    path = tmp_path / "monthly.csv"
    path.write_text("Name,Type,Start date\nWeir,tbc,soon\n", encoding="utf-8")

    result = checked(path)

    assert f"{NEW_WORKBOOK}your rows are in a text file." in summary(result)
    assert why_new(result) == "your rows are in a text file"
    assert why_new(tmp_path / "other.xlsx") == ""


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda each: each.parent.name)
def test_every_sample_comes_back_whole_and_is_read_as_before(tmp_path, sample):
    path = tmp_path / sample.name
    path.write_bytes(sample.read_bytes())

    result = checked(path)

    before, after = crcs(path), crcs(result)
    if NEW_WORKBOOK in summary(result):
        assert sample.parent.name in {"counts-from-1904", "far-cell"}
        return
    assert result.suffix == path.suffix
    changed = {name for name, crc in before.items() if after.get(name) != crc}
    parts = {name.rpartition("/")[2] for name in changed}
    assert len([each for each in parts if each.startswith("sheet")]) <= 2
    assert changed - ANEW <= {
        name for name in before if "tables/" in name or "worksheets/" in name
    }
    assert checked(result) == result
