"""The options that commands share, and the command's context."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from kawe.cases.care.journals import JournalChoice, choose_journal, require_journal
from kawe.cases.kinds import KINDS
from kawe.cases.kit import NoProgress, Toolkit
from kawe.cases.session import Session, open_session
from kawe.cli.output import printing
from kawe.cli.output.exit import ExitState, current_state, say
from kawe.cli.output.log import keep_out
from kawe.cli.output.next_command import for_everybody
from kawe.cli.shared.declaring import (
    ChoiceOf,
    PathType,
    argument,
    option,
    options_class,
    rare,
    yes,
)
from kawe.cli.shared.progress import LineProgress, TerminalProgress, progress_for
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.batch.readings import READING_OPTIONS, Reading
from kawe.domain.batch.runs import RunName
from kawe.domain.batch.saved_plans import PlannedLimits
from kawe.domain.text.texts import one_line
from kawe.errors import KaweError
from kawe.machine import account_name
from kawe.settings.loading import load_settings
from kawe.settings.values import Settings
from kawe_contract.enums import UserRole

_PLACES: Final = ("profile", "base_url", "key_file")
_MOST: Final = 400


def batches(
    context: click.Context, _parameter: click.Parameter, typed: str
) -> list[str]:
    """Give the batches of the journal, the newest first; none if it cannot be read."""
    try:
        names = asyncio.run(_batches(context))
    except (KaweError, OSError):
        return []
    fitting = [each for each in names if each.startswith(typed)]
    return [each for each in fitting if one_line(each) == each][:_MOST]


async def _batches(context: click.Context) -> list[str]:
    from kawe.cases.python import open_kawe  # noqa: PLC0415 (start-up)

    flags = {name: context.params.get(name) for name in _PLACES}
    journals = context.params.get("journals")
    toolkit = open_kawe(**flags, journal=journals[-1] if journals else None)
    async with toolkit.open_journal(read_only=True) as journal:
        return [each.name for each in reversed(await journal.batches())]


T = TypeVar("T")


@options_class
class OutputOptions:
    """How a command prints."""

    as_json: bool = rare("--json", help="Print one JSON document.")
    quiet: bool = rare("--quiet", "-q", help="Print no progress.")
    verbose: bool = rare("--verbose", "-v", help="Print all that was found.")
    no_color: bool = rare("--no-color", help="Print without colour.")


@options_class
class JournalOptions:
    """The options that name a journal."""

    profile: str | None = rare("--profile", help="Profile of the settings to use.")
    base_url: str | None = rare("--base-url", help="Address of the service.")
    key_file: Path | None = rare("--key-file", help="File that holds the key.")
    journals: tuple[str, ...] = rare("--journal", help="Where the journal lies.")

    @property
    def journal(self) -> str | None:
        """Give the one that was named last: only an audit reads several."""
        return self.journals[-1] if self.journals else None

    @property
    def flags(self) -> dict[str, Any]:
        return asdict(self) | {"journal": self.journal}


@options_class
class ServiceOptions(JournalOptions):
    """The options that name a service."""

    workers: int | None = rare(
        "--workers", type=click.IntRange(1, 64), help="Requests in flight (8)."
    )


@options_class
class LookOptions:
    """The options of a command that only reads the journal."""

    journal: JournalOptions
    output: OutputOptions

    def open(
        self, *, is_strict: bool = False, may_be_missing: bool = False
    ) -> "CommandContext":
        """Open what the command needs, with the journal that is meant."""
        context = open_context(self.journal, self.output)
        settings = context.settings
        # On a server, an agreed run may be all that there is yet.
        is_there = settings.journal_server is None and not may_be_missing
        choice = choose_journal(
            settings, is_strict=is_strict, may_be_missing=not is_there
        )
        if settings.journal_server is None:
            settings = settings.keeping(choice.path)
        toolkit = replace(context.toolkit, settings=settings)
        return replace(context, toolkit=toolkit, choice=choice)


@options_class
class AskOptions:
    """The options of a command that asks the service."""

    service: ServiceOptions
    output: OutputOptions

    def open(self, **typed: float | None) -> "CommandContext":
        return open_context(self.service, self.output, **typed)


@options_class
class PersonOptions(AskOptions):
    """The options of a command that asks the service, and a person where one is."""

    never_asks: bool = option("--no-input", help="Never ask anything.")

    @property
    def no_input(self) -> bool:
        return self.never_asks or self.output.as_json


@options_class
class DayOptions:
    """A period, in days of New Zealand."""

    since: str | None = option(
        "--since", metavar="DAY", help="The first day, as 1/10/2026."
    )
    until: str | None = option(
        "--until", metavar="DAY", help="The last day; today if it is left out."
    )


@options_class
class BoundOptions:
    """How many tokens may be spent."""

    max_tokens: int | None = rare(
        "--max-tokens", type=click.IntRange(0), help="Spend at most so many tokens."
    )
    keep_reserve: int | None = rare(
        "--keep-reserve", type=click.IntRange(0), help="Leave so many tokens untouched."
    )


@options_class
class RunOptions(PersonOptions):
    """The options of a command that sends."""

    settle: float | None = rare(
        "--settle",
        type=click.FloatRange(min=0.1),
        help="Seconds to wait before a lost answer is taken for a refusal (180).",
    )
    bounds: BoundOptions
    agreed: int | None = yes(
        "Agree to at most N live sends or invitations; asked for otherwise."
    )
    notify_cmd: str | None = rare(
        "--notify-cmd",
        metavar="CMD",
        help="Run this program with a message when the run has ended.",
    )

    def open(self, **typed: float | None) -> "CommandContext":
        """Open what the command needs, within the bounds that were typed."""
        typed |= {"settle": self.settle, "keep_reserve": self.bounds.keep_reserve}
        return open_context(self.service, self.output, **typed)


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
    canary: int | None = rare(
        "--canary",
        type=click.IntRange(1),
        metavar="N",
        help="Take the first N rows in the order of sends, then stop.",
    )

    def limits(self, bounds: BoundOptions) -> PlannedLimits:
        return PlannedLimits(**asdict(self), max_tokens=bounds.max_tokens)


class _Accepted(click.Choice[str]):
    """What a person takes with a warning, also under its old name."""

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Read one; say once what an old name is called now."""
        if value == "alike":
            click.echo("--accept alike is called --accept repeats now.", err=True)
            value = "repeats"
        return super().convert(value, param, ctx)


