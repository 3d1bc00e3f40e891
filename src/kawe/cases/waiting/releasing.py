"""A release: counting it, and waiting for tokens.

A waiting release opens the service anew for each poll and each round.
"""

import random
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final, TypeAlias

from kawe.cases.batches.approving import check_release
from kawe.cases.batches.ending import Ending
from kawe.cases.choices import agreed_mode, find_batch
from kawe.cases.kit import Toolkit
from kawe.cases.session import Session, open_session
from kawe.cases.sheets import was_saved_since
from kawe.domain.batch.agreements import Agreement, Budget, Reach, reach_of
from kawe.domain.batch.runs import RELEASE
from kawe.domain.batch.saved_plans import PlannedLimits
from kawe.domain.batch.waiting import may_leave, tokens_so_far, with_days
from kawe.domain.rows.entries import Batch, BatchName, Entry
from kawe.domain.service.states import State
from kawe.domain.text.texts import counted, one_line
from kawe.errors import GuardRefused
from kawe.flows.naming_iwi import load_of_rows
from kawe.flows.papers import keep_receipt_numbers
from kawe.flows.wait.awaiting import Polling, QueueSnapshot
from kawe.flows.wait.queueing import all_waiting, release, sends_in_doubt, waiting

AfterRound: TypeAlias = Callable[[Ending], Awaitable[None]]
"""Writes and prints how the batches stand after a round."""
POLL_MINUTES: Final = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyRelease:
    """A release that is counted: it can be announced, agreed to, carried out."""

    batches: tuple[Batch, ...]
    rows: tuple[Entry, ...]
    """Those that wait, the first to go first."""
    doubts: int
    """How many of them are asked about first: their sends may have happened."""
    budget: Budget
    saved_since: tuple[str, ...] = ()
    """The workbooks of these rows that were saved after they were read."""
    polls: bool = False
    """Whether it waits for tokens that are not there yet."""

    @property
    def names(self) -> tuple[BatchName, ...]:
        return tuple(batch.name for batch in self.batches)

    @property
    def sends(self) -> int:
        """Count the rows for which the tokens that may be used are enough."""
        most = self.budget.sends(len(self.rows))
        return sum(taken <= most for taken in self.tokens_so_far[1:])

    @property
    def tokens_so_far(self) -> list[int]:
        return tokens_so_far(each.content.turns_in for each in self.rows)

    def reach(self, session: Session) -> Reach:
        """Describe the sends that a person must agree to."""
        counts = Counter(each.kind for each in self.rows[: self.sends])
        return reach_of(counts, account=session.account_words, rows=self.rows)

    @property
    def has_work(self) -> bool:
        # A row in doubt may need no token: kawe asks the service first.
        return bool(self.polls or self.sends or self.doubts or not self.rows)

    def left_of(self, shown: "ReadyRelease", agreed: Agreement) -> "ReadyRelease":
        """Give what is left of what was `shown` and `agreed` to, and nothing else.

        Raises:
            GuardRefused: Nothing is.
        """
        batches = tuple(each for each in self.batches if each.name in shown.names)
        if not batches or (agreed.acts and not any(map(agreed.covers, self.rows))):
            raise GuardRefused(
                message="None of the rows that you agreed to waits any more.",
                hint="Nothing was sent. See how many can go now, then agree to the "
                "number.",
            )
        budget = replace(self.budget, agreed=len(agreed.acts), agreement=agreed)
        return replace(self, batches=batches, budget=budget)

    @property
    def called(self) -> str:
        """Name its batches in a sentence."""
        names = ", ".join(self.names)
        return f"Batch {names}" if len(self.batches) == 1 else f"Batches {names}"

    def lines(self) -> Iterator[str]:
        """Say what waits, and how much of it this release may send."""
        doubts, sends = self.doubts, self.sends
        if doubts:
            rows = counted(doubts, "row is", "rows are")
            yield f"{rows} in doubt, and kawe asks the service about that first."
        tokens = len(self.rows) - doubts
        # A run left rows that are ready, or is still at work on them.
        is_left = any(each.state is State.READY for each in self.rows)
        rows = counted(tokens, "row waits", "rows wait")
        if self.polls and sends:
            of = "of all these" if doubts else "of them"
            go = f"; up to {sends:,} {of} go as tokens come, the most urgent first"
        else:
            go = f", {sends:,} of them can be sent now" if sends and not doubts else ""
        if tokens:
            yield f"{rows}{'' if is_left else ' for tokens'}{go}."
        elif not doubts:
            yield "no row waits for tokens."
        going = self.rows[:sends]
        yield from self.budget.costs(e.kind.costs_of(e.content) for e in going)
        for workbook in self.saved_since:
            yield (
                f"{workbook} was saved after kawe read it; what goes is what it said "
                "then. To send what it says now, submit it first."
            )


