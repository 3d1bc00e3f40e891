"""How long a doubt is left alone, and when it is asked about.

Times are `Clock.elapsed`: a wall clock may be set, or may have been wrong.
"""

from __future__ import annotations

from typing import Final

DEFAULT_SETTLE_SECONDS: Final = 180.0
MAX_CREATES: Final = 3
"""How often a row may be created again, each time after absence is proven."""
MAX_SENDS: Final = 3
"""How often a send may be tried, each time after the draft is proven unsent."""
_READ_SHARES: Final = (5 / 180, 30 / 180, 120 / 180, 1.0)


def read_times(since: float, *, settle_seconds: float) -> tuple[float, ...]:
    """Say when a doubt is asked about; the last is the end of the window.

    With the default window that is 5, 30, 120 and 180 seconds after `since`.
    """
    return tuple(since + settle_seconds * share for share in _READ_SHARES)
