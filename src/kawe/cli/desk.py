"""`kawe desk`: the commands as a page in the browser of this computer."""

from __future__ import annotations

import asyncio
import os
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kawe.cases import save_named
from kawe.cases.care.journals import make_sure_of_journal
from kawe.cli.output import log
from kawe.cli.output.exit import ExitState, Stopping, run_to_end
from kawe.cli.shared.declaring import command, option, options_class, ports_opened
from kawe.cli.shared.notifying import RunNotices
from kawe.cli.shared.options import ServiceOptions
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.batch.runs import RunName
from kawe.errors import KaweError
from kawe.machine import account_name
from kawe.machine.installation import load_extra
from kawe.settings.loading import load_settings
from kawe.settings.values import Settings, state_folder

if TYPE_CHECKING:
    from kawe.desk.runs import DeskRun

_NOTIFIES = frozenset({"submit", "release"})


@options_class
class _DeskOptions:
    port: int = option(
        "--port",
        type=click.IntRange(0, 65535),
        default=0,
        help="Where it listens on this machine; a free port otherwise.",
    )
    no_open: bool = option("--no-open", help="Print the address; open no browser.")
    service: ServiceOptions


@command("kawe desk")
def desk(options: _DeskOptions) -> int:
    """Check, plan and submit workbooks on a page in your browser.

    The page is served on this computer alone, and opens for one browser. It does
    what the commands do: stopping the desk is like stopping the command, and what
    was begun goes on when you start it again.
    """
    serving = load_extra("kawe.desk.serving", extra="desk", called="The desk")
    around = _Around(options=options.service)
    asyncio.run(make_sure_of_journal(around.settings()))
    place, stopping = state_folder() / "open-desk.html", Stopping()

    def ready(address: str) -> None:
        click.echo(f"The desk is open at {address}")
        click.echo("The address works once. To end the desk, press Ctrl-C here.")
        if options.no_open:
            return
        save_named(place, serving.forwarding(address), called="page that opens it")
        if not webbrowser.open(place.as_uri()):
            click.echo("No browser could be opened: open the address yourself.")

    way_out = "Leave --port out: kawe desk takes a free one."
    try:
        with stopping.on_signals(), ports_opened([options.port], hint=way_out):
            serving.serve_desk(around, port=options.port, ready=ready, halt=stopping)
    finally:
        place.unlink(missing_ok=True)
    return ExitCode.DONE


@dataclass(frozen=True, slots=True, kw_only=True)
class _Around:
    """Implements `Around`: each run has its settings, log records and notices."""

    options: ServiceOptions

    def settings(self) -> Settings:
        flags = self.options.flags
        settings = load_settings(flags, environment=os.environ, folder=Path.cwd())
        log.keep_out(settings.key)
        return settings

    @property
    def profile(self) -> str:
        return self.options.profile or os.environ.get("KAWE_PROFILE") or "default"

    def keep_out(self, secret: str) -> None:
        log.keep_out(secret)

    def perform(
        self, command: str, workbook: Path | None, do: Callable[[DeskRun], int]
    ) -> KaweError | None:
        from kawe.desk.runs import FAULT  # noqa: PLC0415 - an extra

        state = ExitState()
        if command in _NOTIFIES:
            given = {"profile": self.options.profile, "workbook": workbook}
            state.notices = notices = RunNotices()
            notices.begin(command, given)
        with log.naming(state.run.id):
            state.run.begin_inside(f"desk {command}")
            end = run_to_end(lambda: do(self._run(state)), state)
        if end.code != ExitCode.UNEXPECTED or end.trouble is not None:
            return end.trouble
        return KaweError(message=FAULT, hint=f"Details: {log.place()}")

    def _run(self, state: ExitState) -> DeskRun:
        from kawe.desk.runs import DeskRun  # noqa: PLC0415 - an extra

        settings = self.settings()
        state.run.mode = settings.key_mode
        who = settings.author or account_name()
        name = RunName(id=state.run.id, who=who)
        return DeskRun(name=name, told=state, alerts=state.notices)
