"""No document lies nearer to this machine than the service itself."""

import pytest

from kawe.errors import ContractBroken
from kawe.service.storage import checked_address
from kawe.service.transport.addresses import Nearness, nearness_of

PUBLIC = "https://api.example.nz"
HERE = "http://127.0.0.1:8000"
OWN = (
    "127.0.0.1",
    "127.255.0.9",
    "127.1",
    "0",
    "0.0.0.0",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "017700000001",
    "127.0.0.1.",
    "localhost",
    "LocalHost.",
    "kawe.localhost",
    "::1",
    "::",
    "::ffff:127.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
)
INNER = (
    "10.0.0.1",
    "10.1",
    "192.168.1.1",
    "172.16.0.1",
    "100.64.0.1",
    "169.254.169.254",
    "0xa9fea9fe",
    "224.0.0.1",
    "255.255.255.255",
    "fe80::1",
    "fe80::1%eth0",
    "fd00::1",
    "ff02::1",
    "::ffff:10.0.0.1",
)
OUTER = ("storage.example.nz", "8.8.8.8", "2606:4700::1111", "127.0.0.1.example.nz")


@pytest.mark.parametrize(
    ("host", "near"),
    [
        *((each, Nearness.MACHINE) for each in OWN),
        *((each, Nearness.NETWORK) for each in INNER),
        *((each, Nearness.ANYBODY) for each in OUTER),
    ],
)
def test_every_way_of_writing_an_address_is_seen_through(host, near):
    assert nearness_of(host) is near


def _address(host):
    return f"https://[{host}]/1" if ":" in host else f"https://{host}/1"


@pytest.mark.parametrize("host", [*OWN, *INNER])
def test_a_public_service_leads_to_no_address_in_here(host):
    with pytest.raises(ContractBroken):
        checked_address(_address(host), api_url=PUBLIC)


@pytest.mark.parametrize("host", OUTER)
def test_a_public_service_leads_to_public_addresses(host):
    assert checked_address(_address(host), api_url=PUBLIC) == _address(host)


@pytest.mark.parametrize(
    ("url", "api_url"),
    [
        (f"{HERE}/1", PUBLIC),
        ("http://localhost/1", "https://10.0.0.1"),
        ("https://127.0.0.1/1", "https://10.0.0.1"),
    ],
)
def test_what_listens_on_this_machine_is_for_a_service_on_this_machine(url, api_url):
    with pytest.raises(ContractBroken):
        checked_address(url, api_url=api_url)


@pytest.mark.parametrize(
    ("url", "api_url"),
    [
        (f"{HERE}/1", HERE),
        (f"{HERE}/1", "http://localhost:9"),
        ("https://10.0.0.2/1", "https://10.0.0.1"),
        ("https://storage.example.nz/1", HERE),
    ],
)
def test_a_service_in_here_leads_as_near_as_it_is(url, api_url):
    assert checked_address(url, api_url=api_url) == url
