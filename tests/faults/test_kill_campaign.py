"""kill -9 at random moments, again and again: the long version.

`make campaign` runs it; KAWE_KILL_ROUNDS says how many batches, each killed
twice.
"""

from __future__ import annotations

import os
import random
import time

import pytest

from doubles.command import Person, csv_row, write_csv
from kawe.twin.serving import TwinOptions, start_twin

ROUNDS = int(os.environ.get("KAWE_KILL_ROUNDS", "40"))
ROWS = 12
OPTIONS = ("--yes", "99", "--no-input", "--settle", "1", "--quiet")


@pytest.fixture
def person(tmp_path):
    options = TwinOptions(
        folder=tmp_path / "twin", tokens=100_000, rate_limit=1_000_000, latency_ms=20
    )
    with start_twin(options) as twin:
        folder = tmp_path / "person"
        folder.mkdir()
        yield Person(folder=folder, twin=twin)


@pytest.mark.campaign
def test_batches_killed_at_random_moments_send_each_row_exactly_once(person):
    chance = random.Random(20261121)
    alive, ends = 0, []
    for number in range(ROUNDS):
        rows = [csv_row(n, Reference=f"B{number}-{n}") for n in range(ROWS)]
        name = f"batch{number}.csv"
        write_csv(person.folder / name, rows)
        for _ in range(2):
            process = person.start("submit", name, *OPTIONS)
            time.sleep(chance.uniform(0.4, 1.8))
            alive += process.poll() is None
            process.kill()
            process.wait()
        ends.append(person.document("submit", name, *OPTIONS)["counts"])
    sends = [each["sends"] for each in person.state()["projects"]]
    figures = f"{ROUNDS} batches of {ROWS} rows, {alive} kills in mid-run"
    print(figures)  # noqa: T201 - a campaign prints its figures
    assert (ends, sends) == ([{"sent": ROWS}] * ROUNDS, [1] * ROUNDS * ROWS)
