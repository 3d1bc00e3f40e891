"""By which day tokens must come, so that a row keeps its date.

A row may be sent until its respond by has passed in New Zealand. Sending and warning
share this rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date
from typing import Final

from kawe.domain.text.counts import counted
from kawe.domain.text.new_zealand import weekday_words

SOON_DAYS: Final = 7
"""A respond by that is so many days away, or fewer, is said to be near."""
_SHOWN: Final = 3


def may_leave(respond_by_on: date, *, today: date) -> bool:
    return respond_by_on >= today


def is_near(respond_by_on: date, *, today: date) -> bool:
    """Say whether a row that waits has to be warned about."""
    return (respond_by_on - today).days <= SOON_DAYS


def deadline_words(respond_by_on: date, *, today: date) -> str:
    """Warn of one row that waits for a token; nothing while its date is far."""
    if not may_leave(respond_by_on, today=today):
        return "Its respond by has passed: it cannot go any more as it stands."
    if not is_near(respond_by_on, today=today):
        return ""
    return f"Will miss its date unless tokens come by {weekday_words(respond_by_on)}."


def deadlines_words(respond_by: Iterable[date], *, today: date) -> str:
    """Warn of all rows that wait for tokens; nothing while their dates are far."""
    days = Counter(respond_by)
    passed = sum(days[on] for on in days if not may_leave(on, today=today))
    near = sorted(
        on for on in days if may_leave(on, today=today) and is_near(on, today=today)
    )
    return " ".join(filter(None, (_passed(passed), _near(near, days=days))))


def _passed(rows: int) -> str:
    if not rows:
        return ""
    waits = counted(rows, "row that waits", "rows that wait")
    whose = "its" if rows == 1 else "their"
    return f"{waits} cannot go any more: {whose} respond by has passed."


def _near(near: list[date], *, days: Counter[date]) -> str:
    if not near:
        return ""
    first = near[0]
    rows = days[first]
    its = "its date" if rows == 1 else "their date"
    begin = f"{counted(rows, 'row')} will miss {its} unless tokens come by"
    words = [f"{begin} {weekday_words(first)}"]
    words += [f"{days[on]:,} more by {weekday_words(on)}" for on in near[1:_SHOWN]]
    left = sum(days[on] for on in near[_SHOWN:])
    if left:
        words.append(f"{left:,} more in the days up to {weekday_words(near[-1])}")
    return f"{', '.join(words)}."
