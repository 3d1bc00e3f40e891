"""The connection to the service: whose answer an answer is, and who may hear."""

import asyncio
import datetime as dt
import ipaddress
import ssl
import sys

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from doubles.hostile_server import answer, hostile_server
from doubles.loops import awaited
from doubles.opened import wire_to
from kawe.service.transport.answers import Answer, Lost

HOST = ipaddress.ip_address("127.0.0.1")


def _numbered(number):
    return answer(200, b'{"number": %d}' % number)


@awaited
async def _asked_twice(script):
    """Ask two things, a moment apart; give the answers and the connections."""
    async with hostile_server(script) as server, wire_to(server.url) as wire:
        first = await wire.ask("user_read")
        await asyncio.sleep(0.2)
        second = await wire.ask("user_read")
        said = [first.parsed()["number"], second.parsed()["number"]]
        return said, len(server.callers)


@pytest.mark.parametrize("pause_seconds", [0, 0.1], ids=["at once", "later"])
def test_what_came_unasked_is_not_the_answer_to_the_next_request(pause_seconds):
    callers = []

    async def script(caller):
        callers.append(caller)
        await caller.request()
        await caller.say(_numbered(len(callers)))
        await asyncio.sleep(pause_seconds)
        await caller.say(_numbered(99))
        await caller.request()

    assert _asked_twice(script) == ([1, 2], 2)


def test_an_answer_that_is_whole_leaves_its_connection_to_the_next_request():
    async def script(caller):
        for number in (1, 2):
            await caller.request()
            await caller.say(b"HTTP/1.1 103 Early Hints\r\n\r\n" + _numbered(number))

    assert _asked_twice(script) == ([1, 2], 1)


async def test_a_service_that_speaks_no_http_leaves_a_request_in_doubt():
    async def script(caller):
        await caller.request()
        await caller.say(b"220 mail.example.nz ESMTP\r\n\r\n")

    async with hostile_server(script) as server, wire_to(server.url) as wire:
        found = await wire.ask("project_create", body={"name": "x"})
    assert found == Lost(sent=True, detail="the connection broke")


def _certificate(folder):
    """Make a certificate for this machine that nobody has signed."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "kawe test")])
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(HOST)]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / "certificate.pem"
    path.write_bytes(
        made.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return path


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system is asked")
@pytest.mark.parametrize("is_trusted", [True, False], ids=["trusted", "unknown"])
async def test_a_request_goes_to_no_service_whose_certificate_nobody_trusts(
    tmp_path, monkeypatch, is_trusted
):
    path = _certificate(tmp_path)
    if is_trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(path))
    heard = []

    async def serve(reader, writer):
        heard.append((await reader.readuntil(b"\r\n\r\n")).split()[1])
        writer.write(_numbered(1))
        await writer.drain()
        writer.close()

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    server = await asyncio.start_server(serve, str(HOST), 0, ssl=context)
    port = server.sockets[0].getsockname()[1]
    async with server, wire_to(f"https://{HOST}:{port}") as wire:
        exchange = await wire.ask("user_read")
    if is_trusted:
        assert (type(exchange), heard) == (Answer, [b"/user"])
    else:
        assert (exchange, heard) == (Lost(sent=False, detail="no connection"), [])
