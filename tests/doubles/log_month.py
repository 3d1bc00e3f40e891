"""A month of one office, and a reader who has nothing of it but the log."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from doubles.command import HEADINGS, Person, csv_row
from doubles.switchboard import Switchboard

_YES = ("--yes", "99", "--no-input", "--settle", "1")
_ROWS = range(1, 7)


def live(person: Person) -> list[int]:
    """Live a month with a twin that has faults; give the exit code of each command.

    A check, a submit that a 402 ends, a release, a row that is held, a submit that is
    killed and one that goes on, the receipts, a command that is mistyped.
    """
    board = Switchboard(person.twin.address)
    (person.folder / "plan.pdf").write_bytes(b"%PDF-1.4\n%%EOF\n")
    _write(person, "monthly.csv", _ROWS)
    ended = [_code(person, "check", "monthly.csv")]
    board.set("no_tokens", "project_send", nth=4)
    ended.append(_code(person, "submit", "monthly.csv", *_YES))
    board.clear()
    person.twin.buy_tokens(50)
    ended.append(_code(person, "release", *_YES))
    _write(person, "more.csv", (8, 9))
    ended.append(_code(person, "submit", "more.csv", "--drafts-only", "--no-input"))
    _write(person, "more.csv", (8, 9), Description="Other words.")
    ended.append(_code(person, "submit", "more.csv", *_YES))
    ended.append(_code(person, "resolve", "R-8", "--abandon"))
    again = (*_YES, "--update-drafts")
    ended.append(_code(person, "submit", "more.csv", *again))
    _write(person, "large.csv", range(20, 40))
    before = person.sends()
    process = person.start("submit", "large.csv", *_YES)
    person.kill_when(process, projects=8, sends=before + 3)
    ended.append(process.returncode)
    ended.append(_code(person, "submit", "large.csv", *_YES))
    ended.append(_code(person, "export", "receipts", "-o", "receipts"))
    ended.append(_code(person, "submit", "monthly.csv", "--no-such-option"))
    return ended


def _code(person: Person, *words: str) -> int:
    return person.run(*words).returncode


def _write(person: Person, name: str, numbers: Iterable[int], **changes: str) -> None:
    with (person.folder / name).open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow((*HEADINGS, "Files"))
        for number in numbers:
            attached = "plan.pdf" if number == 1 else ""
            writer.writerow([*csv_row(number, **changes), attached])


@dataclass(slots=True, kw_only=True)
class Run:
    """One run, as the log alone tells of it."""

    id: str
    command: str
    acts: dict[str, list[str]] = field(default_factory=dict)
    """What happened to each row, in order."""
    end: dict[str, Any] | None = None


def read(text: str) -> dict[str, Run]:
    """Follow every run of a log, the earliest first.

    Raises:
        KeyError: A line is of a run that has not begun, or lacks a field.
    """
    runs: dict[str, Run] = {}
    for line in text.splitlines():
        told = json.loads(line)
        match told["what"]:
            case "run.begun":
                runs[told["run"]] = Run(id=told["run"], command=told["command"])
            case "run.ended":
                runs[told["run"]].end = told
            case "row.act" | "row.moved":
                acts = runs[told["run"]].acts.setdefault(told["row"], [])
                acts.append(_act(told))
            case _:
                continue
    return runs


def _act(told: Mapping[str, Any]) -> str:
    if told["what"] == "row.moved":
        return f"{told['came_from']} → {told['state']}"
    attempt = "" if told["attempt"] in {None, 1} else f" (attempt {told['attempt']})"
    return f"{told['step']}{attempt} {told['outcome']}"


def log_of(person: Person) -> Path:
    """Say where the log of a person is."""
    return person.folder / "home" / "state" / "kawe" / "log" / "kawe.log"
