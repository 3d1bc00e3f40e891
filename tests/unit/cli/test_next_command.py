"""Suggested commands are quoted for the shell and keep what was typed."""

import shlex
from dataclasses import fields

import click
import pytest

from kawe.cli.app import kawe
from kawe.cli.output.next_command import PLACE, suggested
from kawe.cli.shared.options import ServiceOptions


def _typed(*words):
    """Parse a command line as kawe does, and stay in its context."""
    group = click.Context(kawe, info_name="kawe")
    name, command, rest = kawe.resolve_command(group, [*words])
    return command.make_context(name, rest, parent=group)


@pytest.mark.parametrize(
    "name",
    [
        "monthly.xlsx",
        "Consents Nov 2026.xlsx",
        "Māori Land's.xlsx",
        'a$HOME `ls` & "b".xlsx',
        "two  spaces.xlsx",
        "-x.xlsx",
    ],
)
def test_a_posix_shell_gives_back_the_same_name(name):
    words = shlex.split(suggested("submit", name))
    assert words in (["kawe", "submit", name], ["kawe", "submit", "--", name])


def test_the_options_that_both_commands_have_go_along(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my files").mkdir()
    words = ("--files", "my files", "--accept", "alike", "--accept", "missing")
    place = ("--profile", "sandbox", "--sheet=-1", "--send", "--offline", "--quiet")
    with _typed("check", "a b.csv", *words, *place):
        said = suggested("submit", "a b.csv")
    assert said == (
        "kawe submit 'a b.csv' --sheet=-1 --files 'my files' --send --accept repeats "
        "--accept missing --profile sandbox"
    )


def test_an_agreement_never_goes_along():
    with _typed("submit", "a.csv", "--yes", "40", "--no-input", "--keep-reserve", "5"):
        said = suggested("release")
    assert said == "kawe release --keep-reserve 5"


def test_a_plan_takes_only_the_service_along():
    with _typed("plan", "a.csv", "--sheet", "B", "--journal", "j", "-o", "p.json"):
        said = suggested("submit", "p.json", only=PLACE)
    assert said == "kawe submit p.json --journal j"


def test_the_options_of_the_service_are_those_that_name_it():
    assert {each.name for each in fields(ServiceOptions)} == PLACE


def test_outside_a_command_nothing_goes_along():
    assert suggested("waiting", also="--drop ROW") == "kawe waiting --drop ROW"
