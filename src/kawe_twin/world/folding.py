"""One spelling for comparing: small letters, no macrons."""

from __future__ import annotations

import unicodedata


def folded(text: str) -> str:
    """Put text in the form in which names and addresses are compared."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(mark for mark in parts if not unicodedata.combining(mark))
