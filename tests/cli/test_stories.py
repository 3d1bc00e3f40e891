"""What people do with rows that were sent: nothing goes a second time.

Each story is told on the computer that sent the rows and on another, whose journal
knows nothing, and judged by the service's own table. A row that is edited too late may
be to correct (3) or held (4) where only the service knows it.
"""

from dataclasses import replace
from operator import methodcaller

import pytest

from doubles.cases import COMPUTERS, NUMBERED, RETOLD
from doubles.office import filled_down, happens, line, lines

A_PERSON_IS_NEEDED = (happens(3), happens(4))


def three_cells(row):
    """Edit one cell of three rows: a dot, a day, and a place by 50 m."""
    if row.work == 2:
        return row.but(name=f"{row.cells['Name']}.")
    if row.work == 5:
        return row.later(1, "Respond by")
    return row.moved(50) if row.work == 9 else row


HOW = {
    "same": methodcaller("but"),
    "a week to respond": methodcaller("later", 7, "Respond by"),
    "four weeks to respond": methodcaller("later", 28, "Respond by"),
    "all dates": methodcaller("later", 28),
    "brackets": lambda row: row.but(name=f"{row.cells['Name']} (joint)"),
    "three cells": three_cells,
}


# 1. A workbook, or its result, in other hands; a journal that forgot.


@NUMBERED
@COMPUTERS
@pytest.mark.parametrize(
    ("how", "edited"), [("same", 0), ("a week to respond", 12), ("three cells", 3)]
)
def test_a_row_of_a_result_is_the_project_whose_id_it_bears(
    office, *, how, edited, where, numbered
):
    rows = lines(range(12), numbered=numbered)
    office.begin(rows)
    office.pass_on()
    told = office.submit(getattr(office, where), map(HOW[how], rows), result=True)
    assert told == (happens(3, edited_too_late=edited) if edited else happens(0))


BACKUP = ("journal", "backup", "old.db"), ("journal", "restore", "old.db", "--aside")
PURGE = ("status",), ("journal", "purge", "--older-than", "0")
NOTHING = ("status",), ("status",)


@NUMBERED
@pytest.mark.parametrize("how", ["a week to respond", "three cells"])
@pytest.mark.parametrize(
    ("where", "before", "after"),
    [("here", *NOTHING), ("there", *NOTHING), ("here", *BACKUP), ("here", *PURGE)],
    ids=["here", "there", "after a restore", "after a purge"],
)
def test_an_edited_copy_is_asked_about(office, *, how, where, before, after, numbered):
    office.begin(lines([50]))
    office.run(*before)
    rows = lines(range(12), numbered=numbered)
    office.begin(rows)
    office.run(*after)
    copy = map(HOW[how], rows)
    told = office.submit(getattr(office, where), copy, name="copy.xlsx")
    assert told.by_the_table() in A_PERSON_IS_NEEDED
    assert numbered or how == "three cells" or told == happens(3, likely_repeat=12)


@NUMBERED
def test_a_copy_that_nobody_edited_is_known_as_sent(office, *, numbered):
    rows = lines(range(12), numbered=numbered)
    office.begin(rows)
    assert office.submit(office.there, rows) == happens(0)


# 2. References that are filled down or sorted while the rows stay.

KINDS = ("Culvert renewals", "Footbridge renewals", "Seawall repairs")


def one_name(works):
    return lines(works, name="Stormwater renewals 2027")


def three_names(works):
    named = [line(work, name=KINDS[work % 3]) for work in works]
    return sorted(named, key=lambda row: row.cells["Name"])


@COMPUTERS
@pytest.mark.parametrize(
    ("programme", "sent", "put_in"),
    [
        (one_name, 20, 5),
        pytest.param(one_name, 12, 1, marks=RETOLD),
        (three_names, 12, 1),
        pytest.param(three_names, 15, 2, marks=RETOLD),
        (lines, 12, 1),
        pytest.param(lines, 12, 3, marks=RETOLD),
        # The first row was taken out; all were turned round.
        (one_name, 12, -1),
        (lines, 12, -1),
        pytest.param(one_name, 12, 0, marks=RETOLD),
        (lines, 12, 0),
    ],
)
def test_references_filled_down_again_stop_the_sheet(
    office, *, programme, sent, put_in, where
):
    rows = filled_down(programme(range(sent)))
    office.begin(rows)
    stay = rows[max(0, -put_in) :] if put_in else rows[::-1]
    moved = filled_down([*programme(range(sent, sent + put_in)), *stay])
    told = office.submit(getattr(office, where), moved)
    assert told.by_the_table() in A_PERSON_IS_NEEDED
    assert where == "there" or told == happens(3, references_moved=1)


@pytest.mark.parametrize("programme", [one_name, lines])
def test_two_references_that_are_exchanged_stop_the_sheet(office, programme):
    rows = filled_down(programme(range(6)))
    office.begin(rows)
    told = office.submit(office.here, filled_down([rows[1], rows[0], *rows[2:]]))
    assert told == happens(3, references_moved=1)


@pytest.mark.parametrize("programme", [one_name, lines])
def test_to_agree_to_moved_references_sends_no_row_again(office, programme):
    rows = filled_down(programme(range(12)))
    office.begin(rows)
    moved = filled_down([*programme([12]), *rows])
    told = office.submit(office.here, moved, words=("--accept", "references"))
    assert told.by_the_table() == happens(3)


@COMPUTERS
@pytest.mark.parametrize("programme", [one_name, three_names, lines])
def test_rows_put_in_with_numbers_of_their_own_go(office, *, programme, where):
    rows = filled_down(programme(range(12)))
    office.begin(rows)
    rows = [*filled_down(programme(range(12, 17)), first=13), *rows]
    assert office.submit(getattr(office, where), rows) == happens(0, went=5)


