"""A plan at the command line, and whoever meddles with what it was made of."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from doubles.at_the_twin import new_key, projects_of, with_key
from doubles.command import Person

YES = ("--yes", "9", "--no-input", "--quiet")


def change_cell(path: Path, *, row: int, heading: str, text: str) -> None:
    """Write another text into one cell of a CSV sheet; rows count as in Excel."""
    lines = list(csv.reader(path.read_text("utf-8-sig").splitlines()))
    lines[row - 1][lines[0].index(heading)] = text
    _write(path, lines)


def change_rows(path: Path, change: Callable[[list[list[str]]], None]) -> None:
    """Change the rows below the headings of a CSV sheet."""
    heading, *rows = csv.reader(path.read_text("utf-8-sig").splitlines())
    change(rows)
    _write(path, [heading, *rows])


def _write(path: Path, lines: list[list[str]]) -> None:
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows(lines)


def change_plan(path: Path, **fields: Any) -> None:
    """Edit a plan by hand, and leave its hash as it was."""
    plan = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps(plan | fields), "utf-8")


def reseal_plan(path: Path, **fields: Any) -> None:
    """Change a plan and compute its hash again, as another kawe would."""
    plan = json.loads(path.read_text("utf-8")) | fields
    del plan["sha256"]
    text = json.dumps(plan, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    plan["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    path.write_text(json.dumps(plan), "utf-8")


def in_the_portal(person: Person, reference: str, **words: str) -> None:
    """Edit or send a draft, as a colleague does."""
    listed = projects_of(person.twin.address)
    with with_key(person.twin.address) as client:
        (project,) = [each for each in listed if each["reference"] == reference]
        if "message" in words:
            answer = client.put(f"/projects/{project['id']}/send", json=words)
        else:
            kept = {n: project[n] for n in ("name", "description", "type")}
            days = ("start_date", "end_date", "respond_by_date")
            kept |= {n: project[n][:10] for n in days}
            answer = client.put(f"/projects/{project['id']}", json=kept | words)
        assert answer.json()["success"], answer.text


def another_key(person: Person) -> str:
    """Make another live key of the same team."""
    return new_key(person.twin.address)
