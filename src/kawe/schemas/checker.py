"""Checks one row's values against the schema of its kind.

Two libraries read the same schema: jsonschema-rs says *whether* a row is right, in two
microseconds; jsonschema says *why* it is not. A property test checks that they agree.
Both are imported with the first row.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from kawe.contract.document import CONTRACT_URI, document
from kawe.domain.sheet.columns import CellKind, Column, SheetKind
from kawe.domain.sheet.tables import CellValue
from kawe.errors import SchemaError
from kawe.schemas.catalog import load_columns
from kawe.schemas.documents import registry, row_schema
from kawe.schemas.wording import Broken, tell

if TYPE_CHECKING:
    from jsonschema import ValidationError


class SchemaChecker:
    """A RowChecker over the schemas that came with kawe."""

    def columns(self, kind: SheetKind) -> tuple[Column, ...]:
        """Give the columns of `kind` in the template's order."""
        return load_columns(kind)

    def problems(
        self, kind: SheetKind, values: Mapping[str, CellValue]
    ) -> tuple[tuple[str, str, str, str], ...]:
        """List every rule that `values` breaks, in the order of the columns.

        A field is named once for each rule. None is an empty cell.

        Raises:
            SchemaError: The two libraries disagree.
        """
        if _is_right(kind, values):
            return ()
        plain = _as_json(values)
        told = {tell(each): None for each in _broken(kind, plain)}
        if not told and not _is_right(kind, plain):
            raise SchemaError(
                message="kawe's two checkers do not agree about a row.",
                hint="Please report this: it is a fault of kawe.",
            )
        order = {column.field: at for at, column in enumerate(load_columns(kind))}
        return tuple(sorted(told, key=lambda each: order[each[0]]))

    def suspects(
        self, kind: SheetKind, columns: Mapping[str, Sequence[CellValue]]
    ) -> Iterator[int]:
        """Give the rows that break a rule, counted from 0."""
        if all(_is_right_column(kind, *each) for each in columns.items()):
            return _lacking(kind, columns)
        return self._one_by_one(kind, columns)

    def _one_by_one(
        self, kind: SheetKind, columns: Mapping[str, Sequence[CellValue]]
    ) -> Iterator[int]:
        for at, row in enumerate(zip(*columns.values(), strict=True)):
            values = zip(columns, row, strict=True)
            if not _is_right(kind, {name: v for name, v in values if v is not None}):
                yield at


def _is_right_column(kind: SheetKind, field: str, values: Sequence[CellValue]) -> bool:
    """Check every value of a column: a row schema has no rule over two fields."""
    is_hashable = CellKind.LIST is not _kind_of(kind, field)
    different = list(set(values)) if is_hashable else list(values)
    there = [value for value in different if value is not None]
    try:
        return _whether_all(kind, field)(there)
    except ValueError:
        return False


def _lacking(
    kind: SheetKind, columns: Mapping[str, Sequence[CellValue]]
) -> Iterator[int]:
    """Give the rows in which a required field is empty."""
    count = len(next(iter(columns.values()), ()))
    for field in row_schema(kind)["required"]:
        values = columns.get(field)
        if values is None:
            yield from range(count)
        elif None in set(values):
            yield from (at for at, value in enumerate(values) if value is None)


def _is_right(kind: SheetKind, values: Mapping[str, CellValue]) -> bool:
    try:
        return _whether(kind)(values)
    except ValueError:
        # Half a surrogate pair; `_as_json` replaces it first.
        return False


@cache
def _whether(kind: SheetKind) -> Callable[[Mapping[str, CellValue]], bool]:
    # 30 ms to import.
    import jsonschema_rs  # noqa: PLC0415 (start-up)

    cited = jsonschema_rs.Registry([(CONTRACT_URI, document())])
    return jsonschema_rs.Draft202012Validator(
        row_schema(kind), registry=cited, offline=True
    ).is_valid


@cache
def _whether_all(kind: SheetKind, field: str) -> Callable[[Sequence[CellValue]], bool]:
    """Make the check of many values of one field."""
    import jsonschema_rs  # noqa: PLC0415 (start-up)

    schema = row_schema(kind)
    each = {"$id": f"{schema['$id']}:{field}", "type": "array"}
    each["items"] = schema["properties"][field]
    cited = jsonschema_rs.Registry([(CONTRACT_URI, document())])
    return jsonschema_rs.Draft202012Validator(
        each, registry=cited, offline=True
    ).is_valid


@cache
def _kind_of(kind: SheetKind, field: str) -> CellKind:
    return next(each.kind for each in load_columns(kind) if each.field == field)


@cache
def _why(kind: SheetKind) -> Callable[[object], Iterator[ValidationError]]:
    # 124 ms to import, and only mistakes need it.
    from jsonschema import Draft202012Validator  # noqa: PLC0415 (start-up)

    return Draft202012Validator(row_schema(kind), registry=registry()).iter_errors


def _broken(kind: SheetKind, values: dict[str, Any]) -> Iterator[Broken]:
    columns = {column.field: column for column in load_columns(kind)}
    for problem in _why(kind)(values):
        word, limit = str(problem.validator), problem.validator_value
        if word == "required":
            # Each error lists all missing fields.
            fields = [field for field in columns if _is_missing(field, kind, values)]
        else:
            fields = [str(problem.absolute_path[0])]
        for field in fields:
            yield Broken(
                column=columns[field], word=word, limit=limit, value=problem.instance
            )


def _is_missing(field: str, kind: SheetKind, values: dict[str, Any]) -> bool:
    return field in row_schema(kind)["required"] and field not in values


def _as_json(values: Mapping[str, CellValue]) -> dict[str, Any]:
    """Give the values as JSON, without None.

    The libraries disagree on non-finite numbers, which become text, and half surrogate
    pairs, which become replacement marks.
    """
    return {
        field: _json_value(value)
        for field, value in values.items()
        if value is not None
    }


def _json_value(value: object) -> object:
    match value:
        case float() if not math.isfinite(value):
            return str(value)
        case str():
            return value.encode("utf-8", "replace").decode("utf-8")
        case list():
            return [_json_value(each) for each in value]
        case _:
            return value
