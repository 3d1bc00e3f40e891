"""The cases for Python programs, as `from kawe import …` gives them.

Each name does what the command of that name does, and asks nobody: what a person would
be asked is an argument. What stops a run is a `KaweError`; trouble with a row is part
of what is given back.
"""

import os
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from kawe.cases.batches.checking import CheckedSheet, check_sheets
from kawe.cases.batches.ending import Closing
from kawe.cases.batches.plans import SubmitRequest, make_saved_plan, request_of_plan
from kawe.cases.batches.submitting import submit_agreed
from kawe.cases.care.journals import require_journal
from kawe.cases.kit import NoHalt, NoProgress, Toolkit
from kawe.cases.records import auditing, reporting
from kawe.cases.records.exporting import save_receipts, verify_papers
from kawe.cases.records.reporting import period_of
from kawe.cases.session import open_session
from kawe.cases.waiting.releasing import carry_out_release, count_release
from kawe.cases.waiting.rows import look_at_waiting, resolve_row
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.batch.outcomes import BatchReport
from kawe.domain.batch.readings import Reading
from kawe.domain.batch.runs import RunName, run_id
from kawe.domain.batch.saved_plans import PlannedLimits, SavedPlan
from kawe.domain.service.papers import FolderCheck, ReceiptExport
from kawe.domain.service.service_words import ProjectId
from kawe.domain.text.next_steps import said
from kawe.errors import KaweError
from kawe.files.plans import read_plan_file, write_plan
from kawe.flows.audit.gathering import AuditChoice
from kawe.flows.settle.resolving import Decision, PersonDecision, Resolved
from kawe.machine import account_name
from kawe.settings.loading import load_settings

__all__ = ["ExitCode"]
"""What is made elsewhere; `kawe.__all__` has every public name."""
_Given = ParamSpec("_Given")
_GivenBack = TypeVar("_GivenBack")


def in_words(text: str) -> str:
    """Say a sentence of a report or a row: what to do next, by the names of commands.

    An error that one of these functions raises is said so already.
    """
    return said(text, lambda value, about: " ".join((value.value, *about)))


@contextmanager
def _in_words() -> Iterator[None]:
    try:
        yield
    except KaweError as trouble:
        trouble.message, trouble.hint = (
            in_words(trouble.message),
            in_words(trouble.hint),
        )
        raise


def _case(
    case: Callable[_Given, Awaitable[_GivenBack]],
) -> Callable[_Given, Coroutine[Any, Any, _GivenBack]]:
    """Make a case public: its errors are said in words."""

    @wraps(case)
    async def done(*args: _Given.args, **kwargs: _Given.kwargs) -> _GivenBack:
        with _in_words():
            return await case(*args, **kwargs)

    return done


find_rows = _case(reporting.find_rows)
waiting = _case(look_at_waiting)


def open_kawe(
    *,
    profile: str | None = None,
    base_url: str | None = None,
    key_file: Path | str | None = None,
    journal: Path | str | None = None,
) -> Toolkit:
    """Load the settings as a command does, for every other name here.

    What is given comes before environment and settings files.

    Raises:
        SettingsError: A value cannot be used.
    """
    flags = {"profile": profile, "base_url": base_url}
    with _in_words():
        settings = load_settings(
            {**flags, "key_file": key_file, "journal": journal},
            environment=os.environ,
            folder=Path.cwd(),
        )
    run = run_id(datetime.now(UTC), choose=secrets.choice)
    return Toolkit(
        settings=settings,
        progress=NoProgress(),
        halt=NoHalt(),
        run=RunName(id=run, who=settings.author or account_name()),
        says=in_words,
    )


def _given(reading: Reading) -> Reading:
    """Refuse a path in its place: `submit` takes one for a plan's."""
    if not isinstance(reading, Reading):
        raise TypeError(f"Give a Reading: Reading(workbook={str(reading)!r}).")
    return reading


@_case
async def check(
    kawe: Toolkit, reading: Reading, *, offline: bool = False
) -> CheckedSheet:
    """Check one sheet; send nothing and write no file.

    Raises:
        WorkbookError: It cannot be read.
        ServiceError: A question could not be answered.
    """
    (checked,), _ = await check_sheets(kawe, [_given(reading)], is_offline=offline)
    return checked


