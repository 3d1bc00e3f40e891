"""Rows that are told in other words, dates or places: what is asked about and what not.

Of name, place and words two agree, or one and all three dates: then a row is asked
about, whatever reference it has and whoever sent it. Honest works are not.
"""

from dataclasses import replace

import pytest

from doubles.cases import COMPUTERS, NUMBERED
from doubles.office import filled_down, happens, line, lines, street

OTHER_WORDS = "New pipes are laid and the verge is made good, as the council agreed."


def name_of(row, **changed):
    """Change letters of a name; the words are other words."""
    name = row.cells["Name"]
    for old, new in changed.items():
        name = name.replace(old, new)
    return row.but(name=name, description=f"{street(row.work)}: {OTHER_WORDS}")


NEAR = {
    "an abbreviation": lambda row: name_of(row, Road="Rd").later(28),
    "an abbreviation with a stop": lambda row: name_of(row, Road="Rd.").later(28),
    "brackets": lambda row: name_of(row, Road="Road (joint)").later(28),
    "no macrons": lambda row: name_of(row, ō="o").later(28),
    "a leading reference": lambda row: name_of(row, Culvert="RC-14: Culvert").later(28),
    "one without a colon": lambda row: name_of(row, Culvert="RC-0142 Culvert").later(
        28
    ),
    "capitals": lambda row: name_of(row, Culvert="CULVERT").later(28),
    "a place 250 m off and other words": lambda row: name_of(row).moved(250).later(28),
    "an address beside it": lambda row: name_of(row).but(address="1 Te Ara").later(28),
    "the words shortened": lambda row: row.but(description="A new culvert.").later(28),
    "name and words": lambda row: row.but(name="Job 7", description=OTHER_WORDS),
    "name and place": lambda row: row.but(name="Bridgeworks").moved(5_000),
    "words and place": lambda row: row.but(description="Digging.").moved(-5_000),
    "name and dates": lambda row: row.but(name="Pipes").later(28),
    "place and dates": lambda row: row.moved(2_000).later(28),
    "another season": lambda row: row.later(200),
    "two years later": lambda row: row.later(730),
    "the same": lambda row: row,
}


def honest():
    """Give works that share one trait with a sent one and nothing else."""
    name, words, place = (row.cells for row in lines(range(3)))
    where = {each.lower(): place[each] for each in ("Latitude", "Longitude")}
    works = [
        line(40, name=name["Name"]),
        line(41, description=words["Description"]),
        line(42, **where),
        line(43),
    ]
    return [row.later(28) for row in works]


@COMPUTERS
@NUMBERED
def test_a_row_that_is_told_otherwise_is_asked_about(office, *, numbered, where):
    sent = lines(range(len(NEAR)), numbered=numbered)
    office.begin(sent)
    near = [change(row) for change, row in zip(NEAR.values(), sent, strict=True)]
    rows = filled_down([*near, *honest()], first=501)
    told = office.submit(getattr(office, where), rows, name="later.xlsx")
    found = told.document["findings"]
    asked = {at - 2 for e in found if e["severity"] == "error" for at in e["rows"]}
    assert [each for at, each in enumerate(NEAR) if at not in asked] == []
    assert told == happens(3, went=4, likely_repeat=len(NEAR))


@pytest.mark.parametrize("where", [{}, {"latitude": "", "longitude": ""}])
def test_what_a_colleague_sent_in_the_portal_is_asked_about(office, where):
    row = line(1)
    office.in_portal(row.but(**where))
    told = office.submit(office.here, [name_of(row, Road="Rd").later(28), line(2)])
    assert told == happens(3, went=1, likely_repeat=1)


@COMPUTERS
@pytest.mark.parametrize(
    ("closed", "days", "is_asked"),
    [(True, 400, False), (True, 100, True), (False, 400, True)],
)
def test_a_work_of_another_year_is_another_project_once_the_first_is_closed(
    office, *, closed, days, is_asked, where
):
    office.begin([line(1)])
    if closed:
        office.close(1)
    again = replace(line(1).later(days).but(reference="N-1"), work=2 - is_asked)
    told = office.submit(getattr(office, where), [again], name="next.xlsx")
    assert told == (happens(3, likely_repeat=1) if is_asked else happens(0, went=1))


@NUMBERED
@COMPUTERS
def test_a_work_of_every_month_is_sent_every_month(office, *, where, numbered):
    # To the office that of each month is another.
    year = [replace(line(1).later(30 * month), work=month) for month in range(14)]
    year = filled_down(year) if numbered else [row.but(reference="") for row in year]
    office.begin(year[:12])
    who = getattr(office, where)
    assert office.submit(who, year[:13]) == happens(0, went=1)
    assert office.submit(who, year[13:], name="next.xlsx") == happens(0, went=1)


@COMPUTERS
def test_a_work_of_every_month_is_asked_about_until_three_were_sent(office, where):
    year = [replace(line(1).later(30 * month), work=month) for month in range(4)]
    year = filled_down(year)
    office.begin(year[:1])
    for month in (1, 2):
        asked = office.submit(office.here, [year[month]], name=f"{month}.xlsx")
        assert asked == happens(3, likely_repeat=1)
        word = ("--accept", "repeats")
        told = office.submit(office.here, [year[month]], name="a.xlsx", words=word)
        assert told == happens(0, went=1)
    told = office.submit(getattr(office, where), year[3:], name="3.xlsx")
    assert told == happens(0, went=1)


