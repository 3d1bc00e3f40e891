"""The page of a result in a browser without a network, open to everybody."""

import pytest

from doubles.browser import ENTER, ESCAPE, RIGHT, TAB, Browser, in_a_browser
from doubles.reports import PORTAL, report_of_many
from kawe.html.pages import ResultPage

pytestmark = in_a_browser

_SHOWN = "return document.querySelectorAll('.rows tbody tr:not([hidden])').length"
_PLACES = "return document.querySelectorAll('.place:not(.away)').length"
_FETCHED = "return performance.getEntriesByType('resource').map((each) => each.name)"
_WIDE = "return document.querySelector('.map > svg').viewBox.baseVal.width"
_FIRST = "document.querySelector('.place[tabindex=\"0\"]').focus()"


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """Give a browser without a network."""
    with Browser(folder=tmp_path_factory.mktemp("profile")) as browser:
        browser.go_offline()
        yield browser


def show(browser, folder, *, rows):
    """Show the page of so many rows."""
    report = report_of_many(rows)
    page = ResultPage(report, origins=[PORTAL])
    for row in report.rows:
        page.add(row, reference=row.reference or "", name=row.name)
    file = folder / "monthly.result.html"
    file.write_text(page.finish(report.counts(), report.problems()), "utf-8")
    browser.open(file.as_uri())


def test_rows_and_places_are_searched_and_filtered_and_nobody_is_asked(
    browser, tmp_path
):
    show(browser, tmp_path, rows=260)
    seen = [(browser.run(_SHOWN), browser.run(_PLACES), browser.text(".found"))]
    browser.tab_to("Search")
    # Macrons need not be typed: each row names Tāmaki.
    for keys in ("tamaki r-2 held", ESCAPE):
        browser.press(*(keys if len(keys) > 1 else [keys]))
        seen.append((browser.run(_SHOWN), browser.run(_PLACES), browser.text(".found")))
    browser.tab_to("In doubt 17")
    browser.press(ENTER)
    seen.append((browser.run(_SHOWN), browser.run(_PLACES), browser.text(".found")))

    assert seen == [
        (260, 223, "260 of 260 rows shown"),
        (5, 5, "5 of 260 rows shown"),
        (260, 223, "260 of 260 rows shown"),
        (17, 15, "17 of 260 rows shown"),
    ]
    assert (browser.run(_FETCHED), browser.complaints()) == ([], [])


def test_the_map_is_used_by_keyboard_alone(browser, tmp_path):
    show(browser, tmp_path, rows=26)
    # A page that nobody has touched is told of no focus.
    browser.press(TAB)
    browser.run(_FIRST)
    first = browser.focused(), browser.text(".tip")
    browser.press(RIGHT)
    second = browser.focused(), browser.text(".tip")
    browser.press("+", "+")
    zoomed = browser.run(_WIDE)
    browser.press("0")
    whole = browser.run(_WIDE)
    browser.press(ENTER)

    assert first[0] == first[1] != second[0] == second[1]
    assert zoomed * 4 == pytest.approx(whole)
    assert browser.run("return document.querySelector(':target').matches('.rows tr')")


def test_nothing_keeps_people_out_in_light_and_dark(browser, tmp_path):
    show(browser, tmp_path, rows=26)
    for scheme in ("light", "dark"):
        browser.show_in(scheme)
        assert browser.barriers() == []
