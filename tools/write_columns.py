"""Write the reference of the columns below docs/reference.

`python tools/write_columns.py` writes columns.md, what to type in each column, and
column-words.csv, every word that kawe knows for a heading or a choice; a test says
when it has to. All of it comes from `columns.json` of each kind, as the template and
the checker do, so that no word can differ from what is checked.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Final

from kawe.cases.kinds import KINDS
from kawe.domain.sheet.columns import CellKind, Column, SheetKind
from kawe.schemas.catalog import load_columns
from kawe.workbook.cells.choices import NO_WORDS, YES_WORDS

PUBLISHED: Final = (
    Path(__file__).resolve().parents[1] / "docs" / "reference" / "columns.md"
)
WORDS: Final = PUBLISHED.with_name("column-words.csv")
_PROSE: Final = frozenset({CellKind.TEXT, CellKind.LONG_TEXT})
_TOP: Final = """\
# The columns of each sheet

<!-- Written by tools/write_columns.py from the row schemas: do not edit. -->

What to type in each column, with an example; \\* marks those that a sheet must have.
A link to another sheet names columns that are as there, and every sheet of acts has
Occasion. Columns may be in any order. Every check says how it read each of them, and
names those that it did not read; they stay in the result. [Input cases](input-cases.md)
has unusual cells.

[All words that kawe knows](column-words.csv) for a heading and for a choice are one
table. Case, macrons, hyphens, asterisks and a unit in brackets do not count:
`Latitude (WGS84) *` is Latitude. Of a heading in two languages either half counts.
First name and Surname, or Lat deg and Lat min, are joined if no column has the whole;
so are Iwi 1 and Iwi 2. About other headings kawe
[makes a guess and asks](../settings.md#headings-of-your-own). `columns.json` of each
kind says where each word was seen.

**Files** names attachments below the workbook's folder or that of `--files`: in
patterns `*` and `?` match letters, `**` any folder below. kawe names every file before
it sends anything. `**`, and more than ten files of one pattern, need
`--accept patterns`. For a link, its target counts.

| files | are attached |
|---|---|
| documents, pictures, maps | by name or pattern |
| workbooks, tables, JSON, results of a run | by exact name only |
| hidden ones; keys (`id_rsa`, `.pem`, `.kdbx`, `.env` …); kawe's own | never |
"""


def written() -> str:
    """Give the page as it is published."""
    return "\n".join(_lines())


def words_written() -> str:
    """Give the table of words as it is published."""
    text = StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(("sheet", "column", "choice", "word"))
    for kind in KINDS:
        for column in load_columns(kind):
            sheet = kind.value.capitalize()
            table.writerows((sheet, column.title, *each) for each in _words(column))
    return text.getvalue()


def _words(column: Column) -> Iterator[tuple[str, str]]:
    """Give a choice, or none, and a word for it or for the heading."""
    yield from (("", word) for word in (column.field, *column.synonyms))
    for number, names in enumerate(column.parts, start=1):
        yield from ((f"(part {number} of {len(column.parts)})", each) for each in names)
    for choice in column.choices:
        words = (choice.label, choice.value, *choice.aliases)
        yield from ((choice.label, word) for word in words)
    if column.kind is CellKind.YES_NO:
        yield from (("Yes", word) for word in sorted(YES_WORDS))
        yield from (("No", word) for word in sorted(NO_WORDS))


def _lines() -> Iterator[str]:
    yield _TOP
    # What `kawe template --now` adds is left as it is.
    sheets = {
        kind: [each for each in load_columns(kind) if not each.is_fetched]
        for kind in KINDS
    }
    told: set[frozenset[str]] = set()
    # The words for a column stand once, below the first sheet that has it.
    home: dict[str, str] = {}
    for kind, columns in sheets.items():
        sheet = kind.value.capitalize()
        yield f"## {sheet}\n"
        for each in columns:
            home.setdefault(_row(each), sheet)
        if own := [each for each in columns if home[_row(each)] == sheet]:
            yield from (*(f"- {_title(each)}: {_row(each)}" for each in own), "")
        for place in dict.fromkeys(home[_row(each)] for each in columns):
            also = [_title(e) for e in columns if place == home[_row(e)] != sheet]
            if also := [each for each in also if each != "Occasion"]:
                yield f"[{place}](#{place.lower()}): {', '.join(also)}.\n"
        yield from _choices(kind, told)


def _title(column: Column) -> str:
    return f"{column.title} \\*" if column.required else column.title


def _row(column: Column) -> str:
    return f"{column.hint}{_most(column)} `{column.example}`"


def _most(column: Column) -> str:
    # Only what a person writes freely can be too long.
    if column.max_length is None or column.kind not in _PROSE:
        return ""
    return f" At most {column.max_length:,} characters."


def _choices(kind: SheetKind, told: set[frozenset[str]]) -> Iterator[str]:
    """Name the choices that no sheet before has."""
    for column in load_columns(kind):
        values = frozenset(each.value for each in column.choices)
        if values and values not in told:
            told.add(values)
            labels = "; ".join(each.label for each in column.choices)
            yield f"{column.title} can be: {labels}.\n"


if __name__ == "__main__":
    PUBLISHED.write_text(written(), encoding="utf-8")
    WORDS.write_text(words_written(), encoding="utf-8")
    print(f"Wrote {PUBLISHED} and {WORDS}")
