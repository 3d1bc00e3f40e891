"""Prints how well places are read: python tools/show_places.py [--write].

Right values and ten usual mistakes are made of 2,000 true places on land, and
kawe reads them. `--write` puts the table and the day of measuring into
docs/reference/coordinates.md.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Final

from kawe.domain.text.new_zealand import day_in_new_zealand
from kawe.machine import SystemClock
from place_kinds import ELEVEN, NOTATIONS, Kind, found, spots

PUBLISHED: Final = (
    Path(__file__).resolve().parents[1] / "docs" / "reference" / "coordinates.md"
)
_MARKED: Final = re.compile(r"(<!-- measured -->\n)(.*?)(<!-- end -->)", re.DOTALL)
_TABLE: Final = re.compile(r"^\|.*?(?=^[^|]|\Z)", re.DOTALL | re.MULTILINE)


def table() -> str:
    """Measure, and give the table that is published."""
    return "".join(f"| {line} |\n" for line in _lines())


def table_of(page: str) -> str:
    """Give the table of a page."""
    marked = _MARKED.search(page)
    measured = _TABLE.search(marked[2]) if marked else None
    return measured[0].strip() + "\n" if measured else ""


def _lines() -> Iterator[str]:
    yield "what is typed | by itself | with `--accept coordinates` | another place"
    yield "--- | --- | --- | --:"
    # What comes to the same has one line.
    same: dict[str, list[str]] = {}
    for kind in (*ELEVEN, *NOTATIONS):
        same.setdefault(_ends(kind), []).append(kind.words)
    yield from (f"{'; '.join(words)} | {ends}" for ends, words in same.items())


def _ends(kind: Kind) -> str:
    what = found(kind)
    moved = what.by_itself["elsewhere"] + what.with_agreement["elsewhere"]
    return f"{_counted(what.by_itself)} | {_counted(what.with_agreement)} | {moved}"


def _counted(counter: Counter[str]) -> str:
    return ", ".join(f"{count:,} {words}" for words, count in sorted(counter.items()))


def _write(measured: str, *, on: date) -> None:
    page = PUBLISHED.read_text("utf-8")
    told = f"Measured on {on.day} {on:%B %Y}, {len(spots()):,} places each:"
    fresh = f"{told}\n\n{measured}\n"
    PUBLISHED.write_text(_MARKED.sub(lambda m: m[1] + fresh + m[3], page), "utf-8")


if __name__ == "__main__":
    made = table()
    print(made)
    if "--write" in sys.argv:
        today = day_in_new_zealand(SystemClock().now())
        _write(made, on=today)
