"""On the pages, no sentence of the flows sends a person to a terminal."""

from __future__ import annotations

import re

import pytest

from doubles.journal_values import batch, entry
from kawe.cases.choices import find_batch
from kawe.desk.words import for_the_desk
from kawe.domain.batch.explaining import advice_for
from kawe.domain.service.states import State
from kawe.errors import GuardRefused, KaweError
from kawe.flows.settle.resolved_words import resolved_lines
from kawe.flows.settle.resolving import CHANGED_AFTER_DRAFT, Resolved, beyond_words

TYPED = re.compile(
    r"--[a-z]|kawe (?:check|plan|submit|release|deferred|held|resolve|report)\b"
    r"|same command"
)


@pytest.mark.parametrize("state", State)
def test_the_next_step_for_a_row_is_a_page_or_a_button(state):
    for same_sends in (True, False):
        said = advice_for(entry(1, state=state), same_sends=same_sends)
        assert TYPED.findall(for_the_desk(said)) == []


@pytest.mark.parametrize("why", [CHANGED_AFTER_DRAFT, beyond_words(("type",))])
def test_why_a_row_is_held_names_no_option(why):
    assert TYPED.findall(for_the_desk(why)) == []


def test_after_a_decision_no_option_is_named():
    resolved = Resolved(entry=entry(1, state=State.READY), differs=("name",))
    said = " ".join(resolved_lines(resolved, adopted=None))
    assert "--adopt" in said
    assert TYPED.findall(for_the_desk(said)) == []


def test_an_error_without_a_batch_names_no_command():
    with pytest.raises(KaweError) as raised:
        find_batch((), name=None)
    assert for_the_desk(str(raised.value)).endswith("Submit a workbook first.")


def test_what_is_no_advice_stays_as_it_is():
    fault = GuardRefused(message="Stopped: another number was typed.", hint="Nothing.")
    assert for_the_desk(str(fault)) == str(fault)
    assert for_the_desk(batch().name) == batch().name
