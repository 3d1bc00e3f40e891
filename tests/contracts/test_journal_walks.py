"""Random lives of rows: both journals agree, and neither leaves the table."""

import asyncio
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from doubles.journal_values import (
    BATCH,
    batch,
    content,
    created,
    entry,
    intent,
    key,
    later,
    line,
    project_id,
    stored,
)
from doubles.memory_journal import MemoryJournal
from kawe.domain.service.states import (
    INTENT_STATE,
    TRANSITIONS,
    Done,
    NotDone,
    Reason,
    State,
    Step,
    Unknown,
)
from kawe.errors import JournalError
from kawe.journal.history import verify_journal
from kawe.journal.journal import StoreJournal

ROWS = (1, 2)

STEP_OF = {state: step for step, state in INTENT_STATE.items()}

rows = st.sampled_from(ROWS)
steps = st.sampled_from(sorted(INTENT_STATE))
attempts = st.integers(min_value=1, max_value=3)
projects = st.none() | st.integers(min_value=1, max_value=2).map(project_id)
verdicts = (
    st.integers(min_value=1, max_value=2).map(created)
    | st.just(Done(http_status=200))
    | st.sampled_from(sorted(Reason)).map(lambda reason: NotDone(reason=reason))
    | st.just(Unknown(detail="No answer.", http_status=504))
)


def _open(read):
    async def act(journal, at):
        entries = [
            entry(n, state=state, moved_at=at, content=content(n, description=said))
            for n, (state, said) in read.items()
        ]
        lines = [line(n) for n in read]
        await journal.open_batch(batch(read_at=at), lines=lines, entries=entries)

    return act


def _note(number, step, attempt):
    async def act(journal, _at):
        await journal.note([intent(number, step, attempt=attempt)])

    return act


def _conclude(taken, verdict):
    async def act(journal, at):
        return await journal.conclude(taken, verdict, at=at)

    return act


def _taken(number, step, attempt):
    return intent(number, step, attempt=attempt)


def _move(number, state, project):
    async def act(journal, at):
        return await journal.move(key(number), state, at=at, project=project)

    return act


def _move_all(numbers, state):
    async def act(journal, at):
        made = await journal.attempts_made(map(key, numbers), step=Step.CREATE)
        moved = await journal.move_all([key(n) for n in numbers], state, at=at)
        return made, moved

    return act


def _together(acts):
    """Ask for several things at once: on disk they may become one commit."""

    async def act(journal, at):
        answers = await asyncio.gather(
            *(each(journal, at) for each in acts), return_exceptions=True
        )
        return [str(a) if isinstance(a, JournalError) else a for a in answers]

    return act


def _stride(number, choice, verdict):
    """Take one of the ways that are open to a row, whatever it needs."""

    async def act(journal, at):
        (row,) = (await journal.find([key(number)])).values()
        made = await journal.attempts(row.key)
        if row.state in STEP_OF and choice % 2:
            return await journal.conclude(made[-1].intent, verdict, at=at)
        ways = sorted(TRANSITIONS[row.state])
        if not ways:
            return await journal.keep_receipt(row.key, number="RC-1", at=at)
        state = ways[choice % len(ways)]
        if state in STEP_OF:
            step = STEP_OF[state]
            count = sum(each.intent.step is step for each in made)
            taken = intent(number, step, attempt=count + 1, begun_at=at)
            return await journal.note([taken])
        return await journal.move(row.key, state, at=at, project=project_id(number))

    return act


def _file(number, document):
    async def act(journal, _at):
        await journal.keep_file(stored(number, document_id=f"doc-{document}"))

    return act


def _receipt(number):
    async def act(journal, at):
        return await journal.keep_receipt(key(number), number="RC-1", at=at)

    return act


strides = st.builds(_stride, rows, st.integers(0, 11), verdicts)
single = st.one_of(
    st.builds(_note, rows, steps, attempts),
    st.builds(_conclude, st.builds(_taken, rows, steps, attempts), verdicts),
    st.builds(_move, rows, st.sampled_from(sorted(State)), projects),
)
anything = st.one_of(
    st.builds(
        _open,
        st.dictionaries(
            rows, st.tuples(st.sampled_from(sorted(State)), st.sampled_from("ab"))
        ),
    ),
    st.builds(_note, rows, steps, attempts),
    st.builds(_conclude, st.builds(_taken, rows, steps, attempts), verdicts),
    st.builds(_move, rows, st.sampled_from(sorted(State)), projects),
    st.builds(_move_all, st.lists(rows, max_size=2), st.sampled_from(sorted(State))),
    st.lists(single, min_size=2, max_size=4).map(_together),
    st.builds(_file, rows, rows),
    st.builds(_receipt, rows),
)
walks = st.lists(st.tuples(strides, strides, anything), min_size=4, max_size=14).map(
    lambda parts: [act for part in parts for act in part]
)
"""Two strides that may be made, then anything at all, and again."""


async def _ends(journal, walk):
    """Walk, and tell after every act how it ended and where the rows stand."""
    await journal.open_batch(batch(), lines=(), entries=[entry(n) for n in ROWS])
    told = [await _standing(journal)]
    for minute, act in enumerate(walk):
        try:
            answer = await act(journal, later(minute))
        except JournalError as refusal:
            answer = str(refusal)
        told.append((answer, await _standing(journal)))
    await journal.aclose()
    return told


async def _standing(journal):
    return (
        await journal.entries(BATCH),
        await journal.lines(BATCH),
        [await journal.attempts(key(n)) for n in ROWS],
        [await journal.files(key(n)) for n in ROWS],
        [await journal.owner_of(project_id(n)) for n in ROWS],
    )


@settings(max_examples=30, deadline=None)
@given(walks)
def test_both_journals_end_every_act_alike_and_the_history_stays_whole(walk):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.db"
        on_disk = asyncio.run(_ends(StoreJournal.open(path), walk))
        assert on_disk == asyncio.run(_ends(MemoryJournal(), walk))
        assert verify_journal(path).fault is None


@settings(max_examples=100, deadline=None)
@given(walks)
def test_no_project_is_ever_two_rows_and_none_gets_lost(walk):
    *_, last = asyncio.run(_ends(MemoryJournal(), walk))
    (entries, _, _, _, owners) = last[1]
    bound = {row.project_id: row.key for row in entries if row.project_id is not None}
    assert len(bound) == sum(row.project_id is not None for row in entries)
    assert owners == [bound.get(project_id(n)) for n in ROWS]


@settings(max_examples=100, deadline=None)
@given(walks)
def test_an_open_intent_is_the_last_attempt_and_there_is_at_most_one(walk):
    *_, last = asyncio.run(_ends(MemoryJournal(), walk))
    (entries, _, attempts_of_rows, _, _) = last[1]
    for row, made in zip(entries, attempts_of_rows, strict=True):
        numbers = [(each.intent.step, each.intent.attempt) for each in made]
        assert len(set(numbers)) == len(numbers)
        if row.state in STEP_OF:
            assert made[-1].intent.step is STEP_OF[row.state]
            assert made[-1].verdict is None
