"""What commands share: options, how a run begins, and the surroundings they open."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import click

from kawe.cli import _log
from kawe.cli._declaring import argument, option, options_class
from kawe.cli._exit import Course, Stopping
from kawe.cli._progress import LineProgress, NoProgress, TerminalProgress, progress_for
from kawe.cli._telling import NotifyOptions, Telling, telling_of
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.text.texts import one_line
from kawe.errors import SettingsError
from kawe.settings import Settings, load_settings, state_folder
from kawe.toolkit import Reading, Toolkit
from kawe.toolkit.kinds import KINDS


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


@options_class
class OutputOptions:
    """How a command speaks."""

    as_json: bool = option("--json", help="Print one JSON document.")
    quiet: bool = option("--quiet", "-q", help="Print no progress.")


@options_class
class JournalOptions:
    """What it takes to find a journal."""

    profile: str | None = option("--profile", help="Profile of the settings to use.")
    base_url: str | None = option("--base-url", help="Address of the service.")
    key_file: Path | None = option(
        "--key-file", type=_PATH, help="File that holds the key."
    )
    journal: Path | None = option(
        "--journal", type=_PATH, help="Where the journal lies."
    )


@options_class
class ServiceOptions(JournalOptions):
    """What it takes to reach a service."""

    workers: int | None = option(
        "--workers", type=click.IntRange(1, 64), help="Requests in flight (8)."
    )


@options_class
class LookOptions:
    """The options of a command that only looks into the journal."""

    journal: JournalOptions
    output: OutputOptions


@options_class
class BoundOptions:
    """How many tokens may be spent."""

    max_tokens: int | None = option(
        "--max-tokens", type=click.IntRange(0), help="Spend at most so many tokens."
    )
    keep_reserve: int | None = option(
        "--keep-reserve", type=click.IntRange(0), help="Leave so many tokens untouched."
    )


@options_class
class RunOptions:
    """What bounds a run that sends."""

    settle: float | None = option(
        "--settle",
        type=click.FloatRange(min=0.1),
        help="Seconds to wait before a lost answer is taken for a refusal (180).",
    )
    bounds: BoundOptions
    agreed: int | None = option(
        "--yes",
        type=click.IntRange(0),
        metavar="N",
        help="Agree to at most N live sends or invitations; asked for otherwise.",
    )
    no_input: bool = option("--no-input", help="Never ask anything.")


@options_class
class WhichOptions:
    """Which rows a run takes, and how far."""

    drafts_only: bool = option("--drafts-only", help="Make drafts, send nothing.")
    update_drafts: bool = option(
        "--update-drafts",
        help="Change drafts too whose rows were edited after they were made.",
    )
    only: str | None = option(
        "--only",
        metavar="ROWS",
        help="Take these rows alone: 4,7-12 as Excel shows them, or references.",
    )
    canary: int | None = option(
        "--canary",
        type=click.IntRange(1),
        metavar="N",
        help="Take the first N rows in the order of sends, then stop.",
    )


@options_class
class ReadingOptions:
    """The workbook, and how to read it."""

    workbook: Path = argument(type=_PATH)
    kind: str | None = option(
        "--kind",
        type=click.Choice(KINDS),
        help="What the rows are; found from the sheet otherwise.",
    )
    sheet: str | None = option("--sheet", help="Name of the sheet to read.")
    files_root: Path | None = option(
        "--files", type=_PATH, help="Folder of the attachments."
    )
    send: bool = option(
        "--send", help="Send the rows of a sheet that has no send column."
    )
    include_hidden: bool = option(
        "--include-hidden", help="Read hidden and filtered rows too."
    )
    accept: tuple[str, ...] = option(
        "--accept",
        type=click.Choice(["coordinates", "alike", "patterns", "missing"]),
        multiple=True,
        help="Take, with a warning, the one place that mistyped coordinates can mean; "
        "or new rows that look like one drafted or sent before; or patterns that mean "
        "many files, or files of any folder; or that rows which are no longer in the "
        "workbook leave.",
    )
    allow_owner: bool = option(
        "--allow-owner", help="Let the workbook invite owners, who may do everything."
    )


def flags_of_a_plan(reading: ReadingOptions, which: WhichOptions) -> dict[str, object]:
    """Give the flags that say what a plan is, with their values."""
    return {
        "--kind": reading.kind,
        "--sheet": reading.sheet,
        "--send": reading.send,
        "--include-hidden": reading.include_hidden,
        "--accept": reading.accept,
        "--allow-owner": reading.allow_owner,
        "--update-drafts": which.update_drafts,
    }


@options_class
class WorkbookOptions(ReadingOptions):
    """The workbook, how to read it, and where its result goes."""

    result: Path | None = option(
        "--result", type=_PATH, help="Where to write the result workbook."
    )


@options_class
class ToldOptions:
    """Whom to tell of a run, besides those whom the settings name."""

    notify_cmd: str | None = option(
        "--notify-cmd",
        metavar="CMD",
        help="Run this program with a message when the run has ended.",
    )


class ToldCommand(click.Command):
    """A command of whose end people are told who are not at the screen."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,  # noqa: ANN401 - click's
    ) -> click.Context:
        """Take the command line apart; a run ends there too if it cannot be."""
        try:
            return super().make_context(info_name, args, parent, **extra)
        except click.UsageError:
            self._begin(parent, {})
            raise

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's
        """Run the command as something that people are told of."""
        self._begin(ctx, ctx.params)
        return super().invoke(ctx)

    def _begin(
        self, context: click.Context | None, given: Mapping[str, object]
    ) -> None:
        course = None if context is None else context.find_object(Course)
        if course is None:
            return
        text = {name: str(value) for name, value in given.items() if value is not None}
        course.telling = Telling()
        course.telling.begin(
            str(self.name),
            subject=Path(text.get("workbook") or text.get("batch", "")).stem,
            options=NotifyOptions(
                profile=text.get("profile"), notify_cmd=text.get("notify_cmd")
            ),
        )


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


