"""Ten questions of a month, each answered within two clicks of the first page."""

import time

import pytest

from doubles.browser import ENTER, Browser, in_a_browser
from doubles.command import at_a_twin, csv_row, write_csv
from doubles.desk import Desk

MOST = 2
WORDS = "return (document.querySelector('main') || document.body).innerText"
TO_WORK = 'main th a[href*="/works/"]'
ROWS = 6
pytestmark = in_a_browser


def nav(path):
    return f'nav a[href$="{path}"]'


QUESTIONS = {
    "Did row 5 go?": (["#q", "row 5\ue007"], "R-4 Ōtāhuhu culvert 4 sent"),
    "How does my workbook stand?": ([], "4 sent 1 held 1 deferred 1 to correct"),
    "What is the next step?": ([], "Decide about held rows"),
    "What waits for tokens?": ([nav("/queue")], "1 row waits for tokens"),
    "What is held, and why?": ([nav("/held")], "differs from the row in description"),
    "To which iwi did it go?": ([TO_WORK, '.steps a[href$="/result"]'], "Raki (4)"),
    "What is to correct?": ([nav("/batches"), 'a[href*="to%20correct"]'], "Name"),
    "Who has answered?": ([nav("/year"), 'button[value="answers"]'], "projects:"),
    "Have we the receipts?": ([nav("/year"), 'button[value="receipts"]'], "4 receipts"),
    "Whose key is used?": ([nav("/settings")], "KAWE_API_KEY"),
}
"""By question: what is clicked on, or typed after it, and what then stands there."""


@pytest.fixture(scope="module")
def month(tmp_path_factory):
    """Give the desk of a month, and a browser that is let in."""
    place = tmp_path_factory.mktemp("clicks")
    with at_a_twin(place, tokens=4) as person:
        person.write_settings("settle = 1")
        write_csv(person.folder / "colleague.csv", [csv_row(1)])
        colleague = ("--drafts-only", "--no-input", "--journal", "colleague.journal")
        person.run("submit", "colleague.csv", *colleague)
        rows = [
            csv_row(1, Description="Other words."),
            *map(csv_row, range(2, ROWS + 1)),
            csv_row(ROWS + 1, Name=""),
        ]
        sheet = write_csv(person.folder / "monthly.csv", rows).read_bytes()
        with Desk(person) as desk, Browser(place / "profile") as browser:
            at = desk.place(desk.put_in("monthly.csv", sheet))
            desk.agree(desk.post(f"{at}/plan", sends="all"), f"{at}/submit", typed="4")
            desk.lend_to(browser)
            yield desk, browser


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_of_the_month_takes_at_most_two_clicks(month, question):
    desk, browser = month
    steps, says = QUESTIONS[question]
    browser.open(f"{desk.base}/")
    for step in steps:
        if step.endswith(ENTER):
            browser.press(*step)
        else:
            browser.click(step)
    said = ""
    for _ in range(100):
        # The page of a run may go while it is read.
        said = " ".join(browser.run(WORDS).split())
        if says in said:
            break
        time.sleep(0.1)
    assert says in said
    assert len(steps) <= MOST
