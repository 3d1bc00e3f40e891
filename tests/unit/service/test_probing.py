"""Questions about a key: none has an effect, and each answer is taken for no more."""

import asyncio

import httpx
import pytest

from doubles.opened import wire_to
from kawe.service.probing import QUESTIONS, SENDING, Probe
from kawe_contract.enums import Scope
from kawe_contract.operations import OPERATIONS

NOBODY = "00000000-0000-4000-8000-000000000000"
READS = next(each for each in QUESTIONS if each.scope is Scope.PROJECTS_READ)
FINISHES = next(each for each in QUESTIONS if each.scope is Scope.FILES_WRITE)


class Answering(httpx.AsyncBaseTransport):
    """Answers everything with one status, or not at all, and keeps what was asked."""

    def __init__(self, http_status):
        self.http_status, self.asked = http_status, []

    async def handle_async_request(self, request):
        self.asked.append((request.method, request.url.path, request.content))
        if self.http_status is None:
            raise httpx.ConnectError("x")
        body = b'{"success": true}'
        return httpx.Response(self.http_status, stream=httpx.ByteStream(body))


def told(question, http_status):
    """Give what an answer of this status tells, and what was asked."""
    transport = Answering(http_status)

    async def go():
        async with wire_to(
            "https://api.example.nz", workers=1, transport=transport
        ) as wire:
            return await Probe(wire=wire).has(question, team_id="7")

    return asyncio.run(go()), transport.asked


@pytest.mark.parametrize(
    ("http_status", "tells"),
    [
        (200, True),
        (400, True),
        (402, True),
        (404, True),
        (409, True),
        (422, True),
        (403, False),
        (401, None),
        (408, None),
        (429, None),
        (500, None),
        (503, None),
        (None, None),
    ],
)
def test_only_a_403_says_that_a_key_may_not_send(http_status, tells):
    answer, asked = told(SENDING, http_status)
    assert (answer, asked) == (tells, [("PUT", f"/projects/{NOBODY}/send", b"{}")])


@pytest.mark.parametrize(
    ("http_status", "tells"), [(200, True), (403, False), (400, None), (404, None)]
)
def test_a_read_that_fails_for_another_reason_tells_nothing(http_status, tells):
    assert told(READS, http_status)[0] is tells


@pytest.mark.parametrize(
    ("http_status", "tells"), [(400, True), (403, False), (404, None)]
)
def test_a_path_that_is_assumed_may_be_what_there_is_not(http_status, tells):
    assert told(FINISHES, http_status)[0] is tells


def test_what_could_change_something_is_about_nothing_and_says_nothing():
    changing = [
        each
        for each in QUESTIONS
        if OPERATIONS[each.operation].method != "GET" and each.operation != "iwi_count"
    ]
    assert {
        each.operation: (set((each.path or {}).values()), each.body or {})
        for each in changing
    } == {
        "project_send": ({NOBODY}, {}),
        "note_delete": ({NOBODY}, {}),
        "upload_complete": (set(), {}),
    }
