"""The death of a process at the n-th visit of one named point.

Set once, before the command line begins. `visit` is called by what is wrapped
around the adapters, from whichever thread comes by.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from threading import Lock
from typing import Any


def put_around(owner: Any, name: str, around: Callable[[Any], Any]) -> None:
    """Replace what `owner` calls `name` by what `around` makes of it.

    Raises:
        AttributeError: It has no such thing any more.
    """
    inner = getattr(owner, name)
    setattr(owner, name, wraps(inner)(around(inner)))


@dataclass(slots=True)
class Clockwork:
    """Counts visits of one point, and kills at the last of them."""

    point: str
    visits_left: int
    tell: int
    """A descriptor that hears the name of the point just before the end."""
    _lock: Lock

    @classmethod
    def set_for(cls, point: str, *, visit: int, tell: int) -> Clockwork:
        """Set it for one visit of one point; no point, and it never strikes."""
        return cls(point=point, visits_left=visit, tell=tell, _lock=Lock())

    def is_due(self, point: str) -> bool:
        """Say whether the next visit of `point` is the last."""
        return point == self.point and self.visits_left == 1

    def visit(self, point: str) -> None:
        """Come by a point; do not return from it when it is time."""
        if point != self.point:
            return
        with self._lock:
            self.visits_left -= 1
            if self.visits_left == 0:
                os.write(self.tell, point.encode())
                os.kill(os.getpid(), signal.SIGKILL)
