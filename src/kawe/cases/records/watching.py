"""One round of a watch as a whole: look, write what is new, then remember.

What is new is on the disk before the memory says that it was reported. A round that
was cut short is done again whole and writes files of the same name, so no change is
left out and none stands in two rounds.
"""

from collections import Counter
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Iterable,
    Iterator,
    Sequence,
)
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from kawe import errors
from kawe.cases.choices import agreed_mode
from kawe.cases.kit import Toolkit
from kawe.days import NewZealandDays
from kawe.domain.batch.outcomes import Outcome, outcome_of
from kawe.domain.rows.entries import Batch, Binding, Entry
from kawe.domain.service.service_words import ProjectId
from kawe.domain.service.watching import (
    NEAR_DAYS,
    News,
    NewsKind,
    SeenProject,
    WatchMemory,
)
from kawe.domain.text.new_zealand import NEW_ZEALAND
from kawe.domain.text.next_steps import Given
from kawe.domain.text.table_doc import CellForm, TableDoc
from kawe.domain.text.texts import counted
from kawe.durable import make_folder
from kawe.files.saving import save_named, unwritable
from kawe.files.watching import keep_memory, read_memory, watch_beside
from kawe.flows.lost_sends import lost_among, lost_words, sent_before
from kawe.flows.naming_iwi import iwi_of
from kawe.flows.watch.looking import Round, Watcher, in_days, look
from kawe.flows.watch.telling import HEADINGS, counts_of, counts_words, link_of, rows_of
from kawe.journal.store.lock import WriterLock
from kawe.ports import Clock, Halt, Journal
from kawe_contract.enums import ProjectStatus

_TITLE: Final = "What is new"
_STEP_SECONDS: Final = 0.5
_PASSING: Final = (errors.ServiceError, errors.ResultNotWritable)
"""What may go away by itself, but for a key that the service does not take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watching:
    """How a watch looks, and where it writes."""

    folder: Path
    near_days: int
    since: datetime | None = None
    """The first round reports what is new since then; None: only who is late."""
    memory: Path | None = None
    """What hosts remember together; None: this machine does, beside its journal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """A finished round, and what was written of it."""

    number: int
    found: Round
    counts: Counter[NewsKind]
    team: str
    mode: str
    at: datetime
    workbook: Path | None
    """None: nothing is new."""
    lost: int = 0
    """Projects that the journal has as sent, and the service has no more."""

    @property
    def page(self) -> Path | None:
        return self.workbook and self.workbook.with_suffix(".html")

    @property
    def counted(self) -> dict[str, int]:
        return {kind.name.lower(): n for kind, n in self.counts.items()}

    def as_json(self) -> dict[str, Any]:
        """Give what was found, and what was written."""
        found = self.found
        return {
            "team": self.team,
            "mode": self.mode,
            "round": self.number,
            "at": self.at,
            "is_first": found.is_first,
            "projects": found.projects,
            "threads": found.threads,
            "counts": self.counted,
            "news": [one.as_json() for one in found.news],
            "remarks": list(found.remarks),
            "workbook": self.workbook,
            "page": self.page,
        }


@contextmanager
def one_watch(toolkit: Toolkit) -> Iterator[None]:
    """Be the only watch of this journal's account.

    Raises:
        JournalLocked: There is another.
    """
    path = watch_beside(toolkit.settings.journal_path())
    _make_room(path.parent)
    with closing(WriterLock(path, what="The watch of this account")):
        yield


