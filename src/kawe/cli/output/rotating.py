"""A rotating log file that several processes write at the same time."""

from __future__ import annotations

import logging.handlers
import os
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path


class SharedLog(logging.handlers.RotatingFileHandler):
    """Loses no record while another process has the file open; only its owner reads it.

    Windows renames no open file: then the file grows until nobody else has it. The
    standard handler would lose the record, and shift the older files each time.
    """

    def doRollover(self) -> None:  # noqa: N802 - the library's name
        """Begin a new file, if the full one can be renamed."""
        if self.stream is None:
            return
        full = Path(self.baseFilename)
        moved = full.with_name(f"{full.name}.0")
        # What failed is tried at the next record; that one opens the file again.
        with suppress(OSError):
            mine = os.fstat(self.stream.fileno())
            is_mine = os.path.samestat(mine, full.stat())
            self.stream.close()
            self.stream = None
            # Else another process began a new file already.
            if is_mine:
                full.replace(moved)
                super().doRollover()
                moved.replace(f"{full}.1")

    def _open(self) -> TextIOWrapper:
        flags = os.O_APPEND | os.O_CREAT | os.O_WRONLY
        file = os.fdopen(os.open(self.baseFilename, flags, 0o600), "ab")
        return TextIOWrapper(file, encoding=self.encoding)
