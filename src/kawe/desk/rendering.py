"""Makes pages from templates; every page shows where it stands, and who is served."""

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response

from kawe.desk.next_words import in_pages
from kawe.domain.text.new_zealand import moment_words, weekday_words
from kawe.html.rendering import templates_of

_TEMPLATES: Final = templates_of("kawe.desk", in_pages)
_TEMPLATES.filters.update(moment=moment_words, weekday=weekday_words)


def page(
    template: str, values: Mapping[str, Any], *, status_code: int = 200
) -> Response:
    """Make a page from a template."""
    bare = {"band": None, "refused": "", "wrong": "", "door": "", "here": ""}
    content = _TEMPLATES.get_template(template).render({**bare, **values})
    return HTMLResponse(content, status_code=status_code)


def sorry(status_code: int, says: str, *, door: str = "") -> Response:
    """Make the page that says why something was not done.

    `door` leads back to the desk; empty: whoever asks was not let in.
    """
    given = {"says": says, "door": door, "is_there": status_code not in {404, 405}}
    return page("sorry.html", given, status_code=status_code)


def go_to(path: str) -> Response:
    """Send the browser to a page with a GET (RFC 9110, 303); the gate adds the door."""
    return RedirectResponse(path, status_code=303)


def opened(path: Path | None, *, name: str = "") -> Response:
    """Give a file: a page to look at, anything else to keep; 404 without it."""
    if path is None or not path.is_file():
        raise HTTPException(404, "There is no such file any more.")
    way, name = "inline" if path.suffix == ".html" else "attachment", name or path.name
    return FileResponse(path, filename=name, content_disposition_type=way)


def style_sheet(_: Request) -> Response:
    """Give the one style sheet."""
    sheet = files("kawe.desk").joinpath("static", "desk.css")
    return Response(sheet.read_text("utf-8"), media_type="text/css")
