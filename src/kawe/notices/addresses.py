"""The channel through apprise, in a child process."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from kawe.domain.text.notices import Notice, NoticeKind
from kawe.notices.child_process import ChildProcess

SENDER: Final = "kawe.notices.sender"
# The sender's answer for each address.
TOLD: Final = "told"
REFUSED: Final = "refused"
UNKNOWN: Final = "unknown"
MISSING: Final = "missing"
# Time for the library to load.
_START_SECONDS: Final = 5.0
_WHY: Final = {
    REFUSED: "it could not be reached, or did not take the message",
    UNKNOWN: "apprise knows no such address",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressChannel:
    """Notifies addresses of apprise."""

    addresses: tuple[str, ...] = field(repr=False)
    """They hold passwords: messages give their number only."""
    environment: Mapping[str, str] = field(repr=False)
    within_seconds: float
    sender: tuple[str, ...]
    """The words that run the module `SENDER`."""
    to_add: str
    """How apprise is installed on this machine, as a sentence."""

    def begin(self, notice: Notice) -> ChildProcess:
        """Start the sender, with the addresses on its standard input."""
        within = self.within_seconds + _START_SECONDS
        order = {
            "targets": self.addresses,
            "title": notice.title,
            "text": notice.text,
            "tone": _tone(notice),
            "within": within,
        }
        return ChildProcess(
            self.sender,
            # A library's messages may hold a password.
            errors=subprocess.DEVNULL,
            given=json.dumps(order).encode(),
            environment=self.environment,
            within=within,
        )

    def judge(self, code: int | None, said: str) -> list[str]:
        """Read the sender's answers, one for each address."""
        words = said.split()
        if words == [MISSING]:
            return [f"Nobody was told: apprise is not installed. {self.to_add}"]
        late = code is None or len(words) < len(self.addresses)
        words += ["late"] * (len(self.addresses) - len(words))
        in_time = f"it took longer than {self.within_seconds:g} seconds"
        if late and code is not None:
            in_time = "what carries messages broke"
        return [
            f"Target {number} ({_scheme(address)}) was not told: "
            f"{_WHY.get(word, in_time)}."
            for number, (address, word) in enumerate(
                zip(self.addresses, words, strict=False), start=1
            )
            if word != TOLD
        ]

    def could_not_begin(self, fault: OSError | ValueError) -> str:
        """Name the kind of fault."""
        kind = getattr(fault, "strerror", None) or type(fault).__name__
        return f"Nobody was told: no process could be started ({kind})."


def _scheme(address: str) -> str:
    scheme = address.partition("://")[0]
    # Without a scheme, all of it may be a password.
    return scheme if "://" in address and scheme.isalnum() else "no address"


def _tone(notice: Notice) -> str:
    if notice.kind is NoticeKind.TRIAL:
        return "info"
    if notice.exit_code == 0:
        return "success"
    # Rows that wait for a person are no failure.
    return "warning" if notice.exit_code in {None, 3, 4, 130} else "failure"
