"""Where a person may be sent after signing in: to our own pages only."""

from __future__ import annotations

import re
from typing import Final

HOME: Final = "/portal/"

# Plain characters alone: no second slash that would name a host, no backslash
# that a browser reads as one, no dots that climb, no percent signs that hide
# any of these.
_PAGE: Final = re.compile(r"/portal/(?:[A-Za-z0-9_-]+/?)*(?:\?[A-Za-z0-9=&_-]*)?")


def safe_page(path: str) -> str:
    """Give a path of the portal as it is, and the first page for any other."""
    is_ours = len(path) <= 300 and _PAGE.fullmatch(path) is not None
    return path if is_ours else HOME
