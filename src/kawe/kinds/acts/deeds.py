"""What each act asks of the service, and what was so before: pure functions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kawe.domain.text.texts import fold_name
from kawe.kinds.acts.columns import FETCHED, WAS
from kawe.kinds.acts.deed import Deed, Deeds, Said, given, id_of, nothing
from kawe.kinds.acts.facts import (
    DAYS,
    TEXTS,
    assigned_facts,
    invitation_facts,
    latest,
    member_facts,
    own_side,
    project_facts,
    standing,
)
from kawe.kinds.acts.listed import LISTED
from kawe.kinds.acts.world import Raw, Unfit, World, full_name, having
from kawe_contract.enums import InvitationStatus, UserRole


def _standing(project: Raw) -> str:
    """Say whether a project is open, closed or complete.

    Raises:
        Unfit: It is a draft.
    """
    found = standing(project)
    if found == "draft":
        raise Unfit(
            field="project",
            message="The project is a draft: it was never sent.",
            advice="Take the row out, or send the project first.",
        )
    return found


def _standing_deed(
    world: World, operation: str, *, to: str, body: Said | None = None
) -> Deed:
    project = world.project
    return Deed(
        before={"project": _standing(project)},
        after={"project": to},
        operation=operation,
        path=id_of(project),
        body=body or {},
    )


def _close(said: Said, world: World) -> Deed:
    body = {"all": said.get("all") is True, **given(said, "message")}
    return _standing_deed(world, "project_close", to="closed", body=body)


def _reopen(_: Said, world: World) -> Deed:
    if _standing(world.project) == "complete":
        raise Unfit(
            field="project",
            message="The project is complete; only a closed one can be reopened.",
            advice="Take the row out.",
        )
    return _standing_deed(world, "project_reopen", to="open")


def _complete(said: Said, world: World) -> Deed:
    if not world.account.is_iwi:
        raise Unfit(
            field="project",
            message="Completing a project is for iwi, and the key is a team's.",
            advice="Close it instead, with a sheet of closures.",
        )
    body = given(said, "message")
    return _standing_deed(world, "project_complete", to="complete", body=body)


def _change(said: Said, world: World) -> Deed:
    """Change a project; days that the row does not name are sent as they stand."""
    project = world.project
    before = project_facts(project)
    new = given(said, *TEXTS, *DAYS)
    after = {name: str(value) for name, value in new.items()}
    if said.get("new_reference"):
        new["reference"] = after["new_reference"] = str(said["new_reference"])
    if not new:
        raise nothing("project")
    return Deed(
        before=before,
        after=after,
        operation="project_update",
        path=id_of(project),
        body={**{name: before[name] for name in DAYS}, **new},
    )


def _member(said: Said, world: World) -> Deed:
    team = {"id": str(world.parts["team"]["id"])}
    if said.get("remove") is True:
        return _removal(said, world, team)
    person = world.member(said["person"], column="person")
    before = member_facts(person)
    new = given(said, *before)
    if not new:
        raise nothing("person")
    if new.get("role") == UserRole.MEMBER:
        _keep_owner(person, world)
    return Deed(
        before=before,
        after=new,
        operation="team_role",
        path=team,
        body={"user_id": person["id"], "role": before["role"], **new},
    )


def _removal(said: Said, world: World, team: Mapping[str, str]) -> Deed:
    """Take a person out; nobody takes out oneself, nor the last owner."""
    found = having(world.members, said["person"])
    own = world.account.person
    for person in found:
        if own is not None and person["id"] == own.id:
            raise Unfit(
                field="person",
                message="This is the person behind the key: nobody removes oneself.",
                advice="Take the row out, or let another owner do it.",
            )
        _keep_owner(person, world)
    return Deed(
        before={"person": "in the team" if found else "removed"},
        after={"person": "removed"},
        operation="team_revoke",
        path=team,
        body={"user_id": found[0]["id"]} if found else {},
    )


def _keep_owner(person: Raw, world: World) -> None:
    owners = [each for each in world.members if each["role"] == UserRole.OWNER]
    if len(owners) == 1 and owners[0]["id"] == person["id"]:
        raise Unfit(
            field="person",
            message="This is the last owner, and a team keeps at least one.",
            advice="Make somebody else an owner first.",
        )


def _resend(said: Said, world: World) -> Deed:
    do = str(said["do"]).strip().casefold()
    invited = world.parts["team"]["invitations"]
    found = having(invited, said["person"])
    if not found:
        raise Unfit(
            field="person",
            message="Nobody with this address was invited.",
            advice="Correct the address, or invite the person.",
            among=[str(each["email"]) for each in invited],
        )
    last = latest(found)
    if last["status"] == InvitationStatus.ACCEPTED:
        raise Unfit(
            field="person",
            message="The invitation was accepted: the person is in the team.",
            advice="Take the row out.",
        )
    return Deed(
        before=invitation_facts(last),
        after={"person": "sent again" if do == "resend" else "expired"},
        operation=f"invitation_{do}",
        path=id_of(last),
        seen=(f"{last['id']} {last['status']} {last['expired_on']}",),
    )


def _assign(said: Said, world: World) -> Deed:
    project = world.project
    side = said.get("side") or own_side(project)
    before = assigned_facts(project, world, side=side)
    after, body = {"assignee": ""}, {"user_id": None, **given(said, "side")}
    if said.get("assignee"):
        person = world.member(said["assignee"], column="assignee")
        after["assignee"], body["user_id"] = str(person["email"]), person["id"]
        _alone(full_name(person), world)
    if said.get("group"):
        group = world.named("groups", said["group"], column="group")
        if group is None:
            raise world.unknown("groups", said["group"], column="group")
        after["group"], body["group_id"] = str(group["name"]), group["id"]
    elif f"{WAS}group" in said and FETCHED in said:
        after["group"], body["group_id"] = "", None
    return Deed(
        before=before,
        after=after,
        operation="project_assign",
        path=id_of(project),
        body=body,
    )


def _alone(name: str, world: World) -> None:
    """Refuse a name that two members have: the service shows the name alone."""
    if sum(fold_name(full_name(e)) == fold_name(name) for e in world.members) > 1:
        raise Unfit(
            field="assignee",
            message=f"Two members are called {name}, and the service shows no more.",
            advice="Assign it in the portal.",
        )


DEEDS: Final[Mapping[str, Deeds]] = {
    "closures": _close,
    "reopenings": _reopen,
    "changes": _change,
    "members": _member,
    "resends": _resend,
    "assignments": _assign,
    "completions": _complete,
    **LISTED,
}
