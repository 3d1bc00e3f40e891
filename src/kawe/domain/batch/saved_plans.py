"""A plan as it is kept in a file, to be carried out later, exactly so.

It names what was looked at by hashes: whoever holds the file learns what will
be done to which row, and not what the row says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final

from kawe.domain.batch.iwi_load import NO_LOAD, IwiLoad
from kawe.domain.rows.entries import Binding
from kawe.domain.rows.identity import sha256_of
from kawe.domain.rows.shown_files import ShownFile, shown_files
from kawe.domain.service.verdicts import Step
from kawe.domain.sheet.columns import SheetKind

_CELL_DIGITS: Final = 32


class Action(StrEnum):
    """What a plan does with one row."""

    CREATE_AND_SEND = "create and send"
    CREATE_AND_WAIT = "create and wait for a token"
    CREATE = "create"
    UPDATE_AND_SEND = "update and send"
    UPDATE_AND_WAIT = "update and wait for a token"
    UPDATE = "update"
    TAKE_AND_SEND = "take over and send"
    TAKE_AND_WAIT = "take over and wait for a token"
    TAKE = "take over"
    SEND = "send"
    WAIT = "wait for a token"
    INVITE = "invite"
    NOTE_SENT = "note as sent"
    SKIP = "skip: done already"
    CHANGED = "skip: changed too late"
    CORRECT = "skip: to correct"
    HOLD = "skip: held for a person"
    LEAVE = "skip: left out"

    @property
    def acts(self) -> bool:
        """Say whether a run has something to do for the row."""
        return not self.value.startswith("skip")

    @property
    def sends(self) -> bool:
        """Say whether the row is put before iwi."""
        return Step.SEND in self.steps

    @property
    def reaches_people(self) -> bool:
        """Say whether iwi, or a person who is invited, hear of it at once."""
        return not self.steps.isdisjoint({Step.SEND, Step.INVITE})

    @property
    def steps(self) -> frozenset[Step]:
        """Give the steps that a run takes for the row."""
        return _STEPS[self]


_STEPS: Final = {
    Action.CREATE_AND_SEND: frozenset({Step.CREATE, Step.SEND}),
    Action.CREATE_AND_WAIT: frozenset({Step.CREATE}),
    Action.CREATE: frozenset({Step.CREATE}),
    Action.UPDATE_AND_SEND: frozenset({Step.UPDATE, Step.SEND}),
    Action.UPDATE_AND_WAIT: frozenset({Step.UPDATE}),
    Action.UPDATE: frozenset({Step.UPDATE}),
    Action.TAKE_AND_SEND: frozenset({Step.SEND}),
    Action.TAKE_AND_WAIT: frozenset[Step](),
    Action.TAKE: frozenset[Step](),
    Action.SEND: frozenset({Step.SEND}),
    Action.WAIT: frozenset[Step](),
    Action.INVITE: frozenset({Step.INVITE}),
    Action.NOTE_SENT: frozenset[Step](),
    Action.SKIP: frozenset[Step](),
    Action.CHANGED: frozenset[Step](),
    Action.CORRECT: frozenset[Step](),
    Action.HOLD: frozenset[Step](),
    Action.LEAVE: frozenset[Step](),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedFile:
    """An attachment as it was when the plan was made."""

    name: str
    size_bytes: int
    sha256: str
    path: str = field(default="", compare=False)
    """Its place below the files folder; where the same bytes lie does not count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRow:
    """One row as it was when the plan was made, and what is to be done."""

    number: int
    """Where it stood, as Excel counts rows."""
    key: str
    """A hash of the row's key; empty where the row could not be read."""
    marker: str
    """The reference that the service knows it by; empty for a person."""
    action: Action
    place: int | None = None
    """Its place in the order of sends or invitations, from 1; None where it has none.
    """
    fingerprint: str = ""
    cells: Mapping[str, str]
    """By field, a hash of what the cell means; only cells that are not empty."""
    files: tuple[PlannedFile, ...] = ()
    iwi: tuple[str, ...] = ()
    """The iwi that would be asked; empty where the service was not."""
    project: str = ""
    """The id of its draft, where it has one."""
    draft: str = ""
    """A hash of what the service showed of that draft."""
    owner: str = ""
    """Whom it makes an owner, by name and address; empty for everybody else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedReading:
    """How the workbook was read."""

    kind: SheetKind
    sheet: str | None
    """None: found by its headings."""
    files_root: str | None
    send_by_default: bool
    include_hidden: bool
    allows_owners: bool
    accepts_coordinates: bool
    accepts_alike: bool = False
    """False as well in plans of an older kawe, which did not ask."""
    accepts_patterns: bool = False
    accepts_missing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedLimits:
    """What the person bounded the run by."""

    drafts_only: bool = False
    update_drafts: bool = False
    max_tokens: int | None = None
    keep_reserve: int = 0
    only: str | None = None
    canary: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedSummary:
    """What a person should know before they agree."""

    counts: Mapping[Action, int]
    tokens_needed: int
    """How many tokens it takes to send every row that is to be sent."""
    balance: int | None
    """None for a sandbox key, which spends nothing."""
    upload_files: int
    upload_bytes: int
    requests: int
    """About how many requests carrying it out takes."""
    seconds: float | None
    """About how long that takes; None where nothing is known of the rate limit."""
    iwi_load: IwiLoad = NO_LOAD


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedPlan:
    """Everything that a plan was made of, and what it does."""

    author: str
    made_at: datetime
    kawe: str
    """The version of kawe that made it."""
    rules: str
    """A hash of the rules for rows and of the contract with the service."""
    salt: str = field(repr=False)
    """Goes into every hash, so that two plans cannot be laid side by side."""
    account: Binding
    key_hash: str = field(repr=False)
    workbook: str
    sheet: str
    reading: PlannedReading
    limits: PlannedLimits
    sends: int
    invites: int = 0
    summary: PlannedSummary
    rows: tuple[PlannedRow, ...] = field(repr=False)
    sha256: str = ""
    """Of all the rest; what an approval is bound to."""

    @property
    def acts(self) -> int:
        """Count what reaches people: sends, or invitations."""
        return self.sends + self.invites

    @property
    def owners(self) -> tuple[PlannedRow, ...]:
        """Give the rows that make somebody an owner."""
        return tuple(row for row in self.in_order if row.owner)

    @property
    def files(self) -> tuple[ShownFile, ...]:
        """Show the files that are uploaded."""
        return shown_files(
            (row.number, file.path or file.name, file.size_bytes)
            for row in self.rows
            if Step.CREATE in row.action.steps
            for file in row.files
        )

    @property
    def in_order(self) -> tuple[PlannedRow, ...]:
        """Give the rows that are sent or invited, the first to go first."""
        placed = [(row.place, row) for row in self.rows if row.place is not None]
        return tuple(row for _, row in sorted(placed, key=lambda each: each[0]))


def hidden(salt: str, *values: object) -> str:
    """Hash something that a plan must recognise and not tell."""
    return sha256_of([salt, *values])[:_CELL_DIGITS]
