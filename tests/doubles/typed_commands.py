"""Commands of kawe, whoever types them.

Most of what a short command takes is starting Python and loading kawe. Where only
its end is of interest, a process that has loaded kawe already carries it out.
"""

from __future__ import annotations

import atexit
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from select import select
from typing import Any, Final, Protocol

import kawe
from doubles.published import check_document

_SECONDS: Final = 120
_MARK: Final = re.compile(r"[\ufdd0-\ufdd2]|\\ufdd[0-2]")
_KAWE: Final = str(Path(kawe.__file__).parents[1])
# What Python and the libraries read when they are loaded.
_READ_AT_START: Final = ("LANG", "LC_", "LD_", "PROJ_", "PYTHON", "TZ")
# Not this one: whoever forks never loads what reads it.
_READ_LATER: Final = "PYTHON_KEYRING_BACKEND"
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
_idle: Final[list[Forking]] = []


@dataclass(slots=True, kw_only=True)
class AtTerminal:
    """Whoever types commands, in a folder of theirs."""

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)

    def surroundings(self) -> dict[str, str]:
        """Give the environment that their commands are started in."""
        raise NotImplementedError

    def command(self, *words: str) -> list[str]:
        return command_line(*words)

    def run(self, *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        return run_command(
            words, folder=self.folder, environment=self.surroundings(), typed=typed
        )

    def stdout_of(self, *words: str, code: int = 0, typed: str = "") -> str:
        """Run a command that must end with a code; give what it printed."""
        return self._ended(words, code=code, typed=typed).stdout

    def stderr_of(self, *words: str, code: int = 0, typed: str = "") -> str:
        """Run a command that must end with a code; give what it said beside that."""
        return self._ended(words, code=code, typed=typed).stderr

    def _ended(
        self, words: tuple[str, ...], *, code: int, typed: str
    ) -> subprocess.CompletedProcess[str]:
        ended = self.run(*words, typed=typed)
        assert ended.returncode == code, ended.stdout + ended.stderr
        return ended

    def document(self, *words: str) -> dict[str, Any]:
        """Run a command with --json and give what it printed of anything but its run.

        Every answer has that; `test_run_records` shows what is in it.
        """
        value: dict[str, Any] = json.loads(self.run(*words, "--json").stdout)
        del value["run"]
        return value

    def start(self, *words: str) -> Started:
        return start_command(words, folder=self.folder, environment=self.surroundings())


def command_line(*words: str) -> list[str]:
    return [sys.executable, "-m", "kawe", *words]


def run_command(
    words: tuple[str, ...], *, folder: Path, environment: Mapping[str, str], typed: str
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end; it prints no mark, and documents as published."""
    ended = _run(words, folder=folder, environment=environment, typed=typed)
    assert not _MARK.search(ended.stdout + ended.stderr)
    check_document(words, ended.stdout)
    return ended


def _run(
    words: tuple[str, ...], *, folder: Path, environment: Mapping[str, str], typed: str
) -> subprocess.CompletedProcess[str]:
    if not _forks(environment):
        return subprocess.run(
            command_line(*words),
            cwd=folder,
            env=environment,
            input=typed,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=_SECONDS,
            check=False,
        )
    # Two threads may each be somebody at a terminal.
    parent = _idle.pop() if _idle else Forking()
    ended = parent.run(words, folder=folder, environment=environment, typed=typed)
    _idle.append(parent)
    return ended


def start_command(
    words: tuple[str, ...],
    *,
    folder: Path,
    environment: Mapping[str, str],
    screen: str = os.devnull,
    errors: str = "",
    keys: str = os.devnull,
    umask: int = 0o022,
) -> Started:
    """Start a command and go on; what it says goes to a file, a pipe or a terminal."""
    told = {
        "folder": str(folder),
        "environment": dict(environment),
        "words": words,
        "out": screen,
        "err": errors or screen,
        "typed": keys,
        "umask": umask,
        "goes_on": True,
    }
    if _forks(environment):
        parent = _idle.pop() if _idle else Forking()
        started = _Forked(parent, words, pid=parent.start(told))
        _idle.append(parent)
        return started
    with (
        Path(screen).open("r+b", buffering=0) as out,
        Path(errors or screen).open("r+b", buffering=0) as err,
    ):
        return subprocess.Popen(
            command_line(*words),
            cwd=folder,
            env=environment,
            stdin=out if keys == screen else subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=keys == screen,
            umask=umask,
        )


def _forks(environment: Mapping[str, str]) -> bool:
    return hasattr(os, "fork") and not any(
        name.startswith(_READ_AT_START) and name != _READ_LATER for name in environment
    )


class Started(Protocol):
    """A process that goes on, as `subprocess.Popen` has it."""

    pid: int
    returncode: int | Any

    def poll(self) -> int | None: ...

    def wait(self, timeout: float | None = None) -> int: ...

    def send_signal(self, sig: int) -> None: ...

    def kill(self) -> None: ...


class _Forked:
    """A command that is a fork, and goes on."""

    def __init__(self, parent: Forking, words: tuple[str, ...], *, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._parent = parent
        self._words = words

    def poll(self) -> int | None:
        if self.returncode is None:
            self.returncode = self._parent.ended(self.pid)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        patience = _SECONDS if timeout is None else timeout
        deadline = time.monotonic() + patience
        while (code := self.poll()) is None:
            if time.monotonic() > deadline:
                raise subprocess.TimeoutExpired(self._words, patience)
            time.sleep(0.01)
        return code

    def send_signal(self, sig: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, sig)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Forking:
    """A process that has kawe loaded, and starts one command at a time."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="kawe-commands-")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "doubles.forking"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # In a copy with a planted bug, commands have the bug too.
            env={
                "PATH": os.environ["PATH"],
                "PYTHONPATH": os.pathsep.join((_tests(), _KAWE)),
            },
            start_new_session=True,
        )
        self._lock = threading.Lock()
        atexit.register(self.end)
        self.tell({"load": [*_modules(), *_FIRST_USED_LATE]})

    def start(self, told: dict[str, Any]) -> int:
        """Start a command and go on; give its number."""
        return int(self.asked(told))

    def ended(self, pid: int) -> int | None:
        """Give the exit code of what was started; None: it goes on."""
        answer = self.asked({"ended": pid}).strip()
        return int(answer) if answer else None

    def asked(self, told: dict[str, Any]) -> bytes:
        """Give the one line that answers."""
        pipe = self._process.stdout
        assert pipe is not None
        with self._lock:
            self.tell(told)
            if select([pipe], [], [], _SECONDS)[0]:
                return pipe.readline()
        self.end()
        raise subprocess.TimeoutExpired(str(told), _SECONDS)

    def run(
        self,
        words: tuple[str, ...],
        *,
        folder: Path,
        environment: Mapping[str, str],
        typed: str,
    ) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        place = Path(self._folder.name)
        out, err, keys = map(place.joinpath, ("out", "err", "typed"))
        keys.write_text(typed, encoding="utf-8")
        told = {
            "folder": str(folder),
            "environment": dict(environment),
            "words": words,
            "out": str(out),
            "err": str(err),
            "typed": str(keys),
        }
        code = int(self.asked(told))
        return subprocess.CompletedProcess(
            command_line(*words),
            code,
            stdout=out.read_text(encoding="utf-8"),
            stderr=err.read_text(encoding="utf-8"),
        )

    def tell(self, told: dict[str, Any]) -> None:
        """Ask for what has no answer."""
        pipe = self._process.stdin
        assert pipe is not None
        pipe.write(f"{json.dumps(told)}\n".encode())
        pipe.flush()

    def end(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


def _tests() -> str:
    return str(Path(__file__).parents[1])


def _modules() -> list[str]:
    source = Path(_tests()).parent / "src"
    return [
        ".".join(path.relative_to(source).with_suffix("").parts)
        for path in sorted(source.rglob("*.py"))
        if not path.stem.startswith("__")
    ]
