"""`kawe journal`: whether it is as kawe left it, and what need not stay in it."""

import asyncio
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import click

from kawe.cases import Cutoffs, Hold, disposable, holds_of, purge_journal, put_hold
from kawe.cases.care import removing
from kawe.cases.choices import author_of
from kawe.cases.kinds import KINDS
from kawe.cli.output import printing
from kawe.cli.output.near_command import NearGroup
from kawe.cli.shared.agreeing import agree
from kawe.cli.shared.declaring import (
    ChoiceOf,
    argument,
    command,
    option,
    options_class,
    yes,
)
from kawe.cli.shared.later import help_all
from kawe.cli.shared.options import CommandContext, LookOptions, open_context
from kawe.domain.batch.agreements import Reach
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.text.texts import counted, one_line
from kawe.settings.values import Settings

_HASH: Final = re.compile("[0-9a-f]{64}")


@options_class
class _VerifyOptions:
    kept: str = option(
        "--kept",
        default="",
        metavar="HASH",
        help="Look also for the event with this hash, which somebody kept.",
    )
    look: LookOptions


@options_class
class _HoldOptions:
    name: str | None = argument()
    why: str = option("--why", default="", metavar="TEXT", help="Why it is so.")
    lifts: bool = option("--lift", help="End the hold of NAME.")
    look: LookOptions


@options_class
class _PurgeOptions:
    days: int | None = option(
        "--older-than",
        type=click.IntRange(0, 36_500),
        metavar="DAYS",
        help="Rows that were done more than so many days ago; without it, longer ago "
        "than the settings keep each kind.",
    )
    kind: str | None = option(
        "--kind", type=ChoiceOf(KINDS), help="Only rows of this kind of sheet."
    )
    listed: Path | None = option(
        "--list",
        metavar="FILE",
        is_folder=False,
        help="Only write which rows these are, into a workbook or .csv.",
    )
    results: bool = option(
        "--results",
        help="Remove results, plans, logs and copies at the desk too; kawe asks.",
    )
    agreed: int | None = yes("Agree that --results removes at most N files.")
    never_asks: bool = option("--no-input", help="Never ask anything.")
    look: LookOptions

    def cutoffs(self, settings: Settings, now: datetime) -> Cutoffs:
        """Say before when the rows were done that go."""
        kept = settings.retention
        if self.days is not None:
            kept = {self.kind: timedelta(days=self.days)}
        elif self.kind is not None:
            kept = {kind: kept[kind] for kind in kept if kind == self.kind}
        if not kept or (self.results and self.days is None):
            raise click.UsageError(
                "Say how old with --older-than; without --results, [retention] in the "
                "settings may say it of each kind of sheet."
            )
        return {kind: now - period for kind, period in kept.items()}


@options_class
class _BackupOptions:
    file: Path = argument()
    look: LookOptions


@options_class
class _RestoreOptions:
    file: Path = argument()
    aside: bool = option(
        "--aside",
        help="Restore also where the journal that is there has other or newer "
        "events, or cannot be read.",
    )
    look: LookOptions


@options_class
class _MoveOptions:
    folder: str = argument()
    look: LookOptions


@click.group(cls=NearGroup)
@help_all("option of its commands")
def journal() -> None:
    """Look after the journal, kawe's durable memory."""


@command("kawe journal verify", of=journal)
def verify(options: _VerifyOptions) -> int:
    """Say whether the journal's history is whole, and what is wrong first.

    Each event carries the hash of the one before it, so that an altered or
    removed event shows. A history that was rewritten whole shows by a hash
    that somebody else kept. Signed approvals are checked against their public
    keys as well.
    """
    if options.kept and not _HASH.fullmatch(options.kept):
        raise click.UsageError("--kept takes the 64 letters and digits of a hash.")
    context = options.look.open()
    found = removing.verify_whole(context.settings.journal_place(), kept=options.kept)
    fault = None if found.fault is None else found.fault.what
    events, rows = counted(found.events, "event"), counted(found.rows, "row")
    lines = [
        f"The journal is whole: {events} of {rows}.",
        f"The hash of the last event, to be kept elsewhere: {found.head}",
    ]
    if fault is not None:
        lines = [
            f"The journal is not as kawe left it. {one_line(fault)}",
            "Keep a copy of it, and do not submit before you know why.",
        ]
    return context.answer(
        "journal-verify",
        lambda: asdict(found) | {"fault": fault},
        code=ExitCode.DONE if fault is None else ExitCode.JOURNAL,
        lines=lines,
    )


