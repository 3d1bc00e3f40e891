"""An officer's whole month at the desk alone, by keys, and no script runs."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from doubles.browser import ENTER, RIGHT, Browser, in_a_browser
from doubles.command import HEADINGS, Person, at_a_twin, csv_row, write_csv
from doubles.desk import Desk
from doubles.hosts import wait_for
from doubles.switchboard import Switchboard

TEAM = "Kaunihera o Tauira (twin)"
ROWS = 9
ASKED = [each.replace("Respond by", "Due for iwi") for each in HEADINGS]
STOP = "Stop after what is in flight"
PEOPLE = ("Name", "Email", "Role"), ("Hēmi", "hemi@example.org", "Member")

pytestmark = [pytest.mark.short_campaign, in_a_browser]


@dataclass
class Officer:
    """Somebody who has a browser, keys and a folder: no terminal, and no mouse."""

    person: Person
    browser: Browser

    def opens(self, desk: Desk) -> None:
        """Open the address that the desk gives: its button has the focus."""
        self.base = desk.base
        self.browser.open(desk.address)
        # A browser gives the focus after it has said that a page is loaded.
        self.browser.wait_for_focus("Open the desk")
        self.browser.press(ENTER)
        self.browser.wait_for_title("Workbooks")

    def saves(self, rows: list[list[str]]) -> Path:
        """Save the workbook."""
        return write_csv(self.person.folder / "monthly.csv", rows, headings=ASKED)

    def presses(self, name: str, *, to: str | None = None) -> None:
        """Tab to the thing whose name begins so, and press Enter; wait for a page."""
        self.browser.tab_to(name, most=80, begins=True)
        self.browser.press(ENTER)
        if to is not None:
            self.browser.wait_for_title(to)

    def types(self, text: str, *, into: str) -> None:
        """Tab to a field, which marks what stands in it, and type over it."""
        self.browser.tab_to(into, begins=True)
        self.browser.press(*text)

    def puts_in(self, path: Path, *, at: str) -> None:
        """Choose a file in the field that is called so, and send it."""
        self.browser.choose(at, path)
        self.browser.tab_to("Check it again" if "again" in at else "Read it")
        self.browser.press(ENTER)

    def agrees_to(self, number: int) -> None:
        """Type the number that the page asks for; Enter carries it out."""
        self.types(str(number), into=f"Type {number} ")
        self.browser.press(ENTER)

    def said(self) -> str:
        """Give the words of the page."""
        return " ".join(self.browser.text("main").split())


@pytest.fixture
def officer(tmp_path):
    with (
        at_a_twin(tmp_path, tokens=ROWS, faults=True) as person,
        Browser(tmp_path / "profile", with_scripts=False) as browser,
    ):
        person.write_settings("settle = 1\nworkers = 1")
        yield Officer(person=person, browser=browser)


def test_a_month_at_the_desk_by_keys_sends_each_row_once_and_loses_none(officer):
    board = Switchboard(officer.person.twin.address)
    with Desk(officer.person, opens=False) as desk:
        officer.opens(desk)
        _puts_in_a_workbook_with_mistakes_and_corrects_it(officer)
        # Plan and submit first ask, by a send of no project, what the key may do.
        board.set("no_tokens", "project_send", nth=2 + 2 + 1)
        _submits(officer)
        board.clear()
        _buys(officer)
        board.set("latency", "project_send", seconds=0.3)
        _stops_a_release(officer)
        _begins_a_release(officer)
        _kill_when(desk, sends=6)
    board.clear()
    with Desk(officer.person, opens=False) as desk:
        officer.opens(desk)
        _goes_on(officer)
        _invites_somebody(officer)
        _keeps_results_and_receipts(officer)
    assert officer.person.sends_of_each() == {
        f"R-{number}": 1 for number in range(1, ROWS + 1)
    }
    assert officer.person.invited() == ["hemi@example.org"]


def _puts_in_a_workbook_with_mistakes_and_corrects_it(officer):
    browser = officer.browser
    rows = [csv_row(each, Latitude=f"-36.{8500 + each}") for each in range(1, ROWS + 1)]
    wrong = [csv_row(1, **{"End date": "2029-09-30"}), *rows[1:]]
    officer.puts_in(officer.saves(wrong), at="Drop a workbook here")
    browser.wait_for_title("monthly.csv")
    assert "How kawe reads your columns" in officer.said()
    officer.presses("Keep these answers and check")
    browser.wait_for_text("h2#findings", "What was found")
    said = officer.said()
    assert f"{ROWS} rows of sheet monthly were checked: 1 to correct" in said
    assert "monthly!G2" in said
    officer.puts_in(officer.saves(rows), at="Put the corrected workbook in again")
    browser.wait_for_text("p.notice.good", "Nothing is wrong.")


def _submits(officer):
    browser = officer.browser
    officer.presses("Next: plan the 9 rows", to="Plan of monthly.csv")
    asked = f"Type {ROWS} to send {ROWS} projects to iwi"
    browser.wait_for_text("label[for=typed]", asked)
    said = officer.said()
    assert f"LIVE {TEAM}" in said
    assert "Ngāti Tauira ki te Raki" in said
    officer.agrees_to(ROWS)
    browser.wait_for_title("Result of monthly.csv")
    said = officer.said()
    assert "2 sent" in said
    assert "7 rows wait for tokens" in said
    assert officer.person.sends() == 2


def _buys(officer):
    """Buy ten tokens in the portal, where the queue leads."""
    browser = officer.browser
    officer.presses("Waiting for tokens", to="Waiting for tokens")
    assert "7 rows wait for tokens" in officer.said()
    officer.presses("1 no token was left")
    browser.wait_for_text(".counts [aria-current]")
    assert browser.run("return document.querySelectorAll('tbody tr').length") == 1
    officer.presses("Open the portal", to="Sign in")
    browser.press(*officer.person.twin.address.owner_secret, ENTER)
    browser.wait_for_title("Accounts")
    officer.presses(f"Buy tokens for {TEAM}", to=f"Tokens of {TEAM}")
    browser.tab_to("1 token", begins=True)
    while not browser.focused().startswith("10 tokens"):
        browser.press(RIGHT)
    officer.presses("Buy", to=f"Invoice of {TEAM}")


def _begins_a_release(officer):
    browser = officer.browser
    browser.open(f"{officer.base}/queue")
    officer.presses("See how many can go now", to="Release")
    left = ROWS - officer.person.sends()
    assert f"{left} of them can be sent now." in officer.said()
    officer.agrees_to(left)
    browser.wait_for_text("h1", "Sending rows that waited")


def _stops_a_release(officer):
    _begins_a_release(officer)
    officer.browser.tab_to(STOP, most=80, begins=True)
    wait_for(lambda: officer.person.sends() >= 3)
    officer.browser.press(ENTER)
    officer.browser.wait_for_title("Released")
    assert 2 < officer.person.sends() < ROWS - 2


def _kill_when(desk, *, sends):
    wait_for(lambda: desk.person.sends() >= sends)
    desk.process.kill()
    desk.process.wait()
    assert desk.person.sends() < ROWS


def _goes_on(officer):
    browser = officer.browser
    officer.presses("Batches", to="Batches")
    assert "This batch is not finished" in officer.said()
    officer.presses("Go on with its workbook", to="monthly.csv")
    officer.presses("2 Plan and submit", to="Plan of monthly.csv")
    assert f"of {ROWS} sent. Make the plan of what is left." in officer.said()
    officer.presses("Make the plan again")
    officer.agrees_to(int(browser.wait_for_text("label[for=typed]").split()[1]))
    browser.wait_for_title("Result of monthly.csv")
    said = officer.said()
    assert f"{ROWS} sent" in said
    assert "Nothing is left to do about any row." in said


def _invites_somebody(officer):
    browser = officer.browser
    officer.presses("Workbooks", to="Workbooks")
    people = officer.person.folder / "people.csv"
    officer.puts_in(
        write_csv(people, PEOPLE[1:], headings=PEOPLE[0]), at="Drop a workbook here"
    )
    browser.wait_for_title("people.csv")
    browser.wait_for_text("#next button")
    officer.presses("Next: plan the 1 row", to="Plan of people.csv")
    browser.wait_for_text("label[for=typed]", "Type 1 to invite 1 person")
    assert "Hēmi, hemi@example.org will be invited by email" in officer.said()
    officer.agrees_to(1)
    browser.wait_for_title("Result of people.csv")
    assert "1 invited" in officer.said()


def _keeps_results_and_receipts(officer):
    browser, folder = officer.browser, officer.person.folder / "receipts"
    officer.presses("After the send", to="After the send")
    officer.types(str(folder), into="Folder for what is written")
    browser.press(ENTER)
    assert not folder.exists()
    officer.presses("Save the receipts")
    browser.wait_for_text("main .notice")
    assert f"{ROWS} receipts are saved, {ROWS} of them new." in officer.said()
    assert len(list(folder.glob("*.pdf"))) == ROWS
    officer.presses("Batches", to="Batches")
    assert f"{ROWS} sent" in officer.said()
