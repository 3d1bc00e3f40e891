"""Every command says what it does, shows how, and is documented."""

from __future__ import annotations

import inspect
from pathlib import Path

import click
import pytest

from architecture.house import SOURCE
from docs_commands import all_commands, examples, why_refused
from docs_pages import read_pages
from kawe.cli.app import COMMANDS

EVERY = dict(all_commands())
LEAVES = {
    name: command
    for name, command in EVERY.items()
    if not isinstance(command, click.Group)
}
OPTIONS = {
    f"{name} {parameter.opts[0]}": parameter
    for name, command in LEAVES.items()
    for parameter in command.params
    if isinstance(parameter, click.Option)
}
_NAMES = {
    click.types.StringParamType: "str",
    click.types.IntParamType: "int",
    click.IntRange: "int",
    click.FloatRange: "float",
    click.types.BoolParamType: "bool",
    click.Choice: "str",
    click.Path: "Path",
}


def test_every_file_of_a_command_is_in_the_list():
    files = {path.stem for path in (SOURCE / "cli").glob("[!_]*.py")} - {"app"}
    assert files == set(COMMANDS)


@pytest.mark.parametrize("name", EVERY)
def test_every_command_has_help(name):
    assert EVERY[name].help
    assert EVERY[name].get_short_help_str(200).endswith(".")


@pytest.mark.parametrize("name", LEAVES)
def test_every_command_shows_an_example_of_itself(name):
    shown = examples(LEAVES[name])
    assert shown
    assert all(text.startswith(name) for text in shown)


@pytest.mark.parametrize("name", LEAVES)
def test_every_example_can_be_typed_as_it_stands(name):
    assert [why_refused(text) for text in examples(LEAVES[name])] == [None] * len(
        examples(LEAVES[name])
    )


@pytest.mark.parametrize("name", LEAVES)
def test_every_command_is_documented(name):
    pages = [
        page for page in read_pages(SOURCE.parents[1]) if "change" not in page.name
    ]
    naming = [
        page.name
        for page in pages
        for line in page.lines()
        if name in (line.text if line.language == "sh" else " ".join(line.spans))
    ]
    assert naming


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_says_what_it_does(name):
    words = OPTIONS[name].help
    assert words
    assert words.endswith(".")


@pytest.mark.parametrize("name", LEAVES)
def test_parameters_arrive_as_the_function_expects(name):
    command = LEAVES[name]
    taken = inspect.signature(command.callback).parameters
    takes_any = any(each.kind is each.VAR_KEYWORD for each in taken.values())
    for parameter in command.params:
        if parameter.name not in taken:
            assert takes_any, f"{parameter.name} is not taken"
            continue
        expected = _NAMES[type(parameter.type)]
        can_be_left_out = not parameter.required
        if can_be_left_out and parameter.to_info_dict().get("default") is None:
            expected += " | None"
        assert taken[parameter.name].annotation == expected


@pytest.mark.parametrize("name", LEAVES)
def test_paths_arrive_as_paths(name):
    kinds = [parameter.type for parameter in LEAVES[name].params]
    assert all(kind.type is Path for kind in kinds if isinstance(kind, click.Path))


def test_no_key_can_be_given_on_the_command_line():
    flags = {flag for option in OPTIONS.values() for flag in option.opts}
    assert not flags & {"--key", "--api-key", "--token", "--password"}
