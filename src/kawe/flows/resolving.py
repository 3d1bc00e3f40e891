"""Resolving: a person decides about a row that is held."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from kawe.domain.content import ProjectContent
from kawe.domain.entries import Entry
from kawe.domain.outcomes import Outcome, outcome_of
from kawe.domain.service_words import Project, ProjectId
from kawe.domain.states import State
from kawe.errors import SettingsError
from kawe.ports import Clock, Journal, Lookups


class Decision(StrEnum):
    """What a person can decide about a held row."""

    ADOPT = "adopt"
    """A project of the service is the row's own, as it stands there."""
    RETRY = "retry"
    """Let the row go on: kawe asks the service first where it stands."""
    ABANDON = "abandon"
    """Do nothing more for the row, now or in later runs."""


ADOPTED: Final = "A person took the project as it stands."
"""Said of a row whose draft need not say what the row says."""
AS_MADE: Final = "A person let the draft go as it was made, without the later edit."
"""Said of a row that was edited after its draft, and whose edit does not count."""
EDIT_STANDS: Final = frozenset({ADOPTED, AS_MADE})
"""Decisions for which an edit in the workbook holds a row no more."""
_EDITED: Final = "The row was changed after its draft was made"
CHANGED_AFTER_DRAFT: Final = (
    f"{_EDITED}: submit with --update-drafts to "
    "change the draft too, undo the change, or give the row a new reference and submit "
    "with --accept alike to make a new draft."
)


def beyond_words(fields: tuple[str, ...]) -> str:
    """Say that an edit cannot be brought to the draft."""
    return (
        f"{_EDITED}, and the service cannot change {', '.join(fields)} of a draft: "
        "undo that, or give the row a new reference and submit with --accept alike to "
        "make a new draft."
    )


def is_held_for_edit(entry: Entry) -> bool:
    """Say whether a row is held for nothing but an edit after its draft."""
    return entry.state is State.HELD and entry.reason.startswith(_EDITED)


async def resolve(
    entry: Entry,
    decision: Decision,
    *,
    project: ProjectId | None,
    journal: Journal,
    lookups: Lookups,
    clock: Clock,
) -> Entry:
    """Carry out a person's decision about one held row; sends nothing itself.

    Raises:
        SettingsError: The row is not held, or the project is not visible, or
            the row's send was accepted and the project is a draft.
        JournalError: Another row owns the project.
        ServiceError: The service could not be read.
    """
    if outcome_of(entry.state) is not Outcome.HELD:
        raise SettingsError(
            message=f"The row {entry.marker} is not held: it is "
            f"{outcome_of(entry.state)}.",
            hint="kawe held lists the rows that wait for a decision.",
        )
    reason = _reason(entry, decision)
    if decision is Decision.ABANDON:
        return await journal.move(
            entry.key, State.ABANDONED, at=clock.now(), reason=reason
        )
    wanted = project if decision is Decision.ADOPT else entry.project_id
    if wanted is None:
        return await journal.move(entry.key, State.VALID, at=clock.now(), reason=reason)
    found = await lookups.project(wanted)
    if found is None:
        raise SettingsError(
            message="The service does not show that project to this key.",
            hint="Copy the project id from the portal, or use a key of the team.",
        )
    return await journal.move(
        entry.key,
        _state_of(entry, found),
        at=clock.now(),
        reason=reason,
        project=wanted,
    )


def _reason(entry: Entry, decision: Decision) -> str:
    # `Journal.let_go` gives this again until the row is sent.
    if decision is Decision.ADOPT:
        return ADOPTED
    if decision is Decision.RETRY and is_held_for_edit(entry):
        return AS_MADE
    return f"A person chose {decision}."


def _state_of(entry: Entry, project: Project) -> State:
    if project.is_sent:
        return State.SENT
    if entry.state is State.UNCONFIRMED:
        raise SettingsError(
            message=f"The service accepted the send of {entry.marker} and shows a "
            "draft: kawe does not send a row twice.",
            hint="Send it in the portal and run the same command again, or give the "
            "row up with --abandon.",
        )
    wants_send = isinstance(entry.content, ProjectContent) and entry.content.send
    return State.READY if wants_send else State.DRAFTED
