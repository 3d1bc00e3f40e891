"""Where documents lie on the disk.

A posted file first lies in `incoming`; completing the upload moves it to
`documents`, where nothing can change it any more. Names on the disk are
document ids, never what a caller called a file.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFolder:
    """The folder of documents."""

    folder: Path

    def prepare(self) -> None:
        """Make the folders, and clear what a kill left half-written or in vain."""
        for part in (self.incoming, self.documents, self.unfinished):
            part.mkdir(mode=0o700, parents=True, exist_ok=True)
        in_vain = (each for each in self.incoming.iterdir() if self._is_settled(each))
        for leftover in (*self.unfinished.iterdir(), *in_vain):
            leftover.unlink()

    @property
    def incoming(self) -> Path:
        """Hold posted files whose upload is not yet completed."""
        return self.folder / "incoming"

    @property
    def documents(self) -> Path:
        """Hold finished documents."""
        return self.folder / "documents"

    @property
    def unfinished(self) -> Path:
        """Hold what is being written."""
        return self.folder / "unfinished"

    def open_unfinished(self) -> BinaryIO:
        """Open a new file that only we can read (0600)."""
        # Opened by path, not by handle: `receive` renames by its name.
        handle, path = tempfile.mkstemp(dir=self.unfinished)
        os.close(handle)
        return Path(path).open("wb")

    def discard(self, written: BinaryIO) -> None:
        """Close an unfinished file, and remove it unless it was kept."""
        written.close()
        Path(written.name).unlink(missing_ok=True)

    def receive(self, written: BinaryIO, *, document_id: str) -> None:
        """Put a file that was written to the end among the incoming.

        One that comes after its document was completed is of no use to anybody.
        """
        at = self.incoming / document_id
        if not self._is_settled(at):
            _keep(written, at=at)

    def _is_settled(self, incoming: Path) -> bool:
        return (self.documents / incoming.name).exists()

    def settle(self, document_id: str) -> int | None:
        """Make an incoming file a document; give its size in bytes.

        Settling again gives the same size. None when nothing was posted.
        """
        final = self.documents / document_id
        if not final.exists():
            try:
                (self.incoming / document_id).replace(final)
            except FileNotFoundError:
                return None
            _sync_folder(self.documents)
        return final.stat().st_size

    def write(self, content: bytes, *, document_id: str) -> None:
        """Write a document of our own, whole or not at all."""
        file = self.open_unfinished()
        try:
            file.write(content)
            _keep(file, at=self.documents / document_id)
        finally:
            self.discard(file)

    def path(self, document_id: str) -> Path:
        """Say where a finished document lies."""
        return self.documents / document_id


def _keep(written: BinaryIO, *, at: Path) -> None:
    written.flush()
    os.fsync(written.fileno())
    Path(written.name).replace(at)
    _sync_folder(at.parent)


def _sync_folder(folder: Path) -> None:
    # A rename is durable only when its folder is (fsync(2)); Windows has no
    # such call and needs none.
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
