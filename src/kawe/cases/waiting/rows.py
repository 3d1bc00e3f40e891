"""Rows that wait for tokens or for a person: shown, ordered, dropped, decided about."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import UUID

from kawe.cases.choices import find_batch, nobody
from kawe.cases.kit import Toolkit
from kawe.cases.session import Session
from kawe.days import NewZealandDays
from kawe.domain.batch.agreements import Agreement, Reach
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.batch.waiting import WaitingRow
from kawe.domain.rows.edits import unlike
from kawe.domain.rows.entries import Batch, Entry
from kawe.domain.service.service_words import (
    Project,
    ProjectId,
    projects_in,
    without_ids,
    without_projects,
)
from kawe.domain.service.states import Attempt, Step
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.sheet.findings import RowRef
from kawe.domain.text.new_zealand import local_time
from kawe.domain.text.next_steps import Given, Next
from kawe.domain.text.table_doc import TableDoc
from kawe.domain.text.texts import counted, one_line
from kawe.errors import GuardRefused, SettingsError
from kawe.flows.settle.reconciling import NOT_SHOWN
from kawe.flows.settle.resolving import (
    Decision,
    PersonDecision,
    Resolved,
    ResolvedRows,
    Resolver,
)
from kawe.flows.wait.queueing import Queue, drop, lines_of_rows, queue_of
from kawe.ports import Journal
from kawe_xlsx.cells import RawValue

_NOT_THERE: Final = "No longer in the workbook: not sent until it is."


async def read_queue(
    toolkit: Toolkit, journal: Journal, *, batch: str | None = None
) -> Queue:
    """List the rows that wait for tokens; ask the service nothing.

    Raises:
        SettingsError: No batch is called `batch`.
        JournalError: The journal cannot be read.
    """
    batches: Sequence[Batch] = await journal.batches()
    if batch is not None:
        batches = [find_batch(batches, name=batch)]
    return await queue_of(
        batches,
        journal=journal,
        clock=toolkit.clock,
        working_days=NewZealandDays(),
        nobody=nobody(),
        run_began_at=toolkit.run_beside(journal),
    )


class QueueChange(Enum):
    """What a person lets become of rows of the queue."""

    FIRST = "before all others"
    USUAL = "in the usual order again"
    DROP = "out of the queue"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedQueue:
    """What a person changed in the queue, and how it is now."""

    change: QueueChange
    rows: Sequence[WaitingRow]
    """Those that were named."""
    queue: Queue

    def as_json(self) -> dict[str, Any]:
        """Give the queue, or the rows that left it."""
        if self.change is not QueueChange.DROP:
            return self.queue.as_json()
        dropped = [row.entry.marker for row in self.rows]
        return {"dropped": dropped, "still_waiting": len(self.queue.rows)}

    def lines(self) -> Iterator[str]:
        """Say what came of it, of dropped rows also what became of their drafts."""
        if self.change is QueueChange.DROP:
            yield from self._dropped()
            return
        rows = counted(len(self.rows), "row goes", "rows go")
        yield f"{rows} {self.change.value}. The next ones are:"
        yield from (row.title for row in self.queue.rows[:5])

    def _dropped(self) -> Iterator[str]:
        for row in self.rows:
            words = f"{row.entry.marker} ({row.entry.content.name}) waits no more"
            yield f"{one_line(words)}: kawe does not send it."
        if drafts := sum(row.entry.kind.has_drafts for row in self.rows):
            its, it = (
                ("Its draft stays", "it") if drafts == 1 else ("Drafts stay", "them")
            )
            portal = f"in the portal a person can send {it} or remove {it}"
            yield f"{its} with the service; {portal}."
        still = counted(len(self.queue.rows), "row still waits", "rows still wait")
        yield f"{still}."


async def change_queue(
    toolkit: Toolkit,
    names: Sequence[str],
    change: QueueChange,
    *,
    batch: str | None = None,
) -> ChangedQueue:
    """Put rows first, in the usual order again, or out of the queue for good.

    Raises:
        SettingsError: One of `names` is no waiting row, or is that of several.
        JournalError: The journal cannot be written.
    """
    async with toolkit.open_journal(read_only=False) as journal:
        queue = await read_queue(toolkit, journal, batch=batch)
        drops = change is QueueChange.DROP
        rows = chosen_rows((*queue.rows, *(queue.missing if drops else ())), names)
        keys = [row.entry.key for row in rows]
        if drops:
            await drop(rows, journal=journal, clock=toolkit.clock)
        elif change is QueueChange.FIRST:
            await journal.put_first(keys)
        else:
            await journal.put_back(keys)
        left = await read_queue(toolkit, journal)
    return ChangedQueue(change=change, rows=rows, queue=left)


def chosen_rows(rows: Sequence[WaitingRow], names: Sequence[str]) -> list[WaitingRow]:
    """Find rows by reference or as Projects!7.

    Raises:
        SettingsError: One of them is not among `rows`, or several are called so.
    """
    places = [(row.entry, row.where) for row in rows]
    named = [_called(each, places, "row that waits for tokens") for each in names]
    by_key = {row.entry.key: row for row in rows}
    return [by_key[key] for key in dict.fromkeys(entry.key for entry in named)]


_COLUMNS: Final[Mapping[str, Callable[[WaitingRow], RawValue]]] = {
    "Turn": lambda row: None if row.where is None else row.turn,
    "Row": lambda row: None if row.where is None else str(row.where),
    "Reference": lambda row: row.entry.marker,
    "Name": lambda row: row.entry.content.name,
    "Batch": lambda row: row.entry.batch,
    "Respond by": lambda row: row.respond_by_on,
    "Working days left": lambda row: row.working_days_left,
    "Days left": lambda row: row.days_left,
    "Watch out": lambda row: (
        _NOT_THERE if row.where is None else row.deadline() or None
    ),
    "Waits since": lambda row: (
        None if row.wait is None else local_time(row.wait.since_at)
    ),
    "Why it waits": lambda row: row.why(),
    "Put first": lambda row: "yes" if row.is_put_first else None,
    "Who answers for it": lambda row: row.owner or None,
    "Project id": lambda row: row.entry.project_id,
}


def write_queue(queue: Queue, path: Path) -> Path:
    """Write the queue as a workbook or CSV, and say where it is.

    Raises:
        ResultNotWritable: It cannot be written.
    """
    from kawe.workbook.results.tables import write_table  # noqa: PLC0415 (start-up)

    return write_table(
        path,
        TableDoc(
            title="Waiting for tokens",
            headings=tuple(_COLUMNS),
            rows=[
                [cell_of(row) for cell_of in _COLUMNS.values()]
                for row in (*queue.rows, *queue.missing)
            ],
        ),
    )


def _called(name: str, rows: Sequence[tuple[Entry, RowRef | None]], what: str) -> Entry:
    """Find the one row of this reference, or at this place, as Projects!7.

    Raises:
        SettingsError: None is called so, or several are.
    """
    where = {entry.key: f"{at} of {entry.batch}" for entry, at in rows}
    found = [
        entry
        for entry, at in rows
        if name in {entry.key, entry.marker, str(at), where[entry.key]}
    ]
    if len(found) == 1:
        return found[0]
    shown = one_line(name, limit=60)
    if found:
        named = ", ".join(f"{each.marker} ({where[each.key]})" for each in found)
        raise SettingsError(
            message=f"More than one {what} is called {shown}.",
            hint=f"Name it as it stands in brackets: {one_line(named, limit=600)}.",
        )
    names = ", ".join(entry.marker for entry, _ in rows[:20]) or "none"
    raise SettingsError(
        message=f"No {what} is called {shown}.",
        hint=f"Such rows are: {one_line(names, limit=600)}. kawe looked into this one "
        "journal alone.",
    )


_DEED: Final = {
    Decision.ADOPT: "take these projects for the rows' own",
    Decision.RETRY: "let these rows go on",
    Decision.ABANDON: "give these rows up",
}
_ANSWERED: Final = {
    "done": "the service did it",
    "not-done": "it was refused, and nothing happened",
    "unknown": "no clear answer came; it may have happened",
    None: "kawe stopped before an answer came; it may have happened",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldRow:
    """One held row and what kawe knows of it."""

    entry: Entry
    where: RowRef | None
    """None: its workbook no longer has it."""
    attempts: tuple[Attempt, ...]
    link: str = ""
    """Address of a project's page, with `{id}`; empty where not known."""
    seen: Mapping[ProjectId, Project] = field(default_factory=dict, repr=False)
    """The team's projects as the last look saw them."""

    @property
    def why(self) -> str:
        return without_ids(self.entry.reason)

    @property
    def why_of_all(self) -> str:
        """Say it without what is the row's own, for several rows."""
        return without_projects(self.entry.reason).replace(self.entry.marker, "…")

    @property
    def is_gone(self) -> bool:
        return self.entry.reason.startswith(NOT_SHOWN)

    @property
    def may_update(self) -> bool:
        return Given.UPDATE_DRAFTS.value in self.entry.reason

    @property
    def there_now(self) -> tuple[tuple[str, ProjectId], ...]:
        return projects_in(self.entry.reason)

    def unlike(self, project: ProjectId) -> tuple[tuple[str, str, str], ...]:
        """Give what a project said otherwise at the last look: the field, there, here.

        It is nothing of a project that no look has seen.
        """
        content, seen = self.entry.content.project, self.seen.get(project)
        return () if content is None or seen is None else unlike(content, seen)

    @property
    def there_before(self) -> tuple[str, ...]:
        """Name the projects that had its reference before kawe asked for a draft."""
        creates = (at.intent for at in self.attempts if at.intent.step is Step.CREATE)
        return tuple(dict.fromkeys(e for at in creates for e in at.known_projects))

    def words_of(self, attempt: Attempt) -> str:
        """Say what kawe asked for and what came of it."""
        asked = f"asked {SheetKind.words_of(attempt.intent.step)[1]}"
        answered = _ANSWERED.get(attempt.verdict, attempt.verdict or "")
        if self.is_gone and attempt.verdict == "done":
            answered = "the service did it, and does not show it any more"
        detail = f" ({one_line(attempt.detail)})" if attempt.detail else ""
        return f"{asked}; {answered}{detail}"

    def as_json(self) -> dict[str, Any]:
        """Say why it is held, and what can be decided."""
        entry = self.entry
        return {
            "reference": entry.marker,
            "name": entry.content.name,
            "batch": entry.batch,
            "sheet": self.where and self.where.sheet,
            "row": self.where and self.where.row,
            "why": self.why,
            "choices": ["adopt"] * entry.kind.has_drafts
            + ["retry", "abandon"]
            + ["update-drafts"] * self.may_update,
            "since": entry.moved_at,
            "project_id": entry.project_id,
            "there_before": list(self.there_before),
            "in_the_service": [
                {
                    "project_id": project,
                    "words": words,
                    "link": self.link.replace("{id}", project),
                }
                for words, project in self.there_now
            ],
            "attempts": [
                {
                    "step": each.intent.step.value,
                    "begun_at": each.intent.begun_at,
                    "ended_at": each.ended_at,
                    "verdict": each.verdict,
                    "http_status": each.http_status,
                    "detail": each.detail,
                    "words": self.words_of(each),
                }
                for each in self.attempts
            ],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingRows:
    """All rows that wait: for tokens, for a person, or in doubt."""

    # As a run ends, asyncio of Python 3.11 makes the text of what it gives.
    queue: Queue = field(default_factory=Queue, repr=False)
    held: tuple[HeldRow, ...] = field(default=(), repr=False)

    @property
    def code(self) -> ExitCode:
        """Give the exit code: whether any row waits."""
        queue = self.queue
        is_any = queue.rows or queue.missing or queue.in_doubt or self.held
        return ExitCode.ROWS_WAIT_FOR_PERSON if is_any else ExitCode.DONE

    def as_json(self) -> dict[str, Any]:
        return {**self.queue.as_json(), "held": [row.as_json() for row in self.held]}


async def look_at_waiting(kawe: Toolkit, *, batch: str | None = None) -> WaitingRows:
    """List the rows that wait, of one batch alone if it is named.

    The service is asked nothing, and the journal is not held for writing.

    Raises:
        SettingsError: No batch is called `batch`.
        JournalError: There is no journal and a batch is named, or it cannot be read.
    """
    if batch is None and not kawe.has_journal:
        return WaitingRows()
    async with kawe.open_journal(read_only=True) as journal:
        queue = await read_queue(kawe, journal, batch=batch)
        entries = await kawe.held(journal)
        if batch is not None:
            name = find_batch(await journal.batches(), name=batch).name
            entries = [each for each in entries if each.batch == name]
        link = kawe.project_link(await journal.binding())
        seen = {e.id: e for e in await journal.team_projects()} if entries else {}
        lines = await lines_of_rows([each.key for each in entries], journal=journal)
        held = [
            HeldRow(
                entry=entry,
                where=lines[entry.key].where if entry.key in lines else None,
                attempts=await journal.attempts(entry.key),
                link=link,
                seen=seen,
            )
            for entry in entries
        ]
    return WaitingRows(queue=queue, held=tuple(held))


def alike(rows: Iterable[HeldRow]) -> dict[str, list[HeldRow]]:
    """Group rows by why they are held, the first met first."""
    groups: dict[str, list[HeldRow]] = {}
    for row in rows:
        groups.setdefault(row.why_of_all, []).append(row)
    return groups


def project_of(text: str) -> ProjectId | None:
    """Read a project's id, or the address of its page, which ends with the id."""
    try:
        last = urlsplit(text.strip()).path.rstrip("/").rpartition("/")[2]
        return ProjectId(str(UUID(last)))
    except ValueError:
        return None


async def resolve_row(session: Session, row: str, word: PersonDecision) -> Resolved:
    """Carry out a person's decision about the held row called `row`.

    Raises:
        SettingsError: No held row is called so, or several are.
    """
    held = await session.toolkit.held(session.journal)
    lines = await lines_of_rows([e.key for e in held], journal=session.journal)
    places = [(e, lines[e.key].where if e.key in lines else None) for e in held]
    return await _resolver(session).resolve(_called(row, places, "held row"), word)


async def resolve_all(
    session: Session, agreed: Agreement, word: PersonDecision
) -> ResolvedRows:
    """Carry out one decision about the held rows that were agreed to.

    One that is held otherwise by now stays so. To adopt means the one project that
    each row is held for. A row for which the decision fails stays held; the result
    says why.

    Raises:
        ServiceError: The service could not be read.
    """
    resolver = _resolver(session)
    done: list[Resolved] = []
    left: list[tuple[Entry, SettingsError]] = []
    for entry in await session.toolkit.held(session.journal):
        if entry.key not in agreed.acts:
            continue
        named = projects_in(entry.reason)
        project = named[0][1] if len(named) == 1 else None
        try:
            if not agreed.covers(entry):
                raise GuardRefused(message="It is held otherwise than was agreed to.")
            done.append(await resolver.resolve(entry, replace(word, project=project)))
        except SettingsError as trouble:
            left.append((entry, trouble))
    return ResolvedRows(done=done, left=left)


def reach_of_decision(decision: Decision, rows: Sequence[HeldRow]) -> Reach:
    """Describe one decision about many rows, to which a person must agree."""
    return Reach(
        acts=len(rows),
        does=_DEED[decision],
        undone="Nothing was changed.",
        look=str(Next.WAITING),
        over=f"{counted(len(rows), 'row is', 'rows are')} held so",
        alone=f"{counted(len(rows), 'row')} would be decided about",
    )


def _resolver(session: Session) -> Resolver:
    return Resolver(
        journal=session.journal,
        lookups=session.service.lookups,
        clock=session.toolkit.clock,
        settle_seconds=session.toolkit.settings.settle_seconds,
    )
