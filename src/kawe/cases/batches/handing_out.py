"""Runs that any of several hosts carries out, handed out by their common database.

What a person agreed to lies in the folder of work that all hosts share: workbook, plan
and approvals. The database has the hash of the plan and the number.
"""

from __future__ import annotations

import asyncio
import secrets
import shutil
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kawe import errors
from kawe.cases.batches import working
from kawe.cases.batches.approving import approval_files
from kawe.cases.batches.plans import SubmitRequest, make_saved_plan
from kawe.cases.choices import author_of
from kawe.cases.companions import bring_to
from kawe.cases.kit import Toolkit
from kawe.cases.session import Session
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.batch.journal_servers import JournalServer
from kawe.domain.batch.readings import Reading
from kawe.domain.batch.runs import AgreedRun, ListedRun, WorkPlace, run_id
from kawe.domain.batch.saved_plans import SavedPlan
from kawe.domain.rows.shown_files import path_below
from kawe.domain.sheet.content import Attachment
from kawe.domain.text.next_steps import Next
from kawe.domain.text.texts import one_line
from kawe.durable import make_folder, replacing, sha256_at
from kawe.files.plans import read_plan_file, write_plan
from kawe.journal.store.places import is_there
from kawe.journal.words import storable
from kawe.machine.installation import load_extra
from kawe.settings.values import Settings
from kawe.settings.working import AGREED, Inbox, inbox_of

if TYPE_CHECKING:
    from kawe.hosts import HostTurns

_GONE_TRIES, _UNSEEN_TRIES = 5, 130
"""Some minutes in which a share may lag, and a day in which it may come back."""
_GONE: Final = errors.PlanRefused(
    message="The folder of the run is gone.",
    hint="Nothing more is sent. Look into done, or submit the workbook again.",
)


def open_turns(
    url: str, *, to_write: bool = False
) -> AbstractAsyncContextManager[HostTurns]:
    """Open what waits in a database; raise `KaweError` where that cannot be."""
    hosts = load_extra("kawe.hosts", extra="postgres", called="Work for several hosts")
    # A pool says only after half a minute that it has no connection, and never why.
    is_there(JournalServer(url=url, schema=hosts.SCHEMA), to_write=to_write)
    return hosts.open_turns(url)  # type: ignore[no-any-return]


def _database(settings: Settings) -> str:
    kept = settings.journal_place()
    return kept.url if isinstance(kept, JournalServer) else ""


def place_of(settings: Settings, inbox: Inbox, *, url: str | None = None) -> WorkPlace:
    """Name a folder of work as the database `url`, or that of its journal, knows it.

    Raises:
        SettingsError: Its journal is not there: other hosts would not know it.
    """
    kept = settings.journal_place()
    if not isinstance(kept, JournalServer) or url not in {None, kept.url}:
        raise errors.SettingsError(
            message=f"The journal of the profile {one_line(inbox.profile)} is not in "
            "the database that hands out its work: other hosts would not know it.",
            hint='Write journal = "postgresql://…", with the same address, into it.',
        )
    return WorkPlace(
        profile=inbox.profile, account=kept.schema, watch_minutes=inbox.watch
    )


async def put_agreed(
    session: Session,
    asked: SubmitRequest,
    *,
    inbox: Inbox,
    agree: Callable[[Session, SavedPlan], int],
) -> AgreedRun:
    """Plan a submit, let a person agree to it, and give it to whichever host is free.

    A run without a name was not put: nothing is to be done.

    Raises:
        GuardRefused: They do not agree, approvals are missing, or it is put already.
        PlanRefused: The plan is stale, or a file changed since it was checked.
        ResultNotWritable: The folder of work cannot be written.
    """
    toolkit = session.toolkit
    place, database = place_of(toolkit.settings, inbox), _database(toolkit.settings)
    # A database has no name that is no text.
    workbook = storable(asked.reading.workbook.name)
    async with open_turns(database, to_write=True) as turns:
        await turns.migrate()
    await _refuse_second(toolkit.settings, workbook)
    if asked.saved is None:
        made = await make_saved_plan(session, asked.reading, limits=asked.limits)
        prepared, saved = made.prepared, made.saved
        await session.make_sure_of_load(saved.iwi_load)
    else:
        prepared, saved = await asked.prepare(session, keeps=False), asked.saved
    await asked.approved(session, prepared)
    run = AgreedRun(
        name="",
        profile=inbox.profile,
        workbook=workbook,
        plan="",
        agreed=agree(session, saved),
        act=saved.act,
        put_by=author_of(toolkit.settings),
    )
    if not (prepared.plan.has_work or prepared.plan.sent_there):
        return run
    name = run_id(toolkit.clock.now(), choose=secrets.choice)
    with _new_folder(inbox.folder / AGREED / name) as folder:
        plan = _lay_plan(asked, saved, folder / workbook)
        is_here = bring_to(toolkit.settings, asked.reading.root) is None
        # Every host takes the files of a bucket itself.
        attached = prepared.checked.attached if is_here else []
        _lay_beside(asked.reading, folder, attached)
        run = replace(run, name=name, plan=plan)
        async with open_turns(database) as turns:
            await turns.put(run, place=place)
    return run


