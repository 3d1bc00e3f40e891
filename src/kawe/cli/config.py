"""`kawe config`: what is set, and where it comes from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from kawe.cli import _words
from kawe.cli._exit import ExitCode
from kawe.cli._options import open_surroundings, output_options, service_options
from kawe.domain.texts import one_line
from kawe.settings import Settings, Shown, every_setting


@click.group()
def config() -> None:
    """Look at the settings."""


@config.command(epilog="Example: kawe config show --origin")
@click.option(
    "--origin", is_flag=True, help="Say where each setting comes from as well."
)
@service_options
@output_options
def show(origin: bool, **options: Any) -> int:  # noqa: ANN401, FBT001 - by name
    """Show every setting and its value.

    The nearest wins: a flag, then a variable, then the kawe.toml of this
    folder, then your own settings. Nothing of the key itself is shown. Asks
    the service nothing.
    """
    settings = open_surroundings(options).settings
    shown = list(every_setting(settings))
    if options.get("as_json"):
        _words.print_json(_document(settings, shown))
        return ExitCode.DONE
    for line in _lines(shown, origin=origin):
        click.echo(line)
    for remark in _remarks(settings):
        click.echo(remark)
    return ExitCode.DONE


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
    refusal = settings.refusal()
    if refusal is not None:
        yield f"With these settings no run could begin: {refusal}"


def _document(settings: Settings, shown: list[Shown]) -> dict[str, Any]:
    refusal = settings.refusal()
    return {
        "schema": "kawe.config/1",
        "exit_code": ExitCode.DONE,
        "files": [
            {"path": str(path), "is_there": is_there}
            for path, is_there in settings.files()
        ],
        "refusal": None if refusal is None else str(refusal),
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
