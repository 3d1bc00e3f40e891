"""Where a row may go, and where a verdict takes it."""

from itertools import product

import pytest

from doubles.journal_values import created, invited
from kawe.domain.batch.outcomes import Outcome, outcome_of
from kawe.domain.service.states import (
    AFTER_SEND,
    BEFORE_CREATE,
    DOUBT_STATE,
    FINISHED,
    IN_DOUBT,
    INTENT_STATE,
    TRANSITIONS,
    Done,
    NotDone,
    Reason,
    State,
    Step,
    Unknown,
    may_follow,
    state_after,
)

VERDICTS = (
    Unknown(detail="No answer."),
    created(1),
    Done(http_status=200),
    invited("INVITED"),
    invited("SKIPPED"),
    invited("FAILED"),
    *(NotDone(reason=reason) for reason in Reason),
)


def test_the_table_speaks_of_every_state():
    assert set(TRANSITIONS) == set(State)


def test_no_state_leads_to_itself():
    assert [state for state in State if may_follow(state, state)] == []


def test_every_state_can_be_reached_from_a_valid_row():
    reached = {State.VALID}
    while more := {n for s in reached for n in TRANSITIONS[s]} - reached:
        reached |= more
    assert reached == set(State)


@pytest.mark.parametrize(("step", "verdict"), list(product(INTENT_STATE, VERDICTS)))
def test_every_verdict_takes_a_row_where_it_may_go(step, verdict):
    assert may_follow(INTENT_STATE[step], state_after(step, verdict))


@pytest.mark.parametrize("step", list(INTENT_STATE))
def test_silence_is_always_a_doubt(step):
    assert state_after(step, Unknown(detail="")) is DOUBT_STATE[step]


@pytest.mark.parametrize("step", list(INTENT_STATE))
def test_an_intent_found_at_start_may_become_a_doubt(step):
    assert may_follow(INTENT_STATE[step], DOUBT_STATE[step])


@pytest.mark.parametrize(
    ("reason", "after"),
    [
        (Reason.NO_TOKENS, (State.FILES_READY, State.WAIT_TOKENS, State.VALID)),
        (Reason.REJECTED, (State.INVALID, State.HELD, State.INVALID)),
        (Reason.NOT_FOUND, (State.FILES_READY, State.HELD, State.VALID)),
        (Reason.KEY_REFUSED, (State.FILES_READY, State.READY, State.VALID)),
        (Reason.SCOPE_MISSING, (State.FILES_READY, State.READY, State.VALID)),
        (Reason.CHUNK_REFUSED, (State.FILES_READY, State.READY, State.VALID)),
        (Reason.RATE_LIMITED, (State.FILES_READY, State.READY, State.VALID)),
        (Reason.NOT_REACHED, (State.FILES_READY, State.READY, State.VALID)),
    ],
)
def test_a_refusal_takes_a_row_back_or_to_whoever_can_help(reason, after):
    verdict = NotDone(reason=reason)
    found = tuple(
        state_after(step, verdict) for step in (Step.CREATE, Step.SEND, Step.INVITE)
    )
    assert found == after


@pytest.mark.parametrize("reason", list(Reason))
def test_a_draft_that_was_not_updated_waits_for_a_person(reason):
    # The journal has the edit by then, and the draft has not.
    assert state_after(Step.UPDATE, NotDone(reason=reason)) is State.HELD


@pytest.mark.parametrize(
    ("step", "verdict", "state"),
    [
        (Step.CREATE, created(1), State.DRAFTED),
        (Step.UPDATE, Done(http_status=200), State.DRAFTED),
        (Step.SEND, Done(http_status=200), State.SENT),
        (Step.INVITE, invited("INVITED"), State.INVITED),
        (Step.INVITE, invited("SKIPPED"), State.ALREADY_THERE),
        (Step.INVITE, invited("FAILED"), State.HELD),
        (Step.INVITE, invited("SOMETHING_NEW"), State.HELD),
        (Step.INVITE, Done(http_status=200), State.HELD),
    ],
)
def test_a_success_takes_a_row_on(step, verdict, state):
    assert state_after(step, verdict) is state


def test_only_a_doubt_or_an_intent_needs_asking():
    assert {s for s in State if outcome_of(s) is Outcome.IN_DOUBT} == IN_DOUBT


def test_nothing_leads_from_a_sent_row_to_another_send():
    reached = set(AFTER_SEND)
    while more := {n for s in reached for n in TRANSITIONS[s]} - reached:
        reached |= more
    assert reached == {*AFTER_SEND, State.ABANDONED}


def test_a_doubt_never_leads_to_an_intent_without_being_settled():
    ways = {after for state in IN_DOUBT for after in TRANSITIONS[state]}
    assert ways & set(INTENT_STATE.values()) == set()


def test_before_the_create_no_row_can_be_finished():
    assert set() == BEFORE_CREATE & (FINISHED | IN_DOUBT)


def test_every_state_has_an_outcome_for_the_person():
    # A check gives one of the others, and the comparison with the team two.
    others = {Outcome.READY, Outcome.NOT_AS_ASKED, Outcome.RESENT}
    assert {outcome_of(state) for state in State} == set(Outcome) - others
