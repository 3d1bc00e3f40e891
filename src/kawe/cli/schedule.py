"""`kawe schedule`: what to paste into the scheduler of this computer."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from datetime import datetime, time
from pathlib import Path
from typing import Final

import click

from kawe.cli.output.exit import ExitCode
from kawe.cli.output.next_command import typed_options
from kawe.cli.schedules.times import When, daily, every, monthly
from kawe.cli.schedules.writing import SCHEDULERS, Schedule
from kawe.cli.shared.declaring import option, options_class, taking
from kawe.cli.shared.options import JournalOptions, WorkbookOptions, open_context
from kawe.domain.text.texts import fold
from kawe.machine.installation import Installation
from kawe.settings import Settings, state_folder
from kawe.settings.origins import Giver
from kawe.toolkit import save_named

_PATHS: Final = frozenset({"key_file", "journal"})
_FLAGS: Final = ("profile", "base_url", "journal", "key_file")
_LAST_DAY: Final = 28
_NIGHT: Final = "night"
_AT_NIGHT: Final = time(2)


@options_class
class _WriteOptions:
    """For which scheduler, and where it is written."""

    scheduler: str = option(
        "--for",
        type=click.Choice(list(SCHEDULERS)),
        required=True,
        help="The scheduler that is to run it.",
    )
    log: Path | None = option("--log", help="File to which each run adds what it says.")
    output: Path | None = option(
        "--output", "-o", help="Write it to this file, not to the screen."
    )
    journal: JournalOptions


@options_class
class _PrintOptions:
    reading: WorkbookOptions
    day: int = option(
        "--day",
        type=click.IntRange(1, _LAST_DAY),
        default=1,
        show_default=True,
        help="Day of the month; every month has it.",
    )
    at: datetime = option(
        "--time",
        type=click.DateTime(formats=["%H:%M"]),
        default="07:30",
        show_default=True,
        help="Time of the day, by this computer's clock.",
    )
    agreed: int | None = option(
        "--yes",
        type=click.IntRange(0),
        metavar="N",
        help="Agree to at most N live sends in each run.",
    )
    drafts_only: bool = option("--drafts-only", help="Make drafts, send nothing.")
    writing: _WriteOptions


@options_class
class _WatchOptions:
    every: str = option(
        "--every",
        type=click.Choice(["5", "10", "15", "30", _NIGHT]),
        default="10",
        show_default=True,
        help="Minutes between rounds, or once a night; the service advises 5 to 15.",
    )
    at: datetime | None = option(
        "--time",
        type=click.DateTime(formats=["%H:%M"]),
        help="Time of the night, by this computer's clock (02:00).",
    )
    folder: Path = option(
        "--folder",
        type=click.Path(path_type=Path, file_okay=False),
        default=Path("what-is-new"),
        show_default=True,
        help="Folder for the workbooks and pages.",
    )
    near_days: int | None = option(
        "--near",
        type=click.IntRange(0, 60),
        metavar="DAYS",
        help="As kawe watch --near.",
    )
    writing: _WriteOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class _Task:
    """What a schedule runs, but for the options of every command."""

    name: str
    does: str
    missed: str
    words: list[str]
    when: When


@click.group()
def schedule() -> None:
    """Let this computer's own scheduler run kawe."""


@schedule.command(
    "print", epilog="Example: kawe schedule print --for cron monthly.xlsx --yes 60"
)
@taking(_PrintOptions)
def print_(options: _PrintOptions) -> int:
    """Print what to paste, so that WORKBOOK is submitted every month.

    Nothing is set up: you paste it yourself. The run is the one that this folder
    and these options make by hand, and never asks anything. The key is not in it.
    """
    workbook = _whole(options.reading.workbook)
    own = {each.name for each in fields(options.reading)} | {"drafts_only"}
    words = ["submit", str(workbook), "--no-input", "--quiet"]
    words += typed_options("submit", only=own)
    if options.agreed is not None:
        words += ["--yes", str(options.agreed)]
    task = _Task(
        name="-".join(fold(workbook.stem).split()) or "workbook",
        does="Submit a workbook",
        missed="A run that is missed because the computer\n# is off is not caught up; "
        "kawe status --expect monthly notices it.",
        words=words,
        when=monthly(day=options.day, at=options.at.time()),
    )
    return _write(options.writing, task, notes=_notes_of_print(options))


