"""How batches stand, from the journal alone: their rows and runs, and who is late."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain

from kawe.cases.batches.ending import code_of_report
from kawe.cases.choices import batches_called, find_batch
from kawe.cases.kit import Toolkit
from kawe.cases.records.watching import without_answer
from kawe.domain.batch.exit_codes import ExitCode, worst_of
from kawe.domain.batch.outcomes import BatchReport
from kawe.domain.batch.runs import Coming, RunRecord, Turn, coming, is_meant
from kawe.domain.rows.entries import Batch
from kawe.domain.service.watching import News
from kawe.domain.text.new_zealand import NEW_ZEALAND
from kawe.ports import Journal


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Some batches, their runs, and the expected run, if any."""

    known: tuple[tuple[Batch, BatchReport], ...] = ()
    runs: tuple[RunRecord, ...] = ()
    """The newest first."""
    found: Coming | None = None
    """None where no run is expected."""
    late: tuple[News, ...] = ()
    """Projects without an answer that are late, or soon will be."""

    @property
    def reports(self) -> list[BatchReport]:
        return [report for _, report in self.known]

    @property
    def code(self) -> ExitCode:
        """Give the code of all batches; 3 and 7 of an expected run alone."""
        found = self.found
        if found is None:
            return _worst(self.reports)
        if not found.batch:
            return ExitCode.RUN_MISSING
        waits = _worst(self.reports) is ExitCode.ROWS_WAIT_FOR_PERSON
        if waits or found.is_missed:
            return ExitCode.ROWS_WAIT_FOR_PERSON
        return _worst(each for each in self.reports if each.batch == found.batch)


def _worst(reports: Iterable[BatchReport]) -> ExitCode:
    return worst_of(map(code_of_report, reports))


async def standing_of(toolkit: Toolkit, name: str | None) -> Standing | None:
    """Report all batches, or the one called `name`; None: another thing is.

    Without a name, the journal may be missing.

    Raises:
        SettingsError: Several batches are called so, or there is none at all.
        JournalError: The journal cannot be read.
    """
    if name is None and not toolkit.has_journal:
        return Standing()
    async with toolkit.open_journal(read_only=True) as journal:
        batches = tuple(await journal.batches())
        if name is not None:
            if batches and not batches_called(batches, name):
                return None
            batches = (find_batch(batches, name=name),)
        stand = await standing_in(toolkit, journal, batches=batches)
        binding = await journal.binding()
    if binding is None:
        return stand
    rows = chain.from_iterable(each.rows for each in stand.reports)
    return replace(stand, late=tuple(without_answer(toolkit, rows, binding=binding)))


async def expected_run(toolkit: Toolkit, turn: Turn, *, name: str | None) -> Standing:
    """Report the batches that `name` may mean, and whether one is that of `turn`.

    Raises:
        JournalError: The journal cannot be read; it may be missing.
    """
    stand = Standing()
    if toolkit.has_journal:
        async with toolkit.open_journal(read_only=True) as journal:
            meant = [each for each in await journal.batches() if is_meant(each, name)]
            stand = await standing_in(toolkit, journal, batches=meant)
    return replace(stand, found=coming(turn, zone=NEW_ZEALAND, known=stand.known))


async def standing_in(
    toolkit: Toolkit, journal: Journal, *, batches: Iterable[Batch]
) -> Standing:
    """Report batches of an open journal."""
    known = [(each, await toolkit.report(each, journal=journal)) for each in batches]
    names = {batch.name for batch, _ in known}
    runs = [each for each in await journal.runs() if each.batch in names]
    runs.sort(key=lambda each: each.at, reverse=True)
    return Standing(known=tuple(known), runs=tuple(runs))
