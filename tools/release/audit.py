"""Asks which of the locked versions have a known weakness.

    python -m release.audit [--must]

With `--must` an answer must come: a release is not made without it. Else a service
that cannot be reached is a warning.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

from release.places import CONSTRAINTS


def weaknesses(answer: str) -> Iterator[str]:
    """Give a line for each known weakness in the JSON of pip-audit.

    Raises:
        ValueError: The answer is none: no service was reached.
    """
    for each in json.loads(answer)["dependencies"]:
        for known in each.get("vulns", ()):
            since = ", ".join(known["fix_versions"]) or "no version yet"
            yield f"{each['name']} {each['version']}: {known['id']}; mended in {since}"


def judged(answer: str, *, must: bool) -> tuple[int, list[str]]:
    """Give the exit code and what to say of the answer of pip-audit."""
    try:
        found = list(weaknesses(answer))
    except ValueError:
        unknown = "Nobody answered whether the locked versions have known weaknesses."
        return int(must), [unknown if must else f"Warning: {unknown}"]
    return int(bool(found)), found or ["No known weakness in the locked versions."]


def main() -> int:
    """Ask, and say what came; the exit code is 1 if a release must not be made."""
    words = [sys.executable, "-m", "pip_audit", "--strict", "--disable-pip"]
    words += ["--require-hashes", "-r", str(CONSTRAINTS), "--format", "json"]
    ended = subprocess.run(
        [*words, "--progress-spinner", "off"],
        check=False,
        capture_output=True,
        text=True,
    )
    code, lines = judged(ended.stdout, must="--must" in sys.argv[1:])
    if not ended.stdout:
        lines += ended.stderr.strip().splitlines()[-1:]
    print("\n".join(lines))
    return code


if __name__ == "__main__":
    sys.exit(main())
