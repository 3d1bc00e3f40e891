"""Texts in a CSV file, where nothing says that a text is a text.

A program that opens a CSV file takes what begins with = + - or @ for a formula
and runs it. Such a text gets an apostrophe before it, and kawe takes that away
again when it reads a file of its own.
"""

from __future__ import annotations

import re
from typing import Final

from kawe.workbook.sheet_text import plain_text

# After apostrophes, so that taking one away always gives the text back; after
# spaces, which programs skip; and as East Asian keyboards type them.
_FORMULA: Final = re.compile(r"'*\s*[=+\-@＝＋－＠]")
# These only count, whatever program opens them: numbers and phone numbers.
_NUMBER: Final = re.compile(r"[+-]?[0-9][0-9 .]*")
_GUARDED: Final = re.compile(rf"'(?={_FORMULA.pattern})")


def guarded(text: str) -> str:
    """Give `text` so that no program takes it for a formula."""
    text = plain_text(text)
    if _FORMULA.match(text) and not _NUMBER.fullmatch(text):
        return f"'{text}"
    return text


def unguarded(text: str) -> str:
    """Give the text of which `guarded` made `text`."""
    return text[1:] if _GUARDED.match(text) else text
