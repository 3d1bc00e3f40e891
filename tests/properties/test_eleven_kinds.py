"""Right values and ten usual mistakes, each on 2,000 true places on land."""

from collections import Counter

import pytest

from architecture.house import ROOT
from place_kinds import ELEVEN, NOTATIONS, found, spots
from show_places import PUBLISHED, table, table_of

TRUE_PLACES = 2_000


def test_the_places_are_2000_and_some_are_at_the_chathams():
    assert len(spots()) == len({spot.place for spot in spots()}) == TRUE_PLACES
    assert Counter(spot.grid for spot in spots()) == {"NZTM": 1_800, "CITM": 200}


@pytest.mark.parametrize(
    "kind", [kind for kind in ELEVEN if not kind.is_right], ids=lambda kind: kind.words
)
def test_a_mistake_is_refused_and_with_agreement_the_true_place_is_found(kind):
    what = found(kind)

    assert what.by_itself == {"refused, one suggested": TRUE_PLACES}
    assert what.with_agreement == {"right, with a warning": TRUE_PLACES}


@pytest.mark.parametrize(
    "kind",
    [kind for kind in (*ELEVEN, *NOTATIONS) if kind.is_right],
    ids=lambda kind: kind.words,
)
def test_a_right_place_is_read_as_that_place_in_whatever_notation(kind):
    what = found(kind)

    told = +Counter(
        {"right": TRUE_PLACES - kind.notes, "right, with a note": kind.notes}
    )
    assert what.by_itself == what.with_agreement == told


def test_there_are_eleven_kinds():
    assert len({kind.words for kind in ELEVEN}) == 11


def test_the_published_table_is_the_one_that_is_measured():
    assert PUBLISHED.parent == ROOT / "docs" / "reference"
    assert table_of(PUBLISHED.read_text("utf-8")) == table(), (
        "run python tools/show_places.py --write"
    )
