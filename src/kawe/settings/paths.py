"""Where the service's operations are, where a person says so by name.

A path is where a request goes, so a wrong one could turn a question into a send.
An operation that reads stays one that reads, no two operations share a place,
and a file that lies beside workbooks has no word in it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, TypeAlias

from kawe.contract.operations import OPERATIONS
from kawe.domain.text.texts import one_line
from kawe.errors import GuardRefused, SettingsError
from kawe.settings.origins import Values

Place: TypeAlias = tuple[str, str]
"""Method and path."""
_METHODS: Final = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE"})
_PART: Final = re.compile(r"\{[^{}]*\}")
_SEGMENT: Final = re.compile(r"(?:\{[a-z_]+\}|[A-Za-z0-9_~-][A-Za-z0-9._~-]*)")


def paths_of(service: Values) -> dict[str, Place]:
    """Give the places that the settings name.

    Raises:
        SettingsError: A name or a place cannot be used.
        GuardRefused: One operation would be taken for another.
    """
    paths = {
        name: _place(str(name), str(line))
        for name, line in service.get("paths", {}).items()
    }
    _keep_apart(paths)
    return paths


def _place(name: str, line: str) -> Place:
    method, _, path = line.partition(" ")
    path = path.strip()
    if name not in OPERATIONS or method not in _METHODS or not _is_path(path):
        raise SettingsError(
            message=f"[service.paths] {one_line(name)} cannot be used.",
            hint='Write NAME = "METHOD /path" with a name of the operations table, '
            "such as upload_presign.",
        )
    parts = _PART.findall(OPERATIONS[name].path)
    if sorted(_PART.findall(path)) != sorted(parts):
        wanted = ", ".join(parts) or "no part in braces"
        raise SettingsError(
            message=f"[service.paths] {name} needs {wanted} in its path.",
            hint="Otherwise the service could not tell what is meant.",
        )
    if OPERATIONS[name].method == "GET" and method != "GET":
        raise GuardRefused(
            message=f"[service.paths] {name} reads, and {method} would change "
            "something.",
            hint=f'Write {name} = "GET {path}". Nothing was sent.',
        )
    return method, path


def _keep_apart(paths: Mapping[str, Place]) -> None:
    taken: dict[Place, str] = {}
    for name, operation in OPERATIONS.items():
        place = paths.get(name, (operation.method, operation.path))
        other = taken.setdefault(place, name)
        if other != name and {name, other} & paths.keys():
            raise GuardRefused(
                message=f"[service.paths] {other} and {name} would be at the same "
                "place, and one would be taken for the other.",
                hint="Give each its own path. Nothing was sent.",
            )


def _is_path(path: str) -> bool:
    # Nothing that a server could read as another path than it looks like.
    first, *segments = path.split("/")
    return not first and bool(segments) and all(map(_SEGMENT.fullmatch, segments))
