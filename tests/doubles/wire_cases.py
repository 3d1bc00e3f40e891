"""A submit of which every act is cut at another byte, and what is concluded."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import kawe.cases.kinds  # noqa: F401 - declares what a journal's rows can be
from doubles.command import Person, at_a_twin
from doubles.cutting import Cut, CuttingProxy, Way, cutting_proxy
from kawe.domain.service.states import Attempt, Step
from kawe.journal.journal import StoreJournal

_WORDS: Final = (
    *("submit", "monthly.csv", "--yes", "9999", "--no-input"),
    *("--settle", "0.5"),
)


@dataclass(slots=True, kw_only=True)
class Line:
    """A person whose way to the twin leads through a proxy."""

    person: Person
    proxy: CuttingProxy


@contextmanager
def a_line(folder: Path, *, rows: int) -> Iterator[Line]:
    """Have somebody with a workbook of so many rows behind a proxy."""
    with at_a_twin(folder, rows=range(rows), tokens=rows + 9) as person:
        url = person.twin.address.api_url
        port = urlsplit(url).port
        assert port is not None
        with cutting_proxy(port) as proxy:
            url = url.replace(f":{port}", f":{proxy.port}")
            person.environment = {"KAWE_BASE_URL": url}
            yield Line(person=person, proxy=proxy)


def lengths(folder: Path) -> dict[tuple[Step, Way], int]:
    """Measure the bytes of a create and of a send, there and back."""
    with a_line(folder, rows=1) as line:
        line.person.run(*_WORDS)
        return {
            (act.step, way): len(data)
            for act in line.proxy.acts
            for way, data in ((Way.REQUEST, act.request), (Way.ANSWER, act.answer))
        }


def cuts(
    measured: dict[tuple[Step, Way], int], step: Step, *, every: int, resets: bool
) -> list[Cut]:
    """Give a cut at every n-th byte of a step, there and back, and at the ends."""
    found = []
    for way in Way:
        length = measured[step, way]
        places = {*range(0, length, every), 1, length - 1, length}
        found += [Cut(way=way, at=at, resets=resets) for at in sorted(places)]
    return found


@dataclass(slots=True, kw_only=True)
class Cuts:
    """What became of the acts that were cut."""

    acts: int = 0
    rows: int = 0
    doubled: int = 0
    lost: int = 0
    to_a_person: int = 0
    complaints: list[str] = field(default_factory=list)


def try_cuts(folder: Path, *, creates: Sequence[Cut], sends: Sequence[Cut]) -> Cuts:
    """Submit a row for each cut, and look at verdicts, sends and one more run."""
    rows = max(len(creates), len(sends))
    with a_line(folder, rows=rows) as line:
        line.proxy.cuts = {Step.CREATE: deque(creates), Step.SEND: deque(sends)}
        done = line.person.document(*_WORDS)
        struck = [act for act in line.proxy.acts if act.cut is not None]
        found = Cuts(acts=len(struck), rows=rows)
        found.complaints += _wrong_verdicts(line)
        acts = len(line.proxy.acts)
        again = line.person.document(*_WORDS)
        if len(line.proxy.acts) != acts:
            found.complaints.append("one more run made unsafe calls")
        counted = [each["sends"] for each in line.person.state()["projects"]]
    found.doubled = sum(each - 1 for each in counted if each > 1)
    found.lost = rows - sum(1 for each in counted if each)
    found.to_a_person = rows - again["counts"].get("sent", 0)
    for each in (done, again):
        if (each["exit_code"], each["counts"]) != (0, {"sent": rows}):
            found.complaints.append(f"ended with {each['exit_code']}: {each['counts']}")
    if len(struck) != len(creates) + len(sends):
        found.complaints.append(f"only {len(struck)} acts were cut")
    return found


def _wrong_verdicts(line: Line) -> Iterator[str]:
    (journal,) = (line.person.folder / "home").rglob("*.journal")
    kept = asyncio.run(_attempts(journal))
    attempts = {about: iter(each) for about, each in kept.items()}
    for act in line.proxy.acts:
        # What was cut may be tried again while others have yet to meet their cuts.
        tried = next(attempts.get((act.step, act.about), iter(())), None)
        if act.cut is None:
            continue
        verdict = None if tried is None else tried.verdict
        expected = {"unknown"} if not act.is_whole else {"done"}
        if act.is_whole and act.cut.resets:
            # A reset may throw away what had arrived already.
            expected.add("unknown")
        if verdict not in expected:
            yield f"{act.step} {act.cut} of {len(act.answer)}: {verdict}"


async def _attempts(path: Path) -> dict[tuple[Step, str], list[Attempt]]:
    journal = StoreJournal.open(path, read_only=True)
    found: dict[tuple[Step, str], list[Attempt]] = {}
    async with aclosing(journal):
        for batch in await journal.batches():
            for entry in await journal.entries(batch.name):
                for each in await journal.attempts(entry.key):
                    step = each.intent.step
                    about = entry.marker if step is Step.CREATE else entry.project_id
                    found.setdefault((step, str(about)), []).append(each)
    return found


def batches(cuts: Sequence[Cut], size: int) -> Iterator[list[Cut]]:
    """Give the cuts, so many at a time."""
    left = iter(cuts)
    while batch := list(islice(left, size)):
        yield batch
