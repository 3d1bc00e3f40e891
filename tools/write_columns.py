"""Write the reference of the columns to docs/reference/columns.md.

`python tools/write_columns.py` writes; a test says when it has to. Everything
on the page comes from the row schemas, as the template and the checker do, so
that no word of it can differ from what is checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from kawe.domain.sheet.columns import CellKind, Choice, Column, SheetKind
from kawe.schemas.catalog import ANNOTATION, load_columns
from kawe.schemas.documents import row_schema
from kawe.toolkit.kinds import KINDS
from kawe.workbook.cells.choices import NO_WORDS, YES_WORDS

PUBLISHED: Final = (
    Path(__file__).resolve().parents[1] / "docs" / "reference" / "columns.md"
)
_PROSE: Final = frozenset({CellKind.TEXT, CellKind.LONG_TEXT})
_TOP: Final = """\
# The columns of each sheet

<!-- Written by tools/write_columns.py from the row schemas: do not edit. -->

This page says what to type in each column, and which other words kawe knows for its
heading and its choices. Case, macrons, hyphens, asterisks and a unit in brackets do
not count: `Latitude (WGS84) *` is read as Latitude. Columns may be in any order.

Some columns can stand in parts, such as First name and Surname: kawe joins them, in
this order, where all parts are there and no column has the whole.

Of a heading in two languages, parted by a slash, a bar, brackets, a line break or a
dash, either half counts.

Every check, plan and submit says first how it read each column, and names each column
with values that it did not read. kawe keeps such a column in the result, and does
nothing else with it. If its name or its cells speak for a column that the sheet lacks,
kawe makes a guess, and does not use it before you agree: see
[headings of your own](../settings.md#headings-of-your-own).

The [cases](input-cases.md) show what kawe does with cells that are not as they should
be.

**Files** names attachments below the files folder, which is the workbook's folder or
the one of `--files`. `*` and `?` match letters, `**` matches any folder below.

- Name a document, picture or map by its name or by a pattern.
- Name a workbook or table (`.xlsx` `.xlsm` `.xls` `.ods` `.csv` …), a JSON file and
  the result of a run by its exact name: a pattern never matches them.
- kawe never attaches, also not by exact name: hidden files (the name of the file, or
  of a folder above it, begins with a full stop); files that are called like keys or
  stores of passwords (`id_rsa`, `.pem`, `.key`, `.pfx`, `.p12`, `.ppk`, `.kdbx`,
  `.env` …); and kawe's own `kawe.toml` and journals.

For a link, kawe applies these rules to its target. It takes `**`, and a pattern that
matches more than ten files, only with `--accept patterns`. It names every file before
it sends anything.
"""


def written() -> str:
    """Give the page as it is published."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield _TOP
    for kind in KINDS:
        columns = load_columns(kind)
        yield f"## {kind.value.capitalize()}\n"
        yield from _overview(columns)
        for column in columns:
            if column.choices:
                yield from _choices(kind, column)
            elif column.kind is CellKind.YES_NO:
                yield from _yes_no(kind, column)
        yield from _synonyms(kind, columns)
        yield from _sources(kind)


def _overview(columns: Sequence[Column]) -> Iterator[str]:
    yield "| heading | needed | what to type | example |"
    yield "|---|---|---|---|"
    for column in columns:
        needed = "yes" if column.required else ""
        cells = (
            column.title,
            needed,
            f"{column.hint}{_most(column)}",
            f"`{column.example}`",
        )
        yield _row(cells)
    yield ""


def _most(column: Column) -> str:
    # Only what a person writes freely can be too long.
    if column.max_length is None or column.kind not in _PROSE:
        return ""
    return f" At most {column.max_length:,} characters."


def _choices(kind: SheetKind, column: Column) -> Iterator[str]:
    yield f"### {kind.value.capitalize()}: what {column.title} can be\n"
    yield "| choice | the service calls it | also accepted |"
    yield "|---|---|---|"
    for choice in column.choices:
        yield _row((choice.label, f"`{choice.value}`", _accepted(choice)))
    yield ""


def _accepted(choice: Choice) -> str:
    return _spans(choice.aliases)


def _yes_no(kind: SheetKind, column: Column) -> Iterator[str]:
    yield f"### {kind.value.capitalize()}: what {column.title} can be\n"
    yield "| choice | also accepted |"
    yield "|---|---|"
    yield _row(("Yes", _spans(sorted(YES_WORDS))))
    yield _row(("No", _spans(sorted(NO_WORDS))))
    yield ""


def _synonyms(kind: SheetKind, columns: Sequence[Column]) -> Iterator[str]:
    yield f"### {kind.value.capitalize()}: other words for the headings\n"
    yield "| heading | also read as |"
    yield "|---|---|"
    for column in columns:
        yield _row((column.title, _spans((column.field, *column.synonyms))))
        for number, names in enumerate(column.parts, start=1):
            part = f"{column.title}, part {number} of {len(column.parts)}"
            yield _row((part, _spans(names)))
    yield ""


def _sources(kind: SheetKind) -> Iterator[str]:
    schema = row_schema(kind)
    yield f"### {kind.value.capitalize()}: where some of these words were seen\n"
    yield "The others are spellings and words that mean the same.\n"
    yield "| words | seen in |"
    yield "|---|---|"
    for source, name in schema[ANNOTATION]["sources"].items():
        words = [
            word
            for rules in schema["properties"].values()
            for word in rules[ANNOTATION].get("seen", {}).get(source, ())
        ]
        yield _row((_spans(words), name))
    yield ""


def _spans(words: Sequence[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"


if __name__ == "__main__":
    PUBLISHED.write_text(written(), encoding="utf-8")
    print(f"Wrote {PUBLISHED}")
