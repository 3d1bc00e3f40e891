"""What a submit was asked for."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from kawe.cli.output.next_command import PLACE, suggested
from kawe.cli.shared.declaring import option, options_class
from kawe.cli.shared.extracts import ExtractOptions
from kawe.cli.shared.opening import OpenOptions
from kawe.cli.shared.options import (
    CommandContext,
    RunOptions,
    WhichOptions,
    WorkbookOptions,
    flags_of_a_plan,
    reading_of,
)
from kawe.domain.batch.saved_plans import PlannedLimits
from kawe.domain.text.row_choice import read_allowance
from kawe.errors import SettingsError
from kawe.toolkit import (
    account_check,
    check_rules,
    is_plan,
    read_plan_file,
    reading_of_plan,
)
from kawe.toolkit.batches.submitting import Asked


@options_class
class SubmitOptions:
    """The options of a submit."""

    reading: WorkbookOptions
    extracts: ExtractOptions
    which: WhichOptions
    max_errors: str | None = option(
        "--max-errors",
        metavar="N|P%",
        help="Stop when more than N rows, or P percent of the rows, fail.",
    )
    moved_to: Path | None = option(
        "--workbook", help="Where the workbook of the plan is now, if it was moved."
    )
    run: RunOptions
    opening: OpenOptions


def asked_of(context: CommandContext, options: SubmitOptions) -> Asked:
    """Say what a submit was asked for, from its options."""
    path = options.reading.workbook
    saved, file = read_plan_file(path) if is_plan(path) else (None, "")
    _refuse_strays(options, is_saved=saved is not None)
    allowance = options.max_errors
    if saved is None:
        reading = reading_of(options.reading)
    else:
        check_rules(saved)
        reading = reading_of_plan(
            saved, workbook=options.moved_to, files_root=options.reading.files_root
        )
    return Asked(
        reading=reading,
        limits=PlannedLimits(
            **asdict(options.which),
            max_tokens=options.run.bounds.max_tokens,
            keep_reserve=context.settings.keep_reserve,
        ),
        saved=saved,
        path=path,
        file=file,
        allowance=None if allowance is None else read_allowance(allowance),
        accept=None if saved is None else account_check(saved, context.settings),
        to_plan=f"{suggested('plan', path, also='-o plan.json')}; another person runs: "
        f"kawe approve plan.json; then: {suggested('submit', 'plan.json', only=PLACE)}",
    )


def _refuse_strays(options: SubmitOptions, *, is_saved: bool) -> None:
    if not is_saved and options.moved_to is not None:
        raise SettingsError(
            message="--workbook goes with a plan, not with a workbook.",
            hint="Make a plan first: kawe plan WORKBOOK -o plan.json. Nothing was "
            "sent.",
        )
    flags = flags_of_a_plan(options.reading, options.which)
    flag = next((flag for flag, value in flags.items() if value), None)
    if is_saved and flag is not None:
        another = f"Make another plan with {flag}."
        if flag == "--all-sheets":
            another = "Make a plan of each sheet, with --sheet."
        raise SettingsError(
            message=f"{flag} belongs to kawe plan: a plan is carried out as it was "
            "made.",
            hint=f"{another} Nothing was sent.",
        )
