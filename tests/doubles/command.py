"""The command line in front of a real twin."""

from __future__ import annotations

import csv
import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from doubles.at_the_twin import state_of
from doubles.typed_commands import AtTerminal, Started
from kawe_twin.serving import RunningTwin, TwinOptions, start_twin

HEADINGS = (
    "Reference",
    "Name",
    "Description",
    "Type",
    "Start date",
    "End date",
    "Respond by",
    "Latitude",
    "Longitude",
    "Send",
)


@dataclass(slots=True, kw_only=True)
class Person(AtTerminal):
    """Somebody at a terminal, in a folder of their own."""

    twin: RunningTwin
    key: str | None = None

    def write_settings(self, text: str) -> Path:
        """Write their own settings; no folder of work may say all that they may."""
        path = self.folder / "home" / "config" / "kawe" / "kawe.toml"
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.write_text(text, encoding="utf-8")
        return path

    def surroundings(self) -> dict[str, str]:
        """Give the environment: the twin's address, a key, nothing of ours."""
        home = str(self.folder / "home")
        return {
            "PATH": os.environ["PATH"],
            "HOME": home,
            "LOGNAME": "mere",
            "XDG_STATE_HOME": f"{home}/state",
            "XDG_CONFIG_HOME": f"{home}/config",
            "KAWE_BASE_URL": self.twin.address.api_url,
            "KAWE_API_KEY": self.key or self.twin.address.live_key,
            **self.environment,
        }

    def state(self) -> dict[str, Any]:
        """Ask the twin what really happened."""
        return state_of(self.twin.address)

    def sends(self) -> int:
        """Count the sends of all projects of the twin."""
        return sum(each["sends"] for each in self.state()["projects"])

    def sends_of_each(self) -> Counter[str]:
        """Count the sends of all projects by their references."""
        counted: Counter[str] = Counter()
        for each in self.state()["projects"]:
            counted[each["reference"]] += each["sends"]
        return counted

    def sent(self) -> set[str]:
        """Give the references of the projects that were sent."""
        return set(+self.sends_of_each())

    def invited(self) -> list[str]:
        """Give the addresses of everybody who was invited, sorted."""
        return sorted(each["email"] for each in self.state()["invitations"])

    def kill_when(self, process: Started, *, projects: int, sends: int) -> None:
        """Kill -9 as soon as the twin has seen so much."""
        deadline = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < deadline:
            seen = self.state()["projects"]
            total = sum(each["sends"] for each in seen)
            if len(seen) >= projects and total >= sends:
                break
            time.sleep(0.01)
        process.kill()
        process.wait()


@contextmanager
def at_a_twin(
    folder: Path, *, rows: Iterable[int] = (), **options: Any
) -> Iterator[Person]:
    """Sit somebody before a twin of their own, both below a folder.

    With `rows` there is a sheet monthly.csv of these.
    """
    home = folder / "person"
    home.mkdir(parents=True)
    given = {"folder": folder / "twin", "rate_limit": 1_000_000, **options}
    with start_twin(TwinOptions(**given)) as twin:
        person = Person(folder=home, twin=twin)
        if lines := [csv_row(number) for number in rows]:
            write_csv(home / "monthly.csv", lines)
        yield person


def write_csv(
    path: Path, rows: Sequence[Sequence[str]], *, headings: Sequence[str] = HEADINGS
) -> Path:
    """Write a projects sheet as CSV."""
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(headings)
        writer.writerows(rows)
    return path


def csv_row(number: int, **changes: str) -> list[str]:
    """Make one right row."""
    values = {
        "Reference": f"R-{number}",
        "Name": f"Ōtāhuhu culvert {number}",
        "Description": "A culvert is replaced.",
        "Type": "Earthworks",
        "Start date": "2030-03-01",
        "End date": "2030-09-30",
        "Respond by": "2030-04-01",
        "Latitude": "-36.8500",
        "Longitude": "174.7600",
        "Send": "yes",
        **changes,
    }
    return [values[heading] for heading in HEADINGS]
