"""A plan in a file, which is carried out later exactly as it is.

It compares by hashes: whoever has the file learns what will be done to which row, and
not what the row says.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final, Self

from kawe.domain.batch.readings import Reading
from kawe.domain.batch.sending import NO_LOAD, IwiLoad, Sending
from kawe.domain.rows.entries import Binding
from kawe.domain.rows.identity import sha256_of
from kawe.domain.rows.shown_files import ShownFile, shown_files
from kawe.domain.service.states import Step
from kawe.domain.sheet.findings import warned_json

_DIGITS: Final = 16
_THEIRS: Final = "the draft that another computer or a lost journal has made"
_WITH: Final = f"with {_THEIRS}"
_CHANGED: Final = "be changed in the service"
_DOUBT: Final = "be asked about first: in doubt, and done only if it was not"
_STEPS: Final = frozenset({Step.CREATE, Step.UPDATE, Step.SEND})


class Action(StrEnum):
    """What a plan does with one row, named after its steps; and in words."""

    will: str

    def __new__(cls, name: str, will: str) -> Self:
        """Make a member: its value, and its words."""
        action = str.__new__(cls, name)
        action._value_, action.will = name, f"will {will}"
        return action

    CREATE_AND_SEND = "create and send", "be created and sent to iwi"
    CREATE_AND_WAIT = "create and wait for a token", "be created, and wait for a token"
    CREATE = "create", "be created as draft, and not be sent"
    UPDATE_AND_SEND = "update and send", f"{_CHANGED}, and sent to iwi"
    UPDATE_AND_WAIT = "update and wait for a token", f"{_CHANGED}, and wait for a token"
    UPDATE = "update", f"{_CHANGED}, and not be sent"
    TAKE_AND_SEND = "take over and send", f"be sent to iwi, {_WITH}, after a pause"
    TAKE_AND_WAIT = "take over and wait for a token", f"wait for a token, {_WITH}"
    TAKE = "take over", f"keep {_THEIRS}"
    SEND = "send", "be sent to iwi, with the draft that is there"
    WAIT = "wait for a token", "wait for a token, with the draft that is there"
    INVITE = "invite", "be done"
    """Like `ACT`, under the word that plans of invitations have."""
    INVITE_AGAIN = "invite again", "be re-sent: the invitation of before has expired"
    ACT = "act", "be done"
    """The own step of a row without drafts; its kind says what that is."""
    ASK_AND_SEND = "ask, then send", _DOUBT
    ASK_AND_ACT = "ask, then act", _DOUBT
    NOTE_SENT = (
        "note as sent",
        "not be sent: sent already, by another computer or a lost journal",
    )
    SKIP = "skip: done already", "be left alone: done already, or nothing to do"
    CHANGED = "skip: changed too late", "be left alone: changed after it was done"
    CORRECT = "skip: to correct", "be left out: to correct"
    HOLD = "skip: held for a person", "be left alone: held for a person"
    LEAVE = "skip: left out", "be left out of this run"

    @property
    def steps(self) -> frozenset[Step]:
        return frozenset(step for step in _STEPS if step in self.value.split())

    @property
    def acts(self) -> bool:
        return not self.value.startswith("skip")

    @property
    def sends(self) -> bool:
        return Step.SEND in self.steps

    @property
    def waits(self) -> bool:
        return self.value.endswith("wait for a token")

    @property
    def is_own_step(self) -> bool:
        """Say whether the row takes the one step of its kind, and has no draft."""
        acts = Action.ACT, Action.ASK_AND_ACT
        return self in {*acts, Action.INVITE, Action.INVITE_AGAIN}

    @property
    def reaches_people(self) -> bool:
        """Say whether people hear of it at once: iwi, or whoever is invited."""
        return self.sends or self.is_own_step


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedFile:
    """An attachment as it was when the plan was made."""

    name: str
    size_bytes: int
    sha256: str
    path: str = field(default="", compare=False)
    """Its place below the files folder; equal bytes elsewhere are equal too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRow:
    """One row as it was when the plan was made, and what is to be done."""

    number: int
    """As Excel counts rows."""
    key: str
    """A hash of the row's key; empty where the row could not be read."""
    marker: str
    """The reference that the service knows it by; empty where nobody may read it."""
    action: Action
    place: int | None = None
    """Its place in the order of what reaches people, from 1; None where it has none."""
    fingerprint: str = ""
    says: str = ""
    """A hash of what leaves for it, its message too; see `Act`."""
    cells: str
    """A hash of what its cells mean."""
    files: tuple[PlannedFile, ...] = ()
    iwi: tuple[str, ...] = ()
    """The iwi that would be asked; empty where the service was not."""
    warnings: tuple[str, ...] = ()
    """The rules that warn of it."""
    stands: str = ""
    """What differs in a draft that goes as it stands, or what an act changes."""
    draft: str = ""
    """A hash of what the service showed of its draft, where it has one."""
    owner: str = ""
    costs: str = ""
    """What it may take of the tokens, in a sentence."""
    target: str = ""
    """The id of the project that the row was found to mean, where it names one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedLimits:
    """The limits that the person set for the run."""

    drafts_only: bool = False
    update_drafts: bool = False
    max_tokens: int | None = None
    keep_reserve: int = 0
    only: str | None = None
    canary: int | None = None


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
    """Goes into every hash, so that two plans cannot be compared."""
    account: Binding
    key_hash: str = field(repr=False)
    sheet: str
    reading: Reading
    """How the workbook was read; its paths are whole."""
    limits: PlannedLimits
    balance: int | None
    """None for a sandbox key, which spends nothing."""
    requests: int
    """About how many requests carrying it out takes."""
    seconds: float | None
    """About how long that takes; None where nothing is known of the rate limit."""
    iwi_load: IwiLoad = NO_LOAD
    iwi_names: Mapping[str, str] = field(default_factory=dict)
    """What the iwi of its rows are called."""
    sending: Sending | None = None
    """None for rows without drafts."""
    rows: tuple[PlannedRow, ...] = field(repr=False)
    sha256: str = ""
    """Of all the rest; what an approval is bound to."""

    @property
    def counts(self) -> Counter[Action]:
        return Counter(row.action for row in self.rows)

    @property
    def sends(self) -> int:
        return sum(n for action, n in self.counts.items() if action.sends)

    @property
    def own_steps(self) -> int:
        return sum(n for action, n in self.counts.items() if action.is_own_step)

    @property
    def acts(self) -> int:
        return self.sends + self.own_steps

    @property
    def to_correct(self) -> int:
        return self.counts[Action.CORRECT] + self.counts[Action.CHANGED]

    @property
    def act(self) -> str:
        """Say what reaches people for one row."""
        kind = self.reading.kind
        return kind.act if kind is not None and self.own_steps else "send"

    def will(self, action: Action) -> str:
        """Say in words what will be done with rows."""
        kind = self.reading.kind
        is_kinds = kind and action in {Action.ACT, Action.INVITE}
        return f"will {kind.will}" if kind and is_kinds else action.will

    @property
    def tokens_needed(self) -> int:
        return sum(row.action.sends or row.action.waits for row in self.rows)

    @property
    def uploads(self) -> list[tuple[int, PlannedFile]]:
        return [
            (row.number, file)
            for row in self.rows
            if Step.CREATE in row.action.steps or row.action.is_own_step
            for file in row.files
        ]

    @property
    def warned(self) -> list[tuple[str, ...]]:
        return [row.warnings for row in self.rows if row.action.acts and row.warnings]

    def iwi_of(self, row: PlannedRow) -> list[str]:
        return [self.iwi_names.get(slug, slug) for slug in row.iwi]

    @property
    def totals(self) -> dict[str, object]:
        """Give the counts for JSON documents."""
        files = [file for _, file in self.uploads]
        return {
            "counts": {action.value: n for action, n in self.counts.items()},
            "sends": self.sends,
            "invites": self.own_steps,
            "tokens_needed": self.tokens_needed,
            "upload_files": len(files),
            "upload_bytes": sum(file.size_bytes for file in files),
            **warned_json(self.warned),
        }

    @property
    def files(self) -> tuple[ShownFile, ...]:
        return shown_files(
            (number, file.path or file.name, file.size_bytes)
            for number, file in self.uploads
        )

    @property
    def in_order(self) -> tuple[PlannedRow, ...]:
        """Give the rows that reach people, the first to go first."""
        placed = [(row.place, row) for row in self.rows if row.place is not None]
        return tuple(row for _, row in sorted(placed, key=lambda each: each[0]))


def hidden(salt: str, *values: object) -> str:
    """Hash a value that a plan must recognise and not show."""
    return sha256_of([salt, *values])[:_DIGITS]
