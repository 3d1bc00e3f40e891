"""Makes outlines simpler, and measures them; plane geometry in metres."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from coast_source import Metres


def simplified(ring: Metres, *, metres: float) -> Metres:
    """Leave out points that lie within `metres` of what remains.

    Douglas and Peucker (1973), from the two points that are farthest apart.
    """
    start = max(range(len(ring)), key=lambda at: math.dist(ring[0], ring[at]))
    far = max(range(len(ring)), key=lambda at: math.dist(ring[start], ring[at]))
    one, two = sorted((start, far))
    kept = {one, two}
    around = ring[:-1] + ring[:-1]
    length = len(ring) - 1
    for first, last in ((one, two), (two, one + length)):
        kept |= {at % length for at in _kept(around, (first, last), metres=metres)}
    points = [ring[at] for at in sorted(at % length for at in kept)]
    return [*points, points[0]]


def area(ring: Metres) -> float:
    """Measure in square metres."""
    twice = sum(x * to_y - to_x * y for (x, y), (to_x, to_y) in pairwise(ring))
    return abs(twice) / 2


def _kept(
    points: Sequence[tuple[float, float]], ends: tuple[int, int], *, metres: float
) -> set[int]:
    kept = set()
    spans = [ends]
    while spans:
        one, two = spans.pop()
        if two - one < 2:
            continue
        apart, at = max(
            (_apart(points[at], points[one], points[two]), at)
            for at in range(one + 1, two)
        )
        if apart > metres:
            kept.add(at)
            spans += [(one, at), (at, two)]
    return kept


def _apart(
    point: tuple[float, float], one: tuple[float, float], two: tuple[float, float]
) -> float:
    along_x, along_y = two[0] - one[0], two[1] - one[1]
    x, y = point[0] - one[0], point[1] - one[1]
    length = along_x * along_x + along_y * along_y
    at = 0.0 if length == 0 else (x * along_x + y * along_y) / length
    at = min(1.0, max(0.0, at))
    return math.hypot(x - at * along_x, y - at * along_y)
