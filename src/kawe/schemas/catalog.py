"""The row schemas of the package, and the columns of each kind in their order."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from kawe.domain.service.lists import code_words
from kawe.domain.sheet.columns import CellKind, Choice, Column, SheetKind
from kawe.errors import SchemaError
from kawe_contract.document import CONTRACT_URI, document
from kawe_contract.requests import REQUESTS

if TYPE_CHECKING:
    from referencing import Registry


@cache
def row_schema(kind: SheetKind) -> dict[str, Any]:
    """Give the schema of one row of `kind`, with its references unresolved."""
    if kind.own_schema:
        return dict(kind.own_schema)
    return schema_from(kind.word, own_columns(kind.package))


def schema_from(word: str, told: Mapping[str, Any]) -> dict[str, Any]:
    """Make the row schema of the columns that are told, as `columns.json` has them."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:kawe:row:{word}",
        "title": f"One row of a sheet of {word}, as read",
        "type": "object",
        "required": [*told["required"]],
        "properties": {field: _rules(said) for field, said in told["columns"].items()},
        ANNOTATION: told,
    }


@cache
def own_columns(package: str) -> dict[str, Any]:
    """Read what is told of the columns of a kind.

    A field is the contract's of its name, behind one of the beginnings in `cites`.
    """
    place = resources.files(package).joinpath("columns.json")
    try:
        told: dict[str, Any] = json.loads(place.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise _damaged("cannot be read") from problem
    cited = {
        f"{beginning}{name}": f"{body}/properties/{name}"
        for beginning, body in told["cites"].items()
        for name in REQUESTS[body]["properties"]
    }
    for field, said in told["columns"].items():
        if said.get("kind") not in _SHAPES:
            said.setdefault("of", cited.get(field))
        said["reaches"] = field in told.get("reaches", ())
    return told


_FULL: Final = {"minLength": 1}
_TEXT: Final = {"type": "string", **_FULL}
_SHAPES: Final[Mapping[str, Mapping[str, Any]]] = {
    "yes-no": {"type": "boolean"},
    "number": {"type": "number"},
    "place": {"type": ["string", "number"]},
    "list": {"type": "array", "items": _TEXT},
}
_DAY: Final = "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$"
_MORE: Final[Mapping[str, Mapping[str, Any]]] = {
    "date": {"pattern": _DAY, "maxLength": 10},
    **dict.fromkeys(("text", "long-text", "email"), _FULL),
}


def _rules(said: Mapping[str, Any]) -> dict[str, Any]:
    """Give the rules of cells: of the contract's part `of`, or those of their kind."""
    kind, of = said.get("kind", "text"), said.get("of")
    rules = {"$ref": f"{CONTRACT_URI}#/$defs/{of}"} if of else _SHAPES.get(kind, _TEXT)
    return {**rules, **_MORE.get(kind, {}), **said.get("rules", {})}


def _damaged(how: str) -> SchemaError:
    message = f"The rules that came with kawe {how}."
    return SchemaError(message=message, hint="Install kawe again.")


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
        raise _damaged("do not fit together") from problem
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
            title=said.get("title") or code_words(field),
            kind=CellKind(kind),
            hint=said["hint"],
            example=said["example"],
            required=required,
            is_needed=said.get("is_needed", False),
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
        raise _damaged(f"do not describe “{field}” whole") from problem


def _choices(rules: Mapping[str, Any], said: Mapping[str, Any]) -> tuple[Choice, ...]:
    labels = said.get("labels", {})
    aliases = said.get("aliases", {})
    return tuple(
        Choice(
            value=value,
            label=labels.get(value) or code_words(value),
            aliases=tuple(aliases.get(value, ())),
        )
        # A nullable enum lists null; an empty cell is absent.
        for value in rules.get("enum", said.get("choices", ()))
        if value is not None
    )
