"""Write the reference of the columns to docs/reference/columns.md.

`python tools/write_columns.py` writes; a test says when it has to. Everything
on the page comes from the row schemas, as the template and the checker do, so
that no word of it can differ from what is checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from kawe.cases.kinds import KINDS
from kawe.domain.sheet.columns import CellKind, Column, SheetKind
from kawe.schemas.catalog import ANNOTATION, load_columns
from kawe.schemas.documents import row_schema
from kawe.workbook.cells.choices import NO_WORDS, YES_WORDS

PUBLISHED: Final = (
    Path(__file__).resolve().parents[1] / "docs" / "reference" / "columns.md"
)
_PROSE: Final = frozenset({CellKind.TEXT, CellKind.LONG_TEXT})
_TOP: Final = """\
# The columns of each sheet

<!-- Written by tools/write_columns.py from the row schemas: do not edit. -->

What to type in each column, and which other words kawe knows for its heading and its
choices. Case, macrons, hyphens, asterisks and a unit in brackets do not count:
`Latitude (WGS84) *` is Latitude. Columns may be in any order. Of a heading in two
languages, parted by a slash, a bar, brackets, a line break or a dash, either half
counts.

Some columns can stand in parts, such as First name and Surname: kawe joins them in this
order if all parts are there and no column has the whole.

Every check, plan and submit first says how it read each column, and names columns with
values that it did not read; they stay in the result. For
[headings of your own](../settings.md#headings-of-your-own) kawe makes a guess and asks.
[Input cases](input-cases.md) show what kawe does with unusual cells.

**Files** names attachments below the workbook's folder or that of `--files`. `*` and
`?` match letters, `**` matches any folder below.

- Documents, pictures and maps: by name or by pattern.
- Workbooks and tables (`.xlsx` `.xlsm` `.xls` `.ods` `.csv` …), JSON files and results
  of a run: by exact name only.
- Never: hidden files and folders (a full stop begins the name); files called like keys
  or stores of passwords (`id_rsa`, `.pem`, `.key`, `.pfx`, `.p12`, `.ppk`, `.kdbx`,
  `.env` …); kawe's own `kawe.toml` and journals.

For a link, its target counts. `**`, and a pattern that matches more than ten files,
need `--accept patterns`. kawe names every file before it sends anything.
"""


def written() -> str:
    """Give the page as it is published."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield _TOP
    told: dict[frozenset[str], str] = {}
    for kind in KINDS:
        columns = load_columns(kind)
        yield f"## {kind.value.capitalize()}\n"
        yield from _overview(columns)
        for column in columns:
            if column.kind is CellKind.YES_NO:
                values = frozenset({"yes", "no"})
            elif not (values := frozenset(each.value for each in column.choices)):
                continue
            title = f"{kind.value.capitalize()}: what {column.title} can be"
            if values in told:
                yield f"What {column.title} can be: see “{told[values]}”.\n"
                continue
            told[values] = title
            yield f"### {title}\n"
            yield from _choices(column) if column.choices else _yes_no()
        yield from _synonyms(kind, columns)
        yield from _sources(kind)


def _overview(columns: Sequence[Column]) -> Iterator[str]:
    yield "| heading (\\* needed) | what to type | example |"
    yield "|---|---|---|"
    for column in columns:
        title = f"{column.title} \\*" if column.required else column.title
        yield _row((title, f"{column.hint}{_most(column)}", f"`{column.example}`"))
    yield ""


def _most(column: Column) -> str:
    # Only what a person writes freely can be too long.
    if column.max_length is None or column.kind not in _PROSE:
        return ""
    return f" At most {column.max_length:,} characters."


def _choices(column: Column) -> Iterator[str]:
    for choice in column.choices:
        aliases = f": {_spans(choice.aliases)}" if choice.aliases else ""
        yield f"- {choice.label} `{choice.value}`{aliases}"
    yield ""


def _yes_no() -> Iterator[str]:
    yield f"- Yes: {_spans(sorted(YES_WORDS))}"
    yield f"- No: {_spans(sorted(NO_WORDS))}"
    yield ""


def _synonyms(kind: SheetKind, columns: Sequence[Column]) -> Iterator[str]:
    yield f"### {kind.value.capitalize()}: other words for the headings\n"
    for column in columns:
        if column.synonyms:
            yield f"- {column.title}: {_spans(column.synonyms)}"
        for number, names in enumerate(column.parts, start=1):
            part = f"{column.title}, part {number} of {len(column.parts)}"
            yield f"- {part}: {_spans(names)}"
    yield f"- names of the fields: {_spans([each.field for each in columns])}"
    yield ""


def _sources(kind: SheetKind) -> Iterator[str]:
    names = row_schema(kind)[ANNOTATION]["sources"].values()
    if not names:
        return
    yield "Some of these words were seen here; `x-kawe` of the row schema says which:\n"
    yield from (f"- {name}" for name in names)
    yield ""


def _spans(words: Sequence[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"


if __name__ == "__main__":
    PUBLISHED.write_text(written(), encoding="utf-8")
    print(f"Wrote {PUBLISHED}")
