"""The row schemas of the package, and the contract that they refer to.

Nothing is fetched: a reference to any other document is an error of the package.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from kawe.domain.sheet.columns import SheetKind
from kawe.errors import SchemaError
from kawe_contract.document import CONTRACT_URI, document

if TYPE_CHECKING:
    from referencing import Registry


@cache
def row_schema(kind: SheetKind) -> dict[str, Any]:
    """Give the schema of one row of `kind`, with its references unresolved.

    Raises:
        SchemaError: The package is damaged.
    """
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
    """Give every document that a row schema may refer to."""
    from referencing import Registry, Resource  # noqa: PLC0415 (start-up)

    empty: Registry[Any] = Registry()
    whole: Registry[Any] = empty.with_resource(
        CONTRACT_URI, Resource.from_contents(document())
    )
    return whole


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    """Give `schema` with its references replaced; its own keywords override.

    Raises:
        SchemaError: A reference leads nowhere.
    """
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
