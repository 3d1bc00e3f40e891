"""The way to the service: proxies, proxy files, certificates, the storage of files."""

import asyncio
import json
import ssl

import pytest
import trustme

from doubles.answering import Answering, answering
from doubles.command import csv_row, write_csv
from kawe.cases.doctor.checks import Grade, looked
from kawe.cases.doctor.examining import certificates_check, proxy_file, reached
from kawe.errors import ContractBroken
from kawe.service.storage import CutShort, Storage
from kawe.system import OperatingSystem

CANARY = "kawe_live_canary7f3a9c21"
SECRET = "secret-word"
API = "https://api.service.example"


def signs(person, *words):
    """Give exit code, grade and words of every sign, and all that was printed."""
    done = person.run("doctor", "--json", *words)
    found = {each["about"]: each for each in json.loads(done.stdout)["signs"]}
    said = {
        about: (each["grade"], each["words"], each["advice"])
        for about, each in found.items()
    }
    return done.returncode, said, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("wants", "words", "advice"),
    [
        ("Negotiate, NTLM", "wants a login by NTLM or Negotiate (407)", "px or cntlm"),
        ("NTLM", "wants a login by NTLM (407), which kawe does not", "px or cntlm"),
        ('Basic realm="x"', "a name and a password (407)", "HTTPS_PROXY=http://name"),
        ("\x1b[31mHa, Negotiate", "wants a login by Negotiate (407)", "px or cntlm"),
        ("Own x=1", "The proxy refused to lead there.", "Ask IT to let this machine"),
    ],
)
def test_a_proxy_that_wants_a_login_is_told_by_the_login(
    newcomer, *, wants, words, advice
):
    said = Answering(http_status=407, headers={"Proxy-Authenticate": wants})
    with answering(said):
        newcomer.environment = {
            "KAWE_BASE_URL": "https://service.example",
            "KAWE_API_KEY": CANARY,
            "HTTPS_PROXY": said.base_url.replace("//", f"//mere:{SECRET}@"),
        }
        code, found, printed = signs(newcomer)
    grade, told, hint = found["service"]
    assert (code, grade, words in told, advice in hint) == (7, "trouble", True, True)
    assert (SECRET in printed, CANARY in printed, "\x1b" in printed) == (False,) * 3
    assert {(method, key) for method, _, key in said.asked} == {("CONNECT", "")}


WINDOWS, MACOS = OperatingSystem.WINDOWS, OperatingSystem.MACOS
LINUX = OperatingSystem.OTHER_POSIX
SCUTIL = """<dictionary> {
  ProxyAutoConfigEnable : 1
  ProxyAutoConfigURLString : http://mere:x@wpad.council.example/proxy.pac
}"""
WPAD = "<dictionary> {\n  ProxyAutoDiscoveryEnable : 1\n}"
GNOME = """org.gnome.system.proxy autoconfig-url 'http://pac.council.example/p?t=1'
org.gnome.system.proxy mode '{}'"""
NETWORK = "a place that the network tells (WPAD)"


@pytest.mark.parametrize(
    ("system", "said", "found"),
    [
        (WINDOWS, "http://mere:x@wpad.council.example/p.pac", "wpad.council.example"),
        (WINDOWS, "file://C:/proxy.pac", "a file of this computer"),
        (WINDOWS, "http://[/", "a file of this computer"),
        (WINDOWS, "", None),
        (MACOS, SCUTIL, "wpad.council.example"),
        (MACOS, WPAD, NETWORK),
        (MACOS, SCUTIL.replace("1\n", "0\n"), None),
        (LINUX, GNOME.format("auto"), "pac.council.example"),
        (LINUX, GNOME.format("auto").partition("\n")[2], NETWORK),
        (LINUX, GNOME.format("manual"), None),
        (LINUX, "", None),
    ],
)
def test_a_proxy_file_is_found_where_each_system_keeps_it(
    monkeypatch, *, system, said, found
):
    monkeypatch.setattr("kawe.system.HERE", system)
    assert proxy_file({}, registry=lambda: said, output=lambda _: said) == found


