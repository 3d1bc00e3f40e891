"""Sends: read first, once each, within what was agreed to."""

import asyncio
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from doubles.memory_journal import ONE_HELD
from doubles.memory_scene import MemoryScene, scripted
from doubles.rows import first_rows
from doubles.service import AfterSending, MemoryService
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.service.states import NotDone, Reason, State, Unknown
from kawe.errors import ContractBroken, KeyRefused, ScopeMissing, ServiceUnreachable

LOST = Unknown(detail="lost")


class Meddling(MemoryService):
    """Shows each project, after its draft was made, as a colleague left it."""

    def __init__(self, **changes):
        super().__init__()
        self.changes = changes

    __slots__ = ("changes",)

    async def project(self, project):
        found = await super().project(project)
        if found is None or "gone" in self.changes:
            return None
        return replace(found, **self.changes)


@pytest.mark.parametrize(
    ("changes", "outcome", "why"),
    [
        ({"gone": True}, Outcome.UNFINISHED, "does not show the draft; the next run"),
        ({"status": "NEW"}, Outcome.SENT, "sent in the portal"),
        ({"status": None}, Outcome.HELD, "does not say whether it was sent"),
        ({"name": "Other"}, Outcome.HELD, "changed in the portal: name"),
        ({"reference": "X-9"}, Outcome.HELD, "changed in the portal: reference"),
        ({"phase": "ON_HOLD"}, Outcome.HELD, "changed in the portal: phase"),
        ({"phase": "WITHDRAWN"}, Outcome.HELD, "changed in the portal: phase"),
        ({"phase": "WORKS_UNDERWAY", "status": "NEW"}, Outcome.SENT, "in the portal"),
        (
            {"reference": "X-9", "name": "Other"},
            Outcome.HELD,
            "shows another project under the id of this row's draft: Other (X-9)",
        ),
        (
            {"reference": None, "status": "NEW"},
            Outcome.HELD,
            "another project under the id of this row's draft",
        ),
    ],
    ids=str,
)
def test_a_draft_that_is_not_as_it_was_is_not_sent(changes, outcome, why):
    scene = MemoryScene(service=Meddling(**changes))
    scene.submit(first_rows())
    entry = scene.entries()[0]
    assert (scene.outcomes(), why in entry.reason, scene.service.calls["send"]) == (
        Counter({outcome: 1}),
        True,
        0,
    )


def test_a_draft_that_cannot_be_read_stops_the_run_unsent():
    scene = scripted(project=[ServiceUnreachable(message="Down.")])
    run = scene.submit(first_rows())
    assert (type(run.stop.because), scene.service.calls["send"]) == (
        ServiceUnreachable,
        0,
    )


@pytest.mark.parametrize(
    ("call", "verdict", "trouble"),
    [
        ("send", NotDone(reason=Reason.KEY_REFUSED), KeyRefused),
        ("send", NotDone(reason=Reason.SCOPE_MISSING), ScopeMissing),
        ("send", Unknown(detail="307", stops_run=True), ContractBroken),
        ("create", NotDone(reason=Reason.KEY_REFUSED), KeyRefused),
        ("create", NotDone(reason=Reason.SCOPE_MISSING), ScopeMissing),
        ("create", NotDone(reason=Reason.NOT_FOUND, detail="Path."), ContractBroken),
        ("create", Unknown(detail="307", stops_run=True), ContractBroken),
    ],
    ids=str,
)
def test_what_makes_every_further_call_unsafe_stops_the_run(call, verdict, trouble):
    scene = MemoryScene(workers=1)
    scene.service.script = {call: [verdict]}
    run = scene.submit(first_rows(3))
    assert (type(run.stop.because), scene.service.calls[call]) == (trouble, 1)


@pytest.mark.parametrize("reason", [Reason.REJECTED, Reason.NOT_FOUND])
def test_one_row_that_the_service_refuses_to_send_is_held_and_the_rest_goes(reason):
    scene = scripted(send=[NotDone(reason=reason, detail="Words")])
    scene.submit(first_rows(3))
    assert scene.outcomes() == Counter({Outcome.HELD: 1, Outcome.SENT: 2})


def test_a_send_that_was_lost_and_is_proven_unsent_costs_one_of_what_was_agreed():
    scene = MemoryScene(workers=1)
    scene.service.tokens = 2
    scene.service.script = {"send": [LOST]}
    scene.submit(first_rows(2), agreed=2)
    assert (scene.outcomes(), scene.service.tokens) == (Counter({Outcome.SENT: 2}), 0)


@pytest.mark.parametrize(
    ("limit", "why"),
    [
        ({"agreed": 2, "balance": 9}, "Not tried: the run's limit is reached"),
        ({"agreed": 9, "balance": 2}, "Not tried: there are too few tokens"),
    ],
)
def test_no_more_is_sent_than_may_be_whatever_is_lost(limit, why):
    scene = MemoryScene(workers=1)
    scene.service.loses_answers_of = {"send"}
    scene.submit(first_rows(5), **limit)
    reasons = Counter(each.reason for each in scene.entries())
    assert (scene.service.sends.total(), reasons[why]) == (2, 3)
    assert scene.outcomes() == Counter({Outcome.SENT: 2, Outcome.DEFERRED: 3})


