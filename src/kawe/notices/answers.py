"""What the carrier answers for each address."""

from __future__ import annotations

from typing import Final

CARRIER: Final = "kawe.notices.carrier"
TOLD: Final = "told"
REFUSED: Final = "refused"
UNKNOWN: Final = "unknown"
MISSING: Final = "missing"
