"""Receipts as a bag for an archive: BagIt 1.0 (RFC 8493).

A folder is a bag by its file `bagit.txt`. An export removes that first and writes it
last, when everything else is on the disk: what was interrupted is no bag. A bag counts
as made only when `verifying` finds nothing wrong with it.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

from kawe.domain.service.papers import PAYLOAD, FileTrouble, ListedFile, ReceiptExport
from kawe.domain.text.new_zealand import day_in_new_zealand
from kawe.domain.text.next_steps import Given, Next
from kawe.domain.text.texts import one_line
from kawe.durable import make_folder, replacing, sweep, sync_folder
from kawe.errors import ResultNotWritable
from kawe.files.papers import PaperPlace
from kawe.files.receipts import LINES, TABLE, WORKBOOK, ReceiptFolder, WriteTable
from kawe.files.saving import ASIDE, LIST_NAME, hash_plainly
from kawe.files.verifying import DECLARATION, INFO, TAG_LIST, check_folder

_DECLARED: Final = b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
_OWN: Final = frozenset({TABLE, WORKBOOK, LINES})
_AGENT: Final = "Bag-Software-Agent: kawe "


class BagFolder(ReceiptFolder):
    """A folder of receipts that is a bag when it is finished."""

    def __init__(self, bag: Path, *, write_table: WriteTable, version: str) -> None:
        super().__init__(
            PaperPlace(
                files=bag / PAYLOAD,
                listed=bag / LIST_NAME,
                aside=bag / ASIDE,
                prefix=PAYLOAD,
            ),
            write_table=write_table,
        )
        self._bag = bag
        self._version = version

    def take_stock(self) -> dict[str, ListedFile]:
        """Compare as ever; until `finish`, the folder is no bag."""
        info = self._bag / INFO
        try:
            make_folder(self._bag)
            is_others = info.exists() and _AGENT.encode() not in info.read_bytes()
            if not is_others:
                (self._bag / DECLARATION).unlink(missing_ok=True)
                sync_folder(self._bag)
        except OSError as trouble:
            raise self.unwritable() from trouble
        if is_others:
            raise ResultNotWritable(
                message=f"The bag {one_line(str(self._bag))} was not made by kawe.",
                hint=f"Choose another folder with {Given.BAG}.",
            )
        found = dict(super().take_stock())
        # They are written anew, and a run that is killed meanwhile altered nothing.
        for name in found.keys() & _OWN:
            found[name] = replace(found[name], is_paper=False)
            del self.hashes[name]
        try:
            self.write_list()
            sweep(self.place.files, after_seconds=0.0)
        except OSError as trouble:
            raise self.unwritable() from trouble
        return found

    def finish(self, export: ReceiptExport) -> None:
        """Write lists, workbook and tag files; declare the bag if all is there."""
        super().finish(export)
        try:
            own = {name: hash_plainly(self.place.files / name) for name in _OWN}
            self.hashes.update((name, each[1]) for name, each in own.items())
            sizes = sum(size_bytes for size_bytes, _ in own.values())
            self.write_list()
            if not export.is_complete or export.missing:
                return
            papers = self.hashes.keys() - _OWN
            sizes += sum((self._bag / PAYLOAD / name).stat().st_size for name in papers)
            self._write(INFO, "".join(self._info(export, size_bytes=sizes)).encode())
            tags = {
                DECLARATION: hashlib.sha256(_DECLARED).hexdigest(),
                INFO: hash_plainly(self._bag / INFO)[1],
                LIST_NAME: hash_plainly(self._bag / LIST_NAME)[1],
            }
            lines = "".join(f"{sha256}  {name}\n" for name, sha256 in tags.items())
            self._write(TAG_LIST, lines.encode())
            self._write(DECLARATION, _DECLARED)
            self._make_sure()
        except OSError as trouble:
            raise self.unwritable() from trouble

    def _info(self, export: ReceiptExport, *, size_bytes: int) -> Iterable[str]:
        days = [day_in_new_zealand(each.created_at) for each in export.receipts]
        told = {
            "Source-Organization": export.team,
            "External-Description": "Receipts of what was sent to iwi",
            "Bagging-Date": day_in_new_zealand(export.written_at).isoformat(),
            "Payload-Oxum": f"{size_bytes}.{len(self.hashes)}",
            "Receipt-Count": str(len(export.receipts)),
        }
        if days:
            told["Period"] = f"{min(days)} to {max(days)}"
        yield f"{_AGENT}{self._version}\n"
        yield from (f"{name}: {one_line(value)}\n" for name, value in told.items())

    def _write(self, name: str, content: bytes) -> None:
        with replacing(self._bag / name) as file:
            file.write(content)

    def _make_sure(self) -> None:
        if any(
            each.trouble is not FileTrouble.EXTRA or each.file.startswith(PAYLOAD)
            for each in check_folder(self._bag).findings
        ):
            (self._bag / DECLARATION).unlink(missing_ok=True)
            raise ResultNotWritable(
                message=f"The bag {one_line(str(self._bag))} is not whole: its folder "
                "data has files that the export did not save there.",
                hint=f"{Next.VERIFY} names them. Move them elsewhere, and "
                f"{Next.AGAIN}.",
            )
