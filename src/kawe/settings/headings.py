"""The person's own headings, from the settings.

`[columns.projects]` gives the column of a heading: `"Our heading" = "description"`. It
overrides kawe's own headings.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from kawe.domain.sheet.columns import SheetKind
from kawe.domain.text.texts import fold, one_line
from kawe.errors import SettingsError
from kawe.schemas.catalog import load_columns

Taught: TypeAlias = Mapping[SheetKind, Mapping[str, str]]
"""By kind of sheet: the field of each heading."""


def taught_headings(columns: Mapping[str, object]) -> Taught:
    """Read the section `[columns]`, with fields or titles in any case.

    Raises:
        SettingsError: A kind or a column is not known.
    """
    kinds = SheetKind.declared()
    taught = {}
    for name, headings in columns.items():
        if name not in kinds or not isinstance(headings, dict):
            raise SettingsError(
                message=f"[columns] cannot hold {one_line(name)!r}.",
                hint=f"It holds {' and '.join(f'[columns.{each}]' for each in kinds)}.",
            )
        kind = SheetKind.named(name)
        fields = {
            fold(word): column.field
            for column in load_columns(kind)
            for word in (column.field, column.title)
        }
        taught[kind] = {
            heading: _field(heading, meant, fields=fields, kind=kind)
            for heading, meant in headings.items()
        }
    return taught


def _field(
    heading: str, meant: object, *, fields: Mapping[str, str], kind: SheetKind
) -> str:
    field = fields.get(fold(meant)) if isinstance(meant, str) else None
    if not fold(heading):
        raise SettingsError(
            message=f"[columns.{kind}] has a heading without letters: "
            f"{one_line(heading)!r}."
        )
    if field is None:
        raise SettingsError(
            message=f"[columns.{kind}] {one_line(heading)!r} cannot mean "
            f"{one_line(str(meant))!r}: there is no such column.",
            hint=f"Columns are: {', '.join(dict.fromkeys(fields.values()))}.",
        )
    return field
