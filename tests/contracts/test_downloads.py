"""Downloads over real sockets: every byte, or a plain reason."""

import asyncio
import gzip
import logging

import httpx
import pytest

from doubles.hostile_server import Caller, always, answer, envelope, hostile_server
from doubles.loops import awaited
from doubles.machine import AskedToStop, Quiet
from doubles.opened import CANARY, IMPATIENT, opened
from doubles.rows import project
from kawe.domain.rows.identity import draft_body
from kawe.domain.service.service_words import DocumentId
from kawe.errors import ContractBroken, ServiceUnreachable
from kawe.flows.submit.sending import send_body
from kawe.machine import SystemClock
from kawe.service import storage
from kawe.service.opening import ServiceSetup, open_service

DOCUMENT = DocumentId("0f8fad5b-d9cb-469f-a165-70867728950e")
SECRET = "link-signature-5e1f"
PAPER = b"%PDF-1.7 " + b"kupu " * 40_000
WHOLE = answer(200, PAPER)
GZIP_HEAD = b"\x1f\x8b\x08\0\0\0\0\0\0\x03"
EMPTY_BLOCK = b"\0\0\0\xff\xff"


class Links:
    """Gives a link to `url` for every question; counts them."""

    def __init__(self, url):
        self.answer = answer(200, envelope({"url": url}))
        self.given = 0

    async def __call__(self, caller: Caller) -> None:
        while await caller.request():
            self.given += 1
            await caller.say(self.answer)


class Closing:
    """Says one answer to each connection in turn, then closes it."""

    def __init__(self, *answers):
        self.answers = list(answers)

    async def __call__(self, caller):
        await caller.request()
        said = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        await caller.say(said)


@awaited
async def download(script, *, url="{store}/documents/1?signature=" + SECRET):
    """Fetch one document; give its bytes, the links given and the storage."""
    async with hostile_server(script) as store:
        links = Links(url.replace("{store}", store.url))
        async with hostile_server(links) as server, opened(server.url) as service:
            got = b"".join([c async for c in service.downloads.chunks(DOCUMENT)])
        return got, links.given, store


def test_a_document_comes_whole_and_without_the_key_being_shown():
    got, given, store = download(always(WHOLE))
    assert (got == PAPER, given, CANARY.encode() in store.heard) == (True, 1, False)


@pytest.mark.parametrize("at", range(0, len(WHOLE), 40_000))
def test_a_document_cut_anywhere_is_never_taken_for_whole(at):
    with pytest.raises(ServiceUnreachable):
        download(Closing(WHOLE[:at]))


