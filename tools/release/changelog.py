"""Moves what stands in `changes/` into `CHANGELOG.md`.

    python -m release.changelog 0.1.0

People name their fragments `15.added.wheel1.md`, so that two never write one file;
towncrier tells those of one issue apart by numbers alone.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from typing import Final

from release.places import ROOT

CHANGES: Final = ROOT / "changes"
_NAME: Final = re.compile(r"(\d+)\.([a-z]+)(?:\.([a-z]*)(\d*))?\.md")
# No issue has such a number: a new name is nobody's old one.
_FIRST: Final = 100_000


def numbered(names: Iterable[str], kinds: Iterable[str]) -> dict[str, str]:
    """Give each name of a fragment one with a number of its own, oldest issue first.

    The number stands in the place of the issue, by which towncrier sorts.

    Raises:
        SystemExit: A name is of another form: its text would be in no changelog.
    """
    known, found = set(kinds), {}
    for name in names:
        parts = _NAME.fullmatch(name)
        if parts is None or parts[2] not in known:
            raise SystemExit(
                f"changes/{name}: name it <issue>.<{'|'.join(sorted(known))}>.md."
            )
        key = (int(parts[1]), parts[2], parts[3] or "", int(parts[4] or 0))
        found[key] = name
    return {
        name: f"{place}.{kind}.md"
        for place, ((_, kind, *_), name) in enumerate(sorted(found.items()), _FIRST)
    }


def kinds() -> list[str]:
    """Name the kinds of fragments that pyproject.toml declares."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    return [each["directory"] for each in settings["tool"]["towncrier"]["type"]]


def fragments() -> list[str]:
    """Give the names of the fragments in `changes/`."""
    return sorted(path.name for path in CHANGES.glob("*.md"))


def main() -> int:
    """Give the fragments numbers, and let towncrier put them together."""
    for old, new in numbered(fragments(), kinds()).items():
        if (CHANGES / new).exists():
            raise SystemExit(f"changes/{new} is left over: restore changes/ with git.")
        (CHANGES / old).rename(CHANGES / new)
    words = [sys.executable, "-m", "towncrier", "build", "--yes"]
    return subprocess.run([*words, "--version", sys.argv[1]], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
