"""What every journal promises of answers about places."""

import sqlite3
from contextlib import closing

import pytest

from doubles.journal_values import NOW, later
from kawe.domain.service.service_words import IwiAnswer, IwiChoice
from kawe.errors import JournalError
from kawe_places.values import Place

HERE = Place(latitude=-41.2706123, longitude=173.2840456)
THERE = Place(latitude=-43.0, longitude=-176.0)
ROUTED = IwiAnswer(
    choices=(IwiChoice(slug="tauira", name="Ngāti Tauira ki te Raki"),),
    can_select=False,
)
CHOSEN = IwiAnswer(
    choices=(*ROUTED.choices, IwiChoice(slug="x", name="Te “Ati” Mea")), can_select=True
)


def _keep(home, place, answer, *, minutes=0):
    home.ask("keep_iwi_answer", place, answer, at=later(minutes))


def _answers(home, *, minutes=0):
    return home.ask("iwi_answers", since=later(minutes))


def test_the_next_process_finds_each_answer_by_its_place(home):
    _keep(home, HERE, ROUTED)
    _keep(home, THERE, CHOSEN)
    assert _answers(home) == {HERE.key(): ROUTED, THERE.key(): CHOSEN}


def test_places_one_centimetre_apart_are_the_same(home):
    _keep(home, HERE, ROUTED)
    _keep(home, Place(latitude=HERE.latitude + 1e-9, longitude=HERE.longitude), CHOSEN)
    assert _answers(home) == {HERE.key(): CHOSEN}


def test_only_answers_since_then_are_given(home):
    _keep(home, HERE, ROUTED)
    _keep(home, THERE, CHOSEN, minutes=5)
    assert (_answers(home, minutes=5), _answers(home, minutes=6), later(0) == NOW) == (
        {THERE.key(): CHOSEN},
        {},
        True,
    )


@pytest.mark.parametrize(
    "choices", ["", "{}", '[["a"]]', '[[1, "b"]]', '["ab"]', "[null]"]
)
def test_an_answer_that_kawe_did_not_write_is_refused(disk, choices):
    _keep(disk, HERE, CHOSEN)
    with closing(sqlite3.connect(disk.path)) as db, db:
        db.execute("UPDATE iwi_answer SET choices = ?", (choices,))
    with pytest.raises(JournalError):
        _answers(disk)
