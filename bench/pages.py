"""How soon each page of the desk begins to arrive, with a journal of many rows.

    python bench/pages.py                 5,000 rows, each page nine times
    python bench/pages.py 20000 --turns 5
    python bench/pages.py 5000 --batches 20
    python bench/pages.py --tiny          60 rows, once

Time is from the request to the first byte of the answer, of a real `kawe desk`: the
first look after the journal has changed, and the next look. CPU is what the desk took
for the first look: other work on the machine adds to the time, and hardly to that.
"""

from __future__ import annotations

import argparse
import os
import re
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

from _done_journal import keep_at_desk, make_done, write_workbook
from _responder import KEY, TEAM

from kawe.cases.care.removing import desk_folder
from kawe.domain.rows.entries import Binding

ROWS = 5_000
LEFT_EACH = 10
URL = "http://127.0.0.1:9"
BATCH = "/batch?name="
WORK = "/works/id"
PAGES = (
    *("/", WORK, f"{WORK}/plan", f"{WORK}/plan?part=2", f"{WORK}/result"),
    *("/batches", BATCH, f"{BATCH}&part=2", f"{BATCH}&outcome=sent"),
    *("/queue", "/held", "/find?q=R-000017", "/find?q=stormwater"),
    *("/year", "/settings", "/at-work"),
)


def main() -> None:
    """Measure each page."""
    words = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    words.add_argument("rows", nargs="?", type=int, default=ROWS)
    words.add_argument("--turns", type=int, default=9)
    words.add_argument("--tiny", action="store_true", help="60 rows, each page once")
    words.add_argument("--batches", type=int, default=1, help="of so many rows each")
    given = words.parse_args()
    rows, turns = (60, 1) if given.tiny else (given.rows, given.turns)
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "done.journal"
        binding = Binding(base_url=URL, team_id=TEAM, team_name="Bench", mode="live")
        for month in range(given.batches):
            workbook = Path(folder) / f"month-{month}.csv"
            write_workbook(workbook, rows=rows, first=month * rows)
            make_done(workbook, journal, binding=binding, left=rows // LEFT_EACH)
        work = keep_at_desk(workbook, desk_folder(journal), binding=binding, rows=rows)
        _measure(journal, work=work, rows=rows * given.batches, turns=turns)


def _measure(journal: Path, *, work: str, rows: int, turns: int) -> None:
    desk = subprocess.Popen(
        [sys.executable, "-m", "kawe", "desk", "--no-open"],
        env={
            **os.environ,
            "HOME": str(journal.parent),
            "XDG_STATE_HOME": str(journal.parent),
            "KAWE_BASE_URL": URL,
            "KAWE_API_KEY": KEY,
            "KAWE_JOURNAL": str(journal),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert desk.stdout is not None
    try:
        address = urlsplit(desk.stdout.readline().split()[-1])
        door, cookie = address.path.partition("/open/")[0], ""
        _, answer = _ask(address.netloc, address.path, cookie, method="POST")
        cookie = re.search(r"kawe_desk=[^;]+", answer)[0]
        host = address.netloc
        _, batches = _ask(host, f"{door}/batches", cookie)
        name = re.search(r"/batch\?name=([^\"&]+)", batches)[1]
        for page in PAGES:
            path = page.replace(BATCH, f"/batch?name={name}")
            path = door + path.replace(WORK, f"/works/{work}")
            looks = [
                _look(desk.pid, host, path, cookie=cookie, journal=journal)
                for _ in range(turns)
            ]
            after, cpu, again, size = map(statistics.median, zip(*looks, strict=True))
            print(
                f"{rows:,} rows, {page}: first byte after {after:.3f} s, {cpu:.2f} s "
                f"CPU; again {again:.3f} s; {size / 1000:.0f} kB; load "
                f"{os.getloadavg()[0]:.1f}",
                flush=True,
            )
    finally:
        desk.kill()
        desk.wait()


def _look(
    process: int, host: str, path: str, *, cookie: str, journal: Path
) -> tuple[float, float, float, int]:
    """Give the time after a change, its CPU, the time again, and the size."""
    # A write that changes nothing: for who looks at the file, the journal has changed.
    with closing(sqlite3.connect(journal)) as open_journal, open_journal:
        open_journal.execute("UPDATE batch SET name = name")
    before = _cpu(process)
    after, _ = _ask(host, path, cookie)
    cpu = _cpu(process) - before
    again, text = _ask(host, path, cookie)
    return after, cpu, again, len(text.encode())


def _ask(
    host: str, path: str, cookie: str, *, method: str = "GET"
) -> tuple[float, str]:
    """Ask for a page; give the time to its head, and head and page."""
    connection = HTTPConnection(host, timeout=600)
    headers = {"Origin": f"http://{host}", "Cookie": cookie}
    begun = time.perf_counter()
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    seconds = time.perf_counter() - begun
    text = f"{answer.headers}{answer.read().decode()}"
    connection.close()
    assert answer.status in {200, 303}, (path, answer.status, text[-300:])
    return seconds, text


def _cpu(process: int) -> float:
    stat = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
