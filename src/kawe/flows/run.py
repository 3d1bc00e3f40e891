"""What one run works with, and what it has learnt so far."""

import asyncio
import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, assert_never

from kawe import errors
from kawe.domain.batch.outcomes import UnownedDraft
from kawe.domain.rows.entries import Entry
from kawe.domain.rows.identity import sha256_of
from kawe.domain.service.service_words import Account, Project, ProjectId
from kawe.domain.service.states import (
    Done,
    Intent,
    NotDone,
    Reason,
    RowKey,
    State,
    Step,
    Unknown,
    Verdict,
)
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.text.next_steps import Given, Next
from kawe.domain.text.texts import counted
from kawe.flows.look import TeamLook
from kawe.flows.tools import Tools
from kawe.ports import Acts, Alerts, Journal, Lookups, Pace, Uploads

_LATER: Final = 0.5
"""For which share of a settle window a draft of another journal waits at least."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatedDraft:
    """One draft that this run created, and when it asked for it."""

    marker: str
    project_id: ProjectId
    begun: float
    """As `Clock.elapsed` has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The projects that the service showed under the markers of some rows."""

    rows: frozenset[RowKey]
    look: TeamLook
    by_marker: Mapping[str, Sequence[Project]]
    strangers: frozenset[Project]
    """Projects that no row of this journal owns."""
    alike: Mapping[RowKey, Sequence[Project]] = field(default_factory=dict)
    """Strangers under other markers that rows likely repeat."""

    def of(self, entry: Entry) -> Sequence[Project]:
        """Give the projects that carry a row's marker, or that it likely repeats."""
        return (*self.by_marker.get(entry.marker, ()), *self.alike.get(entry.key, ()))

    def strangers_of(self, entry: Entry) -> list[Project]:
        return [each for each in self.of(entry) if each in self.strangers]


