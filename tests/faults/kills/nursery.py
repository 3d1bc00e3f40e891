"""A process that has imported kawe once, and gives birth to its command line.

`python -m faults.kills.nursery` reads one wish a line and answers each with
one line. A child is a process of its own: the real command line, with its own
folder, surroundings, journal and sockets; only the imports were made before.
Nothing but imports happens here, so that no thread, no event loop, no
connection is shared by birth.
"""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from faults.kills.points import ANY_MOMENT

_LONGEST_SECONDS: Final = 120
_NOT_NEEDED: Final = ("kawe.__main__", "kawe.cli.serve", "kawe.cli.demo")
_BESIDE: Final = ("kawe_contract", "kawe_places", "kawe_xlsx")
_FIRST_USED_LATE: Final = (
    "anyio._backends._asyncio",
    "concurrent.futures.thread",
    "encodings.cp437",
    "encodings.idna",
    "encodings.utf_8_sig",
    "holidays.countries",
    "httpcore._backends.anyio",
    "jsonschema_rs",
    "openpyxl.cell._writer",
    "openpyxl.packaging.extended",
    "referencing.jsonschema",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kill:
    """Where a child is to die."""

    point: str
    visit: int = 1
    """At which visit; for any moment, after how many thousandths of a second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """One run of the command line."""

    words: tuple[str, ...]
    folder: str
    surroundings: Mapping[str, str] = field(repr=False)
    output: str
    """The file that takes what is printed."""
    kill: Kill | None = None


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
        self._process: Final = subprocess.Popen(
            [sys.executable, "-m", "faults.kills.nursery"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, _paths()))},
        )

    def run(self, wish: Wish) -> End:
        """Have one child, and wait for its end."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(asdict(wish)) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise AssertionError("the nursery has ended; above it says why")
        return End(**json.loads(line))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        trouble: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


def _paths() -> list[Path]:
    tests = Path(__file__).parents[2]
    return [tests, tests.parent / "src"]


def _import_everything() -> None:
    import kawe  # noqa: PLC0415 - in the nursery alone

    beside = [Path(kawe.__file__).parents[1] / name for name in _BESIDE]
    for module in (
        *pkgutil.walk_packages(kawe.__path__, "kawe."),
        *(m for at in beside for m in pkgutil.walk_packages([str(at)], f"{at.name}.")),
    ):
        if not module.name.startswith(_NOT_NEEDED):
            importlib.import_module(module.name)
    for name in _FIRST_USED_LATE:
        importlib.import_module(name)


def _wish(line: str) -> Wish:
    told = json.loads(line)
    kill = told["kill"] and Kill(**told["kill"])
    return Wish(**{**told, "words": tuple(told["words"]), "kill": kill})


def _have_child(wish: Wish) -> End:
    heard, tell = os.pipe()
    child = os.fork()
    if child == 0:
        _be_born(wish, tell=tell)
    os.close(tell)
    with os.fdopen(heard, "rb") as note:
        killed_at = note.read().decode()
    _, status = os.waitpid(child, 0)
    ended_by = os.WTERMSIG(status) if os.WIFSIGNALED(status) else None
    if ended_by == signal.SIGALRM and wish.kill is not None:
        killed_at = wish.kill.point
    return End(
        exit_code=os.WEXITSTATUS(status) if ended_by is None else None,
        signal=ended_by,
        killed_at=killed_at,
    )


def _be_born(wish: Wish, *, tell: int) -> None:
    """Become the command line; never returns."""
    code = 70
    try:
        _settle_in(wish)
        if wish.kill is not None:
            _install(wish.kill, tell=tell)
        from kawe.cli.app import main  # noqa: PLC0415 - imported before, by name

        main()
    except SystemExit as leave:
        code = int(leave.code or 0)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _settle_in(wish: Wish) -> None:
    # Whatever hangs is killed by the system, and its signal tells.
    signal.alarm(_LONGEST_SECONDS)
    os.chdir(wish.folder)
    os.environ.clear()
    os.environ.update(wish.surroundings)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    for descriptor, name in ((1, wish.output), (2, f"{wish.output}.err")):
        file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(file, descriptor)
    sys.argv = ["kawe", *wish.words]


def _install(kill: Kill, *, tell: int) -> None:
    if kill.point == ANY_MOMENT:
        # Nobody listens to this signal: it ends the process where it stands.
        signal.setitimer(signal.ITIMER_REAL, kill.visit / 1000)
        return
    from faults.kills.clockwork import Clockwork  # noqa: PLC0415 - as above
    from faults.kills.file_points import install_file_points  # noqa: PLC0415 - same
    from faults.kills.journal_points import JournalPoints  # noqa: PLC0415 - same
    from faults.kills.wire_points import install_wire_points  # noqa: PLC0415 - same

    clockwork = Clockwork.set_for(kill.point, visit=kill.visit, tell=tell)
    JournalPoints(clockwork).install()
    install_wire_points(clockwork)
    install_file_points(clockwork)


def _answer() -> None:
    _import_everything()
    importlib.import_module("faults.kills.file_points")
    importlib.import_module("faults.kills.journal_points")
    importlib.import_module("faults.kills.wire_points")
    for line in sys.stdin:
        if threading.active_count() > 1:
            raise AssertionError("a child would be born into a process with threads")
        end: Any = asdict(_have_child(_wish(line)))
        sys.stdout.write(json.dumps(end) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _answer()
