"""Checks bodies against the contract's JSON Schemas; lists every problem.

It is the twin's own, so that it can disagree with the client's checker. Messages repeat
no value, and unknown fields are ignored (interface, Errors).
"""

import operator
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from kawe_contract.document import document

_UUID: Final = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_KIND_WORDS: Final = {
    "string": "text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}

# Texts and lists have a length; the words differ.
_LIMITS: Final[Mapping[str, tuple[Callable[[float, float], bool], str]]] = {
    "minLength": (operator.ge, "must have at least {} character{}"),
    "maxLength": (operator.le, "must have at most {} characters"),
    "exclusiveMinimum": (operator.gt, "must be greater than {}"),
    "minimum": (operator.ge, "must be at least {}"),
    "maximum": (operator.le, "must be at most {}"),
    "minItems": (operator.ge, "must have at least {} item{}"),
    "maxItems": (operator.le, "must have at most {} items"),
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem of a field."""

    path: str
    says: str

    def __str__(self) -> str:
        return f"{self.path} {self.says}"

    @property
    def field(self) -> str:
        return re.split(r"[.\[]", self.path, maxsplit=1)[0]


def is_uuid(value: str) -> bool:
    """Check for a UUID in its usual form, in either case."""
    return _UUID.fullmatch(value) is not None


def is_day(value: str) -> bool:
    """Check for an existing day, as YYYY-MM-DD."""
    if not _DAY.fullmatch(value):
        return False
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


def body_problems(body: object, *, schema_name: str) -> list[Problem]:
    return list(_walk(body, schema=_named(schema_name), path=""))


def _named(name: str) -> Mapping[str, Any]:
    schema: Mapping[str, Any] = document()["$defs"][name]
    return schema


def _walk(value: object, *, schema: Mapping[str, Any], path: str) -> Iterator[Problem]:
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        yield from _walk(value, schema=_named(name), path=path)
        return
    if "anyOf" in schema:
        yield from _any_of(value, branches=schema["anyOf"], path=path)
        return
    kinds = schema.get("type", ())
    kinds = (kinds,) if isinstance(kinds, str) else tuple(kinds)
    if not any(_is_kind(value, kind=kind) for kind in kinds):
        words = " or ".join(_KIND_WORDS[kind] for kind in kinds)
        yield Problem(path or "body", f"must be {words}")
        return
    for says in _broken_limits(value, schema=schema):
        yield Problem(path or "body", says)
    yield from _children(value, schema=schema, path=path)


def _any_of(
    value: object, *, branches: list[Mapping[str, Any]], path: str
) -> Iterator[Problem]:
    first: list[Problem] | None = None
    for branch in branches:
        if not (found := list(_walk(value, schema=branch, path=path))):
            return
        first = found if first is None else first
    yield from first or ()


def _is_kind(value: object, *, kind: str) -> bool:
    # A bool is an int to Python, but true is no number to JSON.
    match value:
        case None:
            return kind == "null"
        case bool():
            return kind == "boolean"
        case str():
            return kind == "string"
        case int() | float():
            return _is_number(value, kind=kind)
        case list():
            return kind == "array"
        case _:
            return kind == "object" and isinstance(value, dict)


def _is_number(value: float, *, kind: str) -> bool:
    # A whole number may be written 5.0 (JSON Schema 2020-12, 6.1.1). What no
    # double can hold, infinity among it, is no number here.
    largest = sys.float_info.max
    if not -largest <= value <= largest:
        return False
    return kind == "number" or (kind == "integer" and value == int(value))


def _broken_limits(value: object, *, schema: Mapping[str, Any]) -> Iterator[str]:
    choices = schema.get("enum")
    if choices is not None and value not in choices:
        yield "must be one of " + ", ".join(str(c) for c in choices if c is not None)
    if isinstance(value, str):
        yield from _broken_text(value, schema=schema)
    measure = len(value) if isinstance(value, str | list) else value
    if isinstance(measure, bool) or not isinstance(measure, int | float):
        return
    for word, (is_kept, says) in _LIMITS.items():
        limit = schema.get(word)
        if limit is not None and not is_kept(measure, limit):
            yield says.format(limit, "s"[: limit != 1])


def _broken_text(value: str, *, schema: Mapping[str, Any]) -> Iterator[str]:
    try:
        value.encode()
    except UnicodeEncodeError:
        # Half of a surrogate pair: legal in JSON, but no character.
        yield "must be proper Unicode text"
    form = schema.get("format")
    if form == "uuid" and not is_uuid(value):
        yield "must be a UUID"
    if form == "date" and not is_day(value):
        yield "must be a date, YYYY-MM-DD"


def _children(
    value: object, *, schema: Mapping[str, Any], path: str
) -> Iterator[Problem]:
    if isinstance(value, list) and "items" in schema:
        for place, item in enumerate(value):
            yield from _walk(item, schema=schema["items"], path=f"{path}[{place}]")
    if isinstance(value, dict):
        before = f"{path}." if path else ""
        for name in schema.get("required", ()):
            if name not in value:
                yield Problem(before + name, "is required")
        for name, part in schema.get("properties", {}).items():
            if name in value:
                yield from _walk(value[name], schema=part, path=before + name)
