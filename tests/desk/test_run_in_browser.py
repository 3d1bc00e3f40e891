"""The page of a run in a browser with scripts: it changes, and is not loaded anew."""

import time

import pytest

from doubles.browser import ENTER, Browser, in_a_browser
from doubles.command import at_a_twin, csv_row, write_csv
from doubles.desk import SHOWN, Desk, read
from doubles.switchboard import Switchboard

ROWS = 12
STOP = "Stop after what is in flight"
SAID = "return document.querySelector('#so-far li.sent').innerText"
pytestmark = [pytest.mark.short_campaign, in_a_browser]


@pytest.fixture
def slow(tmp_path):
    """Give somebody whose sends take a second each."""
    with at_a_twin(tmp_path, tokens=50, faults=True) as person:
        Switchboard(person.twin.address).set("latency", "project_send", seconds=1)
        person.write_settings("settle = 1\nworkers = 1")
        yield person


def test_a_run_is_followed_and_stopped_by_keyboard_alone(slow, tmp_path):
    sheet = write_csv(slow.folder / "monthly.csv", map(csv_row, range(1, ROWS + 1)))
    with Desk(slow) as desk, Browser(tmp_path / "profile") as browser:
        desk.lend_to(browser)
        place = desk.place(desk.put_in("monthly.csv", sheet.read_bytes()))
        (shown,) = SHOWN.findall(desk.post(f"{place}/plan", sends="all").text)
        form = {"form_token": desk.form_token(), "typed": str(ROWS), "sha256": shown}
        desk.client.post(f"{place}/submit", data=form)
        browser.open(f"{desk.base}/job")
        browser.tab_to(STOP)
        browser.run("window.isSameDocument = true")
        browser.wait_for_text("#so-far li.sent")
        # The page puts another element there now and then: found and read at once.
        first = browser.run(SAID)
        for _ in range(100):
            if browser.run(SAID) != first:
                break
            time.sleep(0.1)
        assert browser.run(SAID) != first
        # It is the same document, with the focus where the person put it.
        assert browser.run("return window.isSameDocument") is True
        assert browser.focused() == STOP
        assert browser.title.startswith("Sending to iwi ")
        assert browser.text("#lost") == ""
        assert browser.text("#run .lead") == "monthly.csv"
        assert browser.barriers() == []
        browser.press(ENTER)
        browser.wait_for_title("Result of monthly.csv")
        assert [each for each in browser.complaints() if "403" not in each] == []
    assert 1 <= slow.sends() < ROWS


def test_back_shows_a_plan_that_was_carried_out_as_history(tmp_path):
    with at_a_twin(tmp_path, tokens=1) as person, Desk(person) as desk:
        sheet = write_csv(person.folder / "monthly.csv", [csv_row(1)])
        place = desk.place(desk.put_in("monthly.csv", sheet.read_bytes()))
        desk.post(f"{place}/plan", sends="all")
        with Browser(tmp_path / "profile") as browser:
            desk.lend_to(browser)
            browser.open(f"{desk.base}{place}/plan")
            browser.give("#typed", "1")
            browser.press(ENTER)
            browser.wait_for_title("Result of monthly.csv")
            browser.back()
            said = browser.wait_for_text("main p.notice")
    assert said.startswith("This plan was carried out at")


def test_the_page_of_a_run_stays_when_the_desk_has_ended(slow, tmp_path):
    sheet = write_csv(slow.folder / "monthly.csv", [csv_row(1), csv_row(2)])
    with Desk(slow) as desk, Browser(tmp_path / "profile") as browser:
        desk.lend_to(browser)
        place = desk.place(desk.put_in("monthly.csv", sheet.read_bytes()))
        (shown,) = SHOWN.findall(desk.post(f"{place}/plan", sends="all").text)
        form = {"form_token": desk.form_token(), "typed": "2", "sha256": shown}
        desk.client.post(f"{place}/submit", data=form)
        browser.open(f"{desk.base}/job")
        desk.process.kill()
        desk.process.wait()
        said = browser.wait_for_text("#lost")
        assert browser.text("#run .lead") == "monthly.csv"
    assert said.startswith("The desk does not answer. If it was stopped, start it")


def test_pages_say_meanwhile_that_the_desk_is_at_work(slow):
    sheet = write_csv(slow.folder / "monthly.csv", map(csv_row, range(1, 5)))
    with Desk(slow) as desk:
        place = desk.place(desk.put_in("monthly.csv", sheet.read_bytes()))
        (shown,) = SHOWN.findall(desk.post(f"{place}/plan", sends="all").text)
        form = {"form_token": desk.form_token(), "typed": "4", "sha256": shown}
        desk.client.post(f"{place}/submit", data=form)
        while not slow.sends():
            time.sleep(0.02)
        first, batches, queue, *own = (
            read(desk.client.get(each).text)
            for each in ("/", "/batches", "/queue", f"{place}/plan", place)
        )
    assert "See how it goes" in first
    assert "left. The desk is at work: see how it goes ." in batches
    assert "The desk is at work: see how it goes ." in queue
    assert "stopped" not in queue
    assert ["Carrying out the plan" in each for each in own] == [True, True]
