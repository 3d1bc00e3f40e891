"""Write docs/reference/commands.md: every command, as its help has it.

python tools/write_commands.py
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from inspect import cleandoc
from pathlib import Path
from typing import Final

import click

from docs_commands import all_commands, examples
from kawe.cli.app import GROUPS
from kawe.cli.shared.declaring import SHOWS_ALL

PUBLISHED: Final = (
    Path(__file__).resolve().parents[1] / "docs" / "reference" / "commands.md"
)
Row = tuple[str, str]
"""A flag, and its line of a table."""
_HEAD: Final = """\
# Commands

What `--help` says of each command; `python tools/write_commands.py` writes it. Each
ends with one of the [exit codes](../exit-codes.md). [Settings](../settings.md) stand in
the place of options that are not given. Every command takes `--help` and `--help-all`.
*Also* names [options of several commands](#options-of-several-commands).
"""
_SHARED: Final = "## Options of several commands"
_EVERYWHERE: Final = "--help-all"


def written() -> str:
    """Give the page."""
    commands = dict(all_commands())
    shared = _shared(commands)
    parts = [_HEAD, f"{_SHARED}\n", _list(row for _, row in sorted(shared))]
    for group, names in GROUPS.items():
        parts.append(f"## {group}\n")
        for name in names:
            for path, command in commands.items():
                if path == f"kawe {name}" or path.startswith(f"kawe {name} "):
                    parts += _section(path, command, shared)
    return "\n".join(parts)


def _section(path: str, command: click.Command, shared: set[Row]) -> Iterator[str]:
    _, *usage = command.collect_usage_pieces(_context(path, command))
    yield f"### {path}\n"
    if usage:
        # bash, and not sh: a usage line is none that could be typed.
        yield f"```bash\n{' '.join([path, *usage])}\n```\n"
    yield f"{_prose(command.help or '')}\n"
    rows = _rows(path, command)
    if own := [row for flag, row in rows if (flag, row) not in shared]:
        yield _list(own)
    if also := [flag for flag, row in rows if (flag, row) in shared]:
        yield f"Also {', '.join(f'`{flag}`' for flag in also)}.\n"
    if shown := examples(command):
        yield "\n".join(["```sh", *shown, "```"]) + "\n"


def _shared(commands: Mapping[str, click.Command]) -> set[Row]:
    """Give what several commands have in the same words."""
    found = Counter(
        row for path, command in commands.items() for row in _rows(path, command)
    )
    return {row for row, times in found.items() if times > 1}


def _rows(path: str, command: click.Command) -> list[Row]:
    context = _context(path, command)
    return [
        (each.opts[-1], row)
        for each in command.params
        if _EVERYWHERE not in each.opts and (row := _row(each, context))
    ]


def _context(path: str, command: click.Command) -> click.Context:
    context = click.Context(command, info_name=path)
    context.meta[SHOWS_ALL] = True
    return context


def _list(rows: Iterable[str]) -> str:
    return "\n".join([*rows, ""])


def _row(parameter: click.Parameter, context: click.Context) -> str:
    record = parameter.get_help_record(context)
    if record is None or not record[1]:
        return ""
    flags, words = record
    return f"- `{flags}`: {_prose(words)}"


def _prose(words: str) -> str:
    """Give words of a help; options are set as code."""
    flat = re.sub(r"(?<!\n)\n(?!\n)", " ", cleandoc(words))
    return re.sub(r"(?<![\w-])--[a-z-]+", lambda found: f"`{found[0]}`", flat)


def main() -> None:
    """Write the page."""
    PUBLISHED.write_text(written(), encoding="utf-8")


if __name__ == "__main__":
    main()
