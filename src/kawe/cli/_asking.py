"""Asking a person until the answer can be used."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

import click

from kawe.errors import KaweError

T = TypeVar("T")
_TRIES: Final = 5


def is_at_terminal() -> bool:
    """Say whether somebody can be asked: there is a terminal to type at."""
    return sys.stdin is not None and sys.stdin.isatty()


def typed(question: str) -> str:
    """Ask, and give what was typed without the spaces around it; it may be nothing."""
    return str(click.prompt(question, default="", show_default=False)).strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """Asks the person, where there is one, until the answer can be used."""

    can_ask: bool

    def until_right(
        self, given: str | None, *, ask: Callable[[], str], use: Callable[[str], T]
    ) -> T:
        """Use what was given, or else ask; ask again where it cannot be used.

        Raises:
            KaweError: It cannot be used, and nobody can be asked any more.
        """
        text = given
        for tries in range(1, _TRIES + 1):
            try:
                return use(ask() if text is None else text)
            except KaweError as trouble:
                if not self.can_ask or tries == _TRIES:
                    raise
                click.echo(f"  {trouble}")
                text = None
        raise AssertionError("the last try returns or raises")

    def say(self, sentence: str) -> None:
        """Tell the person how it goes."""
        if self.can_ask:
            click.echo(sentence)