def _of_reading(name: str, *, declare: Callable[..., Any] = rare, **more: Any) -> Any:  # noqa: ANN401 - a field's default
    """Declare an option as the table of readings has it."""
    said = READING_OPTIONS[name]
    flags = "/".join(f"--{word}" for word in said.name.split("/"))
    return declare(flags, help=f"{said.says}.", **more)


_ACCEPTED: Final = {
    field: said for field, said in READING_OPTIONS.items() if said.is_accepted
}


@options_class
class SheetOptions:
    """Which sheet is read, and which table of it."""

    sheet: str | None = _of_reading("sheet", declare=option)
    table: str | None = _of_reading("table", metavar="CELL")


@options_class
class RowsOptions(SheetOptions):
    """Which rows of it are read."""

    include_hidden: bool = _of_reading("include_hidden")
    takes_struck: bool | None = _of_reading("takes_struck")


@options_class
class ReadingOptions(RowsOptions):
    """The workbook, and how to read it."""

    workbook: Path = argument()
    kind: str | None = _of_reading("kind", type=ChoiceOf(KINDS))
    all_sheets: bool = rare(
        "--all-sheets", help="Read every sheet that is a list, each by itself."
    )
    takes_archives: bool | None = rare(
        "--include-archives/--skip-archives",
        help="With --all-sheets, read sheets called Archive, Draft or by an earlier "
        "year too, or leave them out.",
    )
    files_root: Path | None = _of_reading(
        "files_root",
        declare=option,
        type=PathType(exists=True, file_okay=False, path_type=Path),
    )
    places: Path | None = _of_reading("places", metavar="FILE")
    message: Path | None = _of_reading("message", metavar="FILE")
    send_by_default: bool = _of_reading("send_by_default", declare=option)
    is_strict: bool = _of_reading("is_strict")
    accept: tuple[str, ...] = rare(
        "--accept",
        type=_Accepted([each.name for each in _ACCEPTED.values()]),
        help=f"Take, with a warning, "
        f"{'; or '.join(each.says for each in _ACCEPTED.values())}.",
    )
    role: str | None = rare(
        "--role",
        type=click.Choice([each.lower() for each in UserRole], case_sensitive=False),
        help="Role of the people whose row says none.",
    )
    allows_owners: bool = _of_reading("allows_owners")

    @property
    def reading(self) -> Reading:
        """Say how to read it, in the words of every face."""
        said: dict[str, Any] = {
            field: said.name in self.accept
            if field in _ACCEPTED
            else getattr(self, field)
            for field, said in READING_OPTIONS.items()
        }
        given = {} if self.role is None else {"role": self.role.upper()}
        return Reading(workbook=self.workbook, given=given, **said)


