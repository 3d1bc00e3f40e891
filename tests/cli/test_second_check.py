"""What the service said within a day is not asked again by the next check."""

import pytest

from doubles.command import csv_row, write_csv

ROWS = 20


def _row(n, **changes):
    return csv_row(n, Latitude=f"{-36.8 - n / 10_000:.4f}1", **changes)


@pytest.fixture
def person(person_with):
    person = person_with(tokens=9)
    write_csv(person.folder / "m.csv", [_row(n) for n in range(ROWS)])
    return person


def _asked(person):
    return {
        name: sum(counts.values())
        for name, counts in person.state()["requests"].items()
    }


def _requests(person, *words):
    """Run a command; give its text and how often it asked what."""
    before = _asked(person)
    done = person.run(*words)
    assert done.returncode == 0, done.stdout
    after = _asked(person)
    asked = {name: many - before.get(name, 0) for name, many in after.items()}
    return done.stdout, {name: many for name, many in asked.items() if many}


def test_a_second_check_of_500_rows_makes_fewer_than_ten_requests(person):
    write_csv(person.folder / "m.csv", [_row(n) for n in range(500)])
    said, first = _requests(person, "check", "m.csv")
    again, second = _requests(person, "check", "m.csv")
    words = "500 places known from an earlier check"
    assert (
        first["iwi_count"],
        words in said,
        "iwi_count" in second,
        sum(second.values()) < 10,
        words in again,
        person.document("check", "m.csv")["places_known"],
    ) == (500, False, False, True, True, 500)


def test_fresh_asks_all_again(person):
    person.run("check", "m.csv")
    said, asked = _requests(person, "check", "m.csv", "--fresh")
    assert (asked["iwi_count"], "known from" in said) == (ROWS, False)


def test_a_new_place_alone_is_asked_about(person):
    person.run("check", "m.csv")
    write_csv(person.folder / "m.csv", [_row(n) for n in range(ROWS + 2)])
    _, asked = _requests(person, "check", "m.csv")
    assert asked["iwi_count"] == 2


def test_a_submit_asks_afresh_whatever_a_check_was_told(person):
    write_csv(person.folder / "m.csv", [_row(n) for n in range(3)])
    person.run("check", "m.csv")
    _, asked = _requests(person, "submit", "m.csv", "--yes", "3", "--no-input", "-q")
    assert asked["iwi_count"] == 3


def test_another_key_of_another_team_is_told_nothing(person):
    write_csv(person.folder / "m.csv", [_row(n) for n in range(3)])
    person.run("check", "m.csv", "--journal", "one.journal")
    person.key = person.twin.address.sandbox_key
    _, asked = _requests(person, "check", "m.csv", "--journal", "one.journal")
    assert asked["iwi_count"] == 3


def test_a_spoilt_file_is_asked_again_and_no_error(person):
    write_csv(person.folder / "m.csv", [_row(n) for n in range(3)])
    person.run("check", "m.csv")
    (kept,) = person.folder.rglob("*.answers")
    kept.write_bytes(b"\x00{")
    _, asked = _requests(person, "check", "m.csv")
    assert asked["iwi_count"] == 3


def test_a_purge_forgets_what_checks_were_told(person):
    write_csv(person.folder / "m.csv", [_row(n) for n in range(3)])
    person.run("check", "m.csv")
    person.run("submit", "m.csv", "--drafts-only", "--no-input", "-q")
    person.run("journal", "purge", "--older-than", "1")
    assert list(person.folder.rglob("*.answers")) == []
