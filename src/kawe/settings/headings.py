"""The person's own headings, from the settings.

`[columns.projects]` gives the column of a heading: `"Our heading" = "description"`,
or `false` where it is not to be read. It overrides kawe's own headings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from kawe.domain.sheet.columns import SheetKind
from kawe.domain.text.texts import fold, one_line
from kawe.errors import SettingsError
from kawe.schemas.catalog import load_columns
from kawe.settings.origins import DEFAULT, Layer, Origin

Taught: TypeAlias = Mapping[SheetKind, Mapping[str, str | None]]
"""By kind of sheet: the field of each heading; None: it is not to be read."""


def all_taught(layers: Sequence[Layer]) -> Taught:
    """Merge the headings of all places; of one heading, the nearest counts.

    Raises:
        SettingsError: A kind or a column is not known.
    """
    taught: Taught = {}
    for layer in layers:
        taught = taught_over(taught, taught_headings(layer.values.get("columns", {})))
    return taught


def taught_over(before: Taught, after: Taught) -> Taught:
    """Merge headings; those of `after` override."""
    merged = dict(before)
    for kind, headings in after.items():
        said = set(map(fold, headings))
        others = {
            heading: field
            for heading, field in merged.get(kind, {}).items()
            if fold(heading) not in said
        }
        merged[kind] = others | dict(headings)
    return merged


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnHeading:
    """One of the person's own headings."""

    kind: SheetKind
    heading: str
    field: str | None
    """None: it is not to be read."""
    origin: Origin

    def as_json(self) -> dict[str, str | None]:
        return {
            "kind": self.kind.value,
            "heading": self.heading,
            "field": self.field,
            "from": str(self.origin),
        }


def own_headings(taught: Taught, layers: Sequence[Layer]) -> Iterator[OwnHeading]:
    """Give every heading that counts, and the place that says so."""
    for kind, headings in taught.items():
        for heading, field in headings.items():
            said = (
                layer.origin
                for layer in reversed(layers)
                if heading in layer.values.get("columns", {}).get(kind, {})
            )
            origin = next(said, DEFAULT)
            yield OwnHeading(kind=kind, heading=heading, field=field, origin=origin)


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
) -> str | None:
    field = fields.get(fold(meant)) if isinstance(meant, str) else None
    if not fold(heading):
        raise SettingsError(
            message=f"[columns.{kind}] has a heading without letters: "
            f"{one_line(heading)!r}."
        )
    if field is None and meant is not False:
        raise SettingsError(
            message=f"[columns.{kind}] {one_line(heading)!r} cannot mean "
            f"{one_line(str(meant))!r}: there is no such column.",
            hint=f"Columns are: {', '.join(dict.fromkeys(fields.values()))}.",
        )
    return field
