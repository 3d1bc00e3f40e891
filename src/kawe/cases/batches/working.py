"""Workbooks that are dropped into folders become runs, of many accounts at once.

Each account has its folder, its journal and its pace. A turn is one workbook, so that
many of somebody keep nobody else waiting. What was done lies in `done`, what cannot be
read in `not-read` with the reason beside it. All else stays, and is taken up again once
its content or the settings have changed, or time may have helped.
"""

import asyncio
import json
import logging
import stat
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any, Final

from kawe.cases.batches.approving import approval_files
from kawe.cases.batches.ending import Closing, code_of_report
from kawe.cases.batches.plans import SubmitRequest, request_of_plan
from kawe.cases.batches.submitting import submit_agreed
from kawe.cases.choices import find_batch
from kawe.cases.companions import at_files
from kawe.cases.kit import Toolkit
from kawe.cases.sheets import results_beside
from kawe.domain.batch.exit_codes import ExitCode, code_of
from kawe.domain.batch.readings import Reading
from kawe.domain.batch.runs import AgreedRun
from kawe.domain.batch.saved_plans import PlannedLimits
from kawe.domain.sheet.findings import Severity
from kawe.domain.text.texts import one_line, some_of
from kawe.durable import make_folder, replacing, sha256_at
from kawe.errors import KaweError, PlanRefused, ResultNotWritable
from kawe.files.plans import read_plan_file
from kawe.files.saving import LARGEST_BYTES, open_plainly
from kawe.settings.keeping import marked
from kawe.settings.working import AGREED, DONE, KEPT, NOT_READ, Inbox
from kawe.workbook.identify import ENDINGS, locked_by
from kawe.workbook.replacing import is_result

FILES: Final = "files"
"""Of a run that was agreed to, the folder of the files that its rows name."""
_BOOKS: Final = ENDINGS - {".txt"}
_MEMORY, _KEY, _TOLD = ".kawe-work.json", "key", "passed over"
_YOUNG_SECONDS, _SETTLED_SECONDS, _BLOCK = 30.0, 2.0, 4096
"""A file so young may be on its way: where it changes so soon, or its text is cut."""
MAY_HELP: Final = frozenset(
    {ExitCode.SERVICE, ExitCode.JOURNAL, ExitCode.INTERRUPTED, ExitCode.UNEXPECTED}
)
"""After these the same workbook is tried again with the next round."""
_OVER: Final = frozenset(ExitCode) - MAY_HELP
"""With these a run that was agreed to is over."""

