"""What happens to a batch: where it is killed, and when it may go to its end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from faults.kills import points
from faults.kills.life import Life
from faults.kills.stand import EXPORT, RELEASE, submit
from faults.kills.workload import PEOPLE, PROJECTS

_DONE: Final = (0,)
_DONE_OR_WAITING: Final = (0, 4)
_EPISODES: Final = 3
_MOST_IN_A_ROW: Final = 4
_SHORT_OF_TOKENS_EACH: Final = 3


def _ending(names: Sequence[str], moments: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if name.endswith(moments))


_STEPS: Final = (*points.CREATES, *points.ORGANISATIONS, *points.SENDS)
_INVITES_UNDONE: Final = (*points.BATCH, *_ending(points.INVITES, points.UNDONE))
_INVITES_MADE: Final = tuple(set(points.INVITES) - set(_INVITES_UNDONE))
_PEOPLE_KILLS: Final = (_INVITES_UNDONE, tuple(sorted(_INVITES_MADE)))
_CREATE_KILLS: Final = (
    (
        points.ORGANISATIONS,
        (*points.ORGANISATIONS, *points.UPLOADS),
        points.CREATES,
        (*points.CREATES, *points.PAGES),
    ),
    (
        points.UPLOADS,
        (*points.UPLOADS, points.ANY_MOMENT),
        points.CREATES,
        (*points.CREATES, *points.ORGANISATIONS, *points.PAGES),
    ),
)
"""By turns: the organisation is made by one of the first rows."""
_SEND_KILLS: Final = (
    points.SENDS,
    (*points.SENDS, points.ANY_MOMENT),
    points.NUMBERS,
    points.RESULTS,
)
_RELEASE_KILLS: Final = (points.SENDS, (*points.SENDS, *points.RESULTS))
_EXPORT_KILLS: Final = (
    points.RECEIPTS,
    (*points.RECEIPTS, *points.LISTS, points.ANY_MOMENT),
)
_DANGER: Final = tuple(
    name
    for name in _ending(_STEPS, points.DANGER)
    if not name.startswith(("move", "read"))
)
_INVITES_IN_DANGER: Final = _ending(points.INVITES, points.DANGER)
_INVITING: Final = (*points.BATCH, *points.INVITES, points.ANY_MOMENT)
_ANYWHERE: Final = (
    *points.BATCH,
    *points.UPLOADS,
    *_STEPS,
    *points.PAGES,
    *points.RESULTS,
    points.ANY_MOMENT,
)


def be_killed(life: Life) -> None:
    """Ten kills or so, from the invitations to the lists of the export."""
    for pool in _PEOPLE_KILLS:
        life.kill_at_one_of(pool, submit(PEOPLE))
    life.finish(submit(PEOPLE), allowed=_DONE)
    is_short = life.wanted.number % _SHORT_OF_TOKENS_EACH == 0
    if is_short:
        life.leave_few_tokens()
    for pool in (*_CREATE_KILLS[life.wanted.number % 2], *_SEND_KILLS):
        life.kill_at_one_of(pool, submit(PROJECTS))
    life.finish(submit(PROJECTS), allowed=_DONE_OR_WAITING if is_short else _DONE)
    if is_short:
        life.buy_tokens()
        for pool in _RELEASE_KILLS:
            life.kill_at_one_of(pool, RELEASE)
        life.finish(RELEASE, allowed=_DONE)
    for pool in _EXPORT_KILLS:
        life.kill_at_one_of(pool, EXPORT)
    life.finish(EXPORT, allowed=_DONE)
    life.end()


def be_killed_in_recovery(life: Life) -> None:
    """Kills that leave a doubt, each followed by kills of what would settle it."""
    _episode(life, submit(PEOPLE), danger=_INVITES_IN_DANGER, anywhere=_INVITING)
    life.finish(submit(PEOPLE), allowed=_DONE)
    for _ in range(_EPISODES):
        _episode(life, submit(PROJECTS), danger=_DANGER, anywhere=_ANYWHERE)
    life.finish(submit(PROJECTS), allowed=_DONE)
    life.finish(EXPORT, allowed=_DONE)
    life.end()


def _episode(
    life: Life,
    words: tuple[str, ...],
    *,
    danger: Sequence[str],
    anywhere: Sequence[str],
) -> None:
    point = life.kill_at_one_of(danger, words)
    settling = _settling_of(point)
    for _ in range(life.chance.randint(1, _MOST_IN_A_ROW) if point else 0):
        is_settled = not settling
        is_elsewhere = is_settled or life.chance.random() < 0.3
        pool = anywhere if is_elsewhere else settling
        killed_at = life.kill_at_one_of(pool, words, recovers=True)
        if not killed_at:
            return
        if killed_at == "settle.move.after-commit":
            settling = ()


def _settling_of(point: str) -> tuple[str, ...]:
    """Say which points the settling of a step in doubt comes by."""
    name = point.partition(".")[0]
    read = {"send": "settle.read", "invite": "settle.team"}.get(name, "settle.page")
    return tuple(
        each for each in points.SETTLING if each.startswith((read, "settle.move"))
    )
