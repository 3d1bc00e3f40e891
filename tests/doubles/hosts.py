"""A bureau that works for several councils, each at a twin of its own."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from sqlite3 import Connection
from subprocess import CompletedProcess
from uuid import uuid4

from doubles.at_the_twin import owner_does
from doubles.command import Person, csv_row, write_csv
from doubles.postgres import Postgres
from doubles.typed_commands import Started, command_line, start_command
from kawe_twin.serving import RunningTwin, TwinOptions, start_twin

LONG_AGO = time.time() - 60
COUNCILS = ("hurunui", "waimate", "ōpōtiki")
Said = dict[tuple[str, str], tuple[int, dict[str, int]]]


class Bureau(Person):
    """Somebody who works for several councils."""

    @property
    def database(self) -> str:
        """Give the address of the database that their journals are in."""
        return self.environment["DATABASE"]

    def surroundings(self) -> dict[str, str]:
        """Name no account: each profile has its own."""
        found = super().surroundings()
        del found["KAWE_BASE_URL"], found["KAWE_API_KEY"]
        return found

    def inbox(self, council: str) -> Path:
        """Give the folder of work of a council."""
        return self.folder / "in" / council

    def drop(
        self,
        council: str,
        name: str = "monthly.csv",
        rows: int = 3,
        *,
        first: int = 0,
        **changes: str,
    ) -> Path:
        """Put a workbook into the folder of a council, as if long ago."""
        inbox = self.inbox(council)
        inbox.mkdir(parents=True, exist_ok=True)
        path = inbox / name
        write_csv(path, [csv_row(first + n, **changes) for n in range(rows)])
        return as_if_long_ago(path)

    def change_settings(self, old: str, new: str) -> None:
        """Write something else into their settings."""
        path = self.folder / "home" / "config" / "kawe" / "kawe.toml"
        path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")

    def names(self, council: str) -> list[str]:
        """List what lies in the folder of a council."""
        inbox = self.inbox(council)
        found = (each.relative_to(inbox).as_posix() for each in inbox.rglob("*"))
        return sorted(each for each in found if not each.startswith("."))

    def said(self, done: CompletedProcess[str]) -> Said:
        """Give what was said of each workbook: its code and counts."""
        return {
            (each["profile"], each["workbook"]): (each["exit_code"], each["counts"])
            for each in json.loads(done.stdout)["workbooks"]
        }

    def work(self) -> tuple[int, Said]:
        """Do one round."""
        done = self.run("work", "--once", "--json")
        return done.returncode, self.said(done)

    def host(self, name: str, *, within: Sequence[str] = (), every: int = 5) -> Started:
        """Start a host that works until it is stopped; its words follow `within`."""
        words = ("work", "--database", self.database, "--every", str(every))
        screen = self.folder / f"{name}.txt"
        if within:
            with screen.open("ab") as out:
                return subprocess.Popen(
                    [*within, *command_line(*words)],
                    cwd=self.folder,
                    env=self.surroundings(),
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=out,
                )
        return start_command(
            words,
            folder=self.folder,
            environment=self.surroundings(),
            screen=str(screen),
            errors=str(self.folder / f"{name}.errors.txt"),
        )


def as_if_long_ago(path: Path) -> Path:
    """Let a file have been written a while ago."""
    os.utime(path, (LONG_AGO, LONG_AGO))
    return path


@contextmanager
def started_twins(
    folder: Path, *, tokens: int = 99, faults: bool = False
) -> Iterator[dict[str, RunningTwin]]:
    """Start a twin for each council."""
    started = {
        council: start_twin(
            TwinOptions(
                folder=folder / f"twin-{n}",
                rate_limit=100_000,
                tokens=tokens,
                faults=faults,
            )
        )
        for n, council in enumerate(COUNCILS)
    }
    try:
        yield started
    finally:
        for running in started.values():
            running.stop()


def key_of_another_team(twin: RunningTwin, *, tokens: int) -> str:
    """Make another team at a twin, with so many tokens; give its key."""
    assembly, team = twin._assembly, str(uuid4())

    def make(db: Connection) -> None:
        about = "region, local_authority, organisation_type, national, created_on"
        db.execute(
            f"INSERT INTO account (id, balance, kind, name, {about}) "
            f"SELECT ?, ?, kind, name, {about} FROM account WHERE id = ?",
            (team, tokens, assembly.live_team_id),
        )
        db.execute(
            "INSERT INTO membership (account_id, person_id, role, created_on) SELECT "
            "?, person_id, role, created_on FROM membership WHERE account_id = ?",
            (team, assembly.live_team_id),
        )

    assembly.database.submit(make).result()
    return str(owner_does(twin.address, "keys", account_id=team)["key"])


def bureau_on(
    folder: Path,
    twins: Mapping[str, RunningTwin],
    *,
    database: Postgres | None = None,
    yes: int = 3,
) -> Bureau:
    """Give a bureau whose settings name each council; journals are in `database`.

    Councils of one twin are teams of their own there.
    """
    home = folder / "bureau"
    home.mkdir()
    someone = Bureau(folder=home, twin=next(iter(twins.values())))
    sections, seen = [], set()
    if database is not None:
        someone.environment["DATABASE"] = database.url
        sections.append(f'journal = "{database.url}"')
    for council, twin in twins.items():
        key = home / f"{council}.key"
        is_first = twin.address not in seen
        seen.add(twin.address)
        own = (
            twin.address.live_key
            if is_first
            else key_of_another_team(twin, tokens=yes * 2)
        )
        key.write_text(own, "utf-8")
        key.chmod(0o600)
        inbox = someone.inbox(council)
        sections.append(
            f'[profile."{council}"]\n'
            f'base_url = "{twin.address.api_url}"\n'
            f'key_file = "{key}"\n'
            "settle = 3\n"
            f'work = {{ folder = "{inbox}", yes = {yes} }}\n'
        )
    someone.write_settings("\n".join(sections))
    return someone


def sends(twin: RunningTwin) -> Counter[str]:
    """Count the sends at a twin by their references."""
    return Person(folder=Path(), twin=twin).sends_of_each()


def wait_for(happens: Callable[[], object], seconds: float = 300) -> None:
    """Wait until something happens; fail if it does not."""
    deadline = time.monotonic() + seconds
    while not happens() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert happens()
