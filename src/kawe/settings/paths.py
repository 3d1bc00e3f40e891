"""Methods and paths of operations that the settings override.

A wrong path could turn a question into a send. So a reading operation stays one, no two
operations share a path, and a folder's file cannot set any.
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
    """Read the overrides from the settings.

    Raises:
        SettingsError: A name or a path cannot be used.
        GuardRefused: Two operations would be the same.
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
    # No path that a server could normalise to another one.
    first, *segments = path.split("/")
    return not first and bool(segments) and all(map(_SEGMENT.fullmatch, segments))
