"""Events are stored as they were, and attempts follow from them."""

import hashlib
from dataclasses import replace

import pytest

from doubles.journal_values import NOW, intent, key, later, project_id
from kawe.domain.service.states import Attempt, State, Step
from kawe.journal.events import (
    GENESIS,
    Event,
    EventKind,
    attempts_of,
    event_from_values,
    event_to_values,
    intent_of,
    link_hash,
)

MOVE = Event(
    row=key(1), kind=EventKind.MOVE, at=NOW, came_from=State.VALID, went_to=State.HELD
)
INTENT = Event(
    row=key(1),
    kind=EventKind.INTENT,
    at=NOW,
    came_from=State.FILES_READY,
    went_to=State.CREATE_INTENT,
    step=Step.CREATE,
    attempt=1,
    body_sha256="a" * 64,
    known_projects=(project_id(4), project_id(5)),
)
CONCLUSION = Event(
    row=key(1),
    kind=EventKind.CONCLUSION,
    at=later(1),
    came_from=State.CREATE_INTENT,
    went_to=State.DRAFTED,
    step=Step.CREATE,
    attempt=1,
    verdict="done",
    http_status=201,
    project=project_id(1),
    detail="Ōtaki",
)


@pytest.mark.parametrize("event", [MOVE, INTENT, CONCLUSION])
def test_an_event_comes_back_as_it_was(event):
    assert event_from_values(event_to_values(event)) == event


def test_an_event_is_stored_as_texts_and_whole_numbers():
    assert event_to_values(CONCLUSION) == (
        "ref:R-1",
        "conclusion",
        "2026-11-21T09:01:00.000000+00:00",
        "CREATE_INTENT",
        "DRAFTED",
        "create",
        1,
        None,
        "done",
        201,
        project_id(1),
        "[]",
        "Ōtaki",
    )


def test_a_hash_depends_on_place_on_what_came_before_and_on_every_value():
    values = event_to_values(INTENT)
    hashes = {
        link_hash(1, previous=GENESIS, values=values),
        link_hash(2, previous=GENESIS, values=values),
        link_hash(1, previous="1" * 64, values=values),
        *(
            link_hash(
                1,
                previous=GENESIS,
                values=(*values[:place], "other", *values[place + 1 :]),
            )
            for place in range(len(values))
        ),
    }
    assert len(hashes) == 3 + len(values)


def test_a_hash_can_be_computed_without_kawe():
    # docs/journal.md tells auditors how.
    text = (
        f'["{GENESIS}",1,"ref:R-1","move","2026-11-21T09:00:00.000000+00:00",'
        '"VALID","HELD",null,null,null,null,null,null,"[]","Ōtaki"]'
    )
    values = event_to_values(replace(MOVE, detail="Ōtaki"))
    digest = link_hash(1, previous=GENESIS, values=values)
    assert digest == hashlib.sha256(text.encode()).hexdigest()


def test_attempts_follow_from_intents_and_conclusions():
    second = Event(
        row=key(1),
        kind=EventKind.INTENT,
        at=later(2),
        came_from=State.READY,
        went_to=State.SEND_INTENT,
        step=Step.SEND,
        attempt=1,
        body_sha256="a" * 64,
    )
    assert attempts_of([MOVE, INTENT, CONCLUSION, second]) == (
        Attempt(
            intent=intent(
                1, Step.CREATE, known_projects=(project_id(4), project_id(5))
            ),
            ended_at=later(1),
            verdict="done",
            detail="Ōtaki",
            http_status=201,
        ),
        Attempt(intent=intent(1, Step.SEND, begun_at=later(2))),
    )


def test_an_event_that_is_no_intent_gives_none():
    with pytest.raises(ValueError, match="without step"):
        intent_of(MOVE)
