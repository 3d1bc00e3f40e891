"""The body of a request that makes a project."""

from __future__ import annotations

from typing import Any


def project_body(name: str = "Ōtāhuhu culvert", **changes: Any) -> dict[str, Any]:
    return {
        "name": name,
        "description": "A culvert is replaced.",
        "type": "EARTHWORKS",
        "start_date": "2030-03-01",
        "end_date": "2030-09-30",
        "respond_by_date": "2030-04-01",
        "latitude": -36.85,
        "longitude": 174.76,
        "files": [],
        "draft": True,
        **changes,
    }
