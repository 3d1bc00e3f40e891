"""Commands of kawe as real processes, whoever types them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path


def command_line(*words: str) -> list[str]:
    """Give the command line of a real process."""
    return [sys.executable, "-m", "kawe", *words]


def run_command(
    words: tuple[str, ...], *, folder: Path, environment: Mapping[str, str], typed: str
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        command_line(*words),
        cwd=folder,
        env=environment,
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
