"""A folder of receipts: the PDFs, two lists of them, and a workbook.

`sha256sum -c manifest-sha256.txt` checks the folder without kawe.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Final

from kawe.domain.service.exports import ExportedReceipt, ReceiptExport
from kawe.domain.sheet.sheet_guard import guarded, unguarded
from kawe.durable import make_folder, replacing
from kawe.files.hashing import LARGEST_BYTES, open_plainly
from kawe.files.papers import ListedFolder, PaperPlace
from kawe.ports import TableWriter

TABLE: Final = "manifest.csv"
WORKBOOK: Final = "receipts.xlsx"
_HEADINGS: Final = (
    "Receipt number",
    "Submission number",
    "Project",
    "Reference",
    "Date",
    "File",
    "Size in bytes",
    "SHA-256",
    "Trouble",
)
_FILE: Final = _HEADINGS.index("File")
_SIZE: Final = _HEADINGS.index("Size in bytes")
_UNLISTED: Final = "The service does not list it any more."


class ReceiptFolder(ListedFolder):
    """Implements the port `ExportFolder`."""

    def __init__(self, place: PaperPlace, *, tables: TableWriter) -> None:
        super().__init__(place)
        self._tables = tables

    def finish(self, export: ReceiptExport) -> None:
        """Write the lists and the workbook."""
        rows = [*map(_row, export.receipts), *self._rows_left(export)]
        try:
            make_folder(self.place.files)
            with replacing(self.place.files / TABLE) as file:
                file.write(_csv(rows))
            self.write_list()
        except OSError as trouble:
            raise self.unwritable() from trouble
        self._tables.write_table(
            self.place.files / WORKBOOK,
            title="Receipts",
            headings=_HEADINGS,
            rows=rows,
        )

    def _rows_left(self, export: ReceiptExport) -> Iterator[list[str | int | None]]:
        """Give the rows of files that an earlier run saved and this one did not see."""
        seen = {each.file for each in export.receipts}
        before = self._rows_before()
        for name in sorted(self.hashes.keys() - seen):
            told = before.get(name, [""] * len(_HEADINGS))
            row: list[str | int | None] = [unguarded(cell) or None for cell in told]
            row[_FILE], row[_SIZE + 1] = name, self.hashes[name]
            row[_SIZE] = int(told[_SIZE]) if told[_SIZE].isdecimal() else None
            is_whole = export.is_complete and not export.left_out
            row[-1] = _UNLISTED if is_whole else None
            yield row

    def _rows_before(self) -> dict[str, list[str]]:
        try:
            path = self.place.files / TABLE
            with open_plainly(path, most_bytes=LARGEST_BYTES) as file:
                text = file.read().decode("utf-8-sig", errors="replace")
            rows = list(csv.reader(io.StringIO(text, newline="")))
        except (OSError, csv.Error):
            return {}
        return {row[_FILE]: row for row in rows if len(row) == len(_HEADINGS)}


def _row(receipt: ExportedReceipt) -> list[str | int | None]:
    return [
        receipt.number,
        receipt.submission,
        receipt.project_name,
        receipt.reference,
        f"{receipt.created_at:%Y-%m-%d %H:%M}",
        receipt.file if receipt.sha256 else None,
        receipt.size_bytes,
        receipt.sha256,
        receipt.trouble or None,
    ]


def _csv(rows: Sequence[Sequence[str | int | None]]) -> bytes:
    text = io.StringIO()
    # Excel needs a byte order mark for UTF-8.
    text.write("\ufeff")
    writer = csv.writer(text)
    writer.writerow(_HEADINGS)
    for row in rows:
        writer.writerow(guarded(v) if isinstance(v, str) else v for v in row)
    return text.getvalue().encode()
