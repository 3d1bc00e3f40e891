"""The log: JSON lines, one record on each, in a file that is rotated or on stderr.

Several processes write the file at the same time. It has no personal data, and every
known secret is replaced by its value.
"""

import json
import logging
import logging.handlers
import os
import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from io import TextIOWrapper
from pathlib import Path
from types import TracebackType
from typing import Final, TypeAlias
from urllib.parse import quote

from kawe.domain.text.texts import one_line, visible_json
from kawe.durable import make_folder
from kawe.settings.values import state_folder

_Raised: TypeAlias = (
    tuple[type[BaseException], BaseException, TracebackType | None]
    | tuple[None, None, None]
)
_SIZE_BYTES: Final = 8 * 1024 * 1024
_KEPT: Final = 5
_ERROR_STREAM: Final = 2
_secrets: set[str] = set()
_place = ""
_trouble = ""


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
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["trace"] = redacted(self._trace(record.exc_info))
        return redacted(visible_json(json.dumps(line, ensure_ascii=False)))

    def _trace(self, raised: _Raised) -> str:
        """Say where an error was raised; what it says may be what a row says."""
        if _is_debug():
            return self.formatException(raised)
        lines: list[str] = []
        told: list[BaseException] = []
        trouble = raised[1]
        # The first error of a group may have the group as its cause.
        while trouble is not None and trouble not in told:
            told.append(trouble)
            lines += [*traceback.format_tb(trouble.__traceback__), repr(type(trouble))]
            if isinstance(trouble, BaseExceptionGroup):
                trouble = trouble.exceptions[0]
            else:
                trouble = trouble.__cause__ or trouble.__context__
        return "\n".join(map(str.rstrip, lines))


class _Repeats(logging.Filter):
    """Counts equal records of a minute: of a thousand, a few stand in the log."""

    def __init__(self) -> None:
        super().__init__()
        self._minute, self._counts = 0, Counter[int]()

    def filter(self, record: logging.LogRecord) -> bool:
        """Let the first, the tenth, the hundredth … through."""
        if (minute := int(record.created // 60)) != self._minute:
            self._minute, self._counts = minute, Counter()
        if hasattr(record, "fields"):
            return True
        raised = record.exc_info and repr(record.exc_info[1])
        same = hash((record.name, record.getMessage(), raised))
        self._counts[same] += 1
        count = self._counts[same]
        if count > 1:
            record.msg, record.args = f"{record.getMessage()} ({count} times)", ()
        return str(count).strip("0") == "1"


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

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's
        """Keep what prevents a write; the command goes on."""
        del record
        trouble = sys.exception()
        _note(trouble if isinstance(trouble, OSError) else OSError("unwritable"))


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


def start(folder: Path | None = None, *, run_id: str = "") -> None:
    """Begin to log below `folder`, or where kawe does; the log may be unwritable."""
    global _place, _trouble
    folder = folder or state_folder() / "log"
    _place, _trouble = str(folder / "kawe.log"), ""
    try:
        make_folder(folder)
        target: logging.Handler = SharedLog(
            folder / "kawe.log",
            maxBytes=_SIZE_BYTES,
            backupCount=_KEPT,
            encoding="utf-8",
        )
    except OSError as refused:
        _note(refused)
        target = logging.NullHandler()
    _log_to(target, run_id=run_id)


@contextmanager
def naming(run_id: str) -> Iterator[None]:
    """Write the lines of the block under another run, inside the running command."""
    handlers = logging.getLogger("kawe").handlers
    lines = [each.formatter for each in handlers]
    for each in handlers:
        each.setFormatter(_JsonLines(run_id))
    try:
        yield
    finally:
        for each, before in zip(handlers, lines, strict=True):
            each.setFormatter(before)


def start_on_stderr(*, run_id: str, as_json: bool) -> None:
    """Begin to log on standard error, and move what people read away from it.

    It goes to standard output; where that is for one JSON document, nowhere.
    """
    global _place, _trouble
    _place, _trouble = "standard error", ""
    stream = os.fdopen(os.dup(_ERROR_STREAM), "w", encoding="utf-8", errors="replace")
    elsewhere = os.open(os.devnull, os.O_WRONLY) if as_json else os.dup(1)
    os.dup2(elsewhere, _ERROR_STREAM)
    os.close(elsewhere)
    _log_to(logging.StreamHandler(stream), run_id=run_id)


def place() -> str:
    return f"no log could be written ({_trouble})" if _trouble else _place


def trouble() -> str:
    return f"The log {_place} cannot be written: {_trouble}." if _trouble else ""


def _log_to(target: logging.Handler, *, run_id: str) -> None:
    # A failed write to the log prints no traceback.
    logging.raiseExceptions = False
    heard = tuple(map(logging.getLogger, ("kawe", "kawe_twin", "asyncio")))
    heard[0].setLevel(logging.DEBUG if _is_debug() else logging.INFO)
    # It would print the error of a task to the terminal.
    heard[2].propagate = False
    target.setFormatter(_JsonLines(run_id))
    target.addFilter(_Repeats())
    for each in heard:
        for old in list(each.handlers):
            each.removeHandler(old)
            with suppress(OSError):
                old.close()
        each.addHandler(target)


def _note(refused: OSError) -> None:
    global _trouble  # noqa: PLW0603 - one log for one process
    _trouble = _trouble or one_line(refused.strerror or str(refused)).lower()


def _is_debug() -> bool:
    return bool(os.environ.get("KAWE_DEBUG"))
