"""Whether the command lines that people are told to type can be parsed."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from typing import Final
from uuid import UUID

import click

from docs_pages import Line, Page, Trouble
from kawe.cli.app import COMMANDS, SHORT, in_full, kawe

_LANGUAGES: Final = frozenset({"", "sh", "console", "powershell", "text"})
_PROMPT: Final = re.compile(r"^(?:\$|PS>)\s+")
_OPERATORS: Final = frozenset({"|", "||", "&", "&&", ";", ">", ">>", "<", "2>"})
# What people put something else for, and something that could be put there.
_PLACEHOLDERS: Final = {"N": "1", "PROJECT-ID": str(UUID(int=0))}
_EXAMPLES: Final = re.compile(r"^Examples?: |^Begin with: ")


def command_troubles(page: Page) -> Iterator[Trouble]:
    """Find the `kawe` command lines of a page that kawe would refuse."""
    flags = known_flags()
    for line in page.lines():
        for text in _command_lines(line):
            words = why_refused(text)
            if words is not None:
                yield page.trouble(line, f"`{text}` {words}")
        for span in line.spans:
            flag = re.match(r"--[a-z-]+", span)
            if flag is not None and flag[0] not in flags:
                yield page.trouble(line, f"`{flag[0]}` is an option of no command")


def example_troubles() -> Iterator[Trouble]:
    """Find the examples in the help of the commands that kawe would refuse."""
    for path, command in all_commands():
        for text in examples(command):
            words = why_refused(text)
            if words is not None:
                yield Trouble(where=f"help of {path}", words=f"`{text}` {words}")


def examples(command: click.Command) -> list[str]:
    """Give the command lines that the help of a command shows as examples."""
    epilog = command.epilog or ""
    if not _EXAMPLES.match(epilog):
        return []
    return [text.strip() for text in _EXAMPLES.sub("", epilog).split(" · ")]


def all_commands() -> Iterator[tuple[str, click.Command]]:
    """Give every command, groups before those in them, with its full name."""
    yield "kawe", kawe
    for name in COMMANDS:
        command = kawe.get_command(click.Context(kawe), name)
        assert command is not None
        yield f"kawe {name}", command
        if isinstance(command, click.Group):
            for inner, within in command.commands.items():
                yield f"kawe {name} {inner}", within


def known_flags() -> frozenset[str]:
    """Give every long and short option of every command."""
    return frozenset(
        flag
        for _, command in all_commands()
        for parameter in [*command.params, *_help_of(command)]
        for flag in (*parameter.opts, *parameter.secondary_opts)
    )


def why_refused(text: str) -> str | None:
    """Say why kawe would refuse a command line, None where it would not.

    What a shell makes of redirections and pipes is not kawe's business.
    """
    try:
        words = shlex.split(text, comments=True)
    except ValueError as trouble:
        return f"is no command line: {trouble}"
    end = next((at for at, word in enumerate(words) if word in _OPERATORS), len(words))
    typed = [_PLACEHOLDERS.get(word, word) for word in words[1:end]]
    return _parse(kawe, in_full(typed))


def _parse(command: click.Command, words: Sequence[str]) -> str | None:
    is_help = command is kawe and words[:1] in (["help"], ["version"])
    if is_help or {"--help", "--help-all", "--version"} & set(words):
        return None
    if isinstance(command, click.Group):
        if not words:
            return None
        inner = command.get_command(click.Context(command), words[0])
        if inner is None:
            return f"names no command: {words[0]}"
        return _parse(inner, words[1:])
    try:
        command.make_context(command.name, list(words)).close()
    except click.UsageError as trouble:
        return f"would be refused: {trouble.format_message()}"
    return None


def _command_lines(line: Line) -> Iterator[str]:
    if line.language in _LANGUAGES:
        text = _PROMPT.sub("", line.text.strip())
        if text.startswith("kawe "):
            yield text
    for span in line.spans:
        # A command that is only named, as in `kawe submit`, needs no arguments.
        words = span.split()
        if words[:1] != ["kawe"] or len(words) == 1:
            continue
        is_named = all(re.fullmatch("[a-z]+", word) for word in words[1:])
        yield f"{span} --help" if is_named and _names_command(words[1:]) else span


def _names_command(words: Sequence[str]) -> bool:
    named = f"kawe {' '.join(words)}"
    return named in {name for name, _ in all_commands()} or words[0] in SHORT


def _help_of(command: click.Command) -> list[click.Parameter]:
    option = command.get_help_option(click.Context(command))
    return [] if option is None else [option]
