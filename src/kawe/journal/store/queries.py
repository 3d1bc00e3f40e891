"""The journal's SQL, by name, from `queries.sql` and `migrations/`."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Final

_NAME: Final = re.compile(r"^-- ([a-z_]+)$", re.MULTILINE)
_HERE: Final = files("kawe.journal.store")


def sql(name: str) -> str:
    """Give the statement called `name`.

    Raises:
        KeyError: There is none.
    """
    return statements()[name]


@cache
def statements() -> dict[str, str]:
    """Give every statement by its name."""
    _, *rest = _NAME.split(_HERE.joinpath("queries.sql").read_text("utf-8"))
    return {
        name: text.strip() for name, text in zip(rest[::2], rest[1::2], strict=True)
    }


@cache
def migrations() -> tuple[str, ...]:
    """Give the scripts that build the schema; the first leads to version 1."""
    scripts = sorted(
        (each for each in _HERE.joinpath("migrations").iterdir()),
        key=lambda each: each.name,
    )
    return tuple(each.read_text("utf-8") for each in scripts)


def single_statements(script: str) -> Iterator[str]:
    """Split a script: `executescript` would commit what came before it."""
    held = ""
    for line in script.splitlines(keepends=True):
        held += line
        if sqlite3.complete_statement(held):
            yield held
            held = ""
