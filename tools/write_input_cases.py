"""Write what kawe does with each sample to docs/reference/input-cases.md.

`python tools/write_input_cases.py` writes; a test says when it has to. The
page is made from the samples' own expectations, and every sample is a test:
what stands here is what happens.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

_ROOT: Final = Path(__file__).resolve().parents[1]
PUBLISHED: Final = _ROOT / "docs" / "reference" / "input-cases.md"
_GROUPS: Final = {
    "bad": "With a mistake",
    "odd": "Unusual, and understood",
}
_TOP: Final = """\
# What people put in, and what kawe does

<!-- Written by tools/write_input_cases.py from the samples: do not edit. -->

Each case is a workbook below `samples/`, and a test checks that kawe finds
exactly what stands here: the cell, how much it matters, and the name of the
rule. An error keeps its row from being sent, a warning asks a person to look, a
note says how something was read. The names of rules are for machines; the
sentences that kawe says name the cell, what is wrong and what to do.
"""


def written() -> str:
    """Give the page as it is published."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield _TOP
    for group, title in _GROUPS.items():
        yield f"## {title}\n"
        yield "| case | what it is | what kawe does | findings |"
        yield "|---|---|---|---|"
        for path in sorted((_ROOT / "samples" / group).glob("*/expected.json")):
            said = json.loads(path.read_text(encoding="utf-8"))
            name = path.parent.name
            cells = (
                f"[{name}](../../samples/{group}/{name}/)",
                said["story"],
                _done(said),
                _findings(said),
            )
            yield f"| {' | '.join(map(_plain, cells))} |"
        yield ""


def _done(said: Mapping[str, Any]) -> str:
    """Say what becomes of the workbook, in one sentence."""
    if "refusal" in said:
        return f"Refuses it: “… {said['refusal']} …” (exit code {said['exit_code']})."
    found = {each["severity"] for each in said["findings"]}
    service = " Only with the service." if said["service"] else ""
    if "error" in found:
        left = f"names every cell and leaves out {_rows(said)}"
        return f"Reads it, {left} (exit code {said['exit_code']}).{service}"
    if "warning" in found:
        return f"Reads it and asks a person to look.{service}"
    if "note" in found:
        return f"Reads it and says how.{service}"
    return f"Reads it.{service}"


def _rows(said: Mapping[str, Any]) -> str:
    wrong = {
        _row_of(each["where"])
        for each in said["findings"]
        if each["severity"] == "error"
    }
    # An error in row 1 is about the headings, and all rows rest on those.
    if 1 in wrong or said["rows"] == 0:
        return "all rows"
    return "1 row" if len(wrong) == 1 else f"{len(wrong)} rows"


def _row_of(where: str) -> int:
    return int("".join(c for c in where.rpartition("!")[2] if c.isdigit()))


def _findings(said: Mapping[str, Any]) -> str:
    return "<br>".join(
        f"{each['where'].rpartition('!')[2]} {each['severity']} `{each['rule']}`"
        for each in said.get("findings", ())
    )


def _plain(text: str) -> str:
    """Keep what a story says from being taken for Markdown."""
    return text.replace("|", "&#124;").replace("*", "\\*")


if __name__ == "__main__":
    PUBLISHED.write_text(written(), encoding="utf-8")
    print(f"Wrote {PUBLISHED}")
