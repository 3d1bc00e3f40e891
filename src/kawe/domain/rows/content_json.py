"""Row contents as JSON, for the journal, and back."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from datetime import date
from pathlib import Path
from typing import Final

from kawe.domain.sheet.columns import SheetKind
from kawe.domain.sheet.content import Content

_PARTS: Final[dict[type, tuple[str, ...]]] = {}
"""The names of the fields of each part of a content that was written."""


def content_to_json(content: Content) -> str:
    return json.dumps(content, default=_plain, sort_keys=True)


def content_from_json(text: str, *, kind: SheetKind) -> Content:
    """Read a row's content back.

    Raises:
        ValueError: `text` is not what `content_to_json` wrote for `kind`.
    """
    try:
        return kind.content_of(json.loads(text))
    except (KeyError, TypeError, AttributeError) as trouble:
        raise ValueError("not the content of a row") from trouble


def _plain(value: object) -> str | dict[str, object]:
    # Not dataclasses.asdict: its deep copies take four times as long.
    part = type(value)
    if part not in _PARTS and is_dataclass(part):
        _PARTS[part] = tuple(each.name for each in fields(part))
    if part in _PARTS:
        return {name: getattr(value, name) for name in _PARTS[part]}
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Path):
        return str(value)
    raise TypeError(f"{type(value).__name__} is no part of a row's content")
