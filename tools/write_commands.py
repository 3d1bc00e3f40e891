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

from docs_commands import all_commands
from kawe.cli.app import GROUPS
from kawe.cli.shared.later import SHOWS_ALL

PUBLISHED: Final = (
    Path(__file__).resolve().parents[1] / "docs" / "reference" / "commands.md"
)
Row = tuple[str, str]
"""A flag, and its line of a table."""
_HEAD: Final = """\
# Commands

Each command in a line, and its options; `kawe help COMMAND` says more, with examples.
Every command takes `--help` and `--help-all`, and ends with one of the [exit
codes](../exit-codes.md). [Settings](../settings.md) stand in the place of options that
are not given. *Also* names [options of several
commands](#options-of-several-commands), often by the name of their set; *usual* are
*connection*, *output* and `--workers`.
"""
_SETS: Final = {
    "connection": "--profile --base-url --key-file --journal",
    "output": "--json -q -v --no-color",
    "rows": "--sheet --table --kind --all-sheets --include-archives --files --places "
    "--send --strict --include-hidden --include-struck --accept --role --allow-owner",
    "results": "--result --failed --geojson",
    "agreement": "--settle --max-tokens --keep-reserve --yes",
    "list": "--format --since --until",
}
"""Options that go together, under the name that stands for all of them."""
_USUAL: Final = f"{_SETS['connection']} {_SETS['output']} --workers"
_SHARED: Final = "## Options of several commands"
_PARAGRAPH: Final = "\n\n"
_EVERYWHERE: Final = "--help-all"


def written() -> str:
    """Give the page."""
    commands = dict(all_commands())
    shared, told = _shared(commands), set[str]()
    parts = [_HEAD, f"{_SHARED}\n"]
    for name, flags in {**_SETS, "others": ""}.items():
        among = flags.split() if flags else sorted({flag for flag, _ in shared} - told)
        rows = [row for flag, row in sorted(shared) if flag in among]
        parts += [f"### {name}\n", _list(rows)]
        told.update(among)
    for group, names in (GROUPS | {"Learn": [*GROUPS["Learn"], "help"]}).items():
        parts.append(f"## {group}\n")
        for name in names:
            for path, command in commands.items():
                is_one = not isinstance(command, click.Group)
                if is_one and f"{path} ".startswith(f"kawe {name} "):
                    parts += _section(path, command, shared)
    return "\n".join(parts)


def _section(path: str, command: click.Command, shared: set[Row]) -> Iterator[str]:
    _, *usage = command.collect_usage_pieces(_context(path, command))
    yield f"### {' '.join([path, *usage])}\n"
    # What else the help says is on the pages of these commands.
    yield f"{_prose(cleandoc(command.help or '').partition(_PARAGRAPH)[0])}\n"
    rows = _rows(path, command)
    if own := [row for flag, row in rows if (flag, row) not in shared]:
        yield _list(own)
    if also := [flag for flag, row in rows if (flag, row) in shared]:
        yield f"Also {', '.join(_in_sets(also))}.\n"


def _in_sets(flags: list[str]) -> Iterator[str]:
    """Give the names of the sets that are there as a whole, and what is left."""
    left = list(flags)
    for name, text in {"usual": _USUAL, **_SETS}.items():
        if set(text.split()) <= set(left):
            left = [flag for flag in left if flag not in text.split()]
            yield f"*{name}*"
    if left:
        yield _spans(left)


def _spans(flags: Iterable[str]) -> str:
    return ", ".join(f"`{flag}`" for flag in flags)


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
    flags = re.sub(r" (WHOLE NUMBER|FLOAT RANGE)", " N", record[0])
    words = record[1]
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
