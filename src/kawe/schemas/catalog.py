"""The row schemas of the package, and the columns of each kind in their order."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from kawe.domain.sheet.columns import CellKind, Choice, Column, SheetKind
from kawe.errors import SchemaError
from kawe_contract.document import CONTRACT_URI, document

if TYPE_CHECKING:
    from referencing import Registry


@cache
def row_schema(kind: SheetKind) -> dict[str, Any]:
    """Give the schema of one row of `kind`, with its references unresolved."""
    if kind.own_schema:
        return dict(kind.own_schema)
    place = resources.files(kind.package).joinpath("row.schema.json")
    try:
        schema: dict[str, Any] = json.loads(place.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise SchemaError(
            message=f"The rules for {kind} that came with kawe cannot be read.",
            hint="Install kawe again.",
        ) from problem
    return schema


@cache
def registry() -> Registry[Any]:
    """Give every document that a row schema may refer to; nothing is fetched."""
    from referencing import Registry, Resource  # noqa: PLC0415 (start-up)

    empty: Registry[Any] = Registry()
    whole: Registry[Any] = empty.with_resource(
        CONTRACT_URI, Resource.from_contents(document())
    )
    return whole


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    """Give `schema` with its references replaced; its own keywords override."""
    merged = dict(schema)
    try:
        while "$ref" in merged:
            # Without the library, whose import takes as long as many a command.
            uri, _, pointer = merged.pop("$ref").partition("#")
            found = {CONTRACT_URI: document(), "": document()}[uri]
            for key in pointer.split("/")[1:]:
                found = found[key]
            merged = {**found, **merged}
    except (KeyError, TypeError) as problem:
        raise SchemaError(
            message="The rules that came with kawe do not fit together.",
            hint="Install kawe again.",
        ) from problem
    return merged


ANNOTATION: Final = "x-kawe"
_WIDTHS: Final = {
    "yes-no": 10,
    "place": 14,
    "date": 15,
    "email": 34,
    "identifier": 38,
    "list": 60,
    "long-text": 60,
}
"""How wide a column is that says nothing else, by its kind."""


@cache
def load_columns(kind: SheetKind) -> tuple[Column, ...]:
    """Give the columns of `kind` in the template's order."""
    schema = row_schema(kind)
    return tuple(
        _column(field, resolved(rules), schema=schema)
        for field, rules in schema["properties"].items()
    )


def _column(
    field: str, rules: Mapping[str, Any], *, schema: Mapping[str, Any]
) -> Column:
    try:
        said = schema[ANNOTATION]["columns"][field]
        required = field in schema["required"]
        kind = said.get("kind", "text")
        return Column(
            field=field,
            title=said.get("title") or label_of(field),
            kind=CellKind(kind),
            hint=said["hint"],
            example=said["example"],
            required=required,
            synonyms=tuple(
                chain(said.get("synonyms", ()), *said.get("seen", {}).values())
            ),
            words=tuple(said.get("words", ())),
            against=tuple(said.get("against", ())),
            like=said.get("like", ""),
            before=tuple(said.get("before", ())),
            beside=tuple(said.get("beside", ())),
            differs=said.get("differs", False),
            ranges=tuple(map(tuple, said.get("ranges", ()))),
            reaches=required or said.get("reaches", False),
            parts=tuple(map(tuple, said.get("parts", ()))),
            option=said.get("option", ""),
            choices=_choices(rules, said),
            max_length=rules.get("maxLength"),
            is_fetched=said.get("is_fetched", False),
            width=said.get("width") or _WIDTHS.get(kind, 24),
        )
    except (KeyError, ValueError) as problem:
        raise SchemaError(
            message=f"The rules that came with kawe do not describe “{field}” whole.",
            hint="Install kawe again.",
        ) from problem


def _choices(rules: Mapping[str, Any], said: Mapping[str, Any]) -> tuple[Choice, ...]:
    labels = said.get("labels", {})
    aliases = said.get("aliases", {})
    return tuple(
        Choice(
            value=value,
            label=labels.get(value) or label_of(value),
            aliases=tuple(aliases.get(value, ())),
        )
        # A nullable enum lists null; an empty cell is absent.
        for value in rules.get("enum", said.get("choices", ()))
        if value is not None
    )


def label_of(value: str) -> str:
    """Write a name of the interface for people: LAND_USE_CONSENT, Land use consent."""
    return value.replace("_", " ").capitalize()
