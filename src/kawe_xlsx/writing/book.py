"""Writes a workbook as a zip, sheet by sheet.

openpyxl takes seven times as long. Tests check the order of the elements (ECMA-376):
Excel removes what is out of order.
"""

import shutil
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import IO, Final, NamedTuple

from kawe_xlsx.cells import OWN_SHEET, column_letters
from kawe_xlsx.writing.charts import chart_part, drawing_part
from kawe_xlsx.writing.comments import AUTHOR, boxes_part, comments_part
from kawe_xlsx.writing.page import (
    BOXES,
    CHARTS,
    LINKS,
    RELATIONS,
    TABLE,
    Printed,
    Shape,
    SheetWriter,
)
from kawe_xlsx.writing.styles import MAIN, PROLOG, StyleSheet
from kawe_xlsx.writing.text import attribute, escaped, plain_text

_LEVEL: Final = 1
"""A higher level takes up to twice the time and saves a tenth."""
_OFFICE_PROPERTIES: Final = (
    "http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"
)
_PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006"
_CORE_KIND: Final = f"{_PACKAGE}/relationships/metadata/core-properties"
_SHEET_ML: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_OFFICE: Final = "application/vnd.openxmlformats-officedocument"
BOXES_TYPE: Final = f"{_OFFICE}.vmlDrawing"
COMMENTS_TYPE: Final = f"{_SHEET_ML}.comments+xml"
STYLES_TYPE: Final = f"{_SHEET_ML}.styles+xml"
_TYPES: Final = {
    TABLE: f"{_SHEET_ML}.table+xml",
    CHARTS: f"{_OFFICE}.drawing+xml",
    "chart": f"{_OFFICE}.drawingml.chart+xml",
    "comments": COMMENTS_TYPE,
}
"""Of parts by their kind, where the ending does not give them."""
SHEET_PARTS: Final = "xl/worksheets/sheet"
_LAST_ROW: Final = 1_048_576
_HIDDEN: Final = 'state="hidden" '
_HELD_BYTES: Final = 2**20


class WorkbookWriter:
    """An open workbook; its sheets are written one after the other.

    `before` is how many numbers of parts are taken.
    """

    def __init__(
        self, archive: zipfile.ZipFile, *, styles: StyleSheet, before: int = 0
    ) -> None:
        self.sheets: list[SheetWriter] = []
        self._archive = archive
        self.styles = styles
        self._before = before

    @contextmanager
    def page(self, shape: Shape, *, number: int) -> Iterator[SheetWriter]:
        """Write sheet `number`, from 1, in any order; complete after the block.

        A sheet that grows beside another one is written aside first.
        """
        number += self._before
        name = f"{SHEET_PARTS}{number}.xml"
        with (
            tempfile.SpooledTemporaryFile(_HELD_BYTES)
            if shape.is_aside
            else self._archive.open(name, "w")
        ) as out:
            page = SheetWriter(out, shape, number=number, styles=self.styles)
            yield page
            page.close()
            if shape.is_aside:
                out.seek(0)
                with self._archive.open(name, "w") as part:
                    shutil.copyfileobj(out, part)
        for name, texts in _files_beside(page):
            _put(self._archive, name, texts)
        self.sheets.append(page)

    def free_table(self, name: str) -> str:
        return name

    def in_order(self) -> list[SheetWriter]:
        return sorted(self.sheets, key=lambda sheet: sheet.number)


@contextmanager
def new_book(
    file: IO[bytes],
    *,
    styles: StyleSheet,
    title: str,
    creator: str = AUTHOR,
    made_at: datetime | None = None,
) -> Iterator[WorkbookWriter]:
    """Write a workbook called `title` to `file`; complete after the block.

    What `creator` makes at a given time is always the same bytes.
    """
    with new_zip(file) as archive:
        book = WorkbookWriter(archive, styles=styles)
        core = _core(plain_text(title), creator, made_at)
        for name, texts in (*_first_files(core), ("xl/styles.xml", [styles.xml()])):
            _put(archive, name, texts)
        yield book
        for name, texts in _last_files(book.in_order()):
            _put(archive, name, texts)


def _put(archive: zipfile.ZipFile, name: str, texts: Iterable[str]) -> None:
    """Write a part, piece by piece; unlike `writestr`, without the time of now."""
    with archive.open(name, "w") as part:
        part.writelines(map(str.encode, texts))


def new_zip(file: IO[bytes]) -> zipfile.ZipFile:
    return zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL)


