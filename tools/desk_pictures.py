"""Take the pictures of the desk: a month as an officer sees it.

Part of `take_pictures.py`. It types nothing at a terminal: what the pictures show is
done on the pages of the desk themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

from doubles.browser import Browser
from doubles.command import Person
from doubles.desk import Desk
from kawe_twin.serving import TwinOptions, start_twin

Keep: TypeAlias = Callable[[Browser, str, int], None]
"""Keeps the top of the window under a name, as high as said."""
_TOKENS: Final = 20


def take_of_desk(
    folder: Path, profile: Path, *, keep: Keep, size: tuple[int, int]
) -> None:
    """Take the pictures of a desk whose person lives in `folder`."""
    folder.mkdir()
    with start_twin(TwinOptions(folder=folder / "twin", tokens=_TOKENS)) as twin:
        person = Person(folder=folder / "officer", twin=twin)
        person.folder.mkdir()
        person.run("demo", "--samples", "samples")
        given = person.folder / "samples"
        with (
            Desk(person, opens=False) as desk,
            Browser(folder=profile, with_scripts=False, size=size) as browser,
        ):
            desk.open_in(browser)
            _put_in(browser, given / "projects.xlsx")
            keep(browser, "desk-findings", 1500)
            browser.open(f"{desk.base}/")
            _submit(browser, given / "monthly.xlsx", keep=keep)
            browser.open(f"{desk.base}/queue")
            keep(browser, "desk-queue", 900)


def _put_in(browser: Browser, workbook: Path) -> None:
    browser.give("#workbook", str(workbook))
    browser.click("main form button")
    browser.wait_for_title(workbook.name)


def _submit(browser: Browser, workbook: Path, *, keep: Keep) -> None:
    _put_in(browser, workbook)
    browser.click("#next button")
    browser.wait_for_title(f"Plan of {workbook.name}")
    asked = browser.wait_for_text("label[for=typed]")
    keep(browser, "desk-plan", 1420)
    browser.give("#typed", asked.split()[1])
    browser.click("form.card:has(#typed) button")
    browser.wait_for_title(f"Result of {workbook.name}")
