"""What a person may teach: headings of their own, and the columns that they mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kawe.domain.sheet.columns import Column, SheetKind
from kawe.domain.text.texts import fold, one_line
from kawe.errors import SettingsError
from kawe.schemas.catalog import load_columns
from kawe.settings import Taught, forget
from kawe.toolkit.kinds import KINDS
from kawe.workbook.reading.suggesting import RapidfuzzSuggester


def lesson(heading: str, meant: str | None, *, kind: SheetKind | None) -> Taught:
    """Say what is to be taught of a heading; `meant` None: it is not to be read.

    Without `kind`, it is the one that has such a column; what is not to be read is
    not read in a sheet of any kind.

    Raises:
        SettingsError: No column is meant, or more than one; or the heading is the
            name of a column itself.
    """
    heading = " ".join(heading.split())
    if not fold(heading):
        raise SettingsError(
            message=f"A heading has letters or digits, and {heading!r} has none."
        )
    kinds: Sequence[SheetKind] = KINDS if kind is None else (kind,)
    if meant is None:
        fields: dict[SheetKind, str | None] = dict.fromkeys(kinds)
    else:
        fields = {each: column.field for each, column in _found(meant, kinds)}
        if len(fields) != 1:
            raise _not_one(meant, kinds, found=list(fields))
    for each, field in fields.items():
        _refuse_title(heading, field, kind=each)
    return {each: {heading: field} for each, field in fields.items()}


def unlearn(heading: str, *, kind: SheetKind | None) -> list[SheetKind]:
    """Take a heading out of this person's settings; say of which kinds.

    Raises:
        SettingsError: The settings cannot be changed.
    """
    kinds: Sequence[SheetKind] = KINDS if kind is None else (kind,)
    return [each for each in kinds if forget(each, heading)]


def title_of(kind: SheetKind, field: str | None) -> str:
    """Give the title of a column, for a sentence."""
    titles = {column.field: column.title for column in load_columns(kind)}
    return "not read" if field is None else titles[field]


def knows_already(kind: SheetKind, heading: str) -> Column | None:
    """Give the column that kawe reads a heading as by itself."""
    folded = fold(heading)
    return next((c for c in load_columns(kind) if folded in map(fold, _names(c))), None)


def _found(
    meant: str, kinds: Sequence[SheetKind]
) -> Iterator[tuple[SheetKind, Column]]:
    for kind in kinds:
        for column in load_columns(kind):
            if fold(meant) in {fold(column.title), fold(column.field)}:
                yield kind, column


def _names(column: Column) -> tuple[str, ...]:
    return (column.title, column.field, *column.synonyms)


def _not_one(
    meant: str, kinds: Sequence[SheetKind], *, found: Sequence[SheetKind]
) -> SettingsError:
    shown = one_line(meant, limit=60)
    if found:
        return SettingsError(
            message=f"Sheets of {' and of '.join(found)} have a column {shown}.",
            hint=f"Say which one: --kind {found[0]}. Nothing was taught.",
        )
    titles = [column.title for kind in kinds for column in load_columns(kind)]
    near = RapidfuzzSuggester().misspelt(meant, among=titles)
    guess = f"Did you mean {' or '.join(dict.fromkeys(near))}? " if near else ""
    columns = [
        f"of {kind}: {', '.join(column.title for column in load_columns(kind))}"
        for kind in kinds
    ]
    return SettingsError(
        message=f"There is no column {shown!r}. Nothing was taught.",
        hint=f"{guess}Columns are, {'; '.join(columns)}.",
    )


def _refuse_title(heading: str, field: str | None, *, kind: SheetKind) -> None:
    for column in load_columns(kind):
        if fold(column.title) == fold(heading) and column.field != field:
            raise SettingsError(
                message=f"{column.title} is itself a column of {kind}, and is always "
                "read as that. Nothing was taught.",
                hint="Give the column another heading in the workbook, and teach "
                "that; or name the sheets that you mean with --kind.",
            )
