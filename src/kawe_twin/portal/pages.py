"""Renders templates safely.

Control characters are removed, jinja2 escapes all, and the policy of a page allows only
our own style sheet.
"""

import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse, RedirectResponse, Response

from kawe_twin.portal import words

HOME: Final = "/portal/"

_POLICY: Final = (
    "default-src 'none'; style-src 'self'; form-action 'self';"
    " base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Content-Language": "en-NZ",
    "Content-Security-Policy": _POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


# Plain characters alone: no double slash (a host), backslash, dots or percent signs.
_PAGE: Final = re.compile(r"/portal/(?:[A-Za-z0-9_-]+/?)*(?:\?[A-Za-z0-9=&_-]*)?")


def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("kawe_twin.portal"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=words.plain,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        code_words=words.code_words,
        day=words.day,
        dollars=words.dollars,
        moment=words.moment,
        status_words=words.status_words,
        tokens=words.tokens,
    )
    return made


_ENVIRONMENT: Final = _environment()


def page(
    template: str, *, values: Mapping[str, Any], status_code: int = 200
) -> Response:
    """Make a page from a template."""
    content = _ENVIRONMENT.get_template(template).render(values)
    return HTMLResponse(content, status_code=status_code, headers=_HEADERS)


def go_to(path: str) -> Response:
    """Send the browser to a page with a GET (RFC 9110, 303)."""
    return RedirectResponse(path, status_code=303, headers=_HEADERS)


def safe_page(path: str) -> str:
    """Give a path of the portal, or the first page for any other."""
    return path if len(path) <= 300 and _PAGE.fullmatch(path) is not None else HOME


def style_sheet() -> Response:
    """Give the one style sheet."""
    sheet = files("kawe_twin.portal").joinpath("static", "portal.css")
    headers = {**_HEADERS, "Cache-Control": "no-cache"}
    return Response(sheet.read_text("utf-8"), media_type="text/css", headers=headers)
