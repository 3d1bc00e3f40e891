"""Renders templates safely: jinja2 escapes all, and foreign text is made inert first.

A template that extends `file.html` becomes one file: its style sheet and its script
stand in it, its policy allows these two alone by their hashes, and nothing is fetched.
"""

import base64
import hashlib
from datetime import date, datetime
from functools import cache, partial
from importlib.resources import files
from typing import Final
from urllib.parse import urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from kawe.domain.text.new_zealand import NEW_ZEALAND, day_words, short_day_words
from kawe.domain.text.next_steps import Says
from kawe_xlsx.cells import RawValue, inert

_OWN: Final = "kawe.html"


def render(template: str, **values: object) -> str:
    """Render a template of `kawe/html/templates` as HTML.

    Texts in `values` may be anybody's: control characters and marks that turn the
    direction of text are left out, the rest is escaped.
    """
    return templates_of(_OWN).get_template(template).render(values)


@cache
def templates_of(package: str, says: Says = str) -> Environment:
    """Give the templates in the folder `templates` of a package."""
    made = Environment(
        loader=PackageLoader(package),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=partial(_plain, says),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(cell=_cell, day=day_words, moment=_moment, number="{:,}".format)
    made.globals.update(asset=_markup_of, hash_of=hash_of)
    return made


@cache
def asset(name: str) -> str:
    return files(_OWN).joinpath("static", name).read_text("utf-8")


def origin_of(url: str) -> str:
    """Give scheme and host of a web address; empty where it is not one."""
    try:
        parts = urlsplit(url)
        is_web = parts.scheme in {"http", "https"} and parts.hostname is not None
    except ValueError:
        return ""
    if not is_web or "@" in parts.netloc or "\\" in url or not url.isprintable():
        return ""
    return f"{parts.scheme}://{parts.netloc}".lower()


def _plain(says: Says, value: object) -> object:
    # Markup is what a template has made, and was made inert when it was.
    if value is None:
        return ""
    return inert(says(value)) if type(value) is str else value


@cache
def _markup_of(name: str) -> Markup:
    return Markup(asset(name))  # noqa: S704 (a file of kawe's own)


@cache
def hash_of(name: str) -> str:
    """Give the source by which a policy allows an asset (CSP level 3)."""
    digest = hashlib.sha256(asset(name).encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _cell(value: RawValue) -> str:
    """Write a cell of a table; a day and time of a table has no zone."""
    match value:
        case datetime():
            return f"{short_day_words(value)}, {value:%H:%M}"
        case date():
            return short_day_words(value)
        case _:
            return "" if value is None else str(value)


def _moment(at: datetime) -> str:
    """Write an instant as a table shows it: 3 Nov 2026, 10:32."""
    here = at.astimezone(NEW_ZEALAND)
    return f"{here.day} {here:%b %Y, %H:%M}"
