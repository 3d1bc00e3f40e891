"""The whole contract as one JSON Schema document.

Other rooms refer to a body or an enum as `urn:kawe:contract#/$defs/NAME`.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from kawe.contract import enums
from kawe.contract.project_responses import PROJECT_RESPONSES
from kawe.contract.requests import REQUESTS
from kawe.contract.shapes import Schema, choice, nullable
from kawe.contract.team_responses import TEAM_RESPONSES

CONTRACT_URI: Final = "urn:kawe:contract"

ENUMS: Final[dict[str, Schema]] = {
    "UserRole": choice(enums.UserRole),
    "InvitationStatus": choice(enums.InvitationStatus),
    "BulkInviteStatus": choice(enums.BulkInviteStatus),
    "ProjectType": choice(enums.ProjectType),
    "ProjectPhase": nullable(choice(enums.ProjectPhase)),
    "ProjectStatus": nullable(choice(enums.ProjectStatus)),
    "ProjectPriority": nullable(choice(enums.ProjectPriority)),
    "MeetingType": nullable(choice(enums.MeetingType)),
    "LogAction": choice(enums.LogAction),
    "LogResource": choice(enums.LogResource),
    "UploadCategory": choice(enums.UploadCategory),
    "ActiveStatus": choice(enums.ActiveStatus),
}


@cache
def document() -> dict[str, Any]:
    """Give every named schema of the contract under `$defs`."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": CONTRACT_URI,
        "$defs": {**ENUMS, **REQUESTS, **PROJECT_RESPONSES, **TEAM_RESPONSES},
    }


def schema_of(name: str) -> dict[str, Any]:
    """Give the schema called `name`, with all it refers to, standing alone.

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
