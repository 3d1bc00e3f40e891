"""Who has only the log can follow every run of a month, and every row."""

import asyncio

import pytest

from doubles.log_month import live, log_of, read
from kawe.journal.journal import StoreJournal

KILLED = 7
SHOWN = {"create done": "DRAFTED → READY", "send done": "SENT → CONFIRMED"}


def _journal(person):
    (path,) = (person.folder / "home" / "state" / "kawe").rglob("*.journal")
    return StoreJournal.open(path, read_only=True)


async def _kept(person):
    """Give the runs and the acts that the journal has of each row."""
    journal = _journal(person)
    runs = await journal.runs()
    rows = [
        entry.key
        for batch in await journal.batches()
        for entry in await journal.entries(batch.name)
    ]
    acts = {key: await journal.attempts(key) for key in rows}
    uploads = {key: len(await journal.files(key)) for key in rows}
    await journal.aclose()
    return runs, acts, uploads


def _acts(attempts, uploads):
    """Say what the log should have of a row; an act that was killed has no end."""
    said = ["upload done"] * uploads
    for attempt in attempts:
        again = attempt.intent.attempt
        word = attempt.intent.step + (f" (attempt {again})" if again > 1 else "")
        if attempt.verdict is not None:
            said.append(f"{word} {attempt.verdict}")
    return said


def _one_lost(logged, kept):
    """Give the one act that the log lacks, of each row of which it lacks one."""
    lost = {key: list(acts) for key, acts in kept.items() if logged[key] != acts}
    for key, acts in lost.items():
        for act in logged[key]:
            acts.remove(act)
    return {key: act for key, (act,) in lost.items()}


@pytest.mark.short_campaign
def test_a_reader_of_the_log_alone_follows_every_run_and_every_row(person_with):
    person = person_with(tokens=30, faults=True)
    codes = live(person)
    told = list(read(log_of(person).read_text("utf-8")).values())
    runs, acts, uploads = asyncio.run(_kept(person))

    assert [run.end and run.end["exit_code"] for run in told] == [
        None if place == KILLED else code for place, code in enumerate(codes)
    ]
    assert codes == [0, 4, 0, 0, 4, 0, 0, -9, 0, 0, 2]
    assert [run.by.id for run in runs] == [
        run.id
        for run in told
        if run.command in {"submit", "release"} and run.end is not told[-1].end
    ]
    by_id = {run.by.id: run for run in runs}
    assert {
        run.id: run.end["batches"] for run in told if run.id in by_id and run.end
    } == {
        run.by.id: {run.batch: {each.value: n for each, n in run.end.counts.items()}}
        for run in runs
        if run.end
    }
    logged = {
        key: [act for run in told for act in run.acts.get(key, ()) if " → " not in act]
        for key in acts
    }
    kept = {key: _acts(acts[key], uploads[key]) for key in acts}
    # What the killed run had in the journal and not yet in the log, the next one shows.
    cut = {key for key in kept if logged[key] != kept[key]}
    found = {key: told[KILLED + 1].acts[key][0] for key in cut}
    assert found == {key: SHOWN[act] for key, act in _one_lost(logged, kept).items()}