@schedule.command("watch", epilog="Example: kawe schedule watch --for cron --every 15")
@taking(_WatchOptions)
def watch(options: _WatchOptions) -> int:
    """Print what to paste, so that kawe says again and again what is new.

    Nothing is set up: you paste it yourself. Each round is kawe watch --once, in
    this folder and with these options. A round that is missed is caught up by the
    next one. The key is not in it.
    """
    if options.at is not None and options.every != _NIGHT:
        raise click.UsageError(f"--time belongs to --every {_NIGHT}.")
    words = ["watch", "--once", "--quiet", "-o", str(_whole(options.folder))]
    if options.near_days is not None:
        words += ["--near", str(options.near_days)]
    at = _AT_NIGHT if options.at is None else options.at.time()
    is_nightly = options.every == _NIGHT
    profile = options.writing.journal.profile or ""
    task = _Task(
        name="-".join(["watch", *fold(profile).split()]),
        does="Look for what is new",
        missed="The next round catches up with one\n# that was missed.",
        words=words,
        when=daily(at) if is_nightly else every(int(options.every)),
    )
    return _write(options.writing, task)


def _write(options: _WriteOptions, task: _Task, *, notes: Iterable[str] = ()) -> int:
    settings = open_context(options.journal).settings
    config = os.environ.get("KAWE_CONFIG")
    log = options.log or state_folder() / "log" / f"schedule-{task.name}.log"
    made = Schedule(
        name=f"kawe-{task.name}",
        does=task.does,
        missed=task.missed,
        words=(
            *Installation.here().program(),
            *task.words,
            *_flags(options.journal, settings),
        ),
        folder=Path.cwd(),
        log=_whole(log),
        when=task.when,
        first_at=task.when.first(datetime.now().astimezone()),
        environment=(("KAWE_CONFIG", str(_whole(Path(config)))),) if config else (),
    )
    text = SCHEDULERS[options.scheduler](made)
    for note in (*notes, *_notes(options, made.name, settings=settings)):
        click.echo(f"Note: {note}", err=True)
    if options.output is None:
        click.echo(text, nl=False)
        return ExitCode.DONE
    # The scheduler of Windows wants what its own programs write.
    is_windows = options.scheduler == "windows"
    content = text.encode("utf-16" if is_windows else "utf-8")
    # A link may lead to the folder that the scheduler reads.
    save_named(options.output.resolve(), content, called="schedule")
    click.echo(f"Written to {options.output}.")
    return ExitCode.DONE


def _flags(journal: JournalOptions, settings: Settings) -> Iterator[str]:
    for name in _FLAGS:
        value = getattr(journal, name)
        if value is None and settings.origin(name).giver is Giver.VARIABLE:
            # A scheduled run has no variables of this terminal.
            value = getattr(settings, name)
        if value is not None:
            yield f"--{name.replace('_', '-')}"
            yield str(_whole(Path(value)) if name in _PATHS else value)


def _notes_of_print(options: _PrintOptions) -> Iterator[str]:
    workbook = options.reading.workbook
    if not workbook.exists():
        yield f"{workbook} is not there yet. Each run reads what is there."
    if options.agreed is None and not options.drafts_only:
        yield (
            "without --yes N a live run is refused, because nobody can be asked. N is "
            "the most that you agree to in each run."
        )


def _notes(options: _WriteOptions, name: str, *, settings: Settings) -> Iterator[str]:
    found = settings.found_key
    if found is None:
        yield "no key was found. Name its file with --key-file."
    elif found.origin.giver is Giver.VARIABLE:
        yield (
            "the key is in KAWE_API_KEY, which a schedule does not have. Put it into a "
            "file for you alone and name that with --key-file."
        )
    if os.environ.get("KAWE_NOTIFY"):
        yield "KAWE_NOTIFY is not in a schedule: name the targets in your settings."
    if options.scheduler == "windows":
        yield (
            f"save it with -o {name}.xml, then: schtasks /Create /TN {name} "
            f"/XML {name}.xml /RU %USERNAME% /RP *"
        )


def _whole(path: Path) -> Path:
    """Make a path absolute; keep links."""
    return path.expanduser().absolute()