def quoted_sheet(title: str) -> str:
    return "'" + title.replace("'", "''") + "'"


class _Part(NamedTuple):
    """A part beside a sheet."""

    kind: str
    """Of its relation, which has its name."""
    path: str
    xml: str
    relations: tuple[str, ...] = ()
    """Of the part itself."""

    def related(self, name: str = "") -> str:
        return relation(name or self.kind, self.kind, f"../{self.path}")


def _parts_beside(page: SheetWriter) -> Iterator[_Part]:
    number = page.number
    if page.table_part:
        yield _Part(TABLE, f"tables/table{number}.xml", page.table_part)
    if page.charts:
        charts = enumerate(_charts_of(page), start=1)
        yield _Part(
            CHARTS,
            f"drawings/drawing{number}.xml",
            drawing_part(page.charts),
            tuple(part.related(f"rId{at}") for at, part in charts),
        )
    if page.comments:
        yield _Part("comments", f"comments{number}.xml", comments_part(page.comments))
        boxes = boxes_part(page.comments)
        yield _Part(BOXES, f"drawings/vmlDrawing{number}.vml", boxes)


def _charts_of(page: SheetWriter) -> Iterator[_Part]:
    """Give the parts of charts, which the drawing relates to."""
    for at, chart in enumerate(page.charts, start=1):
        yield _Part("chart", f"charts/chart{page.number}{at:02}.xml", chart_part(chart))


def _files_beside(page: SheetWriter) -> Iterator[tuple[str, Iterable[str]]]:
    """Give each part beside a written sheet, with its XML."""
    parts = list(_parts_beside(page))
    links = (
        relation(f"{LINKS}{number}", "hyperlink", link.url)
        for number, link in enumerate(page.links, start=1)
        if link.url
    )
    if parts or any(link.url for link in page.links):
        name = f"xl/worksheets/_rels/sheet{page.number}.xml.rels"
        yield name, relations_part(chain(links, (part.related() for part in parts)))
    for part in (*parts, *_charts_of(page)):
        yield f"xl/{part.path}", [part.xml]
        if part.relations:
            folder, _, file = part.path.partition("/")
            yield f"xl/{folder}/_rels/{file}.rels", relations_part(part.relations)


def _first_files(core: str) -> Iterator[tuple[str, Iterable[str]]]:
    """Give the parts that identify a workbook."""
    relations = [
        relation("rId1", "officeDocument", "xl/workbook.xml"),
        relation("rId2", _CORE_KIND, "docProps/core.xml"),
        relation("rId3", "extended-properties", "docProps/app.xml"),
    ]
    yield "_rels/.rels", relations_part(relations)
    yield "docProps/core.xml", [core]
    about = f"<Application>{AUTHOR}</Application>"
    properties = f'<Properties xmlns="{_OFFICE_PROPERTIES}">{about}</Properties>'
    yield "docProps/app.xml", [PROLOG, properties]


def _last_files(sheets: Sequence[SheetWriter]) -> Iterator[tuple[str, Iterable[str]]]:
    """Give the parts that name all sheets."""
    yield "xl/workbook.xml", [_workbook(sheets)]
    relations = [
        relation(
            f"rId{sheet.number}", "worksheet", f"worksheets/sheet{sheet.number}.xml"
        )
        for sheet in sheets
    ]
    relations.append(relation("styles", "styles", "styles.xml"))
    yield "xl/_rels/workbook.xml.rels", relations_part(relations)
    yield "[Content_Types].xml", [_content_types(sheets)]


def _workbook(sheets: Sequence[SheetWriter]) -> str:
    listed = "".join(
        f'<sheet name="{attribute(sheet.shape.title)}" sheetId="{sheet.number}" '
        f'{_HIDDEN if sheet.shape.is_hidden else ""}r:id="rId{sheet.number}"/>'
        for sheet in sheets
    )
    names = "".join(
        chain.from_iterable(names_of(each, at=at) for at, each in enumerate(sheets))
    )
    return (
        f'{PROLOG}<workbook xmlns="{MAIN}" xmlns:r="{RELATIONS}"><workbookPr/>'
        f"<bookViews><workbookView/></bookViews><sheets>{listed}</sheets>"
        f"{f'<definedNames>{names}</definedNames>' if names else ''}</workbook>"
    )


