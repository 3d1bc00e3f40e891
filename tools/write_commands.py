"""Write docs/reference/commands.md: every command, as its help has it.

python tools/write_commands.py
"""

from __future__ import annotations

import re
from collections.abc import Iterator
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
_HEAD: Final = """\
# Commands

What `--help` says of each command, on one page. `python tools/write_commands.py` writes
it from the commands themselves. Each ends with one of the
[exit codes](../exit-codes.md); [settings](../settings.md) stand in the place of options
that are not given.
"""


def written() -> str:
    """Give the page."""
    commands = dict(all_commands())
    parts = [_HEAD]
    for group, names in GROUPS.items():
        parts.append(f"## {group}\n")
        for name in names:
            for path, command in commands.items():
                if path == f"kawe {name}" or path.startswith(f"kawe {name} "):
                    parts += _section(path, command)
    return "\n".join(parts)


def _section(path: str, command: click.Command) -> Iterator[str]:
    context = click.Context(command, info_name=path)
    context.meta[SHOWS_ALL] = True
    usage = " ".join(command.collect_usage_pieces(context))
    yield f"### {path}\n"
    # bash, and not sh: a usage line is none that could be typed.
    yield f"```bash\n{path} {usage}\n```\n"
    yield f"{_prose(command.help or '')}\n"
    rows = [row for each in command.params if (row := _row(each, context))]
    if rows:
        yield "\n".join(["| option | what it does |", "|---|---|", *rows, ""])
    if shown := examples(command):
        yield "\n".join(["```sh", *shown, "```"]) + "\n"


def _row(parameter: click.Parameter, context: click.Context) -> str:
    record = parameter.get_help_record(context)
    if record is None or not record[1]:
        return ""
    flags, words = (each.replace("|", r"\|") for each in record)
    return f"| `{flags}` | {_prose(words)} |"


def _prose(words: str) -> str:
    """Give words of a help; options are set as code."""
    flat = re.sub(r"(?<!\n)\n(?!\n)", " ", cleandoc(words))
    return re.sub(r"(?<![\w-])--[a-z-]+", lambda found: f"`{found[0]}`", flat)


def main() -> None:
    """Write the page."""
    PUBLISHED.write_text(written(), encoding="utf-8")


if __name__ == "__main__":
    main()
