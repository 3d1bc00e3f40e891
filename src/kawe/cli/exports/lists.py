"""`kawe export projects` and the other lists of the service.

What was saved is said in words, and as a document.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import click

from kawe.cases.records.listing import (
    FORMATS,
    PART_NAMES,
    ListWords,
    WrittenList,
    asked_of_list,
    list_place,
    save_list,
)
from kawe.cases.records.papers import (
    DocumentPapers,
    ListPapers,
    ReportPapers,
    RequestPlan,
    ask_for_reports,
    plan_reports,
)
from kawe.cases.session import Session, open_session
from kawe.cli.output.row_words import finding_lines, findings_document
from kawe.cli.shared.asking import agree
from kawe.cli.shared.completing import batches
from kawe.cli.shared.declaring import ChoiceOf, option, options_class, rare, taking
from kawe.cli.shared.options import AskOptions, CommandContext
from kawe.domain.batch.agreements import Reach
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.service.lists import ListExport
from kawe.domain.service.papers import FileFinding
from kawe.domain.text.texts import counted, one_line
from kawe.errors import SettingsError
from kawe_contract.enums import ActiveStatus


@options_class
class _WhereOptions:
    """Where an export goes."""

    output: Path = option(
        "-o",
        "--output",
        required=True,
        help="Folder, or a file that ends in the format.",
    )
    formats: tuple[str, ...] = option(
        "--format",
        type=ChoiceOf(FORMATS),
        multiple=True,
        help="Formats in a folder; all of them otherwise.",
    )


@options_class
class DayOptions:
    """When what is wanted was created, in days of New Zealand."""

    since: str | None = option(
        "--since", metavar="DAY", help="Created on this day in New Zealand or later."
    )
    until: str | None = option(
        "--until", metavar="DAY", help="Created on this day in New Zealand or earlier."
    )


@options_class
class _TeamOptions:
    where: _WhereOptions
    ask: AskOptions


@options_class
class _ListOptions:
    where: _WhereOptions
    days: DayOptions
    ask: AskOptions


@options_class
class _ProjectsOptions:
    where: _WhereOptions
    parts: tuple[str, ...] = option(
        "--with",
        type=ChoiceOf(PART_NAMES),
        multiple=True,
        help="Also the thread, the names of documents, or the log of each project.",
    )
    documents: bool = rare(
        "--save-documents",
        help="Also save the documents of each project, in a folder below.",
    )
    fresh: bool = rare(
        "--fresh", help="Ask for these again, also where a project has not changed."
    )
    types: tuple[str, ...] = option(
        "--type", metavar="TYPE", multiple=True, help="Of this type, as in a sheet."
    )
    statuses: tuple[str, ...] = option(
        "--status", metavar="STATUS", multiple=True, help="In this status."
    )
    priorities: tuple[str, ...] = rare(
        "--priority", metavar="PRIORITY", multiple=True, help="Of this priority."
    )
    organisation: str | None = rare("--organisation", help="Of this organisation.")
    local_authority: str | None = rare(
        "--local-authority", help="Of this local authority."
    )
    assigned_to: str | None = rare(
        "--assigned-to",
        metavar="PERSON",
        help="Of this member of the team: a name or an e-mail address.",
    )
    active_status: str | None = rare(
        "--active-status",
        type=click.Choice([each.value for each in ActiveStatus]),
        help="On this tab of the portal.",
    )
    search: str | None = option(
        "--search", metavar="TEXT", help="Whose name, reference or address has it."
    )
    days: DayOptions
    batch: str | None = option(
        "--batch",
        shell_complete=batches,
        help="Of the rows of this batch, as the journal knows them.",
    )
    ask: AskOptions


@click.command(
    epilog="Example: kawe export projects --with thread --since 1/10/2026 -o projects"
)
@taking(_ProjectsOptions)
def projects(options: _ProjectsOptions) -> int:
    """Save the projects of the team, with all that iwi and the team wrote.

    kawe counts them: the command says whether the list is complete, also where
    colleagues create projects meanwhile. A second run into the same folder asks
    for threads, documents and logs only of projects that have changed.
    """
    plain = {
        "organisation": options.organisation,
        "local_authority": options.local_authority,
        "active_status": options.active_status,
        "search": options.search,
    }
    words = ListWords(
        types=options.types,
        statuses=options.statuses,
        priorities=options.priorities,
        plain={name: value for name, value in plain.items() if value},
        assigned_to=options.assigned_to or "",
        since=options.days.since,
        until=options.days.until,
        batch=options.batch or "",
        parts=(*options.parts, *(["documents"] if options.documents else [])),
        is_fresh=options.fresh,
    )
    where, saves = options.where, options.documents
    return _answer("projects", where, options.ask, words=words, saves=saves)


@options_class
class _ReportsOptions:
    where: _WhereOptions
    request: tuple[str, ...] = option(
        "--request",
        metavar="PROJECT",
        multiple=True,
        help="Ask for a report of this project first: its reference or name.",
    )
    again: bool = option(
        "--again",
        help="Ask also where a report was asked for within a day, or may still come.",
    )
    wait: float = option(
        "--wait",
        type=click.FloatRange(min=0),
        default=120.0,
        help="Seconds to wait until these reports are built (120).",
    )
    agreed: int | None = option(
        "--yes",
        type=click.IntRange(0),
        metavar="N",
        help="Agree to at most N requests with a live key; asked for otherwise.",
    )
    never_asks: bool = option("--no-input", help="Never ask anything.")
    days: DayOptions
    ask: AskOptions


@click.command(epilog="Example: kawe export reports --request RD-2030-001 -o reports")
@taking(_ReportsOptions)
def reports(options: _ReportsOptions) -> int:
    """Save the reports of the team: the list and, in a folder, every PDF.

    With --request, kawe first asks the service for reports, once each, and waits
    until they are built. The service does not say whether a report uses a token: the
    journal has each request, and the same command asks again only with --again.
    """
    if options.again and not options.request:
        raise click.UsageError("--again belongs to --request.")
    words = ListWords(since=options.days.since, until=options.days.until)
    place = list_place("reports", options.where.output, options.where.formats)
    asked = asked_of_list("reports", words)
    context = options.ask.open()
    no_input = options.never_asks or context.as_json

    async def export(session: Session) -> SavedList:
        plan = await plan_reports(session, options.request, again=options.again)
        if plan.to_ask and session.is_live:
            agree(_reach(plan), agreed=options.agreed, no_input=no_input)
        missing = await ask_for_reports(session, plan, wait_seconds=options.wait)
        papers = None
        if options.where.output == place.folder:
            papers = ReportPapers(session=session, folder=place.folder)
        done, written = await save_list(
            session, asked, words, place=place, papers=papers
        )
        saved = SavedList(
            done=with_troubles(done, missing),
            written=written,
            again=f"Run the same command again{plan.without_again} to have it "
            "complete.",
            requests=plan.notes,
        )
        return with_papers(saved, papers)

    return _answered("reports", context, export)


def _reach(plan: RequestPlan) -> Reach:
    reports = counted(len(plan.to_ask), "report")
    return Reach(
        acts=len(plan.to_ask),
        does=f"ask the service for {reports}, each of which may use a token",
        undone="Nothing was asked for.",
        look="the projects",
    )


@click.command(epilog="Example: kawe export invoices --since 1/7/2026 -o invoices.xlsx")
@taking(_ListOptions)
def invoices(options: _ListOptions) -> int:
    """Save the list of token purchases, with their sum."""
    return _list("invoices", options)


@click.command(epilog="Example: kawe export organisations -o organisations.xlsx")
@taking(_ListOptions)
def organisations(options: _ListOptions) -> int:
    """Save the organisations that the team created, with their contacts."""
    return _list("organisations", options)


@click.command(epilog="Example: kawe export groups -o groups.xlsx")
@taking(_ListOptions)
def groups(options: _ListOptions) -> int:
    """Save the groups to which projects are assigned, with their members."""
    return _list("groups", options)


@click.command(epilog="Example: kawe export team -o team.xlsx")
@taking(_TeamOptions)
def team(options: _TeamOptions) -> int:
    """Save the members of the team and its invitations."""
    return _answer("team", options.where, options.ask, words=ListWords())


LIST_COMMANDS: Final = (projects, reports, invoices, team, organisations, groups)


def _list(name: str, options: _ListOptions) -> int:
    words = ListWords(since=options.days.since, until=options.days.until)
    return _answer(name, options.where, options.ask, words=words)


def _answer(
    name: str,
    where: _WhereOptions,
    ask: AskOptions,
    *,
    words: ListWords,
    saves: bool = False,
) -> int:
    place = list_place(name, where.output, where.formats)
    if saves and where.output != place.folder:
        raise SettingsError(
            message="--save-documents needs a folder, and -o names a file.",
            hint="Name a folder with -o. Nothing was exported.",
        )
    asked = asked_of_list(name, words)
    context = ask.open()

    async def export(session: Session) -> SavedList:
        papers = None
        if saves:
            papers = DocumentPapers(session=session, folder=place.folder)
        done, written = await save_list(
            session, asked, words, place=place, documents=papers
        )
        return with_papers(SavedList(done=done, written=written), papers)

    return _answered(name, context, export)


def _answered(
    name: str,
    context: CommandContext,
    export: Callable[[Session], Awaitable[SavedList]],
) -> int:
    async def run() -> SavedList:
        async with open_session(context.toolkit) as session:
            with context.stopping.on_signals():
                saved = await export(session)
            context.progress.close()
            return saved

    saved = asyncio.run(run())
    code = code_of_export(context, saved)
    return context.answer(
        f"export-{name}",
        code,
        document=lambda: document_of_export(saved),
        lines=lines_of_export(saved, context),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedList:
    """What an export saved."""

    done: ListExport
    written: WrittenList
    findings: tuple[FileFinding, ...] = ()
    """Papers that are not as they were saved."""
    new_papers: int = 0
    again: str = "Run the same command again to have it complete."
    requests: tuple[str, ...] = ()
    """What is to be said of requests for reports."""


def with_papers(saved: SavedList, papers: ListPapers | None) -> SavedList:
    """Add what became of the papers of a list."""
    if papers is None:
        return saved
    return replace(
        saved,
        done=with_troubles(saved.done, papers.troubles),
        findings=papers.findings,
        new_papers=papers.new,
    )


def with_troubles(done: ListExport, troubles: tuple[str, ...]) -> ListExport:
    return replace(done, troubles=(*troubles, *done.troubles))


def code_of_export(context: CommandContext, saved: SavedList) -> ExitCode:
    """Give the exit code of an export."""
    if context.stopping.asked:
        return ExitCode.INTERRUPTED
    if not saved.done.is_complete:
        return ExitCode.SERVICE
    return ExitCode.NOT_AS_SAVED if saved.findings else ExitCode.DONE


def lines_of_export(saved: SavedList, context: CommandContext) -> Iterator[str]:
    """Say what was saved, and whether it is complete."""
    done, written = saved.done, saved.written
    yield from done.counts.lines(done.asked)
    for trouble in (*saved.requests, *done.troubles):
        yield one_line(trouble, limit=600)
    if done.is_stopped:
        yield "Stopped: nothing was written, and earlier files are as they were."
        return
    if since := done.counts.since_words():
        yield since
    if done.reused:
        names = ", ".join(part.name for part in done.asked.parts)
        yield (
            f"Not asked again, because the project has not changed: {names} of "
            f"{counted(done.reused, 'project')}."
        )
    for wanted, name in written.kept.items():
        yield (
            f"{one_line(wanted)} is not as kawe wrote it: it stays, and the new file "
            f"is {one_line(name)}."
        )
    yield from finding_lines(
        saved.findings, is_verbose=context.verbose, rest=": --verbose names them."
    )
    if saved.new_papers:
        yield f"New: {counted(saved.new_papers, 'paper')}."
    names = ", ".join(one_line(name) for name in written.files)
    yield f"Written into {one_line(str(written.folder))}: {names}"
    if not done.is_complete:
        yield saved.again


def document_of_export(saved: SavedList) -> Mapping[str, Any]:
    """Give the same as a document for `--json`."""
    done, written = saved.done, saved.written
    counts = done.counts
    return {
        "is_complete": done.is_complete,
        "is_proven": counts.is_proven,
        "listed": counts.listed,
        "total": counts.total,
        "tab_counts": dict(counts.tabs),
        "exported": counts.taken,
        "asked_for": done.asked.words(),
        "sums": dict(counts.sums),
        "new": counts.new,
        "changed": counts.changed,
        "unchanged": counts.unchanged,
        "no_longer_listed": counts.gone,
        "not_asked_again": done.reused,
        "requests": list(saved.requests),
        "troubles": list(done.troubles),
        "findings": findings_document(saved.findings),
        "new_papers": saved.new_papers,
        "folder": str(written.folder),
        "files": dict(written.files),
        "kept": dict(written.kept),
    }
