"""A process that has kawe loaded, and gives birth to command lines that may be killed.

A child is a process of its own: the real command line, with its own folder,
surroundings, journal and sockets; only the imports were made before, so that no
thread, no event loop, no connection is shared by birth.
"""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from types import TracebackType
from typing import Any, Final, Self

from doubles.typed_commands import Forking
from faults.kills.clockwork import Clockwork
from faults.kills.file_points import install_file_points
from faults.kills.journal_points import JournalPoints
from faults.kills.points import ANY_MOMENT
from faults.kills.wire_points import install_wire_points

_LONGEST_SECONDS: Final = 110


@dataclass(frozen=True, slots=True, kw_only=True)
class Kill:
    """Where a child is to die."""

    point: str
    visit: int = 1
    """At which visit; for any moment, after how many thousandths of a second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """How a child ended."""

    exit_code: int | None
    """None: a signal ended it."""
    signal: int | None
    killed_at: str
    """The point at which it was killed; empty where it came by no such visit."""


class Nursery:
    """A nursery of this process; a context manager."""

    def __init__(self) -> None:
        self._parent: Final = Forking()
        self._parent.tell({"load": [__name__]})

    def run(
        self, told: Mapping[str, Any], *, output: str, kill: Kill | None = None
    ) -> End:
        """Have one child with its words, folder and environment; wait for its end.

        What it prints goes to the file `output`.
        """
        where = None if kill is None else asdict(kill)
        paths = {"out": output, "err": f"{output}.err"}
        line = self._parent.asked({**told, **paths, "kill": where})
        return End(**json.loads(line))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        trouble: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._parent.end()


def have_child(told: dict[str, Any], fork: Callable[[dict[str, Any]], int]) -> str:
    """Have a child that may be killed, and say how it ended."""
    if threading.active_count() > 1:
        raise AssertionError("a child would be born into a process with threads")
    heard, told["tell"] = os.pipe()
    child = fork(told)
    os.close(told["tell"])
    with os.fdopen(heard, "rb") as note:
        killed_at = note.read().decode()
    _, status = os.waitpid(child, 0)
    ended_by = os.WTERMSIG(status) if os.WIFSIGNALED(status) else None
    if ended_by == signal.SIGALRM and told["kill"] is not None:
        killed_at = told["kill"]["point"]
    end = End(
        exit_code=os.WEXITSTATUS(status) if ended_by is None else None,
        signal=ended_by,
        killed_at=killed_at,
    )
    return json.dumps(asdict(end))


def begin(told: dict[str, Any]) -> None:
    """Let this child die where it is told to, and never outlast its time."""
    # Whatever hangs is killed by the system, and its signal tells.
    signal.alarm(_LONGEST_SECONDS)
    if told["kill"] is None:
        return
    kill = Kill(**told["kill"])
    if kill.point == ANY_MOMENT:
        # Nobody listens to this signal: it ends the process where it stands.
        signal.setitimer(signal.ITIMER_REAL, kill.visit / 1000)
        return
    clockwork = Clockwork.set_for(kill.point, visit=kill.visit, tell=told["tell"])
    JournalPoints(clockwork).install()
    install_wire_points(clockwork)
    install_file_points(clockwork)
