"""Acts over real sockets: each answer, whole or broken, leads to one verdict.

The table is promises.md, section 3: whatever breaks after the first byte of a
request leaves the act in doubt, and nothing is asked twice.
"""

import asyncio
import gzip
import json

import pytest

from doubles.hostile_server import always, answer, envelope, hostile_server
from doubles.loops import awaited
from doubles.opened import CANARY, opened, wire_to
from doubles.rows import project
from doubles.service import REFUSALS
from kawe.domain.rows.identity import draft_body, update_body
from kawe.domain.service.service_words import ProjectId
from kawe.domain.service.states import Done, NotDone, Reason, Unknown
from kawe.flows.submit.sending import send_body
from kawe.service.transport.answers import Answer, Lost

ID = "0f8fad5b-d9cb-469f-a165-70867728950e"
BODY = draft_body(project(1))
SEND = send_body(project(1))
UPDATE = update_body(project(1))
DRAFT = {
    "id": ID,
    "name": BODY["name"],
    "reference": BODY["reference"],
    "status": "DRAFT",
    "created_on": "2026-11-21T09:00:00.000Z",
}
CREATED = answer(201, envelope(DRAFT, status=201))
SENT = answer(200, envelope(None))


async def _create(service):
    return await service.acts.create_draft(BODY)


async def _send(service):
    return await service.acts.send(ProjectId(ID), SEND)


async def _update(service):
    return await service.acts.update(ProjectId(ID), UPDATE)


@awaited
async def ask(act, script):
    """Ask once; give the verdict and what the server saw."""
    async with hostile_server(script) as server, opened(server.url) as service:
        return await act(service), server


def verdict_of(act, script):
    return ask(act, script)[0]


class Cutting:
    """Says the first bytes of an answer, then closes or resets."""

    def __init__(self, data, *, at, reset):
        self.data, self.at, self.reset = data, at, reset

    async def __call__(self, caller):
        await caller.request()
        await caller.say(self.data[: self.at])
        if self.reset:
            caller.reset()


class Deaf:
    """Reads the first bytes of a request, then closes or resets."""

    def __init__(self, *, at, reset):
        self.at, self.reset = at, reset

    async def __call__(self, caller):
        await caller.read(self.at)
        if self.reset:
            caller.reset()


def _request_length(act):
    return len(ask(act, always(SENT))[1].heard)


@pytest.mark.parametrize("reset", [False, True], ids=["closed", "reset"])
@pytest.mark.parametrize(
    ("act", "whole"), [(_create, CREATED), (_send, SENT)], ids=["create", "send"]
)
def test_an_answer_cut_anywhere_leaves_the_act_in_doubt(act, whole, reset):
    verdicts = {
        at: type(verdict_of(act, Cutting(whole, at=at, reset=reset)))
        for at in range(0, len(whole), 64)
    }
    assert verdicts == dict.fromkeys(range(0, len(whole), 64), Unknown)


@pytest.mark.parametrize("reset", [False, True], ids=["closed", "reset"])
@pytest.mark.parametrize("act", [_create, _send], ids=["create", "send"])
def test_a_request_cut_anywhere_leaves_the_act_in_doubt(act, reset):
    length = _request_length(act)
    verdicts = {
        at: type(verdict_of(act, Deaf(at=at, reset=reset)))
        for at in range(0, length, 64)
    }
    assert verdicts == dict.fromkeys(range(0, length, 64), Unknown)


@pytest.mark.parametrize(
    "act", [_create, _update, _send], ids=["create", "update", "send"]
)
def test_an_act_whose_answer_breaks_is_asked_exactly_once(act):
    _, server = ask(act, Cutting(CREATED, at=40, reset=True))
    assert server.heard.count(b"HTTP/1.1") == 1


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504])
@pytest.mark.parametrize(
    "act", [_create, _update, _send], ids=["create", "update", "send"]
)
def test_an_act_is_asked_exactly_once_whatever_the_service_suggests(act, status):
    later = answer(status, envelope(None, status=status, success=False))
    _, server = ask(act, always(later))
    assert server.heard.count(b"HTTP/1.1") == 1


@pytest.mark.parametrize("act", [_create, _send], ids=["create", "send"])
async def test_a_port_where_nobody_listens_means_not_done(act):
    async with opened("http://127.0.0.1:9") as service:
        found = await act(service)
    assert found == NotDone(reason=Reason.NOT_REACHED, detail="no connection")