@options_class
class WorkbookOptions(ReadingOptions):
    """The workbook, how to read it, and where its result goes."""

    result: Path | None = option("--result", help="Where to write the result workbook.")


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandContext:
    """What every command needs: toolkit, progress, and how it ends."""

    toolkit: Toolkit
    state: ExitState
    progress: TerminalProgress | LineProgress | NoProgress
    as_json: bool
    verbose: bool = False
    """Whether all is printed, however much it is."""
    asked: frozenset[str] = frozenset()
    """The shapes of sheets of which a person has the table before them."""
    results: list[Path] = field(default_factory=list)
    """The results that a run has written."""
    choice: JournalChoice | None = None
    """The journal that was chosen; None: nobody chose one."""

    @property
    def settings(self) -> Settings:
        return self.toolkit.settings

    def answer(
        self,
        schema: str,
        document: Callable[[], Mapping[str, Any]],
        *,
        lines: Iterable[str],
        code: ExitCode = ExitCode.DONE,
        waits: Sequence[Outcome] = (),
    ) -> ExitCode:
        """Print the one answer of a command; give its exit code.

        An answer from a journal names the journals where several may be meant: “no row
        waits” is said of one alone. Rows of `waits` in another make a code of 0 one for
        rows that wait.
        """
        choice, more = self.choice, {}
        if choice is not None and not choice.is_plain:
            if code is ExitCode.DONE and choice.waits_elsewhere(waits):
                code = ExitCode.ROWS_WAIT_FOR_PERSON
            more = {"journals": choice.as_json()}
            lines = (*choice.before(), *lines, *choice.after())
        return printing.answer(
            schema,
            lambda: {**document(), **more},
            lines=lines,
            as_json=self.as_json,
            code=code,
        )

    def at_service(
        self,
        case: Callable[[Session], Awaitable[T]],
        *,
        read_only: bool = False,
        heeds: bool = True,
    ) -> T:
        """Carry a case out in a session of its own.

        One that `heeds` a signal ends by itself; another one is cut short.
        """

        async def run() -> T:
            async with open_session(self.toolkit, read_only=read_only) as session:
                with self.state.stopping.on_signals() if heeds else nullcontext():
                    done = await case(session)
                self.progress.close()
                return done

        return asyncio.run(run())

    def own_journal(self) -> None:
        """Make sure that the key has a journal; say what waits in others.

        Raises:
            KeyMissing: No key was given.
            JournalError: It has none, and another key has.
        """
        self.settings.service_key()
        for line in require_journal(self.settings).after():
            say(line)


def open_context(
    place: JournalOptions | None, output: OutputOptions, **typed: float | None
) -> CommandContext:
    """Load the settings, with these too that were typed, and open the context."""
    flags = ({} if place is None else place.flags) | typed
    settings = load_settings(flags, environment=os.environ, folder=Path.cwd())
    if output.no_color:
        click.get_current_context().color = False
    keep_out(settings.key)
    state = current_state()
    run = state.run
    progress = progress_for(quiet=output.quiet or settings.log_to == "stderr")
    run.is_quiet = output.quiet or output.as_json
    run.mode = settings.key_mode
    return CommandContext(
        toolkit=Toolkit(
            settings=settings,
            progress=progress,
            halt=state.stopping,
            alerts=state.notices,
            told=state,
            says=for_everybody,
            run=RunName(id=run.id, who=settings.author or account_name()),
        ),
        state=state,
        progress=progress,
        as_json=output.as_json,
        verbose=output.verbose,
    )
