"""Addresses that may be used, and what a key says of itself."""

import pytest

from kawe.errors import GuardRefused, KeyMissing, SettingsError
from kawe.settings.values import Settings, checked_url


@pytest.mark.parametrize(
    "url",
    [
        "https://api.example.nz",
        "https://api.example.nz:8443/consult/v1",
        "https://kōrero.nz",
        "http://127.0.0.1:8000",
        "http://localhost",
        "http://[::1]:80",
    ],
)
def test_an_address_that_is_safe_is_kept(url):
    assert checked_url(f" {url}/ ") == url


@pytest.mark.parametrize(
    "url",
    [
        "http://api.example.nz",
        "http://127.0.0.1.example.nz",
        "http://localhost.example.nz",
        "http://0.0.0.0",
    ],
)
def test_plain_http_to_another_machine_is_refused(url):
    with pytest.raises(GuardRefused, match="not encrypted"):
        checked_url(url)


@pytest.mark.parametrize(
    "url",
    [
        "https://mere:secret-word@api.example.nz",
        "http://127.0.0.1\\@api.example.nz",
        "ftp://mere:secret-word@api.example.nz",
        "mere:secret-word@api.example.nz",
    ],
)
def test_a_password_in_the_address_is_refused_and_not_shown(url):
    with pytest.raises(GuardRefused) as caught:
        checked_url(url)
    assert "secret-word" not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "api.example.nz",
        "https://",
        "ftp://api.example.nz",
        "https://exa mple.nz",
        "https://api.example.nz/?key=1",
        "https://api.example.nz/#top",
        "https://api.example.nz:port",
        "https://api.example.nz:0",
        "https://api.example.nz:99999",
        "https://[::1",
        "https://api.example.nz/\x1b[2J",
        f"https://{'a' * 64}.nz",
        "https://a..nz",
    ],
)
def test_what_is_no_address_is_refused(url):
    with pytest.raises(SettingsError, match="no web address"):
        checked_url(url)


def test_what_was_not_given_is_asked_for_in_plain_words():
    nothing = Settings(base_url=None, key=None)
    with pytest.raises(SettingsError, match="No address"):
        nothing.service_url()
    with pytest.raises(KeyMissing, match="No key"):
        nothing.service_key()


@pytest.mark.parametrize(
    ("key", "mode"),
    [("kw_live_1", "live"), ("kw_test_1", "sandbox"), ("k", None), (None, None)],
)
def test_a_key_says_what_it_is_for(key, mode):
    assert Settings(base_url=None, key=key).key_mode == mode


def test_each_service_mode_and_profile_has_its_own_journal(tmp_path):
    def path(url, key, **more):
        return Settings(base_url=url, key=key, **more).journal_path()

    paths = {
        path("https://a.nz", "kw_live_1"),
        path("https://a.nz", "kw_test_1"),
        path("https://b.nz", "kw_live_1"),
        path("https://a.nz", "kw_live_1", profile="other"),
        path(None, None),
        path("https://a.nz", "kw_live_1", journal=tmp_path / "j"),
    }
    assert (len(paths), tmp_path / "j" in paths) == (6, True)
