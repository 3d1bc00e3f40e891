"""The published schema of results says what results hold; samples are held to it."""

from jsonschema import Draft202012Validator

from write_result_schema import PUBLISHED, schema, written


def test_the_published_schema_is_what_the_tool_writes():
    assert PUBLISHED.read_text("utf-8") == written(), (
        "run python tools/write_result_schema.py"
    )


def test_the_schema_is_one_and_lets_no_field_drift():
    Draft202012Validator.check_schema(dict(schema()))
    objects = [schema(), *schema()["$defs"].values()]
    assert {each["additionalProperties"] for each in objects} == {False}
    assert schema()["$id"] == "urn:kawe:result:2"
