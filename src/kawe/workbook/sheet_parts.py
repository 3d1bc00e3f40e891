"""The small parts of a workbook beside its sheets, as XML.

Written as ECMA-376 orders them: Excel reads nothing else, and "repairs" by
leaving out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from kawe.workbook.sheet_page import (
    DRAWING,
    RELATIONS,
    TABLE,
    Shape,
    SheetWriter,
    TableArea,
    link_relation,
)
from kawe.workbook.sheet_rows import CellLink, Comment
from kawe.workbook.sheet_styles import COLOUR, MAIN, PROLOG
from kawe.workbook.sheet_text import attribute, element, escaped

_OFFICE_PROPERTIES: Final = (
    "http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"
)
AUTHOR: Final = "kawe"
_PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006"
_CORE_KIND: Final = f"{_PACKAGE}/relationships/metadata/core-properties"
_SHEET_ML: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_OFFICE: Final = "application/vnd.openxmlformats-officedocument"
_COMMENT_LETTERS: Final = 42
"""So many letters of a comment fit on one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetParts:
    """A sheet that was written, and what lies beside it."""

    number: int
    shape: Shape
    area: TableArea | None
    links: tuple[CellLink, ...]
    comments: tuple[Comment, ...]

    def files(self) -> Iterator[tuple[str, str]]:
        """Give each part that belongs to the sheet, with its XML."""
        relations = list(self._relations())
        if relations:
            name = f"xl/worksheets/_rels/sheet{self.number}.xml.rels"
            yield name, _relations_xml(relations)
        if self.area is not None:
            yield f"xl/tables/table{self.number}.xml", _table(self.area, self.number)
        if self.comments:
            yield f"xl/comments{self.number}.xml", _comments(self.comments)
            name = f"xl/drawings/vmlDrawing{self.number}.vml"
            yield name, _boxes(self.comments)

    def content_types(self) -> Iterator[tuple[str, str]]:
        """Give the type of each part that is not known by its ending."""
        yield f"/xl/worksheets/sheet{self.number}.xml", f"{_SHEET_ML}.worksheet+xml"
        if self.area is not None:
            yield f"/xl/tables/table{self.number}.xml", f"{_SHEET_ML}.table+xml"
        if self.comments:
            yield f"/xl/comments{self.number}.xml", f"{_SHEET_ML}.comments+xml"

    def _relations(self) -> Iterator[str]:
        for number, link in enumerate(self.links, start=1):
            if link.url:
                yield _relation(
                    link_relation(number), f"{RELATIONS}/hyperlink", link.url
                ).replace("/>", ' TargetMode="External"/>')
        if self.area is not None:
            target = f"../tables/table{self.number}.xml"
            yield _relation(TABLE, f"{RELATIONS}/table", target)
        if self.comments:
            target = f"../comments{self.number}.xml"
            yield _relation("comments", f"{RELATIONS}/comments", target)
            target = f"../drawings/vmlDrawing{self.number}.vml"
            yield _relation(DRAWING, f"{RELATIONS}/vmlDrawing", target)


def sheet_parts(page: SheetWriter, *, number: int) -> SheetParts:
    """Take from a page that is closed what its other parts are made of."""
    return SheetParts(
        number=number,
        shape=page.shape,
        area=page.area,
        links=tuple(page.links),
        comments=tuple(page.comments),
    )


def first_files(title: str) -> Iterator[tuple[str, str]]:
    """Give the parts by which other programs tell that this is a workbook."""
    yield (
        "_rels/.rels",
        _relations_xml(
            [
                _relation("rId1", f"{RELATIONS}/officeDocument", "xl/workbook.xml"),
                _relation("rId2", _CORE_KIND, "docProps/core.xml"),
                _relation(
                    "rId3", f"{RELATIONS}/extended-properties", "docProps/app.xml"
                ),
            ]
        ),
    )
    yield "docProps/core.xml", _core(title)
    about = f"<Application>{AUTHOR}</Application>"
    properties = f'<Properties xmlns="{_OFFICE_PROPERTIES}">{about}</Properties>'
    yield "docProps/app.xml", f"{PROLOG}{properties}"


def last_files(sheets: Sequence[SheetParts]) -> Iterator[tuple[str, str]]:
    """Give the parts that name all sheets."""
    yield "xl/workbook.xml", _workbook(sheets)
    relations = [
        _relation(
            f"rId{sheet.number}",
            f"{RELATIONS}/worksheet",
            f"worksheets/sheet{sheet.number}.xml",
        )
        for sheet in sheets
    ]
    relations.append(_relation("styles", f"{RELATIONS}/styles", "styles.xml"))
    yield "xl/_rels/workbook.xml.rels", _relations_xml(relations)
    yield "[Content_Types].xml", _content_types(sheets)


def quoted_sheet(title: str) -> str:
    """Name a sheet as addresses do."""
    doubled = title.replace("'", "''")
    return f"'{doubled}'"


