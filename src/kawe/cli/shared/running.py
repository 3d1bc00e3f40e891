"""Before a run, its words; after it, how batches stand, and files beside the result."""

import os
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import click

from kawe.cases.batches.ending import Closing, Extracts
from kawe.cases.kit import Toolkit
from kawe.cases.session import Session
from kawe.cases.sheets import plain_label, result_place_of
from kawe.cli.output import printing
from kawe.cli.output.next_command import PLACE, in_commands, suggested
from kawe.cli.shared.declaring import option, options_class, rare
from kawe.cli.shared.options import CommandContext
from kawe.domain.batch.agreements import Budget
from kawe.domain.batch.plans import Plan
from kawe.domain.batch.sending import Sending
from kawe.domain.rows.entries import Batch, BatchName
from kawe.domain.rows.shown_files import ShownFile, size_words
from kawe.domain.sheet.findings import warned_words
from kawe.domain.text.texts import counted, one_line
from kawe.flows.plan.counting import owners_of, warned_rows
from kawe.flows.plan.wording import banner, owner_lines, sends_lines
from kawe.system import is_macos

_OF_ROWS: Final = PLACE | {
    *("kind", "files_root", "send_by_default", "is_strict", "accept", "role"),
    *("allows_owners", "places", "message"),
}
"""The options that hold for some of the rows as for all of them."""


@options_class
class ExtractOptions:
    """Which files a command writes beside the result."""

    failed: Path | None = option(
        "--failed",
        metavar="FILE",
        help="Write the rows to correct, alone, to FILE (.xlsx or .csv): correct them "
        "there, and submit it.",
    )
    geojson: Path | None = rare(
        "--geojson",
        metavar="FILE",
        help="Write the rows as a map for GIS programs to FILE (.geojson).",
    )

    def of_batch(
        self, toolkit: Toolkit, workbook: Path, *, result: Path, label: str = ""
    ) -> Extracts:
        """Say where the files of one batch go, and check that they can be written."""
        extracts = Extracts(
            failed=labelled(self.failed, label),
            geojson=labelled(self.geojson, label),
            workbook=workbook,
            result=result,
            toolkit=toolkit,
        )
        extracts.check()
        return extracts

    def of_batches(
        self, toolkit: Toolkit, batches: Sequence[Batch], *, among: Sequence[Batch]
    ) -> Mapping[BatchName, Extracts]:
        """Say where the files of each of `batches` go, as `of_batch` does.

        Of several, each has its name in its name. `among` are all batches.
        """
        return {
            each.name: self.of_batch(
                toolkit,
                Path(each.workbook),
                result=result_place_of(each, among=among),
                label=plain_label(each.name) if len(batches) > 1 else "",
            )
            for each in batches
        }


def beside_lines(closing: Closing) -> Iterator[str]:
    """Say where the files beside the result are, and what to do with them."""
    to_correct = len(closing.report.to_correct())
    if closing.failed is not None and to_correct:
        rows = counted(to_correct, "row to correct is", "rows to correct are")
        submit = suggested("submit", closing.failed, only=_OF_ROWS)
        yield f"{rows} alone in {closing.failed}"
        yield f"Correct there, then: {submit}"
    elif closing.failed is not None:
        yield f"No row is to correct: {closing.failed} has none."
    if closing.geojson is not None:
        yield f"For maps: {closing.geojson}"


def labelled(path: Path | None, label: str) -> Path | None:
    """Put the name of a sheet or a batch into the name of its file."""
    if path is None or not label:
        return path
    return path.with_name(f"{path.stem}.{label}{path.suffix}")


