"""`kawe schedule`: what to paste into the scheduler of this computer."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Final

import click

from kawe.cli._declaring import argument, option, options_class, taking
from kawe.cli._exit import ExitCode
from kawe.cli._options import JournalOptions, open_surroundings
from kawe.cli._schedules import SCHEDULERS, Schedule
from kawe.domain.text.texts import fold
from kawe.settings import Settings, state_folder
from kawe.settings.origins import Giver
from kawe.toolkit import save_named

_PATH: Final = click.Path(path_type=Path)
_PATHS: Final = frozenset({"key_file", "journal"})
_FLAGS: Final = ("profile", "base_url", "journal", "key_file")
_LAST_DAY: Final = 28


@options_class
class _PrintOptions:
    workbook: Path = argument(type=_PATH)
    scheduler: str = option(
        "--for",
        type=click.Choice(list(SCHEDULERS)),
        required=True,
        help="The scheduler that is to run it.",
    )
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
    log: Path | None = option(
        "--log", type=_PATH, help="File to which each run adds what it says."
    )
    output: Path | None = option(
        "--output", "-o", type=_PATH, help="Write it to this file, not to the screen."
    )
    journal: JournalOptions


@click.group()
def schedule() -> None:
    """Let this computer's own scheduler run kawe."""


@schedule.command(
    "print",
    epilog="Example: kawe schedule print --for cron monthly.xlsx --yes 60",
)
@taking(_PrintOptions)
def print_(options: _PrintOptions) -> int:
    """Print what to paste, so that WORKBOOK is submitted every month.

    Nothing is set up: you paste it yourself. The run is the one that this folder
    and these options make by hand, and never asks anything. The key is not in it.
    """
    settings = open_surroundings(options.journal).settings
    made = _schedule(options, settings=settings)
    text = SCHEDULERS[options.scheduler](made)
    for note in _notes(options, settings=settings):
        click.echo(f"Note: {note}", err=True)
    output = options.output
    if output is None:
        click.echo(text, nl=False)
        return ExitCode.DONE
    # The scheduler of Windows wants what its own programs write.
    is_windows = options.scheduler == "windows"
    content = text.encode("utf-16" if is_windows else "utf-8")
    # A link may lead to where its owner keeps what schedulers read.
    save_named(output.resolve(), content, called="schedule")
    click.echo(f"Written to {output}.")
    return ExitCode.DONE


def _schedule(options: _PrintOptions, *, settings: Settings) -> Schedule:
    workbook = _whole(options.workbook)
    name = "-".join(fold(workbook.stem).split()) or "workbook"
    config = os.environ.get("KAWE_CONFIG")
    log = options.log or state_folder() / "log" / f"schedule-{name}.log"
    return Schedule(
        name=f"kawe-{name}",
        words=(*_program(), "submit", str(workbook), *_flags(options, settings)),
        folder=Path.cwd(),
        log=_whole(log),
        day=options.day,
        at=options.at.time(),
        first_on=_next(options.day, options.at.time()),
        environment=(("KAWE_CONFIG", str(_whole(Path(config)))),) if config else (),
    )


def _flags(options: _PrintOptions, settings: Settings) -> Iterator[str]:
    yield from ("--no-input", "--quiet")
    if options.drafts_only:
        yield "--drafts-only"
    if options.agreed is not None:
        yield from ("--yes", str(options.agreed))
    for name in _FLAGS:
        value = getattr(options.journal, name)
        if value is None and settings.origin(name).giver is Giver.VARIABLE:
            # A schedule does not have the variables of this terminal.
            value = getattr(settings, name)
        if value is not None:
            yield f"--{name.replace('_', '-')}"
            yield str(_whole(Path(value)) if name in _PATHS else value)


def _program() -> tuple[str, ...]:
    """Name this kawe by its whole path, for a scheduler that has no PATH of ours."""
    for name in ("kawe", "kawe.exe"):
        beside = Path(sys.executable).with_name(name)
        if beside.is_file():
            return (str(beside),)
    # -P: a file beside the workbook is not taken for a part of kawe.
    return (sys.executable, "-P", "-m", "kawe")


def _notes(options: _PrintOptions, *, settings: Settings) -> Iterator[str]:
    if not options.workbook.exists():
        yield f"{options.workbook} is not there yet. Each run reads what is there."
    if options.agreed is None and not options.drafts_only:
        yield (
            "without --yes N a live run is refused, because nobody can be asked. N is "
            "the most that you agree to in each run."
        )
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
            "save it with -o kawe.xml, then: schtasks /Create /TN kawe /XML kawe.xml "
            "/RU %USERNAME% /RP *"
        )


def _next(day: int, at: time) -> date:
    """Give the next day on which it runs."""
    now = datetime.now().astimezone()
    first = now.date() + timedelta(days=now.time() >= at)
    while first.day != day:
        first += timedelta(days=1)
    return first


def _whole(path: Path) -> Path:
    """Give a path that is the same from everywhere; links stay as they are."""
    return path.expanduser().absolute()
