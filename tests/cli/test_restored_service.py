"""A service that came back from a backup: every command that looks says so."""

import time
from datetime import UTC, datetime

import pytest

from doubles.command import Person, csv_row, write_csv
from doubles.restored import restored
from kawe.domain.text.new_zealand import day_in_new_zealand
from kawe_twin.serving import TwinOptions, start_twin

YES = ("--yes", "20", "--no-input", "--settle", "0.1")


@pytest.fixture
def before(tmp_path):
    """Give a person who sent six projects, and the options of their twin."""
    options = TwinOptions(folder=tmp_path / "twin", tokens=20, rate_limit=100_000)
    folder = tmp_path / "person"
    folder.mkdir()
    person = Person(folder=folder, twin=start_twin(options))
    write_csv(folder / "monthly.csv", [csv_row(n) for n in range(6)])
    assert person.run("submit", "monthly.csv", *YES).returncode == 0
    yield person, options
    person.twin.stop()


@pytest.fixture
def person(before):
    """Give the person after the service has lost three of them."""
    someone, options = before
    restored(someone, options, drafts=("R-0", "R-1"), gone=("R-2",))
    someone.write_settings("settle = 0.1\n")
    return someone


def said_in(done):
    """Give the line about lost sends, without its breaks."""
    words = " ".join(done.stdout.split())
    return [
        words[at : words.index(".", words.index("backup", at)) + 1]
        for at in [words.find("The service does not show 3")]
        if at >= 0
    ]


def named(line):
    return {word.strip(".,") for word in line.split() if word.startswith("R-")}


LOST = {"R-0", "R-1", "R-2"}


def test_submit_and_then_status_say_which_sends_are_lost_and_send_none_again(person):
    sends = person.sends()
    done = person.run("submit", "monthly.csv", *YES)
    for each in (done, person.run("status"), person.run("submit", "monthly.csv", *YES)):
        (line,) = said_in(each)
        assert (each.returncode, named(line), "kawe audit" in each.stdout) == (
            4,
            LOST,
            True,
        )
    assert (person.sends(), person.run("status", "monthly").returncode) == (sends, 4)


def test_a_submit_of_another_workbook_says_it_too(person):
    write_csv(
        person.folder / "other.csv", [csv_row(8, Latitude="-37.7", Name="A new bridge")]
    )
    done = person.run("submit", "other.csv", *YES)
    (line,) = said_in(done)
    assert (done.returncode, named(line)) == (4, LOST)


def test_export_says_how_many_sent_rows_have_no_receipt_and_why(person):
    done = person.run("export", "receipts", "-o", "papers")
    words = " ".join(done.stdout.split())
    assert (done.returncode, [named(line) for line in said_in(done)]) == (4, [LOST])
    assert "3 receipts of" in words
    assert "3 sent rows have no receipt: 3 not sent any more;" in words
    assert person.run("status").returncode == 4


def test_the_first_round_of_a_watch_notices_it(person):
    done = person.run("watch", "--once")
    (line,) = said_in(done)
    assert (done.returncode, named(line)) == (4, LOST)


def test_an_audit_still_has_what_a_submit_has_said(person):
    day = day_in_new_zealand(datetime.now(UTC)).isoformat()
    person.run("submit", "monthly.csv", *YES)
    audit = person.run("audit", "--since", "2020-01-01", "--until", day)
    assert audit.returncode == 4
    assert "6 sent, as the journal has it" in " ".join(audit.stdout.split())


def test_a_service_that_lost_nothing_is_not_spoken_of(before):
    person, options = before
    restored(person, options)
    for words in (
        ("submit", "monthly.csv", *YES),
        ("status",),
        ("export", "receipts", "-o", "papers"),
        ("watch", "--once"),
    ):
        assert "any more" not in person.stdout_of(*words)


def test_a_draft_that_is_gone_is_made_again_by_one_word(before):
    person, options = before
    rows = [csv_row(n, Latitude="-37.7", Name=f"Bridge {n}") for n in (7, 8)]
    write_csv(person.folder / "new.csv", rows)
    person.run("submit", "new.csv", "--drafts-only", "--no-input")
    (old,) = (e["id"] for e in person.state()["projects"] if e["reference"] == "R-7")
    restored(person, options, gone=("R-7",))
    first = person.run("submit", "new.csv", *YES)
    second = person.run("submit", "new.csv", *YES)
    held = person.run("waiting").stdout
    early = person.run("resolve", "R-7", "--retry")
    person.write_settings("settle = 0.1\n")
    time.sleep(0.2)
    retried = person.run("resolve", "R-7", "--retry")
    third = person.run("submit", "new.csv", *YES)
    assert [first.returncode, second.returncode] == [7, 4]
    assert "Why it is held: The service does not show the draft any more." in held
    assert "the service did it, and does not show it any more" in held
    assert (early.returncode, "R-7 stays held" in early.stderr) == (2, True)
    assert (retried.returncode, old in retried.stdout) == (0, True)
    assert "the next submit makes another one" in " ".join(retried.stdout.split())
    new = [e for e in person.state()["projects"] if e["reference"] == "R-7"]
    sends = {each["id"]: each["sends"] for each in new}
    assert (third.returncode, sends.pop(old), list(sends.values())) == (0, 0, [1])
