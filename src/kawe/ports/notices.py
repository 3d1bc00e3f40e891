"""How people hear of a run who are not at the screen."""

from __future__ import annotations

from typing import Protocol


class Alerts(Protocol):
    """What a run reports at once, because a person can act while it goes on."""

    def no_tokens(self, *, sent: int) -> None:
        """Report the first 402, after `sent` sends of this run; return at once."""
        ...
