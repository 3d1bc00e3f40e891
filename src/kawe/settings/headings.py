"""What the settings say of headings, in whatever sheet they stand.

`[columns.projects]` gives the column of a heading: `"Our heading" = "description"`,
or `false` where it is not to be read. A name that kawe knows itself comes before that,
and so does what a person said of a sheet. The kawe.toml of a folder may come from
somebody else: it says nothing of a heading that the person's own settings speak of, and
makes no column reach people.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from kawe.domain.sheet.columns import CellKind, Column, SheetKind, column_named
from kawe.domain.text.texts import fold, one_line
from kawe.errors import GuardRefused, SettingsError
from kawe.schemas.catalog import load_columns
from kawe.settings.origins import Giver, Layer, Origin

_REACHING: Final = frozenset({CellKind.YES_NO, CellKind.LIST, CellKind.IDENTIFIER})


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnHeading:
    """One of the person's own headings."""

    kind: SheetKind
    heading: str
    field: str | None
    """None: it is not to be read."""
    origin: Origin

    @property
    def by(self) -> str:
        """Say whose word it is, in few words."""
        if self.origin.giver is Giver.FOLDER_FILE:
            return "this folder's kawe.toml says so"
        return "your settings say so"


def own_headings(layers: Sequence[Layer]) -> tuple[OwnHeading, ...]:
    """Give every heading that counts; of one heading, one word.

    Raises:
        SettingsError: A kind or a column is not known.
        GuardRefused: A folder's file would make a column reach people.
    """
    found: dict[tuple[SheetKind, str], OwnHeading] = {}
    # What a folder says comes first, so that all others override it.
    for layer in sorted(layers, key=lambda e: e.origin.giver != Giver.FOLDER_FILE):
        for each in _headings(layer):
            found[each.kind, fold(each.heading)] = each
    return tuple(found.values())


def _headings(layer: Layer) -> Iterator[OwnHeading]:
    kinds = SheetKind.declared()
    for name, headings in layer.values.get("columns", {}).items():
        if name not in kinds or not isinstance(headings, dict):
            raise SettingsError(
                message=f"[columns] cannot hold {one_line(name)!r}.",
                hint=f"It holds {' and '.join(f'[columns.{each}]' for each in kinds)}.",
            )
        kind = SheetKind.named(name)
        for heading, meant in headings.items():
            column = _meant(heading, meant, kind=kind)
            if layer.origin.giver is Giver.FOLDER_FILE and column is not None:
                _refuse_reaching(column, heading, layer=layer)
            yield OwnHeading(
                kind=kind,
                heading=heading,
                field=None if column is None else column.field,
                origin=layer.origin,
            )


def _meant(heading: str, meant: object, *, kind: SheetKind) -> Column | None:
    columns = load_columns(kind)
    column = column_named(meant, columns) if isinstance(meant, str) else None
    if not fold(heading):
        raise SettingsError(
            message=f"[columns.{kind}] has a heading without letters: "
            f"{one_line(heading)!r}."
        )
    if column is None and meant is not False:
        raise SettingsError(
            message=f"[columns.{kind}] {one_line(heading)!r} cannot mean "
            f"{one_line(str(meant))!r}: there is no such column.",
            hint=f"Columns are: {', '.join(each.field for each in columns)}.",
        )
    return column


def _refuse_reaching(column: Column, heading: str, *, layer: Layer) -> None:
    is_message = column.kind is CellKind.LONG_TEXT and not column.required
    if column.kind in _REACHING or is_message:
        raise GuardRefused(
            message=f"{layer.origin} reads “{one_line(heading, limit=60)}” as "
            f"{column.title}, which decides what reaches people.",
            hint="The kawe.toml of a folder may come from somebody else. Take the line "
            "out, and say it yourself: kawe columns, with the workbook.",
        )
