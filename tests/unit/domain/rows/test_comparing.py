"""Whether a row is about the project of another row, trait by trait."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from doubles.rows import project
from kawe.domain.rows.comparing import (
    KnownWork,
    KnownWorks,
    is_another_project,
    is_excused,
    is_next_round,
    moved_references,
    traits_of,
)
from kawe_places.values import Place

WORDS = "The culvert under the road is replaced, and its banks are planted again."
WORK = traits_of(
    project(
        1, reference="R-1", name="Weir at Ōtaki", description=WORDS, address="1 Mill Rd"
    )
)
ELSEWHERE = Place(latitude=-40.0, longitude=175.0)
OTHER_WORDS = "Something else is built there, with other people, in other months."
LATER = tuple(day + timedelta(days=28) for day in WORK.days)


def said(**changes):
    """Say the work again, as another row of another month."""
    row = {
        "reference": "N-7",
        "name": "Weir at Ōtaki",
        "description": WORDS,
        "address": "1 Mill Rd",
        "start_on": LATER[0],
        "end_on": LATER[1],
        "respond_by_on": LATER[2],
    }
    return traits_of(project(1, **{**row, **changes}))


def works(*others, beside=()):
    kept = [KnownWork(traits=each, of=None) for each in (WORK, *others)]
    return KnownWorks(kept, beside=beside)


def is_like(row, *others):
    return any(each.traits == WORK for each, _ in works(*others).like(row))


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"name": "weir at otaki."},
        {"name": "Weir at Ōtaki (joint)"},
        {"name": "RC-0142 Weir at Ōtaki"},
        {"name": "N-7 Weir at Ōtaki"},
        {"name": "Another weir"},
        {"description": OTHER_WORDS},
        {"place": ELSEWHERE, "address": None},
        {"place": None, "address": None, "description": OTHER_WORDS},
        {"place": None, "address": "1 mill road", "description": OTHER_WORDS},
        {"place": Place(latitude=-36.852, longitude=174.76), "name": "Another weir"},
        {"reference": "R 01", "description": OTHER_WORDS, "place": ELSEWHERE},
    ],
)
def test_two_of_name_place_and_words_make_a_likely_repeat(changes):
    assert is_like(said(**changes))


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "Another weir", "description": OTHER_WORDS},
        {"place": ELSEWHERE, "address": None, "description": OTHER_WORDS},
        {"place": ELSEWHERE, "address": None, "name": "Another weir"},
    ],
)
def test_one_alone_makes_none_unless_all_three_dates_agree(changes):
    days = dict(zip(("start_on", "end_on", "respond_by_on"), WORK.days, strict=True))
    assert [is_like(said(**changes)), is_like(said(**changes, **days))] == [False, True]


def test_names_that_differ_in_a_number_are_two_works_but_not_in_a_year():
    short = "It is made anew."

    def is_asked(name, *numbers, words, north=0.0, reference="B"):
        one, other = (
            traits_of(
                project(
                    1,
                    reference=reference and f"{reference}{n}",
                    name=f"{name} {n}",
                    description=words,
                    place=Place(latitude=-36.85 + at * north, longitude=174.76),
                )
            )
            for at, n in enumerate(numbers)
        )
        return [*KnownWorks([KnownWork(traits=one, of=None)]).like(other)] != []

    # Words of its own tell a work although somebody sorted the names alone.
    assert [
        is_asked("Bore", 3, 4, words=short, north=0.001),
        is_asked("Bores", 2026, 2027, words=short, north=0.001),
        is_asked("Bore", 3, 4, words=WORDS, north=0.0005),
        is_asked("Bore", 3, 4, words=short),
        is_asked("Bore", 3, 4, words=short, reference=None),
    ] == [False, True, True, False, True]


def test_a_numbered_name_from_another_place_was_sorted_away_from_its_row():
    bores = [
        traits_of(
            project(
                n,
                reference=f"B{n}",
                name=f"Bore {n} at {n} Mill Road",
                description=f"Bore {n} is tested.",
                place=Place(latitude=-36.0 - n / 10, longitude=174.76),
            )
        )
        for n in (3, 4)
    ]
    renumbered = replace(
        bores[0], reference="2027 3", name=bores[1].name, words="It is made anew."
    )
    new = replace(renumbered, name="bore 5 at 5 mill road")
    known = KnownWorks([KnownWork(traits=each, of=None) for each in bores])
    assert [[*known.like(row)] != [] for row in (new, renumbered)] == [False, True]


def programme(count, **changes):
    """Give works that share what `changes` say, each elsewhere."""
    return [
        traits_of(
            project(
                n,
                **{
                    "name": f"Work called {n} x",
                    "description": f"{OTHER_WORDS} {n}",
                    "address": f"{n} Coronation Road",
                    "place": Place(latitude=-37.0 - n / 10, longitude=175.0),
                    **changes,
                },
            )
        )
        for n in range(2, 2 + count)
    ]


def test_a_name_that_a_programme_shares_proves_nothing():
    row = said(description=OTHER_WORDS, address=None, place=None)
    shared = programme(4, name="Weir at Ōtaki")
    assert [is_like(row), is_like(row, *shared)] == [True, False]


def test_what_a_row_says_itself_now_makes_no_name_common():
    shared = programme(2, name="Weir at Ōtaki")
    row = said(description=OTHER_WORDS, address=None, place=ELSEWHERE)
    days = replace(row, days=WORK.days)
    works = KnownWorks(
        [KnownWork(traits=each, of=None) for each in (WORK, *shared)], beside=[days]
    )
    assert any(each.traits == WORK for each, _ in works.like(days))


def test_another_place_with_other_words_and_dates_is_another_project():
    same = {"place": Place(latitude=-36.86, longitude=174.76), "address": None}
    rows = [said(**same), said(**same, description=OTHER_WORDS)]
    assert [is_another_project(WORK, row, is_done=True) for row in rows] == [
        False,
        True,
    ]


def test_a_site_with_many_works_proves_nothing_but_the_words_alone_do():
    site = programme(4, place=project(1).place)
    row = said(name="Another weir", description=OTHER_WORDS)
    same_words = said(name="Another weir")
    assert [is_like(row, *site), is_like(same_words, *site)] == [False, True]


def test_a_site_with_many_works_takes_nothing_from_a_name_of_its_own():
    site = programme(4, place=project(1).place)
    assert is_like(said(description=OTHER_WORDS, address=None), *site)


def test_the_very_spot_counts_beside_the_name_of_a_programme():
    shared = programme(4, name="Weir at Ōtaki")
    near = Place(latitude=-36.8515, longitude=174.76)
    rows = [
        said(description=OTHER_WORDS, address=None),
        said(description=OTHER_WORDS, address=None, place=near),
    ]
    assert [is_like(row, *shared) for row in rows] == [True, False]


@pytest.mark.parametrize(
    ("is_over", "days", "is_another"),
    [(True, 170, True), (True, 169, False), (False, 400, False)],
)
def test_dates_excuse_another_round_only_of_a_work_that_is_over(
    is_over, days, is_another
):
    start, *rest = WORK.days
    row = replace(WORK, days=(start + timedelta(days=days), *rest))
    work = KnownWork(traits=WORK, of=None, is_over=is_over)
    assert is_excused(row, work) is is_another


@pytest.mark.parametrize(
    ("starts", "start", "goes_on"),
    [
        ((1, 31, 61), 91, True),
        ((1, 31, 61), 81, True),
        ((1, 31, 61), 75, False),
        ((1, 31, 61), 62, False),
        ((1, 31), 61, False),
        ((1, 31, 121), 211, False),
    ],
)
def test_three_sends_at_even_steps_are_a_series(starts, start, goes_on):
    first = date(2030, 1, 1)

    def on(day):
        return replace(WORK, days=(first + timedelta(days=day), *WORK.days[1:]))

    assert is_next_round(on(start), map(on, starts)) is goes_on


def test_references_that_three_rows_exchanged_or_two_have_moved():
    known = [(f"ref:R-{n}", work) for n, work in enumerate(programme(6))]
    down = [(key, known[at][1]) for at, (key, _) in enumerate(known[1:])]
    two = [(known[0][0], known[1][1]), (known[1][0], known[0][1])]
    one = [(known[0][0], known[1][1])]
    shared = [(key, replace(work, words="", name="x")) for key, work in known]
    assert [
        [key for key, _ in moved_references(rows, known=known)]
        for rows in (known, down, two, one, shared)
    ] == [[], [key for key, _ in known[1:]], [known[0][0], known[1][0]], [], []]
