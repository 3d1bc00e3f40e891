"""Whom to tell: where it may be said, and what wins."""

import pytest

from kawe.errors import GuardRefused, SettingsError
from kawe.settings.notifying import NotifySettings, check_notify, load_notify

FILES = """
[notify]
to = ["json://one", " "]
command = "tell us"
within = 5

[profile.quiet.notify]
to = []
command = ""
"""


@pytest.fixture
def load(tmp_path):
    """Give a function that loads, with the settings file of a person's choice."""

    def load(text="", *, command=None, profile=None, **environment):
        path = tmp_path / "own.toml"
        path.write_text(text, "utf-8")
        return load_notify(
            command=command,
            profile=profile,
            environment={"KAWE_CONFIG": str(path), **environment},
        )

    return load


def test_nobody_is_told_by_default(load):
    assert (load(), load().is_silent) == (NotifySettings(), True)


def test_a_file_that_was_chosen_says_whom_to_tell(load):
    assert load(FILES) == NotifySettings(
        addresses=("json://one",), command="tell us", within_seconds=5
    )


def test_a_profile_says_otherwise(load):
    assert load(FILES, profile="quiet").is_silent
    assert load(FILES, KAWE_PROFILE="quiet").is_silent


def test_the_variable_wins_over_the_file_and_the_flag_over_both(load):
    found = load(FILES, command="tell me", KAWE_NOTIFY="json://a  mailto://b\n")
    assert found == NotifySettings(
        addresses=("json://a", "mailto://b"), command="tell me", within_seconds=5
    )


def test_one_target_needs_no_list(load):
    assert load('[notify]\nto = "json://one"').addresses == ("json://one",)


@pytest.mark.parametrize("text", ["no = toml = at all", "notify = 3", "profile = 3"])
def test_settings_that_cannot_be_read_are_left_to_others_to_complain_of(load, text):
    assert load(text).is_silent


@pytest.mark.parametrize(
    "section",
    [
        {"too": "json://one"},
        {"to": 3},
        {"to": ["json://one", 3]},
        {"file": ["x"]},
        {"command": ["tell"]},
        {"within": "5"},
        {"within": True},
        {"within": 0},
        {"within": 600},
    ],
)
def test_what_cannot_be_used_is_refused_without_its_value(section):
    with pytest.raises(SettingsError) as refused:
        check_notify(section)
    assert "json://one" not in str(refused.value)


def test_a_file_of_targets_that_is_not_there_is_named(load):
    with pytest.raises(SettingsError, match="targets"):
        load('[notify]\nfile = "no-targets"')


def test_a_file_of_targets_is_for_its_owner_alone(load, tmp_path):
    path = tmp_path / "targets"
    path.write_text("json://one\n")
    path.chmod(0o640)
    with pytest.raises(GuardRefused, match="chmod 600"):
        load(f'[notify]\nfile = "{path}"')


def test_secrets_are_addresses_and_what_may_be_a_password_in_them():
    settings = NotifySettings(
        addresses=(
            "mailto://kawe:gl0wworm@mail.example?to=me@x.example&pass=0therword",
            "slack://T0KENONE/B0KENTWO/short",
        )
    )
    assert settings.secrets[2:] == ("gl0wworm", "0therword", "T0KENONE", "B0KENTWO")


def test_nothing_secret_is_shown():
    shown = str(NotifySettings(addresses=("json://s3cret",), command="tell s3cret"))
    assert "s3cret" not in shown
