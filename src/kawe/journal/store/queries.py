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
_COLUMNS: Final = {
    "entry": "key, batch, position, kind, marker, fingerprint, state, moved_at, "
    "project_id, reason, receipt_number",
    "event": "entry, kind, at, came_from, went_to, step, attempt, body_sha256, "
    "verdict, http_status, project, known_projects, detail",
}
"""Of a row without its content, and of what an event says, as `records` read them."""


def sql(name: str) -> str:
    return statements()[name]


@cache
def statements() -> dict[str, str]:
    """Give every statement by its name."""
    text = _HERE.joinpath("queries.sql").read_text("utf-8")
    _, *rest = _NAME.split(text.format_map(_COLUMNS))
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
