"""What acts ask about groups, organisations, the team's name, threads and reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from kawe.domain.text.texts import clean
from kawe.kinds.acts.columns import FETCHED
from kawe.kinds.acts.deed import Deed, Deeds, Said, given, id_of, nothing
from kawe.kinds.acts.facts import addresses, group_facts, organisation_facts
from kawe.kinds.acts.world import Raw, Unfit, World
from kawe_contract.requests import ORGANISATION_TEXTS


def _deletion(found: Raw | None, *, column: str, operation: str) -> Deed:
    return Deed(
        before={column: "there" if found is not None else "deleted"},
        after={column: "deleted"},
        operation=operation,
        path={} if found is None else id_of(found),
    )


def _group(said: Said, world: World) -> Deed:
    """Make, change or delete a group; a member is an address."""
    found = world.named("groups", said["group"], said.get("new_name"), column="group")
    if said.get("delete") is True:
        return _deletion(found, column="group", operation="group_delete")
    if found is None and FETCHED in said:
        raise world.unknown("groups", said["group"], column="group")
    members = said.get("members")
    ids = [world.member(e, column="members")["id"] for e in members or ()]
    name = str(said.get("new_name") or said["group"])
    before = group_facts(found, world)
    after = {**before, "group": name, **given(said, "colour", "group_description")}
    del after["new_name"]
    if members is not None:
        after["members"] = addresses(ids, world)
    if not after["colour"]:
        raise Unfit(
            field="colour",
            message="A new group needs a colour.",
            advice="Type one in hex form, such as #1b5e20.",
        )
    kept = [] if found is None else found["member_ids"]
    body = {
        "name": name,
        "colour": after["colour"],
        "memberIds": kept if members is None else ids,
    }
    if after["group_description"]:
        body["description"] = after["group_description"]
    return Deed(
        before=before,
        after=after,
        operation="group_create" if found is None else "group_update",
        path={} if found is None else id_of(found),
        body=body,
    )


def _organisation(said: Said, world: World) -> Deed:
    names = said["organisation"], said.get("new_name")
    found = world.named("organisations", *names, column="organisation")
    if said.get("delete") is True:
        column = "organisation"
        return _deletion(found, column=column, operation="organisation_delete")
    if found is None:
        raise world.unknown("organisations", names[0], column="organisation")
    new = given(said, *(each for each in ORGANISATION_TEXTS if each != "name"))
    before = organisation_facts(found)
    after = {name: str(value) for name, value in new.items()}
    if said.get("new_name"):
        new["name"] = after["new_name"] = str(said["new_name"])
    if not new:
        raise nothing("organisation")
    return Deed(
        before=before,
        after=after,
        operation="organisation_update",
        path=id_of(found),
        body=new,
    )


def _team(said: Said, world: World) -> Deed:
    team = world.parts["team"]
    return Deed(
        before={"new_name": str(team["name"])},
        after={"new_name": str(said["new_name"])},
        operation="team_rename",
        path=id_of(team),
        body={"name": said["new_name"]},
    )


def _note(said: Said, world: World) -> Deed:
    """Write, change or delete a note of one's own."""
    notes = [each for each in world.listed("thread") if each["is_internal"]]
    note_id = str(said.get("note_id") or "").lower()
    found = next((each for each in notes if each["id"] == note_id), None)
    path = {**id_of(world.project), "note_id": note_id}
    if said.get("delete") is True:
        if not note_id:
            raise _note_unfit("note_id", "A note is deleted by its ID.")
        deed = _deletion(found, column="note", operation="note_delete")
        return replace(deed, path=path)
    new = given(said, "note", "meeting_type")
    if len(new) < 2:
        raise _note_unfit("note", "Note and Meeting type are both needed.")
    body = {"content": new["note"], "meeting_type": new["meeting_type"]}
    if note_id and found is None:
        raise _note_unfit("note_id", "The project has no such note of your team.")
    if not note_id:
        found = next((e for e in notes if _says(e, new["note"])), None)
    raw = found or {}
    return Deed(
        before={
            "note": clean(str(raw.get("content") or "")),
            "meeting_type": str(raw.get("meeting_type") or ""),
        },
        after={"note": clean(new["note"]), "meeting_type": new["meeting_type"]},
        operation="note_edit" if note_id else "note_create",
        path=path if note_id else id_of(world.project),
        body=body,
    )


def _says(entry: Raw, words: object) -> bool:
    return clean(str(entry.get("content") or "")) == clean(str(words))


def _note_unfit(column: str, message: str) -> Unfit:
    return Unfit(field=column, message=message, advice="Correct the row.")


def _report(said: Said, world: World) -> Deed:
    """Ask for a report; the list of reports may lag, and proves no absence."""
    project = world.project
    own = (project["name"], project.get("reference") or "")
    reports = world.listed("reports")
    same = [e for e in reports if (e["project_name"], e["reference"] or "") == own]
    return Deed(
        before={"project": ""},
        after={"project": "a report is asked for"},
        operation="project_report",
        path=id_of(project),
        body={"all": said.get("all") is True},
        seen=tuple(str(each["id"]) for each in same),
    )


def _response(said: Said, world: World) -> Deed:
    """Answer on a thread; an equal answer of before does not count."""
    words = said["message"]
    same = [
        str(each["id"])
        for each in world.listed("thread")
        if not each["is_internal"] and _says(each, words)
    ]
    return Deed(
        before={"message": ""},
        after={"message": str(words)},
        operation="project_respond",
        path=id_of(world.project),
        body={"message": words, "files": []},
        seen=tuple(same),
    )


LISTED: Final[Mapping[str, Deeds]] = {
    "groups": _group,
    "organisations": _organisation,
    "team": _team,
    "notes": _note,
    "reports": _report,
    "responses": _response,
}
