"""What is typed at the terminal, and whether anybody sits there."""

from __future__ import annotations

import sys

import click

from kawe.domain.text.texts import fold


def is_at_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def typed(question: str) -> str:
    return str(click.prompt(question, default="", show_default=False)).strip()


def is_yes(answer: str) -> bool:
    return fold(answer) in {"yes", "y", "ae"}
