"""Receipts that are exported while everything goes wrong, and what must hold after.

The twin has many receipts, a colleague sends more, requests fail at random, and the
export is killed again and again, then run until it says that it is done.
"""

from __future__ import annotations

import hashlib
import random
import subprocess
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from sqlite3 import Connection

import httpx

from doubles.bodies import project_body
from doubles.command import Person, at_a_twin
from doubles.switchboard import Switchboard
from kawe_twin.serving import RunningTwin

_AT = "2026-11-21T00:00:00.000Z"
_LISTS, _LINKS, _STORAGE = "receipt_list", "download", "storage_get"
_MOST_RUNS = 40


@dataclass(slots=True, kw_only=True)
class Exported:
    """What came of it."""

    receipts: int = 0
    """How many the twin had at the end."""
    kills: int = 0
    runs: int = 0
    faults: int = 0
    complaints: list[str] = field(default_factory=list)


def export_through_trouble(
    folder: Path, *, receipts: int, kills: int, seed: int, is_bag: bool = False
) -> Exported:
    """Kill an export so many times, let it finish, and look at what it saved."""
    chance, done = random.Random(seed), Exported(kills=kills)
    with at_a_twin(folder, tokens=100_000, rate_limit=10**7, faults=True) as person:
        twin = person.twin
        _fill(twin, receipts, documents=folder / "twin" / "documents", chance=chance)
        board = Switchboard(twin.address)
        _set_faults(board, seed=seed)
        words = ("export", "receipts", "--bag" if is_bag else "-o", "papers", "--quiet")
        with _colleague(twin):
            for _ in range(kills):
                _kill_one(person, words, after=chance.randrange(receipts // kills))
        for run in range(_MOST_RUNS):
            code = person.start(*words).wait()
            done.runs = kills + run + 1
            if code == 0:
                break
            if code != 7:
                done.complaints.append(f"a run ended with {code}")
        done.faults = sum(each["happened"] for each in board.faults())
        board.clear()
        _look(person, done, twin=twin, is_bag=is_bag)
    return done


def _fill(
    twin: RunningTwin, receipts: int, *, documents: Path, chance: random.Random
) -> None:
    """Write receipts, each with a document of its own."""

    def work(db: Connection) -> None:
        account = twin._assembly.live_team_id
        for number in range(1, receipts + 1):
            project, document, receipt = (
                str(uuid.UUID(int=chance.getrandbits(128), version=4)) for _ in range(3)
            )
            db.execute(
                "INSERT INTO project (id, account_id, name, status, priority, type,"
                " description, latitude, longitude, start_date, end_date,"
                " respond_by_date, search_text, address, created_on,"
                " updated_on) VALUES (?, ?, ?, 'NEW', 'LOW', 'OTHER', '', -36.85,"
                " 174.76, '2030-01-01', '2030-02-01', '2030-01-15', '', '', ?, ?)",
                (project, account, f"Papa {number}", _AT, _AT),
            )
            db.execute(
                "INSERT INTO document (id, account_id, name, mime_type, state,"
                " project_id, created_on, updated_on) VALUES"
                " (?, ?, ?, 'application/pdf', 'PAPER', ?, ?, ?)",
                (document, account, f"{number}.pdf", project, _AT, _AT),
            )
            db.execute("INSERT INTO paper VALUES (?, '{}')", (document,))
            db.execute(
                "INSERT INTO receipt (id, account_id, project_id, document_id,"
                " project_name, receipt_number, submission_number, created_on)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    receipt,
                    account,
                    project,
                    document,
                    f"Papa {number}",
                    f"KR-2026-{number:06d}",
                    f"KS-{number:06d}",
                    _AT,
                ),
            )
            body = chance.randbytes(chance.randrange(500, 40_000))
            (documents / document).write_bytes(b"%PDF-1.4\n%" + body + b"\n%%EOF\n")

    twin._assembly.database.submit(work).result()


def _set_faults(board: Switchboard, *, seed: int) -> None:
    """Let one request in twenty fail, of each of three kinds of request."""
    for kind, operation, share, told in (
        ("server_error", _LISTS, 0.02, {"status_code": 503}),
        ("drop", _LISTS, 0.03, {}),
        ("gateway_page", _LINKS, 0.02, {}),
        ("drop", _LINKS, 0.03, {}),
        ("expired", _STORAGE, 0.01, {}),
        ("cut", _STORAGE, 0.03, {"at_byte": 900}),
        ("gateway_page", _STORAGE, 0.01, {"status_code": 200}),
    ):
        board.set(kind, operation, probability=share, seed=seed, **told)


@contextmanager
def _colleague(twin: RunningTwin) -> Iterator[None]:
    """Let somebody send projects meanwhile."""
    stop = threading.Event()
    body = project_body(
        "A colleague's own", description="Not of any workbook.", draft=False
    )
    headers = {"Authorization": f"Bearer {twin.address.live_key}"}

    def work() -> None:
        with httpx.Client(
            base_url=twin.address.api_url, trust_env=False, verify=False
        ) as client:
            while not stop.wait(0.3):
                client.post("/projects", json=body, headers=headers)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _kill_one(person: Person, words: tuple[str, ...], *, after: int) -> None:
    """Kill an export when it has saved so many receipts more, or is at its end."""
    before = _count(person)
    process = person.start(*words)
    while process.poll() is None and _count(person) <= before + after:
        time.sleep(0.02)
    process.kill()
    process.wait()


def _count(person: Person) -> int:
    return sum(1 for _ in (person.folder / "papers").rglob("*.pdf"))


def _look(person: Person, done: Exported, *, twin: RunningTwin, is_bag: bool) -> None:
    """Compare what was saved with what the twin has."""
    rows = twin._assembly.database.submit(
        lambda db: db.execute(
            "SELECT receipt_number, document_id FROM receipt"
        ).fetchall()
    ).result()
    documents = person.folder.parent / "twin" / "documents"
    wanted = {
        row["receipt_number"]: _sha256(documents / row["document_id"]) for row in rows
    }
    papers = person.folder / "papers"
    files = sorted((papers / "data" if is_bag else papers).glob("*.pdf"))
    saved = [(each.name.partition(" ")[0], _sha256(each)) for each in files]
    done.receipts = len(wanted)
    if sorted(saved) != sorted(wanted.items()):
        wrong = set(saved) ^ set(wanted.items())
        done.complaints.append(f"{len(wrong)} receipts are not as they should be")
    if (papers / "altered").exists():
        done.complaints.append("a file was taken for altered")
    lists = ["manifest-sha256.txt", *(["tagmanifest-sha256.txt"] if is_bag else [])]
    summed = subprocess.run(
        ["sha256sum", "--check", "--strict", "--quiet", *lists],
        cwd=papers,
        check=False,
        capture_output=True,
    )
    verified = person.run("export", "verify", "papers")
    if (summed.returncode, verified.returncode) != (0, 0):
        done.complaints.append(f"sha256sum {summed.returncode}; {verified.stdout}")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
