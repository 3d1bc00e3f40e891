"""What each act asks of the service in one request, and what was before; all pure."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Any, Final, TypeAlias

from kawe.domain.service.service_words import full_name
from kawe.domain.sheet.findings import ACT_AGAIN, ACT_CHANGES, Severity
from kawe.domain.text.next_steps import Given
from kawe.domain.text.texts import clean, fold_name, one_line
from kawe.flows.check.days import DAYS, day_breaches
from kawe.flows.checked_rows import Breach, CheckContext
from kawe.kinds.acts import facts
from kawe.kinds.acts.schema import moved, quoted, words_of
from kawe.kinds.acts.table import AGAIN, FETCHED, OCCASION, WAS, ActLine
from kawe.kinds.acts.world import Projects, Raw, Unfit, World, day_of, having
from kawe_contract.enums import InvitationStatus, UserRole

Said: TypeAlias = Mapping[str, Any]
MEANT: Final = f"If it is meant, submit with {Given.ACCEPT_REPEATS}."
_DAY, _MINUTE = timedelta(days=1), timedelta(minutes=1)
_COLOUR: Final = re.compile("#[0-9A-Fa-f]{6}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """One request, and what it changes: by field, before and after."""

    before: facts.Facts
    after: facts.Facts
    operation: str
    path: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)
    seen: tuple[str, ...] = ()
    """What tells later whether it was done, where `before` does not."""
    unknown: Unfit | None = None
    """What is wrong, unless this journal did it before."""
    repeats: tuple[tuple[str, Breach], ...] = ()
    """On which day what is meant once more was asked for last."""
    answers: tuple[str, ...] = ()
    """What was said on the thread of a response."""

    @property
    def is_so(self) -> bool:
        return not self.changed

    @property
    def changed(self) -> dict[str, tuple[str, str]]:
        """Give what is changed by field, from what to what."""
        was = {name: self.before.get(name, "") for name in self.after}
        return {n: (was[n], to) for n, to in self.after.items() if was[n] != to}

    def about(self, context: CheckContext, projects: Projects) -> Iterator[Breach]:
        """Say of each cell what is changed, and what is wrong with it as changed."""
        for name, values in self.changed.items():
            note = {"rule": ACT_CHANGES, "message": moved(name, *values), "advice": ""}
            yield Breach(field=name, severity=Severity.NOTE, **note)
        to = self.changed.get("new_reference", ("", ""))[1]
        if to and projects.others(to, but=self.path["id"]):
            taken = {"rule": "reference-taken", "message": "Another project has it."}
            note = {**taken, "advice": "Choose another, unless both are to have it."}
            yield Breach(field="new_reference", severity=Severity.WARNING, **note)
        if changed := self.changed.keys() & {*DAYS}:
            then = {**self.before, **self.after}
            start, end, respond_by = (date.fromisoformat(then[e]) for e in DAYS)
            dates = start, end, respond_by
            yield from day_breaches(dates, context, changed=changed)


Deeds: TypeAlias = Callable[[ActLine, Said, World], Deed]


def id_of(raw: Raw) -> dict[str, str]:
    return {"id": str(raw["id"])}


def given(said: Said, *names: str) -> dict[str, Any]:
    return {name: said[name] for name in names if said.get(name) is not None}


def _edit(
    act: ActLine, said: Said, world: World, *, of: Raw, whole: Sequence[str] = ()
) -> Deed:
    """Change what the row names; fields of `whole` are sent as they stand else.

    Raises:
        Unfit: It names nothing.
    """
    before = facts.facts(act, of, world)
    new = given(said, *(each for each in before if each != "project"))
    if not new:
        raise Unfit(
            message="The row says nothing that is to be changed.",
            advice="Fill in what is to be changed, or take the row out.",
        )
    sent = {name: before[name] for name in whole} | new
    return Deed(
        before=before,
        after=given(before, "project") | {n: str(value) for n, value in new.items()},
        operation=_EDITS[act.word],
        path=id_of(of),
        body={facts.THERE.get(name, name): value for name, value in sent.items()},
    )


_EDITS: Final = {
    "changes": "project_update",
    "members": "team_role",
    "organisations": "organisation_update",
    "team": "team_rename",
}


def _deletion(
    act: ActLine, found: Raw | None, unknown: Unfit, *, before: facts.Facts
) -> Deed:
    """Delete what is there; where nothing is, say what is wrong with the name."""
    column = unknown.field or act.target
    return Deed(
        before={**before, column: "deleted" if found is None else "there"},
        # It goes as it was shown: what somebody changed in it meanwhile is held.
        after={**before, column: "deleted"},
        operation=f"{act.one}_delete",
        path={} if found is None else id_of(found),
        unknown=unknown if found is None else None,
    )


def _listed(act: ActLine, said: Said, world: World) -> Deed:
    """Change or delete what is found by its name in a list; make a group."""
    names = said[act.target], str(said.get("new_name") or "")
    found = world.named(act.word, *names)
    if world.named(act.word, names[1]) not in (None, found):
        raise Unfit(
            field="new_name",
            message=f"The team has another one called “{one_line(names[1])}”.",
            advice="Choose another name.",
        )
    unknown = world.unknown(act.word, names[0])
    if said.get("delete") is True:
        before = facts.facts(act, found or {}, world)
        return _deletion(act, found, unknown, before=before)
    if act.word == "groups" and (found is not None or FETCHED not in said):
        return _group(act, said, world, found=found)
    if found is None:
        raise unknown
    return _edit(act, said, world, of=found)


def _group(act: ActLine, said: Said, world: World, *, found: Raw | None) -> Deed:
    """Make or change a group; a member is an address."""
    before = facts.facts(act, found or {}, world)
    members = said.get("members")
    ids = [world.member(e, column="members")["id"] for e in members or ()]
    # One that is there is not renamed by how a row spells its name.
    name = str(said.get("new_name") or before["group"] or said["group"])
    after = {} if name == before["group"] else {"group": name}
    after |= given(said, "colour", "group_description")
    if members is not None:
        after["members"] = facts.addresses(ids, world)
    colour = after.get("colour", before["colour"])
    if not _COLOUR.fullmatch(colour) and colour in {"", after.get("colour")}:
        raise Unfit(
            field="colour",
            message="A group needs a colour in hex form.",
            advice="Type one, such as #1b5e20.",
        )
    kept = (found or {}).get("member_ids", []) if members is None else ids
    body = {"name": name, "colour": colour, "memberIds": kept}
    if about := after.get("group_description", before["group_description"]):
        body["description"] = about
    return Deed(
        before=before,
        after=after,
        operation="group_create" if found is None else "group_update",
        path={} if found is None else id_of(found),
        body=body,
    )


def _note(act: ActLine, said: Said, world: World) -> Deed:
    """Write, change or delete a note of one's own."""
    notes = [each for each in world.listed("thread") if each["is_internal"]]
    note_id = str(said.get("note_id") or "").lower()
    found = next((each for each in notes if each["id"] == note_id), None)
    path = {**id_of(world.project), "note_id": note_id}
    unknown = _note_unfit("note_id", "The project has no such note of your team.")
    if found is not None and found not in facts.own_notes(notes, world):
        raise _note_unfit("note_id", "Only its author may change or delete a note.")
    before = facts.facts(act, found or {}, world)
    if said.get("delete") is True:
        if not note_id:
            raise _note_unfit("note_id", "A note is deleted by its ID.")
        return replace(_deletion(act, found, unknown, before=before), path=path)
    new = given(said, "note", "meeting_type")
    if lacking := [each for each in act.whole if each not in new]:
        raise _note_unfit(lacking[0], "Note and Meeting type are both needed.")
    if note_id and found is None:
        raise unknown
    same = [e for e in notes if not note_id and _says(e, new["note"])]
    if equal := [e for e in same if e.get("meeting_type") == new["meeting_type"]]:
        before, same = facts.facts(act, equal[-1], world), []
    at = [each["created_on"] for each in same]
    return Deed(
        **_again(said, "note", "The same was noted on this project already", at=at),
        answers=tuple(clean(str(e["content"] or "")) for e in notes),
        before=before,
        after={**new, "note": clean(new["note"])},
        operation="note_edit" if note_id else "note_create",
        path=path if note_id else id_of(world.project),
        body={"content": new["note"], "meeting_type": new["meeting_type"]},
    )


