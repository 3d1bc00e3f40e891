"""Plain tables as workbooks, such as the list of exported receipts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import IO, Final

from openpyxl import Workbook

from kawe.domain.tables import RawValue
from kawe.workbook.cells.reading import show
from kawe.workbook.replacing import save_untouched, write_whole
from kawe.workbook.result import sheet_title
from kawe.workbook.result_cells import safe_text, value_cell
from kawe.workbook.result_page import Page
from kawe.workbook.result_styles import add_styles

_LOOKED_AT: Final = 300
_NARROW: Final = 9.0
_WIDE: Final = 60.0


class OpenpyxlTableWriter:
    """A TableWriter; never over a file that a person has edited."""

    def write_table(
        self,
        path: Path,
        *,
        title: str,
        headings: Sequence[str],
        rows: Sequence[Sequence[RawValue]],
    ) -> None:
        """Write `rows` under `headings` on one sheet called `title`."""

        def save(file: IO[bytes]) -> None:
            book = _book(title, headings, rows)
            save_untouched(book, file, title=safe_text(title))

        write_whole(path, save, protect=frozenset())


def _book(
    title: str, headings: Sequence[str], rows: Sequence[Sequence[RawValue]]
) -> Workbook:
    book = Workbook(write_only=True)
    add_styles(book)
    page = Page(book, sheet_title(title), widths=_widths(headings, rows))
    page.freeze_below(1)
    page.headings(headings, own_from=len(headings))
    for row in rows:
        page.write([value_cell(page.sheet, value) for value in row])
    page.table("kawe_table", headings, first_row=1)
    return book


def _widths(headings: Sequence[str], rows: Sequence[Sequence[RawValue]]) -> list[float]:
    return [
        max(
            _NARROW,
            min(
                _WIDE,
                len(heading) + 5,
            ),
            *(
                min(_WIDE, len(show(row[index])) + 2)
                for row in rows[:_LOOKED_AT]
                if index < len(row)
            ),
        )
        for index, heading in enumerate(headings)
    ]
