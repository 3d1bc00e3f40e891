"""Working days, as the Resource Management Act counts them.

Saturdays, Sundays, the public holidays of the whole country, and 20 December to 10
January are none (RMA 1991, section 2(1), "working day"); regional anniversaries are
working days. The public holidays come from the library `holidays`, an extra.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache
from typing import Final, TypeAlias

Holidays: TypeAlias = Mapping[date, str]
"""Names of public holidays by day."""

_SUMMER_BEGINS: Final = (12, 20)
_SUMMER_ENDS: Final = (1, 10)
_WEEKEND: Final = {5: "a Saturday", 6: "a Sunday"}
_ONE_DAY: Final = timedelta(days=1)


@cache
def public_holidays() -> Holidays | None:
    """Give New Zealand's public holidays; None where the extra is not there."""
    try:
        # 60 ms, and most commands look at no date.
        from holidays import country_holidays  # noqa: PLC0415 (start-up)
    except ImportError:
        return None
    # It adds the years that are asked for by itself.
    return country_holidays("NZ")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewZealandDays:
    """Implements the port `WorkingDays`."""

    holidays: Callable[[], Holidays | None] = public_holidays
    _known: dict[tuple[date, date], int] = field(default_factory=dict)

    @property
    def knows_holidays(self) -> bool:
        return self.holidays() is not None

    def day_off(self, on: date) -> str | None:
        """Name the first reason of weekend, public holiday and summer break."""
        if on.weekday() in _WEEKEND:
            return _WEEKEND[on.weekday()]
        holidays = self.holidays()
        # An empty calendar of the library is false, and fills when it is asked.
        if holidays is not None and on in holidays:
            return holidays[on]
        month_day = (on.month, on.day)
        if month_day >= _SUMMER_BEGINS or month_day <= _SUMMER_ENDS:
            return "in the summer break, 20 December to 10 January"
        return None

    def until(self, on: date, *, today: date) -> int:
        """Count day by day, each pair of days once."""
        if (on, today) not in self._known:
            days = (today + _ONE_DAY * n for n in range(1, (on - today).days + 1))
            self._known[on, today] = sum(self.day_off(each) is None for each in days)
        return self._known[on, today]
