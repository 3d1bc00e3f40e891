"""A command that kawe suggests can be pasted into a shell."""

import shlex

import pytest

from doubles.command import HEADINGS, csv_row, write_csv


@pytest.fixture
def person(person_with):
    person = person_with(tokens=9)
    write_csv(person.folder / "Consents Nov 2026.csv", [csv_row(n) for n in range(2)])
    return person


def _next(said):
    line = next(line for line in said.splitlines() if line.startswith("Next: "))
    return shlex.split(line.removeprefix("Next: "))[1:]


def test_the_command_after_a_check_finds_the_workbook_and_its_files(person):
    path = person.folder / "Consents Nov 2026.csv"
    (person.folder / "my files").mkdir()
    (person.folder / "my files" / "plan.pdf").write_bytes(b"%PDF-1.4\n")
    row = [*csv_row(1), "plan.pdf"]
    text = "\n".join(",".join(cells) for cells in ([*HEADINGS, "Files"], row))
    path.write_text(text, encoding="utf-8")
    words = _next(person.run("check", path.name, "--files", "my files").stdout)
    assert (words, person.run(*words, "--yes", "1").returncode, person.sends()) == (
        ["submit", "Consents Nov 2026.csv", "--files", "my files"],
        0,
        1,
    )


def test_the_command_after_a_plan_submits_the_same_rows(person):
    planned = person.run("plan", "Consents Nov 2026.csv", "--canary", "1")
    done = person.run(*_next(planned.stdout), "--yes", "1")
    assert (done.returncode, person.sends()) == (7, 1)


def test_a_kept_plan_is_named_as_a_shell_reads_it(person):
    place = ("--journal", "my journal")
    name = ("Consents Nov 2026.csv", "-o", "the plan.json")
    line = person.run("plan", *name, *place).stdout.splitlines()[-1]
    words = shlex.split(line.partition(": kawe ")[2])
    assert (words, person.run(*words, "--yes", "2").returncode, person.sends()) == (
        ["submit", "the plan.json", *place],
        0,
        2,
    )


def test_rows_that_wait_are_released_with_the_same_settings(person_with):
    person = person_with(tokens=0, rows=(1,))
    place = ("--journal", "my journal")
    done = person.run("submit", "monthly.csv", *place)
    person.twin.buy_tokens(1)
    words = shlex.split(done.stdout.partition("run: kawe ")[2].splitlines()[0])
    released = person.run(*words, "--yes", "1")
    assert (words, released.returncode, person.sends()) == (["release", *place], 0, 1)


def test_the_batch_that_was_listed_is_released_alone(person_with):
    person = person_with(tokens=0)
    for name in ("monthly", "another month"):
        write_csv(person.folder / f"{name}.csv", [csv_row(1, Reference=f"R {name}")])
        person.run("submit", f"{name}.csv", "--yes", "1")
    assert person.run("waiting", "monthly").stdout.splitlines()[-1] == (
        "there, run kawe release monthly; kawe release monthly --wait looks for them "
        "by itself."
    )
