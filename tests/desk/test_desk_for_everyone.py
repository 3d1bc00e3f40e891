"""The pages keep nobody out, and what others wrote on them stays text."""

import shutil

import pytest

from doubles.browser import Browser, in_a_browser
from doubles.command import at_a_twin
from doubles.desk import Desk
from doubles.payloads import MARK, assert_html_is_inert
from doubles.poisoned_book import NAME, poisoned_book
from doubles.poisoned_service import NEEDED, poisoned_service

PATHS = (
    *("/", "/batches", "/queue", "/held", "/year", "/settings", "/at-work", "/nowhere"),
    *("/queue/release", "/queue/done", "/queue/drop?row=R-1"),
)


@pytest.fixture(scope="module")
def harmed(tmp_path_factory):
    """Give the desk of somebody whose sheets and service mean harm."""
    with at_a_twin(tmp_path_factory.mktemp("harm"), tokens=9) as person:
        (person.folder / f"{NAME}.xlsx").write_bytes(poisoned_book())
        with poisoned_service(person.twin.address.api_url) as service:
            person.environment = {"KAWE_BASE_URL": service.url}
            service.refused = "R-4"
            service.keeping = NEEDED | {"name"}
            all_of_it = ("--all-sheets", "--yes", "999", "--no-input")
            person.run("submit", f"{NAME}.xlsx", *all_of_it)
            service.keeping = NEEDED
            with Desk(person) as desk:
                yield desk


def pages_of(desk):
    """Load every page, with those that its links and a release lead to."""
    desk.post("/year/ask", what="receipts", folder=str(desk.person.folder / "receipts"))
    desk.post("/queue/count", most="")
    seen = {path: desk.settled(path) for path in PATHS}
    for link in sorted(_links(seen["/batches"].text, desk.door)):
        seen[link] = desk.settled(link)
    kinds = {path: each.headers["content-type"] for path, each in seen.items()}
    return {at: seen[at] for at, kind in kinds.items() if kind.startswith("text/html")}


def _links(page: str, door: str) -> set[str]:
    found = page.split(f'href="{door}')[1:]
    links = {each.partition('"')[0].replace("&amp;", "&") for each in found}
    return {each for each in links if each.startswith(("/batch?", "/works/"))}


def test_nothing_that_others_wrote_is_active_on_any_page(harmed):
    pages = pages_of(harmed)
    marked = [path for path, page in pages.items() if MARK in page.text]
    for page in pages.values():
        assert_html_is_inert(page.text)
    assert {"/batches", "/queue", "/held"} <= set(marked)
    assert sum(path.startswith("/batch?") for path in marked) >= 2


@pytest.mark.short_campaign
@in_a_browser
def test_axe_finds_no_serious_fault_and_no_page_is_wider_than_a_phone(harmed, tmp_path):
    with Desk(harmed.person, opens=False) as desk:
        with Browser(tmp_path / "profile") as browser:
            desk.open_in(browser)
            faults = {}
            for path in PATHS:
                browser.open(desk.base + path)
                faults[path] = browser.barriers()
                browser.show_in("dark")
                faults[path] += browser.barriers()
                browser.show_in("light")
                browser.show_as(width=390, height=800)
                wide = "return document.documentElement.scrollWidth"
                faults[path] += [browser.run(wide)] * (browser.run(wide) > 390)
                # With text of double size, and everything open, nothing is cut off.
                browser.run("document.documentElement.style.fontSize = '200%'")
                each = "(each) => { each.open = true }"
                browser.run(f"document.querySelectorAll('details').forEach({each})")
                faults[path] += [browser.run(wide)] * (browser.run(wide) > 390)
        assert faults == {path: [] for path in PATHS}
    shutil.rmtree(tmp_path / "profile", ignore_errors=True)
