"""The published document says what the contract says."""

import json
from pathlib import Path

from jsonschema import Draft202012Validator

from kawe_contract.openapi import openapi
from kawe_contract.operations import OPERATIONS
from write_openapi import PUBLISHED, written

ROOT = Path(__file__).parents[2]
METHODS = {"get", "put", "post", "delete"}


def operations():
    for path, item in openapi()["paths"].items():
        for method in METHODS & set(item):
            yield path, method, item[method]


def test_the_published_document_is_the_contracts():
    assert PUBLISHED == ROOT / "docs" / "reference" / "openapi.json"
    assert PUBLISHED.read_text("utf-8") == written(), (
        "run python tools/write_openapi.py"
    )


def test_every_operation_of_the_contract_is_in_the_document_and_no_other():
    found = {
        said["operationId"]: (method.upper(), path)
        for path, method, said in operations()
    }
    assert found == {
        name: (operation.method, operation.path)
        for name, operation in OPERATIONS.items()
    }


def test_assumed_operations_are_marked_and_shown_ones_are_not():
    assert {said["operationId"] for *_, said in operations() if assumed(said)} == {
        name for name, operation in OPERATIONS.items() if not operation.shown
    }


def assumed(said):
    return said.get("x-kawe-assumed", False)


def test_every_reference_leads_somewhere():
    text = json.dumps(openapi())
    for place in {part.split('"')[0] for part in text.split('"$ref": "#/')[1:]}:
        found = openapi()
        for step in place.split("/"):
            found = found[step]
        assert found


def test_every_link_leads_to_an_operation():
    for *_, said in operations():
        for link in said["responses"]["200"].get("links", {}).values():
            assert link["operationId"] in OPERATIONS


def test_every_schema_is_one():
    for schema in openapi()["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
