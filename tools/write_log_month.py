"""Live a month with a twin, and write into the page of the log what a reader finds.

PYTHONPATH=tests:tools python tools/write_log_month.py
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from doubles.command import Person
from doubles.log_month import live, log_of, read
from kawe_twin.serving import TwinOptions, start_twin

_PAGE = Path(__file__).resolve().parents[1] / "docs/reference/log.md"
_EXAMPLE = re.compile(r"(```text\n).*?(```\n)", re.DOTALL)


def main() -> None:
    """Write the page."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "person"
        folder.mkdir()
        options = TwinOptions(folder=Path(name) / "twin", tokens=30, faults=True)
        with start_twin(options) as twin:
            person = Person(folder=folder, twin=twin)
            live(person)
            runs = read(log_of(person).read_text("utf-8")).values()
    told = "".join(f"{line}\n" for run in runs for line in run.lines())
    page = _PAGE.read_text("utf-8")
    _PAGE.write_text(_EXAMPLE.sub(rf"\g<1>{told}\g<2>", page), encoding="utf-8")


if __name__ == "__main__":
    main()
