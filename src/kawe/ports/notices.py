"""How people hear of a run who are not at the screen."""

from __future__ import annotations

from typing import Protocol

from kawe.domain.notices import Notice


class Alerts(Protocol):
    """What a run tells at once, because a person can act while it goes on."""

    def no_tokens(self, *, sent: int) -> None:
        """Tell that the first 402 came, after so many sends of this run.

        Returns at once, and never raises: a run does not wait for messages.
        """
        ...


class Notifier(Protocol):
    """Carries notices to people."""

    def start(self, notice: Notice) -> None:
        """Begin to carry a notice to every target, once to each.

        Returns at once. What goes wrong is told by `finish`.
        """
        ...

    def finish(self) -> tuple[str, ...]:
        """Wait for what was begun, no longer than the time that each has.

        Gives a sentence for each target that was not reached. No sentence holds
        a target's address: it may hold a password.
        """
        ...

    def abandon(self) -> None:
        """End whatever is still under way."""
        ...
