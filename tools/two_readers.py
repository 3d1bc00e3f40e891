"""Write how kawe and openpyxl differ to docs/reference/two-readers.md.

Every cell of every sheet of every sample, to its row and column: two libraries
that share no code. A test says when it has to be written again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date, datetime, time
from itertools import chain
from pathlib import Path
from typing import Final

from openpyxl import load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from kawe.domain.sheet.findings import RowRef
from kawe.workbook.reading.books import XlsxBook
from kawe.workbook.reading.headings import Grid
from kawe_xlsx.cells import RawValue

ROOT: Final = Path(__file__).resolve().parents[1]
PUBLISHED: Final = ROOT / "docs" / "reference" / "two-readers.md"
_TOP: Final = """\
# Two readers

<!-- Written by tools/two_readers.py from the samples: do not edit. -->

kawe reads workbooks with calamine, after its own checks. A tool reads the same cells
with openpyxl, which shares no code with calamine: every cell of every sheet of every
sample that can be read. This page gives the reason for each difference; a test fails
if there is any other difference.
"""
_REASONS: Final[Mapping[str, str]] = {
    "midnight": "A moment before midnight: openpyxl rounds it up to the next day. "
    "kawe takes the day that it was.",
    "far cell": "A stray cell in the far corner of a sheet: kawe leaves it out, with "
    "a warning. openpyxl reads it.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """What comparing all samples came to."""

    workbooks: int
    sheets: int
    cells: int
    """Cells in which at least one of the two sees something."""
    differences: tuple[tuple[str, str], ...]
    """Where, and why; the reason is empty where there is none."""


def workbooks() -> Sequence[Path]:
    """Give every sample that is an Excel workbook and can be opened."""
    folders = sorted((ROOT / "samples").glob("*/*/"))
    found = chain.from_iterable(sorted(each.glob("*.xls[xm]")) for each in folders)
    return [path for path in found if _is_readable(path)]


def compared() -> Compared:
    """Compare every cell of every sample."""
    paths = workbooks()
    sheets = cells = 0
    differences: list[tuple[str, str]] = []
    for path in paths:
        book = XlsxBook(path.read_bytes(), name=path.name)
        with closing(load_workbook(path, data_only=True)) as other:
            for name in (each.name for each in book.sheets):
                count, found = _compare(book.grid(name), other[name])
                sheets, cells = sheets + 1, cells + count
                where = path.parent.relative_to(ROOT / "samples").as_posix()
                differences += [(f"{where} {name}!{at}", why) for at, why in found]
    return Compared(
        workbooks=len(paths),
        sheets=sheets,
        cells=cells,
        differences=tuple(differences),
    )


def written() -> str:
    """Give the page as it is published."""
    return "\n".join(_lines(compared()))


def _lines(found: Compared) -> Iterator[str]:
    yield _TOP
    yield (
        f"{found.workbooks} workbooks with {found.sheets} sheets, "
        f"{found.cells:,} cells with something in them: "
        f"{len(found.differences)} differences.\n"
    )
    yield "| cell | why |"
    yield "|---|---|"
    for where, why in found.differences:
        yield f"| `{where}` | {_REASONS.get(why, 'nobody knows')} |"
    yield ""


def _is_readable(path: Path) -> bool:
    expected = (path.parent / "expected.json").read_text(encoding="utf-8")
    # Sheets of a workbook that is refused for its rows are read all the same.
    return '"refusal"' not in expected or any(
        words in expected for words in ("hidden or filtered", "several sheets")
    )


def _compare(grid: Grid, other: Worksheet) -> tuple[int, list[tuple[str, str]]]:
    ours = {
        (number, column): value
        for number, values in grid.rows
        for column, value in enumerate(values, start=1)
        if value is not None
    }
    theirs = {
        at: cell.value
        for at, cell in other._cells.items()  # noqa: SLF001 - iter_rows would lay out the whole rectangle of a far cell
        if cell.value is not None
    }
    places = sorted(ours.keys() | theirs.keys())
    differences = [
        (
            RowRef(sheet="", row=at[0]).cell(at[1]).address,
            _reason(ours.get(at), theirs.get(at), is_far=at[0] > 1_000_000),
        )
        for at in places
        if not _agree(ours.get(at), theirs.get(at))
    ]
    return len(places), differences


def _agree(ours: RawValue, theirs: object) -> bool:
    match ours, theirs:
        case bool(), bool():
            return ours == theirs
        case bool(), _:
            return False
        case int() | float(), int() | float():
            return float(ours) == float(theirs)
        case date(), datetime() if not isinstance(ours, datetime):
            return theirs.time() == time.min and ours == theirs.date()
        case _:
            return type(ours) is type(theirs) and ours == theirs


def _reason(ours: RawValue, theirs: object, *, is_far: bool) -> str:
    if is_far and ours is None:
        return "far cell"
    if isinstance(ours, datetime) and isinstance(theirs, datetime):
        is_near = 0 < (theirs - ours).total_seconds() <= 1
        return "midnight" if is_near and theirs.time() == time.min else ""
    return ""


if __name__ == "__main__":
    PUBLISHED.write_text(written(), encoding="utf-8")
    print(f"Wrote {PUBLISHED}")
