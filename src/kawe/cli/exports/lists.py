"""`kawe export projects` and the other lists of the service.

What was saved is said in words, and as a document.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from kawe.cases.records.listing import (
    FORMATS,
    PART_NAMES,
    ListWords,
    SavedList,
    request_of_list,
    save_list,
)
from kawe.cli.output.row_words import finding_lines
from kawe.cli.shared.completing import batches
from kawe.cli.shared.declaring import ChoiceOf, option, options_class, rare, taking
from kawe.cli.shared.options import AskOptions
from kawe.domain.text.texts import counted, one_line
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
        name="projects",
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
    return _answer(options.where, options.ask, words, saves=options.documents)


@click.command(epilog="Example: kawe export reports -o reports")
@taking(_ListOptions)
def reports(options: _ListOptions) -> int:
    """Save the reports of the team: the list and, in a folder, every PDF.

    To ask for reports, submit a sheet of acts: kawe template reports makes it.
    """
    return _list("reports", options)


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
    return _answer(options.where, options.ask, ListWords(name="team"))


LIST_COMMANDS: Final = (projects, reports, invoices, team, organisations, groups)


def _list(name: str, options: _ListOptions) -> int:
    days = options.days
    words = ListWords(name=name, since=days.since, until=days.until)
    return _answer(options.where, options.ask, words)


def _answer(
    where: _WhereOptions, ask: AskOptions, words: ListWords, *, saves: bool = False
) -> int:
    request = request_of_list(
        words, output=where.output, formats=where.formats, saves_documents=saves
    )
    context = ask.open()
    saved = context.at_service(lambda session: save_list(session, request))
    return context.answer(
        f"export-{words.name}",
        saved.code,
        document=saved.as_json,
        lines=_lines(saved, is_verbose=context.verbose),
    )


def _lines(saved: SavedList, *, is_verbose: bool) -> Iterator[str]:
    """Say what was saved, and whether it is complete."""
    done, written = saved.done, saved.written
    yield from done.counts.lines(done.asked)
    for trouble in done.troubles:
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
        saved.findings, is_verbose=is_verbose, rest=": --verbose names them."
    )
    if saved.new_papers:
        yield f"New: {counted(saved.new_papers, 'paper')}."
    names = ", ".join(one_line(name) for name in written.files)
    yield f"Written into {one_line(str(written.folder))}: {names}"
    if not done.is_complete:
        yield "Run the same command again to have it complete."