def test_a_proxy_file_is_named_with_the_way_round(newcomer):
    newcomer.environment = {
        "KAWE_BASE_URL": "https://service.invalid",
        "auto_proxy": f"http://mere:{SECRET}@wpad.council.example/p.pac?k={SECRET}",
    }
    _, found, printed = signs(newcomer)
    grade, words, advice = found["proxy"]
    assert (grade, words, SECRET in printed) == (
        "warning",
        (
            "none on the way to the service; no variable names one; this computer has "
            "a proxy file (PAC) from wpad.council.example, which kawe does not read"
        ),
        False,
    )
    assert advice.endswith("set HTTPS_PROXY to the proxy's address.")


@pytest.mark.parametrize(
    ("system", "named", "grade", "words"),
    [
        (LINUX, None, Grade.OK, "those that this computer trusts"),
        (LINUX, "pyproject.toml", Grade.OK, "and those of SSL_CERT_FILE"),
        (LINUX, "not-there.pem", Grade.WARNING, "not-there.pem is not there"),
        (WINDOWS, "pyproject.toml", Grade.WARNING, "has no effect on this system"),
        (MACOS, "pyproject.toml", Grade.WARNING, "has no effect on this system"),
    ],
)
def test_certificates_of_an_organisation_are_told(
    monkeypatch, *, system, named, grade, words
):
    monkeypatch.setattr("kawe.system.HERE", system)
    environment = {} if named is None else {"SSL_CERT_FILE": named}
    check = looked("certificates", certificates_check, environment)
    assert (check.grade, words in check.words) == (grade, True)


def test_the_storage_is_looked_for_once_a_receipt_names_it(person):
    _, before, _ = signs(person)
    write_csv(person.folder / "monthly.csv", [csv_row(1)])
    person.run("submit", "monthly.csv", "--yes", "9", "--no-input")
    code, after, printed = signs(person)
    assert (code, before["storage"][:2], after["storage"][:2]) == (
        0,
        ("ok", "its address is not known: the service names it with the first receipt"),
        ("ok", f"{person.twin.address.storage_url} answers"),
    )
    assert "X-Amz" not in printed


def test_a_storage_that_cannot_be_reached_deserves_a_look():
    authority, context = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    with answering(Answering(), context=context) as said:
        untrusted = asyncio.run(reached(said.base_url, api_url="http://127.0.0.1:9"))
    closed = asyncio.run(reached("http://127.0.0.1:9", api_url="http://127.0.0.1:8"))
    assert (untrusted.grade, "is not trusted by this computer" in untrusted.words) == (
        Grade.WARNING,
        True,
    )
    assert (closed.grade, "Nothing listens there." in closed.words) == (
        Grade.WARNING,
        True,
    )
    assert closed.advice.endswith("receipts are not saved; other rows go on.")


def test_a_storage_inside_the_network_is_not_asked():
    with answering(Answering()) as said, pytest.raises(ContractBroken):
        asyncio.run(reached(said.base_url, api_url="https://8.8.8.8"))
    assert said.asked == []


@pytest.mark.parametrize(
    ("passes_by", "asked"),
    [("", ["storage.example:443"]), ("storage.example,[::1]", [])],
)
def test_files_take_the_way_that_is_set_for_their_host(monkeypatch, passes_by, asked):
    said = Answering(http_status=403)

    async def fetch():
        async with Storage(api_url=API, workers=1) as storage:
            return [each async for each in storage.get("https://storage.example/x")]

    with answering(said):
        monkeypatch.setenv("HTTPS_PROXY", said.base_url)
        monkeypatch.setenv("NO_PROXY", passes_by)
        with pytest.raises(CutShort):
            asyncio.run(fetch())
    assert [path for _, path, _ in said.asked] == asked
