"""Which row of a saved plan is which row of the workbook now.

Rows may have been sorted or moved: what says the same is the same row, then
what has the same key, and then what stands where it stood, as far as most of
it is as it was.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from kawe.domain.batch.saved_plans import PlannedRow
from kawe.flows.plan.describing import Described


@dataclass(frozen=True, slots=True, kw_only=True)
class Matches:
    """Rows that belong together, and those that stand alone."""

    pairs: tuple[tuple[PlannedRow, Described], ...]
    gone: tuple[PlannedRow, ...]
    added: tuple[Described, ...]


def match(planned: Sequence[PlannedRow], now: Sequence[Described]) -> Matches:
    """Find every row of a plan again, as far as it is there."""
    pairs: list[tuple[PlannedRow, Described]] = []
    gone, added = list(planned), list(now)
    for of_planned, of_now, fits in _WAYS:
        found, gone, added = _paired(gone, added, names=(of_planned, of_now), fits=fits)
        pairs += found
    return Matches(pairs=tuple(pairs), gone=tuple(gone), added=tuple(added))


def _paired(
    planned: Sequence[PlannedRow],
    now: Sequence[Described],
    *,
    names: tuple[Callable[[PlannedRow], str], Callable[[Described], str]],
    fits: Callable[[PlannedRow, Described], bool],
) -> tuple[list[tuple[PlannedRow, Described]], list[PlannedRow], list[Described]]:
    """Pair the rows that are called the same, in their order."""
    waiting: dict[str, list[Described]] = defaultdict(list)
    for each in reversed(now):
        waiting[names[1](each)].append(each)
    pairs, gone, taken = [], [], set()
    for row in planned:
        name = names[0](row)
        same = waiting.get(name) if name else None
        if same and fits(row, same[-1]):
            other = same.pop()
            taken.add(id(other))
            pairs.append((row, other))
        else:
            gone.append(row)
    return pairs, gone, [each for each in now if id(each) not in taken]


def _whole(cells: Mapping[str, str]) -> str:
    return " ".join(f"{name}={cells[name]}" for name in sorted(cells))


def _always(planned: PlannedRow, now: Described) -> bool:
    del planned, now
    return True


def _mostly_same(planned: PlannedRow, now: Described) -> bool:
    same = sum(now.cells.get(name) == text for name, text in planned.cells.items())
    return 2 * same >= max(len(planned.cells), len(now.cells))


_WAYS: tuple[
    tuple[
        Callable[[PlannedRow], str],
        Callable[[Described], str],
        Callable[[PlannedRow, Described], bool],
    ],
    ...,
] = (
    (
        lambda row: _whole(row.cells),
        lambda row: _whole(row.cells),
        _always,
    ),
    (lambda row: row.key, lambda row: row.key, _always),
    (lambda row: str(row.number), lambda row: str(row.row.row.ref.row), _mostly_same),
)
