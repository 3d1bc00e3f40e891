"""Rows that wait for a person: what the journal knows of each, and decisions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit
from uuid import UUID

from kawe.cases.choices import find_batch
from kawe.cases.kit import Toolkit
from kawe.cases.session import Session
from kawe.domain.batch.agreements import Agreement
from kawe.domain.rows.entries import Entry
from kawe.domain.service.service_words import (
    ProjectId,
    projects_in,
    without_ids,
    without_projects,
)
from kawe.domain.service.states import Attempt
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.sheet.findings import RowRef
from kawe.domain.text.next_steps import Given
from kawe.domain.text.texts import one_line
from kawe.errors import GuardRefused, SettingsError
from kawe.flows.settle.hidden import NOT_SHOWN
from kawe.flows.settle.resolving import Decision, PersonDecision, Resolved, Resolver
from kawe.flows.wait.queueing import lines_of_rows

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

    @property
    def there_before(self) -> tuple[str, ...]:
        """Name the projects that had its reference before kawe asked for a draft."""
        known = (each for at in self.attempts for each in at.intent.known_projects)
        return tuple(dict.fromkeys(known))


async def read_held(toolkit: Toolkit, *, batch: str | None = None) -> list[HeldRow]:
    """List the held rows, of one batch alone if it is named; ask the service nothing.

    Raises:
        SettingsError: No batch is called so.
        JournalError: The journal cannot be read.
    """
    if not toolkit.has_journal:
        return []
    async with toolkit.open_journal(read_only=True) as journal:
        entries = await toolkit.held(journal)
        if batch is not None:
            name = find_batch(tuple(await journal.batches()), name=batch).name
            entries = [each for each in entries if each.batch == name]
        link = toolkit.project_link(await journal.binding())
        keys = [entry.key for entry in entries]
        lines = await lines_of_rows(keys, journal=journal)
        return [
            HeldRow(
                entry=entry,
                where=lines[entry.key].where if entry.key in lines else None,
                attempts=await journal.attempts(entry.key),
                link=link,
            )
            for entry in entries
        ]


def alike(rows: Iterable[HeldRow]) -> dict[str, list[HeldRow]]:
    """Group rows by why they are held, the first met first."""
    groups: dict[str, list[HeldRow]] = {}
    for row in rows:
        groups.setdefault(row.why_of_all, []).append(row)
    return groups


def attempt_words(attempt: Attempt, *, is_gone: bool = False) -> str:
    """Say what kawe asked for and what came of it."""
    asked = f"asked {SheetKind.words_of(attempt.intent.step)[1]}"
    answered = _ANSWERED.get(attempt.verdict, attempt.verdict or "")
    if is_gone and attempt.verdict == "done":
        answered = "the service did it, and does not show it any more"
    detail = f" ({one_line(attempt.detail)})" if attempt.detail else ""
    return f"{asked}; {answered}{detail}"


def project_of(text: str) -> ProjectId | None:
    """Read a project's id, or the address of its page, which ends with the id."""
    try:
        last = urlsplit(text.strip()).path.rstrip("/").rpartition("/")[2]
        return ProjectId(str(UUID(last)))
    except ValueError:
        return None


async def resolve_row(
    session: Session, row: str, decision: Decision, *, project: ProjectId | None
) -> Resolved:
    """Carry out a person's decision about the held row called `row`.

    Raises:
        SettingsError: No held row is called so.
    """
    held = await session.toolkit.held(session.journal)
    entry = next((each for each in held if each.marker == row), None)
    if entry is None:
        names = ", ".join(each.marker for each in held[:20]) or "none"
        raise SettingsError(
            message=f"No held row has the reference {row!r}.",
            hint=f"Held rows are: {names}.",
        )
    word = PersonDecision(decision=decision, project=project)
    return await _resolver(session).resolve(entry, word)


async def resolve_all(
    session: Session, agreed: Agreement, decision: Decision, *, why: str
) -> tuple[list[Resolved], list[tuple[Entry, SettingsError]]]:
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
        word = PersonDecision(decision=decision, project=project, why=why)
        try:
            if not agreed.covers(entry):
                raise GuardRefused(message="It is held otherwise than was agreed to.")
            done.append(await resolver.resolve(entry, word))
        except SettingsError as trouble:
            left.append((entry, trouble))
    return done, left


def _resolver(session: Session) -> Resolver:
    return Resolver(
        journal=session.journal,
        lookups=session.service.lookups,
        clock=session.toolkit.clock,
        settle_seconds=session.toolkit.settings.settle_seconds,
    )
