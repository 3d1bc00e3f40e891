"""What a person wants to do, and which operations and scopes that takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from kawe.contract.enums import Scope
from kawe.contract.operations import OPERATIONS

NEEDS: Final[Mapping[str, tuple[str, ...]]] = {
    "check projects": ("iwi_count",),
    "submit projects": (
        "iwi_count",
        "project_list",
        "project_read",
        "project_create",
        "project_send",
        "organisation_list",
    ),
    "upload attachments": ("upload_presign", "upload_complete"),
    "change drafts": ("project_update", "project_read"),
    "release what waits": ("project_read", "project_send", "iwi_count"),
    "invite people": ("team_read", "user_invite_bulk"),
    "save receipts": ("receipt_list", "download"),
}
"""Who the key is (`user_read`) needs no scope, and is asked by all."""


def scopes_for(purpose: str) -> tuple[Scope, ...]:
    """Name the scopes that a purpose takes, each once."""
    names = (scope for name in NEEDS[purpose] for scope in OPERATIONS[name].scopes)
    return tuple(dict.fromkeys(names))


def assumed_operations() -> Iterator[str]:
    """Name the operations that a run could use and the interface does not show."""
    names = dict.fromkeys(name for each in NEEDS.values() for name in each)
    return (name for name in names if not OPERATIONS[name].shown)
