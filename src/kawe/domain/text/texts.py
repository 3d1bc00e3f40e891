"""What text is allowed to look like: cleaned, folded, safe to show; and numbers.

Every text from a cell, a file name or the service passes through here before it is
compared, sent or shown.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import date, time
from functools import lru_cache
from itertools import filterfalse
from typing import Final

from kawe.domain.text.next_steps import without_marks

RESULT_MARK: Final = r"\.result( \(\d+\))?"
"""What stands before the ending in the name of a result, as a regular expression."""
# Characters that people cannot see and did not mean to type, and marks that turn the
# direction of text around and can disguise it.
_INVISIBLE: Final = re.compile(
    "[\xad\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]"
)
DASHES: Final = dict.fromkeys(map(ord, "‐‑‒–—−﹣－"), "-")
"""What stands for a hyphen or a minus."""
# Marks of a yes, and of a no.
TICKS: Final = "✓✔☑✅√"
CROSSES: Final = "✗✘✖❌☐"
DOUBT: Final = re.compile(rf"^[(\[]|[?*~…☒≠{CROSSES}]|\.\.")
"""Marks beside a word by which it is not meant, or not for sure."""
_SPACES: Final = re.compile(r"[^\S\n]+")
_LINE_ENDS: Final = re.compile(r"\r\n?|\u2028|\u2029|\x0b|\x0c|\x85")
_AROUND_LINES: Final = re.compile(r" *\n *")
# Control characters (Cc) but the line end, and halves of surrogate pairs (Cs).
_CONTROLS: Final = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]+")
_WORDS: Final = re.compile(r"[^a-z0-9]+")
_ANY_WORDS: Final = re.compile(r"[\W_]+")
# Spaces that part no two numbers, and zeros in front of a number.
_BETWEEN: Final = re.compile(r"(?<!\d) | (?!\d)")
_LEADING: Final = re.compile(r"(?<!\d)0+(?=\d)")
_LONG: Final = dict(
    (
        *(("st", "street"), ("rd", "road"), ("ave", "avenue"), ("dr", "drive")),
        *(("pl", "place"), ("ln", "lane"), ("tce", "terrace"), ("cres", "crescent")),
        *(("hwy", "highway"), ("ct", "court"), ("sq", "square"), ("mt", "mount")),
        *(("br", "bridge"), ("pde", "parade"), ("pt", "point"), ("stn", "station")),
        *(("nth", "north"), ("sth", "south"), ("sh", "state highway")),
    )
)
"""Words that people shorten in names and addresses."""


def clean(text: str) -> str:
    """Give `text` in NFC, without invisible characters and outer spaces.

    Runs of spaces become one; line breaks stay.
    """
    if text.isprintable():
        text = _SPACES.sub(" ", text) if "  " in text else text
        return unicodedata.normalize("NFC", text).strip()
    text = _LINE_ENDS.sub("\n", _INVISIBLE.sub("", text))
    # Spaces first: a tab parts words, although it is a control character.
    text = without_marks(_CONTROLS.sub("", _SPACES.sub(" ", text)))
    text = _AROUND_LINES.sub("\n", _SPACES.sub(" ", text))
    return unicodedata.normalize("NFC", text).strip()


@lru_cache(maxsize=32_768)
def fold(text: str) -> str:
    """Reduce `text` to what counts when people compare words.

    Case, macrons, punctuation and spacing do not count.
    """
    return _WORDS.sub(" ", _plain(text).replace("&", " and ")).strip()


def looked_for(words: str) -> Callable[[str], bool]:
    """Say of texts whether one has the letters of `words`, as `fold` gives them."""
    letters = re.compile("[^a-z0-9]*".join(fold(words).replace(" ", "")))
    return lambda text: bool(letters.search(_plain(text).replace("&", " and ")))


@lru_cache(maxsize=32_768)
def fold_name(text: str) -> str:
    """Reduce a name like `fold`, and keep letters outside a–z.

    So two names of another script do not become equal because both became empty.
    """
    return _ANY_WORDS.sub(" ", _plain(text)).strip()


def fold_address(text: str) -> str:
    """Reduce a name or an address like `fold_name`, and write out what people shorten.

    St is Street, and Saint as well.
    """
    return " ".join(_LONG.get(word, word) for word in fold_name(text).split())


def near_reference(reference: str) -> str:
    """Reduce a reference to what a person sees who reads quickly.

    Case, spacing and punctuation do not count, nor leading zeros, nor O or 0. What
    parts two numbers counts: RC 12-3 is not RC 1-23.
    """
    return _LEADING.sub("", _BETWEEN.sub("", fold_name(reference)).replace("o", "0"))


def one_line(text: str, *, limit: int = 200) -> str:
    """Give `text` safe for a terminal or a log: one line, nothing active.

    Longer text is cut at `limit` with an ellipsis.
    """
    shown = unicodedata.normalize("NFC", text)
    if not shown.isprintable():
        shown = _CONTROLS.sub("", re.sub(r"[\t\r]", " ", shown))
        shown = _INVISIBLE.sub("", shown)
    shown = " ".join(shown.split())
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


def visible_json(text: str) -> str:
    """Give JSON text with invisible characters as escapes; macrons stay letters."""
    if text.isprintable():
        return text
    lines = text.split("\n")
    for at, line in enumerate(lines):
        if not line.isprintable():
            shown = (c if c.isprintable() else json.dumps(c)[1:-1] for c in line)
            lines[at] = "".join(shown)
    return "\n".join(lines)


def json_value(value: object) -> str:
    """Write what JSON has no form of: days and instants as ISO 8601 has them."""
    return value.isoformat() if isinstance(value, date | time) else str(value)


def _plain(text: str) -> str:
    # Most texts have no mark but macrons, and need no look at each letter.
    bare = text if text.isascii() else unicodedata.normalize("NFD", text)
    bare = bare.replace("\u0304", "")
    if bare.isascii() and bare.isprintable():
        return bare.lower()
    # Decomposed before its case is folded too: a mathematical 𝐀 is an A first.
    plain = unicodedata.normalize("NFKD", clean(text)).casefold()
    plain = unicodedata.normalize("NFKD", plain)
    return "".join(filterfalse(unicodedata.combining, plain))


def checked_text(value: object) -> str:
    """Give what was read as a text.

    Raises:
        TypeError: It is none.
    """
    if not isinstance(value, str):
        raise TypeError("a text was expected")
    return value


def counted(number: int, one: str, many: str = "") -> str:
    """Put a number with its noun: 1 row, 2 rows, 1,200 rows."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


