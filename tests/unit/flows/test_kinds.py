"""A kind of sheet is found by its word, and is one object wherever it goes."""

import copy
import pickle

import pytest

from kawe.cases.kinds import KINDS
from kawe.domain.service.states import Step
from kawe.domain.sheet.columns import SheetKind
from kawe.flows.kinds import Kind
from kawe.kinds.projects import PROJECTS


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_stays_one_object(kind):
    again = (
        SheetKind.named(kind.value),
        copy.deepcopy(kind),
        pickle.loads(pickle.dumps(kind)),
        Kind.of(kind),
    )
    assert all(each is kind for each in again)


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_says_every_word_that_is_asked_of_it(kind):
    asked = {*SheetKind.__annotations__, *Kind.__annotations__}
    assert {name for name in asked if not hasattr(kind, name)} == set()


def test_a_word_that_no_kind_has_is_refused():
    with pytest.raises(ValueError, match="'letters'"):
        SheetKind.named("letters")


def test_a_kind_for_which_nothing_is_done_is_refused():
    class Bare(SheetKind):
        def __new__(cls):
            return str.__new__(cls, "bare")

    with pytest.raises(TypeError, match="bare"):
        Kind.of(Bare())


def test_the_kinds_are_told_apart_by_what_people_call_their_sheets():
    names = [name for kind in KINDS for name in kind.sheet_names]
    assert (len(set(names)), PROJECTS in names) == (len(names), True)


def test_a_step_is_one_object_for_its_word():
    assert (Step("send") is Step.SEND, Step("tell") is Step("tell")) == (True, True)
