"""Checking sheets, by themselves and together; nothing is sent."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from kawe.cases.kit import Toolkit
from kawe.cases.session import open_session
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.batch.outcomes import BatchReport, Outcome
from kawe.domain.batch.readings import Reading
from kawe.domain.batch.sending import NO_LOAD
from kawe.domain.rows.entries import Batch
from kawe.domain.service.states import RowKey
from kawe.domain.sheet.content import Attachment
from kawe.domain.sheet.findings import Problems
from kawe.flows.check.across import mark_across
from kawe.flows.check.checking import Checked
from kawe.ports import Journal

Book: TypeAlias = tuple[str, str, Sequence[RowKey]]
"""Where a workbook lies, the batch that its check found, and some of its rows."""
_KEYS: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedSheet:
    """What a check found on one sheet."""

    report: BatchReport
    problems: Problems
    refuses_all: bool
    attached: Sequence[tuple[int, Attachment]]
    far: str
    """How many rows give iwi more than a year to answer; empty: none does."""
    keys: tuple[RowKey, ...]
    """Some rows, spread over all of them: by these it is known again."""
    batch: str = ""
    """The one that it belongs to; empty: a submit opens one, or nobody was asked."""
    team: str = ""
    """Whose key asked; empty: nobody was asked."""
    note: str = ""
    """Why a submit would send nothing: by the key, or a ceiling; empty: neither."""

    @property
    def is_wrong(self) -> bool:
        """Check that something on the sheet must be corrected."""
        report = self.report
        wrong = report.counts()[Outcome.INVALID] or report.changed_too_late
        return bool(wrong) or self.refuses_all

    @property
    def code(self) -> ExitCode:
        """Give the exit code of a check of this sheet."""
        if self.report.read_as.needs_answer:
            return ExitCode.WORKBOOK
        return ExitCode.ROWS_TO_CORRECT if self.is_wrong else ExitCode.DONE


async def check_sheets(
    toolkit: Toolkit,
    readings: Sequence[Reading],
    *,
    is_offline: bool = False,
    is_fresh: bool = False,
) -> tuple[list[CheckedSheet], int]:
    """Check sheets of one workbook; count the places that were not asked again.

    `is_offline`: the service is asked nothing; `is_fresh`: for everything again.
    """
    if is_offline:
        return await _check_offline(toolkit, readings), 0
    async with open_session(toolkit, read_only=True) as session:
        with session.remembering(is_fresh=is_fresh) as cache:
            across = await session.check_together(readings, cache=cache)
        checked, load = [], NO_LOAD
        for each, reading in zip(across, readings, strict=True):
            report, batch = await session.preview(reading, each)
            sends = 0 if report.sending is None else report.sending.asked
            note = await session.lacks_sending(sends)
            note = note and f"{note} Ask an owner of the team before you submit."
            load = await session.weighed(report.iwi_load.with_more(load))
            note = " ".join(filter(None, [note, load.above]))
            report = replace(report, remarks=(*report.remarks, *filter(None, [note])))
            one = _checked(toolkit, each, report, problems=report.problems())
            team = session.account.team_name
            checked.append(replace(one, batch=batch, team=team, note=note))
        return checked, cache.places_known


async def _check_offline(
    toolkit: Toolkit, readings: Sequence[Reading]
) -> list[CheckedSheet]:
    found = []
    for each in mark_across([await toolkit.check(reading) for reading in readings]):
        report = toolkit.check_report(each, workbook=readings[0].workbook)
        found.append(_checked(toolkit, each, report, problems=each.problems()))
    return found


def _checked(
    toolkit: Toolkit, each: Checked, report: BatchReport, *, problems: Problems
) -> CheckedSheet:
    keys = [row.key for row in each.rows if row.key]
    return CheckedSheet(
        report=report,
        problems=problems,
        refuses_all=each.refuses_all,
        attached=each.attached,
        keys=tuple(keys[:: len(keys) // _KEYS + 1]),
        far=each.far_words(today=toolkit.today),
    )


async def books_of(
    known: Sequence[Batch],
    books: Mapping[str, Book],
    *,
    places: dict[str, list[str]],
    journal: Journal,
) -> dict[str, list[str]]:
    """Name the books that each batch was read from, or whose rows are mostly of it."""
    for each in known:
        if each.name not in places:
            readings = await journal.readings(each.name)
            places[each.name] = [reading.workbook for reading in readings]
    read = {path for paths in places.values() for path in paths}
    loose = {book: keys for book, (path, _, keys) in books.items() if path not in read}
    rows = await journal.known(key for keys in loose.values() for key in keys)
    found = {book: {batch} for book, (_, batch, _) in books.items()}
    for book, keys in loose.items():
        votes = Counter(rows[key].batch for key in keys if key in rows)
        found[book] |= {name for name, n in votes.items() if n * 2 > len(keys)}
    return {
        name: [e for e, at in books.items() if at[0] in paths or name in found[e]]
        for name, paths in places.items()
    }