@COMPUTERS
@pytest.mark.parametrize("programme", [one_name, lines])
@pytest.mark.parametrize(
    ("heading", "backwards"),
    [("Reference", False), ("Reference", True), ("Name", False)],
)
def test_a_column_that_is_sorted_alone_sends_no_row_again(
    office, *, programme, heading, backwards, where
):
    rows = filled_down(programme(range(20)))
    office.begin(rows[:10])
    cells = sorted((row.cells[heading] for row in rows), reverse=backwards)
    changed = [
        row.but(**{heading.lower(): cell})
        for row, cell in zip(rows, cells, strict=True)
    ]
    told = office.submit(getattr(office, where), changed)
    if heading == "Name" and programme is one_name:
        assert told == happens(0, went=10)
        return
    # Those of the new rows that have a number or name of a new row may go.
    assert replace(told.by_the_table(), went=0) in A_PERSON_IS_NEEDED


# 3. Rows that are carried over into the next month.


@pytest.mark.parametrize(
    ("old", "new", "carried", "how", "reference", "where"),
    [
        (24, 16, 8, "same", "new", "here"),
        pytest.param(24, 16, 8, "four weeks to respond", "new", "here", marks=RETOLD),
        pytest.param(24, 16, 8, "all dates", "new", "here", marks=RETOLD),
        (24, 16, 8, "all dates", "new", "there"),
        pytest.param(24, 16, 8, "four weeks to respond", "none", "here", marks=RETOLD),
        (24, 16, 8, "four weeks to respond", "none", "there"),
        pytest.param(24, 16, 8, "all dates", "none", "here", marks=RETOLD),
        (24, 16, 8, "all dates", "none", "there"),
        pytest.param(24, 23, 1, "all dates", "none", "here", marks=RETOLD),
        (24, 23, 1, "all dates", "none", "there"),
        pytest.param(24, 16, 8, "all dates", "emptied", "here", marks=RETOLD),
        (24, 16, 8, "all dates", "emptied", "there"),
        (24, 16, 12, "all dates", "new", "here"),
        pytest.param(24, 16, 10, "all dates", "new", "here", marks=RETOLD),
        (12, 12, 6, "all dates", "new", "here"),
        pytest.param(12, 12, 5, "all dates", "new", "here", marks=RETOLD),
        (12, 12, 5, "all dates", "new", "there"),
        (60, 20, 20, "all dates", "new", "here"),
    ],
)
def test_rows_that_are_carried_over_are_asked_about_and_new_ones_go(
    office, *, old, new, carried, how, reference, where
):
    january = lines(range(old), numbered=reference != "none")
    office.begin(january)
    others = [row.later(28) for row in lines(range(old, old + new))]
    february = filled_down([*map(HOW[how], january[:carried]), *others], first=1001)
    if reference != "new":
        february = [row.but(reference="") for row in february]
    name = "works.xlsx" if reference == "emptied" else "february.xlsx"
    told = office.submit(getattr(office, where), february, name=name)
    assert told == happens(3, went=new, likely_repeat=carried)


@COMPUTERS
@pytest.mark.parametrize(
    ("how", "numbered"),
    [("all dates", True), ("four weeks to respond", False), ("same", True)],
)
def test_rows_copied_to_the_end_of_a_log_are_asked_about(
    office, *, how, numbered, where
):
    year = lines(range(12), numbered=numbered)
    office.begin(year)
    end = list(map(HOW[how], year[3:7]))
    log = [*year, *(filled_down(end, first=101) if numbered else end)]
    told = office.submit(getattr(office, where), log)
    assert told.by_the_table() == happens(3)
    assert how == "same" or told == happens(3, likely_repeat=4)


# 4. Sheets of one workbook.


@COMPUTERS
@pytest.mark.parametrize(
    ("numbered", "how"),
    [
        (True, ["same"]),
        (True, ["four weeks to respond", "brackets"]),
        (False, ["four weeks to respond"]),
        (False, ["brackets"]),
        (False, ["brackets", "all dates"]),
    ],
)
def test_a_joint_work_that_two_sheets_tell_differently_is_asked_about(
    office, *, numbered, how, where
):
    roads, water = lines(range(7), numbered=numbered), lines(range(7, 13))
    joint = [HOW[each](row) for each, row in zip(how, roads, strict=False)]
    water = filled_down([*joint, *water], first=201)
    if not numbered:
        water = [row.but(reference="") for row in water]
    told = office.submit(getattr(office, where), roads, water)
    assert told == happens(3, went=13 - len(how), row_on_sheets=2 * len(how))


def test_a_joint_work_that_two_sheets_tell_alike_is_sent_once(office):
    roads, water = lines(range(7), numbered=False), lines(range(6, 13), numbered=False)
    assert office.submit(office.here, roads, water) == happens(0, went=13)


@COMPUTERS
@pytest.mark.parametrize("how", ["same", "four weeks to respond", "brackets"])
def test_a_joint_work_of_a_later_workbook_is_asked_about(office, *, how, where):
    roads, water = lines(range(7)), lines(range(7, 13))
    office.begin(roads)
    water = filled_down([*water, HOW[how](roads[0])], first=201)
    told = office.submit(getattr(office, where), water, name="water.xlsx")
    assert told == happens(3, went=6, likely_repeat=1)


@pytest.mark.parametrize("purged", [False, True], ids=["kept", "purged"])
def test_a_reference_of_a_sent_work_never_calls_another_work_sent(office, purged):
    office.begin(lines(range(3)))
    for words in PURGE if purged else ():
        office.run(*words)
    told = office.submit(office.here, filled_down([line(7)], first=1), name="next.xlsx")
    assert told == happens(3, reference_used=1)