def open_surroundings(
    place: JournalOptions | None = None,
    output: OutputOptions | None = None,
    *,
    run: RunOptions | None = None,
    bounds: BoundOptions | None = None,
) -> Surroundings:
    """Decide the settings and get ready, from the options of a command.

    Raises:
        SettingsError: A setting cannot be used.
    """
    flags = {} if place is None else asdict(place)
    if run is not None:
        flags["settle"], bounds = run.settle, run.bounds
    if bounds is not None:
        flags["keep_reserve"] = bounds.keep_reserve
    settings = load_settings(
        flags,
        environment=os.environ,
        folder=Path.cwd(),
    )
    _log.keep_out(settings.key)
    _log.start(state_folder() / "log", debug=bool(os.environ.get("KAWE_DEBUG")))
    stopping = Stopping()
    progress = progress_for(quiet=output is not None and output.quiet)
    telling = telling_of(click.get_current_context(silent=True))
    return Surroundings(
        toolkit=Toolkit(
            settings=settings, progress=progress, halt=stopping, alerts=telling
        ),
        stopping=stopping,
        progress=progress,
        as_json=output is not None and output.as_json,
        telling=telling,
    )


def reading_of(options: ReadingOptions) -> Reading:
    """Say how the workbook of a command is to be read."""
    return Reading(
        workbook=options.workbook,
        kind=None if options.kind is None else SheetKind.named(options.kind),
        sheet=options.sheet,
        files_root=options.files_root,
        send_by_default=options.send,
        include_hidden=options.include_hidden,
        allows_owners=options.allow_owner,
        accepts_coordinates="coordinates" in options.accept,
        accepts_alike="alike" in options.accept,
        accepts_patterns="patterns" in options.accept,
        accepts_missing="missing" in options.accept,
    )
