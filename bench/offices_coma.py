"""How COMA matches the columns of the sheets of bench/offices.py, as a peer of kawe.

    python -m venv coma
    coma/bin/pip install "valentine==1.0.1" "stop-words==2018.7.23"
    python bench/offices_coma.py coma/bin/python           every sheet
    python bench/offices_coma.py coma/bin/python --show    each wrong pair as well
    python bench/offices_coma.py --tiny                    says only how to install it

COMA (Do and Rahm, 2002) is a matcher of the field; Valentine has it in Python, with
names and instances. It is installed apart, and is never a dependency of kawe. It gets
what a programmer would give it: the headings and rows of each sheet, told where they
begin and end and of which kind they are, and the columns of kawe's template with
sample rows. Of all pairs the best is taken first, each column once. It never asks: a
wrong pair is silent. What kawe is told by nobody, COMA is told here: the row of the
headings, the kind, and which lines are rows.

- right: columns matched with what they mean, of those that mean something;
- wrong: columns matched with what they do not mean.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from _more_offices import more_offices
from _offices import PEOPLE, offices, staff, works
from _public_headings import public_offices
from rounds import TITLES, Page

HOW = (
    "Not matched: name the Python of an environment that has Valentine "
    "(pip install valentine==1.0.1 stop-words==2018.7.23), as the first word"
)


def main() -> None:
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    if not words:
        print(HOW)
        return
    pages = [Page(sheet) for sheet in every_list()]
    asked = [{"own": own(page), "known": known(page.sheet.kind)} for page in pages]
    ran = subprocess.run(
        [words[0], str(Path(__file__).with_name("_coma.py"))],
        input=json.dumps(asked),
        check=False,
        capture_output=True,
        text=True,
    )
    if ran.returncode:
        sys.exit(f"{HOW}\n{ran.stderr}")
    rights = wrongs = means = 0
    for page, pairs in zip(pages, json.loads(ran.stdout), strict=True):
        right, wrong, meant = judged(page, pairs)
        rights, wrongs, means = rights + right, wrongs + len(wrong), means + meant
        if "--show" in sys.argv:
            print(f"{right:>2} of {meant:>2} {len(wrong):>3}  {page.sheet.name}")
            for said in wrong:
                print(f"      {said}")
    print(f"{len(pages)} sheets, {means} columns that mean something")
    print(f"{rights / means:.2f} of them right, {wrongs} columns silently wrong")


def every_list() -> Iterator[Any]:
    """Give every sheet that is a list."""
    for office in (*offices(), *more_offices(), *public_offices()):
        yield from (sheet for sheet in office.sheets if sheet.kind)


def own(page: Page) -> dict[str, list[str]]:
    """Give the columns of a sheet."""
    return {
        page.heading(column) or f"Column {column}": [
            str(page.cells.get((row, column), "")) for row in page.meanings
        ]
        for column in page.fields
    }


def known(kind: str) -> dict[str, list[str]]:
    """Give the columns of kawe's template, with sample rows."""
    rows = staff(5) if kind == PEOPLE else works(5, first=120, about="Wharf")
    return {
        title: [str(row.get(field, "")) for row in rows]
        for (each, field), title in TITLES.items()
        if each == kind
    }


def judged(page: Page, pairs: dict[str, str]) -> tuple[int, list[str], int]:
    """Count the right pairs, name the wrong ones, count what means something."""
    right, wrong, means = 0, [], 0
    for column, meant in page.fields.items():
        title = pairs.get(page.heading(column) or f"Column {column}", "")
        field = meant.removeprefix("~")
        truth = TITLES.get((page.sheet.kind, field), "")
        means += bool(meant) and meant == field
        right += bool(meant) and meant == field and title == truth
        if title and title != truth:
            wrong.append(f"“{page.heading(column)}” is {title}, means {truth or '-'}")
    return right, wrong, means


if __name__ == "__main__":
    main()