def _says(entry: Raw, words: object) -> bool:
    return clean(str(entry.get("content") or "")) == clean(str(words))


def _note_unfit(column: str, message: str) -> Unfit:
    return Unfit(field=column, message=message, advice="Correct the row.")


def _report(_: ActLine, said: Said, world: World) -> Deed:
    """Ask for a report; the list of reports may lag, and proves no absence."""
    project = world.project
    own = (project["name"], project.get("reference") or "")
    reports = world.listed("reports")
    same = [e for e in reports if (e["project_name"], e["reference"] or "") == own]
    there = "There is a report on this project already"
    return Deed(
        **_again(said, "project", there, at=[e["created_on"] for e in same]),
        before={"project": facts.standing(project)},
        after={"project": "a report is asked for"},
        operation="project_report",
        path=id_of(project),
        body={"all": said.get("all") is True},
        seen=tuple(str(each["id"]) for each in same),
    )


def _response(_: ActLine, said: Said, world: World) -> Deed:
    """Answer on a thread; an equal answer may be of one's own, by another journal."""
    stands = {"project": _standing(world.project)}
    words, listed = said["message"], world.listed("thread")
    thread = [each for each in listed if not each["is_internal"]]
    # An iwi may say what was said to it: there, the author tells.
    own = [e for e in thread if not world.account.is_iwi or facts.is_own(e, world)]
    at = [each["created_on"] for each in own if _says(each, words)]
    return Deed(
        **_again(said, "message", "The same was said on this project already", at=at),
        before={"message": ""} | stands,
        after={"message": str(words)} | stands,
        operation="project_respond",
        path=id_of(world.project),
        body={"message": words, "files": []},
        seen=tuple(str(each["id"]) for each in thread if _says(each, words)),
        answers=tuple(clean(str(each["content"] or "")) for each in own),
    )


