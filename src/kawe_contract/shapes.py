"""Functions that build JSON Schema 2020-12 for bodies."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, TypeAlias

Schema: TypeAlias = Mapping[str, Any]

BOOLEAN: Final[Schema] = {"type": "boolean"}
UUID: Final[Schema] = {"type": "string", "format": "uuid"}
DATE: Final[Schema] = {"type": "string", "format": "date"}
"""A calendar day, YYYY-MM-DD."""
INSTANT: Final[Schema] = {"type": "string", "format": "date-time"}
"""In UTC with milliseconds."""


def ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def text(**limits: int) -> Schema:
    """Give a string; `limits` are JSON Schema words such as `minLength`."""
    return {"type": "string", **limits}


def number(**limits: float) -> Schema:
    return {"type": "number", **limits}


def integer(**limits: int) -> Schema:
    return {"type": "integer", **limits}


def array(items: Schema, **limits: int) -> Schema:
    return {"type": "array", "items": items, **limits}


def choice(values: type[StrEnum] | tuple[int, ...]) -> Schema:
    """Give one of `values`."""
    if isinstance(values, tuple):
        return {"type": "integer", "enum": list(values)}
    return {"type": "string", "enum": [member.value for member in values]}


def nullable(schema: Schema) -> Schema:
    """Allow null beside `schema`."""
    if "$ref" in schema:
        return {"anyOf": [schema, {"type": "null"}]}
    out = dict(schema)
    out["type"] = [out["type"], "null"]
    if "enum" in out:
        out["enum"] = [*out["enum"], None]
    return out


def each(schema: Schema, *names: str) -> dict[str, Schema]:
    """Give the same schema to each of these fields."""
    return dict.fromkeys(names, schema)


def record(
    required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None
) -> Schema:
    """Give an object; unknown fields stay allowed, as the interface says."""
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
    }


def page_of(item: Schema, extra: Mapping[str, Schema] | None = None) -> Schema:
    """Give one page of a list (interface, Response envelope)."""
    return record(
        {
            "data": array(item),
            "total": integer(minimum=0),
            "page": integer(minimum=1),
            "limit": integer(minimum=1),
            "total_pages": integer(minimum=0),
            **(extra or {}),
        }
    )
