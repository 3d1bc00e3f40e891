"""`kawe export`: papers and lists of the service, for the record."""

from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final

import click

from kawe.cases.records import listing
from kawe.cases.records.case_file import SavedCase, SavedSample, save_case, save_sample
from kawe.cases.records.exporting import ReceiptChoice, save_receipts
from kawe.cases.records.reporting import days_between, period_of
from kawe.cli.output.near_command import NearGroup
from kawe.cli.output.printing import finding_lines
from kawe.cli.shared.declaring import (
    ChoiceOf,
    argument,
    command,
    option,
    options_class,
    output,
    rare,
)
from kawe.cli.shared.later import help_all
from kawe.cli.shared.options import AskOptions, CommandContext, DayOptions, batches
from kawe.cli.shared.verifying import verify
from kawe.domain.batch.exit_codes import ExitCode, worst_of
from kawe.domain.service.papers import ReceiptExport
from kawe.domain.text.texts import counted, one_line
from kawe_contract.enums import ActiveStatus


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
    """Save papers and lists from the service for the record; verify them."""


@options_class
class _MaskOptions:
    said: bool | None = option(
        "--mask/--no-mask",
        help="Mask names, e-mail addresses and telephones of people.",
    )

    def masks(self, context: CommandContext) -> bool:
        """Say whether people are masked: here, or else by the settings."""
        is_masked = context.settings.exports == "masked"
        return is_masked if self.said is None else self.said


@options_class
class _WhereOptions:
    """Where an export goes."""

    output: Path = output("Folder, or a file that ends in the format.")
    formats: tuple[str, ...] = option(
        "--format",
        type=ChoiceOf(listing.FORMATS),
        help="Formats in a folder; all of them otherwise.",
    )
    mask: _MaskOptions


