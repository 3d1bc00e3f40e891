"""Workbooks are put together as ECMA-376 asks: what is not so, Excel "repairs"."""

import io
import posixpath
import zipfile
from datetime import datetime
from xml.etree import ElementTree as ET

import pytest

from contracts.test_reader_result_sheets import WEB, finding, report, row
from kawe.domain.batch.outcomes import Outcome
from kawe.workbook.results import styles
from kawe.workbook.results.result import write_result
from kawe_xlsx.writing.book import new_book
from kawe_xlsx.writing.page import CellLink, Shape, shown_row

_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_WORKSHEET = (
    *("sheetPr", "dimension", "sheetViews", "sheetFormatPr", "cols", "sheetData"),
    *("sheetCalcPr", "sheetProtection", "protectedRanges", "scenarios", "autoFilter"),
    *("sortState", "dataConsolidate", "customSheetViews", "mergeCells", "phoneticPr"),
    *("conditionalFormatting", "dataValidations", "hyperlinks", "printOptions"),
    *("pageMargins", "pageSetup", "headerFooter", "rowBreaks", "colBreaks"),
    *("customProperties", "cellWatches", "ignoredErrors", "smartTags", "drawing"),
    *("legacyDrawing", "legacyDrawingHF", "picture", "oleObjects", "controls"),
    *("webPublishItems", "tableParts", "extLst"),
)
_ORDERS = {
    "worksheet": _WORKSHEET,
    "workbook": (
        *("fileVersion", "fileSharing", "workbookPr", "workbookProtection"),
        *("bookViews", "sheets", "functionGroups", "externalReferences"),
        *("definedNames", "calcPr"),
    ),
    "styleSheet": (
        *("numFmts", "fonts", "fills", "borders", "cellStyleXfs", "cellXfs"),
        *("cellStyles", "dxfs", "tableStyles", "colors", "extLst"),
    ),
    "sheetView": ("pane", "selection"),
    "font": ("b", "i", "u", "sz", "color", "name", "family"),
    "border": ("left", "right", "top", "bottom", "diagonal"),
    "table": ("autoFilter", "tableColumns", "tableStyleInfo"),
    "comments": ("authors", "commentList"),
    "hyperlinks": ("hyperlink",),
}


@pytest.fixture(scope="module")
def parts():
    """Give every part of a result that has all there is."""
    rows = [
        row(
            number,
            outcome,
            link=WEB,
            what_to_do="<&>",
            findings=(finding(number, 2), finding(number, None, heading="")),
        )
        for number, outcome in enumerate(Outcome, start=4)
    ]
    files = [io.BytesIO() for _ in range(3)]
    write_result(report(*rows, sheet="It's & <mine>"), files)
    with zipfile.ZipFile(files[0]) as archive:
        assert len(set(archive.namelist())) == len(archive.namelist())
        return {name: archive.read(name) for name in archive.namelist()}


def _trees(parts, within=""):
    named = {name: text for name, text in parts.items() if name.startswith(within)}
    return {name: ET.fromstring(text) for name, text in named.items()}


def _local(element):
    return element.tag.rpartition("}")[2]


def test_elements_stand_in_the_order_that_excel_insists_on(parts):
    astray = []
    seen = set()
    for name, tree in _trees(parts).items():
        for element in tree.iter():
            order = _ORDERS.get(_local(element))
            if order is None:
                continue
            seen.add(_local(element))
            places = [order.index(_local(child)) for child in element]
            if places != sorted(places):
                astray.append((name, _local(element)))
    assert (astray, seen) == ([], set(_ORDERS))


def test_rows_and_cells_count_upwards(parts):
    astray = []
    for name, tree in _trees(parts, within="xl/worksheets/").items():
        rows = [int(each.get("r")) for each in tree.iter() if _local(each) == "row"]
        astray += [name] * (rows != sorted(set(rows)))
        for each in tree.iter():
            if _local(each) == "row":
                cells = [(len(c.get("r")), c.get("r")) for c in each]
                astray += [name] * (cells != sorted(set(cells)))
    assert astray == []


def test_every_relation_leads_to_a_part_and_every_part_has_its_type(parts):
    trees = _trees(parts)
    types = trees["[Content_Types].xml"]
    named = {each.get("PartName") for each in types if each.get("PartName")}
    endings = {each.get("Extension") for each in types if each.get("Extension")}
    reached = set()
    for name, tree in trees.items():
        if not name.endswith(".rels"):
            continue
        folder = posixpath.dirname(posixpath.dirname(name))
        ids = [each.get("Id") for each in tree]
        assert len(ids) == len(set(ids))
        reached |= {
            posixpath.normpath(posixpath.join(folder, each.get("Target")))
            for each in tree
            if each.get("TargetMode") != "External"
        }
    others = {
        name
        for name in parts
        if not name.endswith(".rels") and name != "[Content_Types].xml"
    }
    assert reached == others
    assert named <= {f"/{name}" for name in others}
    assert {name for name in others if f"/{name}" not in named} == {
        name for name in others if name.endswith(".vml")
    }
    assert {"rels", "xml", "vml"} == endings


def test_every_relation_that_a_part_names_is_one_of_its_own(parts):
    trees = _trees(parts)
    for name, tree in trees.items():
        used = {each.get(_RELATION) for each in tree.iter()} - {None}
        folder, base = posixpath.split(name)
        own = trees.get(f"{folder}/_rels/{base}.rels", ())
        assert used <= {each.get("Id") for each in own}, name


def test_tables_and_styles_are_numbered_as_they_are_used(parts):
    trees = _trees(parts)
    tables = [tree for tree in trees.values() if _local(tree) == "table"]
    assert len({tree.get("id") for tree in tables}) == len(tables) == 4
    assert len({tree.get("displayName") for tree in tables}) == 4
    sheet = trees["xl/styles.xml"]
    counted = {_local(each): (int(each.get("count")), len(each)) for each in sheet}
    assert {name: said == found for name, (said, found) in counted.items()} == (
        dict.fromkeys(counted, True)
    )
    used = {
        int(each.get("s"))
        for tree in trees.values()
        for each in tree.iter()
        if _local(each) == "c"
    }
    assert max(used) < counted["cellXfs"][0]


def test_no_cell_holds_a_formula(parts):
    found = [
        name
        for name, tree in _trees(parts, within="xl/worksheets/").items()
        for each in tree.iter()
        if _local(each) == "f" or each.get("t") in {"str", "e"}
    ]
    assert found == []


def test_a_sheet_takes_no_more_links_than_excel_does():
    link = CellLink(cell="A1", location="'a'!A1")
    with (
        new_book(io.BytesIO(), styles=styles.style_sheet(), title="t") as book,
        book.page(Shape(title="a", widths=(9.0,)), number=1) as page,
    ):
        page.links.extend([link] * 59_999)
        before = page.has_room_for_links
        page.links.append(link)
        assert (before, page.has_room_for_links) == (True, False)


def test_other_programs_tell_a_workbook_by_its_first_part(parts):
    assert next(iter(parts)) == "_rels/.rels"


def test_a_midnight_that_is_read_as_its_day_alone_shows_the_same():
    midnight = datetime(2026, 11, 30)  # noqa: DTZ001 - a cell has no zone
    noon = midnight.replace(hour=12)
    assert shown_row(["Pending", midnight]) == shown_row(["Pending", midnight.date()])
    assert shown_row([noon]) != shown_row([noon.date()])
