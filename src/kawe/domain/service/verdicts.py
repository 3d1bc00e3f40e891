"""Steps, intents, and what one answer of the service lets us conclude."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import ClassVar, Final, NewType, TypeAlias, assert_never

from kawe.domain.service.service_words import InviteAnswer, Project

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

    http_status: int
    project: Project | None = None
    """The new draft, after a create."""
    invitation: InviteAnswer | None = None
    """What the service did for this person, after an invite."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotDone:
    """The step certainly did not happen."""

    reason: Reason
    detail: str = ""
    """The service's words, cleaned."""
    http_status: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """The step may or may not have happened: the row is in doubt."""

    detail: str
    http_status: int | None = None
    stops_run: bool = False
    """True for a redirect: the settings are wrong, no further call is safe."""
    candidate: Project | None = None
    """A new draft that is what was asked for but for its reference."""


Verdict: TypeAlias = Done | NotDone | Unknown


def verdict_word(verdict: Verdict) -> str:
    """Give a verdict in one word, as the journal keeps it."""
    match verdict:
        case Done():
            return "done"
        case NotDone():
            return "not-done"
        case Unknown():
            return "unknown"
        case _:
            assert_never(verdict)


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
    """The file is not with the service."""

    reason: Reason
    detail: str
    changed: bool = field(default=False)
    """True: the file is no longer the one that was checked."""


UploadVerdict: TypeAlias = Uploaded | NotUploaded