async def watch_once(
    toolkit: Toolkit,
    watching: Watching,
    *,
    tell: Callable[[Looked], None] = lambda _: None,
) -> Looked | None:
    """Do one round, and call `tell` before it is remembered; None: it was stopped.

    Raises:
        SettingsError: `since` was given, and there were rounds before.
        ServiceError: The service could not be read: nothing was reported.
        ResultNotWritable: What is new could not be written: it is not remembered.
    """
    async with _opened(toolkit, watching) as (watcher, binding):
        path = watching.memory or watch_beside(toolkit.settings.journal_path())
        memory = read_memory(path, binding=binding)
        if memory.looked_at is not None and watching.since is not None:
            raise errors.SettingsError(
                message=f"{Given.SINCE} is for the first round, and the watch has "
                f"done {memory.rounds:,} for this account.",
                hint=f"Leave {Given.SINCE} out: each round reports what is new since "
                "the one before.",
            )
        number, now = memory.rounds + 1, toolkit.clock.now()
        workbook = _place(watching.folder, memory.began_at or now, number=number)
        is_again = workbook.exists()
        if not is_again:
            # The name is kept first: a round that is done again writes the same files.
            workbook = _place(watching.folder, now, number=number)
            memory = replace(memory, began_at=now)
            keep_memory(path, memory, binding=binding)
        if (found := await look(watcher, memory, since=watching.since)) is None:
            return None
        lost = await _lost(toolkit, watcher, found, before=memory)
        if lost:
            found = replace(found, remarks=(lost_words(lost), *found.remarks))
        looked = Looked(
            number=number,
            found=found,
            counts=counts_of(found.news),
            team=binding.team_name,
            mode=binding.mode,
            at=now,
            workbook=None,
            lost=len(lost),
        )
        # A round that was cut short may have written what is no longer so.
        if found.news or is_again:
            link = toolkit.project_link(binding)
            looked = _written(looked, workbook, memory=memory, link=link)
            tell(looked)
        done = replace(found.memory, rounds=number, began_at=None)
        keep_memory(path, done, binding=binding)
        return looked


def owes_answer(one: SeenProject) -> bool:
    return one.is_read and not one.is_answered and not one.is_over


async def seen_rows(
    toolkit: Toolkit,
    journal: Journal,
    *,
    batches: Iterable[Batch],
    wanted: Callable[[SeenProject], bool],
) -> list[tuple[Entry, SeenProject]]:
    """Give the rows of batches whose projects a watch saw as `wanted`, and how."""
    binding, names = await journal.binding(), {each.name for each in batches}
    path = watch_beside(toolkit.settings.journal_path())
    seen = {} if binding is None else read_memory(path, binding=binding).projects
    made = await journal.owners(each for each, one in seen.items() if wanted(one))
    return [
        (entry, seen[entry.project_id])
        for entry in made
        if entry.project_id is not None and entry.batch in names
    ]


async def without_answer(
    toolkit: Toolkit, journal: Journal, rows: Iterable[tuple[Entry, SeenProject]]
) -> list[News]:
    """Name the rows that are late or soon will be, as the last round saw them."""
    asked = [(entry, one) for entry, one in rows if owes_answer(one)]
    iwi = await iwi_of((entry for entry, _ in asked), journal=journal)
    found, today = [], toolkit.today
    for entry, one in asked:
        owing = iwi.get(entry.key, ())
        news = News(
            kind=NewsKind.RESPOND_BY,
            # A purge forgets the name.
            about=entry.content.name or entry.marker,
            project=ProjectId(entry.project_id or ""),
            reference=entry.marker,
            iwi=", ".join(owing),
            owing=owing,
            respond_by_on=one.respond_by_on,
        )
        found.append(in_days(news, days=NewZealandDays(), today=today))
    due = (e for e in found if e.kind is NewsKind.LATE or (e.days or 0) <= NEAR_DAYS)
    return sorted(due, key=lambda one: one.respond_by_on or today)


async def answers_words(toolkit: Toolkit, batches: Iterable[Batch]) -> str:
    """Say how many were seen answered, and are late; nothing before the first look."""
    async with toolkit.open_journal(read_only=True) as journal:
        rows = await seen_rows(toolkit, journal, batches=batches, wanted=bool)
        late = len(await without_answer(toolkit, journal, rows))
    known = [one for entry, one in rows if outcome_of(entry.state) is Outcome.SENT]
    if not known:
        return ""
    answered = sum(one.is_answered for one in known)
    return (
        f"kawe saw answers to {answered:,} of {counted(len(known), 'project')}; "
        f"{late:,} without one are late or soon will be."
    )


