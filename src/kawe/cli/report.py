"""`kawe report`: the result workbook again, from the journal."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from kawe.cli.output import printing
from kawe.cli.output.exit import ExitCode
from kawe.cli.shared import claims
from kawe.cli.shared.completing import batches
from kawe.cli.shared.declaring import argument, option, options_class, taking
from kawe.cli.shared.extracts import ExtractOptions, write_extracts
from kawe.cli.shared.opening import OpenOptions
from kawe.cli.shared.options import LookOptions
from kawe.toolkit.extracts import Extracts
from kawe.toolkit.reporting import report_again


@options_class
class _ReportOptions:
    batch: str | None = argument(required=False, shell_complete=batches)
    result: Path | None = option("--result", help="Where to write it.")
    extracts: ExtractOptions
    look: LookOptions
    opening: OpenOptions


@click.command(epilog="Example: kawe report monthly --result monthly-again.xlsx")
@taking(_ReportOptions)
def report(options: _ReportOptions) -> int:
    """Write the result workbook of BATCH again; without BATCH, of the latest.

    Asks the service nothing, and needs no workbook: the journal has what was
    read. A batch whose workbook was read for a later batch since gets a result
    with the day in its name.
    """
    context = options.look.open()
    places: list[Extracts] = []

    def check(workbook: Path, place: Path) -> None:
        extracts = options.extracts.of_batch(context.toolkit, workbook, result=place)
        places.append(extracts)

    made, written = asyncio.run(
        report_again(context.toolkit, options.batch, result=options.result, check=check)
    )
    more = write_extracts(places[0], made)
    context.run.record(made, made.counts())
    code = claims.answer(
        context,
        "report",
        ExitCode.DONE,
        document=lambda: printing.report_document(
            made, result=written, more=more.as_json()
        ),
        lines=(*printing.report_lines(made, result=written), *more.lines()),
    )
    options.opening.open([written], no_input=context.as_json)
    return code
