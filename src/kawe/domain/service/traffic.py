"""What this process asked of services, counted as it goes."""

from __future__ import annotations

from typing import Final


class Traffic:
    """Counts requests and bytes, those of files and of their storage too."""

    __slots__ = (
        "lost",
        "received_bytes",
        "refused",
        "requests",
        "retries",
        "sent_bytes",
        "waited_seconds",
    )

    def __init__(self) -> None:
        self.requests = 0
        self.lost = 0
        """Requests without a whole answer."""
        self.retries = 0
        self.refused = 0
        """Answers that the rate limit refused (429)."""
        self.waited_seconds = 0.0
        """How long requests waited for the rate limit."""
        self.sent_bytes = 0
        """Bodies alone, as are `received_bytes`: no headers."""
        self.received_bytes = 0

    def requests_json(self) -> dict[str, int]:
        return {
            "made": self.requests,
            "lost": self.lost,
            "retries": self.retries,
            "sent_bytes": self.sent_bytes,
            "received_bytes": self.received_bytes,
        }

    def limits_json(self) -> dict[str, float]:
        return {
            "refused": self.refused,
            "waited_seconds": round(self.waited_seconds, 3),
        }


TRAFFIC: Final = Traffic()
"""That of this process, which carries out one command."""
