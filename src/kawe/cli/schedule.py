"""`kawe schedule`: what to paste into the scheduler of this computer.

cron, systemd and Windows each give some characters in a path a special meaning.
A path that one of them cannot take is a `SettingsError`.
"""

from __future__ import annotations

import os
import re
import shlex
from calendar import month_name
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

import click

from kawe.cli.output.exit import ExitCode
from kawe.cli.output.next_command import typed_options
from kawe.cli.shared.declaring import option, options_class, taking
from kawe.cli.shared.options import JournalOptions, WorkbookOptions, open_context
from kawe.domain.text.texts import fold, one_line
from kawe.errors import SettingsError
from kawe.machine.installation import Installation
from kawe.settings import Settings, state_folder
from kawe.settings.origins import Giver
from kawe.toolkit import save_named

_PATHS: Final = frozenset({"key_file", "journal"})
_FLAGS: Final = ("profile", "base_url", "journal", "key_file")
_LAST_DAY: Final = 28
_CRON_LENGTH: Final = 998
_BARE: Final = re.compile(r"[A-Za-z0-9_./:=+,-]+")
_POSIX_MARKS: Final = {"\\": "backslashes"}
_WINDOWS_MARKS: Final = {"%": "percent signs", '"': "quotation marks"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """A command and the day and time of the month at which it runs."""

    name: str
    """Letters, digits and hyphens only."""
    words: tuple[str, ...]
    """The program's absolute path, and its arguments."""
    folder: Path
    """The working directory, whose kawe.toml applies."""
    log: Path
    """Output is appended here."""
    day: int
    at: time
    first_on: date
    """The first day on which it can run."""
    environment: tuple[tuple[str, str], ...] = ()


def crontab(schedule: Schedule) -> str:
    """Write a line for `crontab -e`, with a comment above it."""
    _refuse_marks(schedule, _POSIX_MARKS)
    words = schedule.words
    if schedule.environment:
        # cron accepts no quoted assignment; an argument of env may be quoted.
        words = ("/usr/bin/env", *(f"{n}={v}" for n, v in schedule.environment), *words)
    command = (
        f"cd {shlex.quote(str(schedule.folder))} && {shlex.join(words)} "
        f">> {shlex.quote(str(schedule.log))} 2>&1"
    )
    # cron reads a percent sign as the end of the command, quoted or not.
    command = command.replace("%", "\\%")
    line = f"{schedule.at:%M} {schedule.at:%H} {schedule.day} * * {command}"
    if len(line.encode()) > _CRON_LENGTH:
        raise SettingsError(
            message="The line is longer than cron takes.",
            hint="Use shorter folders, or --for systemd.",
        )
    return (
        "# Paste this with: crontab -e\n"
        "# The time is this computer's own. A run that is missed because the computer\n"
        "# is off is not caught up; kawe status --expect monthly notices it.\n"
        f"{line}\n"
    )


def systemd_units(schedule: Schedule) -> str:
    """Write a service and its timer, one after the other."""
    service, timer = systemd_files(schedule)
    folder = "~/.config/systemd/user"
    return (
        f"# Save this as {folder}/{schedule.name}.service\n{service}\n"
        f"# Save this as {folder}/{schedule.name}.timer\n{timer}\n"
        "# Then run:\n"
        f"#   systemctl --user daemon-reload\n"
        f"#   systemctl --user enable --now {schedule.name}.timer\n"
        "#   loginctl enable-linger      (so that it runs while you are logged out)\n"
        f"# Try it now: systemctl --user start {schedule.name}.service\n"
    )


def systemd_files(schedule: Schedule) -> tuple[str, str]:
    """Write the service and the timer, each as its file."""
    # Paths in unit files cannot be quoted.
    _refuse_marks(schedule, _POSIX_MARKS)
    if "$" in schedule.words[0]:
        raise _cannot(schedule.words[0], "dollar signs")
    environment = "".join(
        f"Environment={_systemd_word(f'{name}={value}', dollar='$')}\n"
        for name, value in schedule.environment
    )
    service = f"""[Unit]
Description=Submit a workbook with kawe ({schedule.name})
# Not more than four tries a day.
StartLimitIntervalSec=1d
StartLimitBurst=4

[Service]
Type=oneshot
WorkingDirectory={_percent(schedule.folder)}
{environment}ExecStart={" ".join(_systemd_word(each) for each in schedule.words)}
StandardOutput=append:{_percent(schedule.log)}
StandardError=inherit
# Codes 7 and 130: out of reach, or stopped. Running it again goes on.
Restart=on-failure
RestartPreventExitStatus=1 2 3 4 5 6
RestartSec=15min
"""
    timer = f"""[Unit]
Description=Submit a workbook with kawe every month ({schedule.name})

[Timer]
OnCalendar=*-*-{schedule.day:02} {schedule.at:%H:%M}:00
# A run that was missed because the computer was off is caught up.
Persistent=true

[Install]
WantedBy=timers.target
"""
    return service, timer


def windows_xml(schedule: Schedule) -> str:
    """Write a task for the Task Scheduler of Windows."""
    # cmd.exe expands %variables% inside quotation marks too.
    _refuse_marks(schedule, _WINDOWS_MARKS)
    sets = "".join(f'set "{name}={value}"&& ' for name, value in schedule.environment)
    program = " ".join(_windows_word(each) for each in schedule.words)
    arguments = f'/d /s /c "{sets}{program} >> {_windows_word(str(schedule.log))} 2>&1"'
    months = "".join(f"<{month} />" for month in month_name[1:])
    return f"""<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>Submit a workbook with kawe ({escape(schedule.name)})</Description>
  </RegistrationInfo>
  <Triggers>
    <CalendarTrigger>
      <StartBoundary>{schedule.first_on.isoformat()}T{schedule.at:%H:%M}:00</StartBoundary>
      <Enabled>true</Enabled>
      <ScheduleByMonth>
        <DaysOfMonth><Day>{schedule.day}</Day></DaysOfMonth>
        <Months>{months}</Months>
      </ScheduleByMonth>
    </CalendarTrigger>
  </Triggers>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <StartWhenAvailable>true</StartWhenAvailable>
    <RunOnlyIfNetworkAvailable>true</RunOnlyIfNetworkAvailable>
    <ExecutionTimeLimit>PT12H</ExecutionTimeLimit>
    <Enabled>true</Enabled>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>cmd.exe</Command>
      <Arguments>{escape(arguments)}</Arguments>
      <WorkingDirectory>{escape(str(schedule.folder))}</WorkingDirectory>
    </Exec>
  </Actions>
</Task>
"""


def _systemd_word(word: str, *, dollar: str = "$$") -> str:
    if _BARE.fullmatch(word):
        return word
    word = word.replace('"', '\\"').replace("%", "%%").replace("$", dollar)
    return f'"{word}"'


def _percent(path: Path) -> str:
    return str(path).replace("%", "%%")


def _windows_word(word: str) -> str:
    # A backslash before the closing mark would escape it.
    ending = word[len(word.rstrip("\\")) :]
    return f'"{word}{ending}"'


def _refuse_marks(schedule: Schedule, marks: Mapping[str, str]) -> None:
    texts = [*schedule.words, str(schedule.folder), str(schedule.log)]
    texts += [value for _, value in schedule.environment]
    for text in texts:
        if not all(each.isprintable() for each in text) or text.strip() != text:
            raise _cannot(text, "line breaks and without spaces at their ends")
        for mark, name in marks.items():
            if mark in text:
                raise _cannot(text, name)


def _cannot(text: str, what: str) -> SettingsError:
    return SettingsError(
        message=f"{one_line(text, limit=100)!r} cannot be written for that scheduler.",
        hint=f"Use names of files and folders without {what}.",
    )


SCHEDULERS: Final[dict[str, Callable[[Schedule], str]]] = {
    "cron": crontab,
    "systemd": systemd_units,
    "windows": windows_xml,
}


@options_class
class _PrintOptions:
    reading: WorkbookOptions
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
    log: Path | None = option("--log", help="File to which each run adds what it says.")
    output: Path | None = option(
        "--output", "-o", help="Write it to this file, not to the screen."
    )
    journal: JournalOptions


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
    settings = open_context(options.journal).settings
    made = _schedule(options, settings=settings)
    text = SCHEDULERS[options.scheduler](made)
    for note in _notes(options, settings=settings):
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


def _schedule(options: _PrintOptions, *, settings: Settings) -> Schedule:
    workbook = _whole(options.reading.workbook)
    name = "-".join(fold(workbook.stem).split()) or "workbook"
    config = os.environ.get("KAWE_CONFIG")
    log = options.log or state_folder() / "log" / f"schedule-{name}.log"
    return Schedule(
        name=f"kawe-{name}",
        words=(
            *Installation.here().program(),
            "submit",
            str(workbook),
            *_flags(options, settings),
        ),
        folder=Path.cwd(),
        log=_whole(log),
        day=options.day,
        at=options.at.time(),
        first_on=_next(options.day, options.at.time()),
        environment=(("KAWE_CONFIG", str(_whole(Path(config)))),) if config else (),
    )


def _flags(options: _PrintOptions, settings: Settings) -> Iterator[str]:
    yield from ("--no-input", "--quiet")
    own = {each.name for each in fields(options.reading)} | {"drafts_only"}
    yield from typed_options("submit", only=own)
    if options.agreed is not None:
        yield from ("--yes", str(options.agreed))
    for name in _FLAGS:
        value = getattr(options.journal, name)
        if value is None and settings.origin(name).giver is Giver.VARIABLE:
            # A scheduled run has no variables of this terminal.
            value = getattr(settings, name)
        if value is not None:
            yield f"--{name.replace('_', '-')}"
            yield str(_whole(Path(value)) if name in _PATHS else value)


def _notes(options: _PrintOptions, *, settings: Settings) -> Iterator[str]:
    workbook = options.reading.workbook
    if not workbook.exists():
        yield f"{workbook} is not there yet. Each run reads what is there."
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
    """Make a path absolute; keep links."""
    return path.expanduser().absolute()
