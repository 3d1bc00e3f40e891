"""Take the pictures of the desk: a month as an officer sees it.

Part of `take_pictures.py`. It types nothing at a terminal: what the pictures show is
done on the pages of the desk themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

import openpyxl

from doubles.browser import Browser
from doubles.command import Person
from doubles.desk import Desk
from kawe_twin.serving import TwinOptions, start_twin

Keep: TypeAlias = Callable[[Browser, str, int], None]
"""Keeps the top of the window under a name, as high as said."""
_TOKENS: Final = 20
_WINDOW: Final = (1280, 6000)
_HEADINGS_AT: Final = 3
_COLLEAGUE: Final = ("--drafts-only", "--no-input", "--journal", "colleague.journal")


def take_of_desk(folder: Path, profile: Path, *, keep: Keep) -> None:
    """Take the pictures of a desk whose person lives in `folder`."""
    folder.mkdir()
    with start_twin(TwinOptions(folder=folder / "twin", tokens=_TOKENS)) as twin:
        person = Person(folder=folder / "officer", twin=twin)
        person.folder.mkdir()
        person.run("demo", "--samples", "samples")
        given = person.folder / "samples"
        person.run("submit", str(_of_colleague(given)), *_COLLEAGUE)
        with (
            Desk(person, opens=False) as desk,
            Browser(folder=profile, with_scripts=False, size=_WINDOW) as browser,
        ):
            desk.open_in(browser)
            _put_in(browser, given / "projects.xlsx")
            keep(browser, "desk-findings", 1500)
            browser.open(f"{desk.base}/")
            _submit(browser, given / "monthly.xlsx", keep=keep)
            for name, height in (("queue", 820), ("held", 1035), ("", 740)):
                browser.open(f"{desk.base}/{name}")
                keep(browser, f"desk-{name or 'start'}", height)


def _of_colleague(given: Path) -> Path:
    """Write what a colleague had of the first rows: other words."""
    book = openpyxl.load_workbook(given / "monthly.xlsx")
    sheet = book.worksheets[0]
    first = _HEADINGS_AT + 1
    sheet.delete_rows(first + 2, sheet.max_row)
    headings = [cell.value for cell in sheet[_HEADINGS_AT]]
    described = headings.index("Description of works") + 1
    for row in (first, first + 1):
        sheet.cell(row, described).value = "Works beside the road, as in the programme."
    book.save(given / "colleague.xlsx")
    return given / "colleague.xlsx"


def _put_in(browser: Browser, workbook: Path, *attachments: Path) -> None:
    browser.give("#workbook", "\n".join(map(str, (workbook, *attachments))))
    browser.click("main form button")
    browser.wait_for_title(workbook.name)


def _submit(browser: Browser, workbook: Path, *, keep: Keep) -> None:
    _put_in(browser, workbook, *(workbook.parent / "attachments").rglob("*.*"))
    ready = "Next: plan the 43 rows that are ready"
    browser.wait_for_text("#next button", ready)
    browser.click("#next button")
    browser.wait_for_title(f"Plan of {workbook.name}")
    asked = browser.wait_for_text("label[for=typed]")
    keep(browser, "desk-plan", 1420)
    browser.give("#typed", asked.split()[1])
    browser.click("form.card:has(#typed) button")
    browser.wait_for_title(f"Result of {workbook.name}")
    keep(browser, "desk-result", 900)
