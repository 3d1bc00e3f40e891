"""`kawe doctor`: what would stand in the way of a run."""

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click

from kawe.cases.doctor.checks import DoctorCheck, Grade, check_of, machine_checks
from kawe.cases.doctor.examining import examine
from kawe.cli.output import printing
from kawe.cli.shared.declaring import command, option, options_class
from kawe.cli.shared.notifying import send_apart, trial_notice
from kawe.cli.shared.options import AskOptions, CommandContext
from kawe.domain.batch.exit_codes import ExitCode, code_of
from kawe.domain.text.texts import counted, one_line
from kawe.errors import KaweError
from kawe.machine import SystemClock
from kawe.machine.installation import Installation
from kawe.settings.loading import Shown, every_setting
from kawe.system import is_windows

# The variables that cron sets, and those that Windows needs to start a program.
_KEPT: Final = (
    "HOME",
    "LOGNAME",
    "USER",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "SYSTEMROOT",
    "TEMP",
)
_MATTERS: Final = re.compile(
    r"(KAWE|XDG|PYTHON)_.+|SSL_CERT_(FILE|DIR)|(HTTPS?|ALL|NO)_PROXY", re.IGNORECASE
)
_BARE_PATH: Final = "/usr/bin:/bin"


@options_class
class _DoctorOptions:
    as_scheduler: bool = option(
        "--as-scheduler",
        help="Look as a scheduler would: no terminal, none of your variables.",
    )
    tries_notices: bool = option(
        "--notify",
        help="Send a message to everybody whom the settings name, and nothing else. "
        "The exit code is 2 when one of them was not reached.",
    )
    notify_cmd: str | None = option(
        "--notify-cmd", metavar="CMD", help="With --notify: try this program too."
    )
    shows_settings: bool = option(
        "--settings",
        help="Show every setting, and where it comes from; ask the service nothing.",
    )
    ask: AskOptions


@command(
    "kawe doctor · kawe doctor --settings · kawe doctor --notify · kawe doctor "
    "--as-scheduler"
)
def doctor(options: _DoctorOptions) -> int:
    """Look for what would stand in the way of a run.

    Settings, key, service, clock, what the key may do, journal and disk: one
    line each, and what to do. Nothing is created, sent or uploaded. The exit
    code is that of the first trouble, as a run would end with it.
    """
    if options.shows_settings:
        return _show_settings(options.ask.open())
    if options.as_scheduler:
        return _again_as_scheduler(options)
    if options.tries_notices or options.notify_cmd:
        return _try_notices(options)
    checks = asyncio.run(_checks(options))
    troubles = [each.trouble for each in checks if each.trouble is not None]
    return printing.answer(
        "doctor",
        lambda: {"signs": [check.as_json() for check in checks]},
        code=code_of(troubles[0]) if troubles else ExitCode.DONE,
        as_json=options.ask.output.as_json,
        lines=(*map(_line, checks), _sum(checks)),
    )


def _show_settings(context: CommandContext) -> int:
    """Show every setting; the nearest wins, and nothing of the key is shown."""
    settings = context.settings
    shown, files = list(every_setting(settings)), settings.files()
    refusal = settings.refusal()
    return context.answer(
        "config",
        lambda: {
            "files": [{"path": path, "is_there": there} for path, there in files],
            "refusal": refusal and str(refusal),
            "settings": [
                {
                    "name": each.name,
                    "value": each.value,
                    "origin": each.origin.giver.value,
                    "from": str(each.origin),
                }
                for each in shown
            ],
        },
        lines=(*_setting_lines(shown), *_remarks(files, refusal)),
    )


def _setting_lines(shown: list[Shown]) -> Iterator[str]:
    values = [one_line(each.value or "not set", limit=600) for each in shown]
    names = [one_line(each.name, limit=60) for each in shown]
    name_width = max(map(len, names))
    value_width = min(48, max(map(len, values)))
    for name, value, each in zip(names, values, shown, strict=True):
        yield f"{name:<{name_width}}  {value:<{value_width}}  from {each.origin}"


def _remarks(
    files: Sequence[tuple[Path, bool]], refusal: KaweError | None
) -> Iterator[str]:
    read = (f"{path} ({'read' if there else 'not there'})" for path, there in files)
    yield f"Settings files, the nearest last: {'; '.join(read)}"
    if refusal is not None:
        yield f"With these settings no run could begin: {refusal}"


def _try_notices(options: _DoctorOptions) -> int:
    notice = trial_notice(at=SystemClock().now())
    profile = options.ask.service.profile
    if not send_apart(notice, profile=profile, command=options.notify_cmd):
        return ExitCode.USAGE
    click.echo("Every target took the message. Look whether it arrived.")
    return ExitCode.DONE


async def _checks(options: _DoctorOptions) -> list[DoctorCheck]:
    checks = list(machine_checks(os.environ))
    try:
        context = options.ask.open()
    except KaweError as trouble:
        return [*checks, check_of("settings", trouble)]
    return checks + await examine(context.toolkit, environment=os.environ)


def _line(check: DoctorCheck) -> str:
    words = check.words
    if check.advice:
        words = f"{words.removesuffix('.')}. {check.advice}"
    return f"{check.grade.value:<8} {one_line(f'{check.about}: {words}', limit=1000)}"


def _sum(checks: list[DoctorCheck]) -> str:
    grades = [check.grade for check in checks]
    troubles, warnings = grades.count(Grade.TROUBLE), grades.count(Grade.WARNING)
    if troubles:
        word = counted(troubles, "thing stands", "things stand")
        return f"{word} in the way of a run."
    if warnings:
        word = counted(warnings, "thing deserves", "things deserve")
        return f"Nothing else stands in the way of a run; {word} a look."
    return "Nothing stands in the way of a run."


def _again_as_scheduler(options: _DoctorOptions) -> int:
    """Run the same command again with the environment of a scheduler."""
    bare = {name: os.environ[name] for name in _KEPT if name in os.environ}
    bare["PATH"] = os.defpath if is_windows() else _BARE_PATH
    words = [each for each in sys.argv[1:] if each != "--as-scheduler"]
    done = subprocess.run(  # noqa: S603 - this very program, with its own options
        [*Installation.here().running("kawe"), *words],
        env=bare,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    if not options.ask.output.as_json:
        without = ", ".join(sorted(filter(_MATTERS.match, set(os.environ) - set(bare))))
        yours = f", without your {without}" if without else ""
        click.echo(f"As a scheduler would find it in this folder{yours}:")
    click.echo(done.stdout.decode("utf-8", "replace"), nl=False)
    click.echo(done.stderr.decode("utf-8", "replace"), nl=False, err=True)
    return done.returncode
