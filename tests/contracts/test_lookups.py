"""Lookups over real sockets: asked again while it may help, then a plain reason."""

import logging

import pytest

from doubles.hostile_server import always, answer, envelope, hostile_server
from doubles.loops import awaited
from doubles.opened import CANARY, opened
from doubles.rows import AUCKLAND, project
from kawe.domain.rows.identity import draft_body
from kawe.errors import ContractBroken, KeyRefused, ScopeMissing, ServiceUnreachable

ID = "0f8fad5b-d9cb-469f-a165-70867728950e"
TEAM = {"id": ID, "name": "Tauira", "role": "OWNER", "current_credit_balance": 7}
USER = envelope({"id": ID, "teams": [TEAM], "iwi": []})
WELL = answer(200, USER)


class InTurn:
    """Gives one answer after the other, whoever connects; the last for ever."""

    def __init__(self, *answers):
        self.answers, self.requests = list(answers), 0

    async def __call__(self, caller):
        while await caller.request():
            number = min(self.requests, len(self.answers) - 1)
            self.requests += 1
            data = self.answers[number]
            await caller.say(data)
            if b"Content-Length: 999" in data:
                return


@awaited
async def account(script, **options):
    async with (
        hostile_server(script) as server,
        opened(server.url, **options) as service,
    ):
        return await service.lookups.account()


@pytest.mark.parametrize(
    "first",
    [
        answer(500, b"oops"),
        answer(503, b"<html>down</html>"),
        answer(407),
        answer(408),
        answer(200, b"<html>portal</html>"),
        answer(200, envelope(None, success=False)),
        answer(200, USER[:40], length=999),
        b"",
    ],
    ids=["500", "503", "407", "408", "page", "success false", "cut", "nothing"],
)
def test_trouble_that_passes_is_asked_again(first):
    assert account(InTurn(first, WELL) if first else Closing()).balance == 7


class Closing:
    """Closes the first connection without a word."""

    def __init__(self):
        self.number = 0

    async def __call__(self, caller):
        self.number += 1
        if self.number > 1:
            await always(WELL)(caller)
        else:
            await caller.request()


@pytest.mark.parametrize(
    ("data", "trouble"),
    [
        (answer(401, b"no"), KeyRefused),
        (answer(403, b'{"error": "scope"}'), ScopeMissing),
        (answer(404, b"gone"), ContractBroken),
        (answer(400, b"bad"), ContractBroken),
        (answer(302, headers={"Location": "https://e.example/"}), ContractBroken),
        (answer(200, envelope([1, 2])), ContractBroken),
        (answer(500, b"oops"), ServiceUnreachable),
    ],
    ids=["401", "403", "404", "400", "302", "misshapen", "500 for ever"],
)
def test_trouble_that_stays_is_named(data, trouble):
    with pytest.raises(trouble):
        account(always(data))


def test_what_cannot_pass_is_asked_once():
    script = InTurn(answer(403, b'{"error": "scope"}'))
    with pytest.raises(ScopeMissing):
        account(script)
    assert script.requests == 1


def test_a_rate_limit_costs_no_attempt():
    limited = answer(429, b"slow down", headers={"Retry-After": "0"})
    script = InTurn(limited, limited, limited, WELL)
    assert (account(script).balance, script.requests) == (7, 4)


async def test_a_project_that_this_key_cannot_see_is_none():
    script = always(answer(404, envelope(None, status=404, success=False)))
    async with hostile_server(script) as server, opened(server.url) as service:
        found = await service.lookups.project(ID)
    assert found is None


async def test_a_service_that_is_not_there_is_unreachable():
    with pytest.raises(ServiceUnreachable, match="no connection"):
        async with opened("http://127.0.0.1:9") as service:
            await service.lookups.account()


def test_the_key_is_in_no_log_even_at_debug(caplog):
    for name in ("", "kawe", "httpx", "httpcore", "httpcore.http11"):
        caplog.set_level(logging.DEBUG, logger=name)
    words = f"{CANARY} is not known"
    refused = answer(500, envelope(None, status=500, success=False, message=words))
    with pytest.raises(ServiceUnreachable) as caught:
        account(InTurn(refused))
    written = caplog.text + repr(caught.value) + str(caught.value)
    assert ("user_read: 500" in caplog.text, CANARY in written) == (True, False)


def test_a_proxy_of_the_environment_is_not_asked_for_the_twin(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    assert account(always(WELL)).balance == 7


async def test_every_lookup_is_read_from_the_twin(twin):
    for _ in range(2):
        twin.buy_tokens(1)
    address = twin.address
    async with opened(address.api_url, key=address.live_key) as service:
        lookups = service.lookups
        who = await lookups.account()
        created = await service.acts.create_draft(draft_body(project(1)))
        made = created.project
        found = await lookups.projects(page=1, search="R-1", status="DRAFT")
        tabs = [
            await lookups.listed(
                "project_list", path={}, page=1, query={"active_status": tab}
            )
            for tab in ("active", "closed")
        ]
        given = (
            [each.total for each in tabs],
            who.balance,
            (await lookups.iwi_at(AUCKLAND)).can_select,
            (await lookups.project(made.id)) == made,
            [each.id for each in found.items] == [made.id],
            (await lookups.organisations(page=1)).total,
            len((await lookups.team(who.team_id)).members) > 0,
            (await lookups.receipts(who.team_id, page=1)).items,
        )
    assert given == ([1, 0], 3, False, True, True, 0, True, ())
