"""Checking sheets, by themselves and together; nothing is sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kawe.domain.batch.outcomes import BatchReport
from kawe.domain.batch.saved_plans import Reading
from kawe.domain.sheet.content import Attachment
from kawe.domain.sheet.finding_groups import Problems
from kawe.flows.check.across import mark_across
from kawe.flows.check.checking import Checked
from kawe.toolkit.kit import Toolkit
from kawe.toolkit.session import open_session


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedSheet:
    """What a check found on one sheet."""

    report: BatchReport
    problems: Problems
    refuses_all: bool
    attached: Sequence[tuple[int, Attachment]]


async def check_sheets(
    toolkit: Toolkit, readings: Sequence[Reading], *, is_fresh: bool = False
) -> tuple[list[CheckedSheet], int]:
    """Check sheets of one workbook; count the places that were not asked again.

    Raises:
        WorkbookError: It cannot be read.
        ServiceError: A question could not be answered.
    """
    async with open_session(toolkit, read_only=True) as session:
        with session.remembering(is_fresh=is_fresh) as cache:
            some = [await session.check(each, cache=cache) for each in readings]
        checked = []
        for each, reading in zip(mark_across(some), readings, strict=True):
            report = await session.preview(reading, each)
            checked.append(
                CheckedSheet(
                    report=report,
                    problems=report.problems(),
                    refuses_all=each.refuses_all,
                    attached=each.attached,
                )
            )
        return checked, cache.places_known


async def check_sheets_offline(
    toolkit: Toolkit, readings: Sequence[Reading]
) -> list[CheckedSheet]:
    """Check sheets of one workbook without the service.

    Raises:
        WorkbookError: It cannot be read.
    """
    # Rows of several sheets are compared, and a quick check holds none.
    is_one = len(readings) == 1
    some = [
        await toolkit.check_offline(reading, is_quick=is_one) for reading in readings
    ]
    held = [each for each in some if isinstance(each, Checked)]
    return [
        CheckedSheet(
            report=toolkit.check_report(each, workbook=readings[0].workbook),
            problems=each.problems(),
            refuses_all=each.refuses_all,
            attached=each.attached,
        )
        for each in (some if is_one else mark_across(held))
    ]
