"""How soon a run goes on after kill -9, with a journal of many rows.

    python bench/journal.py                 10,000 and 100,000 rows
    python bench/journal.py 10000 --turns 5
    python bench/journal.py --tiny          60 rows, once

All but the last 50 rows are done. A real `kawe submit` is killed with kill -9
while it sends those, and started again; the service, in a process of its own,
notes when it is asked first. Turn about, the same workbook is submitted with
an empty journal: what starting, reading and checking cost by themselves. Times
are of whole processes, from before the start to the service's socket.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from _done_journal import make_done, write_workbook
from _responder import KEY, TEAM, Responder, responder

from kawe.domain.rows.entries import Binding

LATENCY_MS = 20
LEFT = 50
SIZES = (10_000, 100_000)
GATES = {10_000: "gate 2 s after kill -9", 100_000: "gate 3 s, aim 1 s"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Began:
    """When the service heard of a run, in seconds after the run's start."""

    first: float
    """The first request of all: whose key is this?"""
    rows: float
    """The first request for the sake of a row."""


def main() -> None:
    """Measure each size."""
    parser = argparse.ArgumentParser()
    parser.add_argument("sizes", nargs="*", type=int, default=SIZES)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--tiny", action="store_true")
    chosen = parser.parse_args()
    if chosen.tiny:
        chosen.sizes, chosen.turns = [LEFT + 10], 1
    for size in chosen.sizes:
        with (
            tempfile.TemporaryDirectory() as folder,
            responder(LATENCY_MS) as service,
        ):
            _measure(service, Path(folder), size=size, turns=chosen.turns)


def _measure(service: Responder, folder: Path, *, size: int, turns: int) -> None:
    workbook, done = folder / "monthly.csv", folder / "done.journal"
    write_workbook(workbook, rows=size)
    binding = Binding(
        base_url=service.url, team_id=TEAM, team_name="Bench", mode="live"
    )
    make_done(workbook, done, binding=binding, left=LEFT)
    after, fresh = [], []
    for turn in range(turns):
        journal = folder / f"{turn}.journal"
        shutil.copyfile(done, journal)
        _killed_in_the_middle(service, workbook, journal)
        after.append(_began(service, workbook, journal))
        fresh.append(_began(service, workbook, folder / f"{turn}-empty.journal"))
        service.forget()
        journal.unlink()
    _tell(size, done.stat().st_size, after=after, fresh=fresh)


def _tell(
    size: int, size_bytes: int, *, after: list[Began], fresh: list[Began]
) -> None:
    for what, of in (
        ("first request", lambda began: began.first),
        ("first request for a row", lambda began: began.rows),
    ):
        ours, theirs = list(map(of, after)), list(map(of, fresh))
        middle = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
        print(
            f"{size:,} rows, journal of {size_bytes / 1e6:.0f} MB: {what} after "
            f"{min(ours):.2f} s ({GATES.get(size, 'no gate')}), with an empty journal "
            f"{min(theirs):.2f} s; ratio {middle:.2f} (median of {len(ours)} pairs)",
            flush=True,
        )


def _killed_in_the_middle(service: Responder, workbook: Path, journal: Path) -> None:
    service.count_anew()
    process = _start(service, workbook, journal)
    while service.state()["sends"] < LEFT // 5:
        if process.poll() is not None:
            raise SystemExit(f"the run ended by itself: {process.returncode}")
        time.sleep(0.005)
    process.kill()
    process.wait()


def _began(service: Responder, workbook: Path, journal: Path) -> Began:
    service.count_anew()
    begun = time.monotonic()
    process = _start(service, workbook, journal)
    while (seen := service.state())["first_row_at"] is None:
        if process.poll() is not None:
            raise SystemExit(f"the run ended by itself: {process.returncode}")
        time.sleep(0.05)
    process.kill()
    process.wait()
    return Began(first=seen["first_at"] - begun, rows=seen["first_row_at"] - begun)


def _start(
    service: Responder, workbook: Path, journal: Path
) -> subprocess.Popen[bytes]:
    words = ("submit", str(workbook), "--journal", str(journal), "--quiet")
    return subprocess.Popen(
        [sys.executable, "-m", "kawe", *words, "--yes", "1000000", "--no-input"],
        env={**os.environ, "KAWE_BASE_URL": service.url, "KAWE_API_KEY": KEY},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


if __name__ == "__main__":
    main()