SHARED = pytest.mark.parametrize(
    "shared",
    [
        {"name": "Stormwater renewals 2027"},
        {"latitude": "-36.88000", "longitude": "174.75000"},
    ],
    ids=["one name", "one place"],
)


@COMPUTERS
@SHARED
def test_what_a_whole_programme_shares_asks_nothing(office, *, shared, where):
    office.begin(lines(range(8), **shared))
    told = office.submit(getattr(office, where), lines(range(8, 16), **shared))
    assert told == happens(0, went=8)


@COMPUTERS
def test_the_same_words_for_every_work_ask_nothing(office, where):
    office.begin(lines(range(8), description=OTHER_WORDS))
    following = lines(range(8, 16), description=OTHER_WORDS)
    told = office.submit(getattr(office, where), following, name="next.xlsx")
    assert told == happens(0, went=8)


@COMPUTERS
@SHARED
def test_the_words_alone_tell_a_work_where_the_programme_shares_the_rest(
    office, *, shared, where
):
    sent = lines(range(8), **shared)
    office.begin(sent)
    again = sent[3].later(28)
    again = again.moved(900) if "name" in shared else again.but(name="Pipes")
    rows = filled_down([again, *lines(range(8, 12), **shared)], first=501)
    told = office.submit(getattr(office, where), rows, name="next.xlsx")
    assert told == happens(3, went=4, likely_repeat=1)


@COMPUTERS
@pytest.mark.parametrize("word", ["new", "R-1"])
def test_a_row_that_is_said_to_be_a_repeat_or_new_goes(office, *, word, where):
    office.begin(lines([1, 2]))
    said, silent = filled_down([row.later(28) for row in lines([1, 2])], first=5)
    rows = [replace(said, work=11).but(repeat_of=word), silent]
    told = office.submit(getattr(office, where), rows, name="next.xlsx")
    assert told == happens(3, went=1, likely_repeat=1)


def test_a_row_that_repeats_what_nobody_knows_is_to_correct(office):
    office.begin(lines([1]))
    row = line(1).later(28).but(reference="N-1", repeat_of="R-9")
    told = office.submit(office.here, [row], name="next.xlsx")
    assert told.by_the_table() == happens(3)


@COMPUTERS
@pytest.mark.parametrize("word", ["repeats", "alike"])
def test_a_word_takes_the_rows_that_were_listed_and_none_later(office, *, word, where):
    office.begin(lines([1, 2]))
    who = getattr(office, where)
    # Once somebody says so, they are other works.
    second = [replace(row.later(28), work=row.work + 10) for row in lines([1, 2])]
    second = filled_down(second, first=5)
    assert office.submit(who, second, name="b.xlsx") == happens(3, likely_repeat=2)
    told = office.submit(who, second, name="b.xlsx", words=("--accept", word))
    assert told == happens(0, went=2)
    third = filled_down([row.later(56) for row in lines([1, 2])], first=15)
    assert office.submit(who, third, name="c.xlsx") == happens(3, likely_repeat=2)


@COMPUTERS
@NUMBERED
def test_a_word_makes_no_second_project_of_a_row_that_bears_its_id(
    office, *, numbered, where
):
    rows = lines(range(6), numbered=numbered)
    office.begin(rows)
    office.pass_on()
    later = [row.later(28) for row in rows]
    word = ("--accept", "repeats")
    told = office.submit(getattr(office, where), later, result=True, words=word)
    assert told.by_the_table() in (happens(3), happens(4))


@COMPUTERS
@pytest.mark.parametrize("stay", [0, 6])
def test_new_rows_pasted_over_an_old_result_are_new(office, *, stay, where):
    old = lines(range(12), numbered=False)
    office.begin(old)
    office.pass_on()
    new = [*lines(range(20, 32 - stay), numbered=False), *old[12 - stay :]]
    told = office.submit(getattr(office, where), new, result=True)
    assert told == happens(0, went=12 - stay)


@COMPUTERS
@pytest.mark.parametrize("heading", ["reference_at_the_service", "reference"])
def test_the_marker_of_a_row_tells_which_project_it_is(office, *, heading, where):
    sent = lines(range(6), numbered=False)
    office.begin(sent)
    markers = office.references()
    rows = [name_of(r).later(7).but(**{heading: markers[r.work]}) for r in sent]
    told = office.submit(getattr(office, where), rows, name="marked.xlsx")
    assert told.by_the_table() in (happens(3), happens(4))


@COMPUTERS
@pytest.mark.parametrize("command", ["check", "plan"])
def test_who_only_looks_is_told_as_well(office, *, command, where):
    rows = lines(range(6), numbered=False)
    office.begin(rows)
    later = [row.later(28) for row in rows]
    told = office.submit(getattr(office, where), later, command=command)
    assert told == happens(3, likely_repeat=6)


def test_a_draft_that_waits_is_held_once_a_colleague_has_sent_the_work(office):
    rows = lines(range(4))
    office.submit(office.here, rows, words=("--max-tokens", "0"))
    office.in_portal(name_of(rows[0], Road="Rd").later(28))
    assert office.release() == happens(4, went=3)
    office.run("resolve", "R-0", "--retry")
    # It is another project: a person has said so.
    assert office.submit(office.here, rows) == replace(happens(0), twice=frozenset({0}))


def test_a_draft_of_a_colleague_is_a_work_as_well(office):
    rows = lines(range(4))
    office.submit(office.here, rows, words=("--drafts-only",))
    again = filled_down([row.later(28) for row in rows], first=101)
    assert office.submit(office.there, again) == happens(3, likely_repeat=4)
    assert office.submit(office.here, rows) == happens(0, went=4)