@options_class
class _PartOptions(DayOptions):
    """What is wanted, by the day that made it or by batch."""

    batch: str | None = option(
        "--batch",
        shell_complete=batches,
        help="Of the rows of this batch, as the journal knows them.",
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
        type=ChoiceOf(listing.PART_NAMES),
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
        "--type", metavar="TYPE", help="Of this type, as in a sheet."
    )
    statuses: tuple[str, ...] = option(
        "--status", metavar="STATUS", help="In this status."
    )
    priorities: tuple[str, ...] = rare(
        "--priority", metavar="PRIORITY", help="Of this priority."
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
    part: _PartOptions
    ask: AskOptions


_PLAIN: Final = ("organisation", "local_authority", "active_status", "search")
"""The parameters of the service that are taken as they are typed."""


@command("kawe export projects --with thread --since 1/10/2026 -o projects", of=export)
def projects(options: _ProjectsOptions) -> int:
    """Save the projects of the team, with all that iwi and the team wrote.

    kawe counts them: the command says whether the list is complete, also where
    colleagues create projects meanwhile. A second run into the same folder asks
    for threads, documents and logs only of projects that have changed.
    """
    plain = {name: getattr(options, name) for name in _PLAIN}
    words = listing.ListWords(
        name="projects",
        types=options.types,
        statuses=options.statuses,
        priorities=options.priorities,
        plain={name: value for name, value in plain.items() if value},
        assigned_to=options.assigned_to or "",
        since=options.part.since,
        until=options.part.until,
        batch=options.part.batch or "",
        parts=(*options.parts, *(["documents"] if options.documents else [])),
        is_fresh=options.fresh,
    )
    return _answer(options.where, options.ask, words, saves=options.documents)


def _of_list(name: str, says: str, *, example: str) -> None:
    @command(f"kawe export {name} {example}", of=export, name=name, help=says)
    def save(options: _ListOptions) -> int:
        days = options.days
        words = listing.ListWords(name=name, since=days.since, until=days.until)
        return _answer(options.where, options.ask, words)


_of_list(
    "reports",
    """Save the reports of the team: the list and, in a folder, every PDF.

    To ask for reports, submit a sheet of acts: kawe template reports makes it.
    """,
    example="-o reports",
)
_of_list(
    "invoices",
    "Save the list of token purchases, with their sum.",
    example="--since 1/7/2026 -o invoices.xlsx",
)
_of_list(
    "organisations",
    "Save the organisations that the team created, with their contacts.",
    example="-o organisations.xlsx",
)
_of_list(
    "groups",
    "Save the groups to which projects are assigned, with their members.",
    example="-o groups.xlsx",
)


@command("kawe export team -o team.xlsx", of=export)
def team(options: _TeamOptions) -> int:
    """Save the members of the team and its invitations."""
    return _answer(options.where, options.ask, listing.ListWords(name="team"))


def _answer(
    where: _WhereOptions,
    ask: AskOptions,
    words: listing.ListWords,
    *,
    saves: bool = False,
) -> int:
    context = ask.open()
    request = listing.request_of_list(
        replace(words, masks=where.mask.masks(context)),
        output=where.output,
        formats=where.formats,
        saves_documents=saves,
    )
    saved = context.at_service(lambda session: listing.save_list(session, request))
    return context.answer(
        f"export-{words.name}",
        saved.as_json,
        code=saved.code,
        lines=_list_lines(saved, is_verbose=context.verbose),
    )


def _list_lines(saved: listing.SavedList, *, is_verbose: bool) -> Iterator[str]:
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


@options_class
class _CaseOptions:
    project: str = argument()
    folder: Path = output("Folder to save it in.", is_folder=True)
    mask: _MaskOptions
    ask: AskOptions


@command("kawe export case RD-103 -o case-RD-103", of=export)
def case(options: _CaseOptions) -> int:
    """Save all of one PROJECT: thread, documents, log and receipt, with hashes.

    PROJECT is a reference, a receipt number that the journal knows, or an id. The
    same command again completes what was interrupted. kawe export verify checks it.
    """
    context = options.ask.open()
    listing.refuse_masks("A case file", masks=options.mask.masks(context))
    done = context.at_service(
        lambda session: save_case(session, options.project, folder=options.folder)
    )
    return context.answer(
        "export-case",
        done.as_json,
        code=done.saved.code,
        lines=_case_lines(done, is_verbose=context.verbose),
    )


@options_class
class _SampleOptions:
    number: int = argument(type=click.IntRange(1))
    seed: str = option(
        "--seed",
        metavar="WORD",
        help="The auditor's word: the same one draws the same sample.",
    )
    folder: Path = output("Folder to save them in.", is_folder=True)
    days: DayOptions
    mask: _MaskOptions
    ask: AskOptions


@command("kawe export sample 25 --seed 2026-audit -o sample", of=export)
def sample(options: _SampleOptions) -> int:
    """Save the case files of NUMBER sends of a period that nobody chose.

    sample.json has their rows; kawe export verify checks the folder.
    """
    context = options.ask.open()
    listing.refuse_masks("A case file", masks=options.mask.masks(context))
    days = options.days
    period = period_of(context.toolkit, since=days.since, until=days.until)
    done = context.at_service(
        lambda session: save_sample(
            session,
            options.number,
            seed=options.seed,
            period=period,
            folder=options.folder,
        )
    )
    codes = [each.saved.code for each in done.cases]
    is_whole = len(codes) == len(done.rows)
    return context.answer(
        "export-sample",
        done.as_json,
        code=worst_of(codes) if is_whole else ExitCode.INTERRUPTED,
        lines=_sample_lines(done, folder=options.folder),
    )


def _sample_lines(done: SavedSample, *, folder: Path) -> Iterator[str]:
    sends = counted(done.sends, "send")
    yield f"{len(done.cases):,} of {sends}, in {one_line(str(folder))}:"
    for each, one in zip(done.rows, done.cases, strict=False):
        words = one_line(f"{each['folder']}: {each['name']}", limit=200)
        yield f"    {words} ({each['row'] or 'in no workbook any more'})"
        if one.saved.code is not ExitCode.DONE:
            yield from _list_lines(one.saved, is_verbose=False)
    if len(done.cases) < len(done.rows):
        yield "It was stopped. Run the same command again to have it complete."


def _case_lines(done: SavedCase, *, is_verbose: bool) -> Iterator[str]:
    """Say whose case it is, and what was saved."""
    project = done.project
    called = " ".join(filter(None, (project.reference, project.name)))
    yield f"Case file of {one_line(called, limit=200)}"
    yield from _list_lines(done.saved, is_verbose=is_verbose)
    if not done.saved.done.is_stopped and not done.receipts:
        yield "It has no receipt: the service lists none that is certainly its."


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
    folder: Path | None = output(
        "Folder to save them in.", is_folder=True, callback=_one_place
    )
    bag: Path | None = option(
        "--bag",
        is_folder=True,
        callback=_one_place,
        help="Save them as a bag for an archive (BagIt 1.0) in this folder instead.",
    )
    part: _PartOptions
    ask: AskOptions

    @property
    def place(self) -> Path:
        return next(each for each in (self.folder, self.bag) if each is not None)


@command("kawe export receipts -o receipts-2026", of=export)
def receipts(options: _ReceiptsOptions) -> int:
    """Save every receipt as PDF, with a list of hashes and a workbook.

    A second run fetches only what is new, and says what was altered or removed
    since; an altered file is kept aside. Anybody can check the folder:
    kawe export verify, or sha256sum -c manifest-sha256.txt
    """
    folder, part, is_bag = options.place, options.part, options.bag is not None
    since, until = days_between(part.since, part.until)
    choice = ReceiptChoice(since=since, until=until, batch=part.batch)
    context = options.ask.open()
    done = context.at_service(
        lambda session: save_receipts(session, folder, is_bag=is_bag, choice=choice)
    )
    code = _code(context, done)
    return context.answer(
        "export-receipts",
        lambda: {
            "team": done.team,
            "folder": folder,
            "is_complete": done.is_complete,
            "left_out": done.left_out,
            "sent_without_receipt": done.unproven,
            "not_sent_any_more": done.lost,
            "findings": done.findings,
            "receipts": [
                {k: v for k, v in asdict(each).items() if k != "findings"}
                | {"file": each.file if each.sha256 else None}
                for each in done.receipts
            ],
        },
        code=code,
        lines=_lines(done, folder=folder, code=code, context=context),
    )


def _code(context: CommandContext, done: ReceiptExport) -> ExitCode:
    if context.state.stopping.asked:
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
    if context.settings.exports == "masked":
        yield "Receipts are as the service made them: nothing in them is masked."
    yield from done.lines()
    yield from finding_lines(
        done.findings, is_verbose=context.verbose, rest=": --verbose names them."
    )
    if code in {ExitCode.SERVICE, ExitCode.INTERRUPTED}:
        yield "Run the same command again to fetch what is missing."


export.add_command(verify)
