"""The demo, run by a kawe that was just installed."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

_ADDS_UP: Final = "42 projects sent once, none sent more than once."


def demo_troubles(
    kawe: Sequence[str], folder: Path, surroundings: Mapping[str, str]
) -> list[str]:
    """Run the demo in a folder; give a line if it does not end as it should."""
    begun = time.monotonic()
    ended = subprocess.run(
        [*kawe, "demo", "--output", "demo"],
        check=False,
        cwd=folder,
        env=surroundings,
        text=True,
        encoding="utf-8",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    print(f"demo in {time.monotonic() - begun:.1f} s")
    if ended.returncode == 0 and _ADDS_UP in ended.stdout:
        return []
    return [f"The demo ended with {ended.returncode}:\n{ended.stdout}"]
