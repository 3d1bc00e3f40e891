"""Profiles of one account that one process works for."""

from dataclasses import replace
from pathlib import Path

import pytest

from kawe.errors import SettingsError
from kawe.settings.values import Settings
from kawe.settings.working import WorkedProfiles

ONE, OTHER = (
    Settings(profile=name, base_url="https://a.example", key=None, journal=Path(name))
    for name in ("one", "other")
)


def is_refused(profiles, settings, account):
    try:
        profiles.check(settings, account)
    except SettingsError:
        return True
    return False


def test_a_second_journal_of_an_account_is_refused_and_says_the_first():
    profiles = WorkedProfiles()
    profiles.check(ONE, "team")
    with pytest.raises(SettingsError) as refused:
        profiles.check(OTHER, "team")
    assert refused.value.hint == (
        "Nothing is sent for it. Put its workbooks into the folder of one, or write "
        'journal = "one" into both.'
    )


@pytest.mark.parametrize(
    ("mended", "accounts"),
    [
        pytest.param(ONE, ("another", "team"), id="a key is corrected"),
        pytest.param(
            replace(ONE, journal=Path("other")), ("team", "team"), id="shared"
        ),
    ],
)
def test_once_it_is_mended_each_is_worked_for_in_the_same_process(mended, accounts):
    profiles = WorkedProfiles()
    before = is_refused(profiles, ONE, "team"), is_refused(profiles, OTHER, "team")
    after = [
        is_refused(profiles, each, account)
        for each, account in zip((mended, OTHER), accounts, strict=True)
    ]
    assert (before, after) == ((False, True), [False, False])
