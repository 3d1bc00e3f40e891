"""The rows that wait, for tokens or a decision: ordered, released, decided about."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final
from urllib.parse import urlencode

from starlette.responses import Response

from kawe.cases.batches.ending import Closing, Ending
from kawe.cases.care.journals import require_journal
from kawe.cases.kit import Toolkit
from kawe.cases.session import Session, open_session
from kawe.cases.waiting import releasing
from kawe.cases.waiting import rows as waiting_rows
from kawe.cases.waiting.rows import HeldRow, QueueChange, WaitingRows, change_queue
from kawe.desk.pages.batch import batches
from kawe.desk.rendering import go_to
from kawe.desk.runs import Balance, Coded
from kawe.desk.visits import DeskVisit, FormRefused, about, done_at, shown_at
from kawe.domain.batch.agreements import Agreement, Reach, packs_words
from kawe.domain.batch.exit_codes import worst_of
from kawe.domain.batch.runs import RELEASE
from kawe.domain.text.texts import fold
from kawe.errors import GuardRefused, SettingsError
from kawe.flows.settle.resolving import Decision, PersonDecision, resolved_lines

RESOLVE: Final = "resolve"
_ABANDON: Final = "give up"
_CARDS: Final = 25
COUNT: Final = "count release"
DROP: Final = "deferred drop"
_WORD: Final = "drop"
_CHANGED: Final = (
    "The order has changed since, or others were counted. Nothing was sent: "
)


@shown_at("/held")
def held(visit: DeskVisit) -> Response:
    """Show the held rows, those of one reason together; some of them each by itself."""
    rows, words = _waiting(visit).held, visit.query.get("q", "").strip()
    groups = waiting_rows.alike(rows)
    found = [
        row
        for row in chain(*groups.values())
        if fold(words) in fold(f"{row.entry.marker} {row.entry.content.name}")
    ]
    part = visit.part_of(found, size=_CARDS)
    shown = {row.entry.key for row in part["rows"]}
    return visit.page(
        "held.html",
        **part,
        groups=[
            (why, each, [row for row in each if row.entry.key in shown])
            for why, each in groups.items()
        ],
        words=words,
        number=len(rows),
        agreement_of=lambda rows: Agreement.of(row.entry for row in rows),
        decided=visit.runs.last("", RESOLVE),
        portal=visit.portal,
        give_up=_ABANDON,
    )


@done_at("/held/decide", on=held)
def decide(visit: DeskVisit) -> Response:
    """Carry out a decision about one row."""
    row, decision = visit.text("row"), _decision(visit)
    if decision is Decision.ABANDON:
        _make_sure(visit, _ABANDON, to="give the row up")
    rows = _waiting(visit).held
    _same(visit, [each for each in rows if row in {each.entry.marker, each.entry.key}])
    typed = visit.text("project") if decision is Decision.ADOPT else ""
    project = waiting_rows.project_of(typed)
    if decision is Decision.ADOPT and project is None:
        raise FormRefused(
            "That is not a project. Copy the address of its page from the portal. "
            "Nothing was changed.",
            field="project",
        )
    word = PersonDecision(decision=decision, project=project)

    async def resolve(session: Session) -> list[str]:
        return [*resolved_lines(await waiting_rows.resolve_row(session, row, word))]

    return _begin(visit, resolve)


@done_at("/held/decide-all", on=held)
def decide_all(visit: DeskVisit) -> Response:
    """Carry out one decision about all rows that are held for one reason."""
    why, decision, reason = visit.text("why"), _decision(visit), visit.text("reason")
    rows = [row for row in _waiting(visit).held if row.why_of_all == why]
    if not reason:
        raise FormRefused("Write down why. Nothing was changed.", field="reason")
    with about("typed"):
        waiting_rows.reach_of_decision(decision, rows).agreed_to(visit.text("typed"))
    agreed, word = _same(visit, rows), PersonDecision(decision=decision, why=reason)

    async def resolve(session: Session) -> list[str]:
        return [*(await waiting_rows.resolve_all(session, agreed, word)).lines()]

    return _begin(visit, resolve)


def _begin(visit: DeskVisit, do: Callable[[Session], Awaitable[list[str]]]) -> Response:
    async def resolve(toolkit: Toolkit) -> list[str]:
        require_journal(toolkit.settings)
        async with open_session(toolkit) as session:
            visit.runs.balance = Balance.of(session)
            return await do(session)

    return visit.begin(RESOLVE, resolve)


def _decision(visit: DeskVisit) -> Decision:
    try:
        return Decision(visit.text("decision"))
    except ValueError:
        raise FormRefused("Choose what to decide. Nothing was done.") from None


def _same(visit: DeskVisit, rows: Sequence[HeldRow]) -> Agreement:
    """Give what a form decides about; refuse where that is not what it showed."""
    agreed = Agreement.of(row.entry for row in rows)
    if visit.text("sha256") != agreed.sha256:
        raise GuardRefused(
            message="These rows are held otherwise than the page showed.",
            hint="Nothing was changed. Look at the held rows again.",
        )
    return agreed


def _make_sure(visit: DeskVisit, word: str, *, to: str) -> None:
    if visit.text("typed").casefold() != word:
        raise FormRefused(f"Type {word} to {to}. Nothing was changed.", field="typed")


def _waiting(visit: DeskVisit, batch: str | None = None) -> WaitingRows:
    return visit.once(
        ("waiting", batch),
        lambda: asyncio.run(waiting_rows.look_at_waiting(visit.toolkit, batch=batch)),
    )


@shown_at("/queue")
def queue(visit: DeskVisit) -> Response:
    """Show the rows in the order in which they go."""
    batch = visit.query.get("batch") or None
    every, found = _waiting(visit).queue, _waiting(visit, batch).queue
    why = visit.query.get("why")
    rows = [row for row in found.rows if why in {None, "", row.reason}]
    known = None if visit.runs.balance is None else visit.runs.balance.tokens
    reserve = visit.toolkit.settings.keep_reserve
    missing = max(0, found.tokens_needed + reserve - (known or 0))
    return visit.page(
        "queue.html",
        queue=found,
        **visit.part_of(rows),
        why=why,
        reasons=Counter(row.reason for row in found.rows),
        answers=[*{row.owner for row in found.rows}],
        batch=batch,
        batches=Counter(row.entry.batch for row in every.rows),
        now=visit.toolkit.clock.now(),
        known=known,
        reserve=reserve,
        packs=packs_words(missing) if missing else "",
        portal=visit.portal,
        dropped=visit.runs.last("", DROP),
    )


@done_at("/queue/order", on=queue)
def order(visit: DeskVisit) -> Response:
    """Let a row go before all others, or in the usual order again."""
    change = QueueChange.USUAL if visit.text("how") == "back" else QueueChange.FIRST
    asyncio.run(change_queue(visit.toolkit, [visit.text("row")], change))
    visit.runs.forget(COUNT)
    return go_to(f"/queue?{urlencode(visit.query)}")


@shown_at("/queue/drop")
def ask_drop(visit: DeskVisit) -> Response:
    """Ask before a row leaves the queue for good."""
    name = visit.query.get("row") or visit.text("row")
    found = _waiting(visit).queue
    try:
        (row,) = waiting_rows.chosen_rows((*found.rows, *found.missing), [name])
    except SettingsError:
        # It has left the queue since, as whoever comes Back finds.
        return go_to("/queue")
    return visit.page("drop.html", row=row, word=_WORD)


@done_at("/queue/drop", on=ask_drop)
def drop(visit: DeskVisit) -> Response:
    """Take a row out of the queue for good."""
    _make_sure(visit, _WORD, to="take the row out")
    name = visit.text("row")

    async def leave(toolkit: Toolkit) -> list[str]:
        return [*(await change_queue(toolkit, [name], QueueChange.DROP)).lines()]

    return visit.begin(DROP, leave)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counted:
    """A release that a person looks at before they agree to it."""

    ready: releasing.ReadyRelease
    most: int | None
    """As many as the person wanted at most; None: all."""
    batch: str | None
    """The one that is released; None: all in which rows wait."""
    reach: Reach
    is_live: bool

    @property
    def agreement(self) -> Agreement:
        return Agreement.of(self.ready.rows[: self.ready.sends])


@done_at("/queue/count", on=queue)
def count(visit: DeskVisit) -> Response:
    """Ask the service how many rows can go now."""
    most, batch = visit.number("most"), visit.query.get("batch") or None
    polls = visit.is_ticked("polls")

    async def look(toolkit: Toolkit) -> _Counted:
        async with open_session(toolkit, read_only=True) as session:
            visit.runs.balance = Balance.of(session)
            ready = await releasing.count_release(
                session, batch, max_tokens=most, polls=polls
            )
            return _Counted(
                ready=ready,
                most=most,
                batch=batch,
                reach=ready.reach(session),
                is_live=session.is_live,
            )

    return visit.begin(COUNT, look)


@shown_at("/queue/release")
def ask(visit: DeskVisit) -> Response:
    """Show what a release would do, and ask for its number."""
    if (counted := visit.runs.answer(COUNT)) is None:
        return queue(visit) if visit.refused else go_to("/queue")
    return visit.page("release.html", counted=counted, portal=visit.portal)


@done_at("/queue/release", on=ask)
def release(visit: DeskVisit) -> Response:
    """Release the rows that the page showed, and no others."""
    shown: _Counted | None = visit.runs.answer(COUNT)
    if shown is None:
        raise FormRefused(f"{_CHANGED}this is the order now.")
    if visit.text("sha256") != shown.agreement.sha256:
        raise FormRefused(f"{_CHANGED}these would go now.")
    with about("typed"):
        shown.reach.agreed_to(visit.text("typed"))

    async def go(toolkit: Toolkit) -> Coded:
        require_journal(toolkit.settings)
        closings: list[Closing] = []

        async def write(ending: Ending) -> None:
            closings[:] = [await ending.write(batch) for batch in ready.batches]
            tokens = [each.report.tokens_left for each in closings]
            visit.runs.balance = replace(
                Balance.of(ending.session), tokens=tokens[-1] if tokens else None
            )

        async with open_session(toolkit) as session:
            now = await releasing.count_release(
                session, shown.batch, max_tokens=shown.most, polls=shown.ready.polls
            )
            ready = now.left_of(shown.ready, shown.agreement)
            if not ready.polls:
                await write(
                    await releasing.carry_out_release(
                        session, ready.names, budget=ready.budget
                    )
                )
        if ready.polls:
            waiting = releasing.WaitingRelease(
                toolkit=toolkit,
                batches=ready.names,
                budget=ready.budget,
                after_round=write,
            )
            await releasing.polling_of(toolkit).run(waiting)
        return Coded(closings, worst_of(each.code for each in closings))

    visit.runs.forget(COUNT)
    return visit.begin(RELEASE, go)


@shown_at("/queue/done")
def released(visit: DeskVisit) -> Response:
    """Show the batches of the last release, and what it sent of each."""
    ended = visit.runs.answer(RELEASE)
    return go_to("/queue") if ended is None else batches(visit, ended=ended)
