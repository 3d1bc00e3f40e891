"""Makes well-formed examples mean something, so that they reach the rules.

A random body is well-formed and names nothing that exists: its ids belong to
nobody and its days come in any order. Two in three well-formed examples are
given days in order and ids that the twin itself has answered; the rest, and
every malformed one, go out as they came. schemathesis loads this module.
"""

from __future__ import annotations

import json
import os
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, Final
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import schemathesis

_CHANCE: Final = random.Random(20261121)
_KNOWN: Final[defaultdict[str, list[str]]] = defaultdict(list)
_KNOWN.update(json.loads(os.environ.get("KAWE_FUZZ_KNOWN", "{}")))
_KEPT: Final = 50


@schemathesis.hook("before_call")
def mean_something(context: Any, case: Any, kwargs: Any) -> None:  # noqa: ARG001 - the shape that schemathesis calls
    """Put known ids and ordered days into a well-formed example."""
    name = case.operation.definition.raw["operationId"]
    is_good = case.meta is not None and case.meta.generation.mode.is_positive
    if is_good and name == "team_role" and isinstance(case.body, dict):
        # A key whose owner becomes a member could do little from then on.
        case.body["role"] = "OWNER"
    if not is_good or _CHANCE.random() < 1 / 3:
        return
    if case.meta.phase.name.value != "stateful":
        _mean_path(case)
    if isinstance(case.body, dict):
        _mean_body(name, case.body)


def _mean_path(case: Any) -> None:
    kind = case.operation.path.split("/")[1]
    if "{id}" not in case.operation.path:
        return
    kind = "invitations" if kind == "user" else kind
    if not _KNOWN[kind]:
        return
    case.path_parameters["id"] = _CHANCE.choice(_KNOWN[kind])
    notes = _KNOWN["notes of " + case.path_parameters["id"]]
    if "note_id" in case.path_parameters and notes:
        case.path_parameters["note_id"] = _CHANCE.choice(notes)


def _mean_body(name: str, body: dict[str, Any]) -> None:
    if "respond_by_date" in body:
        body.update(
            start_date="2026-12-01", end_date="2026-12-31", respond_by_date="2026-12-20"
        )
    if "files" in body:
        body["files"] = []
    if "memberIds" in body:
        body.update(memberIds=_KNOWN["people"][:1], colour="#1b5e20")
    if name in _MEANT:
        _MEANT[name](body)


def _mean_project(body: dict[str, Any]) -> None:
    body.update(latitude=-36.85, longitude=174.76)
    for field in ("recipient_team_id", "organisation_id", "organization_id"):
        body.pop(field, None)


def _mean_person(body: dict[str, Any]) -> None:
    if _KNOWN["people"]:
        body["user_id"] = _CHANCE.choice(_KNOWN["people"])


def _mean_assignee(body: dict[str, Any]) -> None:
    _mean_person(body)
    body.pop("group_id", None)
    body.pop("side", None)


def _mean_upload(body: dict[str, Any]) -> None:
    if _KNOWN["uploads"]:
        body["documentId"] = _CHANCE.choice(_KNOWN["uploads"])


_MEANT: Final[dict[str, Callable[[dict[str, Any]], None]]] = {
    "project_assign": _mean_assignee,
    "project_create": _mean_project,
    "project_send": lambda body: body.update(iwi=["ngati-tauira-ki-te-raki"]),
    "team_revoke": _mean_person,
    "team_role": _mean_person,
    "upload_complete": _mean_upload,
    "upload_presign": lambda body: body.update(size=3),
    "user_invite": lambda body: body.update(
        email=f"{_CHANCE.randrange(10**9)}@tauira.example"
    ),
}


@schemathesis.hook("after_call")
def remember(context: Any, case: Any, response: Any) -> None:  # noqa: ARG001 - the shape that schemathesis calls
    """Keep the ids that an answer tells, and post a file where one is awaited."""
    if response.status_code != 200:
        return
    name = case.operation.definition.raw["operationId"]
    told = response.json().get("response_object")
    if name in _TOLD:
        for kind, identifier in _TOLD[name](told):
            if identifier is not None and identifier not in _KNOWN[kind]:
                _KNOWN[kind] = [*_KNOWN[kind][-_KEPT:], identifier]
    if name == "upload_presign" and case.body["size"] == 3:
        _post_file(told["url"], fields=told["fields"])


# Which answers tell ids, and of what.
_TOLD: Final[dict[str, Callable[[Any], Iterable[tuple[str, str | None]]]]] = {
    "group_create": lambda told: [("groups", told["id"])],
    "note_create": lambda told: [("notes of " + told["project_id"], told["id"])],
    "project_create": lambda told: [
        ("projects", told["id"]),
        ("organisations", told["organisation_id"]),
    ],
    "project_documents": lambda told: [("download", one["id"]) for one in told["data"]],
    "team_read": lambda told: [
        *(("people", one["id"]) for one in told["users"]),
        *(("invitations", one["id"]) for one in told["invitations"]),
    ],
    "upload_presign": lambda told: [("uploads", told["documentId"])],
    "user_read": lambda told: [
        ("team", one["id"]) for one in (*told["teams"], *told["iwi"])
    ],
}


def _post_file(url: str, *, fields: Mapping[str, str]) -> None:
    parts = [
        f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    ]
    head = 'Content-Disposition: form-data; name="file"; filename="a"'
    parts.append(f"--b\r\n{head}\r\n\r\nabc\r\n--b--\r\n")
    kind = {"Content-Type": "multipart/form-data; boundary=b"}
    with suppress(HTTPError):  # a media type may hold what no form can carry
        urlopen(Request(url, data="".join(parts).encode(), headers=kind)).close()
