"""The documents on the disk.

An uploaded file is first in `incoming`; completing the upload moves it to `documents`,
where it never changes. File names are document ids, never a caller's names.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TypeAlias

Temporary: TypeAlias = tuple[BinaryIO, Path]
"""A file that is open to be written, and where it lies meanwhile."""


def make_folder(folder: Path) -> None:
    """Make a folder, and the missing ones above it, each for its owner alone."""
    # mkdir(parents=True) would give its mode to the last folder only.
    for each in (*reversed(folder.parents), folder):
        if not each.exists():
            each.mkdir(mode=0o700, exist_ok=True)


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

    @contextmanager
    def begin(self) -> Iterator[Temporary]:
        """Open a new file that only we can read; gone at the end unless kept."""
        handle, name = tempfile.mkstemp(dir=self.unfinished)
        try:
            with os.fdopen(handle, "w+b") as file:
                yield file, Path(name)
        finally:
            Path(name).unlink(missing_ok=True)

    def receive(self, written: Temporary, *, document_id: str) -> None:
        """Move a complete file to the incoming, unless its document is finished."""
        at = self.incoming / document_id
        if not self._is_settled(at):
            _put(written, at)

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
        return final.stat().st_size

    def write(self, content: bytes, *, document_id: str) -> None:
        """Write a document of our own, whole or not at all."""
        with self.begin() as written:
            written[0].write(content)
            _put(written, self.documents / document_id)

    def path(self, document_id: str) -> Path:
        return self.documents / document_id


def _put(temporary: Temporary, path: Path) -> None:
    file, lying = temporary
    file.close()
    lying.replace(path)