_FAULT: Final = "Something unexpected happened, and it is kawe's fault: see its log."
Opens = Callable[[Inbox], Toolkit]
"""Gives what a run of a profile needs, with an id of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Worked:
    """What became of one workbook."""

    profile: str
    workbook: str
    exit_code: ExitCode
    words: str
    counts: Mapping[str, int]
    lies_at: Path


async def work_folder(
    kawe: Toolkit,
    inbox: Inbox,
    *,
    opens: Opens,
    gate: asyncio.Semaphore,
    tell: Callable[[Worked], None],
) -> None:
    """Take up each workbook of a folder once; one that fails keeps no other waiting.

    The gate lets so many in at a time, and whoever waited longest first.
    """
    try:
        paths, left = await _workbooks(kawe, inbox.folder)
    except OSError as fault:
        tell(failed(kawe, inbox, inbox.folder, trouble=fault))
        return
    if new := _Memory(inbox.folder).new_of(left):
        words = f"Left, being open or no workbooks here: {some_of(new, shown=12)}"
        tell(_worked(inbox, inbox.folder, ExitCode.DONE, words=words))
    for path in paths:
        async with gate:
            if kawe.halt.asked:
                return
            work = partial(_work, inbox=inbox, path=path)
            done = await attempt(kawe, inbox, path, opens=opens, work=work)
        if done is not None:
            tell(done)


async def attempt(
    kawe: Toolkit,
    inbox: Inbox,
    path: Path,
    *,
    opens: Opens,
    work: Callable[[Toolkit], Awaitable[Worked | None]],
) -> Worked | None:
    """Work on a workbook, and say what went wrong; None: it is as it was, or gone."""
    try:
        return await work(opens(inbox))
    except FileNotFoundError:
        # Another kawe of the same folder has put it away.
        return None
    except Exception as trouble:  # noqa: BLE001 - other accounts are not to wait
        return failed(kawe, inbox, path, trouble=trouble)


async def _work(kawe: Toolkit, inbox: Inbox, path: Path) -> Worked | None:
    """Submit one workbook; None: nothing has changed since it was left there.

    Raises:
        KaweError: As a submit.
        FileNotFoundError: It is not there any more.
        OSError: It cannot be read.
    """
    memory = _Memory(inbox.folder)
    about = _about(kawe, inbox, path, mark=memory.mark_of(kawe.settings.key or ""))
    known, batch = memory.known(about)
    try:
        words = "the same content was done before, so nothing was run"
        if known is ExitCode.ROWS_WAIT_FOR_PERSON:
            # Somebody may have released or resolved them since.
            known = await _code_now(kawe, batch)
            words = "its rows that waited are done now"
        if known is ExitCode.DONE:
            return _worked(inbox, path, ExitCode.DONE, words=words, to=DONE)
        if known is not None and known not in {*MAY_HELP, ExitCode.WORKBOOK}:
            return None
        asked, agreed = _asked(kawe, inbox, path)
        closing = await submit_agreed(kawe, asked, agreed=agreed)
    except KaweError as trouble:
        # What is only asked, and may be answered next time, is asked again.
        if known is None or code_of(trouble) not in MAY_HELP:
            memory.keep(about, code_of(trouble), name=path.name)
        _about(kawe, inbox, path, mark="")
        raise
    # What was put in its place meanwhile is of the next round.
    ends = frozenset[ExitCode]()
    if about.startswith(sha256_at(path)):
        batch, ends = closing.report.batch, frozenset({ExitCode.DONE})
        memory.keep(about, closing.code, name=path.name, batch=batch)
    return _closed(kawe, inbox, path, closing=closing, ends=ends)


def _about(kawe: Toolkit, inbox: Inbox, path: Path, *, mark: str) -> str:
    """Name a content, with these settings, the mark of the key and this agreement."""
    with path.open("rb") as file:
        digest = file_digest(file, "sha256").hexdigest()
    beside = [sha256_at(each) for each in _agreement_of(path)]
    said = ascii((kawe.settings, mark, inbox.yes, beside))
    return f"{digest} {sha256(said.encode()).hexdigest()}"


async def work_agreed(kawe: Toolkit, inbox: Inbox, run: AgreedRun) -> Worked:
    """Carry out a plan that a person agreed to, and no other one.

    Raises:
        KaweError: As a submit.
        FileNotFoundError: This host does not see it; another one may.
    """
    path = inbox.folder / AGREED / run.name / run.workbook
    if not path.exists() and (ended := await _ended(kawe, inbox, path)):
        return ended
    plan = plan_of(path)
    path.stat()
    read = read_plan_file(plan)
    if read[1] != run.plan:
        raise PlanRefused(
            message=f"{one_line(str(plan))} is not the plan that was agreed to.",
            hint="Nothing more is sent. Submit the workbook again.",
        )
    files = path.parent / FILES
    asked = request_of_plan(
        read, plan, kawe, workbook=path, files_root=files if files.is_dir() else None
    )
    asked = replace(asked, reading=reading_below(path.parent, asked.reading))
    closing = await submit_agreed(kawe, asked, agreed=run.agreed)
    return _closed(kawe, inbox, path, closing=closing, ends=_OVER)


async def _ended(kawe: Toolkit, inbox: Inbox, path: Path) -> Worked | None:
    """Say how a run ended whose host could not tell the database any more."""
    async with kawe.open_journal(read_only=True, may_be_missing=True) as journal:
        runs = await journal.runs()
    # Hosts may have the folder at different places.
    ends = [e.end for e in runs if Path(e.workbook).parts[-2:] == path.parts[-2:]]
    if not ends or (end := ends[-1]) is None or end.exit_code not in _OVER:
        return None
    counts, away = {str(e): n for e, n in end.counts.items()}, inbox.folder / DONE
    code = ExitCode(end.exit_code)
    return _worked(inbox, away / path.name, code, words=end.words, counts=counts)


def reading_below(folder: Path, reading: Reading) -> Reading:
    """Say where what is read beside a workbook lies in the folder of its run."""
    places, message = reading.places, reading.message
    return replace(
        reading,
        places=places and folder / "places" / places.name,
        message=message and folder / "message" / message.name,
    )


def is_name(said: str) -> bool:
    """Say whether a text names what lies in a folder, and nothing elsewhere."""
    return said not in {"", ".", ".."} and Path(said).name == said


def _closed(
    kawe: Toolkit,
    inbox: Inbox,
    path: Path,
    *,
    closing: Closing,
    ends: frozenset[ExitCode],
) -> Worked:
    """Say what became of a workbook, and put it away if its code is one of `ends`."""
    counts = {each.value: n for each, n in closing.report.counts().items() if n}
    words = ", ".join(f"{n:,} {name.replace('_', ' ')}" for name, n in counts.items())
    # Nobody is there who reads what is said of the sheet, as of a list beside it.
    said = [e for e in closing.report.findings if e.severity is not Severity.NOTE]
    troubles = kawe.says("; ".join(closing.troubles))
    words = "; ".join(filter(None, (words, *(e.message for e in said), troubles)))
    to = DONE if closing.code in ends else ""
    return _worked(inbox, path, closing.code, words=words, counts=counts, to=to)


def failed(kawe: Toolkit, inbox: Inbox, path: Path, *, trouble: Exception) -> Worked:
    """Say why a workbook was not submitted, and put aside what is not tried again."""
    code, words, to = ExitCode.UNEXPECTED, _FAULT, ""
    if isinstance(trouble, KaweError):
        code, words = code_of(trouble), kawe.says(str(trouble))
        is_read = code != ExitCode.WORKBOOK or isinstance(trouble, ResultNotWritable)
        is_over = code in _OVER and path.is_relative_to(inbox.folder / AGREED)
        # A share may be slow to bring the rest: the next round reads it again.
        with suppress(OSError):
            is_read = is_read or _is_young(path.lstat().st_mtime)
        to = "" if is_read and not is_over else NOT_READ
    elif isinstance(trouble, OSError):
        code, where = ExitCode.WORKBOOK, one_line(str(trouble.filename or path))
        words = f"{where} cannot be read or written: {one_line(str(trouble.strerror))}"
    else:
        logging.getLogger(__name__).error(_FAULT, exc_info=trouble)
    return _worked(inbox, path, code, words=words, to=to)


def _is_young(at: float) -> bool:
    # A share's clock may be ahead; a copy may have the time of what it is of.
    return time.time() - at < _YOUNG_SECONDS


def _is_cut(path: Path) -> bool:
    """Say whether a text ends within a line or with a block, as one that is copied."""
    if path.suffix.casefold() in {".csv", ".tsv"}:
        with suppress(OSError), path.open("rb") as file:
            size = path.stat().st_size
            file.seek(max(0, size - 2))
            is_line = file.read().rstrip(b"\0")[-1:] in {b"", b"\n", b"\r"}
            return not is_line or (size > 0 and size % _BLOCK == 0)
    return False


async def _code_now(kawe: Toolkit, batch: str) -> ExitCode:
    async with kawe.open_journal(read_only=True) as journal:
        meant = find_batch(await journal.batches(), name=batch)
        return code_of_report(await kawe.report(meant, journal=journal))


def _asked(kawe: Toolkit, inbox: Inbox, path: Path) -> tuple[SubmitRequest, int]:
    """Say what is submitted, and to how many acts somebody agreed.

    A plan beside the workbook is carried out. Where the person's settings name
    approvers, no act leaves that they did not sign: their plan is the agreement.
    """
    plan = plan_of(path)
    if not plan.is_file():
        reading = at_files(kawe.settings, Reading(workbook=path))
        asked = SubmitRequest(reading=reading, limits=PlannedLimits(), path=path)
        return asked, inbox.yes
    read = read_plan_file(plan)
    asked = request_of_plan(read, plan, kawe, workbook=path)
    return asked, read[0].acts if kawe.settings.approvers is not None else inbox.yes


def plan_of(path: Path) -> Path:
    """Say where the plan of a workbook lies, if it has one."""
    return path.with_name(f"{path.stem}.plan.json")


def _agreement_of(path: Path) -> list[Path]:
    """Give the plan of a workbook and its approvals, where there is one."""
    plan = plan_of(path)
    return [plan, *approval_files(plan)] if plan.is_file() else []


def _worked(
    inbox: Inbox,
    path: Path,
    code: ExitCode,
    *,
    words: str,
    counts: Mapping[str, int] | None = None,
    to: str = "",
) -> Worked:
    """Put a workbook and its results where they belong, and say what became of it."""
    words, lies_at = one_line(words, limit=1000), path
    try:
        lies_at = _moved(path, inbox.folder / to) if to else path
        if to == NOT_READ:
            with replacing(lies_at.with_name(f"{lies_at.name}.txt")) as reason:
                reason.write(f"{words}\n".encode())
    except OSError as fault:
        code, why = ExitCode.WORKBOOK, one_line(str(fault.strerror))
        words = f"{words.rstrip('.')}. It could not be put into {to}: {why}."
    return Worked(
        profile=inbox.profile,
        workbook=path.name,
        exit_code=code,
        words=words,
        counts=counts or {},
        lies_at=lies_at,
    )


def _moved(path: Path, folder: Path) -> Path:
    make_folder(folder)
    number, to = 1, folder / path.name
    results = [each.name for each in folder.iterdir() if is_result(each)]
    # The results of one with another ending have its name too.
    while to.exists() or any(each.startswith(f"{to.stem}.") for each in results):
        number += 1
        to = folder / f"{path.stem} ({number}){path.suffix}"
    for beside in (*results_beside(path), *_agreement_of(path)):
        with suppress(OSError):
            beside.rename(folder / f"{to.stem}{beside.name.removeprefix(path.stem)}")
    return path.rename(to)


async def _workbooks(kawe: Toolkit, folder: Path) -> tuple[list[Path], list[str]]:
    """Give the workbooks that lie whole in a folder, the oldest first, and the rest."""
    make_folder(folder)
    found, left = _lying(folder)
    if young := {each for each, (at, _) in found.items() if _is_young(at)}:
        await kawe.clock.sleep(_SETTLED_SECONDS)
        found = dict(found.items() & _lying(folder)[0].items())
        for each in filter(_is_cut, young & found.keys()):
            left.append(f"{each.name} (as cut off: more may come)")
            del found[each]
    return sorted(found, key=lambda each: (found[each], each.name)), sorted(left)


def _lying(folder: Path) -> tuple[dict[Path, tuple[float, int]], list[str]]:
    """Give when each workbook was written and its size, and name what is left."""
    stamps, left, lying = {}, [], [*folder.iterdir()]
    books = tuple(f"{each.stem}." for each in lying if not is_result(each))
    for each in lying:
        # Excel and macOS keep files of their own beside a workbook.
        is_made = is_result(each)
        is_ours = each.name in KEPT or (is_made and each.name.startswith(books))
        if is_ours or each.name.startswith(("~$", ".")):
            continue
        with suppress(FileNotFoundError):
            about, ending = each.lstat(), each.suffix.casefold()
            if stat.S_ISDIR(about.st_mode):
                left.append(f"{each.name}/")
            elif is_made or ending not in _BOOKS or not stat.S_ISREG(about.st_mode):
                left += [each.name] if ending != ".json" else []
            elif program := locked_by(each):
                left.append(f"{each.name} (open in {program})")
            else:
                stamps[each] = about.st_mtime, about.st_size
    return stamps, left


class _Memory:
    """What became of each content that was in a folder."""

    def __init__(self, folder: Path) -> None:
        self._path: Final = folder / _MEMORY

    def known(self, about: str) -> tuple[ExitCode | None, str]:
        """Give the last code of a content, and its batch; None: it was not there."""
        with suppress(ValueError, LookupError, TypeError):
            found = self._read()[about]
            return ExitCode(found["code"]), str(found["batch"])
        return None, ""

    def mark_of(self, key: str) -> str:
        """Give the random mark of the key, which is another for another key."""
        known = self._read()
        if (kept := marked(key, known.get(_KEY))) != known.get(_KEY):
            self._write(known | {_KEY: kept})
        return kept[0]

    def new_of(self, names: Sequence[str]) -> list[str]:
        """Give those names of files that were not given the last time."""
        known = self._read()
        if (told := known.get(_TOLD, [])) != names:
            self._write(known | {_TOLD: names})
        return [e for e in names if not isinstance(told, list) or e not in told]

    def keep(self, about: str, code: ExitCode, *, name: str, batch: str = "") -> None:
        said = {"code": int(code), "name": name, "batch": batch}
        self._write(self._read() | {about: said})

    def _write(self, known: Mapping[str, Any]) -> None:
        # What is not kept is asked for again, and nothing is sent twice.
        with suppress(OSError), replacing(self._path) as file:
            file.write(json.dumps(known, indent=1).encode())

    def _read(self) -> dict[str, Any]:
        try:
            # Whoever may put workbooks there may also put a pipe there.
            with open_plainly(self._path, most_bytes=LARGEST_BYTES) as file:
                read = json.load(file)
        except (OSError, ValueError, RecursionError):
            return {}
        return read if isinstance(read, dict) else {}
