"""A chain of events is followed link by link."""

from dataclasses import replace

import pytest

from doubles.journal_values import NOW, key, project_id
from kawe.domain.service.states import State
from kawe.journal.events import GENESIS, Event, EventKind, event_to_values, link_hash
from kawe.journal.history import (
    Discrepancy,
    RecordedState,
    Verification,
    verify_history,
)


def _move(came_from, went_to, **changes):
    event = Event(
        row=key(1), kind=EventKind.MOVE, at=NOW, came_from=came_from, went_to=went_to
    )
    return replace(event, **changes)


def _linked(values_of_events):
    previous = GENESIS
    for seq, values in enumerate(values_of_events, 1):
        digest = link_hash(seq, previous=previous, values=values)
        yield seq, previous, digest, values
        previous = digest


def _verify(*events, rows=()):
    return verify_history(_linked(map(event_to_values, events)), rows=rows, purges={})


def test_an_empty_history_is_whole():
    assert _verify() == Verification(events=0, rows=0)


def test_rows_that_stand_where_their_events_left_them_are_right():
    found = _verify(
        _move(State.VALID, State.DRAFTED, project=project_id(1)),
        _move(State.DRAFTED, State.READY),
        _move(State.READY, State.SENT),
        _move(State.SENT, State.CONFIRMED),
        _move(State.CONFIRMED, State.RECEIPTED, kind=EventKind.RECEIPT, detail="RC-1"),
        rows=[
            (
                key(1),
                RecordedState(
                    state=State.RECEIPTED, project=project_id(1), receipt="RC-1"
                ),
            ),
            (key(2), RecordedState(state=State.VALID)),
        ],
    )
    assert found == Verification(events=5, rows=2)


def test_a_row_that_starts_over_may_go_where_no_move_may():
    event = _move(State.WITHDRAWN, State.INVALID, kind=EventKind.READING)
    assert _verify(event).fault is None


@pytest.mark.parametrize(
    ("events", "what"),
    [
        (
            [_move(State.READY, State.SENT)],
            "Event 1 takes row R-1 from READY, where it did not stand.",
        ),
        (
            [
                _move(State.VALID, State.FILES_READY),
                _move(State.VALID, State.FILES_READY),
            ],
            "Event 2 takes row R-1 from VALID, where it did not stand.",
        ),
        (
            [_move(State.VALID, State.SENT)],
            "Event 1 takes row R-1 from VALID, to SENT, where it may not go.",
        ),
    ],
)
def test_a_way_that_cannot_have_been_taken_is_found(events, what):
    found = _verify(*events)
    expected = Discrepancy(event=len(events), what=what)
    assert (found.fault, found.events) == (expected, len(events))


def test_a_linked_event_that_says_nothing_known_is_found():
    values = list(event_to_values(_move(State.VALID, State.HELD)))
    values[4] = "LOST"
    found = verify_history(_linked([tuple(values)]), rows=(), purges={})
    assert found.fault == Discrepancy(event=1, what="Event 1 cannot be read.")


@pytest.mark.parametrize(
    "footing",
    [
        RecordedState(state=State.SENT),
        RecordedState(state=State.VALID, project=project_id(1)),
        RecordedState(state=State.VALID, receipt="RC-1"),
    ],
)
def test_a_row_without_events_must_stand_at_its_beginning(footing):
    found = _verify(
        rows=[(key(2), RecordedState(state=State.VALID)), (key(3), footing)]
    )
    what = "What the journal says of row R-3 is not what its events say."
    assert (found.rows, found.fault) == (1, Discrepancy(what=what))
