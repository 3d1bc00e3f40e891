"""What is so of the targets of acts, by field, and the rows that kawe writes of it.

A fetched sheet has what is so as its rows, to be changed and submitted; of an act that
was done, a row puts back what was so before.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from kawe.domain.service.service_words import Account, full_name
from kawe.domain.text.texts import clean
from kawe.flows.check.days import DAYS
from kawe.kinds.acts import table
from kawe.kinds.acts.content import ActContent
from kawe.kinds.acts.schema import title_of
from kawe.kinds.acts.world import Raw, World, day_of
from kawe_contract.enums import AssignSide, InvitationStatus, ProjectStatus

Facts: TypeAlias = Mapping[str, str]
THERE: Final[Mapping[str, str]] = {
    "new_reference": "reference",
    "new_name": "name",
    "group_description": "description",
    "note": "content",
}
"""Fields that the service has under another name."""
_PENDING: Final = InvitationStatus.PENDING


def facts(act: table.ActLine, raw: Raw, world: World) -> dict[str, str]:
    """Say how a target is, by the fields that have a column *Was*.

    Of nothing that is there, all is empty.
    """
    told = {name: _fact(raw, name) for name in act.guarded}
    if act.word == "resends":
        return {"person": _invited(raw)}
    if act.word == "assignments":
        return {**told, **_assigned(raw, world)}
    if act.word == "groups":
        members = addresses(raw.get("member_ids") or (), world)
        return {**told, "group": told["new_name"], "members": members}
    return told


def _fact(raw: Raw, name: str) -> str:
    if name == "project":
        return standing(raw)
    if name in DAYS:
        return day_of(raw[name])
    return clean(str(raw.get(THERE.get(name, name)) or ""))


def standing(project: Raw) -> str:
    """Say whether a project is a draft, open, closed or complete."""
    status = project.get("status")
    if status in {ProjectStatus.DRAFT, ProjectStatus.COMPLETE}:
        return str(status).lower()
    is_closed = status == ProjectStatus.CLOSED or project.get("closed_on")
    return "closed" if is_closed else "open"


def own_side(project: Raw, account: Account) -> str:
    """Give the side of a project that whoever has the key is on."""
    is_sender = bool(project.get("is_iwi_created")) == account.is_iwi
    return AssignSide.SENDER if is_sender else AssignSide.RECIPIENT


def _assigned(project: Raw, world: World) -> Facts:
    """Say to whom a project is assigned: by address, where one member has the name."""
    is_sent = own_side(project, world.account) == AssignSide.SENDER
    field = "sender_assigned_to" if is_sent else "assigned_to"
    name = full_name(project.get(field))
    same = [e for e in world.members if name and full_name(e) == name]
    return {
        "assignee": str(same[0]["email"]) if len(same) == 1 else name,
        "group": _fact(project.get(f"{field}_group") or {}, "name"),
    }


def addresses(ids: Sequence[str], world: World) -> str:
    return "; ".join(sorted(str(e["email"]) for e in world.members if e["id"] in ids))


def is_own(said: Raw, world: World) -> bool:
    """Say whether the person behind the key wrote it; also if nobody is known."""
    person = world.account.person
    return person is None or full_name(said.get("created_by")) == person.name


def own_notes(thread: Sequence[Raw], world: World) -> list[Raw]:
    """Give the notes of a thread that the person behind the key may change."""
    notes = (e for e in thread if e["is_internal"] and e.get("meeting_type"))
    return [each for each in notes if is_own(each, world)]


def _invited(invitation: Raw) -> str:
    """Say how an invitation stands, and until when it is open."""
    is_pending = invitation["status"] == _PENDING
    until = f" until {day_of(invitation['expired_on'])}" if is_pending else ""
    return f"{str(invitation['status']).lower()}{until}"


def latest(invitations: Sequence[Raw]) -> Raw:
    """Give the invitation of one address that counts: a pending one, else the last."""
    return max(invitations, key=lambda e: (e["status"] == _PENDING, e["created_on"]))


def open_for(invitation: Raw) -> timedelta:
    """Give the time from the making of an invitation until it ends."""
    made, ends = (invitation[each] for each in ("created_on", "expired_on"))
    return datetime.fromisoformat(ends) - datetime.fromisoformat(made)


_Targets: TypeAlias = Iterator[tuple[Raw, Facts]]
"""What is there, and how a row names it."""


def _projects(act: table.ActLine, world: World) -> _Targets:
    every = world.listed("projects")
    often = Counter(each.get("reference") for each in every)
    for each in every:
        reference = str(each.get("reference") or "")
        named = reference if reference and often[reference] == 1 else str(each["id"])
        if standing(each) in (act.lists or standing(each)).split():
            yield each, {"project": named, table.CALLED: str(each["name"])}


def _notes(act: table.ActLine, world: World) -> _Targets:
    """Give the notes that the person behind the key wrote."""
    for project, named in _projects(act, world):
        for each in own_notes(world.parts["threads"][project["id"]], world):
            yield each, {**named, "note_id": str(each["id"])}


def _members(_: table.ActLine, world: World) -> _Targets:
    for each in world.members:
        yield each, {"person": str(each["email"]), table.CALLED: full_name(each)}


def _resends(_: table.ActLine, world: World) -> _Targets:
    by_address: dict[str, list[Raw]] = defaultdict(list)
    for each in world.parts["team"]["invitations"]:
        by_address[str(each["email"]).casefold()].append(each)
    for each in map(latest, by_address.values()):
        if each["status"] != InvitationStatus.ACCEPTED:
            yield each, {"person": str(each["email"]), table.CALLED: str(each["name"])}


def _listed(act: table.ActLine, world: World) -> _Targets:
    for each in world.listed(act.word):
        yield each, {act.target: str(each["name"])}


_LISTS: Final[Mapping[str, Callable[[table.ActLine, World], _Targets]]] = {
    "notes": _notes,
    "members": _members,
    "resends": _resends,
    "groups": _listed,
    "organisations": _listed,
    "team": lambda _, world: iter([(world.parts["team"], {})]),
}
"""How the targets of a kind are listed; the others are projects."""
FETCHABLE: Final = tuple(each.word for each in table.TABLE if each.guarded)
"""The words of the kinds that can be fetched."""


def parts_of(act: table.ActLine) -> tuple[str, ...]:
    """Name what is read for a fetched sheet: all targets at once."""
    if act.target != "project":
        return act.reads
    return ("projects", *(["team"] if "team" in act.reads else []))


def fetched_rows(act: table.ActLine, world: World, *, at: str) -> Iterator[Facts]:
    """Give what is so now, a row for each target, with its guards."""
    for raw, named in _LISTS.get(act.word, _projects)(act, world):
        told = facts(act, raw, world)
        both = {**told, **named}
        own = {name: both.get(name, "") for name in (*act.fields, table.CALLED)}
        guards = {f"{table.WAS}{each}": told[each] for each in act.guarded}
        yield {**own, **guards, table.FETCHED: at}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reverse:
    """What puts an act back, and what does not come back."""

    row: Facts
    """By field; its guards say what the act left: what has changed since is held."""
    why: str = ""
    """Why not all comes back, or nothing."""
    left: str = ""
    """The cells that stay, where others come back."""


def put_back(act: table.ActLine, content: ActContent, *, batch: str) -> Reverse:
    """Give the row that puts an act back, as far as one does."""
    if why := _why_not(act, content):
        return Reverse(row={}, why=why)
    was, now = _sides(content)
    target, occasion = act.target, {table.OCCASION: f"undo {batch}"}
    if act.undone_as != act.word:
        do = table.LINES[act.undone_as].verb
        guard = {f"{table.WAS}{target}": now[target]}
        return Reverse(row={**occasion, target: content.typed, "do": do, **guard})
    if was.get(act.target) == "" and "delete" in act.fields:
        # As one that was fetched when it was made: it is deleted while all is so.
        made = {n: now.get(n, "") for n in act.guarded} | {"new_name": now[target]}
        guards = {f"{table.WAS}{n}": e for n, e in made.items()}
        gone = {target: now[target], "delete": "Yes", table.FETCHED: batch}
        return Reverse(row={**occasion, **made, **guards, **gone})
    said = content.said
    kept = {name: str(said[name]) for name in table.WHICH if said.get(name)}
    lost = [n for n, e in was.items() if now[n] and not e and n not in act.clears]
    fields = {n: e for n, e in was.items() if n not in table.TARGETS and n not in lost}
    guards = {f"{table.WAS}{n}": now[n] for n in fields if n in act.guarded}
    if "" in guards.values():
        # A guard that is empty holds in a row that was fetched.
        guards |= {f"{table.WAS}{target}": now.get(target, ""), table.FETCHED: batch}
    row = {**occasion, **kept, **fields, **guards, **_named(act, content)}
    return Reverse(
        row=row if fields else {},
        why="there was nothing before, and a cell cannot be emptied" if lost else "",
        left=", ".join(map(title_of, lost)) if fields else "",
    )


def _sides(content: ActContent) -> tuple[Facts, Facts]:
    before = {name: was for name, was, _ in content.changes}
    return before, {name: now for name, _, now in content.changes}


def _why_not(act: table.ActLine, content: ActContent) -> str:
    """Say why nothing puts an act back; empty: something does."""
    if not act.undone_as:
        return "nothing takes it back"
    if not content.changes:
        return "it was not noted how it was before"
    if gone := [each for each in ("delete", "remove") if content.said.get(each)]:
        return f"what was {gone[0]}d does not come back"
    if act.adds and not any(_sides(content)[0].values()):
        return "a note is deleted in a sheet of notes that was fetched"
    return ""


def _named(act: table.ActLine, content: ActContent) -> Facts:
    """Name the target as it is called now, and as what it was called."""
    was, now = _sides(content)
    target = act.target
    if target == "new_name":
        return {}
    if "new_reference" in now:
        return {target: content.target_id}
    if target in now and target not in table.TARGETS:
        is_same = was[target] == now[target]
        return {target: now[target]} | ({} if is_same else {"new_name": was[target]})
    return {target: now.get("new_name", content.typed)}
