"""Foreign text in sheets: nothing active in it, and in a CSV file no formula.

A program that opens a CSV file runs a text that begins with = + - or @ as a formula.
Such a text gets an apostrophe before it, which kawe removes when it reads its own file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from kawe_xlsx.cells import inert

# After apostrophes, so that taking one away always gives the text back; after
# spaces, which programs skip; and as East Asian keyboards type them.
_FORMULA: Final = re.compile(r"'*\s*[=+\-@＝＋－＠]")
# These only count, whatever program opens them: numbers and phone numbers.
_NUMBER: Final = re.compile(r"[+-]?[0-9][0-9 .]*")
# The same of many texts, each after a line.
_ANY_FORMULA: Final = re.compile(
    r"\|(?:'*\s*[=@＝＋－＠]|(?:'+\s*|\s+)[+\-]|[+\-](?![0-9][0-9 .]*(?:\||\Z)))"
)
_GUARDED: Final = re.compile(rf"'(?={_FORMULA.pattern})")


def guarded(text: str) -> str:
    """Give `text` inert, and so that no program takes it for a formula."""
    text = inert(text)
    if _FORMULA.match(text) and not _NUMBER.fullmatch(text):
        return f"'{text}"
    return text


def are_harmless(texts: Iterable[str]) -> bool:
    """Say, often for many texts at once, that `guarded` changes none of them.

    False: it may change one.
    """
    whole = f"|{'|'.join(texts)}"
    return whole.isprintable() and _ANY_FORMULA.search(whole) is None


def unguarded(text: str) -> str:
    return text[1:] if _GUARDED.match(text) else text
