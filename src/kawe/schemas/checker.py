"""Checks one row's values against the schema of its kind.

Two libraries read the same schema: jsonschema-rs says *whether* a row is right, in two
microseconds; jsonschema says *why* it is not. A property test checks that they agree.
Both are imported with the first row. Messages use the column's heading, hint and
choices, never the words of the schema.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from kawe.domain.sheet.columns import CellKind, Column, SheetKind
from kawe.domain.sheet.findings import MISSING
from kawe.domain.text.texts import counted, either, one_line
from kawe.errors import SchemaError
from kawe.schemas.catalog import load_columns, registry, row_schema
from kawe_contract.document import CONTRACT_URI, document
from kawe_places.values import CellValue

if TYPE_CHECKING:
    from jsonschema import ValidationError

_SHOWN_CHARACTERS: Final = 60
_EXPECTED: Final[Mapping[CellKind, str]] = {
    CellKind.TEXT: "text",
    CellKind.LONG_TEXT: "text",
    CellKind.DATE: "a date",
    CellKind.CHOICE: "one of the choices",
    CellKind.YES_NO: "Yes or No",
    CellKind.NUMBER: "a number",
    CellKind.EMAIL: "an email address",
    CellKind.PHONE: "a phone number, written as text",
    CellKind.LIST: "texts with ; between them",
    CellKind.PLACE: "a number or text",
    CellKind.IDENTIFIER: "an ID that the service gave",
}
# The value is none that is known.
_UNKNOWN: Final = frozenset({"not-a-choice", "unusable"})
# A person can shorten only these.
_PROSE: Final = frozenset({CellKind.TEXT, CellKind.LONG_TEXT})


class SchemaChecker:
    """A RowChecker over the schemas that came with kawe."""

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
            needed = {*row_schema(kind)["required"]} - values.keys()
            fields = [field for field in columns if field in needed]
        else:
            fields = [str(problem.absolute_path[0])]
        for field in fields:
            yield Broken(
                column=columns[field], word=word, limit=limit, value=problem.instance
            )


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """One rule that one value breaks."""

    column: Column
    word: str
    """The schema's keyword: required, type, enum, pattern, …"""
    limit: Any
    """The keyword's value."""
    value: Any
    """None: the cell is empty."""


def tell(broken: Broken) -> tuple[str, str, str, str]:
    """Describe a broken rule as (field, rule, message, advice)."""
    column = broken.column
    rule, message, advice = _said(broken)
    advice = advice or column.hint
    if rule in _UNKNOWN and column.kind is not CellKind.PLACE:
        advice = column.or_empty(advice)
    return (column.field, rule, message, advice)


def _said(broken: Broken) -> tuple[str, str, str]:
    """Give rule, message and advice; empty advice: the column's hint."""
    column, limit = broken.column, broken.limit
    title, shown = column.title, _shown(broken.value)
    rule, message, advice = (
        "unusable",
        f"{shown} cannot be used as {title}: it should be {_EXPECTED[column.kind]}.",
        "",
    )
    match broken.word:
        case "required":
            rule, message = MISSING, f"{title} is missing."
            if column.option:
                advice = (
                    f"{column.hint} Or give one for every row that has none, with "
                    f"{column.option}."
                )
        case "minLength":
            rule, message = "empty", f"{title} is empty, or has an empty part."
        case "enum":
            labels = [choice.label for choice in column.choices]
            rule, advice = "not-a-choice", f"Choose one of: {either(labels)}."
            message = f"{shown} is not one of the choices for {title}."
        case "maxLength" if column.kind in _PROSE:
            rule = "too-long"
            message, advice = _too_long(title, broken.value, limit)
        case "minimum":
            rule, message = "too-small", f"{title} must not be less than {limit}."
        case "maximum":
            rule, message = "too-large", f"{title} must not be more than {limit}."
        case _:
            pass
    return rule, message, advice


def _too_long(title: str, value: str, limit: int) -> tuple[str, str]:
    over = len(value) - limit
    return (
        f"{title} has {len(value):,} characters; {limit:,} is the most.",
        f"Shorten it by {counted(over, 'character')}.",
    )


def _shown(value: object) -> str:
    if isinstance(value, Mapping | list):
        value = "; ".join(map(str, value))
    return f"“{one_line(str(value), limit=_SHOWN_CHARACTERS)}”"
