"""What to do next as the command line says it, and as files that people keep do."""

from __future__ import annotations

from typing import Final

from kawe.domain.text.next_steps import Given, Next, said
from kawe.domain.text.shell import quoted

OTHER_WORDS: Final = {
    "add files": "add --files {} to the command",
    "again": "run the same command again",
    "config show": "kawe config show --origin",
    "carry over": "kawe template {} --from OLD.xlsx -o NEW.xlsx",
    "drop": "kawe waiting --drop",
    "export receipts": "kawe export receipts -o FOLDER",
    "resolve": "with kawe resolve",
    "result of": "the result of kawe status {} --write",
    "save plan": "kawe plan WORKBOOK -o plan.json",
}
"""By the value of a `Next`: what is no command with what it is about."""


def in_commands(text: str) -> str:
    return said(text, _command)


def for_everybody(text: str) -> str:
    """Say a sentence for people at the command line and at the desk."""
    return said(text, _both)


def _command(value: Next | Given, about: tuple[str, ...]) -> str:
    words = [quoted(each) for each in about]
    if isinstance(value, Given):
        return " ".join((f"--{value.value}", *words))
    if value.value in OTHER_WORDS:
        return OTHER_WORDS[value.value].format(*words, "")
    return " ".join(("kawe", value.value, *words))


def _both(value: Next | Given, about: tuple[str, ...]) -> str:
    from kawe.desk.next_words import page_words  # noqa: PLC0415 - start-up

    command, page = _command(value, about), page_words(value, about)
    return f"{command} (at the desk: {page})" if page else command
