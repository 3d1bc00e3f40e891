"""A release that waits, over a real twin and a journal on disk, in hurried time."""

import asyncio
from dataclasses import dataclass, field
from datetime import timedelta

import pytest

from doubles.command import at_a_twin, csv_row, write_csv
from doubles.loops import awaited
from doubles.machine import AskedToStop, Quiet
from kawe.cases.kit import Toolkit
from kawe.cases.waiting.releasing import WaitingRelease
from kawe.domain.batch.agreements import Budget
from kawe.domain.batch.waiting import in_order
from kawe.domain.rows.entries import BatchName
from kawe.domain.service.service_words import IwiAnswer
from kawe.flows.wait.awaiting import Ended, Polling
from kawe.flows.wait.queueing import waiting
from kawe.machine import SystemClock
from kawe.settings.loading import load_settings
from kawe_twin.world.iwi_areas import IWI

ROWS = 4


@dataclass
class HurriedClock(SystemClock):
    """Sleeps at once, and is ahead of the machine by what was slept."""

    ahead: timedelta = timedelta()
    slept: int = 0
    happens: dict = field(default_factory=dict)

    def now(self):
        return super().now() + self.ahead

    def elapsed(self):
        return super().elapsed() + self.ahead.total_seconds()

    async def sleep(self, wait_seconds):
        self.slept += 1
        self.ahead += timedelta(seconds=wait_seconds)
        self.happens.pop(self.slept, lambda: None)()


@pytest.fixture
def person(tmp_path):
    with at_a_twin(tmp_path, tokens=0) as person:
        write_csv(person.folder / "monthly.csv", [csv_row(n) for n in range(ROWS)])
        assert person.run("submit", "monthly.csv", "--yes", "9", "-q").returncode == 4
        yield person


def kit(person, clock):
    settings = load_settings(
        {"journal": str(next(person.folder.rglob("*.journal")))},
        environment=person.surroundings(),
        folder=person.folder,
    )
    return Toolkit(settings=settings, progress=Quiet(), halt=AskedToStop(), clock=clock)


def agreed_to(person, number):
    """Agree to the first rows that wait, as the command does."""

    async def look():
        async with kit(person, SystemClock()).open_journal(read_only=True) as journal:
            return await waiting((BatchName("monthly"),), journal=journal)

    return Budget(balance=None).agreed_to(number, in_order(asyncio.run(look())))


def keep(person, clock, budget):
    """Wait as the command does; give why it ended and how often it told."""
    toolkit = kit(person, clock)
    told = []

    async def after_round(ending):
        told.append(ending.run.tally.sent)

    release = WaitingRelease(
        toolkit=toolkit,
        batches=(BatchName("monthly"),),
        budget=budget,
        after_round=after_round,
    )
    polling = Polling(
        clock=clock,
        progress=toolkit.progress,
        halt=toolkit.halt,
        poll_seconds=300,
        chance=lambda: 0.5,
        until_at=clock.now() + timedelta(hours=2),
    )
    return asyncio.run(polling.run(release)), told


def sends(person):
    return [each["sends"] for each in person.state()["projects"]]


def test_tokens_that_are_bought_on_the_portal_are_spent_at_the_next_look(person):
    buy = person.twin.buy_tokens
    clock = HurriedClock(happens={30: lambda: buy(1), 700: lambda: buy(5)})
    ended, told = keep(person, clock, Budget(balance=None, agreed=ROWS))
    creates = len(person.state()["projects"])
    assert (ended, told, sends(person), creates) == (
        Ended.NOTHING_WAITS,
        [1, 3],
        [1] * ROWS,
        ROWS,
    )
    # Five minutes for the first look, and those in which the second token came.
    assert clock.slept in range(890, 910)


def test_what_was_agreed_to_is_never_gone_beyond(person):
    person.twin.buy_tokens(20)
    ended, told = keep(person, HurriedClock(), Budget(balance=None, agreed=3))
    assert (ended, told, sorted(sends(person))) == (
        Ended.ALLOWANCE_USED,
        [3],
        [0, 1, 1, 1],
    )


def test_rows_whose_date_goes_by_while_they_wait_are_held_and_waited_for_no_more(
    person,
):
    clock = HurriedClock(ahead=timedelta(days=3650))
    ended, told = keep(person, clock, Budget(balance=None, agreed=ROWS))
    held = person.document("waiting")["held"]
    assert (ended, told, sends(person)) == (Ended.NOTHING_WAITS, [0], [0] * ROWS)
    assert {each["why"] for each in held} == {
        "Respond by has passed while the row waited for tokens."
    }


def test_a_row_that_joins_the_queue_meanwhile_is_not_sent_in_place_of_another(person):
    def join():
        rows = [csv_row(n) for n in range(ROWS)]
        rows.append(csv_row(9, **{"Respond by": "2030-03-02"}))
        write_csv(person.folder / "monthly.csv", rows)
        person.run("submit", "monthly.csv", "--max-tokens", "0", "--yes", "9", "-q")
        person.twin.buy_tokens(5)

    # Nor is it weighed: with it, iwi would get one more than they may.
    (person.folder / "kawe.toml").write_text(f"per_iwi_month = {ROWS}\n", "utf-8")
    clock = HurriedClock(happens={30: join})
    # More was agreed to than waited then.
    ended, told = keep(person, clock, agreed_to(person, 9))
    unsent = [e["reference"] for e in person.state()["projects"] if not e["sends"]]
    assert (ended, sum(told), unsent) == (Ended.ALLOWANCE_USED, ROWS, ["R-9"])


@awaited
async def _was_of(person, iwi):
    """Let the journal say that the place of its rows belonged to this iwi."""
    async with kit(person, SystemClock()).open_journal(read_only=False) as journal:
        (row, *_) = await waiting((BatchName("monthly"),), journal=journal)
        answer = IwiAnswer.of_pairs([(iwi.slug, iwi.name)], can_select=False)
        at = SystemClock().now() - timedelta(days=2)
        await journal.keep_iwi_answer(row.content.place, answer, at=at)


def test_a_row_whose_place_has_another_iwi_by_now_is_held(person):
    person.twin.buy_tokens(5)
    _was_of(person, IWI[8])
    keep(person, HurriedClock(), agreed_to(person, ROWS))
    held = person.document("waiting")["held"]
    assert (len(held), sends(person)) == (ROWS, [0] * ROWS)
    assert f"to other iwi by now: {IWI[0].name}." in str(held[0])
    person.run("resolve", "R-0", "--retry")
    # Whoever lets it go on was told.
    keep(person, HurriedClock(), agreed_to(person, ROWS))
    assert sum(sends(person)) == 1
