"""`kawe journal`: a history that is whole or altered, and what can be taken out."""

import pytest

from doubles.command import csv_row, write_csv

SUBMIT = ("submit", "monthly.csv", "--yes", "9", "--no-input", "--journal")
VERIFY = ("journal", "verify", "--journal", "one.journal")


@pytest.fixture
def person(person_with):
    person = person_with(tokens=9, rows=range(3))
    person.run(*SUBMIT, "one.journal")
    return person


def test_a_journal_that_nobody_touched_is_whole(person):
    assert person.stdout_of(*VERIFY).startswith("The journal is whole")


def test_a_hash_that_was_kept_is_found_later_and_not_in_another_history(person):
    kept = person.document(*VERIFY)["head"]
    assert kept in person.run(*VERIFY).stdout
    write_csv(person.folder / "more.csv", [csv_row(n) for n in range(5, 7)])
    submit = ("submit", "more.csv", "--yes", "9", "--no-input", "--journal")
    person.run(*submit, "one.journal")
    person.run(*submit, "other.journal")
    later = person.run(*VERIFY, "--kept", kept)
    other = person.run(*VERIFY[:-1], "other.journal", "--kept", kept)
    assert (later.returncode, kept in later.stdout) == (0, False)
    assert other.returncode == 6
    assert "No event has the hash that was kept." in other.stdout


def _journal(person):
    return (person.folder / "one.journal").read_bytes()


def test_after_a_purge_no_text_is_left_and_a_resubmit_makes_no_unsafe_call(person):
    text = "Ōtāhuhu culvert".encode("ascii", "backslashreplace")
    before, state = _journal(person), person.state()
    done = person.run(
        *("journal", "purge", "--older-than", "0", "--journal", "one.journal")
    )
    after = _journal(person)
    again = person.run(*SUBMIT, "one.journal")
    assert (
        (done.returncode, again.returncode, person.run(*VERIFY).returncode),
        (text in before, text in after),
        person.state()["projects"],
    ) == ((0, 0, 0), (True, False), state["projects"])


def test_a_purge_says_what_it_took_out(person):
    purge = ("journal", "purge", "--older-than", "0", "--journal", "one.journal")
    first, second = person.run(*purge).stdout, person.document(*purge)
    assert (first, second) == (
        "The journal forgot what 3 rows said; that they are done stays known.\n",
        {
            "schema": "kawe.journal-purge/1",
            "exit_code": 0,
            "held": 0,
            "rows": 0,
            "without_receipt": 0,
        },
    )


def test_a_purged_batch_can_still_be_looked_at(person):
    person.run("journal", "purge", "--older-than", "0", "--journal", "one.journal")
    status = person.document("status", "monthly", "--journal", "one.journal")
    report = person.run(
        *("status", "monthly", "--result", "again.xlsx", "--journal", "one.journal")
    )
    (batch,) = status["batches"]
    assert (batch["counts"]["sent"], report.returncode, report.stderr) == (3, 0, "")
