"""A create whose answer is no draft, or not quite the one that was asked for."""

import json
from collections import Counter
from dataclasses import replace

import pytest

from doubles.memory_journal import ONE_SENT
from doubles.memory_scene import MemoryScene
from doubles.rows import first_rows
from doubles.service import MemoryService
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.service.service_words import projects_in, without_ids
from kawe.domain.service.states import Done, Step, Unknown
from kawe.errors import ContractBroken
from kawe.flows.settle.resolving import Decision
from kawe.service.acts import classify
from kawe.service.transport.answers import Answer


class SendingAtOnce(MemoryService):
    """Submits a project although a draft was asked for, and says so."""

    async def create_draft(self, body):
        done = await super().create_draft(body)
        sent = replace(done.project, status="NEW")
        self.projects_there[-1] = sent
        self.sends[sent.id] += 1
        self.tokens -= 1
        return replace(done, project=sent)


@pytest.mark.parametrize("how", [{"drafts_only": True}, {"max_tokens": 2}, {}], ids=str)
def test_a_service_that_sends_drafts_at_once_is_stopped_at_and_believed(how):
    scene = MemoryScene(service=SendingAtOnce(), workers=3)
    run = scene.submit(first_rows(60), **how)
    sent = scene.service.sends.total()
    assert (sent <= scene.workers, type(run.stop.because), run.tally.sent) == (
        True,
        ContractBroken,
        sent,
    )
    assert scene.outcomes() == Counter(
        {Outcome.SENT: sent, Outcome.UNFINISHED: 60 - sent}
    )


class WritingOtherwise(MemoryService):
    """Writes each reference in its own way, or keeps none."""

    __slots__ = ("way",)

    def __init__(self):
        super().__init__()
        self.way = str.lower

    async def create_draft(self, body):
        done = await super().create_draft(body)
        made = replace(done.project, reference=self.way(done.project.reference))
        self.projects_there[-1] = made
        return Unknown(detail="", candidate=made)


def named(entry):
    return [each for _, each in projects_in(entry.reason)]


def held_after(scene):
    """Give the rows that are held after a stop: each draft is named by one of them."""
    run = scene.submit(first_rows(10))
    held = [each for each in scene.entries() if each.state == "HELD"]
    assert type(run.stop.because) is ContractBroken
    made = [each.id for each in scene.service.projects_there]
    assert sorted(map(named, held)) == [[each] for each in made]
    return held


@pytest.mark.parametrize("way", [str.lower, lambda _: "", lambda _: None])
def test_drafts_with_another_reference_are_held_named_and_made_no_second_time(way):
    scene = MemoryScene(service=WritingAgain(), workers=3)
    scene.service.way = way
    held = held_after(scene)
    assert (len(held) <= 4, scene.service.sends) == (True, Counter())


class WritingAgain(WritingOtherwise):
    """Says of its drafts what the service client says of such answers."""

    __slots__ = ()

    async def create_draft(self, body):
        doubt = await super().create_draft(body)
        one = doubt.candidate
        return replace(doubt, detail=f"It made this: “{one.name}”, a draft ({one.id}).")


class Forgetting(MemoryService):
    """Answers as a service does that keeps no reference, over the wire's own rules."""

    __slots__ = ("says",)

    async def create_draft(self, body):
        made = (await super().create_draft(body)).project
        self.projects_there[-1] = replace(made, reference=self.says)
        shown = {
            "id": made.id,
            "name": made.name,
            "reference": self.says,
            "status": "DRAFT",
            "created_on": made.created_at.isoformat(),
        }
        said = {"success": True, "status_code": 200, "response_object": shown}
        answer = Answer(http_status=200, body=json.dumps(said).encode())
        return classify(Step.CREATE, answer, body=body)


@pytest.mark.parametrize("says", [None, ""])
def test_a_service_that_keeps_no_reference_is_stopped_at_and_its_drafts_are_named(says):
    scene = MemoryScene(service=Forgetting(), workers=3)
    scene.service.says = says
    held = held_after(scene)
    told = {
        each.reason.startswith("The service made a draft without ") for each in held
    }
    assert (len(held) <= 5, told) == (True, {True})


def test_one_draft_with_another_reference_among_others_stops_nothing():
    scene = MemoryScene(workers=1)

    class Once(WritingAgain):
        async def create_draft(self, body):
            if body["reference"] == "R-2":
                return await super().create_draft(body)
            return await MemoryService.create_draft(self, body)

    scene.service = Once()
    scene.submit(first_rows(5))
    again = scene.submit(first_rows(5))
    assert (scene.outcomes(), scene.service.calls["create"], again.tally.created) == (
        Counter({Outcome.SENT: 4, Outcome.HELD: 1}),
        5,
        0,
    )


def test_a_draft_with_another_reference_that_a_person_takes_is_sent():
    scene = MemoryScene(service=WritingAgain())
    scene.submit(first_rows(1))
    (entry,) = scene.entries()
    (made,) = named(entry)
    scene.decide(Decision.ADOPT, project=made)
    scene.submit(first_rows(1))
    assert (dict(scene.service.sends), scene.outcomes(), without_ids(entry.reason)) == (
        {made: 1},
        ONE_SENT,
        "It made this: “Culvert 0 at Māngere”, a draft.",
    )


def test_the_draft_of_another_row_is_no_candidate():
    scene = MemoryScene(workers=1)

    class Repeating(MemoryService):
        """Answers each create after the first with the first one's draft."""

        async def create_draft(self, body):
            done = await super().create_draft(body)
            first = self.projects_there[0]
            return (
                Unknown(detail="", candidate=first)
                if done.project != first
                else (Done(http_status=201, project=first))
            )

    scene.service = Repeating()
    scene.submit(first_rows(2))
    assert (scene.outcomes(), scene.service.sends.total()) == (
        Counter({Outcome.SENT: 2}),
        2,
    )
