"""Commands of kawe as real processes, whoever types them.

Most of what a short command takes is starting Python and loading kawe. Where only
its end is of interest, its process is a fork of one that has loaded kawe already.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from select import select
from typing import Any, Final

import kawe

_SECONDS: Final = 120
_KAWE: Final = str(Path(kawe.__file__).parents[1])
# What Python and the libraries read when they are loaded.
_READ_AT_START: Final = ("LANG", "LC_", "LD_", "PROJ_", "PYTHON", "TZ")
# Not this one: whoever forks never loads what reads it.
_READ_LATER: Final = "PYTHON_KEYRING_BACKEND"
_idle: Final[list[_Forking]] = []


def command_line(*words: str) -> list[str]:
    """Give the command line of a real process."""
    return [sys.executable, "-m", "kawe", *words]


def run_command(
    words: tuple[str, ...], *, folder: Path, environment: Mapping[str, str], typed: str
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    if not hasattr(os, "fork") or any(
        name.startswith(_READ_AT_START) and name != _READ_LATER for name in environment
    ):
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
    parent = _idle.pop() if _idle else _Forking()
    ended = parent.run(words, folder=folder, environment=environment, typed=typed)
    _idle.append(parent)
    return ended


class _Forking:
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
        atexit.register(self._end)
        self._tell({"load": _modules()})

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
        out, err, keys, loaded = map(place.joinpath, ("out", "err", "typed", "new"))
        keys.write_text(typed, encoding="utf-8")
        self._tell(
            {
                "folder": str(folder),
                "environment": dict(environment),
                "words": words,
                "out": str(out),
                "err": str(err),
                "typed": str(keys),
                "loaded": str(loaded),
            }
        )
        pipe = self._process.stdout
        assert pipe is not None
        if not select([pipe], [], [], _SECONDS)[0]:
            self._end()
            raise subprocess.TimeoutExpired(words, _SECONDS)
        code = int(pipe.readline())
        # What one command had to load is there for those that follow.
        if loaded.exists() and (new := json.loads(loaded.read_text("utf-8"))):
            self._tell({"load": new})
        loaded.unlink(missing_ok=True)
        return subprocess.CompletedProcess(
            command_line(*words),
            code,
            stdout=out.read_text(encoding="utf-8"),
            stderr=err.read_text(encoding="utf-8"),
        )

    def _tell(self, told: dict[str, Any]) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        pipe.write(f"{json.dumps(told)}\n".encode())
        pipe.flush()

    def _end(self) -> None:
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
