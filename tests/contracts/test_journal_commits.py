"""How the journal on disk turns calls into commits, and what a fault does."""

import asyncio
import sqlite3
import threading
from contextlib import closing

import pytest

from doubles.journal_gate import Gate, in_one_commit, open_hooked, queued, with_gate
from doubles.journal_values import (
    BATCH,
    BINDING,
    NOW,
    batch,
    content,
    entry,
    intent,
    key,
    stored,
)
from kawe.domain.service.states import State, Step
from kawe.domain.text.next_steps import Next
from kawe.errors import JournalError
from kawe.journal.journal import StoreJournal
from kawe.journal.records import file_to_record
from kawe.journal.store.opening import OpeningLimits

MANY = 200


def _ready(disk, count):
    disk.begin(*(entry(number) for number in range(1, count + 1)))

    async def script(journal):
        await asyncio.gather(
            *(
                journal.move(key(number), State.FILES_READY, at=NOW)
                for number in range(1, count + 1)
            )
        )

    disk(script)


def test_what_queues_during_a_commit_becomes_one_commit(disk):
    _ready(disk, MANY)

    async def script(journal, gate):
        await in_one_commit(
            journal,
            gate,
            *(journal.note([intent(n, Step.CREATE)]) for n in range(1, MANY + 1)),
        )

    _, gate = with_gate(disk, script)
    states = {row.state for row in disk.ask("entries", BATCH)}
    assert (gate.calls, states) == ([1, MANY], {State.CREATE_INTENT})


def test_no_call_returns_before_its_commit(disk):
    disk.begin(entry(1))

    async def script(journal, gate):
        with gate.shut():
            (move,) = await queued(journal.move(key(1), State.HELD, at=NOW))
            done, _ = await asyncio.wait([move], timeout=0.05)
        await move
        return done

    assert with_gate(disk, script)[0] == set()


async def test_commits_are_made_to_survive_a_power_cut_and_never_on_the_loop(disk):
    threads = []
    journal = open_hooked(
        disk.path, lambda _calls: threads.append(threading.current_thread())
    )
    await journal.bind(BINDING)
    settings = {
        name: journal._store._db.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("journal_mode", "synchronous", "fullfsync", "foreign_keys")
    }
    await journal.aclose()
    found = settings, [thread.name for thread in threads]
    # 3 is EXTRA (SQLite, PRAGMA synchronous).
    assert found == (
        {"journal_mode": "delete", "synchronous": 3, "fullfsync": 1, "foreign_keys": 1},
        ["kawe-journal"],
    )


def test_looking_up_alone_commits_nothing(disk):
    async def script(journal, _gate):
        await journal.batches()

    assert with_gate(disk, script)[1].calls == []


