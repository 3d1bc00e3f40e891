"""Batches whose tokens run out, are bought meanwhile, or were never there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from doubles.memory_scene import MemoryScene
from doubles.rows import checked_projects, project
from doubles.service import MemoryService
from kawe.domain.batch.outcomes import Outcome, outcome_of
from kawe.domain.batch.waiting import in_order
from kawe.domain.service.service_words import ProjectId
from kawe.domain.service.states import NotDone, Reason, Verdict
from kawe.errors import KaweError
from kawe.flows.check.checking import Checked

LIMITED = NotDone(reason=Reason.RATE_LIMITED, http_status=429)
_WELL = frozenset({Outcome.SENT, Outcome.DEFERRED})
_MOST_RUNS = 50
FIRST_DAY: Final = date(2030, 3, 4)


@dataclass(kw_only=True)
class Purse(MemoryService):
    """A service whose tokens other people buy and spend while kawe sends."""

    changes: Mapping[int, int] | None = None
    """By the number of a send, counted from 1: tokens gained or lost before it."""
    refused: int = 0
    """Sends that were answered with 402."""

    async def send(self, project: ProjectId, body: Mapping[str, object]) -> Verdict:
        """Send, with the tokens that are there at this moment."""
        change = (self.changes or {}).get(self.calls["send"] + 1, 0)
        self.tokens = max(0, self.tokens + change)
        verdict = await super().send(project, body)
        is_402 = isinstance(verdict, NotDone) and verdict.reason is Reason.NO_TOKENS
        self.refused += is_402
        return verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """How a batch stood after its first run, and after it was finished."""

    sent: int
    deferred: int
    failed: int
    """Rows that are neither sent nor waiting for tokens."""
    passed_over: int
    """Rows that waited then although a less urgent one was sent."""
    refused: int
    """Sends of the first run that were answered with 402."""
    runs: int
    """How many more runs it took to finish, with tokens enough."""
    creates: int
    most_sends: int
    """How often the row that was sent most often was sent."""
    unsent: int
    """Rows that are not sent at the very end."""


def sheet(rows: int) -> Checked:
    """Make rows whose urgency is not the order of the sheet."""
    days = (FIRST_DAY + timedelta(days=n * 7 % 30) for n in range(rows))
    return checked_projects([project(n, respond_by_on=on) for n, on in enumerate(days)])


def spend(
    purse: Purse, *, rows: int, workers: int = 3, shown: int | None = None
) -> Spent:
    """Submit `rows` rows while the balance shows `shown`, then buy and go on."""
    scene = MemoryScene(service=purse, workers=workers)
    scene.submit(sheet(rows), balance=purse.tokens if shown is None else shown)
    return _finished(scene, purse, rows=rows, refused=purse.refused)


def release_some(
    purse: Purse, *, rows: int, workers: int = 3, shown: int | None = None
) -> Spent:
    """Submit `rows` rows without a token, release with those of `purse`, go on."""
    scene = MemoryScene(service=purse, workers=workers)
    tokens, purse.tokens = purse.tokens, 0
    scene.submit(sheet(rows))
    # What happens before a send is counted from the first of the release.
    purse.tokens = tokens
    purse.calls["send"] = 0
    scene.release(balance=tokens if shown is None else shown)
    return _finished(scene, purse, rows=rows, refused=purse.refused)


def _finished(scene: MemoryScene, purse: Purse, *, rows: int, refused: int) -> Spent:
    first, passed_over = scene.outcomes(), _passed_over(scene)
    purse.tokens, purse.changes = purse.tokens + rows, None
    runs = 0
    while scene.outcomes()[Outcome.SENT] < rows and runs < _MOST_RUNS:
        runs += 1
        if scene.outcomes()[Outcome.UNFINISHED]:
            scene.submit(sheet(rows))
        else:
            scene.release()
    return Spent(
        sent=first[Outcome.SENT],
        deferred=first[Outcome.DEFERRED],
        failed=_failed(first),
        passed_over=passed_over,
        refused=refused,
        runs=runs,
        creates=len(purse.projects_there),
        most_sends=max(purse.sends.values(), default=0),
        unsent=rows - scene.outcomes()[Outcome.SENT],
    )


def _passed_over(scene: MemoryScene) -> int:
    went = [
        outcome_of(each.state) is Outcome.SENT for each in in_order(scene.entries())
    ]
    last = max((at for at, is_sent in enumerate(went) if is_sent), default=0)
    return sum(not is_sent for is_sent in went[:last])


def storm(*, rows: int, workers: int, answers: int) -> Spent:
    """Submit while so many acts of each kind are answered with 429."""
    script: dict[str, list[Verdict | KaweError]] = {
        "create": [LIMITED] * answers,
        "send": [LIMITED] * answers,
    }
    return spend(Purse(script=script), rows=rows, workers=workers)


def _failed(outcomes: Counter[Outcome]) -> int:
    return sum(
        count
        for outcome, count in outcomes.items()
        if outcome not in _WELL | {Outcome.UNFINISHED}
    )
