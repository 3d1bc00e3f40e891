"""Which addresses are this machine, where plain http and no proxy are right."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})


def is_loopback(url: str) -> bool:
    """Say whether an address is this machine."""
    try:
        return urlsplit(url).hostname in _LOOPBACK
    except ValueError:
        return False