def test_a_refused_call_does_not_spoil_its_neighbours(disk):
    _ready(disk, 3)

    async def script(journal, gate):
        return await in_one_commit(
            journal,
            gate,
            journal.note([intent(1, Step.CREATE)]),
            journal.move(key(2), State.SENT, at=NOW),
            journal._change(lambda: 1 // 0),
            journal._change(
                lambda: journal._store.run("put_file", [file_to_record(stored(9))])
            ),
            journal.note([intent(3, Step.CREATE)]),
        )

    answers, gate = with_gate(disk, script)
    states = [row.state for row in disk.ask("entries", BATCH)]
    assert (gate.calls, [type(each) for each in answers], states) == (
        [1, 5],
        [type(None), JournalError, ZeroDivisionError, JournalError, type(None)],
        [State.CREATE_INTENT, State.FILES_READY, State.CREATE_INTENT],
    )


@pytest.mark.parametrize(
    "statement", ["UPDATE event SET detail = 'x'", "DELETE FROM event"]
)
def test_what_happened_can_be_neither_changed_nor_removed(disk, statement):
    _ready(disk, 1)
    with pytest.raises(JournalError) as caught:
        disk(lambda it: it._change(lambda: it._store._write(statement, [()])))
    assert str(caught.value) == "The journal refused what does not fit the rest of it."


def test_a_verdict_is_written_down_though_nobody_waits_for_it_any_more(disk):
    disk.begin(entry(1))

    async def script(journal, gate):
        with gate.shut():
            (first, second) = await queued(
                journal.bind(BINDING), journal.move(key(1), State.HELD, at=NOW)
            )
            second.cancel()
            await asyncio.wait([second])
        await first

    with_gate(disk, script)
    assert disk.row(1).state is State.HELD


def test_the_journal_goes_on_when_a_loop_has_gone_away(disk):
    disk.begin(entry(1))
    gate = Gate()
    journal = open_hooked(disk.path, gate)

    async def leave():
        await queued(journal.move(key(1), State.HELD, at=NOW))

    with gate.shut():
        asyncio.run(leave())
    row = asyncio.run(journal.find([key(1)]))[key(1)]
    asyncio.run(journal.aclose())
    assert row.state is State.HELD


def test_any_running_loop_may_ask(disk):
    _ready(disk, 2)
    journal = StoreJournal.open(disk.path)
    states = {}

    def elsewhere(number):
        async def move():
            row = await journal.move(key(number), State.HELD, at=NOW)
            states[number] = row.state

        asyncio.run(move())

    threads = [threading.Thread(target=elsewhere, args=(n,)) for n in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    asyncio.run(journal.aclose())
    assert states == {1: State.HELD, 2: State.HELD}


def test_after_a_failed_commit_nothing_more_is_written(disk):
    _ready(disk, 2)
    with closing(sqlite3.connect(disk.path)) as reader:
        # Whoever reads for longer than the journal waits makes its commit fail.
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM entry").fetchone()

        async def script(journal, _gate):
            failed = await asyncio.gather(
                journal.note([intent(1, Step.CREATE)]),
                journal.note([intent(2, Step.CREATE)]),
                return_exceptions=True,
            )
            reader.rollback()
            late = await asyncio.gather(
                journal.note([intent(1, Step.CREATE)]),
                journal.batches(),
                return_exceptions=True,
            )
            return [*failed, *late]

        limits = OpeningLimits(busy_seconds=0.01)
        first, second, third, batches = with_gate(disk, script, limits=limits)[0]
    assert [type(each) for each in (first, second, third)] == [JournalError] * 3
    assert first is not second
    assert "could not be written: another program keeps it locked" in str(first)
    assert "takes nothing more down, because a write has failed" in str(third)
    assert batches == (batch(),)
    assert {row.state for row in disk.ask("entries", BATCH)} == {State.FILES_READY}


def test_a_journal_that_is_removed_while_it_is_written_is_named_as_removed(disk):
    async def script(journal, _gate):
        disk.path.unlink()
        with pytest.raises(JournalError, match="it was removed or moved meanwhile"):
            await journal.note([intent(1, Step.CREATE)])

    _ready(disk, 1)
    with_gate(disk, script)


def test_nobody_waits_for_ever_when_a_commit_fails_for_a_reason_of_our_own(disk):
    def fail(_calls):
        raise ZeroDivisionError

    async def script():
        journal = open_hooked(disk.path, fail)
        for words in ("could not be written", "takes nothing more down"):
            with pytest.raises(JournalError, match=words):
                await journal.bind(BINDING)
        await journal.aclose()

    asyncio.run(script())
    assert disk.ask("binding") is None


def test_a_full_disk_fails_the_whole_commit_and_is_named(disk):
    _ready(disk, 1)
    long = entry(2, content=content(2, description="x" * 1_000_000))

    async def script(journal, gate):
        # As if the disk had no room for another page.
        journal._store._db.execute("PRAGMA max_page_count = 1")
        return await in_one_commit(
            journal,
            gate,
            journal.note([intent(1, Step.CREATE)]),
            journal.open_batch(batch(), lines=(), entries=[long]),
            journal.batches(),
        )

    answers, _ = with_gate(disk, script)
    words = (
        f"the disk is full. Make room on the disk, then {Next.AGAIN}: "
        "nothing is sent twice."
    )
    assert [str(each).partition(": ")[2] for each in answers] == [words] * 3
    assert disk.ask("entries", BATCH) == (entry(1, state=State.FILES_READY),)
