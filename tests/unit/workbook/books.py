"""Small workbooks in memory, and the columns they are read with."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Sequence
from typing import Any, Final

from openpyxl import Workbook

from kawe.domain.sheet.columns import CellKind, Choice, Column
from kawe.kinds.invitations import INVITATIONS
from kawe.kinds.projects import PROJECTS

SHEET: Final = "xl/worksheets/sheet1.xml"


def column(kind: CellKind = CellKind.TEXT, **given: Any) -> Column:
    """A column with nothing said but what matters."""
    said = {"field": "name", "title": "Name", "hint": "Say it.", "example": "", **given}
    return Column(kind=kind, **said)


TYPES: Final = (
    Choice(value="LAND_USE_CONSENT", label="Land use consent", aliases=("LUC",)),
    Choice(value="WATER_TAKE_CONSENT", label="Water take consent"),
    Choice(value="OTHER", label="Other"),
)
NAME: Final = column(required=True, synonyms=("Project name",))
TYPE: Final = column(
    CellKind.CHOICE, field="type", title="Type", required=True, choices=TYPES
)
START: Final = column(
    CellKind.DATE,
    field="start_date",
    title="Start date",
    required=True,
    synonyms=("Start",),
)
DETAILS: Final = column(
    CellKind.LONG_TEXT, field="description", title="Description", synonyms=("Details",)
)
PLACE: Final = column(CellKind.PLACE, field="latitude", title="Latitude")
SEND: Final = column(CellKind.YES_NO, field="send", title="Send")
IWI: Final = column(CellKind.LIST, field="iwi", title="Iwi")
PHONE: Final = column(CellKind.PHONE, field="contact_phone", title="Contact phone")
RANK: Final = column(CellKind.NUMBER, field="priority_order", title="Priority order")
EMAIL: Final = column(CellKind.EMAIL, field="email", title="Email", required=True)
ROLE: Final = column(
    CellKind.CHOICE,
    field="role",
    title="Role",
    required=True,
    choices=(
        Choice(value="OWNER", label="Owner"),
        Choice(value="MEMBER", label="Member"),
    ),
)
COLUMNS: Final = {
    PROJECTS: (*(NAME, TYPE, START, DETAILS, PLACE, SEND, IWI, PHONE, RANK),),
    INVITATIONS: (NAME, EMAIL, ROLE),
}


def xlsx(*rows: Sequence[Any], title: str = "Projects") -> bytes:
    """A workbook of one sheet."""
    return book({title: rows})


def book(
    sheets: dict[str, Sequence[Sequence[Any]]],
    *,
    change: Callable[[Workbook], None] = lambda _: None,
) -> bytes:
    """A workbook of several sheets; `change` may alter it before it is saved."""
    made = Workbook()
    made.remove(made.worksheets[0])
    for title, rows in sheets.items():
        sheet = made.create_sheet(title)
        for row in rows:
            sheet.append(list(row))
    change(made)
    return saved(made)


def saved(made: Workbook) -> bytes:
    """The bytes of a workbook."""
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def patched(data: bytes, part: str, change: Callable[[bytes], bytes]) -> bytes:
    """The same workbook with one part of its zip changed."""
    file = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as old,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for info in old.infolist():
            text = old.read(info)
            new.writestr(info.filename, change(text) if info.filename == part else text)
    return file.getvalue()


def with_part(data: bytes, part: str, text: bytes) -> bytes:
    """The same workbook with one part more."""
    file = io.BytesIO(data)
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(part, text)
    return file.getvalue()
