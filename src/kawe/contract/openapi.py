"""The contract as an OpenAPI 3.1 document.

Everything in it comes from the contract's tables; what is added here is how
answers are wrapped and which failures an operation can give. Operations that
the interface does not show carry `x-kawe-assumed: true`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from kawe.contract import enums, limits
from kawe.contract.document import document
from kawe.contract.openapi_answers import (
    ENVELOPES,
    HEADERS,
    MEANINGS,
    failure,
    limit_headers,
    success,
)
from kawe.contract.openapi_links import LINKS
from kawe.contract.operation import Operation
from kawe.contract.operations import OPERATIONS
from kawe.contract.requests import AMERICAN_SPELLINGS
from kawe.contract.shapes import array, boolean, choice, nullable, page_of, ref

_OUR_REFS: Final = "#/$defs/"
_THEIR_REFS: Final = "#/components/schemas/"

_TOKENS_NEEDED: Final = frozenset({"project_create", "project_send", "project_respond"})
_CONFLICTS: Final = frozenset(
    {
        "invitation_expire",
        "invitation_resend",
        "project_close",
        "project_complete",
        "project_reopen",
        "project_send",
        "team_revoke",
        "team_role",
        "user_invite",
    }
)
# Where an id in the body can name what is not there.
_NOT_FOUND_BY_BODY: Final = frozenset({"upload_complete"})

_QUERY: Final[dict[str, Mapping[str, Any]]] = {
    "page": {"type": "integer", "minimum": 1, "maximum": limits.PAGE_NUMBER_MAX},
    "limit": {"type": "integer", "minimum": 1, "maximum": limits.PAGE_MAX},
    "search": {"type": "string"},
    "type": array(ref("ProjectType")),
    "status": array(choice(enums.ProjectStatus)),
    "priority": array(choice(enums.ProjectPriority)),
    "organisation": {"type": "string"},
    "local_authority": {"type": "string"},
    "assigned_to": {"type": "string", "format": "uuid"},
    "active_status": ref("ActiveStatus"),
}


@cache
def openapi() -> dict[str, Any]:
    """Give the whole document, ready to be written as JSON."""
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS.values():
        item = paths.setdefault(operation.path, {})
        item[operation.method.lower()] = _operation(operation)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Consultation Project Service",
            "version": limits.INTERFACE_VERSION,
            "description": (
                "Made from kawe's contract. Operations marked x-kawe-assumed are"
                " not shown by the interface; kawe assumes their method and path."
            ),
        },
        "servers": [{"url": "/", "description": "Wherever this document is served."}],
        "security": [{"key": []}],
        "paths": _turned(paths),
        "components": {
            "schemas": _turned({**_schemas(), **ENVELOPES}),
            "responses": {
                name: _turned(failure(code)) for code, (name, _) in MEANINGS.items()
            },
            "headers": HEADERS,
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(operation: Operation) -> dict[str, Any]:
    said: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "tags": [operation.path.split("/")[1]],
        "x-kawe-scopes": [scope.value for scope in operation.scopes],
    }
    if not operation.shown:
        said["x-kawe-assumed"] = True
    if not operation.scope_shown:
        said["x-kawe-scope-assumed"] = True
    parameters = [*_path_parameters(operation), *_query_parameters(operation)]
    if parameters:
        said["parameters"] = parameters
    if operation.request is not None:
        said["requestBody"] = {
            "required": bool(document()["$defs"][operation.request]["required"]),
            "content": {"application/json": {"schema": ref(operation.request)}},
        }
    said["responses"] = {
        "200": _success(operation),
        **{
            str(code): {"$ref": f"#/components/responses/{MEANINGS[code][0]}"}
            for code in _failures_of(operation)
        },
    }
    return said


def _path_parameters(operation: Operation) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {"type": "string", "format": "uuid"},
        }
        for name in re.findall(r"{(\w+)}", operation.path)
    ]


def _query_parameters(operation: Operation) -> list[dict[str, Any]]:
    return [
        {"name": spelt, "in": "query", "required": False, "schema": _QUERY[name]}
        for name in operation.query
        for spelt in dict.fromkeys([name, AMERICAN_SPELLINGS.get(name, name)])
    ]


def _failures_of(operation: Operation) -> list[int]:
    codes = {401, 429, 500}
    if operation.scopes:
        codes.add(403)
    if operation.request is not None:
        codes |= {400, 408, 413}
    if operation.query:
        codes.add(400)
    if "{" in operation.path or operation.name in _NOT_FOUND_BY_BODY:
        codes.add(404)
    if operation.name in _TOKENS_NEEDED:
        codes.add(402)
    if operation.name in _CONFLICTS:
        codes.add(409)
    return sorted(codes)


def _success(operation: Operation) -> dict[str, Any]:
    said: dict[str, Any] = {
        "description": operation.summary,
        "headers": limit_headers(),
        "content": {"application/json": {"schema": success(_object_of(operation))}},
    }
    if operation.name in LINKS:
        said["links"] = LINKS[operation.name]
    return said


def _object_of(operation: Operation) -> Mapping[str, Any]:
    if operation.name == "user_invite":
        return nullable(boolean())
    if operation.name == "project_create":
        # With `quantity`, an address where a person pays comes back.
        return {"anyOf": [ref("Project"), ref("Checkout")]}
    if operation.response is None:
        return {"description": "The interface does not show it."}
    shown = ref(operation.response)
    if operation.paged:
        return page_of(shown)
    return array(shown) if operation.listed else shown


def _schemas() -> dict[str, Any]:
    named: dict[str, Any] = document()["$defs"]
    spelled = ("CreateProjectBody", "GroupBody")
    return {
        **named,
        **{name: _with_american_spellings(named[name]) for name in spelled},
    }


def _with_american_spellings(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Allow a body to spell its fields either way (interface, first section)."""
    fields, required = dict(schema["properties"]), list(schema["required"])
    either = []
    for ours, american in AMERICAN_SPELLINGS.items():
        if ours not in fields:
            continue
        fields[american] = fields[ours]
        if ours in required:
            required.remove(ours)
            either.append({"required": [ours]})
            either.append({"required": [american]})
    said = {**schema, "properties": fields, "required": required}
    return {**said, "anyOf": either} if either else said


def _turned(value: Any) -> Any:  # noqa: ANN401 - walks any JSON
    """Point references at the document's own schemas."""
    if isinstance(value, Mapping):
        return {name: _turned(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_turned(part) for part in value]
    if isinstance(value, str) and value.startswith(_OUR_REFS):
        return _THEIR_REFS + value.removeprefix(_OUR_REFS)
    return value
