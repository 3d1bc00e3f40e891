"""Doing the acts of a run: one look and one request for each, then its verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from kawe.domain.rows.entries import Entry
from kawe.domain.rows.identity import sha256_of
from kawe.domain.service.states import State, doubts_about
from kawe.domain.service.verdicts import NotDone, Reason, Step
from kawe.domain.text.next_steps import Next
from kawe.domain.text.texts import one_line
from kawe.flows.run import Run
from kawe.flows.submit.safe_retry import SafeRetry
from kawe.flows.submit.uploading import bring_files
from kawe.kinds.acts.columns import FETCHED, WAS
from kawe.kinds.acts.content import ActContent
from kawe.kinds.acts.deed import Deed, Said
from kawe.kinds.acts.deeds import DEEDS
from kawe.kinds.acts.fetched import is_as_fetched
from kawe.kinds.acts.table import ActLine, Proven
from kawe.kinds.acts.world import Unfit, World, read_world

_NO_TOKENS: Final = (
    "The team has no tokens left. The rows that are left were not asked for: buy "
    f"tokens, then {Next.AGAIN}."
)


def deed_of(act: ActLine, said: Said, world: World) -> Deed:
    """Say what an act asks for, as things stand.

    Raises:
        Unfit: It cannot be asked for; or what a column *Was* says has changed.
    """
    _make_sure_of_word(act, said)
    deed = DEEDS[act.word](said, world)
    for name, was in said.items():
        now = deed.before.get(name.removeprefix(WAS))
        if name.startswith(WAS) and now is not None and _plain(was) != _plain(now):
            if deed.is_so:
                continue
            raise Unfit(
                field=name,
                message=f"It has changed since: it is “{one_line(now, limit=80)}” now.",
                advice="Look at it again, and correct both cells or empty this one.",
                rule="act-changed-since",
            )
    return deed


def _make_sure_of_word(act: ActLine, said: Said) -> None:
    """Refuse a row that says under *Do* what its sheet does not, or nothing at all.

    Raises:
        Unfit: It must say what is to be done.
    """
    words = act.does or (act.verb,)
    do = " ".join(str(said.get("do") or "").split()).casefold()
    may_be_empty = not act.does and FETCHED not in said
    if "do" not in act.fields or do in words or (not do and may_be_empty):
        return
    raise Unfit(
        field="do",
        message="The row does not say what is to be done.",
        advice=f"Type {' or '.join(words)} under Do.",
    )


def _plain(value: object) -> str:
    """Give a value as cells and the service both have it, but for white space."""
    each = sorted(map(str, value)) if isinstance(value, list | tuple) else [str(value)]
    return " ".join("; ".join(each).split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Doer:
    """Does the acts of one kind in one run."""

    act: ActLine
    run: Run

    @property
    def step(self) -> Step:
        return Step(self.act.step)

    async def settle(self, entries: Sequence[Entry]) -> None:
        """Settle doubts by reading, the earliest first."""
        for entry in entries:
            if entry.state in doubts_about(self.step) and not self.run.stop.is_set():
                await self._settle(entry)

    async def do(self, entries: Sequence[Entry], _: None) -> None:
        """Do what is not done, one after the other."""
        waiting = [each for each in entries if each.state is State.VALID]
        self.run.progress.begin(self.act.verb.capitalize(), total=len(waiting))
        for entry in waiting:
            if self.run.stop.is_set() or self.run.tally.no_tokens_at:
                return
            await self._do(entry)
            self.run.progress.advance()

    async def _do(self, entry: Entry) -> None:
        if is_as_fetched(ActContent.of(entry.content).said, self.act):
            await self.run.move(entry, State.ALREADY_THERE)
            return
        files = ActContent.of(entry.content).files
        if not await bring_files(self.run, entry, files):
            return
        retry, goes_on = SafeRetry(run=self.run), True
        while goes_on and not self.run.stop.is_set():
            try:
                deed = await self._with_files(entry, await self._look(entry))
            except Unfit as trouble:
                await self.run.move(entry, State.HELD, reason=str(trouble))
                return
            if deed.is_so:
                await self.run.move(entry, State.ALREADY_THERE)
                return
            if not await self.run.pace.turn():
                return
            goes_on = await self._ask(entry, deed, retry)

    async def _with_files(self, entry: Entry, deed: Deed) -> Deed:
        """Name the files that were brought for the row."""
        said = {(e.sha256, e.name) for e in ActContent.of(entry.content).files}
        if not said:
            return deed
        files = [
            {"id": each.document_id, "name": each.name}
            for each in await self.run.journal.files(entry.key)
            if (each.sha256, each.name) in said
        ]
        return replace(deed, body={**deed.body, "files": files})

    async def _ask(self, entry: Entry, deed: Deed, retry: SafeRetry) -> bool:
        """Note the intent, ask once, conclude; say whether it may be asked again."""
        run = self.run
        asked = sha256_of([deed.operation, deed.path, deed.body])
        intent = replace(
            await run.intend(entry, self.step, body_sha256=asked),
            known_projects=deed.seen,
        )
        await run.journal.note([intent])
        verdict = await run.acts.act(
            self.step, deed.operation, path=deed.path, body=deed.body
        )
        await run.conclude(intent, verdict)
        if isinstance(verdict, NotDone) and verdict.reason is Reason.NO_TOKENS:
            run.tally.no_tokens_at = run.clock.now()
            run.progress.say(_NO_TOKENS)
        return await retry.may_retry(verdict)

    async def _look(self, entry: Entry) -> Deed:
        content = ActContent.of(entry.content)
        world = await read_world(
            self.run.lookups,
            World(account=self.run.account),
            self.act.reads,
            project=content.target_id,
        )
        return deed_of(self.act, content.said, world)

    async def _settle(self, entry: Entry) -> None:
        """Settle one doubt; what is not there may still be on its way."""
        before = (await self.run.journal.attempts(entry.key))[-1].intent.known_projects
        trouble = await self._is_done(entry, before)
        if trouble is not None:
            if not await self.run.settle():
                return
            trouble = await self._is_done(entry, before)
        if trouble is None:
            words = f"{self.act.done.capitalize()} (confirmed later)."
            await self.run.move(entry, State.DONE, reason=words)
        elif trouble:
            await self.run.move(entry, State.HELD, reason=trouble)
        else:
            await self.run.move(entry, State.VALID)

    async def _is_done(self, entry: Entry, before: Sequence[str]) -> str | None:
        """Give None where it is done, else why it must be held; empty: it need not."""
        try:
            deed = await self._look(entry)
        except Unfit as trouble:
            return str(trouble)
        if deed.is_so or set(deed.seen) - set(before):
            return None
        if self.act.proof is not Proven.ONLY_SEEN:
            return ""
        return (
            "The answer was lost, and the service does not show whether it was done. "
            "Look in the portal before you do it again."
        )