_LISTED: Final = 4
_RUN: Final = 3
"""So many numbers in a row are written as a run."""


def either(words: Sequence[str]) -> str:
    """List `words` as a person would: a, b or c."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} or {words[-1]}"


def some_of(texts: Sequence[str], *, shown: int, between: str = ", ") -> str:
    """List the first texts, and say how many there are besides: a, b and 3 more."""
    more = len(texts) - shown
    rest = f" and {more:,} more" if more > 0 else ""
    return between.join(texts[:shown]) + rest


def numbers_words(numbers: Sequence[int]) -> str:
    """List sorted numbers: 6, 7, 23, 30 and 30 more; or 2 to 451, 450 in all."""
    runs = list(_runs(numbers))
    shown = [f"{a}" if a == b else f"{a} to {b}" for a, b in runs[:_LISTED]]
    if left := sum(last - first + 1 for first, last in runs[_LISTED:]):
        return f"{', '.join(shown)} and {left:,} more"
    listed = ", ".join(shown[:-1]) + (" and " if shown[1:] else "") + shown[-1]
    return f"{listed}, {len(numbers):,} in all" if len(numbers) > _LISTED else listed


def rows_words(numbers: Sequence[int]) -> str:
    """Name rows by their sorted numbers: row 6, or rows 6 and 7."""
    return f"{'row' if len(numbers) == 1 else 'rows'} {numbers_words(numbers)}"


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Give first and last of each run; a short one is single numbers."""
    start = 0
    for at, number in enumerate(numbers):
        if at + 1 < len(numbers) and numbers[at + 1] == number + 1:
            continue
        members = numbers[start : at + 1]
        start = at + 1
        if len(members) >= _RUN:
            yield members[0], members[-1]
        else:
            yield from ((each, each) for each in members)


BETWEEN_NAMES: Final = re.compile(r"(\s*[,/&+\n]\s*|\s+(?:and|me)\s+)", re.IGNORECASE)
"""What people write between names, in English or in Māori."""
BETWEEN_FILES: Final = re.compile(r"(\s*[,&+\n]\s*|\s+and\s+)", re.IGNORECASE)
"""What people write between files; / stands between folders."""
_MOST: Final = 60


def names_of(text: str, *, known: Collection[str]) -> tuple[tuple[str, bool], ...]:
    """Part a list of names, of which the `known` are folded."""
    return parts_of(
        text,
        between=BETWEEN_NAMES,
        is_known=lambda name: fold(name) in known and not DOUBT.search(name),
    )


def parts_of(
    text: str, *, between: re.Pattern[str], is_known: Callable[[str], bool]
) -> tuple[tuple[str, bool], ...]:
    """Part a list, and say of each part whether it is known.

    As little as possible is unknown, and a known text with a separator in it is not
    parted. Text of very many parts is one part. `between` is one group.
    """
    if is_known(text):
        return ((text, True),)
    pieces = between.split(text)
    if not 1 < len(pieces) <= _MOST:
        return ((text, False),)
    best: list[tuple[tuple[str, bool], ...]] = [()]
    for end in range(0, len(pieces), 2):
        ways = []
        for start in range(0, end + 1, 2):
            part = "".join(pieces[start : end + 1]).strip()
            known = bool(part) and is_known(part)
            if known or start == end:
                ways.append((*best[start // 2], *([(part, known)] if part else ())))
        best.append(min(ways, key=lambda w: (sum(not k for _, k in w), len(w))))
    return best[-1]
