"""How a sheet was read, as a program gets it, and what a column holds."""

from __future__ import annotations

from kawe.domain.sheet.columns import CellKind, Column
from kawe.domain.sheet.read_as import (
    NO_COLUMNS,
    ReadAs,
    ReadColumn,
    TemplateStamp,
    UnreadColumn,
)

NAME = Column(field="name", title="Name", kind=CellKind.TEXT, hint="", example="")
UNREAD = UnreadColumn(
    column=28,
    heading="Works",
    nearest=(NAME,),
    taken_by="Title",
    examples=("Bridge\nat Ōtaki", "x" * 30, "Culvert", "Weir"),
)


def test_a_sheet_says_to_programs_how_each_column_was_read():
    read = ReadColumn(column=1, heading="Title", means=NAME, is_taught=True)
    made = ReadAs(
        columns=(read,),
        unread=(UNREAD,),
        template=TemplateStamp(kind="projects", version=3),
    )
    assert made.as_json() == {
        "read_as": [
            {
                "column": "A",
                "heading": "Title",
                "field": "name",
                "title": "Name",
                "taught": True,
            }
        ],
        "not_read": [
            {
                "column": "AB",
                "heading": "Works",
                "nearest": ["name"],
                "taken_by": "Title",
                "yes_no": False,
                "declined": False,
                "same_as": None,
            }
        ],
        "heading_rows": [],
        "template": {"kind": "projects", "version": 3},
    }


def test_a_sheet_that_no_template_made_has_none():
    made = ReadAs(columns=(ReadColumn(column=1, heading="Name", means=NAME),))
    assert made.as_json()["template"] is None


def test_where_no_sheet_was_read_nothing_is_said():
    assert NO_COLUMNS.as_json() == {}


def test_a_column_shows_three_of_its_values_short_and_on_one_line():
    assert UNREAD.holds == f"Bridge at Ōtaki, {'x' * 23}…, Culvert"
