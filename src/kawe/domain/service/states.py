"""The states of a row and the moves between them.

The journal refuses any other move. A test compares the diagram in docs/journal.md.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, assert_never

from kawe.domain.service.verdicts import Done, NotDone, Reason, Step, Unknown, Verdict
from kawe_contract.enums import BulkInviteStatus


class State(StrEnum):
    """Where a row stands between the workbook and its receipt."""

    VALID = "VALID"
    FILES_READY = "FILES_READY"
    CREATE_INTENT = "CREATE_INTENT"
    CREATE_DOUBT = "CREATE_DOUBT"
    DRAFTED = "DRAFTED"
    UPDATE_INTENT = "UPDATE_INTENT"
    UPDATE_DOUBT = "UPDATE_DOUBT"
    READY = "READY"
    SEND_INTENT = "SEND_INTENT"
    SEND_DOUBT = "SEND_DOUBT"
    WAIT_TOKENS = "WAIT_TOKENS"
    SENT = "SENT"
    UNCONFIRMED = "UNCONFIRMED"
    """The service accepted the send, and does not show it as sent."""
    CONFIRMED = "CONFIRMED"
    RECEIPTED = "RECEIPTED"
    INVITE_INTENT = "INVITE_INTENT"
    """An invitation, or another step of a kind that has one for each row."""
    INVITE_DOUBT = "INVITE_DOUBT"
    INVITED = "INVITED"
    QUEUED = "QUEUED"
    """The one step of its kind costs a token that the team has not."""
    DONE = "DONE"
    """The one step is taken that its kind has for it."""
    ALREADY_THERE = "ALREADY_THERE"
    INVALID = "INVALID"
    HELD = "HELD"
    WITHDRAWN = "WITHDRAWN"
    """The row left its workbook before anything of it was made."""
    ABANDONED = "ABANDONED"
    """A person gave the row up; what the service has of it stays there."""


S: Final = State
TRANSITIONS: Final[dict[State, frozenset[State]]] = {
    S.VALID: frozenset(
        {S.FILES_READY, S.INVITE_INTENT, S.INVALID, S.HELD, S.WITHDRAWN, S.DRAFTED}
        | {S.ALREADY_THERE, S.QUEUED}
    ),
    S.QUEUED: frozenset(
        {S.INVITE_INTENT, S.ALREADY_THERE, S.VALID, S.INVALID, S.HELD, S.WITHDRAWN}
    ),
    S.FILES_READY: frozenset(
        {S.CREATE_INTENT, S.VALID, S.INVALID, S.HELD, S.WITHDRAWN, S.DRAFTED}
    ),
    # SENT: the service does not keep drafts.
    S.CREATE_INTENT: frozenset(
        {S.DRAFTED, S.FILES_READY, S.INVALID, S.CREATE_DOUBT, S.HELD, S.SENT}
    ),
    S.CREATE_DOUBT: frozenset({S.DRAFTED, S.FILES_READY, S.HELD}),
    S.DRAFTED: frozenset({S.READY, S.UPDATE_INTENT, S.HELD}),
    S.UPDATE_INTENT: frozenset({S.DRAFTED, S.UPDATE_DOUBT, S.HELD}),
    S.UPDATE_DOUBT: frozenset({S.DRAFTED, S.HELD}),
    S.READY: frozenset(
        {S.SEND_INTENT, S.WAIT_TOKENS, S.DRAFTED, S.SENT, S.UPDATE_INTENT, S.HELD}
    ),
    S.SEND_INTENT: frozenset({S.SENT, S.READY, S.WAIT_TOKENS, S.SEND_DOUBT, S.HELD}),
    S.SEND_DOUBT: frozenset({S.SENT, S.READY, S.HELD}),
    S.WAIT_TOKENS: frozenset({S.READY, S.UPDATE_INTENT, S.HELD}),
    S.SENT: frozenset({S.CONFIRMED, S.UNCONFIRMED}),
    # No way back to a send, not even through a person: it was accepted once.
    S.UNCONFIRMED: frozenset({S.SENT, S.CONFIRMED, S.ABANDONED}),
    # UNCONFIRMED: the service lost it, as when it comes back from a backup.
    S.CONFIRMED: frozenset({S.RECEIPTED, S.UNCONFIRMED}),
    S.RECEIPTED: frozenset({S.UNCONFIRMED}),
    S.INVITE_INTENT: frozenset(
        {S.INVITED, S.ALREADY_THERE, S.VALID, S.INVALID, S.INVITE_DOUBT, S.HELD}
        | {S.DONE, S.QUEUED}
    ),
    S.INVITE_DOUBT: frozenset({S.INVITED, S.ALREADY_THERE, S.DONE, S.VALID, S.HELD}),
    S.INVITED: frozenset(),
    S.DONE: frozenset(),
    S.ALREADY_THERE: frozenset(),
    S.INVALID: frozenset({S.VALID, S.WITHDRAWN}),
    S.HELD: frozenset(
        {S.VALID, S.FILES_READY, S.DRAFTED, S.READY, S.SENT, S.ABANDONED}
        | {S.UPDATE_INTENT}
    ),
    S.WITHDRAWN: frozenset({S.VALID}),
    S.ABANDONED: frozenset(),
}
"""From each state, the states that may follow."""

INTENT_STATE: Final = {
    Step.CREATE: S.CREATE_INTENT,
    Step.UPDATE: S.UPDATE_INTENT,
    Step.SEND: S.SEND_INTENT,
    Step.INVITE: S.INVITE_INTENT,
}
DOUBT_STATE: Final = {
    Step.CREATE: S.CREATE_DOUBT,
    Step.UPDATE: S.UPDATE_DOUBT,
    Step.SEND: S.SEND_DOUBT,
    Step.INVITE: S.INVITE_DOUBT,
}
_BEFORE: Final = {
    Step.CREATE: S.FILES_READY,
    # The journal has the edit and the draft has not: nothing may be sent.
    Step.UPDATE: S.HELD,
    Step.SEND: S.READY,
}


def intent_state(step: Step) -> State:
    return INTENT_STATE.get(step, S.INVITE_INTENT)


def doubt_state(step: Step) -> State:
    return DOUBT_STATE.get(step, S.INVITE_DOUBT)


def doubts_about(*steps: Step) -> frozenset[State]:
    """Give the states in which nobody knows whether one of these steps was taken."""
    return frozenset(
        each(step) for each in (intent_state, doubt_state) for step in steps
    )


IN_DOUBT: Final = doubts_about(*INTENT_STATE)
"""An intent without a conclusion is a doubt, in this process and in the next."""
BEFORE_CREATE: Final = frozenset(
    {S.VALID, S.QUEUED, S.FILES_READY, S.INVALID, S.WITHDRAWN}
)
"""Nothing of the row is with the service: new content may simply be taken."""
WAITS: Final = frozenset({S.WAIT_TOKENS, S.QUEUED})
"""Waits for a token."""
UNSENT: Final = frozenset({S.DRAFTED, S.READY, S.WAIT_TOKENS})
"""The row has a draft, and nothing is in doubt."""
AFTER_SEND: Final = frozenset({S.SENT, S.UNCONFIRMED, S.CONFIRMED, S.RECEIPTED})
"""The service accepted the send: nothing leads from here to another one."""
FINISHED: Final = frozenset(
    {*AFTER_SEND, S.INVITED, S.DONE, S.ALREADY_THERE, S.ABANDONED}
)
"""Nothing more is done for these rows that changes the world."""

SETTLED: Final = FINISHED - {S.SENT, S.UNCONFIRMED}
"""Finished, and not even read back any more."""


def may_follow(before: State, after: State) -> bool:
    return after in TRANSITIONS[before]


def state_after(step: Step, verdict: Verdict) -> State:
    """Say where a row stands once `verdict` is known for its open `step`."""
    match verdict:
        case Unknown(candidate=candidate):
            # Asking again would make one draft more that nobody can delete.
            return doubt_state(step) if candidate is None else S.HELD
        case NotDone(reason=reason):
            return _after_refusal(step, reason)
        case Done():
            return _after_success(step, verdict)
        case _:
            assert_never(verdict)


def _after_refusal(step: Step, reason: Reason) -> State:
    match reason:
        case Reason.NO_TOKENS:
            if step is Step.SEND:
                return S.WAIT_TOKENS
            return _before(step) if step in INTENT_STATE else S.QUEUED
        case Reason.REJECTED:
            return S.HELD if step in {Step.SEND, Step.UPDATE} else S.INVALID
        case Reason.NOT_FOUND:
            return S.HELD if step is Step.SEND else _before(step)
        case (
            Reason.KEY_REFUSED
            | Reason.SCOPE_MISSING
            | Reason.RATE_LIMITED
            | Reason.CHUNK_REFUSED
            | Reason.NOT_REACHED
        ):
            return _before(step)
        case _:
            assert_never(reason)


def _after_success(step: Step, verdict: Done) -> State:
    if step in {Step.CREATE, Step.UPDATE}:
        made = verdict.project
        return S.SENT if made is not None and made.is_sent else S.DRAFTED
    if step is Step.SEND:
        return S.SENT
    if step is not Step.INVITE:
        return S.DONE
    status = None if verdict.invitation is None else verdict.invitation.status
    if status == BulkInviteStatus.INVITED:
        return S.INVITED
    return S.ALREADY_THERE if status == BulkInviteStatus.SKIPPED else S.HELD


def _before(step: Step) -> State:
    return _BEFORE.get(step, S.VALID)
