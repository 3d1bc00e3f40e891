"""The log file: JSON lines, rotated, without secrets and without people.

One line stays one record, whatever foreign text says, and every known secret
is taken out by its value, whatever path it took to get here.
"""

from __future__ import annotations

import json
import logging
import logging.handlers
import os
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import quote

from kawe.domain.text.texts import visible_json
from kawe.durable import make_folder
from kawe.settings import state_folder

_SIZE_BYTES: Final = 2 * 1024 * 1024
_KEPT: Final = 5
_secrets: set[str] = set()
_path: Path | None = None


class _JsonLines(logging.Formatter):
    def __init__(self, run_id: str) -> None:
        super().__init__()
        self._run_id = run_id

    def format(self, record: logging.LogRecord) -> str:
        """Write one record as one line."""
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "run": self._run_id,
            "level": record.levelname.lower(),
            "where": record.name,
            "what": redacted(record.getMessage()),
        }
        if record.exc_info:
            line["trace"] = redacted(self.formatException(record.exc_info))
        return redacted(visible_json(json.dumps(line, ensure_ascii=False)))


def keep_out(secret: str | None) -> None:
    """Take `secret` out of every line from now on, however it is spelt there."""
    if secret:
        quoted = json.dumps(secret)[1:-1]
        # A trace of a trace, and a line of the log within one, quote it again.
        again = json.dumps(quoted)[1:-1]
        _secrets.update({secret, quoted, again, quote(secret, safe="")})


def redacted(text: str) -> str:
    """Give `text` without any known secret."""
    # The longest first: a piece of one must not stay behind for another.
    for secret in sorted(_secrets, key=len, reverse=True):
        text = text.replace(secret, "[secret]")
    return text


def start(folder: Path, *, debug: bool) -> None:
    """Begin to log below `folder`; a log that cannot be written is left out."""
    global _path  # noqa: PLW0603 - one log for one process
    # A log that the disk refuses is no reason to write tracebacks elsewhere.
    logging.raiseExceptions = False
    root, loop = logging.getLogger("kawe"), logging.getLogger("asyncio")
    root.setLevel(logging.DEBUG if debug else logging.INFO)
    # It would write what a task raised to the terminal, as it is.
    loop.propagate = False
    for each in (root, loop):
        for old in list(each.handlers):
            each.removeHandler(old)
            old.close()
    try:
        make_folder(folder)
        _path = folder / "kawe.log"
        _path.touch(mode=0o600)
        target: logging.Handler = logging.handlers.RotatingFileHandler(
            _path, maxBytes=_SIZE_BYTES, backupCount=_KEPT, encoding="utf-8"
        )
    except OSError:
        _path = None
        target = logging.NullHandler()
    target.setFormatter(_JsonLines(uuid.uuid4().hex[:12]))
    root.addHandler(target)
    loop.addHandler(target)


def start_usual() -> None:
    """Begin to log in the usual place."""
    start(state_folder() / "log", debug=bool(os.environ.get("KAWE_DEBUG")))


def start_if_needed() -> None:
    """Begin to log in the usual place, for commands that open nothing else."""
    if not logging.getLogger("kawe").handlers:
        start_usual()


def path() -> str:
    """Say where the log is."""
    return "no log could be written" if _path is None else str(_path)
