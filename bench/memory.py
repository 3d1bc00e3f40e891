"""How much memory, and processor time, a submit takes for each of its rows.

    python bench/memory.py               5,000 and 20,000 rows
    python bench/memory.py 5000 50000
    python bench/memory.py --tiny        4 and 8 rows

A real `kawe submit` of a CSV file goes to a service, in a process of its own, that
answers at once. Told is the most memory that the process ever had, as the system
counts it, with the result and its page, and how often that is what the first had.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from _done_journal import write_workbook
from _responder import KEY, Responder, responder

SIZES = [5_000, 20_000]


def main(words: list[str]) -> None:
    """Measure each size once: memory hardly varies."""
    sizes = [4, 8] if words == ["--tiny"] else [int(each) for each in words] or SIZES
    least = 0.0
    for rows in sizes:
        with tempfile.TemporaryDirectory() as folder, responder(0) as service:
            megabytes, seconds = _measure(service, Path(folder), rows=rows)
        least = least or megabytes
        print(
            f"{rows:,} rows: {megabytes:.0f} MB, {megabytes / least:.2f} times the "
            f"first (gate 1.3); {seconds / rows * 1000:.2f} ms of processor time a row",
            flush=True,
        )


def _measure(service: Responder, folder: Path, *, rows: int) -> tuple[float, float]:
    workbook = folder / "monthly.csv"
    write_workbook(workbook, rows=rows)
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "kawe", "submit", str(workbook), "--quiet"),
            *("--journal", str(folder / "monthly.journal")),
            *("--yes", str(rows), "--no-input"),
        ],
        env={**os.environ, "KAWE_BASE_URL": service.url, "KAWE_API_KEY": KEY},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    if status or service.state()["sends"] != rows:
        raise SystemExit(f"not all rows were sent: {os.waitstatus_to_exitcode(status)}")
    return used.ru_maxrss * 1024 / 1e6, used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main(sys.argv[1:])
