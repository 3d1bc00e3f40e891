"""Write what kawe does with what people put in to docs/reference/input-cases.md.

`python tools/write_input_cases.py` writes; a test says when it has to. The
page is made from input_cases.toml and from the samples' own expectations, and
every sample is a test: what stands here is what happens.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final
from unicodedata import combining

from input_cases import Row, Shown, rows_by_table

_ROOT: Final = Path(__file__).resolve().parents[1]
PUBLISHED: Final = _ROOT / "docs" / "reference" / "input-cases.md"
_FOLDER: Final = "../../samples"
_LONGEST: Final = 60
_MOST: Final = 4
_TOP: Final = """\
# What people put in, and what kawe does

<!-- Written by tools/write_input_cases.py from the samples: do not edit. -->

Each line says what people put in, such as which value, and what kawe does; without a
word the value is read. In the repository a link leads to the workbook that shows it;
what has none is held by a test alone. An *error* prevents the send of its row, a
*warning* asks a person to check it, a *note* says how kawe read a value. What is
*refused* ends with exit code 5. *(asked)* means that the service was asked,
*(accepted)* that `--accept coordinates` reads it, with a warning.
"""


def written() -> str:
    """Give the page as it is published."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield _TOP
    for title, rows in rows_by_table().items():
        yield f"## {title}\n"
        usual = _usual(rows)
        if usual:
            yield f"Where nothing is said: {usual}.\n"
        yield from (_line(row, usual) for row in rows)
        yield ""


def _usual(rows: Sequence[Row]) -> str:
    """Give what is done in most lines of a table; empty if that is not one thing."""
    done = Counter(_done(shown) for row in rows for shown in row.samples)
    (most, times), *_ = done.most_common(1) or [("", 0)]
    return most if 2 * times > done.total() and all(done) else ""


def _line(row: Row, usual: str) -> str:
    ways = [
        (sample, done, list(same))
        for (sample, done), same in groupby(
            row.samples, key=lambda shown: (shown.sample, _done(shown))
        )
    ]
    what = f"**{_plain(row.what)}**"
    if len(ways) == 1:
        what = f"[{what}]({_FOLDER}/{ways[0][0]}/)"
    parts = [
        _shown(same, "" if done == usual else done, linked=len(ways) > 1)
        for _, done, same in ways
    ]
    told = "; ".join(filter(None, parts))
    return f"- {what}{':' if told else ''} {told}".rstrip()


def _shown(shown: Sequence[Shown], done: str, *, linked: bool) -> str:
    words = ", ".join(dict.fromkeys(filter(None, map(_value, shown))))
    if linked:
        words = f"[{words or 'a sample'}]({_FOLDER}/{shown[0].sample}/)"
    return f"{words} {done}".strip()


def _value(shown: Shown) -> str:
    value = shown.value() if shown.address else ""
    if not value:
        return f"{shown.address} empty" if shown.address else ""
    text = value if len(value) <= _LONGEST else value[:_LONGEST] + "…"
    # Two backticks, so that one of them may stand in the cell.
    return f"`` {_code(text)} ``" if "`" in text else f"`{_code(text)}`"


def _done(shown: Shown) -> str:
    said = shown.expected
    if "refusal" in said:
        return f"*refused*: “… {said['refusal']} …”"
    found = list(_findings(shown))
    if len(found) > _MOST:
        found[_MOST:] = [f"and {len(found) - _MOST} more"]
    marks = ("(accepted)", said.get("accepted")), ("(asked)", said["service"])
    said_of = [", ".join(found), *(mark for mark, holds in marks if holds)]
    return " ".join(filter(None, said_of))


def _findings(shown: Shown) -> Iterator[str]:
    """Tell what is found at the cell, its column or its row; else in the sheet."""
    for each in shown.findings():
        at = each["where"].rpartition("!")[2]
        where = "" if at == shown.address else f"{at} "
        yield f"{where}{each['severity']} `{each['rule']}`"


def _plain(text: str) -> str:
    """Keep what is said from being taken for Markdown."""
    return text.replace("\n", " ").replace("*", "\\*").replace("<", "&lt;")


def _code(text: str) -> str:
    return "".join(
        c if c.isprintable() and not combining(c) else f"<U+{ord(c):04X}>"
        for c in text.replace("\n", " ")
    )


if __name__ == "__main__":
    PUBLISHED.write_text(written(), encoding="utf-8")
    print(f"Wrote {PUBLISHED}")
