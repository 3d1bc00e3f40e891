"""Templates of a room, filled in safely: text is escaped, and cleaned of disguises."""

from __future__ import annotations

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from kawe.domain.sheet.sheet_guard import inert


def templates_of(package: str) -> Environment:
    """Give the templates in the folder `templates` of a package."""
    return Environment(
        loader=PackageLoader(package),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_plain,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _plain(value: object) -> object:
    """Remove control and direction marks, which can disguise a text."""
    if value is None:
        return ""
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return inert(value)