def test_whole_answers_are_done():
    created, updated, sent = (
        verdict_of(_create, always(CREATED)),
        verdict_of(_update, always(SENT)),
        verdict_of(_send, always(SENT)),
    )
    assert (type(created), updated, sent) == (Done, *[Done(http_status=200)] * 2)


def test_a_path_that_the_service_does_not_know_names_the_setting():
    missing = answer(404, envelope(None, status=404, success=False))
    verdict = verdict_of(_update, always(missing))
    assert (verdict.reason, "project_update" in verdict.detail) == (
        Reason.NOT_FOUND,
        True,
    )


PAGE = b"<!doctype html><html><body>Sign in to the council's network</body></html>"
ODD = [
    ("a page", answer(200, PAGE, headers={"Content-Type": "text/html"})),
    ("nothing", answer(204)),
    ("no envelope", answer(200, json.dumps(DRAFT).encode())),
    ("success false", answer(200, envelope(DRAFT, success=False))),
    ("not utf-8", answer(200, b'{"success": true, "response_object": "\xff\xfe"}')),
    ("deep", answer(200, b"[" * 200_000)),
    ("conflict", answer(409, envelope(None, status=409, success=False))),
    ("timeout", answer(408, b"slow")),
    ("bad gateway", answer(502, PAGE)),
    ("teapot", answer(418, b"short and stout")),
    ("half a length", answer(200, envelope(DRAFT), length=10_000)),
    ("no HTTP", b"SSH-2.0-OpenSSH_9.6\r\n"),
    ("brotli", answer(200, b"\x0b\x02\x80", headers={"Content-Encoding": "br"})),
    ("bad gzip", answer(200, b"not gzip", headers={"Content-Encoding": "gzip"})),
]


@pytest.mark.parametrize(
    "data", [data for _, data in ODD], ids=[name for name, _ in ODD]
)
@pytest.mark.parametrize("act", [_create, _send], ids=["create", "send"])
def test_an_answer_that_is_no_clear_answer_leaves_the_act_in_doubt(act, data):
    verdict = verdict_of(act, Cutting(data, at=len(data), reset=False))
    assert (type(verdict), getattr(verdict, "stops_run", None)) == (Unknown, False)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("act", [_create, _send], ids=["create", "send"])
async def test_a_redirect_stops_the_run_and_nothing_is_said_elsewhere(act, status):
    async with hostile_server(always(SENT)) as elsewhere:
        to = {"Location": f"{elsewhere.url}/projects"}
        script = always(answer(status, headers=to))
        async with hostile_server(script) as server, opened(server.url) as service:
            verdict, callers = await act(service), elsewhere.callers
    assert (verdict.stops_run, callers) == (True, [])


@pytest.mark.parametrize(("status", "reason"), REFUSALS.items())
@pytest.mark.parametrize("act", [_create, _send], ids=["create", "send"])
def test_a_refusal_in_plain_text_is_a_refusal_by_its_status(act, status, reason):
    data = answer(status, b"Too bad, slow down", headers={"Retry-After": "1"})
    verdict = verdict_of(act, always(data))
    assert (verdict.reason, verdict.http_status) == (reason, status)


@pytest.mark.parametrize("act", [_create, _send], ids=["create", "send"])
def test_a_bomb_is_not_unpacked_and_the_act_is_in_doubt(act):
    bomb = gzip.compress(b" " * (64 * 1024 * 1024))
    verdict = verdict_of(
        act, always(answer(200, bomb, headers={"Content-Encoding": "gzip"}))
    )
    assert verdict == Unknown(detail="the answer is larger than 10 MiB")


def test_an_endless_answer_is_not_read_to_its_end():
    async def script(caller):
        await caller.request()
        await caller.say(answer(200, length=10**12))
        while not caller.writer.is_closing():
            await caller.say(b" " * 65_536)

    assert verdict_of(_send, script) == Unknown(
        detail="the answer is larger than 10 MiB"
    )


def test_an_answer_packed_on_the_way_is_understood():
    packed = gzip.compress(envelope(DRAFT))
    data = answer(201, packed, headers={"Content-Encoding": "gzip"})
    assert isinstance(verdict_of(_create, always(data)), Done)


