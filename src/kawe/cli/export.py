"""`kawe export`: papers for the record."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from kawe.cases.batches.periods import days_between
from kawe.cases.records.exporting import ReceiptChoice, save_receipts
from kawe.cli.exports.lists import LIST_COMMANDS, DayOptions
from kawe.cli.output.near_command import NearGroup
from kawe.cli.output.row_words import finding_lines
from kawe.cli.shared.completing import batches
from kawe.cli.shared.declaring import help_all, option, options_class, taking
from kawe.cli.shared.options import AskOptions, CommandContext
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.service.papers import ReceiptExport
from kawe.domain.text.texts import counted, one_line


def _one_place(
    ctx: click.Context, parameter: click.Parameter, value: Path | None
) -> Path | None:
    """Check that one of two folders was named, when both options are read."""
    (other,) = {"folder", "bag"} - {parameter.name}
    if other in ctx.params and (value is None) is (ctx.params[other] is None):
        raise click.UsageError(
            "Missing option '-o' / '--output', or '--bag'."
            if value is None
            else "Give either -o or --bag."
        )
    return value


@options_class
class _ReceiptsOptions:
    folder: Path | None = option(
        "-o",
        "--output",
        type=click.Path(path_type=Path, file_okay=False),
        callback=_one_place,
        help="Folder to save them in.",
    )
    bag: Path | None = option(
        "--bag",
        type=click.Path(path_type=Path, file_okay=False),
        callback=_one_place,
        help="Save them as a bag for an archive (BagIt 1.0) in this folder instead.",
    )
    days: DayOptions
    batch: str | None = option(
        "--batch",
        shell_complete=batches,
        help="Of the rows of this batch, as the journal knows them.",
    )
    ask: AskOptions

    def choice(self) -> ReceiptChoice:
        """Say which receipts are wanted.

        Raises:
            SettingsError: A day is not understood.
        """
        since, until = days_between(self.days.since, self.days.until)
        return ReceiptChoice(since=since, until=until, batch=self.batch)

    @property
    def place(self) -> Path:
        return next(each for each in (self.folder, self.bag) if each is not None)


class _ExportGroup(NearGroup):
    """A group whose commands have options that others of it do not have."""

    def invoke(self, ctx: click.Context) -> object:
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
@help_all("option of its commands")
def export() -> None:
    """Save papers and lists from the service for the record."""


for _command in LIST_COMMANDS:
    export.add_command(_command)


@export.command(epilog="Example: kawe export receipts -o receipts-2026")
@taking(_ReceiptsOptions)
def receipts(options: _ReceiptsOptions) -> int:
    """Save every receipt as PDF, with a list of hashes and a workbook.

    A second run fetches only what is new, and says what was altered or removed
    since; an altered file is kept aside. Anybody can check the folder:
    kawe verify, or sha256sum -c manifest-sha256.txt
    """
    folder, choice = options.place, options.choice()
    context = options.ask.open()
    is_bag = options.bag is not None
    done = context.at_service(
        lambda session: save_receipts(session, folder, is_bag=is_bag, choice=choice)
    )
    code = _code(context, done)
    return context.answer(
        "export-receipts",
        code,
        document=lambda: _document(done, folder=folder),
        lines=_lines(done, folder=folder, code=code, context=context),
    )


def _code(context: CommandContext, done: ReceiptExport) -> ExitCode:
    if context.stopping.asked:
        return ExitCode.INTERRUPTED
    if not done.is_complete or done.missing:
        return ExitCode.SERVICE
    if done.lost:
        return ExitCode.ROWS_WAIT_FOR_PERSON
    return ExitCode.NOT_AS_SAVED if done.findings else ExitCode.DONE


def _lines(
    done: ReceiptExport, *, folder: Path, code: ExitCode, context: CommandContext
) -> Iterator[str]:
    new = sum(each.is_new for each in done.receipts)
    saved = counted(len(done.receipts) - len(done.missing), "receipt")
    yield f"{saved} of {one_line(done.team)} in {folder} ({new} new)."
    if done.left_out:
        more = counted(done.left_out, "receipt was", "receipts were")
        yield f"{more} not asked for: of other days, or of no row of the batch."
    if done.unproven:
        rows = counted(done.unproven, "sent row has", "sent rows have")
        others = "the service lists none, or several projects have one name"
        yield f"{rows} no receipt: {done.lost:,} not sent any more; else {others}."
    yield from filter(None, [done.lost_words])
    for each in done.missing:
        words = one_line(f"{each.number} {each.project_name}: {each.trouble}")
        yield f"Not saved: {words}"
    yield from finding_lines(
        done.findings, is_verbose=context.verbose, rest=": --verbose names them."
    )
    if code in {ExitCode.SERVICE, ExitCode.INTERRUPTED}:
        yield "Run the same command again to fetch what is missing."


def _document(done: ReceiptExport, *, folder: Path) -> dict[str, Any]:
    return {
        "team": done.team,
        "folder": folder,
        "is_complete": done.is_complete,
        "left_out": done.left_out,
        "sent_without_receipt": done.unproven,
        "not_sent_any_more": done.lost,
        "findings": done.findings,
        "receipts": [
            {
                "number": each.number,
                "submission": each.submission,
                "project_name": each.project_name,
                "reference": each.reference,
                "created_at": each.created_at,
                "file": each.file if each.sha256 else None,
                "size_bytes": each.size_bytes,
                "sha256": each.sha256,
                "trouble": each.trouble,
                "is_new": each.is_new,
            }
            for each in done.receipts
        ],
    }
