"""What is pasted into cron, systemd or the Task Scheduler of Windows.

Each gives some characters in a path a special meaning. A path that one of them cannot
take is a `SettingsError`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

from kawe.cli.schedules.times import When
from kawe.domain.text.texts import one_line
from kawe.errors import SettingsError

_CRON_LENGTH: Final = 998
_BARE: Final = re.compile(r"[A-Za-z0-9_./:=+,-]+")
_POSIX_MARKS: Final = {"\\": "backslashes"}
_WINDOWS_MARKS: Final = {"%": "percent signs", '"': "quotation marks"}


_FOUR_TRIES: Final = """\
# Not more than four tries a day.
StartLimitIntervalSec=1d
StartLimitBurst=4
"""
_AGAIN: Final = """\
# Codes 7 and 130: out of reach, or stopped. Running it again goes on.
Restart=on-failure
RestartPreventExitStatus=1 2 3 4 5 6
RestartSec=15min
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """A command, and when it runs."""

    name: str
    """Letters, digits and hyphens only."""
    does: str
    """What the command does, as `Submit a workbook`."""
    missed: str
    """What becomes of a run that cron missed, as a sentence."""
    words: tuple[str, ...]
    """The program's absolute path, and its arguments."""
    folder: Path
    """The working directory, whose kawe.toml applies."""
    log: Path
    """Output is appended here."""
    when: When
    first_at: datetime
    """From when it can run, by this computer's clock."""
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
    line = f"{schedule.when.cron} {command}"
    if len(line.encode()) > _CRON_LENGTH:
        raise SettingsError(
            message="The line is longer than cron takes.",
            hint="Use shorter folders, or --for systemd.",
        )
    return (
        "# Paste this with: crontab -e\n"
        f"# The time is this computer's own. {schedule.missed}\n"
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
Description={schedule.does} with kawe ({schedule.name})
{"" if schedule.when.repeats else _FOUR_TRIES}
[Service]
Type=oneshot
WorkingDirectory={_percent(schedule.folder)}
{environment}ExecStart={" ".join(_systemd_word(each) for each in schedule.words)}
StandardOutput=append:{_percent(schedule.log)}
StandardError=inherit
{"" if schedule.when.repeats else _AGAIN}"""
    timer = f"""[Unit]
Description={schedule.does} with kawe {schedule.when.often} ({schedule.name})

[Timer]
OnCalendar={schedule.when.systemd}
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
    return f"""<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>{schedule.does} with kawe ({escape(schedule.name)})</Description>
  </RegistrationInfo>
  <Triggers>
    <CalendarTrigger>
      {schedule.when.repeats}
      <StartBoundary>{schedule.first_at:%Y-%m-%dT%H:%M}:00</StartBoundary>
      <Enabled>true</Enabled>
      {schedule.when.windows}
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
