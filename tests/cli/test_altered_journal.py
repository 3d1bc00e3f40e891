"""A journal that was prepared to say "sent" is refused by every command."""

import sqlite3
from contextlib import closing

from doubles.command import csv_row, write_csv

YES = ("--yes", "9", "--no-input")
JOURNAL = ("--journal", "seed.journal")
COMMANDS = [
    ("submit", "monthly.csv", *YES),
    ("plan", "monthly.csv"),
    ("status",),
    ("status", "--write"),
    ("release", *YES),
    ("resolve", "F-1", "--abandon"),
    ("waiting",),
    ("export", "receipts", "-o", "receipts"),
]


def test_a_draft_is_never_said_to_be_sent(person):
    write_csv(person.folder / "monthly.csv", [csv_row(1)])
    person.run("submit", "monthly.csv", "--drafts-only", *JOURNAL)
    with closing(
        sqlite3.connect(person.folder / "seed.journal", isolation_level=None)
    ) as db:
        db.execute("UPDATE entry SET state = 'CONFIRMED'")

    ended = {words[0]: person.run(*words, *JOURNAL) for words in COMMANDS}
    verified = person.run("journal", "verify", *JOURNAL)

    assert {
        name: (done.returncode, "is not what its events say" in done.stderr)
        for name, done in ended.items()
    } == dict.fromkeys(ended, (6, True))
    assert (
        "sent to iwi" in "".join(done.stdout for done in ended.values()),
        person.sends(),
        verified.returncode,
        "is not what its events say" in verified.stdout + verified.stderr,
    ) == (False, 0, 6, True)
