"""`kawe submit --detach`: a person agrees here, and another host carries it out."""

import asyncio
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from functools import partial

import click

from kawe.cases.batches.handing_out import put_agreed
from kawe.cases.batches.plans import SubmitRequest
from kawe.cases.session import Session, open_session
from kawe.cases.sheets import SheetsToRead
from kawe.cli.output import printing
from kawe.cli.output.next_command import suggested
from kawe.cli.shared.agreeing import agree, is_meant
from kawe.cli.shared.options import CommandContext, RunOptions
from kawe.domain.batch.agreements import Reach
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.batch.runs import AgreedRun, ListedRun
from kawe.domain.batch.saved_plans import SavedPlan
from kawe.domain.text.new_zealand import moment_words
from kawe.domain.text.shell import quoted
from kawe.domain.text.texts import counted, one_line
from kawe.flows.plan.wording import shown_plan_lines
from kawe.settings.working import inbox_of


def detach(
    context: CommandContext,
    asked: SubmitRequest,
    *,
    sheets: SheetsToRead,
    run: RunOptions,
) -> int:
    """Show the plan of the one sheet, let a person agree, and hand it over."""
    if len(sheets.lists) > 1:
        raise click.UsageError("--detach takes one sheet: name it with --sheet.")
    inbox = inbox_of(context.settings.profile, environment=os.environ)
    asked = replace(asked, reading=sheets.lists[0].reading)
    to_correct = 0

    def agreed(session: Session, saved: SavedPlan) -> int:
        nonlocal to_correct
        context.progress.close()
        if not context.as_json:
            printing.print_lines(shown_plan_lines(saved, asked.path))
        to_correct = saved.to_correct
        if (kind := saved.reading.kind) is None or not session.reaches_people(kind):
            return saved.acts
        reach = Reach(
            acts=saved.acts,
            does=f"let a host make {counted(saved.acts, saved.act)}",
            undone="Nothing was put. A send or an invitation cannot be undone.",
        )
        return agree(reach, agreed=run.agreed, no_input=run.no_input)

    async def put() -> AgreedRun:
        meant = partial(is_meant, no_input=run.no_input)
        async with open_session(
            context.toolkit, read_only=True, accept=asked.accept, agree=meant
        ) as session:
            return await put_agreed(session, asked, inbox=inbox, agree=agreed)

    run_put = asyncio.run(put())
    waits = (
        "It waits for a host of kawe work. You may switch this computer off.",
        f"It is the run {run_put.name}. Its state: {suggested('status')}",
    )
    is_idle = not run_put.name
    return context.answer(
        "detached",
        lambda: asdict(run_put),
        lines=["Nothing was put for a host."] if is_idle else waits,
        code=ExitCode.ROWS_TO_CORRECT if is_idle and to_correct else ExitCode.DONE,
    )


def agreed_lines(runs: Sequence[ListedRun], *, profile: str = "") -> Iterator[str]:
    """Say how runs stand that were agreed to here or elsewhere; `profile`: of many."""
    of, only = (f"--profile {quoted(profile)} ", ()) if profile else ("", None)
    for each in runs:
        code = "" if each.code is None else f" with code {each.code}"
        words = one_line(f": {each.words}", limit=300) if each.words else ""
        waits = ""
        if each.state == "waits":
            back = suggested("waiting", only=only, also=f"{of}--drop {each.name}")
            waits = f" for a host of kawe work ({back} takes it back)"
        yield (
            f"Agreed run {each.name}, {one_line(each.workbook, limit=100)}, put by "
            f"{one_line(each.put_by, limit=60)} {moment_words(each.put_at)} for "
            f"{counted(each.agreed, each.act)}: {each.state}{waits}{code}{words}"
        )
