"""The lists behind the drop-downs, on a hidden sheet.

A drop-down names a range of that sheet. Written into the cell's own rule, the
project types would be 441 characters; beyond 255 Excel calls the file damaged
and deletes the list.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from openpyxl import Workbook
from openpyxl.workbook.defined_name import DefinedName

from kawe.domain.sheet.columns import CellKind, Column
from kawe.domain.sheet.refs import column_letters

LISTS_SHEET: Final = "Lists"
_YES_NO: Final = ("Yes", "No")


def words_of(column: Column) -> tuple[str, ...]:
    """Give what the drop-down of `column` offers; nothing where it has none."""
    if column.kind is CellKind.YES_NO:
        return _YES_NO
    return tuple(choice.label for choice in column.choices)


def list_name(column: Column) -> str:
    """Name the range that holds the words of `column`."""
    return f"kawe_{column.field}"


def add_lists(book: Workbook, columns: Sequence[Column]) -> None:
    """Add the hidden sheet and its named ranges to `book`."""
    sheet = book.create_sheet(LISTS_SHEET)
    sheet.sheet_state = "hidden"
    listed = [column for column in columns if words_of(column)]
    for at, column in enumerate(listed, start=1):
        words = words_of(column)
        for row, word in enumerate((column.title, *words), start=1):
            sheet.cell(row=row, column=at, value=word)
        letters = column_letters(at)
        name = list_name(column)
        area = f"'{LISTS_SHEET}'!${letters}$2:${letters}${len(words) + 1}"
        book.defined_names[name] = DefinedName(name, attr_text=area)