async def _refuse_second(settings: Settings, workbook: str) -> None:
    """Refuse a workbook of this name while a run of one is put, and not over."""
    for each in await agreed_runs(settings, workbook, is_open=True):
        raise errors.GuardRefused(
            message=f"{one_line(workbook)} is put already, by "
            f"{one_line(each.put_by, limit=60)}, as the run {each.name}.",
            hint="Nothing was put. Let that one end, or take it back: "
            f"{Next.WAITING}. Another workbook of this name needs another name.",
        )


@contextmanager
def _new_folder(folder: Path) -> Iterator[Path]:
    """Make the folder of a run, which is gone where the run is not put."""
    try:
        make_folder(folder)
        yield folder
    except BaseException as trouble:
        shutil.rmtree(folder, ignore_errors=True)
        if not isinstance(trouble, OSError):
            raise
        said = one_line(str(trouble), limit=300)
        raise errors.ResultNotWritable(
            message=f"The folder that hosts share cannot be written: {said}",
            hint="Nothing was put.",
        ) from trouble


def _lay_plan(asked: SubmitRequest, saved: SavedPlan, path: Path) -> str:
    """Copy a workbook to `path`, and its plan and approvals; give the plan's hash."""
    plan = working.plan_of(path)
    _copy(asked.reading.workbook, path)
    if asked.saved is None:
        write_plan(saved, plan)
        return read_plan_file(plan)[1]
    _copy(asked.path, plan, sha256=asked.file)
    for each in approval_files(asked.path):
        ending = each.name.removeprefix(asked.path.stem)
        _copy(each, plan.with_name(f"{plan.stem}{ending}"))
    return asked.file


def _lay_beside(
    reading: Reading, folder: Path, attached: Iterable[tuple[int, Attachment]]
) -> None:
    """Copy what is read beside the workbook, and the files that its rows name."""
    below, root = working.reading_below(folder, reading), reading.root.resolve()
    for path, to in (reading.places, below.places), (reading.message, below.message):
        if path is not None and to is not None:
            _copy(path, to)
    for file in {each for _, each in attached}:
        to = folder / working.FILES / path_below(root, file)
        _copy(file.path, to, sha256=file.sha256)


def _copy(path: Path, to: Path, *, sha256: str = "") -> None:
    """Copy a file that has this hash, if one is given.

    Raises:
        PlanRefused: It has another one.
        OSError: It cannot be copied.
    """
    make_folder(to.parent)
    with path.open("rb") as old, replacing(to) as new:
        shutil.copyfileobj(old, new)
    if sha256 not in {"", sha256_at(to)}:
        raise errors.PlanRefused(
            message=f"{one_line(str(path))} changed while it was read.",
            hint=f"Nothing was put. Then {Next.AGAIN}.",
        )


async def agreed_runs(
    settings: Settings, of: str | None = None, *, is_open: bool = False
) -> list[ListedRun]:
    """List the runs of this profile, or of a workbook, that were put for hosts.

    `is_open`: those alone that are not over.
    """
    if not (database := _database(settings)):
        return []
    async with open_turns(database) as turns:
        listed = [] if await turns.pending() else await turns.listed(settings.profile)
    meant = [each for each in listed if not of or each.is_called(Path(of).name)]
    return [each for each in meant if not (is_open and each.is_over)]