def _again(said: Said, column: str, what: str, *, at: Sequence[str]) -> dict[str, Any]:
    """Say what is there already; a row with an Occasion is meant to do it once more."""
    if not at:
        return {}
    day = day_of(max(at))
    last: Any = {"field": column, "message": f"{what}, last on {day}."}
    if not said.get(OCCASION):
        return {"unknown": Unfit(advice=AGAIN, **last)}
    return {"repeats": ((day, Breach(rule=ACT_AGAIN, advice=MEANT, **last)),)}


def _standing(project: Raw) -> str:
    """Say whether a project is open, closed or complete.

    Raises:
        Unfit: It is a draft.
    """
    found = facts.standing(project)
    if found == "draft":
        raise Unfit(
            message="The project is a draft: it was never sent.",
            advice="Take the row out, or send the project first.",
        )
    return found


def _stand(act: ActLine, said: Said, world: World) -> Deed:
    """Close, reopen or complete a project."""
    now = _standing(world.project)
    if act.verb == "reopen" and now == "complete":
        raise Unfit(
            message="The project is complete; only a closed one can be reopened."
        )
    if act.verb == "complete" and not world.account.is_iwi:
        raise Unfit(
            message="Completing a project is for iwi, and the key is a team's.",
            advice="Close it instead, with a sheet of closures.",
        )
    all_sides = {"all": said.get("all") is True} if act.verb == "close" else {}
    return Deed(
        before={"project": now},
        after={"project": STANDS[act.verb]},
        operation=f"project_{act.verb}",
        path=id_of(world.project),
        body={**all_sides, **given(said, "message")},
    )


STANDS: Final = {"close": "closed", "reopen": "open", "complete": "complete"}


def _member(act: ActLine, said: Said, world: World) -> Deed:
    if said.get("remove") is True:
        return _removal(act, said, world)
    person = world.member(said["person"])
    if said.get("role") == UserRole.MEMBER != person["role"]:
        _keep(person, world)
    deed = _edit(act, said, world, of=person, whole=["role"])
    who = {"user_id": person["id"]}
    return replace(deed, path=id_of(world.parts["team"]), body={**deed.body, **who})


def _removal(act: ActLine, said: Said, world: World) -> Deed:
    found = having(world.members, said["person"])
    for person in found:
        _keep(person, world)
    told = facts.facts(act, found[0], world) if found else {}
    return Deed(
        before={**told, "person": "in the team" if found else "removed"},
        after={**told, "person": "removed"},
        operation="team_revoke",
        path=id_of(world.parts["team"]),
        body={"user_id": found[0]["id"]} if found else {},
        unknown=None if found else world.no_member(said["person"]),
    )


def _keep(person: Raw, world: World) -> None:
    """Refuse what leaves no owner, or what the person behind the key cannot undo."""
    owners = [e["id"] for e in world.members if e["role"] == UserRole.OWNER]
    if owners == [person["id"]]:
        raise Unfit(
            message="This is the last owner, and a team keeps at least one.",
            advice="Make somebody else an owner first.",
        )
    if world.account.person and person["id"] == world.account.person.id:
        raise Unfit(
            message="This is the person behind the key: nobody removes oneself, or "
            "takes the owner's role from oneself.",
            advice="Take the row out, or let another owner do it.",
        )