async def test_a_trickling_answer_ends_with_the_total_deadline():
    async def script(caller):
        await caller.request()
        await caller.trickle(answer(200, b" " * 10_000), every_seconds=0.02)

    async with hostile_server(script) as server, wire_to(server.url) as wire:
        found = await wire.ask("user_read", total_seconds=0.3)
    assert found == Lost(sent=True, detail="no answer within the time allowed")


async def test_a_connection_that_was_closed_while_idle_costs_no_doubt():
    async def script(caller):
        await caller.request()
        await caller.say(CREATED)
        # And closes, as servers do with connections that are idle.

    async with hostile_server(script) as server, opened(server.url) as service:
        first = await _create(service)
        await server.callers[0].writer.wait_closed()
        found = type(first), type(await _create(service)), len(server.callers)
    assert found == (Done, Done, 2)


async def test_an_act_that_is_cancelled_leaves_room_for_the_next():
    async def script(caller):
        number = 0
        while await caller.request():
            number += 1
            if b"/user" in caller.heard.split(b"\r\n")[0]:
                await asyncio.sleep(60)
            await caller.say(SENT)

    async with (
        hostile_server(script) as server,
        wire_to(server.url, workers=1) as wire,
    ):
        # It may be cancelled before it connects, before it leaves and after.
        for steps in range(60):
            hanging = asyncio.create_task(wire.ask("user_read"))
            for _ in range(steps):
                await asyncio.sleep(0)
            hanging.cancel()
            await asyncio.gather(hanging, return_exceptions=True)
        exchange = await wire.ask("project_list")
        found = exchange.http_status, wire._free.qsize()
    assert found == (200, 1)


def test_two_hundred_requests_at_eight_in_flight_open_no_more_than_ten_connections():
    async def go():
        script = always(answer(200, envelope(None)))
        async with hostile_server(script) as server, wire_to(server.url) as wire:
            gate = asyncio.Semaphore(8)

            async def one():
                async with gate:
                    return await wire.ask("user_read")

            answers = await asyncio.gather(*(one() for _ in range(200)))
            return {type(each) for each in answers}, len(server.callers) <= 10

    assert asyncio.run(go()) == ({Answer}, True)


def test_a_key_that_the_service_repeats_is_taken_out_of_its_words():
    words = f"The key {CANARY} was revoked"
    data = answer(401, envelope(None, status=401, success=False, message=words))
    assert verdict_of(_send, always(data)).detail == "The key [key] was revoked"


def test_the_key_goes_into_one_header_and_nowhere_else():
    _, server = ask(_create, always(CREATED))
    lines = [line for line in server.heard.split(b"\r\n") if CANARY.encode() in line]
    assert lines == [b"Authorization: Bearer " + CANARY.encode()]


@pytest.mark.parametrize(
    "changes", [{"draft": False}, {"quantity": 5}, {"draft": "yes"}], ids=str
)
async def test_a_body_that_would_send_or_buy_is_never_asked(changes):
    async with hostile_server(always(CREATED)) as server, opened(server.url) as service:
        with pytest.raises(ValueError, match="draft"):
            await service.acts.create_draft({**BODY, **changes})
    assert server.callers == []


@pytest.mark.parametrize("number", [0, 201])
async def test_nobody_and_too_many_are_never_invited(number):
    person = {"name": "Hēmi", "email": "hemi@example.nz", "role": "MEMBER"}
    async with opened("http://127.0.0.1:9") as service:
        with pytest.raises(ValueError, match="1 to 200"):
            await service.acts.invite([person] * number)


async def test_a_draft_is_created_sent_and_refused_a_second_time(twin):
    address = twin.address
    async with opened(address.api_url, key=address.live_key) as service:
        created = await service.acts.create_draft(BODY)
        sent = await service.acts.send(created.project.id, SEND)
        again = await service.acts.send(created.project.id, SEND)
        other = await service.acts.create_draft(BODY)
        broke = await service.acts.send(other.project.id, SEND)
        found = created.project.status, type(sent), type(again), broke.reason
    assert found == ("DRAFT", Done, Unknown, Reason.NO_TOKENS)


async def test_a_path_that_the_service_does_not_know_is_named_with_its_setting(twin):
    address = twin.address
    async with opened(f"{address.api_url}/v9", key=address.live_key) as service:
        verdict = await service.acts.create_draft(BODY)
    assert (verdict.reason, "POST" in verdict.detail) == (Reason.NOT_FOUND, True)
