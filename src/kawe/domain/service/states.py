"""Steps, what an answer lets us conclude, and the states of a row with their moves.

The journal refuses any other move. The table in docs/journal.md is made from them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import ClassVar, Final, NewType, TypeAlias, assert_never

from kawe.domain.service.service_words import InviteAnswer, Project
from kawe_contract.enums import BulkInviteStatus

RowKey = NewType("RowKey", str)
"""Which row, wherever it moves: its reference or what makes it this row."""
Fingerprint = NewType("Fingerprint", str)
"""What a row said: a hash of everything that its draft would carry."""


class Step(str):
    """One thing a row is about to do that changes the world.

    A kind of sheet may have steps of its own: `Step("tell")`. Each word has one object.
    """

    __slots__ = ()
    CREATE: ClassVar[Step]
    UPDATE: ClassVar[Step]
    SEND: ClassVar[Step]
    INVITE: ClassVar[Step]

    def __new__(cls, word: str) -> Step:  # noqa: PYI034 (one object for each word)
        return _STEPS.setdefault(word, super().__new__(cls, word))

    @property
    def value(self) -> str:
        return str(self)


_STEPS: Final[dict[str, Step]] = {}
Step.CREATE, Step.UPDATE = Step("create"), Step("update")
Step.SEND, Step.INVITE = Step("send"), Step("invite")


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """One step one row is about to take, written down before it is taken."""

    row: RowKey
    step: Step
    attempt: int
    """Counts from 1 for each row and step."""
    body_sha256: str
    begun_at: datetime
    known_projects: tuple[str, ...] = ()
    """Ids under the row's marker before this act: projects, or invitations of the
    address."""


class Reason(StrEnum):
    """Why a step certainly did not happen."""

    NO_TOKENS = "no-tokens"
    REJECTED = "rejected"
    """400 or 413: the service names what is wrong with the row."""
    KEY_REFUSED = "key-refused"
    SCOPE_MISSING = "scope-missing"
    NOT_FOUND = "not-found"
    """Not visible to this key; never taken for "does not exist"."""
    RATE_LIMITED = "rate-limited"
    """429: the only answer that says "nothing happened, come again"."""
    CHUNK_REFUSED = "chunk-refused"
    """400 for a whole chunk: one of its people is wrong, it is not known who."""
    NOT_REACHED = "not-reached"
    """No byte of the request left this machine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """The step happened."""

    word: ClassVar[str] = "done"
    """The verdict, as the journal keeps it."""
    http_status: int
    project: Project | None = None
    """The new draft, after a create."""
    invitation: InviteAnswer | None = None
    """What the service did for this person, after an invite."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotDone:
    """The step certainly did not happen."""

    word: ClassVar[str] = "not-done"
    reason: Reason
    detail: str = ""
    """The service's words, cleaned."""
    http_status: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """The step may or may not have happened: the row is in doubt."""

    word: ClassVar[str] = "unknown"
    detail: str
    http_status: int | None = None
    stops_run: bool = False
    """True for a redirect: the settings are wrong, no further call is safe."""
    candidate: Project | None = None
    """A new draft that is what was asked for but for its reference."""


Verdict: TypeAlias = Done | NotDone | Unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One intent and, when there is one, its conclusion, as the journal has it."""

    intent: Intent
    ended_at: datetime | None = None
    verdict: str | None = None
    """done, not-done or unknown; None while the intent is open."""
    detail: str = ""
    http_status: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Uploaded:
    """The file is with the service."""

    document_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NotUploaded:
    """The service does not take the file."""

    detail: str
    changed: bool = field(default=False)
    """True: the file is no longer the one that was checked."""


UploadVerdict: TypeAlias = Uploaded | NotUploaded


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
    # VALID: the invitation expired, and a new one was agreed to.
    S.INVITED: frozenset({S.VALID}),
    S.DONE: frozenset(),
    S.ALREADY_THERE: frozenset({S.VALID}),
    S.INVALID: frozenset({S.VALID, S.WITHDRAWN}),
    S.HELD: frozenset(
        {S.VALID, S.FILES_READY, S.DRAFTED, S.READY, S.SENT, S.ABANDONED}
        | {S.UPDATE_INTENT}
    ),
    S.WITHDRAWN: frozenset({S.VALID}),
    S.ABANDONED: frozenset(),
}
"""From each state, the states that may follow."""

# A kind declares steps of its own later; these have states that are named after them.
INTENT_STATE: Final = {step: S[f"{step.upper()}_INTENT"] for step in _STEPS.values()}
DOUBT_STATE: Final = {step: S[f"{step.upper()}_DOUBT"] for step in _STEPS.values()}
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
BEGIN_ANEW: Final = frozenset({S.INVITED, S.ALREADY_THERE})
"""Finished, and may begin anew once a person agrees."""
SETTLED: Final = FINISHED - {S.SENT, S.UNCONFIRMED}
"""Finished, and not even read back any more."""
UNSETTLED: Final = frozenset(State) - SETTLED


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


# Times are `Clock.elapsed`: a wall clock may be set, or may have been wrong.
DEFAULT_SETTLE_SECONDS: Final = 180.0
MAX_CREATES: Final = 3
"""How often a row may be created again, each time after absence is proven."""
MAX_SENDS: Final = 3
"""How often a send may be tried, each time after the draft is proven unsent."""
_READ_SHARES: Final = (5 / 180, 30 / 180, 120 / 180, 1.0)


def read_times(since: float, *, settle_seconds: float) -> tuple[float, ...]:
    """Say when a doubt is asked about; the last is the end of the window.

    With the default window that is 5, 30, 120 and 180 seconds after `since`.
    """
    return tuple(since + settle_seconds * share for share in _READ_SHARES)
