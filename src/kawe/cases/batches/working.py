"""Workbooks that are dropped into folders become runs, of many accounts at once.

Each account has its folder, its journal and its pace. A turn is one workbook of each
account, so that a large one of somebody keeps nobody else waiting. What was done lies
in `done`, what cannot be read in `not-read` with the reason beside it. All else stays,
and is taken up again once its content has changed or time may have helped.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from kawe.cases.batches.ending import Closing
from kawe.cases.sheets import results_beside
from kawe.domain.batch.exit_codes import ExitCode, code_of
from kawe.domain.text.texts import one_line
from kawe.durable import make_folder, replacing
from kawe.errors import KaweError
from kawe.ports import Halt
from kawe.settings.working import Inbox
from kawe.workbook.replacing import is_result

DONE, NOT_READ = "done", "not-read"
_ENDINGS: Final = frozenset({".xlsx", ".xlsm", ".csv"})
_MEMORY: Final = ".kawe-work.json"
_IN_USE: Final = "~$"
_SETTLED_SECONDS: Final = 2.0
"""A file that changed since then may still be on its way."""
_MAY_HELP: Final = frozenset(
    {ExitCode.SERVICE, ExitCode.JOURNAL, ExitCode.INTERRUPTED, ExitCode.UNEXPECTED}
)
"""After these the same workbook is tried again with the next round."""

Submits = Callable[[Inbox, Path], Awaitable[Closing]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Worked:
    """What became of one workbook."""

    profile: str
    workbook: str
    code: ExitCode
    words: str
    counts: dict[str, int] = field(default_factory=dict)
    lies_at: Path

    def as_json(self) -> dict[str, Any]:
        """Give it for JSON documents."""
        return {
            "profile": self.profile,
            "workbook": self.workbook,
            "exit_code": int(self.code),
            "words": self.words,
            "counts": self.counts,
            "lies_at": str(self.lies_at),
        }


async def work_round(
    inboxes: Sequence[Inbox],
    submits: Submits,
    *,
    accounts: int,
    halt: Halt,
    says: Callable[[str], str],
    tell: Callable[[Worked], None],
) -> list[Worked]:
    """Take up each workbook once, of so many accounts at the same time at most.

    `says` gives what to do next in words that people know.
    """
    gate, worked = asyncio.Semaphore(accounts), list[Worked]()
    waiting = {inbox: iter(list(_workbooks(inbox.folder))) for inbox in inboxes}

    async def turn(inbox: Inbox) -> bool:
        async with gate:
            path = next(waiting[inbox], None)
            if path is None or halt.asked:
                return False
            if (done := await _work(inbox, path, submits, says=says)) is not None:
                worked.append(done)
                tell(done)
            return True

    while any(await asyncio.gather(*map(turn, inboxes))):
        pass
    return worked


async def _work(
    inbox: Inbox, path: Path, submits: Submits, *, says: Callable[[str], str]
) -> Worked | None:
    digest = _digest(path)
    if digest is None:
        return None
    memory = _Memory(inbox.folder)
    known = memory.code(digest)
    if known is ExitCode.DONE:
        words = "the same content was done before, so nothing was run"
        return _worked(inbox, path, ExitCode.DONE, words=words, into=DONE)
    if known is not None and known not in _MAY_HELP:
        return None
    try:
        closing = await submits(inbox, path)
    except KaweError as trouble:
        code = code_of(trouble)
        memory.keep(digest, code, path.name)
        words = says(f"{trouble.message} {trouble.hint}".strip())
        into = NOT_READ if code is ExitCode.WORKBOOK else None
        return _worked(inbox, path, code, words=words, into=into)
    # What was put in its place meanwhile is of the next round.
    is_same = _digest(path) == digest
    if is_same:
        memory.keep(digest, closing.code, path.name)
    into = DONE if is_same and closing.code is ExitCode.DONE else None
    counts = {each.value: n for each, n in closing.report.counts().items() if n}
    words = ", ".join(f"{n:,} {name.replace('_', ' ')}" for name, n in counts.items())
    words = says("; ".join(closing.troubles)) or words
    done = _worked(inbox, path, closing.code, words=words, into=into)
    return replace(done, counts=counts)


def _worked(
    inbox: Inbox, path: Path, code: ExitCode, *, words: str, into: str | None
) -> Worked:
    """Put a workbook and its results where they belong, and say what became of it."""
    words, lies_at = one_line(words, limit=1000), path
    if into is not None:
        lies_at = _moved(path, inbox.folder / into)
        if into == NOT_READ:
            with replacing(lies_at.with_name(f"{lies_at.name}.txt")) as reason:
                reason.write(f"{words}\n".encode())
    return Worked(
        profile=inbox.profile,
        workbook=path.name,
        code=code,
        words=words,
        lies_at=lies_at,
    )


def _moved(path: Path, folder: Path) -> Path:
    make_folder(folder)
    number, name = 1, path.stem
    while (folder / f"{name}{path.suffix}").exists():
        number += 1
        name = f"{path.stem} ({number})"
    for result in results_beside(path):
        with suppress(OSError):
            result.rename(folder / f"{name}{result.name.removeprefix(path.stem)}")
    with suppress(OSError):
        return path.rename(folder / f"{name}{path.suffix}")
    return path


def _workbooks(folder: Path) -> Iterator[Path]:
    """Give the workbooks that lie whole in a folder, the oldest first."""
    make_folder(folder)
    found = [each for each in folder.iterdir() if each.suffix.casefold() in _ENDINGS]
    for each in sorted(found, key=lambda path: (path.lstat().st_mtime, path.name)):
        in_use = folder / f"{_IN_USE}{each.name}"
        is_settled = time.time() - each.lstat().st_mtime > _SETTLED_SECONDS
        is_plain = each.is_file() and not each.is_symlink()
        if is_plain and is_settled and not is_result(each) and not in_use.exists():
            yield each


def _digest(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


class _Memory:
    """What became of each content that was in a folder."""

    def __init__(self, folder: Path) -> None:
        self._path: Final = folder / _MEMORY

    def code(self, digest: str) -> ExitCode | None:
        """Give the last code of a content; None: it was not there before."""
        with suppress(ValueError, LookupError, TypeError):
            return ExitCode(self._read()[digest]["code"])
        return None

    def keep(self, digest: str, code: ExitCode, name: str) -> None:
        known = self._read()
        known[digest] = {"code": int(code), "name": name}
        with replacing(self._path) as file:
            file.write(json.dumps(known, ensure_ascii=False, indent=1).encode())

    def _read(self) -> dict[str, Any]:
        try:
            read = json.loads(self._path.read_bytes())
        except (OSError, ValueError, RecursionError):
            return {}
        return read if isinstance(read, dict) else {}