def names_of(sheet: SheetWriter, *, at: int) -> Iterator[str]:
    """Give the names in the workbook that point at a sheet, which is number `at`."""
    title = escaped(quoted_sheet(sheet.shape.title))
    if sheet.shape.is_own:
        yield (
            f'<definedName name="{OWN_SHEET}{sheet.number}" hidden="1">'
            f"{title}!$A$1</definedName>"
        )
    for name, area in sheet.names.items():
        yield f'<definedName name="{name}">{title}!{area}</definedName>'
    shape = sheet.shape
    said = print_names(shape.title, shape.printed, row=shape.heading_row)
    for name, area in said.items():
        yield local_name(name, area, at=at)


def local_name(name: str, area: str, *, at: int) -> str:
    """Write a name that only sheet number `at` has."""
    attributes = f'name="{name}" localSheetId="{at}"'
    return f"<definedName {attributes}>{escaped(area)}</definedName>"


def print_names(title: str, printed: Printed | None, *, row: int) -> dict[str, str]:
    """Give the names that say what is printed of a sheet, and on every page."""
    sheet = quoted_sheet(title)
    printed = printed or Printed()
    # Other libraries know no print area without rows; programs print the used ones.
    area = _span(printed.columns, "$1", f"${_LAST_ROW}")
    repeated = _span(printed.left), f"${row}:${row}" if row else ""
    said = {"Print_Area": (area,), "Print_Titles": repeated}
    wholes = {
        f"_xlnm.{name}": ",".join(f"{sheet}!{area}" for area in areas if area)
        for name, areas in said.items()
    }
    return {name: whole for name, whole in wholes.items() if whole}


def _span(columns: tuple[int, int] | None, first: str = "", last: str = "") -> str:
    """Write an area of columns, whole or between two rows; empty: there is none."""
    if columns is None:
        return ""
    left, right = map(column_letters, columns)
    return f"${left}{first}:${right}{last}"


def _content_types(sheets: Sequence[SheetWriter]) -> str:
    types = {
        "/xl/workbook.xml": f"{_SHEET_ML}.sheet.main+xml",
        "/xl/styles.xml": f"{_SHEET_ML}.styles+xml",
        "/docProps/core.xml": "application/vnd.openxmlformats-package"
        ".core-properties+xml",
        "/docProps/app.xml": f"{_OFFICE}.extended-properties+xml",
    }
    overrides = "".join(override(name, kind) for name, kind in types.items())
    return (
        f'{PROLOG}<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType='
        '"application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Default Extension="vml" ContentType="{BOXES_TYPE}"/>'
        f"{overrides}{''.join(map(types_of, sheets))}</Types>"
    )


def types_of(sheet: SheetWriter) -> str:
    """Say of which type the parts of a sheet are."""
    own = override(f"/{SHEET_PARTS}{sheet.number}.xml", f"{_SHEET_ML}.worksheet+xml")
    beside = (
        override(f"/xl/{part.path}", _TYPES[part.kind])
        for part in (*_parts_beside(sheet), *_charts_of(sheet))
        if part.kind in _TYPES
    )
    return own + "".join(beside)


def override(name: str, kind: str) -> str:
    return f'<Override PartName="{name}" ContentType="{kind}"/>'


def _core(title: str, creator: str, made_at: datetime | None) -> str:
    """Write creator and time, which show a later edit."""
    # Times have whole seconds, and an edit must be later.
    then = made_at or datetime.now(UTC) - timedelta(seconds=2)
    at = f'xsi:type="dcterms:W3CDTF">{then:%Y-%m-%dT%H:%M:%SZ}'
    return (
        f'{PROLOG}<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" '
        'xmlns:dcterms="http://purl.org/dc/terms/" '
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        f"<dc:title>{escaped(title)}</dc:title><dc:creator>{creator}</dc:creator>"
        f"<cp:lastModifiedBy>{creator}</cp:lastModifiedBy>"
        f"<dcterms:created {at}</dcterms:created>"
        f"<dcterms:modified {at}</dcterms:modified></cp:coreProperties>"
    )


def relation(name: str, kind: str, target: str) -> str:
    """Write a relation of a part."""
    full = kind if kind == _CORE_KIND else f"{RELATIONS}/{kind}"
    outside = ' TargetMode="External"' if kind == "hyperlink" else ""
    where = f'Target="{attribute(target)}"{outside}'
    return f'<Relationship Id="{name}" Type="{full}" {where}/>'


def relations_part(relations: Iterable[str]) -> Iterator[str]:
    """Give the pieces of the part with the relations of another."""
    yield f'{PROLOG}<Relationships xmlns="{_PACKAGE}/relationships">'
    yield from relations
    yield "</Relationships>"
