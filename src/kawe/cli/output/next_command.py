"""What to do next, in commands: quoted, with the options that were typed."""

from collections.abc import Collection, Iterator
from typing import Any, Final

import click
from click.core import ParameterSource

from kawe.domain.text.next_steps import Given, Next, said
from kawe.domain.text.shell import quoted
from kawe.machine.installation import Installation

OTHER_WORDS: Final = {
    "add approval": "put the file that they give you beside the plan",
    "add files": "add --files {} to the command",
    "again": "run the same command again",
    "drop": "kawe waiting --drop",
    "export receipts": "kawe export receipts -o FOLDER",
    "give address": "give --base-url, set KAWE_BASE_URL, or write base_url in "
    "kawe.toml. To try kawe without a service, run: kawe serve",
    "give key": "keep one with kawe init, set KAWE_API_KEY, or put the key in a file "
    "that only you can read and name it with --key-file.",
    "give team": 'write team = "NAME" in kawe.toml.',
    "own address": "run kawe init, or put base_url into {} or KAWE_BASE_URL.",
    "own profile": "kawe init --profile {}",
    "resolve": "with kawe resolve",
    "result of": "the result of kawe status {} --write",
    "start it on port": "start it with kawe serve --port {}",
    "save plan": "kawe plan WORKBOOK -o plan.json",
    "show approval key": "kawe approve --show-key",
    "show settings": "kawe doctor --settings",
    "store file": "kawe init --store file",
}
"""By the value of a `Next`: what is no command with what it is about."""


def in_commands(text: str) -> str:
    return said(text, _command)


def for_everybody(text: str) -> str:
    """Say a sentence for people at the command line and at the desk."""
    return said(text, _both)


def _command(value: Next | Given, about: tuple[str, ...]) -> str:
    words = [quoted(each) for each in about]
    if isinstance(value, Given):
        return " ".join((f"--{value.value}", *words))
    if value.value in OTHER_WORDS:
        return OTHER_WORDS[value.value].format(*words, "")
    return " ".join(("kawe", value.value, *words))


def _both(value: Next | Given, about: tuple[str, ...]) -> str:
    from kawe.desk.next_words import page_words  # noqa: PLC0415 - start-up

    command, page = _command(value, about), page_words(value, about)
    return f"{command} (at the desk: {page})" if page else command


PLACE: Final = frozenset({"profile", "base_url", "key_file", "journals", "workers"})
"""The options that name service, key and journal."""
# What a person agrees to is typed each time; the others shape what is printed.
_NEVER: Final = frozenset(
    {"agreed", "never_asks", "no_input", "as_json", "quiet", "all_rows", "opens"}
)


def suggested(
    name: str, *words: object, only: Collection[str] | None = None, also: str = ""
) -> str:
    """Give a command to type next; `name` is that of a command of kawe.

    It begins with `kawe` where the shell finds this kawe by that name.

    `words` are its arguments. The options that were typed for this command and that
    the other has too go along, but no agreement; of them `only` the parameters that
    are given. `also` is added as it is.
    """
    arguments = [quoted(str(word)) for word in words]
    options = [quoted(word) for word in _typed_options(name, only)]
    also_words = [also] if also else []
    program = Installation.here().command()
    if any(str(word).startswith("-") for word in words):
        # Only behind the options, and behind this mark, it is no option itself.
        return " ".join([program, name, *options, *also_words, "--", *arguments])
    return " ".join([program, name, *arguments, *options, *also_words])


def typed_flag(names: Collection[str]) -> str | None:
    """Give the flag of one of these parameters that was typed for this command."""
    ctx = click.get_current_context()
    for own, option in _options_of(ctx.command).items():
        if (
            own in names
            and ctx.get_parameter_source(own) is ParameterSource.COMMANDLINE
        ):
            return _flags_of(option, ctx.params[own])[0]
    return None


def _typed_options(name: str, only: Collection[str] | None) -> Iterator[str]:
    """List the options typed for the running command that another takes too.

    As words that no shell has seen; of them `only` the parameters that are given.
    """
    if (ctx := click.get_current_context(silent=True)) is None:
        return
    other: click.Command | None = ctx.find_root().command
    for word in name.split():
        other = other.get_command(ctx, word) if isinstance(other, click.Group) else None
    known = _options_of(other).keys() - _NEVER
    for own, option in _options_of(ctx.command).items():
        is_typed = ctx.get_parameter_source(own) is ParameterSource.COMMANDLINE
        if is_typed and own in known and (only is None or own in only):
            value = ctx.params[own]
            yield from _words_of(max(_flags_of(option, value), key=len), value)


def _flags_of(option: click.Option, value: object) -> list[str]:
    return option.secondary_opts if value is False else option.opts


def _options_of(command: click.Command | None) -> dict[str, click.Option]:
    found = [] if command is None else command.params
    return {each.name or "": each for each in found if isinstance(each, click.Option)}


def _words_of(flag: str, value: Any) -> Iterator[str]:  # noqa: ANN401 - any option's
    if isinstance(value, bool):
        yield flag
    elif isinstance(value, tuple):
        for each in value:
            yield from _words_of(flag, each)
    elif str(value).startswith("-"):
        yield f"{flag}={value}"
    else:
        yield from (flag, str(value))
