"""What the end of a child process means, in sentences without a secret."""

import pytest

from kawe.notices.notifier import (
    _WHY,
    REFUSED,
    UNKNOWN,
    AddressChannel,
    ProgramChannel,
    channels_to,
    words_of,
)

CHANNEL = AddressChannel(
    addresses=("mailto://kawe:s3cret@mail.example", "slack://tok/en", "s3cret"),
    environment={},
    within_seconds=20,
    sender=(),
    to_add="Install it with: pip",
)
ENDED = "The program of the notify command ended"
PROGRAM = ProgramChannel(command="tell s3cret", environment={}, within_seconds=20)


@pytest.mark.parametrize(
    ("code", "said", "troubles"),
    [
        (0, "told told told", []),
        (
            0,
            "told refused unknown",
            [
                f"Target 2 (slack) was not told: {_WHY[REFUSED]}.",
                f"Target 3 (no address) was not told: {_WHY[UNKNOWN]}.",
            ],
        ),
        (
            None,
            "told",
            [
                "Target 2 (slack) was not told: it took longer than 20 seconds.",
                "Target 3 (no address) was not told: it took longer than 20 seconds.",
            ],
        ),
        (
            1,
            "told told",
            ["Target 3 (no address) was not told: what carries messages broke."],
        ),
        (
            0,
            "missing",
            ["Nobody was told: apprise is not installed. Install it with: pip"],
        ),
    ],
)
def test_each_address_that_was_not_told_has_its_sentence(code, said, troubles):
    assert CHANNEL.judge(code, said) == troubles


@pytest.mark.parametrize(
    ("code", "said", "troubles"),
    [
        (0, "all is well", []),
        (2, "", [f"{ENDED} with code 2."]),
        (2, "no\x1b[0m\nmail", [f"{ENDED} with code 2, and said: no[0m mail"]),
    ],
)
def test_a_program_is_quoted_only_when_it_fails(code, said, troubles):
    assert PROGRAM.judge(code, said) == troubles


def test_a_command_line_is_taken_apart_without_a_shell():
    assert words_of("tell 'the office' $HOME | cat > x") == [
        *("tell", "the office", "$HOME", "|", "cat", ">", "x")
    ]


@pytest.mark.parametrize("command", ["", "  ", "tell 'x", "tell \0"])
def test_what_is_no_command_line_is_refused(command):
    with pytest.raises(ValueError, match=r"command|quotation"):
        words_of(command)


def test_no_secret_is_shown_of_targets():
    assert "s3cret" not in f"{CHANNEL} {PROGRAM}"


def test_each_target_is_told_once_however_often_it_is_named():
    (channel,) = channels_to(addresses=("a://b", "c://d", "a://b"), environment={})
    assert channel.addresses == ("a://b", "c://d")


def test_secrets_of_kawe_are_not_handed_on():
    environment = {"KAWE_API_KEY": "k", "KAWE_NOTIFY": "n", "PATH": "/bin"}
    channels = channels_to(
        addresses=("a://b",), command="tell", environment=environment
    )
    assert [channel.environment for channel in channels] == [{"PATH": "/bin"}] * 2
