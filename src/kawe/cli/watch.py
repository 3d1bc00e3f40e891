"""`kawe watch`: who has answered, round by round."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, time
from functools import partial
from pathlib import Path
from typing import Final

import click

from kawe.cases.records.reporting import period_of
from kawe.cases.records.watching import Looked, Watching, one_watch, repeat, watch_once
from kawe.cli.output import printing
from kawe.cli.output.exit import say
from kawe.cli.shared.declaring import command, option, options_class, output
from kawe.cli.shared.notifying import send_apart
from kawe.cli.shared.options import AskOptions, CommandContext
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.text.new_zealand import NEW_ZEALAND
from kawe.domain.text.notices import Notice, NoticeKind
from kawe.domain.text.texts import counted, one_line
from kawe.errors import ServiceError
from kawe.flows.watch.telling import counts_words, line_of

_SHOWN: Final = 20


@options_class
class _WatchOptions:
    folder: Path = output(
        "Folder for the workbooks and pages.",
        is_folder=True,
        default=Path("what-is-new"),
    )
    once: bool = option("--once", help="Do one round and end, as a scheduler wants.")
    every: int = option(
        "--every",
        type=click.IntRange(5, 24 * 60),
        default=10,
        metavar="MINUTES",
        help="Time between rounds; the service advises 5 to 15.",
    )
    near_days: int = option(
        "--near",
        type=click.IntRange(0, 60),
        default=5,
        metavar="DAYS",
        help="Working days before a respond by without an answer, or the end of an "
        "invitation, at which it is reported.",
    )
    since: str | None = option(
        "--since",
        metavar="DAY",
        help="In the first round, report what is new since this day, as 1/10/2026.",
    )
    notify_cmd: str | None = option(
        "--notify-cmd",
        metavar="CMD",
        help="Run this program with a message when something is new.",
    )
    ask: AskOptions


@command("kawe watch --once")
def watch(options: _WatchOptions) -> int:
    """Say what is new in the team's projects: who answered, and what comes near.

    Every round that finds something writes a workbook and a page: responses of
    iwi, changes of status, whether your next response is free, and invitations
    that expire. Who is late, or soon will be, is named once a day. The first
    round else only learns how things stand. Projects that were sent without kawe
    are watched as well. Ctrl-C ends it; nothing is lost, and the next round
    catches up.
    """
    context = options.ask.open()
    if context.as_json and not options.once:
        raise click.UsageError("--json belongs to --once.")
    with one_watch(context.toolkit):
        rounds = _Rounds(context=context, options=options)
        return rounds.one() if options.once else rounds.many()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rounds:
    context: CommandContext
    options: _WatchOptions

    def one(self) -> int:
        """Do one round."""
        if (looked := asyncio.run(self._look(self._since()))) is None:
            say("kawe: stopped. The next round does this one again.")
            return ExitCode.INTERRUPTED
        return self.context.answer(
            "watch",
            looked.as_json,
            code=ExitCode.ROWS_WAIT_FOR_PERSON if looked.lost else ExitCode.DONE,
            lines=looked_lines(looked),
        )

    def many(self) -> int:
        """Do a round now and then, until the person ends it."""
        since = [self._since()]

        async def look() -> None:
            if (looked := await self._look(since[0])) is not None:
                since[0] = None
                printing.print_lines(looked_lines(looked))

        asyncio.run(
            repeat(
                look,
                clock=self.context.toolkit.clock,
                halt=self.context.state.stopping,
                every_seconds=self.options.every * 60,
                say=lambda words: say(f"kawe: {words}"),
            )
        )
        click.echo("Ended. The next kawe watch goes on from here.")
        return ExitCode.DONE

    def _since(self) -> datetime | None:
        if self.options.since is None:
            return None
        period = period_of(self.context.toolkit, since=self.options.since, until=None)
        return datetime.combine(period.since_on, time(), NEW_ZEALAND)

    async def _look(self, since: datetime | None) -> Looked | None:
        options = self.options
        watching = Watching(
            folder=options.folder, near_days=options.near_days, since=since
        )
        tell = partial(
            tell_news, profile=options.ask.service.profile, command=options.notify_cmd
        )
        try:
            return await watch_once(self.context.toolkit, watching, tell=tell)
        except ServiceError:
            # What was asked was not waited for any longer.
            if self.context.state.stopping.asked:
                return None
            raise
        finally:
            self.context.progress.close()


def tell_news(looked: Looked, *, profile: str | None, command: str | None) -> None:
    """Tell people that something is new, and not what anybody wrote."""
    if not looked.counts:
        return
    counts, team = counts_words(looked.counts), one_line(looked.team, limit=80)
    # No folder: a message passes through other people's servers.
    where = "" if looked.workbook is None else looked.workbook.name
    said = f"{team}, {looked.mode}: {counts}."
    read = f"Who and what stands in {where}, where kawe watch runs."
    notice = Notice(
        kind=NoticeKind.NEWS,
        command="watch",
        headline=counts,
        sentences=(said, read),
        at=looked.at,
        team=team,
        mode=looked.mode,
        counts=looked.counted,
    )
    send_apart(notice, profile=profile, command=command, is_asked=False)


def looked_lines(looked: Looked) -> Iterator[str]:
    """Say what a round found."""
    found = looked.found
    at = f"{looked.at.astimezone(NEW_ZEALAND):%H:%M}"
    projects = counted(found.projects, "project")
    yield from found.remarks
    if found.is_first and looked.workbook is None:
        yield (
            f"{at}: {projects} of {one_line(looked.team)}. kawe knows now how they "
            "stand; the next round says what is new."
        )
        return
    yield f"{at}: {projects}; {counts_words(looked.counts)}."
    for one in found.news[:_SHOWN]:
        yield f"  {line_of(one)}"
    if len(found.news) > _SHOWN:
        yield f"  {len(found.news) - _SHOWN:,} more in the workbook."
    if looked.workbook is not None:
        yield f"Workbook: {one_line(str(looked.workbook))}"
        yield f"Page: {one_line(str(looked.page))}"