@_case
async def plan(
    kawe: Toolkit,
    reading: Reading,
    *,
    limits: PlannedLimits | None = None,
    path: Path | str | None = None,
) -> SavedPlan:
    """Say what submitting a sheet would do, and at what cost; keep that at `path`.

    Raises:
        WorkbookError: It cannot be read.
        ServiceError: A question could not be answered.
        ResultNotWritable: It cannot be kept there.
    """
    asked, limits = _given(reading), limits or PlannedLimits()
    async with open_session(kawe, read_only=True) as session:
        made = await make_saved_plan(session, asked, limits=limits)
    if path is not None:
        write_plan(made.saved, Path(path))
    return made.saved


@_case
async def submit(
    kawe: Toolkit,
    what: Reading | Path | str,
    *,
    agreed: int = 0,
    limits: PlannedLimits | None = None,
) -> Closing:
    """Submit a sheet, or exactly what the plan at a path says; again to resume.

    `agreed` is how many live sends or invitations are agreed to at most; of a plan,
    just those that it names. The result lies at its usual place.

    Raises:
        GuardRefused: It would do more: nothing was sent.
        PlanRefused: The plan is stale: nothing was sent.
        WorkbookError: It cannot be read.
        ServiceError: The service stopped the run before its first row.
    """
    if isinstance(what, Reading):
        bounds = limits or PlannedLimits()
        request = SubmitRequest(reading=what, limits=bounds, path=what.workbook)
    else:
        path = Path(what)
        request = request_of_plan(read_plan_file(path), path, kawe, limits=limits)
    return await submit_agreed(kawe, request, agreed=agreed)


@_case
async def release(
    kawe: Toolkit, batch: str | None = None, *, agreed: int = 0
) -> Sequence[Closing]:
    """Send rows that wait for tokens, the most urgent first, of one batch or of all.

    Raises:
        GuardRefused: It would send more live rows than are `agreed` to: none was sent.
        SettingsError: No batch is called so.
        ServiceError: The service stopped the run before its first row.
    """
    require_journal(kawe.settings)
    async with open_session(kawe, agree=lambda _: False) as session:
        ready = await count_release(session, batch, max_tokens=None)
        if session.is_live:
            ready.reach(session).check_covered(agreed)
            ready = replace(ready, budget=ready.budget.agreed_to(agreed, ready.rows))
        ending = await carry_out_release(session, ready.names, budget=ready.budget)
        return [await ending.write(each) for each in ready.batches]


@_case
async def resolve(
    kawe: Toolkit, row: str, decision: Decision, *, project: str | None = None
) -> Resolved:
    """Decide about the held row of this reference; nothing is sent.

    Raises:
        SettingsError: No held row is called so, or the decision does not fit it.
    """
    require_journal(kawe.settings)
    async with open_session(kawe) as session:
        adopted = None if project is None else ProjectId(project)
        word = PersonDecision(decision=Decision(decision), project=adopted)
        return await resolve_row(session, row, word)


@_case
async def status(kawe: Toolkit, batch: str | None = None) -> BatchReport:
    """Report a batch, the latest without a name, from the journal alone.

    Raises:
        SettingsError: No batch is called so.
        JournalError: There is no journal, or it cannot be read.
    """
    return (await reporting.reported_batch(kawe, batch, result=None)).made


@_case
async def export_receipts(kawe: Toolkit, folder: Path | str) -> ReceiptExport:
    """Save every receipt that the folder does not have yet, with hashes.

    Raises:
        ServiceError: The list could not be read.
    """
    async with open_session(kawe) as session:
        return await save_receipts(session, Path(folder))


@_case
async def audit(
    kawe: Toolkit, since: str, until: str | None = None, *, path: Path | str
) -> auditing.WrittenAudit | None:
    """State what was sent between two days, as 1/10/2026, and write that at `path`.

    Gives None where the program asked to stop: then nothing was written.

    Raises:
        SettingsError: A day is not understood.
        JournalError: This account has no journal here.
        ServiceError: The service could not be read.
    """
    period = period_of(kawe, since=since, until=until)
    place = Path(path)
    auditing.check_before(kawe, place)
    async with open_session(kawe, read_only=True) as session:
        made = await auditing.audit_period(session, AuditChoice(period=period))
    if made is None:
        return None
    return auditing.write_audit(made, place, signer=None, says=kawe.says)


def verify(folder: Path | str) -> FolderCheck:
    """Say which saved files are missing, altered or extra.

    Raises:
        SettingsError: The folder has no list of hashes.
    """
    with _in_words():
        return verify_papers(Path(folder), result=None)
