"""What a shell may put for a batch that is half typed; it asks no service."""

from __future__ import annotations

import asyncio
from typing import Final

import click

from kawe.domain.text.texts import one_line
from kawe.errors import KaweError

_PLACES: Final = ("profile", "base_url", "key_file")
_MOST: Final = 400


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
