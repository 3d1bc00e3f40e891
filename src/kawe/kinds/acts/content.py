"""What a row of any sheet of acts says, also one that kawe fetched.

A fetched row has what was so then, to be changed and submitted.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from kawe.domain.rows.entries import Entry
from kawe.domain.rows.identity import sha256_of
from kawe.domain.service.service_words import full_name
from kawe.domain.service.states import RowKey
from kawe.domain.sheet.content import Attachment, Content, PlainContent
from kawe.domain.sheet.findings import Finding, Severity
from kawe.domain.sheet.tables import TableRow
from kawe.domain.text.texts import fold_name, one_line
from kawe.flows.checked_rows import mark
from kawe.kinds.acts.deeds import Facts
from kawe.kinds.acts.table import (
    CALLED,
    FETCHED,
    LINES,
    OCCASION,
    TARGETS,
    WAS,
    ActLine,
    More,
)
from kawe.kinds.acts.world import (
    Raw,
    World,
    assigned_facts,
    group_facts,
    invitation_facts,
    latest,
    member_facts,
    note_facts,
    organisation_facts,
    own_notes,
    own_side,
    project_facts,
    standing,
)
from kawe_contract.enums import InvitationStatus, UserRole


@dataclass(frozen=True, slots=True, kw_only=True)
class ActContent(PlainContent):
    """The cells of a row by field, and what the target was found to be."""

    field: str
    """The field that names the target."""
    name: str
    """What the target is called, once it was found; until then as it was typed."""
    target_id: str = ""
    """The project that was found; empty for other targets."""
    cells: tuple[tuple[str, Any], ...] = ()
    files: tuple[Attachment, ...] = ()
    changes: tuple[tuple[str, str, str], ...] = ()
    """What was so when it was checked, and what it was to be, by field."""
    act: str = ""
    """Of which kind the row is, where its sheet mixes them."""

    @staticmethod
    def of(content: Content) -> "ActContent":
        """Give the content of a row of acts, as its kind made it.

        Raises:
            TypeError: It is another kind's.
        """
        match content:
            case ActContent():
                return content
            case _:
                raise TypeError(f"{content.name} is no act")

    @property
    def identified_by(self) -> tuple[str, str]:
        return self.field, "words"

    @property
    def said(self) -> dict[str, Any]:
        return dict(self.cells)

    @property
    def typed(self) -> str:
        return str(self.said[self.field])

    @property
    def turns_in(self) -> str:
        """Give the project of a response: of two of them to one, the second is free."""
        return self.target_id if "message" in self.said else ""

    @property
    def owner_words(self) -> str:
        """Name whom the row makes an owner."""
        return one_line(self.typed) if (self.said.get("role") == UserRole.OWNER) else ""


def act_of(entry: Entry) -> ActLine:
    return LINES[ActContent.of(entry.content).act or entry.kind.word]


def act_key(word: str, said: Mapping[str, Any], *, target: str) -> RowKey:
    """Give the key of an act: another word anywhere in its row is another act."""
    named = {**said, target: fold_name(str(said[target]))}
    return RowKey(f"{word}:{sha256_of(named)}")


def said_of(row: TableRow, act: ActLine, more: More) -> dict[str, Any]:
    """Give what a row says: of a fetched one, what was changed in it.

    What is deleted must be as it was fetched in all. `more` is what it says beside its
    cells.
    """
    said = {name: cell for name, cell in row.values().items() if name != CALLED}
    said |= dict(more)
    if FETCHED not in said:
        return said
    is_end = bool({"delete", "remove"} & said.keys())
    for name in act.guarded:
        was, now = said.pop(f"{WAS}{name}", None), said.get(name)
        if is_end or name in TARGETS or was != now:
            said[f"{WAS}{name}"] = "" if was is None else was
        elif name not in act.whole:
            said.pop(name, None)
    return said


def is_as_fetched(said: Mapping[str, Any], act: ActLine) -> bool:
    """Say whether nothing was changed in a fetched row."""
    target = act.target
    rest = {target, FETCHED, OCCASION, "note_id", *act.whole}
    rest |= {f"{WAS}{target}"} if target in TARGETS else set()
    return FETCHED in said and said.keys() <= rest


def emptied(row: TableRow, act: ActLine) -> Iterator[Finding]:
    """Refuse cells that were emptied: no request takes a text away."""
    if row.value(FETCHED) is None:
        return
    if act.guarded and not any(name.startswith(WAS) for name in row.cells):
        yield mark(
            row,
            FETCHED,
            Severity.ERROR,
            rule="act-unguarded",
            message="The sheet was fetched, and its columns Was are gone.",
            advice="Fetch it again, and make your changes there.",
        )
        return
    for name in act.guarded:
        was = row.value(f"{WAS}{name}")
        if was is None or row.value(name) is not None or name in act.clears:
            continue
        yield mark(
            row,
            name,
            Severity.ERROR,
            rule="act-emptied",
            message="The cell was emptied, and kawe cannot take away what is there.",
            advice="Put it back as it was, or type what it is to be.",
        )


_Rows: TypeAlias = Callable[[World], Iterator[Facts]]


def _projects(world: World) -> Iterator[tuple[Raw, dict[str, str]]]:
    """Give each project, how a row names it, and how it stands."""
    every = world.listed("projects")
    often = Counter(each.get("reference") for each in every)
    for each in every:
        reference = str(each.get("reference") or "")
        named = reference if reference and often[reference] == 1 else str(each["id"])
        known = {CALLED: str(each["name"]), f"{WAS}project": standing(each)}
        yield each, {"project": named, **known}


def _standing(*wanted: str) -> _Rows:
    """List the projects that stand so, to say of each what is to be done."""
    return lambda world: (
        named for _, named in _projects(world) if named[f"{WAS}project"] in wanted
    )


def _assignments(world: World) -> Iterator[Facts]:
    for project, named in _projects(world):
        side = own_side(project, world.account)
        yield {**assigned_facts(project, world, side=side), **named}


def _members(world: World) -> Iterator[Facts]:
    for each in world.members:
        named = {"person": str(each["email"]), CALLED: full_name(each)}
        yield {**member_facts(each), **named}


def _resends(world: World) -> Iterator[Facts]:
    by_address: dict[str, list[Raw]] = defaultdict(list)
    for each in world.parts["team"]["invitations"]:
        by_address[str(each["email"]).casefold()].append(each)
    for each in map(latest, by_address.values()):
        if each["status"] != InvitationStatus.ACCEPTED:
            was = invitation_facts(each)["person"]
            named = {"person": str(each["email"]), CALLED: str(each["name"])}
            yield {f"{WAS}person": was, **named}


def _groups(world: World) -> Iterator[Facts]:
    return (group_facts(each, world) for each in world.listed("groups"))


def _notes(world: World) -> Iterator[Facts]:
    """Give the notes that the person behind the key wrote."""
    for project, named in _projects(world):
        for each in own_notes(world.parts["threads"][project["id"]], world):
            yield {**note_facts(each), "note_id": str(each["id"]), **named}


def _organisations(world: World) -> Iterator[Facts]:
    for each in world.listed("organisations"):
        facts = organisation_facts(each)
        yield {"organisation": facts["new_name"], **facts}


_FETCHES: Final[Mapping[str, tuple[tuple[str, ...], _Rows]]] = {
    "closures": (("projects",), _standing("open")),
    "reopenings": (("projects",), _standing("closed")),
    "completions": (("projects",), _standing("open")),
    "reports": (("projects",), _standing("open", "closed", "complete")),
    "changes": (
        ("projects",),
        lambda world: ({**project_facts(e), **named} for e, named in _projects(world)),
    ),
    "members": (("team",), _members),
    "resends": (("team",), _resends),
    "assignments": (("projects", "team"), _assignments),
    "groups": (("groups", "team"), _groups),
    "organisations": (("organisations",), _organisations),
    "notes": (("projects",), _notes),
    "team": (
        ("team",),
        lambda world: iter([{"new_name": str(world.parts["team"]["name"])}]),
    ),
}
FETCHABLE: Final = tuple(_FETCHES)
"""The words of the kinds that can be fetched."""


def parts_of(act: ActLine) -> tuple[str, ...]:
    return _FETCHES[act.word][0]


def fetched_rows(act: ActLine, world: World, *, at: str) -> Iterator[Facts]:
    """Give what is so now, a row for each target, with its guards."""
    _, rows = _FETCHES[act.word]
    for facts in rows(world):
        guards = {f"{WAS}{each}": facts.get(each, "") for each in act.guarded}
        own = {name: facts.get(name, "") for name in (*act.fields, CALLED)}
        was = {name: each for name, each in facts.items() if name.startswith(WAS)}
        yield {**own, **guards, **was, FETCHED: at}
