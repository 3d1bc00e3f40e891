"""Every command says what it does, shows how, and is documented."""

import inspect
from dataclasses import fields, is_dataclass
from functools import reduce
from operator import or_
from pathlib import Path
from types import NoneType
from typing import get_args, get_type_hints

import click
import pytest
from click.testing import CliRunner

from architecture.house import SOURCE
from docs_commands import all_commands, examples, why_refused
from docs_pages import read_pages
from kawe.cli.app import COMMANDS, GROUPS, kawe
from kawe.cli.shared.later import SHOWS_ALL

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
TAKING = {
    name: command
    for name, command in EVERY.items()
    if "options" in inspect.signature(command.callback).parameters
}
_TYPES = {
    click.types.StringParamType: str,
    click.types.BoolParamType: bool,
    click.IntRange: int,
    click.FloatRange: float,
    click.Choice: str,
    click.Path: Path,
}


def test_every_file_of_a_command_is_in_the_list():
    files = {path.stem for path in (SOURCE / "cli").glob("[!_]*.py")} - {"app"}
    assert files == set(COMMANDS)


def test_the_help_lists_the_commands_in_groups():
    whole = click.Context(kawe)
    whole.meta[SHOWS_ALL] = True
    assert _groups(kawe.get_help(whole)) == GROUPS


def test_the_help_lists_at_most_twenty_commands_on_one_screen():
    written = kawe.get_help(click.Context(kawe))
    # A prompt takes the last line.
    assert len(written.splitlines()) < 40
    shown = _groups(written)
    names = [name for lines in shown.values() for name in lines]
    assert len(names) <= 20
    assert set(names) < set(COMMANDS)


@pytest.mark.parametrize("name", LEAVES)
def test_a_help_shows_at_most_twelve_options_on_one_screen(name):
    command = LEAVES[name]
    context = click.Context(command, info_name=name)
    records = [each.get_help_record(context) for each in command.get_params(context)]
    assert len([each for each in records if each and each[0].startswith("-")]) <= 12
    assert len(command.get_help(context).splitlines()) <= 40


@pytest.mark.parametrize("name", sorted(EVERY.keys() - LEAVES.keys() - {"kawe"}))
def test_the_whole_help_of_a_group_shows_every_option_of_its_commands(name):
    asked = [*name.split()[1:], "--help-all"]
    shown = CliRunner().invoke(kawe, asked, prog_name="kawe").output
    within = [each for each in OPTIONS if each.startswith(f"{name} ")]
    assert within
    assert [each for each in within if f" {each.split()[-1]}" not in shown] == []


def _groups(text):
    return {
        heading.removesuffix(":"): dict(line.split(maxsplit=1) for line in lines)
        for heading, *lines in map(str.splitlines, text.split("\n\n"))
        if heading.endswith(":") and heading != "Options:"
    }


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


def test_every_command_takes_its_options_as_one_value():
    assert set(LEAVES) <= set(TAKING)


@pytest.mark.parametrize("name", TAKING)
def test_parameters_arrive_as_the_options_say(name):
    command = TAKING[name]
    says = dict(_fields(_options_of(command)))
    given = [each for each in command.params if each.expose_value]
    assert {each.name: _arrives_as(each) for each in given} == says


def test_options_are_frozen_slotted_and_given_by_name():
    loose = [
        kind
        for command in TAKING.values()
        for kind in _dataclasses(_options_of(command))
        if not (kind.__dataclass_params__.frozen and "__slots__" in vars(kind))
        or not all(each.kw_only for each in fields(kind))
    ]
    assert loose == []


@pytest.mark.parametrize("name", LEAVES)
def test_paths_arrive_as_paths(name):
    kinds = [parameter.type for parameter in LEAVES[name].params]
    assert all(kind.type is Path for kind in kinds if isinstance(kind, click.Path))


def test_no_key_can_be_given_on_the_command_line():
    flags = {flag for option in OPTIONS.values() for flag in option.opts}
    assert not flags & {"--key", "--api-key", "--token", "--password"}


def _options_of(command):
    return get_type_hints(command.callback)["options"]


def _dataclasses(kind):
    yield kind
    for each in get_type_hints(kind).values():
        if is_dataclass(each):
            yield from _dataclasses(each)


def _fields(kind):
    for name, each in get_type_hints(kind).items():
        if is_dataclass(each):
            yield from _fields(each)
        else:
            yield name, _plain(each)


def _plain(kind):
    """Give what a new name for a type, such as that of an id, stands for."""
    if NoneType in get_args(kind):
        return reduce(or_, map(_plain, get_args(kind)))
    return getattr(kind, "__supertype__", kind)


def _arrives_as(parameter):
    kind = next(_TYPES[each] for each in type(parameter.type).__mro__ if each in _TYPES)
    if parameter.multiple or parameter.nargs == -1:
        return tuple[kind, ...]
    is_given = parameter.required or parameter.to_info_dict().get("default") is not None
    return kind if is_given else kind | None
