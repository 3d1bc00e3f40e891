"""Two persons of one team, each with a key of the service and a folder of their own."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from doubles.at_the_twin import owner_does, team_of, with_key
from doubles.command import Person, csv_row, write_csv
from doubles.planned import YES
from kawe_twin.serving import RunningTwin

APPROVER = "Wiremu Tauira"
_ADDRESS = "wiremu@tauira.example"
PINNED = 'author = "Mere"\n[approvers.keys]\n"{name}" = "{key}"\n'


@dataclass(slots=True, kw_only=True)
class Office:
    """Mere plans and submits with one key, and Wiremu approves with another."""

    mere: Person
    wiremu: Person
    key: str
    """Wiremu's public key, as it is pasted."""

    @property
    def plan(self) -> Path:
        """Give the path of Mere's plan."""
        return self.mere.folder / "plan.json"

    @property
    def approval(self) -> Path:
        """Give the path at which Wiremu's approval belongs."""
        return self.mere.folder / "plan.approval.json"

    def make_plan(self, *words: str, rows: int = 3, name: str = "R") -> None:
        """Let Mere write a workbook and plan it."""
        each = [
            csv_row(n, Reference=f"{name}-{n}", Name=f"Culvert {name} {n}")
            for n in range(rows)
        ]
        write_csv(self.mere.folder / "monthly.csv", each)
        done = self.mere.run("plan", "monthly.csv", "-o", "plan.json", "-q", *words)
        assert done.returncode == 0, done.stderr

    def approve(self, *words: str, by: Person | None = None) -> dict[str, Any]:
        """Let Wiremu, or somebody else, approve a copy of the plan; put it back."""
        person = by or self.wiremu
        if person is not self.mere:
            shutil.copy(self.plan, person.folder / "plan.json")
        said = person.document("approve", "plan.json", "--yes", "9", *words)
        assert said["exit_code"] == 0
        made = Path(said["approval"])
        if person is not self.mere:
            shutil.move(person.folder / made, self.approval)
        return said

    def submit(self, *words: str, text: str = "") -> tuple[int, str]:
        """Let Mere submit the plan; give the code and what was said of it."""
        done = self.mere.run("submit", "plan.json", *YES, *words, typed=text)
        return done.returncode, done.stderr.strip()

    def pin(self, *, more: str = "", **keys: str) -> None:
        """Write Mere's settings: who may approve, and `more`."""
        pinned = "".join(
            f'"{name}" = "{key}"\n'
            for name, key in (keys or {APPROVER: self.key}).items()
        )
        self.mere.write_settings(
            f'author = "Mere"\n[approvers]\n{more}[approvers.keys]\n{pinned}'
        )


def open_office(folder: Path, twin: RunningTwin) -> Office:
    """Make an owner of Wiremu, give him a key of the service, and pin his own."""
    mere, wiremu = (
        Person(folder=folder / name, twin=twin) for name in ("mere", "wiremu")
    )
    for each in (mere, wiremu):
        each.folder.mkdir()
    wiremu.key = key_of(twin, _ADDRESS)
    wiremu.write_settings(f'author = "{APPROVER}"\n')
    key = wiremu.document("approve", "--show-key")["public_key"]
    office = Office(mere=mere, wiremu=wiremu, key=key)
    office.pin()
    return office


def another(office: Office, name: str, *, key: str | None = None) -> Person:
    """Give one more person, with their own folder; without `key`, they use Wiremu's."""
    person = replace(office.wiremu, folder=office.wiremu.folder.parent / name)
    person.folder.mkdir()
    person.key = key or office.wiremu.key
    person.write_settings(f'author = "{name}"\n')
    return person


def key_of(twin: RunningTwin, email: str, **more: object) -> str:
    """Make an owner of somebody in the council's team, and a key in their name."""
    address = twin.address
    team = team_of(address)
    with with_key(address) as client:
        users = client.get(f"/team/{team}").json()["response_object"]["users"]
        (user,) = [each["id"] for each in users if each["email"] == email]
        change = {"user_id": user, "role": "OWNER"}
        client.put(f"/team/{team}/role", json=change).raise_for_status()
    made = owner_does(address, "keys", account_id=team, owner=email, **more)
    return str(made["key"])
