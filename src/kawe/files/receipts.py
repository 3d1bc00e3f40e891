"""A folder of receipts: the PDFs, two lists of them, and a workbook.

`sha256sum -c manifest-sha256.txt` checks the folder without kawe.
"""

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Final, TypeAlias

from kawe.domain.service.papers import ExportedReceipt, ListedFile, ReceiptExport
from kawe.domain.text.new_zealand import day_in_new_zealand, day_words
from kawe.domain.text.table_doc import CellForm, TableDoc, guarded, unguarded
from kawe.domain.text.texts import counted, json_value, one_line, visible_json
from kawe.durable import make_folder, replacing
from kawe.files.papers import ListedFolder, PaperPlace
from kawe.files.saving import LARGEST_BYTES, hash_plainly, open_plainly
from kawe_xlsx.cells import RawValue

TABLE: Final = "manifest.csv"
WORKBOOK: Final = "receipts.xlsx"
LINES: Final = "receipts.jsonl"
"""The same list, a JSON object on each line."""
OWN: Final = frozenset({TABLE, WORKBOOK, LINES})
"""What says of the papers what they are. Old folders do not list it."""
_HEADINGS: Final = (
    "Receipt number",
    "Submission number",
    "Project",
    "Reference",
    "Sent to",
    "Date",
    "File",
    "Size in bytes",
    "SHA-256",
    "Trouble",
)
WriteTable: TypeAlias = Callable[[Path, TableDoc], object]
"""Writes a table as a workbook at a path."""
_DAY: Final = "%Y-%m-%d %H:%M"
_UNLISTED: Final = "The service does not list it any more."


class ReceiptFolder(ListedFolder):
    """Implements the port `ExportFolder`."""

    def __init__(self, place: PaperPlace, *, write_table: WriteTable) -> None:
        super().__init__(place)
        self._write_table = write_table

    def take_stock(self) -> Mapping[str, ListedFile]:
        """Compare as ever; until `finish`, the list names papers alone."""
        found = dict(super().take_stock())
        # They are written anew, and a run that is killed meanwhile altered nothing.
        for name in found.keys() & OWN:
            found[name] = replace(found[name], is_paper=False)
            del self.hashes[name]
        self.write_list()
        return found

    def finish(self, export: ReceiptExport) -> None:
        """Write the lists and the workbook."""
        rows = [*map(_row, export.receipts), *self._rows_left(export)]
        table = TableDoc(
            title="Receipts",
            headings=_HEADINGS,
            rows=rows,
            forms={"File": CellForm.FILE},
            above=tuple(_above(export, rows=rows)),
        )
        with self.written():
            make_folder(self.place.files)
            with replacing(self.place.files / TABLE) as file:
                file.write(_csv(rows))
            with replacing(self.place.files / LINES) as file:
                file.writelines(map(_line, rows))
            self._write_table(self.place.files / WORKBOOK, table)
            for name in OWN:
                _, self.hashes[name] = hash_plainly(self.place.files / name)
        self.write_list()

    def _rows_left(self, export: ReceiptExport) -> Iterator[list[RawValue]]:
        """Give the rows of files that an earlier run saved and this one did not see."""
        seen = {each.file for each in export.receipts}
        before = self._rows_before()
        for name in sorted(self.hashes.keys() - seen):
            told = before.get(name, {})
            row: dict[str, RawValue] = {
                heading: unguarded(told.get(heading) or "") or None
                for heading in _HEADINGS
            }
            size = told.get("Size in bytes") or ""
            row["Size in bytes"] = float(size) if size.isdecimal() else None
            row["Date"] = _moment(told.get("Date") or "")
            row |= {"File": name, "SHA-256": self.hashes[name]}
            is_whole = export.is_complete and not export.left_out
            row["Trouble"] = _UNLISTED if is_whole else None
            yield [*row.values()]

    def _rows_before(self) -> dict[str, dict[str, str]]:
        try:
            path = self.place.files / TABLE
            with open_plainly(path, most_bytes=LARGEST_BYTES) as file:
                text = file.read().decode("utf-8-sig", errors="replace")
            rows = list(csv.DictReader(io.StringIO(text, newline="")))
        except (OSError, csv.Error):
            return {}
        return {row["File"]: row for row in rows if row.get("File")}


def _above(export: ReceiptExport, *, rows: Sequence[object]) -> Iterator[str]:
    """Say what the list is of, and how many it has."""
    yield f"Receipts of {one_line(export.team)}"
    days = [day_in_new_zealand(each.created_at) for each in export.receipts]
    many = counted(len(rows), "receipt")
    span = f", {day_words(min(days))} to {day_words(max(days))}" if days else ""
    missing = len(export.missing)
    lacking = f"; {missing:,} could not be fetched" if missing else ""
    yield f"{many}{span}{lacking}."


def _moment(text: str) -> RawValue:
    try:
        return datetime.strptime(text, _DAY)  # noqa: DTZ007 - a cell has no zone
    except ValueError:
        return text or None


def _row(receipt: ExportedReceipt) -> list[RawValue]:
    return [
        receipt.number,
        receipt.submission,
        receipt.project_name,
        receipt.reference,
        ", ".join(receipt.sent_to) or None,
        receipt.created_at.replace(second=0, microsecond=0, tzinfo=None),
        receipt.file if receipt.sha256 else None,
        receipt.size_bytes,
        receipt.sha256,
        receipt.trouble or None,
    ]


def _csv(rows: Sequence[Sequence[RawValue]]) -> bytes:
    text = io.StringIO()
    # Excel needs a byte order mark for UTF-8.
    text.write("\ufeff")
    writer = csv.writer(text)
    writer.writerow(_HEADINGS)
    for row in rows:
        writer.writerow(map(_cell, row))
    return text.getvalue().encode()


def _line(row: Sequence[RawValue]) -> bytes:
    keys = (heading.lower().replace(" ", "_") for heading in _HEADINGS)
    told = dict(zip(keys, row, strict=True))
    text = json.dumps(told, ensure_ascii=False, default=json_value)
    return f"{visible_json(text)}\n".encode()


def _cell(value: RawValue) -> str:
    match value:
        case None:
            return ""
        case str():
            return guarded(value)
        case datetime():
            return value.strftime(_DAY)
        case _:
            return str(value)
