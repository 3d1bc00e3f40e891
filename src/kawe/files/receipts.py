"""A folder of receipts: the PDFs, two lists of them, and a workbook.

`sha256sum -c manifest-sha256.txt` checks the folder without kawe.
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Final

from kawe.domain.service.exports import ExportedReceipt, ReceiptExport
from kawe.domain.sheet.sheet_guard import guarded
from kawe.domain.text.texts import one_line
from kawe.durable import make_folder, replacing, sweep
from kawe.errors import ContractBroken, ResultNotWritable
from kawe.files.saving import safe_name
from kawe.ports import TableWriter

MANIFEST: Final = "manifest-sha256.txt"
TABLE: Final = "manifest.csv"
WORKBOOK: Final = "receipts.xlsx"
_LARGEST_BYTES: Final = 256 * 1024 * 1024
_LINE: Final = re.compile(r"([0-9a-f]{64})  (.+)")
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


class ReceiptFolder:
    """Implements the port `ExportFolder`."""

    def __init__(self, folder: Path, *, tables: TableWriter) -> None:
        self._folder = folder
        self._tables = tables
        self._names: dict[str, str] = {}

    def known(self) -> dict[str, tuple[int, str]]:
        """Give the unaltered files of earlier runs."""
        return dict(self._unaltered())

    def name_for(self, text: str, *, unique: str) -> str:
        """Make a safe file name; equal names get a part of the id."""
        name = safe_name(f"{one_line(text, limit=100)}.pdf", "receipt.pdf")
        if self._names.setdefault(name.casefold(), unique) != unique:
            mark = hashlib.sha256(unique.encode()).hexdigest()[:8]
            name = f"{name.removesuffix('.pdf')} {mark}.pdf"
        return name

    async def save(
        self, name: str, chunks: AsyncIterator[bytes], *, starts_with: bytes
    ) -> tuple[int, str]:
        """Save one document."""
        digest, size_bytes, head = hashlib.sha256(), 0, b""
        try:
            make_folder(self._folder)
            with replacing(self._folder / name) as file:
                async for chunk in chunks:
                    file.write(chunk)
                    digest.update(chunk)
                    size_bytes += len(chunk)
                    head = (head + chunk)[: len(starts_with)]
                    _check_size(size_bytes)
                _check_head(head, starts_with=starts_with)
        except OSError as trouble:
            raise self._unwritable() from trouble
        return size_bytes, digest.hexdigest()

    def finish(self, export: ReceiptExport) -> None:
        """Write the lists and the workbook; remove files of killed runs."""
        saved = [each for each in export.receipts if each.sha256 is not None]
        lines = "".join(f"{each.sha256}  {each.file}\n" for each in saved)
        try:
            make_folder(self._folder)
            for name, content in ((MANIFEST, lines.encode()), (TABLE, _csv(export))):
                with replacing(self._folder / name) as file:
                    file.write(content)
            sweep(self._folder)
        except OSError as trouble:
            raise self._unwritable() from trouble
        self._tables.write_table(
            self._folder / WORKBOOK,
            title="Receipts",
            headings=_HEADINGS,
            rows=[_row(each) for each in export.receipts],
        )

    def _unaltered(self) -> Iterator[tuple[str, tuple[int, str]]]:
        try:
            text = (self._folder / MANIFEST).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return
        for line in text.splitlines():
            match = _LINE.fullmatch(line)
            # An edited manifest must not name a file outside the folder.
            if match is None or safe_name(match[2], "") != match[2]:
                continue
            size_and_hash = _hashed(self._folder / match[2])
            if size_and_hash is not None and size_and_hash[1] == match[1]:
                yield match[2], size_and_hash

    def _unwritable(self) -> ResultNotWritable:
        return ResultNotWritable(
            message=f"The folder {self._folder} cannot be written.",
            hint="Check that it is a folder of yours and that the disk has room.",
        )


def _hashed(path: Path) -> tuple[int, str] | None:
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256")
            return file.tell(), digest.hexdigest()
    except OSError:
        return None


def _check_size(size_bytes: int) -> None:
    if size_bytes > _LARGEST_BYTES:
        raise ContractBroken(message="A document is larger than 256 MiB.")


def _check_head(head: bytes, *, starts_with: bytes) -> None:
    if head != starts_with:
        raise ContractBroken(
            message="The service sent something that is no PDF.",
            hint="Run the same command again; if it stays so, ask the service.",
        )


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


def _csv(export: ReceiptExport) -> bytes:
    text = io.StringIO()
    # Excel needs a byte order mark for UTF-8.
    text.write("\ufeff")
    writer = csv.writer(text)
    writer.writerow(_HEADINGS)
    for each in export.receipts:
        cells = _row(each)
        writer.writerow(guarded(v) if isinstance(v, str) else v for v in cells)
    return text.getvalue().encode()