async def take_back(
    settings: Settings, name: str, *, environment: Mapping[str, str]
) -> bool:
    """Take an agreed run back before a host begins it; False: no run is called so.

    What was copied for it goes, where this computer has the folder that hosts share.

    Raises:
        GuardRefused: A host is at it, or it has ended.
    """
    if name not in {each.name for each in await agreed_runs(settings)}:
        return False
    code, words = ExitCode.INTERRUPTED, f"{author_of(settings)} took it back."
    async with open_turns(_database(settings)) as turns:
        if not await turns.take_back(name, code=code, words=words):
            raise errors.GuardRefused(
                message=f"A host has begun the run {one_line(name)}, or ended it.",
                hint="It can be taken back only while it waits.",
            )
    with suppress(errors.SettingsError):
        inbox = inbox_of(settings.profile, environment=environment)
        if working.is_name(name):
            shutil.rmtree(inbox.folder / AGREED / name, ignore_errors=True)
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class HostWork:
    """Implements `TurnTaker`: what this host does when it has a turn."""

    url: str
    """The database that hands the work out."""
    accounts: int
    toolkit: Toolkit
    inboxes: Mapping[str, Inbox]
    opens: working.Opens
    tell: Callable[[working.Worked], None]
    watches: Callable[[Inbox], Awaitable[None]]

    async def make_ready(self) -> list[WorkPlace]:
        """Bring the tables of the database up to date, once it may be asked.

        What an account lacks is told, and the others are worked for.

        Raises:
            SettingsError: As `place_of`.
            JournalError: As `HostTurns.migrate`.
        """
        places = []
        for each in self.inboxes.values():
            try:
                settings = self.opens(each).settings
            except errors.KaweError as trouble:
                said = working.failed(self.toolkit, each, each.folder, trouble=trouble)
                self.tell(said)
            else:
                places.append(place_of(settings, each, url=self.url))
        async with open_turns(self.url, to_write=True) as turns:
            await turns.migrate()
            for run in await turns.of_others(self.inboxes):
                self.toolkit.progress.say(
                    f"The run {one_line(run.name)} waits: the profile "
                    f"{one_line(run.profile)} has no folder of work here. Put it into "
                    "the settings, and start this host again."
                )
        return places

    async def take(
        self, places: Sequence[WorkPlace], *, every_seconds: int | None
    ) -> None:
        """Do what waits at these places, as `HostTurns.work`."""
        async with open_turns(self.url) as turns:
            await turns.work(
                self,
                places,
                accounts=self.accounts,
                every_seconds=every_seconds,
                halt=self.toolkit.halt,
            )

    async def look(self, profile: str) -> None:
        """Take up each workbook of a profile once."""
        await working.work_folder(
            self.toolkit,
            self.inboxes[profile],
            opens=self.opens,
            gate=asyncio.Semaphore(1),
            tell=self.tell,
        )

    async def watch(self, profile: str) -> None:
        await self.watches(self.inboxes[profile])

    async def carry_out(self, run: AgreedRun, *, tries: int) -> tuple[int | None, str]:
        """Carry a run out; None where time may help."""
        kawe, inbox = self.toolkit, self.inboxes[run.profile]
        folder = inbox.folder / AGREED / run.name
        path = folder / run.workbook
        work, ended = partial(working.work_agreed, inbox=inbox, run=run), None
        # Others may write in the database: no name leads out of the folder.
        if working.is_name(run.name) and working.is_name(run.workbook):
            ended = await working.attempt(
                kawe, inbox, path, opens=self.opens, work=work
            )
        if ended is None:
            if tries < (_GONE_TRIES if folder.parent.is_dir() else _UNSEEN_TRIES):
                return None, "This host does not see the folder of the run."
            ended = working.failed(kawe, inbox, inbox.folder, trouble=_GONE)
            ended = replace(ended, workbook=run.workbook, lies_at=path)
        elif ended.lies_at != path:
            # What is left are copies of what the person has.
            shutil.rmtree(folder, ignore_errors=True)
        self.tell(ended)
        is_over = ended.exit_code not in working.MAY_HELP
        return int(ended.exit_code) if is_over else None, ended.words
