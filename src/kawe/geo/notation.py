"""Normalises the notation of coordinates: one minus, degree sign and quotation mark.

The result is in capitals, with hemispheres as single letters.
"""

from __future__ import annotations

import re
from typing import Final

from kawe.domain.text.texts import clean

_MARKS: Final = (
    dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d"), "-")
    | dict.fromkeys(map(ord, "\u00ba\u02da\u1d52\u2070"), "\u00b0")
    | dict.fromkeys(map(ord, "\u2032\u2018\u2019\u00b4\u02b9`"), "'")
    | dict.fromkeys(map(ord, "\u2033\u201c\u201d\u02ba"), '"')
)
_SPELT: Final = (
    (re.compile(r"^[(\[]\s*(.*?)\s*[)\]]$"), r"\1"),
    (re.compile(r"\bNORTH\b"), "N"),
    (re.compile(r"\bSOUTH\b"), "S"),
    (re.compile(r"\bEAST\b"), "E"),
    (re.compile(r"\bWEST\b"), "W"),
    (re.compile(r"\b(?:LATITUDE|LAT|LONGITUDE|LONG|LON|LNG)\b[\s.:=]*"), ""),
    (re.compile(r"(?<=\d)\s*(?:DEGREES?|DEG)\b\.?"), "\u00b0"),
    (re.compile(r"(?<=\d)\s*(?:MINUTES?|MINS?)\b\.?"), "'"),
    (re.compile(r"(?<=\d)\s*(?:SECONDS?|SECS?)\b\.?"), '"'),
    # d, m and s only together: a lone s is the south.
    (re.compile(r"(\d)\s*D\s*([\d.,]+)\s*M\s*([\d.,]+)\s*S"), "\\1\u00b0\\2'\\3\""),
    (re.compile(r"''"), '"'),
    # 41:17:20 is 41 17 20.
    (re.compile(r"(?<=\d):(?=\d)"), " "),
)


def normalise(text: str) -> str:
    """Write `text` with one kind of each mark; line breaks become semicolons."""
    out = clean(text).upper().replace("\n", "; ").translate(_MARKS)
    for pattern, plain in _SPELT:
        out = pattern.sub(plain, out)
    return out.strip()
