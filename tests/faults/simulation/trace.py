"""What happened in a world, line by line, where somebody wants to read it."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass, field


@dataclass(slots=True, kw_only=True)
class Trace:
    """Lines of one run; it keeps none unless it is told to."""

    is_kept: bool = False
    lines: list[str] = field(default_factory=list)

    def say(self, what: str, *more: object) -> None:
        """Keep one line, with the simulated second at which it happened."""
        if not self.is_kept:
            return
        try:
            seconds = asyncio.get_running_loop().time()
        except RuntimeError:
            # Between two processes.
            self.lines.append(" ".join(["-", what, *map(str, more)]))
        else:
            self.lines.append(" ".join([f"{seconds:.6f}", what, *map(str, more)]))

    def sha256(self) -> str:
        return hashlib.sha256("\n".join(self.lines).encode()).hexdigest()
