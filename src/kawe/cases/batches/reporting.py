"""The result of a batch again, from the journal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from kawe.cases.choices import find_batch
from kawe.cases.kit import Toolkit
from kawe.cases.sheets import result_place_of
from kawe.domain.batch.outcomes import BatchReport
from kawe.domain.rows.entries import Batch
from kawe.domain.text.new_zealand import day_in_new_zealand, moment_words
from kawe.domain.text.next_steps import Next
from kawe.domain.text.texts import one_line


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedBatch:
    """What a result says, and where it goes: it is not written yet."""

    made: BatchReport
    workbook: Path
    result: Path

    def write(self, toolkit: Toolkit) -> Path:
        """Write it; say where.

        Raises:
            ResultNotWritable: It cannot be written.
        """
        return toolkit.writer(self.workbook).write(self.made, self.result)


async def report_again(
    toolkit: Toolkit, name: str | None, *, result: Path | None
) -> tuple[BatchReport, Path]:
    """Write the result of a batch again, as `reported_batch` gives it; say where."""
    found = await reported_batch(toolkit, name, result=result)
    return found.made, found.write(toolkit)


async def reported_batch(
    toolkit: Toolkit, name: str | None, *, result: Path | None
) -> ReportedBatch:
    """Report a batch from the journal, the latest without a name; write nothing.

    Raises:
        SettingsError: No batch is called so.
        JournalError: There is no journal, or it cannot be read.
        ResultNotWritable: The result cannot be written.
    """
    async with toolkit.open_journal(read_only=True) as journal:
        batches = tuple(await journal.batches())
        found = find_batch(batches, name=name)
        made = await toolkit.report(found, journal=journal)
    workbook = Path(found.workbook)
    beside, notes = _place(found, is_latest=_is_latest(found, batches))
    path = result_place_of(
        replace(found, workbook=str(beside)),
        among=[
            replace(each, workbook=str(beside))
            for each in batches
            if each.workbook == found.workbook
        ],
        wanted=result,
    )
    toolkit.writer(workbook).check_writable(path)
    made = replace(made, remarks=(*notes, *made.remarks))
    return ReportedBatch(made=made, workbook=workbook, result=path)


def _place(batch: Batch, *, is_latest: bool) -> tuple[Path, list[str]]:
    """Say beside which workbook the result goes, and what became of the workbook."""
    workbook, notes = Path(batch.workbook), []
    name = one_line(workbook.name, limit=80)
    read = f"it was read at {moment_words(batch.read_at)}"
    as_read = "This result shows what it said then."
    changed_at = _changed_at(workbook)
    if batch.workbook == batch.name:
        # A purge leaves the batch's name in the place of the path.
        notes.append(
            "The journal has forgotten which workbook this was and what its rows said "
            f"({Next.JOURNAL_PURGE}). This result shows how they stand."
        )
    elif changed_at is None:
        notes.append(f"The workbook {name} is no longer where {read}. {as_read}")
    elif not is_latest:
        notes.append(f"Another batch was read from {name} since {read}. {as_read}")
    elif changed_at > batch.read_at:
        notes.append(f"The workbook {name} was saved again since {read}. {as_read}")
    if not is_latest:
        # The name without a day belongs to the result of the later batch.
        day = day_in_new_zealand(batch.read_at).isoformat()
        workbook = workbook.with_name(f"{workbook.stem} {day}.xlsx")
    if not workbook.parent.is_dir():
        workbook = Path.cwd() / workbook.name
    return workbook, notes


def _changed_at(workbook: Path) -> datetime | None:
    try:
        return datetime.fromtimestamp(workbook.stat().st_mtime, tz=UTC)
    except OSError:
        return None


def _is_latest(batch: Batch, batches: Sequence[Batch]) -> bool:
    """Say whether no later batch is of the same sheet."""
    later = batches[batches.index(batch) + 1 :]
    return not any(each.reading.is_at(batch.reading) for each in later)
