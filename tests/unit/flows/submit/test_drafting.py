"""Drafts: files first, one create each, one organisation each."""

from collections import Counter
from dataclasses import replace

import pytest

from doubles.memory_journal import ONE_SENT, ONE_UNFINISHED
from doubles.memory_scene import MemoryScene, scripted
from doubles.rows import checked_invitations, checked_projects, person, project
from doubles.service import MemoryService
from doubles.sheets import PLAN_PDF
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.service.states import NotDone, NotUploaded, Reason, Unknown, Uploaded
from kawe.domain.sheet.content import OrganisationContent
from kawe.errors import ContractBroken, KeyRefused, ScopeMissing, ServiceUnreachable
from kawe_places.values import Place

WAI_ORA = OrganisationContent(
    name="Wai Ora Ltd",
    address="2 Quay Street",
    place=Place(latitude=-36.84, longitude=174.76),
)
LIMITED = NotDone(reason=Reason.RATE_LIMITED, http_status=429)
UNREACHED = NotDone(reason=Reason.NOT_REACHED, detail="no connection")
LOST = Unknown(detail="lost")


def rows(number, **changes):
    return checked_projects([project(n, **changes) for n in range(number)])


def test_nineteen_rate_limits_of_a_create_and_one_of_a_send_cost_a_row_nothing():
    scene = scripted(create=[LIMITED] * 19, send=[LIMITED])
    run = scene.submit(rows(1), agreed=1)
    assert (scene.outcomes(), run.stop.because, scene.service.tokens) == (
        ONE_SENT,
        None,
        99,
    )


@pytest.mark.parametrize(
    ("call", "tries"), [("create", 20), ("send", 6), ("invite", 20)]
)
def test_a_rate_limit_that_stays_closed_ends_the_run(call, tries):
    scene = MemoryScene(workers=1)
    scene.service.script = {call: [LIMITED] * 99}
    checked = checked_invitations([person(1)]) if call == "invite" else rows(1)
    run = scene.submit(checked)
    assert (type(run.stop.because), scene.service.calls[call], scene.outcomes()) == (
        ServiceUnreachable,
        tries,
        ONE_UNFINISHED,
    )


@pytest.mark.parametrize("call", ["create", "send"])
def test_a_service_out_of_reach_is_tried_three_times(call):
    scene = MemoryScene(workers=1)
    scene.service.script = {call: [UNREACHED] * 9}
    run = scene.submit(rows(2))
    assert (type(run.stop.because), scene.service.calls[call], scene.clock.slept) == (
        ServiceUnreachable,
        3,
        [1.0] * 6,
    )


def test_a_network_that_comes_back_in_time_costs_nothing():
    scene = scripted(create=[UNREACHED, UNREACHED])
    scene.submit(rows(1))
    assert scene.outcomes() == ONE_SENT


def test_an_organisation_whose_create_is_in_doubt_is_made_once():
    scene = MemoryScene()
    scene.service.loses_answers_of = {"create"}
    scene.submit(rows(5, organisation=WAI_ORA))
    made = {each.organisation_id for each in scene.service.projects_there}
    assert (len(scene.service.organisations_there), len(made), scene.outcomes()) == (
        1,
        1,
        Counter({Outcome.SENT: 5}),
    )


def test_an_organisation_that_was_never_made_is_made_once_after_the_doubt():
    scene = scripted(create=[LOST])
    scene.submit(rows(5, organisation=WAI_ORA))
    assert (len(scene.service.organisations_there), scene.outcomes()) == (
        1,
        Counter({Outcome.SENT: 5}),
    )


def test_organisations_that_cannot_be_read_stop_the_run_and_create_nothing():
    scene = MemoryScene(workers=1)
    scene.service.script = {
        "create": [LOST],
        "organisations": [ServiceUnreachable(message="Down.")],
    }
    run = scene.submit(rows(1, organisation=WAI_ORA))
    assert (type(run.stop.because), scene.service.organisations_there) == (
        ServiceUnreachable,
        [],
    )


@pytest.mark.parametrize(
    "kind", [KeyRefused, ScopeMissing, ServiceUnreachable, ContractBroken]
)
def test_what_keeps_every_file_out_stops_the_run(kind):
    scene, trouble = MemoryScene(), kind(message="Words.", hint="Do this.")
    scene.service.upload_verdicts = [trouble]
    run = scene.submit(rows(1, files=(PLAN_PDF,)))
    assert (run.stop.because, scene.service.calls["create"]) == (trouble, 0)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [(True, "plan.pdf was changed"), (False, "The service did not take the file")],
)
def test_a_file_that_is_not_taken_makes_its_row_invalid(changed, reason):
    scene = MemoryScene()
    scene.service.upload_verdicts = [
        NotUploaded(detail="plan.pdf was changed", changed=changed)
    ]
    scene.submit(checked_projects([project(1, files=(PLAN_PDF,)), project(2)]))
    assert scene.outcomes() == Counter({Outcome.INVALID: 1, Outcome.SENT: 1})
    assert scene.entries()[0].reason.startswith(reason)


def test_a_file_that_arrived_is_not_brought_again_by_the_next_run():
    scene = MemoryScene(workers=1)
    other = replace(PLAN_PDF, name="map.pdf")
    scene.service.upload_verdicts = [
        Uploaded(document_id="d-1"),
        ServiceUnreachable(message="gone"),
    ]
    checked = rows(1, files=(PLAN_PDF, other))
    scene.submit(checked)
    scene.submit(checked)
    assert (scene.service.calls["upload"], scene.outcomes()) == (3, ONE_SENT)


def test_who_stops_while_the_limit_is_closed_hears_of_no_network_trouble():
    scene = MemoryScene()

    class StoppedWhileWaiting(MemoryService):
        async def upload(self, attachment):
            scene.halt.asked = True
            raise ServiceUnreachable(message=attachment.name)

    scene.service = StoppedWhileWaiting()
    run = scene.submit(rows(1, files=(PLAN_PDF,)))
    assert (run.stop.because, scene.service.calls["create"]) == (None, 0)


def test_without_a_turn_nothing_is_noted_or_asked():
    scene = MemoryScene()
    scene.service.has_turns = False
    scene.submit(rows(2))
    assert (scene.service.calls["create"], scene.outcomes()) == (
        0,
        Counter({Outcome.UNFINISHED: 2}),
    )
