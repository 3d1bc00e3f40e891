"""`kawe journal backup`, `restore` and `move`, as a person types them."""

import stat
import time

import pytest

from doubles.command import csv_row, write_csv
from doubles.journal_homes import tamper

CHECK = ("check", "monthly.csv", "--no-input")
ONE = ("--journal", "one.journal")
SUBMIT = ("submit", "monthly.csv", "--yes", "90", "--no-input")


@pytest.fixture
def person(person_with):
    return person_with(tokens=90, rows=range(3))


def _said(done):
    return (done.returncode, done.stdout, done.stderr)


def _verified(person, name):
    return person.document("journal", "verify", "--journal", name)


def test_a_backup_is_said_with_what_it_holds(person):
    person.run(*SUBMIT, *ONE)
    held = _verified(person, "one.journal")
    done = person.run("journal", "backup", "copy.db", *ONE)
    rights = stat.S_IMODE((person.folder / "copy.db").stat().st_mode)
    said = (
        f"The backup is whole: {held['events']} events of 3 rows. It lies at copy.db.\n"
    )
    assert (_said(done), rights, _verified(person, "copy.db")) == (
        (0, said, ""),
        0o600,
        held,
    )


def test_a_backup_during_a_submit_is_whole(person):
    write_csv(person.folder / "monthly.csv", [csv_row(n) for n in range(20)])
    running = person.start(*SUBMIT, *ONE)
    codes, names = [], []
    deadline = time.monotonic() + 60
    while running.poll() is None and time.monotonic() < deadline:
        if person.state()["projects"]:
            names.append(f"copy-{len(names)}.db")
            codes.append(person.run("journal", "backup", names[-1], *ONE).returncode)
    running.wait()
    found = [_verified(person, name) for name in (*names, "one.journal")]
    counts = [each["events"] for each in found]
    assert (
        running.returncode,
        set(codes),
        {each["fault"] for each in found},
        counts,
        person.sends(),
    ) == (0, {0}, {None}, sorted(counts), 20)


def test_after_a_lost_journal_a_restored_one_sends_nothing_again(person):
    person.run(*SUBMIT, *ONE)
    person.run("journal", "backup", "copy.db", *ONE)
    (person.folder / "one.journal").unlink()
    restored = person.document("journal", "restore", "copy.db", *ONE)
    again = person.run(*SUBMIT, *ONE)
    assert (restored["exit_code"], restored["kept"], again.returncode) == (0, None, 0)
    assert person.sends() == 3


def test_what_would_be_lost_is_said_and_nothing_is_changed(person):
    person.run(*SUBMIT, "--canary", "1", *ONE)
    person.run("journal", "backup", "copy.db", *ONE)
    person.run(*SUBMIT, *ONE)
    before = (person.folder / "one.journal").read_bytes()
    done = person.run("journal", "restore", "copy.db", *ONE)
    assert (done.returncode, done.stdout) == (6, "")
    assert "of 2 rows, which would be lost; rows that were sent in them: 2;" in (
        " ".join(done.stderr.split())
    )
    assert "--aside" in done.stderr
    assert (person.folder / "one.journal").read_bytes() == before


def test_a_journal_that_was_put_aside_stays_and_its_rows_are_not_sent_again(person):
    person.run(*SUBMIT, "--canary", "1", *ONE)
    person.run("journal", "backup", "copy.db", *ONE)
    person.run(*SUBMIT, *ONE)
    known = _verified(person, "one.journal")
    restored = person.document("journal", "restore", "copy.db", "--aside", *ONE)
    kept = _verified(person, restored["kept"])
    person.run(*SUBMIT, *ONE)
    assert (kept, person.sends()) == (known, 3)


def test_an_altered_backup_is_refused(person):
    person.run(*SUBMIT, *ONE)
    person.run("journal", "backup", "copy.db", *ONE)
    change = "UPDATE event SET detail = 'never happened' WHERE seq = 4"
    tamper(person.folder / "copy.db", change)
    before = (person.folder / "one.journal").read_bytes()
    assert _said(person.run("journal", "restore", "copy.db", "--aside", *ONE)) == (
        6,
        "",
        (
            "kawe: The journal copy.db is not as kawe left it. Event 4 is not what was "
            "written. Nothing was changed. Keep a copy of it, and find out why first.\n"
        ),
    )
    assert (person.folder / "one.journal").read_bytes() == before


def test_without_a_key_no_journal_is_restored(person):
    person.run(*SUBMIT, *ONE)
    person.run("journal", "backup", "copy.db", *ONE)
    person.environment["KAWE_API_KEY"] = ""
    done = person.run("journal", "restore", "copy.db")
    assert (done.returncode, done.stdout, "Traceback" in done.stderr) == (2, "", False)


def test_a_move_that_was_done_already_says_where_the_journal_lies(person):
    person.environment["KAWE_JOURNAL"] = str(person.folder / "my.journal")
    person.run(*SUBMIT)
    done, again = (person.run("journal", "move", "elsewhere") for _ in range(2))
    moved = person.folder / "elsewhere" / "my.journal"
    said = f"There is one at {moved}: it was moved already, it seems."
    assert (done.returncode, again.returncode) == (0, 6)
    assert said in " ".join(again.stderr.split())


def test_a_moved_journal_is_used_once_its_place_is_set(person):
    person.run(*SUBMIT)
    done = person.run("journal", "move", "elsewhere")
    (moved,) = (person.folder / "elsewhere").glob("*.journal")
    lost = person.run("status")
    person.environment["KAWE_JOURNAL"] = str(moved)
    again = person.run(*SUBMIT)
    assert (done.returncode, lost.returncode, again.returncode) == (0, 6, 0)
    assert f'  journal = "{moved}"' in done.stdout.splitlines()
    assert "name its new place with --journal" in " ".join(lost.stderr.split())
    assert person.sends() == 3


def test_what_is_no_backup_is_named_as_such(person):
    for odd in ("nowhere", "."):
        done = person.run("journal", "restore", odd, *ONE)
        assert (done.returncode, f"{odd} is no file." in done.stderr) == (6, True)


def test_a_file_that_a_full_disk_left_empty_is_no_journal_yet(person):
    (person.folder / "one.journal").touch()
    checked, shown = (person.run(*words, *ONE) for words in (CHECK, ("status",)))
    assert (checked.returncode, "There is no journal" in shown.stderr) == (0, True)
