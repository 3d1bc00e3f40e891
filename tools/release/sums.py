"""Writes `dist/SHA256SUMS`, as `sha256sum --check` reads it."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from release.places import DIST

NAME: Final = "SHA256SUMS"


def sums(folder: Path) -> str:
    """Give a line for each file of a folder but the sums, in the order of names."""
    return "".join(
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
        for path in sorted(folder.iterdir())
        if path.name != NAME
    )


if __name__ == "__main__":
    (DIST / NAME).write_text(sums(DIST), "utf-8", newline="\n")
    print(f"{NAME}:\n{sums(DIST)}", end="")
