"""Every row of the table in promises.md, section 3, that is about acts."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doubles.service import REFUSALS
from kawe.domain.service.states import (
    INTENT_STATE,
    Done,
    NotDone,
    Reason,
    Step,
    Unknown,
)
from kawe.service.acts import classify, classify_invites
from kawe.service.transport.answers import Answer, Lost

ID = "0f8fad5b-d9cb-469f-a165-70867728950e"
BODY = {"name": "Culvert at Māngere", "reference": "R-1"}
DRAFT = {**BODY, "id": ID, "created_on": "2026-11-21T09:00:00.000Z"}
STEPS = pytest.mark.parametrize("step", list(INTENT_STATE))


def said(value, *, status=200, **changes):
    envelope = {
        "success": True,
        "message": "",
        "status_code": status,
        "response_object": value,
    }
    return Answer(http_status=status, body=json.dumps({**envelope, **changes}).encode())


@STEPS
def test_what_never_left_is_not_done(step):
    assert classify(step, Lost(sent=False, detail="no connection")) == NotDone(
        reason=Reason.NOT_REACHED, detail="no connection"
    )


@STEPS
def test_what_broke_after_the_first_byte_is_unknown(step):
    assert classify(step, Lost(sent=True, detail="broke")) == Unknown(detail="broke")


def test_a_404_on_a_send_is_unknown_because_the_draft_was_read_a_moment_ago():
    verdict = classify(Step.SEND, Answer(http_status=404))
    assert (type(verdict), verdict.http_status) == (Unknown, 404)


def test_a_404_on_another_step_is_not_done():
    answer = said(None, status=404, success=False, message="Because.")
    assert {classify(step, answer) for step in set(INTENT_STATE) - {Step.SEND}} == {
        NotDone(reason=Reason.NOT_FOUND, detail="Because.", http_status=404)
    }


@STEPS
@pytest.mark.parametrize(("status", "reason"), REFUSALS.items())
def test_a_refusal_is_not_done(step, status, reason):
    answer = said(None, status=status, success=False, message="Because.")
    assert classify(step, answer) == NotDone(
        reason=reason, detail="Because.", http_status=status
    )


@STEPS
@pytest.mark.parametrize("status", [100, 405, 408, 409, 418, 500, 502, 503, 504, 599])
def test_any_other_status_is_unknown(step, status):
    assert classify(step, Answer(http_status=status, body=b"Words")) == Unknown(
        detail=f"the service answered {status}: Words", http_status=status
    )


@STEPS
@pytest.mark.parametrize("status", [300, 301, 302, 307, 308, 399])
def test_a_redirect_is_unknown_and_stops_the_run(step, status):
    verdict = classify(step, Answer(http_status=status))
    assert (type(verdict), verdict.stops_run) == (Unknown, True)


@STEPS
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html></html>",
        b"[]",
        b"null",
        b'{"success": true}',
        b'{"success": false, "response_object": {}}',
        b'{"success": "true", "response_object": {}}',
        b'{"response_object": {}}',
        b"\xff\xfe",
    ],
)
def test_a_success_that_is_no_envelope_is_unknown(step, body):
    assert isinstance(classify(step, Answer(http_status=200, body=body)), Unknown)


@pytest.mark.parametrize("value", [None, True, [], "sent", {"id": "odd"}])
def test_a_send_is_done_whatever_its_answer_holds(value):
    assert classify(Step.SEND, said(value)) == Done(http_status=200)


def test_a_create_is_done_when_its_answer_echoes_the_body():
    verdict = classify(Step.CREATE, said(DRAFT, status=201), body=BODY)
    assert (verdict.http_status, verdict.project.id) == (201, ID)


def test_spaces_that_the_service_tidied_are_no_other_name():
    verdict = classify(
        Step.CREATE, said({**DRAFT, "name": " Culvert  at Māngere"}), body=BODY
    )
    assert isinstance(verdict, Done)


def test_a_create_without_a_reference_echoes_none():
    body = {"name": BODY["name"]}
    verdict = classify(Step.CREATE, said({**DRAFT, "reference": None}), body=body)
    assert isinstance(verdict, Done)


@pytest.mark.parametrize(
    "value",
    [
        None,
        {},
        {**DRAFT, "id": "17"},
        {**DRAFT, "id": None},
        {**DRAFT, "created_on": "soon"},
        {**DRAFT, "name": "Another"},
        {**DRAFT, "reference": "R-10"},
        {**DRAFT, "reference": None},
    ],
    ids=str,
)
def test_a_create_that_shows_something_else_is_unknown(value):
    assert isinstance(classify(Step.CREATE, said(value), body=BODY), Unknown)


@pytest.mark.parametrize("reference", ["r-1", "R-", "R-10", " R-1 ", "", None])
def test_a_draft_with_another_reference_or_none_is_unknown_and_a_candidate(reference):
    answer = said({**DRAFT, "reference": reference, "status": "DRAFT"})
    verdict = classify(Step.CREATE, answer, body=BODY)
    assert (type(verdict), verdict.candidate.id, ID in verdict.detail) == (
        Unknown,
        ID,
        True,
    )


def test_what_may_be_somebody_else_s_is_no_candidate():
    answer = said({**DRAFT, "status": "DRAFT", "name": "Another"})
    assert classify(Step.CREATE, answer, body=BODY).candidate is None


@pytest.mark.parametrize("reference", ["R-1", "r-1"])
def test_a_draft_that_was_sent_at_once_is_done_and_no_draft(reference):
    answer = said({**DRAFT, "reference": reference, "status": "NEW"})
    verdict = classify(Step.CREATE, answer, body=BODY)
    assert (type(verdict), verdict.project.is_sent) == (Done, True)


PEOPLE = ["Aroha@example.nz", "hemi@example.nz"]


def invited(*results, status=200):
    return said({"results": list(results)}, status=status)


def result(email, status="INVITED", **more):
    return {"email": email, "status": status, **more}


def test_answers_are_matched_by_address_whatever_their_order():
    answer = invited(result("HEMI@example.nz", "SKIPPED"), result("aroha@example.nz"))
    verdicts = classify_invites(answer, emails=PEOPLE)
    assert [each.invitation.status for each in verdicts] == ["INVITED", "SKIPPED"]


def test_whom_the_answer_does_not_name_is_in_doubt():
    verdicts = classify_invites(invited(result(PEOPLE[0])), emails=PEOPLE)
    assert [type(each) for each in verdicts] == [Done, Unknown]


@pytest.mark.parametrize(
    ("message", "detail"),
    [
        ("No such role", "No such role"),
        (None, "the service could not invite this person"),
    ],
)
def test_whom_the_service_could_not_invite_is_rejected(message, detail):
    answer = invited(result(PEOPLE[0]), result(PEOPLE[1], "FAILED", message=message))
    assert classify_invites(answer, emails=PEOPLE)[1] == NotDone(
        reason=Reason.REJECTED, detail=detail, http_status=200
    )


@pytest.mark.parametrize(
    ("emails", "reason"),
    [(PEOPLE, Reason.CHUNK_REFUSED), (PEOPLE[:1], Reason.REJECTED)],
    ids=["of two one is wrong", "it is this one"],
)
def test_a_rejected_chunk_blames_a_person_only_when_there_is_one(emails, reason):
    answer = Answer(http_status=400, body=b"bad")
    assert {each.reason for each in classify_invites(answer, emails=emails)} == {reason}


@pytest.mark.parametrize(
    "exchange",
    [
        Lost(sent=True, detail="broke"),
        Answer(http_status=503),
        said(None),
        said({"results": [{}]}),
        said([]),
    ],
    ids=str,
)
def test_an_unclear_answer_leaves_everybody_in_doubt(exchange):
    verdicts = classify_invites(exchange, emails=PEOPLE)
    assert [type(each) for each in verdicts] == [Unknown, Unknown]


def test_a_chunk_that_never_left_is_not_done():
    verdicts = classify_invites(Lost(sent=False, detail="off"), emails=PEOPLE)
    assert {each.reason for each in verdicts} == {Reason.NOT_REACHED}


@settings(max_examples=60, deadline=None)
@given(status=st.integers(100, 999), body=st.binary(max_size=60))
def test_no_answer_but_429_and_plain_refusals_says_not_done(status, body):
    verdict = classify(Step.SEND, Answer(http_status=status, body=body))
    refused = {400, 401, 402, 403, 413, 422, 429}
    assert isinstance(verdict, NotDone) == (status in refused)
