"""One way to people: how an errand begins, and what its end means."""

from __future__ import annotations

from typing import Protocol

from kawe.domain.text.notices import Notice
from kawe.notices.errand import Errand


class Way(Protocol):
    """A program, or addresses."""

    def begin(self, notice: Notice) -> Errand:
        """Send somebody off with `notice`.

        Raises:
            OSError: There is no such program, or it may not be run.
            ValueError: Its words cannot be taken apart.
        """
        ...

    def judge(self, code: int | None, said: str) -> list[str]:
        """Say in sentences what went wrong; nothing where all were told."""
        ...

    def could_not_begin(self, fault: OSError | ValueError) -> str:
        """Say in a sentence that nobody could be sent off."""
        ...
