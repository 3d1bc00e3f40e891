"""Signs that a text is not what was typed: lost macrons, lost digits.

Nothing is ever guessed back: the name of an iwi or a place is sent as the
person writes it.
"""

from __future__ import annotations

import re
from typing import Final

from kawe.domain.sheet.findings import Severity
from kawe.workbook.cells.reading import Remark, quoted, warning
from kawe.workbook.limits import EXCEL_TEXT_LIMIT
from kawe.workbook.own_words import CUT_MARK

# UTF-8 read as Windows-1252: ā is Ä and U+0081, ō is Å and U+008D, ’ is â€™.
_CP1252_TAIL: Final = "\x80-\xbf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"
_DOUBLE_READ: Final = re.compile(
    rf"[ÃÄÅ][{_CP1252_TAIL}]|â€|Â[\xa0-\xbf]|\ufffd|(?<=[A-Za-z])[ÄÅ](?=[a-z])"
)
# A macron saved as a question mark, inside a word that could be Māori: M?ori.
_SYLLABLES: Final = r"(?:(?:ng|wh|[hkmnprtw])?[aeiou?])"
_QUESTIONED: Final = re.compile(
    rf"(?<![\w?/&=]){_SYLLABLES}+(?![\w?/&=])", re.IGNORECASE
)
_INNER_MARK: Final = re.compile(r"[a-z]\?[a-z]", re.IGNORECASE)
# The same at the start of a word, ?taki; people also mark with it what they doubt.
_FIRST_MARK: Final = re.compile(r"\?[a-z][a-z?]{2}", re.IGNORECASE)
_BEFORE_WORDS: Final = "( \t\n\xa0\"'“‘"
_SCIENTIFIC: Final = re.compile(r"\d(?:\.\d+)?[Ee]\+\d+")
_EDGE: Final = 12


def lost_letters(raw: str, *, is_prose: bool) -> tuple[Remark, ...]:
    """Find letters that were lost when the text was saved.

    In prose a question mark inside a word is only a warning: people forget
    the space behind it. One at the start of a word is a warning everywhere.
    """
    found = _DOUBLE_READ.search(raw)
    inner = None if found else _questioned(raw)
    first = None if found or inner else _questioned_first(raw)
    sample = _around(raw, found) if found else inner or first
    if not sample:
        return ()
    severity = Severity.WARNING if first or (inner and is_prose) else Severity.ERROR
    return (
        Remark(
            severity=severity,
            rule="letters-lost",
            message=f"{quoted(sample)} has lost letters such as ā or ō.",
            advice=(
                "Type it again, or save the sheet it came from as an Excel Workbook "
                "(.xlsx) or as CSV UTF-8."
            ),
        ),
    )


def lost_length(raw: str) -> tuple[Remark, ...]:
    """Find text that was cut off."""
    if raw.rstrip().endswith(CUT_MARK.strip()):
        return (
            Remark(
                severity=Severity.ERROR,
                rule="text-cut",
                message="This text was cut when the result workbook was written.",
                advice="Copy the whole text from your own workbook.",
            ),
        )
    if len(raw) == EXCEL_TEXT_LIMIT:
        return (
            warning(
                "text-full",
                message=(
                    f"This text is {EXCEL_TEXT_LIMIT:,} characters long, as much as "
                    "an Excel cell holds; its end may be missing."
                ),
                advice="Look at its end, and put what is long into an attached file.",
            ),
        )
    return ()


def lost_digits(text: str) -> tuple[Remark, ...]:
    """Find a number that Excel shortened to something like 1E+05."""
    if not _SCIENTIFIC.fullmatch(text):
        return ()
    return (
        warning(
            "digits-lost",
            message=f"{quoted(text)} looks like a long number that Excel shortened.",
            advice="Format the column as Text and type the number again.",
        ),
    )


def _questioned(raw: str) -> str | None:
    if "?" not in raw:
        return None
    for word in _QUESTIONED.finditer(raw):
        if _INNER_MARK.search(word[0]):
            return word[0]
    return None


def _questioned_first(raw: str) -> str | None:
    if "?" not in raw:
        return None
    for word in _QUESTIONED.finditer(raw):
        before = raw[word.start() - 1] if word.start() else " "
        if before in _BEFORE_WORDS and _FIRST_MARK.match(word[0]):
            return word[0]
    return None


def _around(raw: str, found: re.Match[str]) -> str:
    return raw[max(0, found.start() - _EDGE) : found.end() + _EDGE]
