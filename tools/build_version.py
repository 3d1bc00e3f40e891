"""Gives what is built its version; hatchling asks (pyproject.toml).

A release has the version that stands in `src/kawe/__init__.py`. A development version
names its commit too, so that each build has its own and a newer one replaces an older:
0.2.0.dev20261127004500+g1a2b3c4, by the commit's time in UTC. What was changed and not
committed adds `.d` and a hash of the changes.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
VARIABLE: Final = "KAWE_BUILD_VERSION"
"""Says the version of a copy that has no git."""


def base(root: Path = ROOT) -> str:
    """Give the version that stands in the source."""
    text = (root / "src/kawe/__init__.py").read_text("utf-8")
    return str(re.findall(r'^BASE = "(.+)"$', text, re.MULTILINE)[0])


def version(root: Path = ROOT) -> str:
    """Give the version of what is built in `root`: a clone, an sdist or a copy."""
    told = root / "PKG-INFO"
    if told.is_file():
        text = told.read_text("utf-8")
        return str(re.findall(r"^Version: (.+)$", text, re.MULTILINE)[0])
    number = base(root)
    is_development = number.endswith(".dev0")
    return os.environ.get(VARIABLE) or (
        _of_commit(number, root) if is_development else number
    )


def _of_commit(number: str, root: Path) -> str:
    if not (root / ".git").exists():
        return number
    shown = ("--format=%cd+g%h", "--date=format-local:%Y%m%d%H%M%S", "--abbrev=8")
    commit = _git(root, "log", "-1", *shown).strip()
    changes = _git(root, "diff", "HEAD")
    mark = hashlib.sha256(changes.encode()).hexdigest()[:8] if changes else ""
    return f"{number[:-1]}{commit}{mark and f'.d{mark}'}" if commit else number


def _git(root: Path, *words: str) -> str:
    try:
        done = subprocess.run(
            ["git", *words],
            cwd=root,
            env={**os.environ, "TZ": "UTC"},
            capture_output=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.decode(errors="replace")
