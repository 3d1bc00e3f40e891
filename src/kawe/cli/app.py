"""The command `kawe`. It imports a command only when that command is called.

`kawe --help` must be quick, so the table below has the line of each command.
"""

import importlib
import sys
from functools import partial
from typing import Final

import click

from kawe import __version__
from kawe.cli.shared.later import SHOWS_ALL, help_all, import_now, importing_later

GROUPS: Final = {
    "Set up": {
        "init": "Set kawe up: where the service is, and your key.",
        "doctor": "Look for what would stand in the way of a run.",
        "template": "Write a workbook to fill in, or of what is so now.",
        "columns": "Show and change how the columns of your sheets are read.",
    },
    "Every month": {
        "check": "Check a workbook; send nothing.",
        "plan": "Say what a submit would do, and at what cost; change nothing.",
        "approve": "Read a plan, and sign it with a key of your own.",
        "submit": "Check a workbook, make drafts, send them to iwi.",
        "status": "Say what became of a batch or a row; write its result again.",
        "watch": "Say which iwi have answered, and what else is new.",
        "desk": "Do all of this on a page in your browser.",
        "work": "Submit what people put into folders, for many accounts.",
    },
    "When something waits": {
        "waiting": "List all rows that wait: for tokens, for a person, in doubt.",
        "release": "Let rows go on that waited for tokens.",
        "resolve": "Decide about a row that is held.",
    },
    "For the record": {
        "export": "Save receipts and lists for the record; verify what was saved.",
        "audit": "State what was sent in a period, and what does not fit.",
        "journal": "Say whether the journal is as kawe left it.",
    },
    "Learn": {
        "demo": "Go through everything once against a service on this machine.",
        "serve": "Run the service on this machine, to learn and rehearse.",
    },
}
_COMPLETES: Final = "_KAWE_COMPLETE"
_HELP: Final = frozenset({"-h", "--help", "--help-all"})
_RARE: Final = frozenset({"work", "journal"})
"""They stand in --help-all alone."""
_GO_ON: Final = frozenset({"watch", "work"})
COMMANDS: Final = (*(name for group in GROUPS.values() for name in group), "help")
SHORT: Final = {
    "config": ("doctor", "--settings"),
    "fetch": ("template", "--now"),
    "undo": ("template", "--undo"),
    "verify": ("export", "verify"),
}
"""Names that stand for a command and what is first asked of it."""
_WIDTH: Final = max(map(len, COMMANDS))


class LazyGroup(click.Group):
    """A group that imports a command when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands, group by group."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        waits = not _HELP.isdisjoint(sys.argv) or sys.argv[1:2] == ["help"]
        from kawe.cli.output.command_run import loading  # noqa: PLC0415 - start-up

        with importing_later() if waits else loading():
            module = importlib.import_module(f"kawe.cli.{cmd_name}")
        command = getattr(module, cmd_name, None) or getattr(
            module, f"{cmd_name}_command"
        )
        assert isinstance(command, click.Command)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read `help COMMAND` and `version` as the options of that name."""
        if args[:1] == ["help"] and (len(args) == 1 or args[1] in {*COMMANDS, *SHORT}):
            args = [*args[1:], "--help"]
        elif args == ["version"]:
            args = ["--version"]
        return super().parse_args(ctx, in_full(args))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command, or say which one was perhaps meant."""
        if args[0].startswith("-"):
            return super().resolve_command(ctx, args)
        from kawe.cli.output.near_command import (  # noqa: PLC0415 - start-up
            meant,
            without_results,
            workbook_trouble,
        )

        if args[0] not in COMMANDS:
            raise click.UsageError(meant(*args, among=(*COMMANDS, *SHORT)), ctx)
        words, left_out = without_results(args[0], args[1:])
        if left_out:
            click.echo(f"Note: {left_out}", err=True)
        args = [args[0], *words]
        if (trouble := workbook_trouble(args[0], words)) is not None:
            raise click.UsageError(trouble, ctx)
        return super().resolve_command(ctx, args)

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """Write the groups without importing anything."""
        hidden = frozenset() if ctx.meta.get(SHOWS_ALL) else _RARE
        for group, commands in GROUPS.items():
            shown = [each for each in commands.items() if each[0] not in hidden]
            with formatter.section(group):
                formatter.write_dl([(f"{name:{_WIDTH}}", line) for name, line in shown])


def in_full(args: list[str]) -> list[str]:
    """Put the command and its option for a short name, such as `fetch`."""
    if args == ["undo"] or not args or args[0] not in SHORT:
        return args
    (command, first), words = SHORT[args[0]], args[1:]
    if args[0] == "config":
        words = [word for word in words if word not in {"show", "--origin"}]
    if args[0] != "undo":
        return [command, first, *words]
    if not _HELP.isdisjoint(words):
        return [command, *words]
    # The batch stands first, or after the options.
    at = len(words) - 1 if words[0].startswith("-") else 0
    return [command, *words[:at], first, *words[at:]]


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Begin with: kawe demo · kawe help",
)
@help_all("command")
@click.version_option(__version__, "-V", "--version", prog_name="kawe")
def kawe() -> None:
    """Carry workbooks of projects and invitations to iwi, no row twice."""


def main() -> None:
    """Run the command line; never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            # A pipe on Windows is cp1252 and has no ā; a terminal knows its own code.
            code = stream.encoding if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=code, errors="backslashreplace")  # type: ignore[union-attr]
    from kawe.cli.output.exit import (  # noqa: PLC0415 - kept out of --help
        ExitState,
        handle_termination,
        log_unraisable,
        run_and_exit,
    )

    sys.unraisablehook = log_unraisable
    state = ExitState()
    if _GO_ON.isdisjoint(sys.argv[1:2]):
        handle_termination()
        run_and_exit(partial(_carry_out, state), state)
    # Loading it takes so long that somebody may stop it meanwhile.
    with state.stopping.on_signals():
        run_and_exit(partial(_carry_out, state), state)


def _carry_out(state: object) -> int:
    try:
        return kawe.main(standalone_mode=False, obj=state, complete_var=_COMPLETES) or 0
    except BaseException:
        import_now()
        raise
