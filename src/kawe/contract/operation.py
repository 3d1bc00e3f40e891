"""One operation of the service, as a value.

`shown` says whether the interface shows method and path or kawe assumes them;
an assumed one can be changed in the settings by its name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kawe.contract.enums import Scope

# Query parameters of the nested lists, and of the project list.
PAGE_QUERY: Final = ("page", "limit")
PROJECT_QUERY: Final = (
    "page",
    "limit",
    "search",
    "type",
    "status",
    "priority",
    "organisation",
    "local_authority",
    "assigned_to",
    "active_status",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One thing that the service can be asked to do."""

    name: str
    method: str
    path: str
    scopes: tuple[Scope, ...] = ()
    shown: bool = True
    scope_shown: bool = True
    request: str | None = None
    """Name of the body's schema."""
    response: str | None = None
    """Name of the schema of `response_object`; None where it is not shown."""
    paged: bool = False
    """`response_object` is a page of `response`."""
    listed: bool = False
    """`response_object` is a plain array of `response`."""
    query: tuple[str, ...] = ()
    summary: str
