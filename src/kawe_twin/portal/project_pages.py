"""Pages of projects: an account's list, a thread, and what is done to it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from sqlite3 import Row
from typing import Any, Final

from starlette.responses import Response

from kawe_contract.limits import PAGE_MAX
from kawe_twin.portal import reading
from kawe_twin.portal.context import Form, Visit
from kawe_twin.world.answers import Refusal, not_found
from kawe_twin.world.iwi_areas import IWI

_TABS: Final = ("active", "all", "closed", "completed")


async def projects_page(visit: Visit) -> Response:
    """List the projects that an account sees; for an iwi, its inbox."""
    account = await visit.account()
    search, tab = visit.query.get("search", ""), visit.query.get("tab", "active")
    projects = await visit.listed(
        "project_list", account, search=search, active_status=tab
    )
    ids = [project["id"] for project in projects["data"]]
    return visit.show(
        "projects.html",
        account=account,
        projects=projects,
        senders=await visit.setup.run(reading.senders, project_ids=ids),
        search=search,
        tab=tab,
        tabs=_TABS,
    )


async def project_page(visit: Visit) -> Response:
    """Show a project, its thread and actions, for the account `as` or the sender."""
    project_id = visit.ids["id"]
    parties = await visit.setup.run(reading.parties, project_id=project_id)
    viewer = _viewer(parties, visit.query.get("as", ""))
    ask = partial(visit.context.ask, account_id=viewer["id"], ids={"id": project_id})
    project = await ask("project_read")
    return visit.show(
        "project.html",
        parties=parties,
        viewer=viewer,
        project=project,
        thread=await ask("engagement_list", query={"limit": str(PAGE_MAX)}),
        authors=await visit.setup.run(reading.thread_authors, project_id=project_id),
        files=await visit.setup.run(reading.project_files, project_id=project_id),
        choices=await _iwi_choices(visit, project, viewer=viewer),
    )


def _viewer(parties: list[Row], account_id: str) -> Row:
    if not account_id:
        return parties[0]
    for party in parties:
        if party["id"] == account_id:
            return party
    raise not_found()


async def _iwi_choices(
    visit: Visit, project: Mapping[str, Any], *, viewer: Row
) -> list[dict[str, Any]]:
    """Give the iwi among which the sender of a draft chooses, if any."""
    if not project["can_send"]:
        return []
    held = await visit.setup.run(reading.draft_place, project_id=project["id"])
    known = [{"slug": iwi.slug, "name": iwi.name} for iwi in IWI]
    if held["latitude"] is not None:
        body = {"lat": held["latitude"], "lon": held["longitude"]}
        ask = partial(visit.context.ask, account_id=viewer["id"])
        place = await ask("iwi_count", body=body)
        if len(place["iwi"]) == 1:
            return []
        known = place["iwi"] or known
    wanted = json.loads(held["iwi_wanted"])
    return [{**iwi, "wanted": iwi["slug"] in wanted} for iwi in known]


Body = Callable[[Form], dict[str, Any]]


def _with_message(form: Form) -> dict[str, Any]:
    return {"message": form.text("message")}


def _maybe_message(form: Form) -> dict[str, Any]:
    message = form.text("message")
    return {"message": message} if message else {}


def _send(form: Form) -> dict[str, Any]:
    return {**_with_message(form), "iwi": list(form.texts("iwi"))}


def _respond(form: Form) -> dict[str, Any]:
    # The API accepts an empty response; a person sends one by mistake.
    if not form.text("message"):
        raise Refusal(400, "Write what you want to say.")
    return {**_with_message(form), "files": []}


def _close(form: Form) -> dict[str, Any]:
    return {**_maybe_message(form), "all": True}


def _nothing(form: Form) -> dict[str, Any]:  # noqa: ARG001 - the shape of every body
    return {}


_ACTS: Final[Mapping[str, tuple[str, Body, str]]] = {
    "close": ("project_close", _close, "The project is closed."),
    "complete": ("project_complete", _maybe_message, "The project is complete."),
    "pick-up": ("project_pick_up", _nothing, "The project is picked up."),
    "reopen": ("project_reopen", _nothing, "The project is open again."),
    "respond": ("project_respond", _respond, "The response is on the thread."),
    "send": ("project_send", _send, "The project is sent."),
}


async def act_on_project(visit: Visit) -> Response:
    """Do one thing to a project in an account's name, then show it again."""
    if visit.ids["act"] not in _ACTS:
        raise not_found()
    name, body_of, said = _ACTS[visit.ids["act"]]
    project_id, account_id = visit.ids["id"], visit.form.text("as")
    await visit.context.ask(
        name, account_id=account_id, ids={"id": project_id}, body=body_of(visit.form)
    )
    return visit.tell(said, at=f"projects/{project_id}?as={account_id}")
