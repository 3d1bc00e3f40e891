"""The published schemas of what commands print: one for each, and no field drifts.

`doubles.published` holds every document that a command prints in a test to them.
"""

import json
import re

import pytest
from jsonschema import Draft202012Validator

from architecture.house import ROOT
from doubles.published import PUBLISHED, check_document
from write_document_schemas import schemas

SCHEMA = json.loads(PUBLISHED.read_text("utf-8"))
_ANSWERED = re.compile(
    r"(?:\banswer|titled|answer_in_json|_answer)\(\s*(?:context, )?\"([\w-]+)\""
)


def test_each_document_that_a_command_prints_has_a_schema():
    code = [each.read_text("utf-8") for each in (ROOT / "src/kawe/cli").rglob("*.py")]
    names = {f"kawe.{name}/1" for text in code for name in _ANSWERED.findall(text)}
    assert len(names) > 25
    assert names - {"kawe.status/1"} - set(SCHEMA["$defs"]) == set()


def test_the_schemas_let_no_field_drift():
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["properties"]["schema"]["enum"] == sorted(SCHEMA["$defs"])
    assert {each["type"] for each in SCHEMA["$defs"].values()} == {"object"}


def test_a_document_that_has_another_field_is_not_as_published():
    printed = {"schema": "kawe.config/1", "exit_code": 0, "another": 1}
    with pytest.raises(AssertionError):
        check_document(("config", "--json"), json.dumps(printed))


def test_a_schema_says_what_all_documents_have_in_common():
    seen = [
        {"schema": "a", "rows": [{"n": 1, "counts": {"sent": 2}}, {"n": 1.5}]},
        {"schema": "a", "rows": [], "why": None},
        {"schema": "a", "rows": [], "why": "so"},
    ]
    row = {
        "type": "object",
        "properties": {
            "counts": {"type": "object", "additionalProperties": {"type": "integer"}},
            "n": {"type": "number"},
        },
        "required": ["n"],
    }
    assert schemas(seen)["$defs"]["a"] == {
        "type": "object",
        "properties": {
            "rows": {"type": "array", "items": row},
            "schema": {"type": "string"},
            "why": {"type": ["null", "string"]},
        },
        "required": ["rows", "schema"],
    }


def test_a_new_field_is_added_to_what_is_published():
    known = schemas([{"schema": "a", "n": 1, "rows": [{"counts": {"sent": 1}}]}])
    more = schemas([{"schema": "a", "n": None, "new": True}], known=known["$defs"])
    assert schemas([], known=SCHEMA["$defs"]) == SCHEMA
    assert more["$defs"]["a"] == {
        "type": "object",
        "properties": {
            "n": {"type": ["integer", "null"]},
            "new": {"type": "boolean"},
            "rows": known["$defs"]["a"]["properties"]["rows"],
            "schema": {"type": "string"},
        },
        "required": ["n", "schema"],
    }