@dataclass(slots=True, kw_only=True)
class Tally:
    """What a run has done, for the closing words; the journal is the truth."""

    created: int = 0
    updated: int = 0
    adopted: int = 0
    sent: int = 0
    second_drafts: tuple[UnownedDraft, ...] = ()
    """Drafts with a marker of ours that no row owns, as seen at the end."""
    left_to_others: set[RowKey] = field(default_factory=set)
    """Rows that another computer is at work on."""
    sent_elsewhere: set[RowKey] = field(default_factory=set)
    """Rows that another computer, or a person in the portal, has sent."""
    snapshot: Snapshot | None = None
    """The snapshot that the run was announced from."""
    shown_sent: tuple[datetime, Collection[ProjectId]] | None = None
    """All that the service shows as sent, and when it began to be read."""
    lost_sends: list[Entry] = field(default_factory=list)
    """Rows of any batch that were sent, and are not any more."""
    waits_randomly: bool = False
    """Drafts of another journal are to be sent, perhaps by it as well."""
    taken_over: set[RowKey] = field(default_factory=set)
    """Rows that now use a draft of another journal."""
    look: TeamLook | None = None
    """What the team had before this run made any project."""
    new_markers: set[str] = field(default_factory=set)
    """Markers that no project had in this run's first snapshot."""
    known_strangers: set[ProjectId] = field(default_factory=set)
    """Projects that were another journal's in this run's first snapshot."""
    snapshot_begun: float = -math.inf
    """When the latest snapshot of the rows to send began."""
    update_tried: set[RowKey] = field(default_factory=set)
    """Rows whose draft this run tried to update: once is enough."""
    may_have_sent: set[RowKey] = field(default_factory=set)
    """Rows that may have cost a token: each counts once, however often tried."""
    turns: Counter[str] = field(default_factory=Counter)
    """The acts that may have been done where every second one costs a token."""
    acts_with_token: set[RowKey] = field(default_factory=set)
    """Those, and others, that may have cost one."""
    unconfirmed: dict[RowKey, tuple[Entry, Project | None]] = field(
        default_factory=dict
    )
    """Sent rows that the service does not show as sent yet, and what it shows."""
    read_back: list[Entry] = field(default_factory=list)
    """Sent rows that the service shows as sent; written down together."""
    sent_to: dict[RowKey, tuple[str, ...]] = field(default_factory=dict)
    """Whom the service told of them, by name; written down together with them."""
    hidden: set[RowKey] = field(default_factory=set)
    """Rows whose draft the service does not show: they are read again."""
    left_hidden: set[RowKey] = field(default_factory=set)
    """Those of them that were read for a settle window in this run."""
    made: list[CreatedDraft] = field(default_factory=list)
    """Drafts that were created, in the order in which their answers came."""
    begun: dict[RowKey, float] = field(default_factory=dict)
    """When each attempt began that is under way."""
    unclear_since: dict[tuple[RowKey, Step, int], float] = field(default_factory=dict)
    """When an attempt in doubt ended, or was first read."""
    not_drafts: set[RowKey] = field(default_factory=set)
    """Rows with a send in doubt that some reading did not show as drafts."""
    absent_since: dict[tuple[RowKey, int], float] = field(default_factory=dict)
    """Since when every search for a doubtful create was stable and empty."""
    written_otherwise: int = 0
    """Drafts that came back with another reference than was asked for."""
    attempts: dict[tuple[RowKey, Step], int] = field(default_factory=dict)
    """How often a step was tried, for rows whose attempts were read."""
    no_tokens_at: datetime | None = None
    """When the first 402 came: no further send is tried."""
    look_seconds: list[float] = field(default_factory=list)
    """How long the looks took that came before sends, sorted."""
    is_slow: bool = False
    """Drafts are sent later after their looks than usual, and it was said."""
    looked_at: dict[RowKey, Project] = field(default_factory=dict)
    """Drafts as they stood before their send, until they are read back."""
    sent_otherwise: dict[RowKey, str] = field(default_factory=dict)
    """In what rows went out otherwise than that, in words."""
    failed: set[RowKey] = field(default_factory=set)
    """Rows that the service refused, or that were held, in this run."""
    stuck: set[str] = field(default_factory=set)
    """The targets of acts that failed in it, or in a sheet before."""

    @property
    def tokens(self) -> int:
        """Count the tokens that this run may have used."""
        return len(self.may_have_sent) + len(self.acts_with_token)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run(Tools):
    """The ports and choices of one run."""

    journal: Journal
    acts: Acts
    uploads: Uploads
    pace: Pace
    account: Account
    settle_seconds: float
    is_alone: bool = True
    """No other machine submits the same rows from a journal of its own."""
    may_fail: int | None = None
    """How many rows may fail before the run stops; None is no limit."""
    owner: str = ""
    """Who answers for the rows; empty where nobody was named."""
    tally: Tally = field(default_factory=Tally)
    alerts: Alerts | None = None
    """Sends notices during the run; None where nobody gets any."""
    chance: Callable[[], float] = lambda: 0.0
    """Gives a number from 0 to 1 for random waits."""
    places: asyncio.Semaphore = field(init=False)
    """Limits the acts under way, also when one of them stops the run."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "places", asyncio.Semaphore(max(1, self.workers)))

    @property
    def rows_at_once(self) -> int:
        """Say how many rows go together; some wait for the disk."""
        return self.workers + self.workers // 4

    async def wait_randomly(self, entries: Sequence[Entry]) -> bool:
        """Wait a random time if a draft of another journal is to be sent; say if so.

        Several computers may have taken the same draft over at one moment.
        """
        keys = [entry.key for entry in entries]
        made = await self.journal.attempts_made(keys, step=Step.CREATE)
        if all(made.get(key) and key not in self.tally.taken_over for key in keys):
            return False
        self.tally.waits_randomly = True
        # The computer that made the draft sends at once, and is seen by then.
        share = _LATER + self.chance()
        await self.wait_until(self.clock.elapsed() + share * self.settle_seconds)
        return True

    async def wait_until(self, at: float) -> None:
        """Wait until `Clock.elapsed` is `at`, or the run is to stop."""
        while (left := at - self.clock.elapsed()) > 0 and not self.stop.is_set():
            await self.clock.sleep(min(left, 1.0))

    async def settle(self) -> bool:
        """Wait a settle window; say whether the run may go on then."""
        await self.wait_until(self.clock.elapsed() + self.settle_seconds)
        return not self.stop.is_set()

    async def move(self, entry: Entry, state: State, *, reason: str = "") -> Entry:
        """Move a row without a request."""
        moved = await self.journal.move(
            entry.key, state, at=self.clock.now(), reason=reason
        )
        self._count_failed([moved])
        return moved

    async def move_all(
        self, entries: Sequence[Entry], state: State, *, reason: str = ""
    ) -> list[Entry]:
        """Move many rows, so many at once: all rows twice would take much memory."""
        moved: list[Entry] = []
        keys, now = [entry.key for entry in entries], self.clock.now()
        for at in range(0, len(keys), _MOVED_TOGETHER):
            some = keys[at : at + _MOVED_TOGETHER]
            moved += await self.journal.move_all(some, state, at=now, reason=reason)
        self._count_failed(moved)
        return moved

    async def look_up_attempts(self, entries: Sequence[Entry], step: Step) -> None:
        """Count earlier attempts of many rows with one visit to the journal."""
        keys = [entry.key for entry in entries]
        made = await self.journal.attempts_made(keys, step=step)
        for key in keys:
            self.tally.attempts[key, step] = made.get(key, 0)

    async def confirm_all(self) -> None:
        """Write down the sent rows that the service shows as sent.

        After a crash before this, the next run reads them again.
        """
        seen, self.tally.read_back = self.tally.read_back, []
        told, self.tally.sent_to = self.tally.sent_to, {}
        if told:
            await self.journal.keep_sent_to(told)
        otherwise = self.tally.sent_otherwise
        for entry in seen:
            if entry.key in otherwise:
                await self.move(entry, State.CONFIRMED, reason=otherwise[entry.key])
        as_agreed = [entry for entry in seen if entry.key not in otherwise]
        await self.move_all(as_agreed, State.CONFIRMED)

    async def intend(
        self, entry: Entry, step: Step, body: object, *, known: tuple[str, ...] = ()
    ) -> Intent:
        """Make a row's next intent to ask for `body`, not yet noted."""
        tried = self.tally.attempts
        if (entry.key, step) not in tried:
            await self.look_up_attempts([entry], step)
        tried[entry.key, step] += 1
        self.tally.begun[entry.key] = self.clock.elapsed()
        return Intent(
            row=entry.key,
            step=step,
            attempt=tried[entry.key, step],
            body_sha256=sha256_of(body),
            begun_at=self.clock.now(),
            known_projects=known,
        )

    async def conclude(self, intent: Intent, verdict: Verdict) -> Entry:
        """Stop the run where a verdict says that no call is safe, and write it down."""
        if isinstance(verdict, Unknown):
            doubt = (intent.row, intent.step, intent.attempt)
            self.tally.unclear_since[doubt] = self.clock.elapsed()
            self.tally.written_otherwise += verdict.candidate is not None
        made = verdict.project if isinstance(verdict, Done) else None
        if intent.step is Step.CREATE and made is not None and made.is_sent:
            self.tally.sent += 1
            self.tally.may_have_sent.add(intent.row)
        self.stop_if_unsafe(intent.step, verdict)
        entry = await self.journal.conclude(intent, verdict, at=self.clock.now())
        begun = self.tally.begun.pop(entry.key)
        if isinstance(verdict, Done):
            self.tally.attempts.pop((entry.key, intent.step), None)
        if intent.step is Step.CREATE and entry.project_id is not None:
            marker, project = entry.marker, entry.project_id
            self.tally.made.append(
                CreatedDraft(marker=marker, project_id=project, begun=begun)
            )
        self._count_failed([entry])
        return entry

    def stop_if_unsafe(self, step: Step, verdict: Verdict) -> None:
        """Stop the run at once: no act may begin while the verdict is written down."""
        because = stop_reason(step, verdict)
        is_otherwise = self.tally.written_otherwise >= _ENOUGH_OTHERWISE
        if because is None and is_otherwise and not self.tally.created:
            because = errors.ContractBroken(
                message="The service writes references in its own way: "
                f"{self.tally.written_otherwise} drafts came back with another "
                "reference than was asked for, or without, and none with its own.",
                hint=f"{Next.WAITING} names the drafts. Write the references as the "
                f"service does, or take the drafts as they are {Next.RESOLVE}.",
            )
        if because is not None:
            self.stop.set(because)

    def _count_failed(self, entries: Sequence[Entry]) -> None:
        """Count rows that failed, and stop where that is one too many."""
        failed = self.tally.failed
        failed |= {each.key for each in entries if each.state in _FAILED}
        if self.may_fail is not None and len(failed) > self.may_fail:
            self.stop.set(
                errors.TooManyFailed(
                    message=f"{counted(len(failed), 'row')} failed in this run, and "
                    f"{Given.MAX_ERRORS} allows no more.",
                    hint=f"Look at why, then {Next.AGAIN}: what is done stays done.",
                )
            )


