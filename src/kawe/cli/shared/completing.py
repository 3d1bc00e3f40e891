"""What a shell may put for a word that is half typed; it asks no service."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
from click.shell_completion import BashComplete, add_completion_class

from kawe.cli.output.near_command import ENDINGS
from kawe.domain.text.texts import one_line
from kawe.errors import KaweError

# click's own takes a name with a blank for two words, and one with * for a pattern.
_BASH: Final = """\
%(complete_func)s() {
    local type value
    COMPREPLY=()
    while IFS=, read -r type value; do
        case $type in
            plain)
                # Treated as a name of a file, it is quoted, also within quotes.
                [[ $value == *[!A-Za-z0-9._-]* ]] && compopt -o filenames
                COMPREPLY+=("$value") ;;
            file) compopt -o default ;;
            dir) compopt -o dirnames ;;
        esac
    done < <(env COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD \\
        %(complete_var)s=bash_complete "$1" 2>/dev/null)
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""


@add_completion_class
class QuotingBash(BashComplete):
    """What click has for bash, with names quoted."""

    source_template = _BASH


_PLACES: Final = ("profile", "base_url", "key_file")
_RESULT: Final = ".result"
_MOST: Final = 400


def workbooks(
    context: click.Context, _parameter: click.Parameter, typed: str
) -> list[str]:
    """Give folders and what may be a workbook or, for a submit, a saved plan."""
    endings = ENDINGS | {".json"} if context.info_name == "submit" else ENDINGS
    said, _, start = typed.rpartition("/")
    folder = f"{said}/" if "/" in typed else ""
    try:
        there = sorted(os.scandir(Path(folder or ".").expanduser()), key=os.fspath)
    except OSError:
        return []
    return list(_fitting(there, start, folder=folder, endings=endings))


def _fitting(
    there: list[os.DirEntry[str]], start: str, *, folder: str, endings: frozenset[str]
) -> Iterator[str]:
    for each in there:
        path = Path(each.name)
        # A name that a terminal would not show as it is, is not put into a line.
        if not each.name.startswith(start) or one_line(each.name) != each.name:
            continue
        if each.name.startswith((".", "~$")) and not start:
            continue
        if each.is_dir():
            yield f"{folder}{each.name}/"
        elif path.suffix.casefold() in endings and not path.stem.endswith(_RESULT):
            yield f"{folder}{each.name}"


def batches(
    context: click.Context, _parameter: click.Parameter, typed: str
) -> list[str]:
    """Give the batches of the journal, the newest first; none if it cannot be read."""
    try:
        names = asyncio.run(_batches(context))
    except (KaweError, OSError):
        return []
    fitting = [each for each in names if each.startswith(typed)]
    return [each for each in fitting if one_line(each) == each][:_MOST]


async def _batches(context: click.Context) -> list[str]:
    from kawe.cases.python import open_kawe  # noqa: PLC0415 (start-up)

    flags = {name: context.params.get(name) for name in _PLACES}
    journal = (None, *(context.params.get("journals") or ()))[-1]
    toolkit = open_kawe(**flags, journal=journal)
    async with toolkit.open_journal(read_only=True) as journal:
        return [each.name for each in reversed(await journal.batches())]
