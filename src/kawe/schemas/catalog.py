"""The columns of each kind of sheet, in the order of its row schema."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import chain
from typing import Any, Final

from kawe.domain.sheet.columns import CellKind, Choice, Column, SheetKind
from kawe.errors import SchemaError
from kawe.schemas.documents import resolved, row_schema

ANNOTATION: Final = "x-kawe"


@cache
def load_columns(kind: SheetKind) -> tuple[Column, ...]:
    """Give the columns of `kind` in the template's order.

    Raises:
        SchemaError: A schema in the package is broken.
    """
    schema = row_schema(kind)
    required = frozenset(schema["required"])
    return tuple(
        _column(field, resolved(rules), required=field in required)
        for field, rules in schema["properties"].items()
    )


def _column(field: str, rules: Mapping[str, Any], *, required: bool) -> Column:
    try:
        said = rules[ANNOTATION]
        return Column(
            field=field,
            title=said["title"],
            kind=CellKind(said["kind"]),
            hint=said["hint"],
            example=said["example"],
            required=required,
            synonyms=(*said["synonyms"], *chain(*said.get("seen", {}).values())),
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
            width=said["width"],
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
        for value in rules.get("enum", ())
        if value is not None
    )


def label_of(value: str) -> str:
    """Write a name of the interface as people read it.

    `LAND_USE_CONSENT` becomes `Land use consent`.
    """
    return value.replace("_", " ").capitalize()