async def own_project(lookups: Lookups, entry: Entry) -> Project | None:
    """Read a row's project; None where it has none or the service does not show it."""
    number = entry.project_id
    return None if number is None else await lookups.project(number)


def stop_reason(step: Step, verdict: Verdict) -> errors.KaweError | None:
    """Say why a verdict stops the whole run, None where it does not."""
    match verdict:
        case Done(project=project) if project is not None and project.is_sent:
            return errors.ContractBroken(
                message="The service sends drafts at once: a project that was to stay "
                f"a draft is {project.status}.",
                hint="No more is created. Ask those who run the service before you "
                "submit again.",
            )
        case NotDone(reason=Reason.KEY_REFUSED):
            return errors.KeyRefused(
                message="The service refused the key (401).",
                hint="It may have been revoked. Ask an owner of the team for a new "
                f"key and {Next.AGAIN}: nothing is lost.",
            )
        case NotDone(reason=Reason.SCOPE_MISSING, detail=detail):
            return errors.ScopeMissing(
                message=f"The key may not {SheetKind.words_of(step)[0]} (403): "
                f"{detail}",
                hint=f"Ask an owner of the team for a key that may, then {Next.AGAIN}.",
            )
        case NotDone(reason=Reason.NOT_FOUND, detail=detail) if step not in _BY_ID:
            return errors.ContractBroken(message=detail)
        case Unknown(stops_run=True, detail=detail):
            return errors.ContractBroken(
                message=f"The service sends elsewhere ({detail}).",
                hint="Check the base address in the settings; no key is sent to "
                "another address.",
            )
        case Done() | NotDone() | Unknown():
            return None
        case _:
            assert_never(verdict)


_ENOUGH_OTHERWISE: Final = 3
_MOVED_TOGETHER: Final = 2_000
_FAILED = frozenset({State.INVALID, State.HELD})
_BY_ID = frozenset({Step.SEND, Step.UPDATE})
"""Steps upon one project: a 404 is about the row, not about the run."""


def unreachable(detail: str) -> errors.ServiceUnreachable:
    """Make the error that ends a run when no request leaves any more."""
    return errors.ServiceUnreachable(
        message=f"The service cannot be reached: {detail}.",
        hint=f"Check the network, then {Next.AGAIN}: nothing is lost.",
    )
