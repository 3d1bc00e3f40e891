"""The documents on the disk.

An uploaded file is first in `incoming`; completing the upload moves it to `documents`,
where it never changes. File names are document ids, never a caller's names.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from kawe.durable import Temporary, make_folder, put, sync_folder, temporary_in


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFolder:
    """The folder of documents."""

    folder: Path

    def prepare(self) -> None:
        """Make the folders, and remove files that a kill left."""
        for part in (self.incoming, self.documents, self.unfinished):
            make_folder(part)
        in_vain = (each for each in self.incoming.iterdir() if self._is_settled(each))
        for leftover in (*self.unfinished.iterdir(), *in_vain):
            leftover.unlink()

    @property
    def incoming(self) -> Path:
        """Hold posted files whose upload is not yet completed."""
        return self.folder / "incoming"

    @property
    def documents(self) -> Path:
        return self.folder / "documents"

    @property
    def unfinished(self) -> Path:
        return self.folder / "unfinished"

    def begin(self) -> AbstractContextManager[Temporary]:
        """Open a new file that only we can read; gone at the end unless kept."""
        return temporary_in(self.unfinished)

    def receive(self, written: Temporary, *, document_id: str) -> None:
        """Move a complete file to the incoming, unless its document is finished."""
        at = self.incoming / document_id
        if not self._is_settled(at):
            put(written, at)

    def _is_settled(self, incoming: Path) -> bool:
        return (self.documents / incoming.name).exists()

    def settle(self, document_id: str) -> int | None:
        """Make an incoming file a document; give its size, None without a file.

        It is idempotent.
        """
        final = self.documents / document_id
        if not final.exists():
            try:
                (self.incoming / document_id).replace(final)
            except FileNotFoundError:
                return None
            sync_folder(self.documents)
        return final.stat().st_size

    def write(self, content: bytes, *, document_id: str) -> None:
        """Write a document of our own, whole or not at all."""
        with self.begin() as written:
            written[0].write(content)
            put(written, self.documents / document_id)

    def path(self, document_id: str) -> Path:
        return self.documents / document_id
