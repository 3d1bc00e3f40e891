"""Carrying out a person's decisions about held rows."""

from __future__ import annotations

from collections.abc import Coroutine, Iterable
from functools import partial
from urllib.parse import urlsplit
from uuid import UUID

from kawe.cases.session import Session
from kawe.domain.rows.entries import Entry
from kawe.domain.service.naming_projects import projects_in
from kawe.domain.service.service_words import ProjectId
from kawe.errors import SettingsError
from kawe.flows.settle.hidden import GoneDrafts
from kawe.flows.settle.resolving import Decision, PersonDecision, Resolved, resolve


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
    return await _resolver(session)(entry, word)


async def resolve_all(
    session: Session, rows: Iterable[Entry], decision: Decision, *, why: str
) -> tuple[list[Resolved], list[tuple[Entry, SettingsError]]]:
    """Carry out one decision about many held rows, for a stated reason.

    To adopt means the one project that each row is held for. A row for which
    the decision fails stays held; the result says why.

    Raises:
        ServiceError: The service could not be read.
    """
    resolve_one = _resolver(session)
    done: list[Resolved] = []
    left: list[tuple[Entry, SettingsError]] = []
    for entry in rows:
        named = projects_in(entry.reason)
        project = named[0][1] if len(named) == 1 else None
        word = PersonDecision(decision=decision, project=project, why=why)
        try:
            done.append(await resolve_one(entry, word))
        except SettingsError as trouble:
            left.append((entry, trouble))
    return done, left


def _resolver(session: Session) -> partial[Coroutine[None, None, Resolved]]:
    journal, lookups = session.journal, session.service.lookups
    clock, settle_seconds = (
        session.toolkit.clock,
        session.toolkit.settings.settle_seconds,
    )
    gone = GoneDrafts(
        journal=journal, lookups=lookups, clock=clock, settle_seconds=settle_seconds
    )
    return partial(resolve, journal=journal, lookups=lookups, clock=clock, gone=gone)
