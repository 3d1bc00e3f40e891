"""The contract as an OpenAPI 3.1 document.

This module adds the envelope and the failures of each operation. Operations that the
interface does not show have `x-kawe-assumed: true`.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from kawe_contract import enums, limits
from kawe_contract.document import document
from kawe_contract.headers import RATE_LIMIT, RATE_REMAINING, RATE_RESET, RETRY_AFTER
from kawe_contract.operations import OPERATIONS, Operation
from kawe_contract.requests import AMERICAN_SPELLINGS
from kawe_contract.shapes import (
    BOOLEAN,
    UUID,
    Schema,
    array,
    choice,
    integer,
    nullable,
    page_of,
    record,
    ref,
    text,
)

_OUR_REFS: Final = "#/$defs/"
_THEIR_REFS: Final = "#/components/schemas/"

_QUERY: Final[dict[str, Schema]] = {
    "page": integer(minimum=1, maximum=limits.PAGE_NUMBER_MAX),
    "limit": integer(minimum=1, maximum=limits.PAGE_MAX),
    "search": text(),
    "type": array(ref("ProjectType")),
    "status": array(choice(enums.ProjectStatus)),
    "priority": array(choice(enums.ProjectPriority)),
    "organisation": text(),
    "local_authority": text(),
    "assigned_to": UUID,
    "active_status": ref("ActiveStatus"),
}

MEANINGS: Final = {
    400: ("Invalid", "The body or query failed validation; every problem is listed."),
    401: ("Unknown", "The key is missing, malformed or revoked."),
    402: (
        "NoTokens",
        "No tokens are available; tokens must be purchased to submit the project.",
    ),
    403: ("Forbidden", "The key, the role or the kind of account does not allow this."),
    404: ("NotFound", "Not found, or not visible to this key."),
    408: ("TooSlow", "The body did not arrive in time."),
    409: ("Conflict", "In conflict with the current state."),
    413: (
        "TooLarge",
        "The payload is too large; files go through the presigned upload.",
    ),
    429: ("TooMany", "Too many requests in the rolling window; back off."),
    500: ("Fault", "A fault of the service."),
}


def _envelope(*, success: bool, status: Schema, shown: Schema) -> dict[str, Any]:
    fields = {
        "success": {"const": success},
        "message": text(),
        "status_code": status,
        "response_object": shown,
    }
    return {"type": "object", "properties": fields, "required": list(fields)}


_ENVELOPES: Final = {
    "Failure": _envelope(
        success=False, status=integer(minimum=400, maximum=599), shown={"type": "null"}
    ),
    # A rejected permission: a bare object (interface, Errors).
    "Rejection": {**record({"error": text()}), "additionalProperties": False},
}
_HEADERS: Final = {
    name: {"description": says, "required": True, "schema": integer(minimum=0)}
    for name, says in (
        (RATE_LIMIT, "Requests that the key has in one rolling window."),
        (RATE_REMAINING, "Requests that are left in it."),
        (RATE_RESET, "Seconds until the window lets one more request in."),
        (RETRY_AFTER, "Seconds to wait."),
    )
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
            "schemas": _turned({**_schemas(), **_ENVELOPES}),
            "responses": {
                name: _turned(_failure(code)) for code, (name, _) in MEANINGS.items()
            },
            "headers": _HEADERS,
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
    if parameters := _parameters(operation):
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


def _parameters(operation: Operation) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "schema": UUID}
        for name in re.findall(r"{(\w+)}", operation.path)
    ] + [
        {"name": spelt, "in": "query", "required": False, "schema": _QUERY[name]}
        for name in operation.query
        for spelt in dict.fromkeys([name, AMERICAN_SPELLINGS.get(name, name)])
    ]


def _failures_of(operation: Operation) -> list[int]:
    codes = {401, 429, 500, *operation.refusals}
    if operation.scopes:
        codes.add(403)
    if operation.request is not None:
        codes |= {400, 408, 413}
    if operation.query:
        codes.add(400)
    if "{" in operation.path:
        codes.add(404)
    return sorted(codes)


def _success(operation: Operation) -> dict[str, Any]:
    schema = _envelope(success=True, status={"const": 200}, shown=_object_of(operation))
    said: dict[str, Any] = {
        "description": operation.summary,
        "headers": _limit_headers(),
        "content": {"application/json": {"schema": schema}},
    }
    if operation.name in _LINKS:
        said["links"] = _LINKS[operation.name]
    return said


def _object_of(operation: Operation) -> Schema:
    if operation.name == "user_invite":
        return nullable(BOOLEAN)
    if operation.name == "project_create":
        # With `quantity` the answer is an address for payment.
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
    """Allow both spellings of fields (interface, first section)."""
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


def _failure(code: int) -> dict[str, Any]:
    """Give the answer of one status code."""
    schema = ref("Rejection" if code == 401 else "Failure")
    if code == 403:  # it can come from a handler too
        schema = {"anyOf": [ref("Rejection"), ref("Failure")]}
    headers = _limit_headers()
    if code == 429:
        headers[RETRY_AFTER] = {"$ref": f"#/components/headers/{RETRY_AFTER}"}
    return {
        "description": MEANINGS[code][1],
        "headers": headers,
        "content": {"application/json": {"schema": schema}},
    }


def _limit_headers() -> dict[str, Any]:
    """Refer to the headers that every answer has (interface, Limits)."""
    names = (RATE_LIMIT, RATE_REMAINING, RATE_RESET)
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


# A link puts an id of an answer into the path or body of the next request.
_OBJECT: Final = "$response.body#/response_object"


def _below(path: str, *, id_at: str = "id") -> dict[str, Any]:
    """Link to every operation below `path` that needs no other id."""
    return {
        name: _link(name, id=id_at)
        for name, operation in OPERATIONS.items()
        if operation.path.startswith(path) and operation.path.count("{") == 1
    }


def _link(name: str, **places: str) -> dict[str, Any]:
    held = {parameter: f"{_OBJECT}/{place}" for parameter, place in places.items()}
    return {"operationId": name, "parameters": held}


# Only answers that always have the id.
_LINKS: Final[dict[str, dict[str, Any]]] = {
    "project_create": _below("/projects/{id}"),
    "project_read": _below("/projects/{id}"),
    "note_create": {
        name: _link(name, id="project_id", note_id="id")
        for name in ("note_edit", "note_delete")
    },
    "user_read": _below("/team/{id}", id_at="teams/0/id"),
    "group_create": _below("/groups/{id}"),
    "organisation_read": _below("/organisations/{id}"),
    "upload_presign": {
        "upload_complete": {
            "operationId": "upload_complete",
            "requestBody": {"documentId": f"{_OBJECT}/documentId"},
        }
    },
}