def plan_lines(
    plan: Plan,
    *,
    session: Session,
    budget: Budget,
    sending: Sending | None,
    files: Iterable[str],
) -> Iterator[str]:
    """Say what a run will do; `files` are the lines of those that it uploads."""
    account = session.account
    balance = account.balance if session.spends_tokens else None
    yield banner(mode=session.mode, team=account.team_name, balance=balance)
    if session.is_live and account.sandbox:
        yield "The service calls this account a sandbox: sends may reach nobody."
    if plan.own_steps and not session.is_live and session.reaches_people(plan.kind):
        yield f"The key is a sandbox key, and the {plan.kind.act}s are real."
    yield "; ".join(_parts(plan)) + "."
    yield from files
    yield from owner_lines(owners_of(plan))
    yield from budget.costs(e.kind.costs_of(e.content) for e in plan.own_rows)
    if sending is not None:
        yield from sending.lines()
    yield from filter(None, [warned_words(warned_rows(plan))])
    if sending is None or sending.drafts_only:
        return
    # A saved plan may send fewer than the sheet asks for.
    wanted = max(plan.to_send, 0 if plan.may_send is None else sending.ready_to_send)
    if wanted:
        now = budget.sends(plan.to_send)
        whose = "run" if wanted == plan.to_send else "plan"
        yield from sends_lines(budget, wanted=wanted, now=now, whose=whose)


def _parts(plan: Plan) -> Iterator[str]:
    yield f"{counted(plan.rows_read, 'row')} read"
    for number, one, many in (
        (plan.finished, "done already", "done already"),
        (plan.repeated, "repeat of another row", "repeats of other rows"),
        (len(plan.sent_there), "sent already elsewhere", "sent already elsewhere"),
        (plan.invalid, "to correct, left out", "to correct, left out"),
        (plan.held, "held for a person", "held for a person"),
        (plan.to_create, "draft to make", "drafts to make"),
        (plan.to_update, "draft to change", "drafts to change"),
        (plan.own_steps, *plan.kind.acts),
    ):
        if number:
            yield counted(number, one, many)
    if plan.upload_files:
        files = counted(plan.upload_files, "file")
        yield f"{files} to upload ({size_words(plan.upload_bytes)})"


def closing_lines(closing: Closing, *, is_idle: bool = False) -> Iterator[str]:
    """Say how a batch stands, of a run that had nothing to do in few lines."""
    yield from printing.report_lines(
        closing.report, result=closing.result, sums=closing.sums, is_brief=is_idle
    )
    yield from beside_lines(closing)


def closing_document(
    closing: Closing, *, files: Sequence[ShownFile] | None = None
) -> dict[str, Any]:
    """Give the same for other programs."""
    beside = {
        "files": files,
        "result_failed": closing.failed,
        "result_geojson": closing.geojson,
    }
    more = {name: said for name, said in beside.items() if said is not None}
    return printing.report_document(closing.report, result=closing.result, more=more)


def closed(context: CommandContext, closing: Closing, extracts: Extracts) -> Closing:
    """Say what a person must hear of at once, and write the files beside a result."""
    context.progress.close()
    for trouble in closing.troubles:
        click.echo(in_commands(f"kawe: {trouble}"), err=True)
    if closing.result is not None:
        context.results.append(closing.result)
    return extracts.write(closing)


# Some openers end at once, others when their program ends: these are not waited for.
_WAIT_SECONDS: Final = 3.0


@options_class
class OpenOptions:
    """Whether the result is opened."""

    opens: bool = rare("--open", help="Open the result workbook afterwards.")

    def open(self, results: Iterable[Path], *, no_input: bool) -> None:
        """Open results if that was asked for and a person is there.

        What cannot be opened is named on standard error; nothing is raised.
        """
        if not self.opens:
            return
        if no_input:
            words = "Nothing is opened: --json and --no-input are for programs."
            click.echo(words, err=True)
            return
        for path in dict.fromkeys(results):
            if trouble := open_file(path.resolve()):
                name = one_line(str(path))
                click.echo(f"{name} could not be opened here: {trouble}", err=True)


def open_file(path: Path) -> str:
    """Open a file with the system's program; give the reason if that fails, or ''."""
    if (start := getattr(os, "startfile", None)) is not None:
        try:
            start(path)
        except OSError as why:
            return one_line(str(why.strerror))
        return ""
    opener = "open" if is_macos() else "xdg-open"
    try:
        started = subprocess.Popen(  # noqa: S603 - one argument, a whole path
            [opener, str(path)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as why:
        return f"{opener}: {one_line(str(why.strerror))}."
    with suppress(subprocess.TimeoutExpired):
        if started.wait(_WAIT_SECONDS):
            return f"{opener} found no program for it."
    return ""
