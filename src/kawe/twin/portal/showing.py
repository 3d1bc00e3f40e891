"""A page as one visitor sees it: with the token of its forms, and notices."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from kawe.twin.portal.desk import Visit
from kawe.twin.portal.pages import page


def show(visit: Visit, template: str, **values: Any) -> Response:  # noqa: ANN401 - templates take any value
    """Show a page to a person who has signed in; notices are told once."""
    shared = {
        "signed_in": True,
        "form_token": visit.desk.sessions.form_token(visit.session.visitor_id),
        "notices": visit.session.take_notices(),
    }
    return page(template, values={**shared, **values})
