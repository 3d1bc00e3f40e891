"""`kawe work`: workbooks in the folders of many accounts become runs."""

import asyncio
import os
import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Final, TypeAlias

import click

from kawe.cases.batches.handing_out import HostWork
from kawe.cases.batches.working import MAY_HELP, Worked, work_folder
from kawe.cases.kit import NoProgress, Toolkit
from kawe.cases.records.watching import Watching, repeat, watch_once
from kawe.cli.output import printing
from kawe.cli.output.exit import say
from kawe.cli.output.log import keep_out
from kawe.cli.shared.declaring import command, option, options_class
from kawe.cli.shared.options import CommandContext, OutputOptions, open_context
from kawe.cli.watch import looked_lines, tell_news
from kawe.domain.batch.exit_codes import ExitCode, worst_of
from kawe.domain.batch.runs import run_id
from kawe.domain.service.watching import NEAR_DAYS
from kawe.domain.text.texts import one_line
from kawe.errors import KaweError, StoreFault
from kawe.settings.loading import load_settings
from kawe.settings.working import NEWS, Inbox, load_inboxes

_AWAY_SECONDS: Final = 5
_NOTHING: Final = "No workbook was waiting, or none has changed since its last run."
_Take: TypeAlias = Callable[[], Awaitable[None]]


@options_class
class _WorkOptions:
    once: bool = option("--once", help="Do one round and end, as a scheduler wants.")
    every: int = option(
        "--every",
        type=click.IntRange(5, 24 * 3600),
        default=60,
        metavar="SECONDS",
        help="Time between rounds.",
    )
    accounts: int = option(
        "--accounts",
        type=click.IntRange(1, 64),
        default=4,
        metavar="NUMBER",
        help="Accounts that run at the same time, at most.",
    )
    database: str | None = option(
        "--database",
        metavar="URL",
        help="Do what the hosts of this PostgreSQL database have to do; the journals "
        "are in it.",
    )
    output: OutputOptions


