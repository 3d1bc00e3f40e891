"""Type the tutorial, and write into its samples of output what kawe says now.

A line that kawe does not say any more is replaced by the most similar line that it
says in its place. Read the difference before you keep it.

    PYTHONPATH=tests:tools python tools/write_tutorial.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from doubles.tutorial_reader import PAGE, follow, reader_in

_PAGE = Path(__file__).resolve().parents[1] / PAGE.name


def main() -> None:
    """Write the page."""
    with tempfile.TemporaryDirectory() as folder, reader_in(Path(folder)) as reader:
        followed = follow(reader)
    lines = _PAGE.read_text("utf-8").splitlines()
    for line, code in followed.ended:
        print(f"{code:>4}  {line}")
    for old, new in followed.unsaid.items():
        print(f"- {old}\n+ {new}")
    changed = [followed.unsaid.get(line, line) for line in lines]
    _PAGE.write_text("\n".join(changed) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
