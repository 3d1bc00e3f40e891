"""An officer's whole month at the desk alone, in a browser that runs no script."""

import time
from dataclasses import dataclass

import pytest

from doubles.browser import DRIVER, ENTER, Browser
from doubles.command import HEADINGS, Person, csv_row
from doubles.desk import Desk
from doubles.switchboard import Switchboard
from kawe_twin.serving import TwinOptions, start_twin

TEAM = "Kaunihera o Tauira (twin)"
ROWS = 9
ASKED = [each.replace("Respond by", "Due for iwi") for each in HEADINGS]

pytestmark = [
    pytest.mark.short_campaign,
    pytest.mark.skipif(DRIVER is None, reason="there is no chromedriver"),
]


@dataclass
class Officer:
    """Somebody who has a browser and a folder, and no terminal."""

    person: Person
    browser: Browser

    def opens(self, desk: Desk) -> None:
        """Open the address that the desk gives."""
        self.base = desk.base
        desk.open_in(self.browser)

    def saves(self, rows: list[list[str]]) -> str:
        """Save the workbook; give its path."""
        path = self.person.folder / "monthly.csv"
        lines = [",".join(each) for each in (ASKED, *rows)]
        path.write_text("\n".join(lines), "utf-8-sig")
        return str(path)

    def goes_to(self, words: str) -> None:
        """Click on the link of this text in the list of pages."""
        self.browser.click(f'nav a[href$="{words}"]')

    def types_the_number(self, number: int, *, then: str) -> None:
        """Agree to a number, and wait for a page."""
        self.browser.give("#typed", str(number))
        self.browser.click("form.card:has(#typed) button")
        self.browser.wait_for_title(then)

    def said(self) -> str:
        """Give the words of the page."""
        return " ".join(self.browser.text("main").split())


@pytest.fixture
def twin(tmp_path):
    options = TwinOptions(
        folder=tmp_path / "twin", rate_limit=100_000, tokens=ROWS, faults=True
    )
    with start_twin(options) as running:
        yield running


@pytest.fixture
def officer(tmp_path, twin):
    (tmp_path / "officer").mkdir()
    person = Person(folder=tmp_path / "officer", twin=twin)
    person.write_settings("settle = 1\nworkers = 1")
    with Browser(tmp_path / "profile", with_scripts=False) as browser:
        yield Officer(person=person, browser=browser)


def test_a_month_at_the_desk_sends_each_row_once_and_loses_none(officer, twin):
    address = twin.address
    board = Switchboard(url=address.switchboard_url, secret=address.switchboard_secret)
    with Desk(officer.person, opens=False) as desk:
        officer.opens(desk)
        _puts_in_a_workbook_with_mistakes_and_corrects_it(officer)
        # Plan and submit first ask, by a send of no project, what the key may do.
        board.set("no_tokens", "project_send", nth=2 + 2 + 1)
        _submits(officer)
        board.clear()
        _buys(officer)
        board.set("latency", "project_send", seconds=0.3)
        _begins_a_release(officer)
        _kill_when(desk, sends=5)
    board.clear()
    with Desk(officer.person, opens=False) as desk:
        officer.opens(desk)
        _goes_on(officer)
        _keeps_results_and_receipts(officer)
    projects = officer.person.state()["projects"]
    assert sorted((each["reference"], each["sends"]) for each in projects) == [
        (f"R-{number}", 1) for number in range(1, ROWS + 1)
    ]


def _puts_in_a_workbook_with_mistakes_and_corrects_it(officer):
    browser = officer.browser
    rows = [csv_row(each, Latitude=f"-36.{8500 + each}") for each in range(1, ROWS + 1)]
    wrong = [csv_row(1, **{"End date": "2029-09-30"}), *rows[1:]]
    browser.give("#workbook", officer.saves(wrong))
    browser.click("main form button")
    browser.wait_for_title("monthly.csv")
    assert "How kawe reads your columns" in officer.said()
    browser.click("main form.card button")
    browser.wait_for_text("h2#findings", "What was found")
    said = officer.said()
    assert f"{ROWS} rows of sheet monthly were checked: 1 to correct" in said
    assert "monthly!G2" in said
    browser.give("#again", officer.saves(rows))
    browser.click("form.card:has(#again) button")
    browser.wait_for_text("p.notice.good", "Nothing is wrong.")


def _submits(officer):
    browser = officer.browser
    browser.click("#next button")
    browser.wait_for_title("Plan of monthly.csv")
    asked = f"Type {ROWS} to send {ROWS} projects to iwi"
    browser.wait_for_text("label[for=typed]", asked)
    said = officer.said()
    assert f"LIVE {TEAM}" in said
    assert "Ngāti Tauira ki te Raki" in said
    officer.types_the_number(ROWS, then="Result of monthly.csv")
    said = officer.said()
    assert "2 sent" in said
    assert "7 rows wait for tokens" in said
    assert officer.person.sends() == 2


def _buys(officer):
    """Buy ten tokens in the portal, where the queue leads."""
    browser = officer.browser
    officer.goes_to("/queue")
    assert "7 rows wait for tokens" in officer.said()
    browser.click('.counts a[href*="why=refused"]')
    assert "1 refused (402)" in officer.said()
    assert browser.run("return document.querySelectorAll('tbody tr').length") == 1
    browser.click("main .card a.button")
    browser.press(*officer.person.twin.address.owner_secret, ENTER)
    browser.wait_for_title("Accounts")
    browser.tab_to(f"Buy tokens for {TEAM}")
    browser.press(ENTER)
    browser.wait_for_title(f"Tokens of {TEAM}")
    browser.click('input[value="10"]')
    browser.click("form.card button")
    browser.wait_for_title(f"Invoice of {TEAM}")


def _begins_a_release(officer):
    browser = officer.browser
    browser.open(f"{officer.base}/queue")
    browser.click("form.card button")
    browser.wait_for_title("Release")
    assert "7 rows wait for tokens, 7 of them can be sent now." in officer.said()
    browser.give("#typed", "7")
    browser.click("form.card button")
    browser.wait_for_text("h1", "Sending rows that waited")


def _kill_when(desk, *, sends):
    deadline = time.monotonic() + 30
    while desk.person.sends() < sends and time.monotonic() < deadline:
        time.sleep(0.01)
    desk.process.kill()
    desk.process.wait()
    assert desk.person.sends() < ROWS


def _goes_on(officer):
    browser = officer.browser
    officer.goes_to("/batches")
    assert "This batch is not finished" in officer.said()
    browser.click('main a[href*="/works/"]')
    browser.wait_for_title("monthly.csv")
    browser.click('.steps a[href$="/plan"]')
    browser.wait_for_title("Plan of monthly.csv")
    assert f"of {ROWS} sent. Make the plan of what is left." in officer.said()
    browser.click("main form:not([action$=submit]) button")
    asked = browser.wait_for_text("label[for=typed]")
    officer.types_the_number(int(asked.split()[1]), then="Result of monthly.csv")
    said = officer.said()
    assert f"{ROWS} sent" in said
    assert "Nothing is left to do about any row." in said


def _keeps_results_and_receipts(officer):
    browser, folder = officer.browser, officer.person.folder / "receipts"
    officer.goes_to("/year")
    browser.clear("#folder")
    browser.give("#folder", str(folder))
    browser.click('button[value="receipts"]')
    browser.wait_for_text("main .notice")
    assert f"{ROWS} receipts are saved, {ROWS} of them new." in officer.said()
    assert len(list(folder.glob("*.pdf"))) == ROWS
    officer.goes_to("/batches")
    assert f"{ROWS} sent" in officer.said()
