"""The log file: JSON lines, rotated, one record on each line.

It has no personal data, and every known secret is replaced by its value.
"""

from __future__ import annotations

import json
import logging
import os
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import quote

from kawe.cli.output.rotating import SharedLog
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
    """Remove `secret`, in any encoding, from every later line."""
    if secret:
        quoted = json.dumps(secret)[1:-1]
        # A traceback inside a log line quotes it again.
        again = json.dumps(quoted)[1:-1]
        _secrets.update({secret, quoted, again, quote(secret, safe="")})


def redacted(text: str) -> str:
    """Give `text` without any known secret."""
    # The longest first: one secret may be a part of another.
    for secret in sorted(_secrets, key=len, reverse=True):
        text = text.replace(secret, "[secret]")
    return text


def start(folder: Path, *, debug: bool) -> None:
    """Begin to log below `folder`; without write access there is no log."""
    global _path  # noqa: PLW0603 - one log for one process
    # A failed write to the log prints no traceback.
    logging.raiseExceptions = False
    root, loop = logging.getLogger("kawe"), logging.getLogger("asyncio")
    root.setLevel(logging.DEBUG if debug else logging.INFO)
    # It would print the error of a task to the terminal.
    loop.propagate = False
    for each in (root, loop):
        for old in list(each.handlers):
            each.removeHandler(old)
            old.close()
    try:
        make_folder(folder)
        _path = folder / "kawe.log"
        target: logging.Handler = SharedLog(
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
