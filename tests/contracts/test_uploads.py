"""Uploads over real sockets: the bytes that were checked, or nothing."""

import asyncio
import hashlib
import json
import logging
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from doubles.hostile_server import Caller, always, answer, envelope, hostile_server
from doubles.loops import awaited
from doubles.opened import CANARY, opened
from doubles.programs import printed_by
from kawe.domain.service.states import NotUploaded, Uploaded
from kawe.domain.sheet.content import Attachment
from kawe.errors import (
    ContractBroken,
    KeyRefused,
    PathUnknown,
    ScopeMissing,
    ServiceError,
)
from kawe.service.retrying import Transient

DOCUMENT = "0f8fad5b-d9cb-469f-a165-70867728950e"
SECRET = "grant-signature-5e1f"
CONTENT = b"%PDF-1.7 " + b"kupu " * 40_000
SIZE = len(CONTENT)


async def _brought(service, file):
    """Bring a file; give the verdict, or the error."""
    try:
        return await service.uploads.upload(file)
    except ServiceError as trouble:
        return trouble


def attachment(folder: Path, content: bytes = CONTENT, **changes) -> Attachment:
    path = folder / "plan.pdf"
    path.write_bytes(content)
    value = Attachment(
        path=path,
        name="Mahere ā-rohe.pdf",
        mime_type="application/pdf",
        size_bytes=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
    )
    return replace(value, **changes)


def presigned(place, **changes):
    fields = {"key": "uploads/1", "x-amz-signature": SECRET}
    value = {"documentId": DOCUMENT, "url": place, "fields": fields, **changes}
    return answer(200, envelope(value))


class Api:
    """Presigns to `storage_url` and completes; counts both."""

    def __init__(self, storage_url, *, completions=(), size=SIZE, **changes):
        self.grant = presigned(storage_url, **changes)
        self.completed = answer(200, envelope({"id": DOCUMENT, "size": size}))
        self.completions = list(completions)
        self.asked: list[str] = []

    async def __call__(self, caller: Caller) -> None:
        while request := await caller.request():
            path = request.split(b" ")[1].decode()
            self.asked.append(path)
            if "presign" in path:
                await caller.say(self.grant)
            else:
                said = self.completions.pop(0) if self.completions else self.completed
                await caller.say(said)


@awaited
async def upload(file, storage, **api_options):
    """Upload once; give verdict, API and storage."""
    async with hostile_server(storage) as store:
        api = Api(f"{store.url}/uploads", **api_options)
        async with hostile_server(api) as server, opened(server.url) as service:
            return await _brought(service, file), api, store


STORED = always(answer(204))


def test_the_file_arrives_whole_after_its_fields(tmp_path):
    verdict, _, store = upload(attachment(tmp_path), STORED)
    heard = store.heard
    assert (
        verdict,
        heard.index(SECRET.encode()) < heard.index(CONTENT),
        b"Transfer-Encoding" in heard,
    ) == (Uploaded(document_id=DOCUMENT), True, False)


def test_the_key_never_goes_to_the_storage(tmp_path):
    _, _, store = upload(attachment(tmp_path), STORED)
    head = store.heard.split(b"\r\n\r\n")[0].lower()
    assert (CANARY.encode() in store.heard, b"authorization" in head) == (False, False)


async def test_one_connection_serves_several_files(tmp_path):
    file = attachment(tmp_path)
    async with hostile_server(STORED) as store:
        api = Api(store.url)
        async with hostile_server(api) as server, opened(server.url) as service:
            for _ in range(5):
                await _brought(service, file)
    assert len(store.callers) == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda path: path.write_bytes(CONTENT + b"more"),
        lambda path: path.write_bytes(CONTENT[:-1]),
        lambda path: path.write_bytes(CONTENT.upper()),
        lambda path: path.unlink(),
    ],
    ids=["longer", "shorter", "other bytes", "gone"],
)
def test_a_file_changed_after_the_check_is_never_completed(tmp_path, change):
    file = attachment(tmp_path)
    change(file.path)
    verdict, api, _ = upload(file, STORED)
    assert (verdict.changed, [path for path in api.asked if "complete" in path]) == (
        True,
        [],
    )


def test_a_file_whose_length_changed_does_not_leave_the_machine(tmp_path):
    file = attachment(tmp_path)
    file.path.write_bytes(CONTENT + b"secret afterthought")
    _, _, store = upload(file, STORED)
    assert store.callers == []


@pytest.mark.parametrize("length", [1, 0.5, 2], ids=["as long", "shorter", "longer"])
def test_a_file_changed_while_it_is_being_sent_is_refused(tmp_path, length):
    big = b"a" * (32 * 1024 * 1024)
    file = attachment(tmp_path, big)

    def rewrite():
        with file.path.open("r+b") as there:
            there.write(b"b" * len(big))
            there.truncate(int(len(big) * length))

    async def script(caller):
        # What is not yet read when the first bytes arrive becomes something else.
        await caller.read(10)
        await asyncio.to_thread(rewrite)
        await caller.request()
        await caller.say(answer(204))

    verdict, api, _ = upload(file, script, size=len(big))
    assert (verdict.changed, [p for p in api.asked if "complete" in p]) == (True, [])


class Refusing:
    """Refuses the first posts, then takes."""

    def __init__(self, *answers):
        self.answers = list(answers)

    async def __call__(self, caller):
        while await caller.request():
            await caller.say(self.answers.pop(0) if self.answers else answer(204))


def test_an_expired_grant_begins_again_with_a_fresh_one(tmp_path):
    expired = answer(403, b"<Error><Code>AccessDenied</Code></Error>")
    verdict, api, _ = upload(attachment(tmp_path), Refusing(expired))
    assert (type(verdict), sum("presign" in path for path in api.asked)) == (
        Uploaded,
        2,
    )


