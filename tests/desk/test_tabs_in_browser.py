"""Two tabs, Back, a colleague and a list of people, in a browser and by the service."""

from contextlib import closing

import pytest

from doubles.browser import ENTER, Browser, in_a_browser
from doubles.command import at_a_twin, csv_row, write_csv
from doubles.desk import Desk
from kawe.journal.store.lock import WriterLock

PEOPLE = ("Name", "Email", "Role"), ("Hēmi", "hemi@example.org", "Member")
PROBLEM = "p[role=alert]"

pytestmark = [pytest.mark.short_campaign, in_a_browser]


@pytest.fixture
def person(tmp_path):
    """Give somebody with two workbooks of the same size, and a list of people."""
    with at_a_twin(tmp_path, tokens=9) as person:
        person.write_settings("settle = 1")
        for name, rows in (("one.csv", (1, 2)), ("two.csv", (3, 4))):
            write_csv(person.folder / name, map(csv_row, rows))
        write_csv(person.folder / "people.csv", PEOPLE[1:], headings=PEOPLE[0])
        yield person


@pytest.fixture
def browser(tmp_path, person):
    with (
        Desk(person, opens=False) as desk,
        Browser(tmp_path / "profile", with_scripts=False) as browser,
    ):
        desk.open_in(browser)
        yield browser


def puts_in(browser, path, *, at):
    browser.give(at, str(path))
    browser.click(f"form.card:has({at}) button")


def plans(browser, name):
    browser.wait_for_title(name)
    browser.wait_for_text("#next button")
    browser.click("#next button")
    browser.wait_for_title(f"Plan of {name}")
    return browser.wait_for_text("label[for=typed]")


def agrees(browser, number):
    browser.clear("#typed")
    browser.give("#typed", number)
    browser.press(ENTER)


def test_two_tabs_and_back_send_only_what_stands_on_the_page(browser, person):
    puts_in(browser, person.folder / "one.csv", at="#workbook")
    assert plans(browser, "one.csv") == "Type 2 to send 2 projects to iwi"
    first, place = browser.tab(), browser.url.removesuffix("/plan")
    second = browser.new_tab()
    browser.open(place)
    puts_in(browser, person.folder / "two.csv", at="#again")
    plans(browser, "one.csv")

    browser.show_tab(first)
    agrees(browser, "2")
    assert "The plan was made again at" in browser.wait_for_text(PROBLEM)
    browser.back()
    agrees(browser, "2")
    assert "Nothing was sent now." in browser.wait_for_text(PROBLEM)
    assert person.sends() == 0

    # It stands on the page of the form, with what was typed.
    agrees(browser, "3")
    assert "another number was typed" in browser.wait_for_text(PROBLEM)
    assert browser.url.startswith(f"{place}/plan?")
    assert browser.value("#typed") == "3"
    agrees(browser, "2")
    browser.wait_for_title("Result of one.csv")
    # Back asks nothing, and what was refused is history.
    browser.back()
    browser.wait_for_title("Plan of one.csv")
    assert "This plan was carried out" in browser.text("main")
    browser.show_tab(second)
    agrees(browser, "2")
    assert "This plan was carried out" in browser.wait_for_text(PROBLEM)
    assert +person.sends_of_each() == {"R-3": 1, "R-4": 1}


def test_a_colleague_at_work_stops_nothing_but_acts_and_people_are_invited_once(
    browser, person
):
    puts_in(browser, person.folder / "people.csv", at="#workbook")
    assert plans(browser, "people.csv") == "Type 1 to invite 1 person"
    place = browser.url.removesuffix("/plan")
    (desk,) = (person.folder / "home" / "state").glob("kawe/*/desk/*")
    with closing(WriterLock(desk.parents[1] / f"{desk.name}.journal")):
        agrees(browser, "1")
        said = browser.wait_for_text(".notice.error")
    assert "is in use by another kawe" in said
    assert person.state()["invitations"] == []

    browser.open(f"{place}/plan")
    agrees(browser, "1")
    browser.wait_for_title("Result of people.csv")
    said = browser.text("main")
    assert "1 invited" in said
    assert "Nothing is left to do about any row." in said
    browser.back()
    browser.open(f"{place}/plan")
    assert "This plan was carried out" in browser.text("main")
    assert person.invited() == ["hemi@example.org"]
