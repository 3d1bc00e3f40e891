"""jsonschema-rs says whether, jsonschema says why: they must not part."""

from functools import cache

import jsonschema
import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kawe.cases.kinds import KINDS
from kawe.domain.sheet.columns import CellKind, Column, SheetKind
from kawe.schemas.catalog import load_columns, registry, row_schema
from kawe.schemas.checker import SchemaChecker
from kawe_contract.document import CONTRACT_URI, document

# Whatever a cell can become, and what it should not become as well.
ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=40),
    st.lists(st.one_of(st.text(max_size=8), st.booleans()), max_size=3),
    st.sampled_from(["2027-02-15", "2027-02-15\n", "２０２７-02-15", "", "\n", "yes"]),
    st.uuids().map(str),
    st.uuids().map(lambda u: f"{u}\n"),
    st.dates().map(str),
)


WRITTEN = st.text(min_size=1, max_size=40)
RIGHT = {
    CellKind.DATE: st.dates().map(str),
    CellKind.YES_NO: st.booleans(),
    CellKind.NUMBER: st.floats(allow_nan=False, allow_infinity=False),
    CellKind.LIST: st.lists(st.text(min_size=1, max_size=9), max_size=3),
    CellKind.IDENTIFIER: st.uuids().map(str),
}


def right(column: Column) -> st.SearchStrategy[object]:
    if column.kind is CellKind.CHOICE:
        return st.sampled_from([choice.value for choice in column.choices])
    return RIGHT.get(column.kind, WRITTEN)


@st.composite
def rows(draw: st.DrawFn, kind: SheetKind) -> dict[str, object]:
    """Draw a row that is right but for a few cells."""
    columns = load_columns(kind)
    row = {
        c.field: draw(right(c)) for c in columns if c.required or draw(st.booleans())
    }
    for column in draw(st.lists(st.sampled_from(columns), max_size=3)):
        if draw(st.booleans()):
            row[column.field] = draw(ANYTHING)
        else:
            row.pop(column.field, None)
    return row


@cache
def validators(kind):
    """Give both libraries' view of the schema of a kind."""
    resources = jsonschema_rs.Registry([(CONTRACT_URI, document())])
    schema = row_schema(kind)
    return (
        jsonschema_rs.Draft202012Validator(schema, registry=resources),
        jsonschema.Draft202012Validator(schema, registry=registry()),
    )


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_both_libraries_agree_on_every_row(kind, data):
    row = data.draw(rows(kind))
    whether, why = validators(kind)

    assert whether.is_valid(row) == why.is_valid(row)


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_a_problem_always_names_a_column_and_says_what_to_do(kind, data):
    row = data.draw(rows(kind))
    fields = {column.field for column in load_columns(kind)}

    found = SchemaChecker().problems(kind, row)

    for field, rule, message, advice in found:
        assert field in fields
        assert rule
        assert message.endswith(".")
        assert advice.endswith(".")
    assert len(set(found)) == len(found)


@pytest.mark.parametrize("kind", KINDS)
def test_each_schema_is_a_right_one(kind):
    jsonschema.Draft202012Validator.check_schema(row_schema(kind))
