"""What every journal promises of the workbooks that a batch was read from."""

from dataclasses import replace

import pytest

from doubles.journal_values import BATCH, batch, content, entry, key, later, line
from kawe.domain.rows.entries import BatchName, PlacedLine
from kawe.domain.service.states import State
from kawe.errors import JournalError

FIRST = batch()
PART = batch(workbook="/home/mere/Part.xlsx", headings=("Name",), read_at=later(1))
DECEMBER = batch(
    batch=BatchName("december"), workbook="/home/mere/December.xlsx", read_at=later(2)
)


def open_all(home, *readings):
    """Open batches one after the other: each with its lines and its rows."""
    for opened, lines, entries in readings:
        home.ask("open_batch", opened, lines=lines, entries=entries)


def test_each_workbook_of_a_batch_keeps_its_own_lines(home):
    open_all(
        home,
        (FIRST, [line(1), line(2)], [entry(1), entry(2)]),
        (PART, [line(2)], [entry(2)]),
    )
    both = home.ask("readings", BATCH)
    assert both == (FIRST.reading, PART.reading)
    lines = [home.ask("lines", BATCH, reading=each) for each in both]
    assert lines == [(line(1), line(2)), (line(2),)]
    assert home.ask("lines", BATCH) == (line(2),)


def test_a_workbook_that_is_read_again_replaces_its_own_lines_and_is_the_latest(home):
    again = replace(FIRST, read_at=later(9))
    open_all(
        home,
        (FIRST, [line(1), line(2)], [entry(1), entry(2)]),
        (PART, [line(2)], [entry(2)]),
        (again, [line(1)], [entry(1)]),
    )
    named = home.ask("named", [key(1), key(2)])
    assert home.ask("readings", BATCH) == (PART.reading, again.reading)
    assert named == {
        key(1): (PlacedLine(reading=again.reading, line=line(1)),),
        key(2): (PlacedLine(reading=PART.reading, line=line(2)),),
    }


def test_the_latest_reading_is_known_when_the_clock_went_back(home):
    earlier = replace(PART, read_at=later(-60))
    open_all(
        home,
        (FIRST, [line(1)], [entry(1)]),
        (earlier, [line(1, raw=("R-1", "Part"))], [entry(1)]),
    )
    named = home.ask("named", [key(1)])[key(1)]
    assert [each.reading for each in named] == [earlier.reading, FIRST.reading]


def test_a_workbook_that_was_moved_takes_the_place_of_what_it_was(home):
    open_all(home, (FIRST, [line(1), line(2)], [entry(1), entry(2)]))
    now = {"lines": [line(1)], "entries": [entry(1)], "in_place_of": [FIRST.reading]}
    home.ask("open_batch", PART, **now)
    assert home.ask("readings", BATCH) == (PART.reading,)
    assert home.ask("named", [key(1), key(2)]) == {
        key(1): (PlacedLine(reading=PART.reading, line=line(1)),)
    }


def test_a_row_stays_in_its_batch_and_in_its_place_whatever_workbook_has_it(home):
    moved = entry(
        1, batch=DECEMBER.name, position=7, content=content(1, message="Now.")
    )
    open_all(
        home,
        (FIRST, [line(1)], [entry(1)]),
        (
            DECEMBER,
            [line(1), line(3)],
            [moved, entry(3, batch=DECEMBER.name, position=8)],
        ),
    )
    named = home.ask("named", [key(1)])[key(1)]
    assert home.row(1) == entry(1, content=content(1, message="Now."))
    assert [each.key for each in home.ask("entries", DECEMBER.name)] == [key(3)]
    assert [each.reading.batch for each in named] == [DECEMBER.name, BATCH]


def test_a_row_of_another_batch_that_has_a_draft_keeps_all_but_what_is_not_in_it(home):
    open_all(home, (FIRST, [line(1)], [entry(1)]))
    held = home.walk(1, State.HELD, reason="Look.")
    wanted = content(1, message="Now, please.")
    open_all(
        home, (DECEMBER, [line(1)], [entry(1, batch=DECEMBER.name, content=wanted)])
    )
    assert home.row(1) == replace(held, content=wanted)


def test_a_new_row_of_another_batch_is_refused(home):
    with pytest.raises(JournalError, match="cannot file row R-1 in this batch"):
        home.begin(entry(1, batch=DECEMBER.name))


def test_rows_that_no_workbook_names_are_left_out(home):
    open_all(home, (FIRST, [line(1)], [entry(1), entry(2)]))
    assert home.ask("named", [key(2), key(5)]) == {}
    assert home.ask("named", []) == {}
