"""Which addresses are this machine, where plain http and no proxy are right."""

from typing import Final
from urllib.parse import urlsplit

from kawe.domain.text.next_steps import Next

TWIN_PORT: Final = 8750
_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})


def is_loopback(url: str) -> bool:
    """Say whether an address is this machine."""
    try:
        return urlsplit(url).hostname in _LOOPBACK
    except ValueError:
        return False


def twin_words(url: str) -> str:
    """Say how to start the twin where nothing listens; empty: it is not here."""
    if not is_loopback(url):
        return ""
    port = urlsplit(url).netloc.rpartition(":")[2]
    at = port if port.isdecimal() else TWIN_PORT
    return f"The twin is not running: {Next.SERVE(at)}."
