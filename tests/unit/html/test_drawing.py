"""What is drawn stands where it is on the ground, and adds up."""

import re

import pytest

from doubles.payloads import PAYLOADS, assert_html_is_inert
from doubles.reports import (
    AUCKLAND,
    PORTAL,
    WAITANGI,
    report_of,
    report_of_many,
    report_row,
)
from kawe.domain.batch.outcomes import Outcome
from kawe.html.coastline import CHATHAMS, MAINLAND, _ring_path, coast_path, position
from kawe.html.pages import LOOKS, MOST_ROWS, ResultPage, bars, plot, shares
from kawe_places.values import Place


def page_of(report, *, origins=(PORTAL,)):
    """Make the page of a report as a result does."""
    page = ResultPage(report, origins=origins)
    for row in report.rows:
        page.add(row, reference=row.reference or "", name=row.name)
    return page.finish(report.counts(), report.problems())


def test_known_places_stand_where_they_are_and_the_chathams_in_their_frame() -> None:
    x, y = position(WAITANGI)
    frame = CHATHAMS

    assert position(AUCKLAND) == (3355, 1449)
    assert frame.x < x < frame.x + frame.width
    assert frame.y < y < frame.y + frame.height
    assert position(WAITANGI) == position(Place(latitude=-43.9535, longitude=183.4403))
    assert position(Place(latitude=-33.0, longitude=151.0)) is None
    assert frame.x + frame.width < MAINLAND.width
    assert frame.y + frame.height < MAINLAND.height


def test_the_coast_is_one_path_in_the_drawing_and_has_every_island_that_is_seen() -> (
    None
):
    path = coast_path()
    starts = [tuple(map(int, each)) for each in re.findall(r"M(\d+) (\d+)l", path)]

    assert re.fullmatch(r"(M\d+ \d+l(-?\d+ -?\d+ ?)+z)+", path)
    assert len(starts) > 300
    assert all(x <= MAINLAND.width and y <= MAINLAND.height for x, y in starts)
    assert _ring_path([(-40.0, 175.0), (-40.0, 175.00001), (-40.0, 175.0)]) == ""


def test_every_outcome_has_a_mark_and_two_of_one_sheet_never_have_the_same() -> None:
    done = {Outcome.SENT, Outcome.INVITED, Outcome.DONE}
    marks = {(look.path, look.way, look.tone) for look in LOOKS.values()}

    assert LOOKS.keys() == set(Outcome)
    assert len(marks) == len(Outcome) - len(done) + 1


def test_shares_fill_their_bar_and_no_number_is_drawn_as_nothing() -> None:
    parts = shares([("done", 1), ("wait", 0), ("wrong", 1), ("rest", 1)])
    drawn = plot([("Oct", [("done", 3)]), ("Nov", [("done", 1), ("wait", 200)])])

    assert parts == [("done", 0, 333), ("wrong", 333, 333), ("rest", 666, 334)]
    assert [each.width for each in bars([("a", 1000), ("b", 1), ("c", 0)])] == [
        100,
        1,
        0,
    ]
    heights = [[height for _, _, height in each.stack] for each in drawn]
    assert heights == [[3], [1, 182]]
    assert shares([]) == bars([]) == []


def test_a_page_too_long_to_filter_has_first_what_somebody_must_do() -> None:
    sent = [report_row(n, Outcome.SENT) for n in range(2, MOST_ROWS + 2)]
    page = page_of(report_of([*sent, report_row(MOST_ROWS + 2, Outcome.HELD)]))

    assert f'<tr id="r{MOST_ROWS + 1}" data-outcome="held">' in page
    assert f'<tr id="r{MOST_ROWS}"' not in page
    assert f"This page has {MOST_ROWS:,} of {MOST_ROWS + 1:,} rows" in page


def test_a_page_links_to_the_own_service_alone() -> None:
    report = report_of_many(13)

    def links(page: str) -> set[str]:
        return {each for each in re.findall(r'href="([^"]*)"', page) if each[0] != "#"}

    assert links(page_of(report)) == {
        f"{PORTAL}/projects/p-{number}" for number in range(2, 15)
    }
    assert links(page_of(report, origins=["https://other.example"])) == set()


@pytest.mark.parametrize("text", PAYLOADS)
def test_no_text_of_a_row_or_of_the_service_is_active_in_a_page(text: str) -> None:
    rows = [
        report_row(number, outcome, text=text)
        for number, outcome in enumerate(Outcome, start=2)
    ]

    assert_html_is_inert(page_of(report_of(rows, text=text), origins=[text]))
