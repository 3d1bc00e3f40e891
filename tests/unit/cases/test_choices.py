"""Live or sandbox: the key decides, and what does not fit is asked about."""

import pytest

from kawe.cases.choices import agreed_mode, make_sure_of_account
from kawe.domain.service.service_words import Account
from kawe.errors import GuardRefused
from kawe.settings.values import Settings

KEYS = {"live": "kw_live_1", "sandbox": "kw_test_1", None: "k1"}


def settings(key, mode=None):
    return Settings(base_url="https://api.example.nz", key=KEYS[key], mode=mode)


def account(*, sandbox):
    return Account(team_id="7", team_name="Tauira", balance=3, sandbox=sandbox)


@pytest.mark.parametrize("sandbox", [True, False, None])
@pytest.mark.parametrize("mode", ["live", "sandbox"])
@pytest.mark.parametrize("says", [True, False])
def test_the_key_decides_whatever_the_account_is_called(sandbox, *, mode, says):
    said = settings(mode, mode if says else None)
    assert agreed_mode(said, account(sandbox=sandbox)) == mode


@pytest.mark.parametrize("sandbox", [True, False, None])
@pytest.mark.parametrize(("key", "mode"), [("live", "sandbox"), ("sandbox", "live")])
def test_settings_that_say_otherwise_than_the_key_are_refused(sandbox, *, key, mode):
    with pytest.raises(GuardRefused, match=f"the key says {key}, the settings say"):
        agreed_mode(settings(key, mode), account(sandbox=sandbox))


@pytest.mark.parametrize(
    ("mode", "sandbox", "counts"),
    [
        (None, True, "sandbox"),
        (None, False, "live"),
        (None, None, "live"),
        ("live", False, "live"),
        ("live", None, "live"),
        ("sandbox", True, "sandbox"),
        ("sandbox", None, "sandbox"),
    ],
)
def test_a_key_that_does_not_tell_is_what_settings_and_account_say(
    mode, sandbox, counts
):
    assert agreed_mode(settings(None, mode), account(sandbox=sandbox)) == counts


@pytest.mark.parametrize(("mode", "sandbox"), [("live", True), ("sandbox", False)])
def test_a_key_that_does_not_tell_is_refused_where_they_differ(mode, sandbox):
    with pytest.raises(GuardRefused, match="not clear"):
        agreed_mode(settings(None, mode), account(sandbox=sandbox))


def asked(key, *, sandbox, mode=None, answer=True):
    """Give what the person was asked."""
    questions = []

    def agree(question):
        questions.append(question)
        return answer

    make_sure_of_account(settings(key, mode), account(sandbox=sandbox), agree=agree)
    return questions


def test_a_live_key_in_a_sandbox_account_is_asked_about():
    assert asked("live", sandbox=True) == [
        (
            "The key is a live key, and the service calls the account of Tauira a "
            "sandbox: what is sent may reach nobody."
        )
    ]


@pytest.mark.parametrize(
    ("key", "sandbox", "mode"),
    [
        ("live", True, "live"),
        ("live", False, None),
        ("live", None, None),
        ("sandbox", False, None),
        ("sandbox", True, None),
        (None, True, None),
    ],
)
def test_nothing_else_is_asked_about(key, sandbox, mode):
    assert asked(key, sandbox=sandbox, mode=mode) == []


def test_who_does_not_agree_is_told_how_to():
    with pytest.raises(GuardRefused, match='write mode = "live" into'):
        asked("live", sandbox=True, answer=False)
