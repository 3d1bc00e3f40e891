"""How many rows a second several workers carry, on one account and on forty.

    PYTHONPATH=tests python bench/_hosts.py

measures 1 to 8 workers, with 10 rows an account. WORKERS ROWS after it say how many;
--tiny is for one worker, and two accounts of 3 rows.

Every account is a profile with a journal of its own, in one database of a PostgreSQL
server of the bench's own; all use one twin. A worker is a process
of `kawe work --database`. The clock runs from the first draft to the last send, so
that the start of Python is left out.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

from doubles.command import Person, csv_row, write_csv
from doubles.hosts import LONG_AGO, key_of_another_team
from doubles.postgres import Postgres, running_postgres
from doubles.typed_commands import start_command
from kawe_twin.serving import TwinOptions, start_twin

ACCOUNTS = (1, 40)
DEADLINE = 600.0


def main(words: list[str]) -> None:
    """Print the rows a second for each number of workers and accounts."""
    workers, rows, accounts = 8, 10, ACCOUNTS
    if words[:1] == ["--tiny"]:
        workers, rows, accounts = 1, 3, (2,)
    elif words:
        workers, rows = (int(each) for each in words)
    print(f"{'accounts':>8} {'workers':>8} {'rows':>7} {'rows a second':>14}")
    with running_postgres() as server:
        for some in accounts:
            number = 1
            while number <= workers:
                total = rows if some > 1 else rows * 10 if workers > 1 else rows
                speed = measured(
                    server.fresh(), accounts=some, workers=number, rows=total
                )
                print(f"{some:>8} {number:>8} {some * total:>7} {speed:>14.1f}")
                number *= 2


def measured(database: Postgres, *, accounts: int, workers: int, rows: int) -> float:
    """Give the rows a second that workers carry."""
    with tempfile.TemporaryDirectory(prefix="kawe-hosts-") as name:
        folder = Path(name).resolve()
        options = TwinOptions(
            folder=folder / "twin", rate_limit=10**7, tokens=accounts * rows
        )
        with start_twin(options) as twin:
            person = Person(folder=folder / "bureau", twin=twin)
            person.folder.mkdir()
            _lay(person, database, accounts=accounts, rows=rows)
            environment = person.surroundings()
            del environment["KAWE_BASE_URL"], environment["KAWE_API_KEY"]
            command = ("work", "--database", database.url, "--every", "5")
            started = [
                start_command(
                    command,
                    folder=person.folder,
                    environment=environment,
                    screen=os.devnull,
                    errors=str(folder / f"{n}.txt"),
                )
                for n in range(workers)
            ]
            try:
                return _speed(person, accounts * rows)
            finally:
                for each in started:
                    each.kill()
                    each.wait()


def _lay(person: Person, database: Postgres, *, accounts: int, rows: int) -> None:
    said = [f'journal = "{database.url}"\n']
    for n in range(accounts):
        inbox = person.folder / f"in-{n}"
        inbox.mkdir()
        key = person.folder / f"key-{n}"
        key.write_text(key_of_another_team(person.twin, tokens=rows))
        key.chmod(0o600)
        each = [
            csv_row(row, Reference=f"A{n}-{row}", Name=f"Culvert {n} of {row}")
            for row in range(rows)
        ]
        path = write_csv(inbox / "monthly.csv", each)
        os.utime(path, (LONG_AGO, LONG_AGO))
        said.append(
            f'[profile.a{n}]\nbase_url = "{person.twin.address.api_url}"\n'
            f'key_file = "{key}"\nsettle = 1\n'
            f'work = {{ folder = "{inbox}", yes = {rows} }}\n'
        )
    person.write_settings("\n".join(said))


def _speed(person: Person, rows: int) -> float:
    began, first, sent = time.monotonic(), 0.0, 0
    while sent < rows and time.monotonic() - began < DEADLINE:
        time.sleep(0.1)
        projects = person.state()["projects"]
        sent = sum(each["sends"] for each in projects)
        if projects and not first:
            first = time.monotonic()
    return sent / max(time.monotonic() - first, 0.1)


if __name__ == "__main__":
    main(sys.argv[1:])
