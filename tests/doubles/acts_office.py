"""A person who submits sheets of acts, in front of a twin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx
import openpyxl

from doubles.at_the_twin import owner_does, with_key
from doubles.bodies import project_body
from doubles.command import Person
from doubles.hosts import wait_for
from doubles.switchboard import Switchboard


class Office:
    """A person whose team has three projects with iwi, and a draft."""

    def __init__(self, person: Person) -> None:
        self.person = person
        with self.client() as client:
            for n in (1, 2, 3, 4):
                self._made(client, f"Ōtāhuhu culvert {n}", reference=f"R-{n}")
            for n in (1, 2, 3):
                where = f"/projects/{self.project(n)['id']}/send"
                sent = client.put(where, json={"message": "Tēnā koutou."})
                sent.raise_for_status()

    def be_iwi(self) -> None:
        """Go on as somebody of the iwi, with another computer."""
        self.person.key = self.person.twin.address.iwi_key
        self.take_another_computer("iwi")

    def take_another_computer(self, name: str = "other") -> None:
        """Go on where the journal of before is not."""
        state = str(self.person.folder / name)
        self.person.environment["XDG_STATE_HOME"] = state

    def did(self, *words: str, code: int = 0) -> str:
        """Run a command that must end so; give what it said in one line."""
        ran = self.person.run(*words)
        assert ran.returncode == code, ran.stdout + ran.stderr
        return " ".join((ran.stdout + ran.stderr).split())

    def sheet(self, kind: str, *rows: Mapping[str, str]) -> str:
        """Fill in the template of a kind; rows are values by heading."""
        path = self.person.folder / f"{kind}.xlsx"
        path.unlink(missing_ok=True)
        self.did("template", kind)
        book = openpyxl.load_workbook(path)
        sheet = book[kind.capitalize()]
        headings = [str(cell.value).rstrip(" *") for cell in sheet[1]]
        for number, values in enumerate(rows, start=2):
            for heading, value in values.items():
                if heading not in headings:
                    headings.append(heading)
                    sheet.cell(row=1, column=len(headings), value=heading)
                at = headings.index(heading) + 1
                sheet.cell(row=number, column=at, value=value)
        book.save(path)
        return path.name

    def edit(self, book_name: str, sheet: str, **rows: Mapping[str, str]) -> None:
        """Change cells of the rows whose first cell is so: `R_1` is R-1."""
        path = self.person.folder / f"{book_name}.xlsx"
        book = openpyxl.load_workbook(path)
        headings = [str(cell.value).rstrip(" *") for cell in book[sheet][1]]
        for row in book[sheet].iter_rows(min_row=2):
            for heading, value in rows.get(
                str(row[0].value).replace("-", "_"), {}
            ).items():
                row[headings.index(heading)].value = value
        book.save(path)

    def check(self, kind: str, *rows: Mapping[str, str], code: int = 0) -> str:
        """Fill in the template of a kind, and check it."""
        return self.did("check", self.sheet(kind, *rows), code=code)

    def do(
        self,
        kind: str,
        *rows: Mapping[str, str],
        count: int | None = None,
        code: int = 0,
    ) -> str:
        """Fill in the template of a kind, and submit it."""
        self.sheet(kind, *rows)
        return self.submit(kind, count, code)

    def submit(self, kind: str, count: int | None = None, code: int = 0) -> str:
        agreed = () if count is None else ("--yes", str(count))
        return self.did("submit", f"{kind}.xlsx", *agreed, "--no-input", code=code)

    def results(
        self, kind: str, heading: str = "Outcome", *, sheet: str | None = None
    ) -> list[Any]:
        """Give a column of the result."""
        path = self.person.folder / f"{kind}.result.xlsx"
        page = openpyxl.load_workbook(path)[sheet or kind.capitalize()]
        headings, *rows = page.iter_rows(values_only=True)
        return [row[headings.index(heading)] for row in rows]

    def submit_killed(self, kind: str, count: int, *, during: str) -> str:
        """Kill a submit before it hears what was done, plan, and submit twice again."""
        self.board.set("latency", during, seconds=0.4, when="after")
        words = "submit", f"{kind}.xlsx", "--yes", str(count), "--no-input"
        process = self.person.start(*words)
        wait_for(lambda: self.asked(during))
        process.kill()
        process.wait()
        self.board.clear()
        planned = self.person.run("plan", f"{kind}.xlsx").stdout
        for _ in range(2):
            self.person.run(*words)
        return " ".join(planned.split())

    def asked(self, operation: str) -> int:
        return sum(self.person.state()["requests"].get(operation, {}).values())

    def done(self, operation: str) -> int:
        """Count what really changed something, by the ledger of the twin."""
        return sum(line["effect"] for line in self.board.ledger(operation=operation))

    @property
    def board(self) -> Switchboard:
        return Switchboard(self.person.twin.address)

    def client(self, key: str | None = None) -> httpx.Client:
        return with_key(self.person.twin.address, key)

    def read(self, path: str, **query: Any) -> Any:
        with self.client() as client:
            found = client.get(path, params=query).json()["response_object"]
        return found.get("data", found) if isinstance(found, dict) else found

    def accept(self, invitation_id: str) -> None:
        """Let somebody accept an invitation."""
        address = self.person.twin.address
        owner_does(address, "invitations/accept", invitation_id=invitation_id)

    def thread(self, number: int) -> Any:
        return self.read(f"/projects/{self.project(number)['id']}/engagements")

    def project(self, number: int) -> Any:
        found = self.read("/projects", limit=100)
        return next(e for e in found if e["reference"] == f"R-{number}")

    @property
    def team(self) -> Any:
        (mine,) = self.read("/user")["teams"]
        return self.read(f"/team/{mine['id']}")

    def invite(self, *names: str, role: str = "MEMBER") -> dict[str, Any]:
        """Let people be invited, and say how they stand by address."""
        with self.client() as client:
            for name in names:
                body = {"name": name, "email": f"{name}@example.org", "role": role}
                assert client.post("/user/invite", json=body).status_code < 300
        return {each["email"]: each for each in self.team["invitations"]}

    def join(self, *names: str, role: str = "MEMBER") -> dict[str, Any]:
        """Let people be in the team."""
        for each in self.invite(*names, role=role).values():
            self.accept(each["id"])
        return {each["email"]: each for each in self.team["users"]}

    def make_organisation(self, name: str) -> None:
        """Make an organisation, as a draft for it does."""
        address = {"address": "1 Queen Street", "latitude": -36.85, "longitude": 174.76}
        with self.client() as client:
            self._made(client, "x", organisation={"name": name, **address})

    def _made(self, client: httpx.Client, name: str, **more: Any) -> None:
        made = client.post("/projects", json=project_body(name, **more))
        made.raise_for_status()
