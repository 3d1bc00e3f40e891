"""The options that commands share, and the surroundings they open with."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from kawe.cli import _log
from kawe.cli._interrupt import Stopping
from kawe.cli._progress import LineProgress, NoProgress, TerminalProgress, progress_for
from kawe.cli._telling import Telling, telling_of
from kawe.domain.columns import SheetKind
from kawe.domain.texts import one_line
from kawe.errors import SettingsError
from kawe.settings import Settings, load_settings, state_folder
from kawe.toolkit import Reading, Toolkit

F = TypeVar("F", bound=Callable[..., Any])


class _PathType(click.Path):
    """A path that the system can follow, whether something is there or not."""

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Path:
        """Give the path, unless no file can ever be called so."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        try:
            path.stat()
        except OSError as trouble:
            if trouble.errno in _NO_NAME:
                raise SettingsError(
                    message=f"{one_line(str(path), limit=80)} cannot be the name of a "
                    f"file: {str(trouble.strerror).lower()}.",
                    hint="Check the name. Nothing was done.",
                ) from trouble
        return path


_NO_NAME: Final = frozenset({errno.ELOOP, errno.ENAMETOOLONG})
_PATH = _PathType(path_type=Path)

_OUTPUT = (
    click.option("--json", "as_json", is_flag=True, help="Print one JSON document."),
    click.option("--quiet", "-q", is_flag=True, help="Print no progress."),
)
_JOURNAL = (
    click.option("--profile", help="Profile of the settings to use."),
    click.option("--base-url", help="Address of the service."),
    click.option("--key-file", type=_PATH, help="File that holds the key."),
    click.option("--journal", type=_PATH, help="Where the journal lies."),
)
_SERVICE = (
    *_JOURNAL,
    click.option(
        "--workers", type=click.IntRange(1, 64), help="Requests in flight (8)."
    ),
)
_BOUNDS = (
    click.option(
        "--max-tokens", type=click.IntRange(0), help="Spend at most so many tokens."
    ),
    click.option(
        "--keep-reserve", type=click.IntRange(0), help="Leave so many tokens untouched."
    ),
)
_RUN = (
    click.option(
        "--settle",
        type=click.FloatRange(min=0.1),
        help="Seconds to wait before a lost answer is taken for a refusal (180).",
    ),
    *_BOUNDS,
    click.option(
        "--yes",
        "agreed",
        type=click.IntRange(0),
        metavar="N",
        help="Agree to at most N live sends or invitations; asked for otherwise.",
    ),
    click.option("--no-input", is_flag=True, help="Never ask anything."),
)
_WHICH = (
    click.option("--drafts-only", is_flag=True, help="Make drafts, send nothing."),
    click.option(
        "--update-drafts",
        is_flag=True,
        help="Change drafts too whose rows were edited after they were made.",
    ),
    click.option(
        "--only",
        metavar="ROWS",
        help="Take these rows alone: 4,7-12 as Excel shows them, or references.",
    ),
    click.option(
        "--canary",
        type=click.IntRange(1),
        metavar="N",
        help="Take the first N rows in the order of sends, then stop.",
    ),
)
_READING = (
    click.argument("workbook", type=_PATH),
    click.option(
        "--kind",
        type=click.Choice([kind.value for kind in SheetKind]),
        help="What the rows are; found from the sheet otherwise.",
    ),
    click.option("--sheet", help="Name of the sheet to read."),
    click.option(
        "--files", "files_root", type=_PATH, help="Folder of the attachments."
    ),
    click.option(
        "--send",
        is_flag=True,
        help="Send the rows of a sheet that has no send column.",
    ),
    click.option(
        "--include-hidden", is_flag=True, help="Read hidden and filtered rows too."
    ),
    click.option(
        "--accept",
        type=click.Choice(["coordinates", "alike", "patterns", "missing"]),
        multiple=True,
        help="Take, with a warning, the one place that mistyped coordinates can mean; "
        "or new rows that look like one drafted or sent before; or patterns that mean "
        "many files, or files of any folder; or that rows which are no longer in the "
        "workbook leave.",
    ),
    click.option(
        "--allow-owner",
        is_flag=True,
        help="Let the workbook invite owners, who may do everything.",
    ),
)
_WORKBOOK = (
    *_READING,
    click.option("--result", type=_PATH, help="Where to write the result workbook."),
)


def output_options(command: F) -> F:
    """Add --json and --quiet."""
    return _added(command, _OUTPUT)


def journal_options(command: F) -> F:
    """Add what it takes to find a journal."""
    return _added(command, _JOURNAL)


def service_options(command: F) -> F:
    """Add what it takes to reach a service."""
    return _added(command, _SERVICE)


def run_options(command: F) -> F:
    """Add what bounds a run that sends."""
    return _added(command, _RUN)


def which_options(command: F) -> F:
    """Add which rows a run takes, and how far."""
    return _added(command, _WHICH)


def plan_options(command: F) -> F:
    """Add the workbook of a plan, how to read it, and what bounds the plan."""
    return _added(command, (*_READING, *_WHICH, *_BOUNDS))


def workbook_options(command: F) -> F:
    """Add the workbook and how to read it."""
    return _added(command, _WORKBOOK)


def _added(command: F, options: tuple[Callable[[F], F], ...]) -> F:
    return reduce(lambda done, option: option(done), reversed(options), command)


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What every command opens with."""

    toolkit: Toolkit
    stopping: Stopping
    progress: TerminalProgress | LineProgress | NoProgress
    as_json: bool
    telling: Telling = field(default_factory=Telling)
    """How people hear of the run who are not at the screen."""

    @property
    def settings(self) -> Settings:
        """Give the settings."""
        return self.toolkit.settings


def open_surroundings(options: dict[str, Any]) -> Surroundings:
    """Decide the settings and get ready, from the options of a command.

    Raises:
        SettingsError: A setting cannot be used.
    """
    names = (
        "profile",
        "base_url",
        "key_file",
        "journal",
        "workers",
        "settle",
        "keep_reserve",
    )
    settings = load_settings(
        {name: options.get(name) for name in names},
        environment=os.environ,
        folder=Path.cwd(),
    )
    _log.keep_out(settings.key)
    _log.start(state_folder() / "log", debug=bool(os.environ.get("KAWE_DEBUG")))
    stopping = Stopping()
    progress = progress_for(quiet=bool(options.get("quiet")))
    telling = telling_of(click.get_current_context(silent=True))
    return Surroundings(
        toolkit=Toolkit(
            settings=settings, progress=progress, halt=stopping, alerts=telling
        ),
        stopping=stopping,
        progress=progress,
        as_json=bool(options.get("as_json")),
        telling=telling,
    )


def reading_of(options: dict[str, Any]) -> Reading:
    """Say how the workbook of a command is to be read."""
    kind = options.get("kind")
    return Reading(
        workbook=options["workbook"],
        kind=None if kind is None else SheetKind(kind),
        sheet=options.get("sheet"),
        files_root=options.get("files_root"),
        send_by_default=bool(options.get("send")),
        include_hidden=bool(options.get("include_hidden")),
        allows_owners=bool(options.get("allow_owner")),
        accepts_coordinates="coordinates" in options.get("accept", ()),
        accepts_alike="alike" in options.get("accept", ()),
        accepts_patterns="patterns" in options.get("accept", ()),
        accepts_missing="missing" in options.get("accept", ()),
    )