def test_a_send_whose_answer_is_lost_again_and_again_is_held():
    scene = scripted(send=[LOST] * 9)
    scene.submit(first_rows())
    assert (scene.outcomes(), scene.service.calls["send"]) == (ONE_HELD, 3)


def test_after_the_first_402_at_most_the_sends_in_flight_go_out():
    scene = MemoryScene(workers=3)
    scene.service.tokens = 0
    run = scene.submit(first_rows(9), balance=9)
    assert (scene.service.calls["send"] <= 3, scene.outcomes()) == (
        True,
        Counter({Outcome.DEFERRED: 9}),
    )
    assert (run.tally.no_tokens_at, len(scene.quiet.said)) == (scene.clock.at, 1)


def test_a_release_sends_one_row_alone_first():
    scene = MemoryScene(workers=3)
    scene.service.tokens = 0
    scene.submit(first_rows(4))
    asked = scene.service.calls["send"]
    scene.release(balance=4)
    assert (scene.service.calls["send"] - asked, scene.outcomes()) == (
        1,
        Counter({Outcome.DEFERRED: 4}),
    )


def test_a_release_without_tokens_asks_nothing():
    scene = MemoryScene()
    scene.service.tokens = 0
    scene.submit(first_rows(2))
    asked = scene.service.calls.copy()
    scene.release()
    assert scene.service.calls["send"] == asked["send"]


def test_a_release_that_cannot_read_says_why():
    scene = MemoryScene()
    scene.service.tokens = 0
    scene.submit(first_rows(1))
    scene.service.tokens = 5
    scene.service.script = {"project": [ServiceUnreachable(message="Down.")]}
    assert (type(scene.release().stop.because), scene.service.calls["send"]) == (
        ServiceUnreachable,
        0,
    )


@pytest.mark.parametrize(
    ("shown", "state", "reason"),
    [
        ({"gone": True}, State.SENT, ""),
        ({"status": None}, State.SENT, ""),
        (
            {"status": "DRAFT"},
            State.UNCONFIRMED,
            "The service accepted the send but still shows a draft.",
        ),
        ({}, State.CONFIRMED, ""),
    ],
    ids=str,
)
def test_only_what_is_seen_sent_is_confirmed_and_nothing_is_sent_again(
    shown, state, reason
):
    scene = MemoryScene(service=AfterSending(**shown))
    scene.submit(first_rows())
    assert (scene.entry.state, scene.entry.reason, scene.service.sends.total()) == (
        state,
        reason,
        1,
    )


def test_a_project_that_went_out_otherwise_is_sent_and_its_row_says_in_what():
    shown = {
        "name": "Other",
        "phase": "ON_HOLD",
        "start_at": datetime(2027, 4, 1, tzinfo=UTC),
        "place": None,
    }
    scene = MemoryScene(service=AfterSending(**shown))
    run = scene.submit(first_rows())
    (entry,) = scene.entries()
    said = (
        "R-0 went out otherwise than agreed: name from Culvert 0 at Māngere to Other; "
        "phase from nothing to ON_HOLD; start from 1 March 2030 to 1 April 2027; "
        "place from -36.85, 174.76 to nothing."
    )
    assert (entry.state, entry.reason, run.tally.sent_otherwise) == (
        State.CONFIRMED,
        said,
        {entry.key: said},
    )


def test_a_phase_that_a_service_gives_to_a_row_without_one_holds_nothing():
    scene = MemoryScene(service=Meddling(phase="PRE_START"))
    scene.submit(first_rows())
    assert scene.service.calls["send"] == 1


class OneTurn(MemoryService):
    """Gives a turn to the create and none to the send."""

    __slots__ = ()

    async def turn(self):
        return self.calls["create"] == 0


def test_without_a_turn_a_draft_is_ready_and_not_noted_as_sent():
    scene = MemoryScene(service=OneTurn())
    run = scene.submit(first_rows())
    assert (scene.entries()[0].state, run.tally.may_have_sent) == (State.READY, set())


class StoppedAtOnce(MemoryService):
    """A person asks to stop while the first send is on its way."""

    __slots__ = ("halt", "looks", "stopped")

    async def project(self, project):
        # All but the first of a few are still being looked at when that is sent.
        self.looks += 1
        if self.looks > 1:
            await self.stopped.wait()
        return await super().project(project)

    async def send(self, project, body):
        self.halt.asked, self.has_turns = True, False
        self.stopped.set()
        return await super().send(project, body)


def test_a_stopped_run_shows_as_many_sends_as_it_made():
    scene = MemoryScene(service=StoppedAtOnce(), workers=3)
    scene.service.halt, scene.service.looks = scene.halt, 0
    scene.service.stopped = asyncio.Event()
    scene.submit(first_rows(12))
    shown = scene.quiet.reached["Sending to iwi"]
    assert (shown, scene.service.sends.total()) == (1, 1)
