"""Checks that new commits say shortly what is now so, and why in their body.

    python tools/check_subjects.py [SINCE]

New is what came after the commit with which this check began, or after SINCE.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
BEGAN: Final = "e220c2e1427d65f7a38a29fb668363e3a62c75fc"
MOST: Final = 72


def troubles(subject: str, body: str, *, changes_source: bool) -> list[str]:
    """Say what is wrong with the words of one commit."""
    found = []
    if len(subject) > MOST:
        found.append(f"its subject has {len(subject)} characters, more than {MOST}")
    if changes_source and not body.strip():
        found.append("it changes src and has no body that says why")
    return found


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=False)
    return done.stdout.decode(errors="replace") if done.returncode == 0 else ""


def main() -> int:
    """Check every new commit; of a copy without them, none."""
    since = sys.argv[1] if sys.argv[1:] else BEGAN
    wrong = 0
    for commit in _git("rev-list", "--no-merges", f"{since}..HEAD").split():
        subject, _, body = _git("log", "-1", "--format=%s%n%b", commit).partition("\n")
        names = _git("diff-tree", "--no-commit-id", "--name-only", "-r", commit)
        changes_source = any(each.startswith("src/") for each in names.splitlines())
        for trouble in troubles(subject, body, changes_source=changes_source):
            wrong += 1
            print(f"{commit[:8]} {subject[:40]}…: {trouble}.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