def _resend(act: ActLine, said: Said, world: World) -> Deed:
    do = said["do"]
    invited = world.parts["team"]["invitations"]
    if not (found := having(invited, said["person"])):
        raise Unfit(
            message="Nobody with this address was invited.",
            advice="Correct the address, or invite the person.",
            among=[str(each["email"]) for each in invited],
        )
    last = facts.latest(found)
    if last["status"] == InvitationStatus.ACCEPTED:
        raise Unfit(message="The invitation was accepted: the person is in the team.")
    # Nothing else shows that a colleague, or another journal, has sent it again.
    whole = [e for e in invited if e["status"] != InvitationStatus.EXPIRED]
    own, least = facts.open_for(last), min(map(facts.open_for, whole), default=_DAY)
    # Where one ends whole days after it was made, a minute more tells; else a day.
    slack = _MINUTE if (least + _MINUTE) % _DAY < 2 * _MINUTE else _DAY
    longer = "It is open for longer than others: it was sent again"
    sent = datetime.fromisoformat(last["expired_on"]) - least
    is_longer = do == "resend" and last in whole and own > least + slack
    return Deed(
        **_again(said, "person", longer, at=[sent.isoformat()] * is_longer),
        before=facts.facts(act, last, world),
        after={"person": "sent again" if do == "resend" else "expired"},
        operation=f"invitation_{do}",
        path=id_of(last),
        seen=(f"{last['id']} {last['status']} {last['expired_on']}",),
    )


def _assign(act: ActLine, said: Said, world: World) -> Deed:
    project = world.project
    side = facts.own_side(project, world.account)
    if said.get("side", side) != side:
        raise Unfit(
            field="side",
            message="That is the other side of the project, which assigns it itself.",
            advice="Leave the cell empty, or take the row out.",
        )
    before = facts.facts(act, project, world)
    after = {"project": before["project"], "assignee": ""}
    body = {"user_id": None, **given(said, "side")}
    if said.get("assignee"):
        person = world.member(said["assignee"], column="assignee")
        after["assignee"], body["user_id"] = str(person["email"]), person["id"]
        name = full_name(person)
        if sum(fold_name(full_name(e)) == fold_name(name) for e in world.members) > 1:
            raise Unfit(
                field="assignee",
                message=f"Two members are called {name}, and the service shows no "
                "more.",
                advice="Assign it in the portal.",
            )
    if said.get("group"):
        if (group := world.named("groups", said["group"], column="group")) is None:
            raise world.unknown("groups", said["group"], column="group")
        after["group"], body["group_id"] = str(group["name"]), group["id"]
    elif f"{WAS}group" in said:
        after["group"], body["group_id"] = "", None
    return Deed(
        before=before,
        after=after,
        operation="project_assign",
        path=id_of(project),
        body=body,
    )


DEEDS: Final[Mapping[str, Deeds]] = {
    "closures": _stand,
    "reopenings": _stand,
    "completions": _stand,
    "changes": lambda act, said, world: _edit(
        act, said, world, of=world.project, whole=DAYS
    ),
    "team": lambda act, said, world: _edit(act, said, world, of=world.parts["team"]),
    "groups": _listed,
    "organisations": _listed,
    "members": _member,
    "resends": _resend,
    "assignments": _assign,
    "notes": _note,
    "reports": _report,
    "responses": _response,
}


def deed_of(
    act: ActLine, said: Said, world: World, *, shown: Mapping[str, str] = {}
) -> Deed:
    """Say what an act asks for, as things stand; `shown` is how they stood.

    Raises:
        Unfit: It cannot be asked for; or what a column *Was* says, or was shown before
            somebody agreed, has changed.
    """
    _make_sure_of_word(act, said)
    deed = DEEDS[act.word](act, said, world)
    for name, was in {**shown, **said}.items():
        field = name.removeprefix(WAS)
        now = deed.before.get(field)
        if name == field or now is None or _plain(was) == _plain(now) or deed.is_so:
            continue
        is_typed = name in said
        is_gone = is_typed and not was
        gone = ", or what stood in its column Was is gone" if is_gone else ""
        raise Unfit(
            # A column Was that is gone has no cell.
            field=name if was else field,
            message=f"It has changed since{gone}: it is {quoted(field, now)} now.",
            advice="Look at it again; to go on, type under Was what it is now."
            if is_typed
            else "Look at it again before it is done.",
            rule="act-changed-since",
        )
    return deed


def _make_sure_of_word(act: ActLine, said: Said) -> None:
    """Refuse a row that must say under *Do* what is to be done, and does not.

    Raises:
        Unfit: It says nothing.
    """
    words = words_of(act.word)
    must_say = "do" in act.fields and (FETCHED in said or len(words) > 1)
    if must_say and not said.get("do"):
        raise Unfit(
            field="do",
            message="The row does not say what is to be done.",
            advice=f"Type {' or '.join(words)} under Do.",
        )


def _plain(value: object) -> str:
    """Give a value as cells and the service both have it, but for white space."""
    each = sorted(map(str, value)) if isinstance(value, list | tuple) else [str(value)]
    return " ".join("; ".join(each).split())
