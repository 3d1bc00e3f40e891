"""A plan at the command line, and whoever meddles with what it was made of."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from doubles.command import Person

_TEAM = "Kaunihera o Tauira (twin)"
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
    address = person.twin.address
    client = httpx.Client(
        base_url=address.api_url,
        headers={"Authorization": f"Bearer {address.live_key}"},
        verify=False,
    )
    with client:
        listed = client.get("/projects").json()["response_object"]["data"]
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
    address = person.twin.address
    client = httpx.Client(
        base_url=address.api_url,
        headers={"X-Twin-Secret": address.owner_secret},
        verify=False,
    )
    with client:
        accounts = client.get("/_twin/state").json()["accounts"]
        (team,) = [each["id"] for each in accounts if each["name"] == _TEAM]
        made = client.post("/_twin/keys", json={"account_id": team})
        return str(made.json()["key"])
