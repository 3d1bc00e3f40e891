"""What a person perhaps meant who typed a command that kawe has not."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import PurePath
from typing import Final

from kawe.domain.text.shell import quoted
from kawe.domain.text.texts import one_line
from kawe.machine.installation import page_address

_OTHER_WORDS: Final = {
    "configure": "init",
    "invite": "submit",
    "log": "journal",
    "login": "init",
    "queue": "deferred",
    "receipts": "export receipts",
    "resume": "submit",
    "send": "submit",
    "setup": "init",
    "start": "serve",
    "twin": "serve",
    "upload": "submit",
    "validate": "check",
    "verify": "journal verify",
    "waiting": "deferred",
}
ENDINGS: Final = frozenset({".xlsx", ".xlsm", ".xls", ".csv"})


def meant(typed: str, *, among: Sequence[str]) -> str:
    """Say that there is no command of that name, and which one was perhaps meant."""
    said = f"No such command {one_line(typed, limit=60)!r}."
    if PurePath(typed).suffix.casefold() in ENDINGS:
        return f"{said} To check this workbook: kawe check {quoted(typed)}"
    known = typed.casefold()
    if known == "schedule":
        page = page_address("how-to/run-unattended.md")
        return f"{said} What cron, systemd or Windows needs is on this page: {page}"
    near = [_OTHER_WORDS[known]] if known in _OTHER_WORDS else []
    near = near or get_close_matches(known, [*among, "help", "version"])
    if not near:
        return f"{said} The commands are listed by: kawe help"
    return f"{said} Did you mean {' or '.join(map(repr, near))}?"
