"""Which proxy leads to the service."""

import pytest

from kawe.errors import SettingsError
from kawe.service.transport.addresses import proxy_for

SERVICE = "https://api.example.nz/v1"


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def seen(url, monkeypatch, **environment):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    proxy = proxy_for(url)
    return None if proxy is None else str(proxy.url)


def test_without_a_word_about_proxies_the_way_is_straight():
    assert proxy_for(SERVICE) is None


@pytest.mark.parametrize(
    ("environment", "proxy"),
    [
        (
            {"HTTPS_PROXY": "http://proxy.example.nz:3128"},
            "http://proxy.example.nz:3128",
        ),
        ({"https_proxy": "proxy.example.nz:3128"}, "http://proxy.example.nz:3128"),
        ({"ALL_PROXY": "https://proxy.example.nz"}, "https://proxy.example.nz"),
        ({"HTTP_PROXY": "http://other.example.nz"}, None),
        ({"HTTPS_PROXY": ""}, None),
        ({"HTTPS_PROXY": "http://p.nz", "NO_PROXY": "example.nz"}, None),
        ({"HTTPS_PROXY": "http://p.nz", "NO_PROXY": ".example.nz, x.nz"}, None),
        ({"HTTPS_PROXY": "http://p.nz", "NO_PROXY": "*"}, None),
        ({"HTTPS_PROXY": "http://p.nz", "NO_PROXY": "example.com"}, "http://p.nz"),
    ],
)
def test_the_environment_says_which_proxy(monkeypatch, environment, proxy):
    assert seen(SERVICE, monkeypatch, **environment) == proxy


@pytest.mark.parametrize("twin", ["http://127.0.0.1:8080", "http://localhost:8080"])
def test_the_twin_is_asked_directly(monkeypatch, twin):
    assert seen(twin, monkeypatch, HTTP_PROXY="http://proxy.example.nz") is None


def test_the_password_of_a_proxy_goes_to_the_proxy(monkeypatch):
    monkeypatch.setenv("HTTPS_PROXY", "http://me:hush@proxy.example.nz")
    proxy = proxy_for(SERVICE)
    assert (str(proxy.url), proxy.raw_auth) == (
        "http://proxy.example.nz",
        (b"me", b"hush"),
    )


@pytest.mark.parametrize(
    "address", ["socks5://me:hush@proxy.example.nz", "http://", "ftp://x"]
)
def test_a_proxy_that_cannot_be_used_is_named_without_its_password(
    monkeypatch, address
):
    monkeypatch.setenv("HTTPS_PROXY", address)
    with pytest.raises(SettingsError) as caught:
        proxy_for(SERVICE)
    assert ("HTTPS_PROXY" in str(caught.value), "hush" in str(caught.value)) == (
        True,
        False,
    )