@command("kawe work --once")
def work(options: _WorkOptions) -> int:
    """Submit what people put into folders, for the accounts of many profiles.

    A profile with [profile.NAME.work] has a folder and a number yes: so many
    sends of one workbook are agreed to, and one with more is left for a person.
    What was done goes into done, what cannot be read into not-read, with the
    reason. All else stays, and is taken up again once it has changed. Each
    profile uses its own key, journal and pace.

    Any number of hosts with the same settings and folders may name the same
    --database: each account is worked at by one of them at a time, and what
    kawe submit --detach has put there is carried out by whichever is free.
    """
    inboxes = load_inboxes(environment=os.environ)
    context = open_context(None, options.output)
    if context.as_json and not options.once:
        raise click.UsageError("--json belongs to --once.")
    if options.database is not None:
        # Refuses an address of something else, or with a password.
        context.settings.place_at(options.database)
    elif any(each.watch for each in inboxes):
        _say("watch holds with --database alone. Without it, kawe watch looks.")
    kind = _Rounds if options.database is None else _Hosts
    rounds = kind(context=context, options=options, inboxes=inboxes)
    return rounds.one() if options.once else rounds.many()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rounds:
    context: CommandContext
    options: _WorkOptions
    inboxes: tuple[Inbox, ...]

    def one(self) -> int:
        """Do one round, and say how each workbook stands."""
        worked: list[Worked] = []
        asyncio.run(self._round(worked.append))
        code = worst_of(each.exit_code for each in worked)
        if self.context.state.stopping.asked:
            code = ExitCode.INTERRUPTED
        return self.context.answer(
            "work",
            lambda: {"workbooks": [asdict(each) for each in worked]},
            code=code,
            lines=[_line(each) for each in worked] or [_NOTHING],
        )

    def many(self) -> int:
        """Do a round now and then, until the person ends it."""
        asyncio.run(self._rounds())
        click.echo("Ended. The next kawe work goes on from here.")
        return ExitCode.DONE

    async def _rounds(self) -> None:
        """Look into each folder now and then; a long run holds up no other account."""
        often = partial(
            repeat,
            clock=self.context.toolkit.clock,
            halt=self.context.state.stopping,
            every_seconds=self.options.every,
            say=_say,
        )
        await self._each(often, tell=_teller())

    async def _round(self, tell: Callable[[Worked], None]) -> None:
        await self._each(lambda take: take(), tell=tell)

    async def _each(
        self, do: Callable[[_Take], Awaitable[None]], *, tell: Callable[[Worked], None]
    ) -> None:
        """Take up all folders at once; profiles with one journal take turns."""
        kawe, gate = self.context.toolkit, asyncio.Semaphore(self.options.accounts)
        sharing: dict[object, list[Inbox]] = {}
        for each in self.inboxes:
            place: object = each.profile
            # What an account lacks is said when its folder is taken up.
            with suppress(KaweError):
                place = self._open(each).settings.journal_place()
            sharing.setdefault(place, []).append(each)

        async def take(inboxes: Sequence[Inbox]) -> None:
            for each in inboxes:
                await work_folder(kawe, each, opens=self._open, gate=gate, tell=tell)

        await asyncio.gather(*(do(partial(take, each)) for each in sharing.values()))

    def _open(self, inbox: Inbox) -> Toolkit:
        flags = {"profile": inbox.profile}
        settings = load_settings(flags, environment=os.environ, folder=inbox.folder)
        keep_out(settings.key)
        own = self.context.toolkit
        key = settings.base_url, settings.key or settings.profile
        own.profiles.check(settings, key)
        run = replace(own.run, id=run_id(datetime.now(UTC), choose=secrets.choice))
        return replace(
            own, settings=settings, progress=NoProgress(), run=run, told=None
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Hosts(_Rounds):
    """Rounds of which each part is done by one of several hosts."""

    async def _rounds(self) -> None:
        """Go on until the person ends it, also after the database was away."""
        work, halt = self._work(_teller()), self.context.state.stopping
        places = await work.make_ready()
        while not halt.asked:
            try:
                await work.take(places, every_seconds=self.options.every)
            except StoreFault as fault:
                _say(str(fault))
                await self.context.toolkit.clock.sleep(_AWAY_SECONDS)

    async def _round(self, tell: Callable[[Worked], None]) -> None:
        work = self._work(tell)
        await work.take(await work.make_ready(), every_seconds=None)

    def _work(self, tell: Callable[[Worked], None]) -> HostWork:
        return HostWork(
            url=str(self.options.database).strip(),
            accounts=self.options.accounts,
            toolkit=self.context.toolkit,
            inboxes={each.profile: each for each in self.inboxes},
            opens=self._open,
            tell=tell,
            watches=self._watch,
        )

    async def _watch(self, inbox: Inbox) -> None:
        watching = Watching(
            folder=inbox.folder / NEWS,
            near_days=NEAR_DAYS,
            memory=inbox.folder / ".kawe-watch.json",
        )
        tell = partial(tell_news, profile=inbox.profile, command=None)
        try:
            looked = await watch_once(self._open(inbox), watching, tell=tell)
        except KaweError as trouble:
            _say(f"{inbox.profile}: {trouble}")
            return
        if looked is not None:
            printing.print_lines(f"{inbox.profile}: {e}" for e in looked_lines(looked))


def _teller() -> Callable[[Worked], None]:
    """Tell of each workbook; of one that is tried again, once while it is the same."""
    told: dict[tuple[str, str], str] = {}

    def tell(worked: Worked) -> None:
        line, at = _line(worked), (worked.profile, worked.workbook)
        if worked.exit_code not in MAY_HELP or told.get(at) != line:
            printing.print_lines([line])
        told[at] = line

    return tell


def _say(words: str) -> None:
    say(f"kawe: {words}")


def _line(worked: Worked) -> str:
    where = one_line(str(worked.lies_at), limit=400)
    name = one_line(worked.workbook, limit=200)
    lies = f" It lies at {where}" if worked.lies_at.exists() else ""
    return f"{worked.profile}: {name}: {worked.words.rstrip('.')}.{lies}"
