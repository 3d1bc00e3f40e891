"""How fast the twin answers, what it weighs, and how its lists grow.

    python bench/twin.py            from 100 to 50,000 projects
    python bench/twin.py 10000      to another number
    python bench/twin.py --tiny     to 120, and each only a moment

The twin runs in a process of its own, so that it has one core and the client
the other. Projects beyond the first are written straight into the database,
by the same statements as the API's, because answering 50,000 creates takes
minutes; triggers, indexes and counts are the twin's own.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tempfile
import time
import urllib.parse
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from sqlite3 import Connection

FIRST, MOST = 100, 50_000
REPEATS, SECONDS = 25, 3.0
SERVE = """
import pathlib, sys
from kawe_twin.serving import TwinOptions, serve_twin
def ready(address):
    print(address.api_url, address.live_key, address.iwi_key, flush=True)
folder = pathlib.Path(sys.argv[1])
serve_twin(TwinOptions(folder=folder, rate_limit=10**7, tokens=10**6), ready=ready)
"""
BODY = {
    "name": "Papa tākaro",
    "description": "He papa tākaro mō te hapori.",
    "type": "LAND_USE_CONSENT",
    "start_date": "2026-12-01",
    "end_date": "2026-12-31",
    "respond_by_date": "2026-12-20",
    "address": "1 Te Ara, Tāmaki Makaurau",
    "latitude": -36.85,
    "longitude": 174.76,
    "files": [],
    "draft": True,
}


def reference_of(number: int) -> str:
    """Give a reference such as kawe makes: short, and like no other."""
    return f"KW{hashlib.sha256(str(number).encode()).hexdigest()[:10].upper()}"


LISTS = {
    "first page": {},
    "page of 100": {"limit": "100"},
    "tab of closed": {"active_status": "closed"},
    "tab of active": {"active_status": "active"},
    "status and type": {"status": "NEW", "type": "EARTHWORKS"},
    "priority": {"priority": "HIGH"},
    "local authority": {"local_authority": "Tauira District"},
    "search, one reference": {"search": reference_of(42)},
    "search, one of a series": {"search": "tākaro 00042"},
    "search, no match": {"search": "nowhere at all"},
    "last page": {"page": "last"},
    "search of 2 characters": {"search": "zz"},
    "search that all match": {"search": "papa"},
}
TYPES = ("LAND_USE_CONSENT", "EARTHWORKS", "EMERGENCY_WORKS", "OTHER", "CONSERVATION")
STATUSES = ("DRAFT", "NEW", "NEW", "IN_PROGRESS", "IN_PROGRESS", "COMPLETE", "CLOSED")


class Client:
    def __init__(self, url: str, key: str) -> None:
        self.place = urllib.parse.urlsplit(url).netloc
        self.headers = {
            "Authorization": f"Bearer {key}",
            "Content-Type": "application/json",
        }
        self.line = HTTPConnection(self.place)

    def ask(self, method: str, path: str, body: object = None) -> dict[str, object]:
        sent = None if body is None else json.dumps(body)
        self.line.request(method, path, sent, self.headers)
        answer = self.line.getresponse()
        said = json.loads(answer.read())
        if answer.status != 200:
            raise SystemExit(f"{method} {path}: {said}")
        return said["response_object"]


Asking = Callable[[Client], object]


def served(folder: Path) -> tuple[subprocess.Popen[str], list[str]]:
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, str(folder)], stdout=subprocess.PIPE, text=True
    )
    return process, process.stdout.readline().split()


def stop(process: subprocess.Popen[str]) -> None:
    process.terminate()
    process.wait()


def megabytes(process: subprocess.Popen[str], field: str = "VmRSS") -> float:
    status = Path(f"/proc/{process.pid}/status")
    if not status.exists():
        return 0.0
    lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
    return int(lines[field].split()[0]) / 1024


def per_second(clients: list[Client], *, seconds: float, ask: Asking) -> float:
    """Let every client ask until the time is over."""
    until = time.perf_counter() + seconds

    def go(client: Client) -> int:
        done = 0
        while time.perf_counter() < until:
            ask(client)
            done += 1
        return done

    begun = time.perf_counter()
    with ThreadPoolExecutor(len(clients)) as crew:
        total = sum(crew.map(go, clients))
    return total / (time.perf_counter() - begun)


def speed(url: str, key: str, *, seconds: float) -> None:
    one = Client(url, key)
    made = one.ask("POST", "/projects", BODY)["id"]
    for count in (1, 8):
        clients = [Client(url, key) for _ in range(count)]
        for name, ask in (
            ("read", lambda client: client.ask("GET", f"/projects/{made}")),
            ("create", lambda client: client.ask("POST", "/projects", BODY)),
        ):
            rate = per_second(clients, seconds=seconds, ask=ask)
            print(f"  {name:8} {count} at a time: {rate:7.0f} per second")


def fill(folder: Path, *, until: int) -> None:
    """Write projects as the API does, in one transaction."""
    from kawe_twin.rules.project_view import priority_of  # noqa: PLC0415
    from kawe_twin.rules.projects import search_text  # noqa: PLC0415
    from kawe_twin.store.database import Database  # noqa: PLC0415
    from kawe_twin.store.projects import add_parties  # noqa: PLC0415

    def work(db: Connection) -> None:
        team = db.execute(
            "SELECT id FROM account WHERE kind = 'TEAM' AND sandbox = 0"
        ).fetchone()["id"]
        iwi = db.execute("SELECT id FROM account WHERE kind = 'IWI'").fetchone()["id"]
        have = db.execute("SELECT count(*) FROM project").fetchone()[0]
        for number in range(have, until):
            kind = TYPES[number % len(TYPES)]
            reference, name = reference_of(number), f"{BODY['name']} {number:05d}"
            cursor = db.execute(
                "INSERT INTO project (id, account_id, name, description, reference,"
                " type, status, priority, address, latitude, longitude, start_date,"
                " end_date, respond_by_date, search_text, created_on, updated_on)"
                " VALUES (lower(hex(randomblob(16))), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
                " ?, ?, ?, ?, '2026-11-21T00:00:00.000Z', '2026-11-21T00:00:00.000Z')",
                (
                    team,
                    name,
                    BODY["description"],
                    reference,
                    kind,
                    STATUSES[number % len(STATUSES)],
                    priority_of(kind),
                    BODY["address"],
                    BODY["latitude"],
                    BODY["longitude"],
                    BODY["start_date"],
                    BODY["end_date"],
                    BODY["respond_by_date"],
                    search_text(
                        name=name, reference=reference, address=BODY["address"]
                    ),
                ),
            )
            add_parties(db, [team], project_number=cursor.lastrowid, side="SENDER")
            add_parties(db, [iwi], project_number=cursor.lastrowid, side="RECIPIENT")

    database = Database(folder / "twin.sqlite3")
    database.submit(work).result()
    database.close()


def lists(url: str, key: str, *, repeats: int) -> dict[str, float]:
    """Give the best time of each list, in milliseconds."""
    client = Client(url, key)
    total = client.ask("GET", "/projects")["total"]
    best = {}
    for name, query in LISTS.items():
        asked = {
            k: str(-(-total // 20)) if v == "last" else v for k, v in query.items()
        }
        path = f"/projects?{urllib.parse.urlencode(asked)}"
        took = []
        for _ in range(repeats):
            begun = time.perf_counter()
            client.ask("GET", path)
            took.append((time.perf_counter() - begun) * 1000)
        best[name] = min(took)
    return best


def main() -> None:
    words = sys.argv[1:]
    if words == ["--tiny"]:
        most, repeats, seconds = FIRST + 20, 1, 0.05
    else:
        most, repeats, seconds = int(*words or (MOST,)), REPEATS, SECONDS
    with tempfile.TemporaryDirectory(prefix="kawe-bench-") as place:
        folder = Path(place) / "speed"
        process, (url, key, _) = served(folder)
        print(f"Speed, one core for the twin ({megabytes(process):.0f} MB at rest)")
        speed(url, key, seconds=seconds)
        print(f"  memory after it: {megabytes(process):.0f} MB")
        stop(process)

        folder = Path(place) / "lists"
        stop(served(folder)[0])
        found = {}
        for count in (FIRST, most):
            fill(folder, until=count)
            process, (url, key, _) = served(folder)
            found[count] = lists(url, key, repeats=repeats)
            memory = megabytes(process)
            stop(process)
        print(f"Lists, best of {repeats} in milliseconds, {FIRST} to {most} projects")
        for name in LISTS:
            few, many = found[FIRST][name], found[most][name]
            print(f"  {name:24} {few:8.2f} {many:8.2f}   × {many / few:6.1f}")
        print(f"  memory with {most} projects: {memory:.0f} MB")


if __name__ == "__main__":
    main()
