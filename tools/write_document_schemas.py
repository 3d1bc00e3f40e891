"""Write the JSON Schemas of what commands print with --json, for docs/reference.

    KAWE_TESTS_RECORD=FOLDER pytest tests/cli
    python tools/write_document_schemas.py FOLDER [--anew]

The first keeps every document that a command prints in a test. What all of them have
in common is the schema; without the variable the tests hold each document to it, and
let no other field in. What is null in one place may be null wherever it is named so; a
place in which nothing ever stood takes anything. Without --anew, what is published
stays: then the tests that print something new are enough.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

PUBLISHED: Final = (
    Path(__file__).resolve().parents[1] / "docs" / "reference" / "documents.schema.json"
)
_BY_NAME: Final = frozenset(
    {"addresses", "counts", "fields", "messages", "values", "warnings"}
)
"""Objects whose names are those of things, such as outcomes."""
_TYPES: Final = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    type(None): "null",
}


@dataclass
class Shape:
    """What values in one place have in common."""

    types: set[str] = field(default_factory=set)
    fields: dict[str, Shape] = field(default_factory=dict)
    always: set[str] | None = None
    items: Shape | None = None

    def see(self, value: object, *, name: str = "") -> None:
        """Take one more value in."""
        if isinstance(value, list):
            self.types.add("array")
            self.items = self.items or Shape()
            for each in value:
                self.items.see(each)
        elif isinstance(value, dict):
            self.types.add("object")
            if name in _BY_NAME:
                self.items = self.items or Shape()
                for each in value.values():
                    self.items.see(each)
                return
            names = set(value)
            self.always = names if self.always is None else self.always & names
            for known, each in value.items():
                self.fields.setdefault(known, Shape()).see(each, name=known)
        else:
            self.types.add(_TYPES[type(value)])

    def schema(self, *, name: str = "") -> dict[str, Any]:
        """Give the JSON Schema; a place where nothing stood takes anything."""
        types = self.types - ({"integer"} if "number" in self.types else set())
        if not types:
            return {}
        told: dict[str, Any] = {
            "type": min(types) if len(types) == 1 else sorted(types)
        }
        if "array" in types and self.items is not None:
            told["items"] = self.items.schema()
        if "object" in types and name in _BY_NAME and self.items is not None:
            told["additionalProperties"] = self.items.schema()
        elif "object" in types:
            told["properties"] = {
                known: each.schema(name=known)
                for known, each in sorted(self.fields.items())
            }
            told["required"] = sorted(self.always or ())
        return told

    def named(self) -> Iterator[tuple[str, Shape]]:
        """Give each field below, with its name."""
        for name, each in self.fields.items():
            yield name, each
            yield from each.named()
        if self.items is not None:
            yield from self.items.named()


def _shape_of(schema: dict[str, Any]) -> Shape:
    """Read what is published."""
    types = schema.get("type", [])
    shape = Shape(types={types} if isinstance(types, str) else set(types))
    inner = schema.get("items", schema.get("additionalProperties"))
    shape.items = None if inner is None else _shape_of(inner)
    if "properties" in schema:
        shape.always = set(schema["required"])
        shape.fields = {
            known: _shape_of(each) for known, each in schema["properties"].items()
        }
    return shape


def schemas(
    documents: Iterable[dict[str, Any]], *, known: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Give one schema for each name of a document, and one that chooses by the name.

    `known` are the schemas by name to which something is added.
    """
    shapes = {name: _shape_of(each) for name, each in (known or {}).items()}
    for each in documents:
        shapes.setdefault(each["schema"], Shape()).see(each)
    named = [pair for shape in shapes.values() for pair in shape.named()]
    empty = {name for name, each in named if "null" in each.types} - {"exit_code"}
    for name, shape in named:
        shape.types |= {"null"} if name in empty else set()
    names = sorted(shapes)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:kawe:documents:1",
        "title": "What the commands of kawe print with --json",
        "description": "Drawn from every document that the tests of kawe print.",
        "type": "object",
        "required": ["schema"],
        "properties": {"schema": {"enum": names}},
        "allOf": [
            {
                "if": {"properties": {"schema": {"const": name}}},
                "then": {"$ref": f"#/$defs/{name.replace('/', '~1')}"},
            }
            for name in names
        ],
        "$defs": {name: shapes[name].schema() for name in names},
    }


if __name__ == "__main__":
    lines = (
        line
        for path in sorted(Path(sys.argv[1]).glob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    )
    before = {} if "--anew" in sys.argv else json.loads(PUBLISHED.read_text("utf-8"))
    found = schemas(map(json.loads, lines), known=before.get("$defs"))
    PUBLISHED.write_text(
        f"{json.dumps(found, indent=1, ensure_ascii=False)}\n", encoding="utf-8"
    )