async def repeat(
    look: Callable[[], Awaitable[None]],
    *,
    clock: Clock,
    halt: Halt,
    every_seconds: float,
    say: Callable[[str], None],
) -> None:
    """Look every so many seconds; a round that failed is done again with the next.

    Raises:
        KaweError: Something that does not go away by itself.
    """
    while not halt.asked:
        began = clock.elapsed()
        try:
            await look()
        except (errors.KeyRefused, errors.ScopeMissing):
            raise
        except _PASSING as trouble:
            say(f"{trouble} The next round does this one again.")
        # In small steps: Ctrl-C works at once. Time that the computer slept counts.
        while clock.elapsed() - began < every_seconds and not halt.asked:
            await clock.sleep(_STEP_SECONDS)


async def _lost(
    toolkit: Toolkit, watcher: Watcher, found: Round, *, before: WatchMemory
) -> list[Entry]:
    """Give the rows of the journal that are not sent any more; asked once a day."""
    now = found.memory.looked_at
    if not toolkit.has_journal or found.memory.swept_on == before.swept_on or not now:
        return []
    async with toolkit.open_journal(read_only=True) as journal:
        settled = now - timedelta(seconds=toolkit.settings.settle_seconds)
        sent = await sent_before(journal, settled)
    seen = found.memory.projects.items()
    shown = {key for key, each in seen if each.status != ProjectStatus.DRAFT}
    return await lost_among(sent, shown=shown, lookups=watcher.tools.lookups)


@asynccontextmanager
async def _opened(
    toolkit: Toolkit, watching: Watching
) -> AsyncIterator[tuple[Watcher, Binding]]:
    async with toolkit.open_service() as service:
        account = await service.lookups.account()
        binding = Binding(
            base_url=toolkit.settings.service_url(),
            team_id=account.team_id,
            team_name=account.team_name,
            mode=agreed_mode(toolkit.settings, account),
        )
        watcher = Watcher(
            tools=toolkit.tools(service),
            days=NewZealandDays(),
            account=account,
            near_days=watching.near_days,
        )
        yield watcher, binding


def _written(
    looked: Looked, workbook: Path, *, memory: WatchMemory, link: str
) -> Looked:
    """Write workbook and page; say where they are."""
    from kawe.html.rendering import render  # noqa: PLC0415 (start-up)
    from kawe.workbook.results.tables import write_table  # noqa: PLC0415 (start-up)

    news = looked.found.news
    _make_room(workbook.parent)
    workbook = write_table(
        workbook,
        TableDoc(
            title=_TITLE,
            headings=HEADINGS,
            rows=rows_of(news, link=link),
            forms={HEADINGS[-1]: CellForm.LINK},
        ),
    )
    page = workbook.with_suffix(".html")
    text = render(
        "news.html",
        team=looked.team,
        mode=looked.mode,
        lead=f"{counts_words(looked.counts).capitalize()}.",
        looked_at=looked.at,
        before_at=memory.looked_at,
        projects=looked.found.projects,
        remarks=looked.found.remarks,
        groups=[
            _group(kind, [one for one in news if one.kind is kind], link=link)
            for kind in looked.counts
        ],
    )
    save_named(page, text.encode(), called="page")
    return replace(looked, workbook=workbook)


def _group(
    kind: NewsKind, news: Sequence[News], *, link: str
) -> tuple[TableDoc, list[str]]:
    """Give one kind of news for the page, without columns that are empty."""
    whole = rows_of(news, link="")
    shown = [at for at in range(1, len(HEADINGS)) if any(row[at] for row in whole)]
    table = TableDoc(
        title=kind.capitalize(),
        headings=tuple(HEADINGS[at] for at in shown),
        rows=[[row[at] for at in shown] for row in whole],
    )
    return table, [link_of(one, link=link) for one in news]


def _place(folder: Path, began_at: datetime, *, number: int) -> Path:
    at = began_at.astimezone(NEW_ZEALAND)
    return folder / f"what-is-new {at:%Y-%m-%d %H.%M.%S} round {number}.xlsx"


def _make_room(folder: Path) -> None:
    try:
        make_folder(folder)
    except OSError as trouble:
        raise unwritable(folder) from trouble