async def count_release(
    session: Session, name: str | None, *, max_tokens: int | None, polls: bool = False
) -> ReadyRelease:
    """Count a release of the batch of this name, or of all in which rows wait.

    Raises:
        SettingsError: No batch is called so.
    """
    batches = await _pick(session, name)
    names = tuple(batch.name for batch in batches)
    budget = session.budget(PlannedLimits(max_tokens=max_tokens))
    if polls:
        # Tokens may arrive for all of them later.
        budget = replace(budget, balance=None)
    rows = tuple(await session.waiting(names))
    every = await session.journal.batches()
    read = [
        reading
        for batch, kind in {row.batch: row.kind for row in rows}.items()
        for reading in await session.journal.readings(batch)
        if not reading.is_replaced(e for e in every if e.kind is kind)
    ]
    saved = {Path(each.workbook).name for each in read if was_saved_since(each)}
    return ReadyRelease(
        batches=tuple(batches),
        rows=rows,
        doubts=sends_in_doubt(rows),
        budget=budget,
        saved_since=tuple(one_line(each, limit=80) for each in sorted(saved)),
        polls=polls,
    )


async def _pick(session: Session, name: str | None) -> list[Batch]:
    """Find the batch of this name, or those in which rows wait."""
    batches = await session.journal.batches()
    every = [] if name is not None else batches
    waits = [(e, await all_waiting([e.name], journal=session.journal)) for e in every]
    found = [batch for batch, rows in waits if rows.going or rows.missing]
    return found or [find_batch(batches, name=name)]


async def carry_out_release(
    session: Session, names: tuple[BatchName, ...], *, budget: Budget
) -> Ending:
    """Send what waits in these batches; the results are still to be written.

    Raises:
        GuardRefused: Signed approvals are missing: nothing was sent.
        ScopeMissing: The key may not send.
    """
    await check_release(session, names)
    run, journal = session.start(), session.journal
    waits = [*filter(budget.lets_go, await session.waiting(names))]
    going = waits[: budget.sends(len(waits))]
    await session.make_sure_of_sending(sum(each.kind.has_drafts for each in going))
    await session.make_sure_of_load(await load_of_rows(going, journal=journal))
    await session.keep_runs(RELEASE, names)
    await release(names, run=run, budget=budget)
    await keep_receipt_numbers(run)
    return Ending(session=session, run=run, command=RELEASE, result=None)


def polling_of(
    toolkit: Toolkit,
    *,
    every_minutes: float = POLL_MINUTES,
    until_at: datetime | None = None,
) -> Polling:
    """Say how a release looks for tokens that are not there yet."""
    return Polling(
        clock=toolkit.clock,
        progress=toolkit.progress,
        halt=toolkit.halt,
        poll_seconds=every_minutes * 60,
        chance=random.Random().random,  # noqa: S311 - spreads looks, guards nothing
        until_at=until_at,
    )


@dataclass(slots=True, kw_only=True)
class WaitingRelease:
    """Implements `Release`; between rounds the journal is closed for others."""

    toolkit: Toolkit
    batches: tuple[BatchName, ...]
    budget: Budget
    """The rest of what the person agreed to, over all rounds."""
    after_round: AfterRound

    async def snapshot(self) -> QueueSnapshot:
        """Count who waits, and ask for the balance when somebody does."""
        async with self.toolkit.open_journal(read_only=True) as journal:
            rows = await waiting(self.batches, journal=journal)
        budget = self.budget if not rows else await self._budget()
        agreed = sum(map(budget.lets_go, rows))
        is_late = any(
            not may_leave(on, today=self.toolkit.today) for _, on in with_days(rows)
        )
        return QueueSnapshot(
            waits=len(rows),
            balance=budget.balance,
            reserve=budget.keep_reserve,
            can_go=budget.sends(agreed),
            allowed=self.budget.sends(agreed),
            needs_a_run=is_late or sends_in_doubt(rows) > 0,
        )

    async def go(self) -> None:
        """Send what may be sent now; raise the error that stops the round."""
        async with open_session(self.toolkit) as session:
            now = replace(
                session.budget(PlannedLimits(max_tokens=self.budget.max_tokens)),
                agreed=self.budget.agreed if session.is_live else None,
                agreement=self.budget.agreement,
            )
            # Rows may have joined the queue: approvals are looked for once more.
            ended = await carry_out_release(session, self.batches, budget=now)
            self.budget = self.budget.less(ended.run.tally.tokens)
            await self.after_round(ended)
        if (because := ended.run.stop.because) is not None:
            raise because

    async def _budget(self) -> Budget:
        async with self.toolkit.open_service() as service:
            account = await service.lookups.account()
        is_live = agreed_mode(self.toolkit.settings, account) == "live"
        return replace(self.budget, balance=account.balance if is_live else None)
