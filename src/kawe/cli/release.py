"""`kawe release`: rows that waited for tokens go on."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import Any, Final

import click

from kawe.cases.batches.approving import check_release
from kawe.cases.batches.ending import Closing, Ending, Extracts, code_of_report
from kawe.cases.session import Session, open_session
from kawe.cases.waiting import releasing
from kawe.cases.waiting.releasing import ReadyRelease
from kawe.cli.output import printing
from kawe.cli.shared import running
from kawe.cli.shared.agreeing import ask_agreement, is_meant
from kawe.cli.shared.declaring import argument, command, option, options_class
from kawe.cli.shared.notifying import NotifyingCommand
from kawe.cli.shared.options import CommandContext, RunOptions, batches
from kawe.domain.batch.agreements import Budget
from kawe.domain.batch.exit_codes import ExitCode, worst_of
from kawe.domain.batch.runs import RELEASE
from kawe.domain.rows.entries import Batch, BatchName
from kawe.flows.wait.awaiting import Ended
from kawe.ports import Journal

_CLOSING: Final = {
    Ended.STOPPED: "Stopped; nothing is lost. Run the same command again to go on.",
    Ended.TIME_UP: "The time to wait is up. Run the same command again to go on.",
    Ended.ALLOWANCE_USED: "As many as were agreed to are sent; the others wait on.",
}


@options_class
class _ReleaseOptions:
    batch: str | None = argument(shell_complete=batches)
    waits_for_tokens: bool = option(
        "--wait", help="Look for tokens now and then, and go on until nothing waits."
    )
    poll_minutes: float | None = option(
        "--poll",
        type=click.FloatRange(5, 15),
        help="With --wait: minutes from one look to the next (10).",
    )
    for_hours: float | None = option(
        "--for",
        type=click.FloatRange(min=0, min_open=True, max=24 * 366),
        metavar="HOURS",
        help="With --wait: stop looking after so many hours.",
    )
    extracts: running.ExtractOptions
    run: RunOptions
    opening: running.OpenOptions


@command("kawe release · kawe release --wait --yes 40", cls=NotifyingCommand)
def release(options: _ReleaseOptions) -> int:
    """Send the rows that wait for tokens, the most urgent first.

    Those of BATCH, or else of all batches together. Each row is checked once
    more before it leaves. Whatever is agreed to with --yes or --max-tokens
    holds for all that one command sends, however long it waits.
    """
    if not options.waits_for_tokens and (options.poll_minutes or options.for_hours):
        raise click.UsageError("--poll and --for go with --wait.")
    context = options.run.open()
    code = asyncio.run(_release(context, options))
    options.opening.open(context.results, no_input=options.run.no_input)
    return code


async def _release(context: CommandContext, options: _ReleaseOptions) -> int:
    run, keeps_looking = options.run, options.waits_for_tokens
    agree = partial(is_meant, no_input=run.no_input)
    context.own_journal()
    async with open_session(context.toolkit, agree=agree) as session:
        ready = await releasing.count_release(
            session,
            options.batch,
            max_tokens=run.bounds.max_tokens,
            polls=keeps_looking,
        )
        face = _Releasing(
            context=context,
            batches=ready.batches,
            places=options.extracts.of_batches(
                context.toolkit, ready.batches, among=await session.journal.batches()
            ),
        )
        if not context.as_json:
            if not ready.has_work:
                return await face.none_goes(session, ready)
            printing.print_lines(f"{ready.called}: {each}" for each in ready.lines())
        async with session.asking(RELEASE, ready.names):
            await check_release(session, ready.names)
            budget = ask_agreement(
                ready.reach(session),
                budget=ready.budget,
                is_live=session.is_live,
                agreed=run.agreed,
                no_input=run.no_input,
            )
        if not keeps_looking:
            return await face.once(session, replace(ready, budget=budget))
    return await face.polling(budget, options)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Releasing:
    """A release of some batches, and the files beside the result of each."""

    context: CommandContext
    batches: Sequence[Batch]
    places: Mapping[BatchName, Extracts]

    async def none_goes(self, session: Session, ready: ReadyRelease) -> ExitCode:
        """Say and record that all rows wait, and write what was asked for."""
        code, balance = ExitCode.ROWS_WAIT_FOR_PERSON, session.account.balance
        ended = await self._as_they_stand(session.journal, tokens_left=balance)
        words = [*printing.waiting_lines([each.report for each in ended])]
        if ready.budget.max_tokens == 0:
            words = [f"--max-tokens leaves no token; waiting: {len(ready.rows):,}."]
        printing.print_lines(f"{ready.called}: {each}" for each in words)
        for each in ended:
            self.context.state.record(each.report, code=code, because=None)
            printing.print_lines(running.beside_lines(each))
        return code

    async def once(self, session: Session, ready: ReadyRelease) -> ExitCode:
        with self.context.state.stopping.on_signals():
            ending = await releasing.carry_out_release(
                session, ready.names, budget=ready.budget
            )
        self.context.progress.close()
        ended = await self._write(ending)
        return self._say(ended, code=worst_of(each.code for each in ended))

    async def polling(self, budget: Budget, options: _ReleaseOptions) -> ExitCode:
        """Poll for tokens until nothing waits; release when there are some."""
        latest: list[Closing] = []
        context = self.context

        async def report_round(ending: Ending) -> None:
            context.progress.close()
            latest[:] = await self._write(ending)
            if not context.as_json:
                self._say(latest, code=worst_of(each.code for each in latest))

        toolkit, hours = context.toolkit, options.for_hours
        until_at = hours and toolkit.clock.now() + timedelta(hours=hours)
        polling = releasing.polling_of(
            toolkit,
            every_minutes=options.poll_minutes or releasing.POLL_MINUTES,
            until_at=until_at or None,
        )
        with context.state.stopping.on_signals():
            ended = await polling.run(
                releasing.WaitingRelease(
                    toolkit=toolkit,
                    batches=tuple(batch.name for batch in self.batches),
                    budget=budget,
                    after_round=report_round,
                )
            )
        if latest:
            return self._say_end(ended, latest, is_said=True)
        async with toolkit.open_journal(read_only=True) as journal:
            now = await self._as_they_stand(journal)
        return self._say_end(ended, now, is_said=False)

    def _say_end(
        self, ended: Ended, now: Sequence[Closing], *, is_said: bool
    ) -> ExitCode:
        """Say why the release ended; how the batches stand `is_said` by a round."""
        code = ExitCode.ROWS_WAIT_FOR_PERSON
        if ended not in _CLOSING:
            code = worst_of(each.code for each in now)
        elif ended is Ended.STOPPED:
            code = ExitCode.INTERRUPTED
        is_missing = any(each.report.missing for each in now)
        if self.context.as_json or (is_missing and not is_said):
            self._say(now, code=code)
        elif not is_said:
            for each in now:
                printing.print_lines(running.beside_lines(each))
        if ended in _CLOSING and not self.context.as_json:
            click.echo(_CLOSING[ended])
        return code

    async def _write(self, ending: Ending) -> list[Closing]:
        return [
            running.closed(self.context, await ending.write(e), self.places[e.name])
            for e in self.batches
        ]

    async def _as_they_stand(
        self, journal: Journal, *, tokens_left: int | None = None
    ) -> list[Closing]:
        """Report the batches, for which nothing was sent."""
        ended, toolkit = [], self.context.toolkit
        frame = replace(await toolkit.frame(journal), tokens_left=tokens_left)
        for batch in self.batches:
            report = await toolkit.report(batch, journal=journal, frame=frame)
            now = Closing(report=report, result=None, code=code_of_report(report))
            ended.append(self.places[batch.name].write(now))
        return ended

    def _say(self, ended: Sequence[Closing], *, code: ExitCode) -> ExitCode:
        """Print how the batches stand."""

        def document() -> Mapping[str, Any]:
            if len(ended) == 1:
                return running.closing_document(ended[0])
            said = [(each.code, running.closing_document(each)) for each in ended]
            return {"batches": [printing.titled("release", *each) for each in said]}

        return self.context.answer(
            "release" if len(ended) == 1 else "releases",
            document,
            lines=(line for each in ended for line in running.closing_lines(each)),
            code=code,
        )