@pytest.mark.parametrize("at", [len(WHOLE) - 1, len(WHOLE) // 2])
def test_a_document_that_is_cut_goes_on_under_a_fresh_link(at):
    got, given, _ = download(Closing(WHOLE[:at], WHOLE))
    assert (got == PAPER, given) == (True, 2)


def test_a_document_that_is_another_one_under_a_fresh_link_is_refused():
    other = answer(200, PAPER.replace(b"kupu", b"kape"))
    with pytest.raises(ContractBroken, match="changed while kawe fetched it"):
        download(Closing(WHOLE[: len(WHOLE) // 2], other))


@pytest.mark.parametrize("status", [403, 404, 500, 503])
def test_a_refused_link_is_replaced_by_a_fresh_one(status):
    got, given, _ = download(Closing(answer(status, b"<Error/>"), WHOLE))
    assert (got == PAPER, given) == (True, 2)


async def test_a_redirect_of_the_storage_is_not_followed():
    async with hostile_server(always(WHOLE)) as elsewhere:
        moved = always(answer(302, headers={"Location": elsewhere.url}))
        async with hostile_server(moved) as store:
            links = Links(store.url)
            async with (
                hostile_server(links) as server,
                opened(server.url) as service,
            ):
                with pytest.raises(ServiceUnreachable, match="302"):
                    await anext(service.downloads.chunks(DOCUMENT))
    assert elsewhere.callers == []


@pytest.mark.parametrize(
    "url",
    [
        "http://storage.example/1",
        "file:///etc/passwd",
        "https://user:word@storage.example/1",
        "https://exa mple/1",
        "",
    ],
)
def test_a_link_that_cannot_be_trusted_is_not_followed(url):
    with pytest.raises(ContractBroken):
        download(always(WHOLE), url=url)


def test_an_answer_without_a_link_breaks_the_contract():
    async def go():
        script = always(answer(200, envelope({"href": "x"})))
        async with hostile_server(script) as server, opened(server.url) as service:
            await anext(service.downloads.chunks(DOCUMENT))

    with pytest.raises(ContractBroken, match="no link"):
        asyncio.run(go())


def test_a_document_packed_on_the_way_is_unpacked():
    packed = answer(200, gzip.compress(PAPER), headers={"Content-Encoding": "gzip"})
    assert download(always(packed))[0] == PAPER


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        (gzip.compress(PAPER)[:-20], "gzip"),
        (b"not packed", "gzip"),
        (b"\x0b\x02\x80", "br"),
    ],
    ids=["cut", "broken", "unknown"],
)
def test_what_cannot_be_unpacked_is_no_document(body, encoding):
    said = answer(200, body, headers={"Content-Encoding": encoding})
    with pytest.raises(ServiceUnreachable):
        download(always(said))


def test_an_empty_document_is_one():
    assert download(always(answer(200)))[0] == b""


def test_a_trickling_document_is_given_up(monkeypatch):
    monkeypatch.setattr(storage, "_BASE_SECONDS", 0.2)

    async def script(caller):
        await caller.request()
        await caller.trickle(WHOLE, every_seconds=0.02)

    with pytest.raises(ServiceUnreachable, match="too slow"):
        download(script)


def test_a_document_without_end_is_given_up(monkeypatch):
    monkeypatch.setattr(storage, "_DOCUMENT_MAX_BYTES", 1_000_000)
    bomb = answer(
        200, gzip.compress(b" " * 50_000_000), headers={"Content-Encoding": "gzip"}
    )
    with pytest.raises(ServiceUnreachable, match="larger"):
        download(always(bomb))


def test_packed_bytes_that_stand_for_nothing_are_given_up(monkeypatch):
    monkeypatch.setattr(storage, "_BASE_SECONDS", 0.2)
    # A few seconds ahead for every hundred of them, if they counted.
    monkeypatch.setattr(storage, "_SLOWEST_BYTES_PER_SECOND", 100)

    async def script(caller):
        await caller.request()
        head = answer(200, headers={"Content-Encoding": "gzip"}, length=10**9)
        await caller.say(head + GZIP_HEAD)
        await caller.trickle([EMPTY_BLOCK * 200] * 10_000, every_seconds=0.02)

    with pytest.raises(ServiceUnreachable, match="too slow"):
        download(script)


def test_packed_bytes_are_counted_too(monkeypatch):
    monkeypatch.setattr(storage, "_DOCUMENT_MAX_BYTES", 100_000)
    packed = GZIP_HEAD + EMPTY_BLOCK * 30_000
    said = answer(200, packed, headers={"Content-Encoding": "gzip"})
    with pytest.raises(ServiceUnreachable, match="larger"):
        download(always(said))


async def test_the_storage_gets_no_cookie_back():
    whole = answer(200, PAPER, headers={"Set-Cookie": "seen=before; Path=/"})
    async with hostile_server(always(whole)) as store:
        links = Links(f"{store.url}/documents/1")
        async with hostile_server(links) as server, opened(server.url) as service:
            for _ in range(2):
                assert [c async for c in service.downloads.chunks(DOCUMENT)]
        found = store.heard
    assert b"seen=before" not in found


class Abroad(httpx.AsyncBaseTransport):
    """A public service that gives one link; counts who was asked."""

    def __init__(self, link):
        self.link, self.asked = link, []

    async def handle_async_request(self, request):
        self.asked.append(request.url.host)
        said = httpx.ByteStream(envelope({"url": self.link}))
        return httpx.Response(200, stream=said)


@pytest.mark.parametrize(
    "link", ["http://127.0.0.1:631/admin", "https://169.254.169.254/latest"]
)
async def test_a_public_service_makes_kawe_knock_at_nothing_in_here(link):
    abroad = Abroad(link)
    with pytest.raises(ContractBroken):
        async with open_service(
            ServiceSetup(
                base_url="https://api.example.nz", key=CANARY, policy=IMPATIENT
            ),
            clock=SystemClock(),
            progress=Quiet(),
            halt=AskedToStop(),
            transport=abroad,
        ) as service:
            await anext(service.downloads.chunks(DOCUMENT))
    assert abroad.asked == ["api.example.nz"]


@pytest.mark.parametrize(
    ("api", "trouble"),
    [
        ("8.8.8.8", ContractBroken),
        ("10.0.0.1", ContractBroken),
        ("127.0.0.1", storage.CutShort),
    ],
    ids=["public", "in this network", "on this machine"],
)
async def test_where_a_name_leads_counts_before_a_byte_is_said(api, trouble):
    async def script(caller):
        await caller.read(1)

    async with (
        hostile_server(script) as store,
        storage.Storage(api_url=f"https://{api}", workers=1) as client,
    ):
        # A name like any other to whoever only looks at how it is written.
        with pytest.raises(trouble):
            await anext(client.get(f"https://localhost:{store.port}/1"))
        found = store.heard
    assert bool(found) is (trouble is storage.CutShort)


def test_links_are_in_no_log_and_no_message_even_at_debug(caplog):
    for name in ("", "httpx", "httpcore", "httpcore.http11", "asyncio"):
        caplog.set_level(logging.DEBUG, logger=name)
    with pytest.raises(ServiceUnreachable) as caught:
        download(Closing(answer(403)))
    chain, seen = caught.value, caplog.text
    while chain is not None:
        seen, chain = f"{seen}{chain!r}{chain}", chain.__cause__
    assert [each for each in (SECRET, CANARY) if each in seen] == []


async def test_a_receipt_is_fetched_from_the_twin(twin):
    address = twin.address
    async with opened(address.api_url, key=address.live_key) as service:
        created = await service.acts.create_draft(draft_body(project(1)))
        await service.acts.send(created.project.id, send_body(project(1)))
        team = (await service.lookups.account()).team_id
        page = await service.lookups.receipts(team, page=1)
        document = page.items[0].document_id
        paper = b"".join([c async for c in service.downloads.chunks(document)])
    assert (paper[:5], b"%%EOF" in paper[-10:]) == (b"%PDF-", True)