@command("kawe journal purge --older-than 365", of=journal)
def purge(options: _PurgeOptions) -> int:
    """Take out of the journal what rows said that were done long ago.

    Their texts, places, people and files' names go for good; workbooks,
    results and the service keep theirs. That a row is done stays known, so
    that it is never sent twice. Where the journal has no receipt number,
    save the receipts first, with kawe export receipts. With --results, the
    results and plans beside workbooks whose rows were all done go as well, old
    logs and copies of files from a bucket; not what anybody has changed.
    """
    context = options.look.open(is_strict=True)
    now = context.toolkit.clock.now()
    settings = context.settings
    place, before = settings.journal_place(), options.cutoffs(settings, now)
    if options.listed is not None:
        return _disposal(context, disposable(place, before), options.listed)
    old = _agreed_files(settings, before=before, options=options)
    purged = purge_journal(place, finished_before=before, at=now, first=old.remove)
    context.toolkit.forget_answers()
    stays = "that they are done stays known"
    lines = [f"The journal forgot what {counted(purged.rows, 'row')} said; {stays}."]
    if purged.held:
        lines.append(f"{counted(purged.held, 'row stays', 'rows stay')}, being held:")
        lines += [f"  {each.words()}" for each in holds_of(place)[0]]
    if purged.without_receipt:
        lines.append(
            f"No receipt number is known of {counted(purged.without_receipt, 'row')} "
            "of these; kawe export receipts saves it without naming the row."
        )
    return context.answer(
        "journal-purge",
        lambda: asdict(purged) | (old.as_json() if options.results else {}),
        lines=lines,
    )


def _disposal(
    context: CommandContext, rows: Sequence[Mapping[str, str]], path: Path
) -> int:
    path = removing.write_disposal(rows, path)
    held = sum(bool(row["held"]) for row in rows)
    goes = counted(len(rows) - held, "row")
    return context.answer(
        "journal-disposal",
        lambda: {"rows": rows},
        lines=[
            f"A purge would take out {goes}, and leave {held:,} that are held.",
            f"Nothing was taken out. The list is {_shown(path)}.",
        ],
    )


@command(
    "kawe journal hold monthly --why 'Hearing 114' · kawe journal hold monthly --lift "
    "--why 'Hearing 114 is over' · kawe journal hold",
    of=journal,
)
def hold(options: _HoldOptions) -> int:
    """Keep rows from every purge until that is lifted; without NAME, list the holds.

    NAME is a batch, a reference or a project's id. Rows that come to it later are
    held too, and so are results, plans and copies at the desk of their batches.
    """
    if options.name is None and (options.why or options.lifts):
        raise click.UsageError("Name a batch, a reference or a project's id too.")
    context = options.look.open(is_strict=options.name is not None)
    settings = context.settings
    if options.name is not None:
        if not options.why.strip():
            raise click.UsageError("Say with --why why it is so.")
        one = Hold(
            name=options.name,
            by=author_of(settings),
            why=options.why,
            at=context.toolkit.clock.now().isoformat(),
        )
        put_hold(settings.journal_place(), one, lifts=options.lifts)
    holds, rows = holds_of(settings.journal_place())
    count = counted(len(rows), "row is", "rows are")
    return context.answer(
        "journal-hold",
        lambda: {"rows": len(rows), "holds": [asdict(each) for each in holds]},
        lines=[f"{count} held.", *(f"  {each.words()}" for each in holds)],
    )


