"""Write what kawe does with what people put in to docs/reference/input-cases.md.

`python tools/write_input_cases.py` writes; a test says when it has to. The
page is made from input_cases.toml and from the samples' own expectations, and
every sample is a test: what stands here is what happens.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final
from unicodedata import combining

from input_cases import Row, Shown, rows_by_table

_ROOT: Final = Path(__file__).resolve().parents[1]
PUBLISHED: Final = _ROOT / "docs" / "reference" / "input-cases.md"
_LONGEST: Final = 60
_TOP: Final = """\
# What people put in, and what kawe does

<!-- Written by tools/write_input_cases.py from the samples: do not edit. -->

Each row is something that people really put into workbooks. A workbook below
`samples/` shows it; if one cell matters, the row names that cell and its value. A
test checks that kawe finds exactly what this page says. An *error* prevents the send
of its row, a *warning* asks a person to check it, a *note* says how kawe read a value,
and *read* means that kawe has no finding. The names of rules are for machines; the
sentences of kawe name the cell, what is wrong and what to do. If no workbook can show
a case, the row names the test that checks it.
"""


def written() -> str:
    """Give the page as it is published."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield _TOP
    for title, rows in rows_by_table().items():
        yield f"## {title}\n"
        yield "| what people put in | for instance | what kawe does |"
        yield "|---|---|---|"
        for row in rows:
            yield from _row(row)
        yield ""


def _row(row: Row) -> Iterator[str]:
    what = _plain(row.what)
    for shown in row.samples:
        yield f"| {what} | {_where(shown)} | {_done(shown)} |"
        what = ""
    tests = [test.partition("::")[2].replace("_", " ") for test in row.tests]
    for test in tests:
        yield f"| {what} | {_plain(test.removeprefix('test '))} | a test |"
        what = ""


def _where(shown: Shown) -> str:
    link = f"[{shown.name}](../../samples/{shown.sample}/)"
    if not shown.address:
        return f"{link}: {_plain(shown.expected['story'])}"
    value = shown.value()
    if not value:
        return f"{link} {shown.address}: nothing"
    text = value if len(value) <= _LONGEST else value[:_LONGEST] + "…"
    # Two backticks, so that one of them may stand in the cell.
    return f"{link} {shown.address}: `` {_plain(text, is_code=True)} ``"


def _done(shown: Shown) -> str:
    said = shown.expected
    if "refusal" in said:
        return f"Refused: “… {said['refusal']} …” (exit code {said['exit_code']})"
    found = "<br>".join(_findings(shown)) or "read"
    if said.get("accepted"):
        found += "; with `--accept coordinates` read, with a warning"
    return found + (" (asks the service)" if said["service"] else "")


def _findings(shown: Shown) -> Iterator[str]:
    """Tell what is found at the cell, its column or its row; else in the sheet."""
    for each in shown.findings():
        at = each["where"].rpartition("!")[2]
        where = "" if at == shown.address else f"{at} "
        yield f"{where}{each['severity']} `{each['rule']}`"


def _plain(text: str, *, is_code: bool = False) -> str:
    """Keep what is said from being taken for Markdown."""
    text = text.replace("|", "&#124;").replace("\n", " ")
    if is_code:
        return "".join(
            c if c.isprintable() and not combining(c) else f"<U+{ord(c):04X}>"
            for c in text
        )
    return text.replace("*", "\\*").replace("<", "&lt;")


if __name__ == "__main__":
    PUBLISHED.write_text(written(), encoding="utf-8")
    print(f"Wrote {PUBLISHED}")
