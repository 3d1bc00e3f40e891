"""`kawe config`: what is set, and where it comes from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from kawe.cli.output import printing
from kawe.cli.output.near_command import NearGroup
from kawe.cli.shared.declaring import command, option, options_class
from kawe.cli.shared.later import help_all
from kawe.cli.shared.options import AskOptions
from kawe.domain.text.texts import one_line
from kawe.settings.loading import Shown, every_setting
from kawe.settings.values import Settings


@options_class
class _ShowOptions:
    origin: bool = option("--origin", help="Say where each setting comes from as well.")
    ask: AskOptions


@click.group(cls=NearGroup)
@help_all("option of its commands")
def config() -> None:
    """Look at the settings."""


@command("kawe config show --origin", of=config)
def show(options: _ShowOptions) -> int:
    """Show every setting and its value.

    The nearest wins: a flag, then a variable, then the kawe.toml of this
    folder, then your own settings. Nothing of the key itself is shown. Asks
    the service nothing.
    """
    settings = options.ask.open().settings
    shown = list(every_setting(settings))
    return printing.answer(
        "config",
        lambda: _document(settings, shown),
        as_json=options.ask.output.as_json,
        lines=(*_lines(shown, origin=options.origin), *_remarks(settings)),
    )


def _lines(shown: list[Shown], *, origin: bool) -> Iterator[str]:
    values = [one_line(each.value or "not set", limit=600) for each in shown]
    names = [one_line(each.name, limit=60) for each in shown]
    name_width = max(len(each) for each in names)
    value_width = min(48, max(len(each) for each in values))
    for name, value, each in zip(names, values, shown, strict=True):
        line = f"{name:<{name_width}}  {value}"
        if origin:
            line = f"{name:<{name_width}}  {value:<{value_width}}  from {each.origin}"
        yield line


def _remarks(settings: Settings) -> Iterator[str]:
    read = [
        f"{path} ({'read' if is_there else 'not there'})"
        for path, is_there in settings.files()
    ]
    yield f"Settings files, the nearest last: {'; '.join(read)}"
    if (refusal := settings.refusal()) is not None:
        yield f"With these settings no run could begin: {refusal}"


def _document(settings: Settings, shown: list[Shown]) -> dict[str, Any]:
    refusal = settings.refusal()
    return {
        "files": [
            {"path": path, "is_there": is_there} for path, is_there in settings.files()
        ],
        "refusal": refusal and str(refusal),
        "settings": [
            {
                "name": each.name,
                "value": each.value,
                "origin": each.origin.giver.value,
                "from": str(each.origin),
            }
            for each in shown
        ],
    }
