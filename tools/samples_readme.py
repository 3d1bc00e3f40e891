"""The page that lists every sample, made from what is expected of each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from samples_files import write

_GROUPS: Final = {
    "good": "Ready to be sent",
    "odd": "Unusual, and understood",
    "bad": "With a mistake",
}
_TOP: Final = """\
# Samples

You can try kawe with these workbooks. Names of people and organisations are made up,
the iwi are those of the twin, and all dates are in 2030. Each folder has one
workbook, the files that it names, and `expected.json`: the findings that a check
must give, cell by cell, and the exit code. A test checks all of them.

    kawe check samples/bad/swapped-coordinates/projects.xlsx --offline

Some cases need a service (iwi, organisations that the service knows): start the twin
with `kawe serve` and leave `--offline` out.

`tools/write_samples.py` writes everything here, this page too.
"""


def write_readme(root: Path) -> None:
    """Write the list; the samples must have been written before."""
    write(root / "README.md", "\n".join(_lines(root)).encode())


def _lines(root: Path) -> Iterator[str]:
    yield _TOP
    for group, title in _GROUPS.items():
        yield f"## {title}\n"
        yield "| sample | what it shows | service | exit code |"
        yield "|---|---|---|---|"
        for path in sorted((root / group).glob("*/expected.json")):
            said = json.loads(path.read_text(encoding="utf-8"))
            name = path.parent.name
            service = "yes" if said["service"] else ""
            yield (
                f"| [{name}]({group}/{name}/{said['workbook'].replace(' ', '%20')}) "
                f"| {said['story']} | {service} | {said['exit_code']} |"
            )
        yield ""