def _agreed_files(
    settings: Settings, *, before: Cutoffs, options: _PurgeOptions
) -> "removing.OldFiles":
    """Find the files to remove, show them, and let a person agree."""
    if not options.results:
        if options.agreed is not None:
            raise click.UsageError("--yes is for --results; nothing else is asked.")
        return removing.OldFiles()
    if options.kind is not None:
        raise click.UsageError("--results is of all kinds: leave --kind out.")
    old = asyncio.run(removing.find_old_files(settings, done_before=before[None]))
    if not options.look.output.as_json:
        printing.print_lines(old.lines())
    count = len(old.files)
    reach = Reach(
        acts=count,
        does=f"remove {counted(count, 'file')}",
        undone="What kawe removes, nobody can bring back.",
        look="the list",
    )
    is_alone = options.never_asks or options.look.output.as_json
    agree(reach, agreed=options.agreed, no_input=is_alone)
    return old


@command("kawe journal backup journal-backup.db", of=journal)
def backup(options: _BackupOptions) -> int:
    """Copy the journal to a new file, also while another kawe writes.

    The copy is the journal of one moment, verified before it gets its name. Only
    you can read it. kawe never replaces a file that is there.
    """
    context = options.look.open()
    made = removing.back_up_journal(removing.file_of(context.settings), options.file)
    lines = [_copied("The backup is whole", made)]
    return context.answer("journal-backup", lambda: asdict(made), lines=lines)


@command("kawe journal restore journal-backup.db", of=journal)
def restore(options: _RestoreOptions) -> int:
    """Put a backup in the place of the journal.

    kawe verifies the backup first. If the journal that is there has events that
    the backup does not have, kawe says what would be lost, and changes nothing.
    What is replaced stays beside the journal, with the date in its name.
    """
    context = open_context(options.look.journal, options.look.output)
    made = removing.restore_journal(
        options.file,
        removing.place_of(context.settings),
        at=context.toolkit.clock.now(),
        moves_aside=options.aside,
    )
    lines = [_copied("The journal is restored", made)]
    if made.kept is not None:
        lines.append(f"The journal that was there before: {_shown(made.kept)}.")
    lines.append(
        "The next kawe submit asks the service what happened after the backup."
    )
    return context.answer("journal-restore", lambda: asdict(made), lines=lines)


@command("kawe journal move ~/kawe-journal", of=journal)
def move(options: _MoveOptions) -> int:
    """Move the journal, and what lies beside it, to another folder.

    In place of a folder, the address of a database moves it to a server; its
    file stays under a dated name. A journal on a server moves back to a folder.
    Afterwards kawe needs to be told the new place: the answer names the setting.
    kawe moves nothing while a run holds the journal.
    """
    context = options.look.open(is_strict=True, may_be_missing=True)
    made = removing.move_whole(
        context.settings, options.folder, at=context.toolkit.clock.now()
    )
    lines = [
        _copied("The journal is moved", made),
        "kawe does not look there by itself. Change the setting, before the next run:",
        *(f"  {line}" for line in _setting(context.settings, made, options.folder)),
        "KAWE_JOURNAL and --journal name the place too, and schedules may have them.",
    ]
    return context.answer("journal-move", lambda: asdict(made), lines=lines)


def _setting(
    settings: Settings, made: "removing.JournalCopy", said: str
) -> Iterable[str]:
    """Give the lines of the settings that name a journal."""
    if settings.profile != "default":
        yield f"[profile.{one_line(settings.profile)}]"
    place = made.path if isinstance(made.path, Path) else said
    yield f"journal = {json.dumps(_shown(place), ensure_ascii=False)}"


def _copied(said: str, made: "removing.JournalCopy") -> str:
    has = f"{counted(made.events, 'event')} of {counted(made.rows, 'row')}"
    return f"{said}: {has}. It lies at {_shown(made.path)}."


def _shown(path: Path | str) -> str:
    return one_line(str(path), limit=1000)
