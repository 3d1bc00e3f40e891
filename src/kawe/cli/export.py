"""`kawe export`: papers for the record."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from kawe.cli.exports.lists import LIST_COMMANDS
from kawe.cli.output import printing
from kawe.cli.output.exit import ExitCode
from kawe.cli.shared.declaring import option, options_class, taking
from kawe.cli.shared.options import AskOptions, CommandContext
from kawe.domain.service.exports import ReceiptExport
from kawe.domain.text.counts import counted
from kawe.domain.text.texts import one_line
from kawe.toolkit import open_session, save_receipts


@options_class
class _ReceiptsOptions:
    folder: Path = option(
        "-o",
        "--output",
        type=click.Path(path_type=Path, file_okay=False),
        required=True,
        help="Folder to save them in.",
    )
    ask: AskOptions


class _ExportGroup(click.Group):
    """A group whose commands have options that others of it do not have."""

    def invoke(self, ctx: click.Context) -> object:
        """Say of an option that a list does not have to which ones it applies."""
        try:
            return super().invoke(ctx)
        except click.NoSuchOption as trouble:
            flag = trouble.option_name
            having = [
                name
                for name, command in self.commands.items()
                if any(flag in parameter.opts for parameter in command.params)
            ]
            if not having:
                raise
            said = f"{flag} does not apply here, but to: {', '.join(having)}."
            raise click.UsageError(said, trouble.ctx) from trouble


@click.group(cls=_ExportGroup)
def export() -> None:
    """Save papers and lists from the service for the record."""


for _command in LIST_COMMANDS:
    export.add_command(_command)


@export.command(epilog="Example: kawe export receipts -o receipts-2026")
@taking(_ReceiptsOptions)
def receipts(options: _ReceiptsOptions) -> int:
    """Save every receipt as PDF, with a list of hashes and a workbook.

    A second run fetches only what is new or was altered. Anybody can check
    the folder: sha256sum -c manifest-sha256.txt
    """
    context = options.ask.open()
    done = asyncio.run(_export(context, options.folder))
    code = _code(context, done)
    return printing.answer(
        "export-receipts",
        code,
        as_json=context.as_json,
        document=lambda: _document(done, folder=options.folder),
        lines=_lines(done, folder=options.folder, code=code),
    )


async def _export(context: CommandContext, folder: Path) -> ReceiptExport:
    async with open_session(context.toolkit) as session:
        with context.stopping.on_signals():
            done = await save_receipts(session, folder)
        context.progress.close()
        return done


def _code(context: CommandContext, done: ReceiptExport) -> ExitCode:
    if context.stopping.asked:
        return ExitCode.INTERRUPTED
    return ExitCode.DONE if done.is_complete and not done.missing else ExitCode.SERVICE


def _lines(done: ReceiptExport, *, folder: Path, code: ExitCode) -> Iterator[str]:
    new = sum(each.is_new for each in done.receipts)
    saved = counted(len(done.receipts) - len(done.missing), "receipt")
    yield f"{saved} of {one_line(done.team)} in {folder} ({new} new)."
    for each in done.missing:
        words = one_line(f"{each.number} {each.project_name}: {each.trouble}")
        yield f"Not saved: {words}"
    if code is not ExitCode.DONE:
        yield "Run the same command again to fetch what is missing."


def _document(done: ReceiptExport, *, folder: Path) -> dict[str, Any]:
    return {
        "team": done.team,
        "folder": str(folder),
        "is_complete": done.is_complete,
        "receipts": [
            {
                "number": each.number,
                "submission": each.submission,
                "project_name": each.project_name,
                "reference": each.reference,
                "created_at": each.created_at.isoformat(),
                "file": each.file if each.sha256 else None,
                "size_bytes": each.size_bytes,
                "sha256": each.sha256,
                "trouble": each.trouble,
                "is_new": each.is_new,
            }
            for each in done.receipts
        ],
    }
