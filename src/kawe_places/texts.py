"""Texts that people typed: cleaned, folded, and safe to show."""

import re
import unicodedata
from typing import Final

# What people cannot see and did not mean to type; halves of surrogate pairs.
_UNSEEN: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069"
    "\ufeff\ud800-\udfff]"
)
_WORDS: Final = re.compile(r"[a-z0-9]+")


def clean(text: str) -> str:
    """Give `text` in NFC, runs of spaces as one; line breaks stay."""
    lines = unicodedata.normalize("NFC", text).splitlines()
    return "\n".join(map(_line, lines)).strip()


def fold(text: str) -> str:
    """Reduce `text` to its words: case, macrons, marks and spaces do not count."""
    plain = unicodedata.normalize("NFKD", text).casefold().replace("&", " and ")
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    return " ".join(_WORDS.findall(plain))


def one_line(text: str, *, limit: int = 40) -> str:
    """Give `text` for a sentence: one line that is printable, cut if long."""
    line = "".join(filter(str.isprintable, " ".join(clean(text).split())))
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def _line(text: str) -> str:
    text = _UNSEEN.sub("", " ".join(text.split()))
    return " ".join(text.split())
