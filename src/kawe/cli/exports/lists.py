"""`kawe export projects` and the other lists of the service."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import click

from kawe.cli.output import printing
from kawe.cli.output.exit import ExitCode
from kawe.cli.shared.completing import batches
from kawe.cli.shared.declaring import option, options_class, taking
from kawe.cli.shared.options import AskOptions, CommandContext
from kawe.contract.enums import ActiveStatus
from kawe.domain.service.list_exports import ListExport
from kawe.domain.text.counts import counted
from kawe.domain.text.texts import one_line
from kawe.toolkit import open_session
from kawe.toolkit.listing import (
    FORMATS,
    PART_NAMES,
    ListWords,
    WrittenList,
    asked_of_list,
    list_place,
    save_list,
)


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
        type=click.Choice(FORMATS),
        multiple=True,
        help="Formats in a folder; all of them otherwise.",
    )


@options_class
class _DayOptions:
    """When what is wanted was created."""

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
    days: _DayOptions
    ask: AskOptions


@options_class
class _ProjectsOptions:
    where: _WhereOptions
    parts: tuple[str, ...] = option(
        "--with",
        type=click.Choice(PART_NAMES),
        multiple=True,
        help="Also the thread, the names of documents, or the log of each project.",
    )
    fresh: bool = option(
        "--fresh", help="Ask for these again, also where a project has not changed."
    )
    types: tuple[str, ...] = option(
        "--type", metavar="TYPE", multiple=True, help="Of this type, as in a sheet."
    )
    statuses: tuple[str, ...] = option(
        "--status", metavar="STATUS", multiple=True, help="In this status."
    )
    priorities: tuple[str, ...] = option(
        "--priority", metavar="PRIORITY", multiple=True, help="Of this priority."
    )
    organisation: str | None = option("--organisation", help="Of this organisation.")
    local_authority: str | None = option(
        "--local-authority", help="Of this local authority."
    )
    assigned_to: str | None = option(
        "--assigned-to",
        metavar="PERSON",
        help="Of this member of the team: a name or an e-mail address.",
    )
    active_status: str | None = option(
        "--active-status",
        type=click.Choice([each.value for each in ActiveStatus]),
        help="On this tab of the portal.",
    )
    search: str | None = option(
        "--search", metavar="TEXT", help="Whose name, reference or address has it."
    )
    days: _DayOptions
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
        since=options.days.since or "",
        until=options.days.until or "",
        batch=options.batch or "",
        parts=options.parts,
        is_fresh=options.fresh,
    )
    return _answer("projects", options.where, options.ask, words=words)


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


LIST_COMMANDS: Final = (projects, invoices, team, organisations, groups)


def _list(name: str, options: _ListOptions) -> int:
    words = ListWords(since=options.days.since or "", until=options.days.until or "")
    return _answer(name, options.where, options.ask, words=words)


def _answer(
    name: str, where: _WhereOptions, ask: AskOptions, *, words: ListWords
) -> int:
    place = list_place(name, where.output, where.formats)
    asked = asked_of_list(name, words)
    context = ask.open()

    async def export() -> tuple[ListExport, WrittenList]:
        async with open_session(context.toolkit) as session:
            with context.stopping.on_signals():
                done = await save_list(session, asked, words, place=place)
            context.progress.close()
            return done

    done, written = asyncio.run(export())
    code = _code(context, done)
    return printing.answer(
        f"export-{name}",
        code,
        as_json=context.as_json,
        document=lambda: _document(done, written),
        lines=_lines(done, written),
    )


def _code(context: CommandContext, done: ListExport) -> ExitCode:
    if context.stopping.asked:
        return ExitCode.INTERRUPTED
    return ExitCode.DONE if done.is_complete else ExitCode.SERVICE


def _lines(done: ListExport, written: WrittenList) -> Iterator[str]:
    yield from done.counts.lines(done.asked)
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
    for trouble in done.troubles:
        yield one_line(trouble, limit=600)
    names = ", ".join(one_line(name) for name in written.files)
    yield f"Written into {one_line(str(written.folder))}: {names}"
    if not done.is_complete:
        yield "Run the same command again to have it complete."


def _document(done: ListExport, written: WrittenList) -> Mapping[str, Any]:
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
        "troubles": list(done.troubles),
        "folder": str(written.folder),
        "files": dict(written.files),
        "kept": dict(written.kept),
    }
