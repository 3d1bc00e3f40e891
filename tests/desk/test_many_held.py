"""Held rows beyond one page: every one is found, and decided about where it stands."""

import re

import pytest

from doubles.command import at_a_twin, csv_row, write_csv
from doubles.desk import SHOWN, Desk, read

ROWS = 53


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """Give a desk at which a colleague's drafts hold so many rows."""
    with at_a_twin(tmp_path_factory.mktemp("held"), tokens=ROWS) as person:
        sheet = person.folder / "monthly.csv"
        write_csv(sheet, map(csv_row, range(1, ROWS + 1)))
        colleague = ("--journal", "colleague.journal")
        person.run("submit", sheet.name, "--drafts-only", "--no-input", *colleague)
        write_csv(sheet, [csv_row(n, Description="Other.") for n in range(1, ROWS + 1)])
        person.run("submit", sheet.name, "--yes", "99", "--no-input", "--settle", "1")
        with Desk(person) as opened:
            yield opened


def cards(page):
    return re.findall(r"<h2>(R-\d+)</h2>", page)


def test_every_held_row_is_on_a_page_and_found_by_reference_or_name(desk):
    first, then, last = (desk.client.get(f"/held?part={n}").text for n in (1, 2, 3))
    assert cards(first) + cards(then) + cards(last) == [
        f"R-{n}" for n in range(1, ROWS + 1)
    ]
    assert (len(cards(first)), "Rows 1 to 25 of 53" in read(first)) == (25, True)
    assert f'href="{desk.door}/held?q=&amp;part=2"' in first
    # A part beyond the last, whose rows have left since, is the last.
    assert cards(desk.client.get("/held?part=4").text) == cards(last)
    assert cards(desk.client.get("/held?q=r-53").text) == ["R-53"]
    named = desk.client.get("/held", params={"q": "otahuhu culvert 52"})
    assert cards(named.text) == ["R-52"]
    assert "53 rows are held for one reason" in read(named.text)
    assert cards(desk.client.get("/held?q=nobody").text) == []


def test_a_decision_that_is_refused_shows_the_part_that_it_stands_on(desk):
    page = desk.client.get("/held?q=R-53").text
    section = page[page.index("<h2>R-53</h2>") :]
    at = re.search(r'name="at" value="([^"]+)"', section)[1]
    action = re.search(r'action="[^"]*(/held/decide[^"]*)"', section)[1]
    form = {"row": "R-53", "decision": "abandon", "typed": "yes", "at": at}
    refused = desk.post(
        action.replace("&amp;", "&"), sha256=SHOWN.search(section)[1], **form
    )
    assert (refused.status_code, cards(refused.text)) == (409, ["R-53"])
    assert f'id="typed-{at}-wrong"' in refused.text
