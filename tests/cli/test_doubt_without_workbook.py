"""A row in doubt whose workbook is gone or overwritten: it is told how to go on."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from doubles.command import csv_row, write_csv
from kawe.domain.service.states import Intent, State, Step, Unknown
from kawe.journal.journal import StoreJournal

YES = ("--yes", "9", "--no-input", "--settle", "1")
AT = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


async def _doubt(path, *, states, step, at=AT, but=frozenset()):
    """Let each row be asked for in vain, as a lost answer leaves it."""
    journal = StoreJournal.open(path)
    (batch,) = await journal.batches()
    for row in await journal.entries(batch.name):
        if row.marker in but:
            continue
        for state in states:
            await journal.move(row.key, state, at=at)
        intent = Intent(
            row=row.key,
            step=step,
            attempt=1,
            body_sha256="0" * 64,
            begun_at=at,
            known_projects=(),
        )
        await journal.note([intent])
        await journal.conclude(intent, Unknown(detail="the line went dead"), at=at)
    await journal.aclose()


def _gone(path):
    path.unlink()


def _overwritten(path):
    write_csv(path, [csv_row(77)])


@pytest.mark.parametrize("lose", [_gone, _overwritten])
def test_a_send_in_doubt_is_settled_by_a_release_without_the_workbook(person, lose):
    path = write_csv(person.folder / "monthly.csv", [csv_row(1), csv_row(2)])
    person.run("submit", path.name, "--drafts-only", "--no-input")
    kept = next(person.folder.rglob("home/**/*.journal"))
    asyncio.run(_doubt(kept, states=[State.READY], step=Step.SEND))
    lose(path)
    told = person.run("status", "monthly").stdout
    done = person.run("release", "monthly", *YES)
    assert "kawe release monthly does the same without its workbook." in told
    assert done.stdout.splitlines()[0] == (
        "Batch monthly: 2 rows are in doubt, and kawe asks the service about that "
        "first."
    )
    assert (done.returncode, person.sends()) == (0, 2)


def test_no_doubt_is_left_to_another_run_by_who_changes_the_queue(person_with):
    person = person_with(tokens=1)
    write_csv(person.folder / "monthly.csv", map(csv_row, range(1, 4)))
    person.run("submit", "monthly.csv", *YES)
    kept = next(person.folder.rglob("home/**/*.journal"))
    # The clock of the computer that left it is an hour fast.
    later = datetime.now(UTC) + timedelta(hours=1)
    left = {"states": [State.READY], "step": Step.SEND, "but": {"R-1", "R-3"}}
    asyncio.run(_doubt(kept, at=later, **left))
    told = person.document("waiting", "--first", "R-3")
    assert told["in_doubt"] == ["R-2"]


def test_an_invitation_in_doubt_goes_on_with_the_result_of_a_report(person):
    path = person.folder / "people.csv"
    path.write_text("Name,Email,Role\nA B,a@example.nz,Member\n", encoding="utf-8")
    # Nobody agreed, so the row is known and nothing was asked of the service.
    person.run("submit", path.name, "--max-errors", "0", *YES, "--canary", "1")
    assert next(person.folder.rglob("home/**/*.journal")).is_file()
    path.unlink()
    done = person.run("status", "--write", "people")
    again = person.run("submit", "people.result.xlsx", *YES)
    assert (done.returncode, again.returncode) == (0, 0)
    assert "1 done already" in again.stdout
