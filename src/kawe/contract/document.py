"""The whole contract as one JSON Schema document.

Other rooms refer to a body or an enum as `urn:kawe:contract#/$defs/NAME`.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from kawe.contract import enums
from kawe.contract.requests import REQUESTS
from kawe.contract.responses import RESPONSES
from kawe.contract.shapes import Schema, choice, nullable

CONTRACT_URI: Final = "urn:kawe:contract"

_NULLABLE: Final = (
    enums.ProjectPhase,
    enums.ProjectStatus,
    enums.ProjectPriority,
    enums.MeetingType,
)
ENUMS: Final[dict[str, Schema]] = {
    kind.__name__: nullable(choice(kind)) if kind in _NULLABLE else choice(kind)
    for kind in (
        enums.UserRole,
        enums.InvitationStatus,
        enums.BulkInviteStatus,
        enums.ProjectType,
        *_NULLABLE,
        enums.LogAction,
        enums.LogResource,
        enums.UploadCategory,
        enums.ActiveStatus,
    )
}


@cache
def document() -> dict[str, Any]:
    """Give every named schema of the contract under `$defs`."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": CONTRACT_URI,
        "$defs": {**ENUMS, **REQUESTS, **RESPONSES},
    }


def schema_of(name: str) -> dict[str, Any]:
    """Give the schema called `name`, with all that it refers to.

    Raises:
        KeyError: The contract has no such schema.
    """
    whole = document()
    if name not in whole["$defs"]:
        raise KeyError(name)
    return {
        "$schema": whole["$schema"],
        "$ref": f"#/$defs/{name}",
        "$defs": whole["$defs"],
    }
