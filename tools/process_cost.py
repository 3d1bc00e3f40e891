"""What one `kawe check` costs as a process: seconds of the CPU, and memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

HANG_SECONDS: Final = 120
# Linux counts kilobytes, macOS bytes.
_RSS_UNIT: Final = 1 if sys.platform == "darwin" else 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What one process took, and what it said."""

    code: int
    seconds: float
    """Of the CPU, so that other work on the machine does not count."""
    peak_bytes: int
    said: str


def cost_of(path: Path, *, folder: Path) -> Cost:
    """Check `path` in a process of its own, ended if it does not end by itself."""
    said = folder / "said.txt"
    command = (
        *(sys.executable, "-m", "kawe", "check", str(path), "--offline"),
        *("--result", str(folder / "result.xlsx")),
    )
    told = subprocess.run(
        [sys.executable, "-S", "-c", _LAUNCHER, str(said), *command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env={**os.environ, **_home(folder)},
        check=True,
    )
    code, seconds, peak = json.loads(told.stdout)
    return Cost(
        code=code,
        seconds=seconds,
        peak_bytes=peak * _RSS_UNIT,
        said=said.read_text("utf-8", "replace"),
    )


# A process begins with the peak of the one that it was forked from, so a small
# one stands between this and the one that is measured.
_LAUNCHER: Final = f"""
import os, sys, signal
child = os.fork()
if not child:
    out = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(out, 1)
    os.dup2(out, 2)
    os.execv(sys.argv[2], sys.argv[2:])
signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
signal.alarm({HANG_SECONDS})
_, status, used = os.wait4(child, 0)
took = used.ru_utime + used.ru_stime
print([os.waitstatus_to_exitcode(status), took, used.ru_maxrss])
"""


def _home(folder: Path) -> Mapping[str, str]:
    return {
        "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_STATE_HOME": str(folder / "state"),
    }