def test_a_refusal_before_the_end_of_the_file_is_no_changed_file(tmp_path):
    async def script(caller):
        await caller.read(100)
        await caller.say(answer(413, b"too large", headers={"Connection": "close"}))
        while await caller.reader.read(1 << 16):
            pass

    verdict, _, _ = upload(attachment(tmp_path, b"a" * (4 * 1024 * 1024)), script)
    assert verdict == NotUploaded(detail="the storage refused it (413)")


@pytest.mark.parametrize("status", [301, 303, 307])
async def test_a_redirect_of_the_storage_is_not_followed(tmp_path, status):
    file = attachment(tmp_path)
    async with hostile_server(STORED) as elsewhere:
        moved = always(answer(status, headers={"Location": elsewhere.url}))
        async with hostile_server(moved) as store:
            api = Api(store.url)
            async with hostile_server(api) as server, opened(server.url) as service:
                verdict = await _brought(service, file)
        found = type(verdict), elsewhere.callers
    assert found == (Transient, [])


def test_a_rate_limit_at_the_end_does_not_bring_the_file_again(tmp_path):
    limited = answer(429, b"slow", headers={"Retry-After": "0"})
    verdict, api, store = upload(
        attachment(tmp_path), STORED, completions=[limited, limited]
    )
    assert (type(verdict), len(api.asked), store.heard.count(b"POST /")) == (
        Uploaded,
        4,
        1,
    )


def test_another_size_at_the_service_is_not_taken_for_an_upload(tmp_path):
    verdict, _, _ = upload(attachment(tmp_path), STORED, size=3)
    assert type(verdict) is Transient


def test_a_completion_that_the_service_rejects_blames_the_file(tmp_path):
    words = envelope(None, status=400, success=False, message="Not a PDF")
    verdict, _, _ = upload(
        attachment(tmp_path), STORED, completions=[answer(400, words)]
    )
    assert verdict == NotUploaded(detail="Not a PDF")


@pytest.mark.parametrize(
    "changes",
    [
        {"url": "http://storage.example/uploads"},
        {"url": "ftp://127.0.0.1/uploads"},
        {"url": "https://user:word@storage.example/"},
        {"url": "https://exa mple/"},
        {"url": "/uploads"},
        {"url": 7},
        {"fields": ["key"]},
        {"fields": {"key": 7}},
        {"fields": None},
        {"documentId": None},
    ],
    ids=str,
)
def test_a_grant_that_cannot_be_trusted_is_not_used(tmp_path, changes):
    verdict, _, store = upload(attachment(tmp_path), STORED, **changes)
    assert (type(verdict), store.callers) == (ContractBroken, [])


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, NotUploaded),
        (401, KeyRefused),
        (403, ScopeMissing),
        (404, PathUnknown),
        (413, NotUploaded),
        (500, Transient),
    ],
)
async def test_what_the_service_says_to_a_presign_is_the_reason(tmp_path, status, kind):
    script = always(answer(status, b'{"error": "no"}'))
    async with hostile_server(script) as server, opened(server.url) as service:
        found = await _brought(service, attachment(tmp_path))
    assert type(found) is kind


def test_grants_are_in_no_log_even_at_debug(tmp_path, caplog):
    for name in ("", "httpx", "httpcore", "httpcore.http11", "asyncio"):
        caplog.set_level(logging.DEBUG, logger=name)
    upload(attachment(tmp_path), Refusing(answer(403)))
    secrets = (SECRET, CANARY, "/uploads")
    assert [each for each in secrets if each in caplog.text] == []


@awaited
async def upload_to(twin, file):
    address = twin.address
    async with opened(address.api_url, key=address.live_key) as service:
        return await _brought(service, file)


def test_the_twin_takes_a_file(twin, tmp_path):
    assert isinstance(upload_to(twin, attachment(tmp_path)), Uploaded)


def test_a_file_over_the_limit_is_refused_before_it_is_sent(twin, tmp_path):
    verdict = upload_to(twin, attachment(tmp_path, size_bytes=104_857_601))
    assert (type(verdict), "104857600" in verdict.detail) == (NotUploaded, True)


_STREAMS = """
import asyncio, json, sys
from pathlib import Path
from doubles.opened import opened
from kawe.domain.sheet.content import Attachment

def rss_kib():
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1])

def file(path, sha256):
    return Attachment(path=Path(path), name=Path(path).name, sha256=sha256,
        mime_type="application/pdf", size_bytes=Path(path).stat().st_size)

async def main(url, key, small, large):
    async with opened(url, key=key) as service:
        first = await service.uploads.upload(file(*small))
        before = rss_kib()
        second = await service.uploads.upload(file(*large))
        return [type(first).__name__, type(second).__name__, rss_kib() - before]

print(json.dumps(asyncio.run(main(*json.loads(sys.stdin.read())))))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_file_of_100_mib_is_streamed(twin, tmp_path):
    small, large = tmp_path / "small.pdf", tmp_path / "large.pdf"
    small.write_bytes(b"a" * 1024)
    with large.open("wb") as file:
        file.truncate(104_857_600)
    files = [
        [str(each), hashlib.sha256(each.read_bytes()).hexdigest()]
        for each in (small, large)
    ]
    printed = printed_by(
        _STREAMS,
        input=json.dumps([twin.address.api_url, twin.address.live_key, *files]),
        env={"PYTHONPATH": str(Path(__file__).parents[1])},
    )
    first, second, grown_kib = json.loads(printed)
    assert (first, second, grown_kib <= 8 * 1024) == ("Uploaded", "Uploaded", True)