def _workbook(sheets: Sequence[SheetParts]) -> str:
    listed = "".join(
        f'<sheet name="{attribute(sheet.shape.title)}" sheetId="{sheet.number}" '
        f'r:id="rId{sheet.number}"/>'
        for sheet in sheets
    )
    names = "".join(
        f'<definedName name="_xlnm.Print_Titles" localSheetId="{at}">'
        f"{escaped(quoted_sheet(sheet.shape.title))}"
        f"!${sheet.shape.heading_row}:${sheet.shape.heading_row}</definedName>"
        for at, sheet in enumerate(sheets)
        if sheet.shape.heading_row
    )
    return (
        f'{PROLOG}<workbook xmlns="{MAIN}" xmlns:r="{RELATIONS}"><workbookPr/>'
        f"<bookViews><workbookView/></bookViews><sheets>{listed}</sheets>"
        f"{f'<definedNames>{names}</definedNames>' if names else ''}</workbook>"
    )


def _content_types(sheets: Sequence[SheetParts]) -> str:
    types = {
        "/xl/workbook.xml": f"{_SHEET_ML}.sheet.main+xml",
        "/xl/styles.xml": f"{_SHEET_ML}.styles+xml",
        "/docProps/core.xml": "application/vnd.openxmlformats-package"
        ".core-properties+xml",
        "/docProps/app.xml": f"{_OFFICE}.extended-properties+xml",
    }
    for sheet in sheets:
        types.update(sheet.content_types())
    overrides = "".join(
        f'<Override PartName="{name}" ContentType="{kind}"/>'
        for name, kind in types.items()
    )
    return (
        f'{PROLOG}<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType='
        '"application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Default Extension="vml" ContentType="{_OFFICE}.vmlDrawing"/>'
        f"{overrides}</Types>"
    )


def _core(title: str) -> str:
    """Say who made the workbook and when: the marks by which an edit is known."""
    # A moment ago: the times have whole seconds, and an edit must be later.
    then = datetime.now(UTC) - timedelta(seconds=2)
    at = f'xsi:type="dcterms:W3CDTF">{then:%Y-%m-%dT%H:%M:%SZ}'
    return (
        f'{PROLOG}<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" '
        'xmlns:dcterms="http://purl.org/dc/terms/" '
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        f"<dc:title>{escaped(title)}</dc:title><dc:creator>{AUTHOR}</dc:creator>"
        f"<cp:lastModifiedBy>{AUTHOR}</cp:lastModifiedBy>"
        f"<dcterms:created {at}</dcterms:created>"
        f"<dcterms:modified {at}</dcterms:modified></cp:coreProperties>"
    )


def _table(area: TableArea, number: int) -> str:
    columns = "".join(
        f'<tableColumn id="{at}" name="{attribute(heading)}"/>'
        for at, heading in enumerate(area.headings, start=1)
    )
    return (
        f'{PROLOG}<table xmlns="{MAIN}" id="{number}" name="{area.name}" '
        f'displayName="{area.name}" ref="{area.area}" totalsRowShown="0">'
        f'<autoFilter ref="{area.area}"/>'
        f'<tableColumns count="{len(area.headings)}">{columns}</tableColumns>'
        '<tableStyleInfo name="TableStyleLight1" showFirstColumn="0" '
        'showLastColumn="0" showRowStripes="0" showColumnStripes="0"/></table>'
    )


def _comments(comments: Sequence[Comment]) -> str:
    said = "".join(
        f'<comment ref="{comment.cell}" authorId="0"><text>{element(comment.text)}'
        "</text></comment>"
        for comment in comments
    )
    return (
        f'{PROLOG}<comments xmlns="{MAIN}"><authors><author>{AUTHOR}</author></authors>'
        f"<commentList>{said}</commentList></comments>"
    )


def _boxes(comments: Sequence[Comment]) -> str:
    """Draw the boxes of comments, in the old form that Excel still asks for."""
    boxes = "".join(
        f'<v:shape id="_x0000_s{1024 + number}" type="#_x0000_t202" '
        'style="position:absolute;margin-left:59.25pt;margin-top:1.5pt;width:320px;'
        f"height:{30 + 18 * (1 + len(comment.text) // _COMMENT_LETTERS)}px;"
        'z-index:1;visibility:hidden" fillcolor="#ffffe1" o:insetmode="auto">'
        '<v:fill color2="#ffffe1"/><v:shadow obscured="t" '
        f'{COLOUR}="black"/>'
        '<v:path o:connecttype="none"/>'
        '<v:textbox style="mso-direction-alt:auto"><div style="text-align:left"/>'
        '</v:textbox><x:ClientData ObjectType="Note"><x:MoveWithCells/>'
        "<x:SizeWithCells/><x:AutoFill>False</x:AutoFill>"
        f"<x:Row>{comment.row - 1}</x:Row><x:Column>{comment.column - 1}</x:Column>"
        "</x:ClientData></v:shape>"
        for number, comment in enumerate(comments, start=1)
    )
    return (
        '<xml xmlns:v="urn:schemas-microsoft-com:vml" '
        'xmlns:o="urn:schemas-microsoft-com:office:office" '
        'xmlns:x="urn:schemas-microsoft-com:office:excel">'
        '<o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="1"/></o:shapelayout>'
        '<v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" '
        'path="m,l,21600r21600,l21600,xe"><v:stroke joinstyle="miter"/>'
        '<v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>'
        f"{boxes}</xml>"
    )


def _relation(name: str, kind: str, target: str) -> str:
    return f'<Relationship Id="{name}" Type="{kind}" Target="{attribute(target)}"/>'


def _relations_xml(relations: Sequence[str]) -> str:
    listed = "".join(relations)
    return (
        f'{PROLOG}<Relationships xmlns="{_PACKAGE}/relationships">{listed}'
        "</Relationships>"
    )
