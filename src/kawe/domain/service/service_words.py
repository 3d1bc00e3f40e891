"""The service's own words: accounts, projects, iwi, receipts; and projects in a reason.

The journal keeps the ids of the projects that a row is held for in the reason, because
a person who adopts one must name it. Sentences for people leave them out.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import Any, Final, Generic, NewType, Self, TypeAlias, TypeVar
from urllib.parse import quote

from kawe.domain.text.texts import checked_text, one_line
from kawe_contract.enums import InvitationStatus
from kawe_places.values import Place

ProjectId = NewType("ProjectId", str)
DocumentId = NewType("DocumentId", str)
OrganisationId = NewType("OrganisationId", str)

T = TypeVar("T")

WITHDRAWN: Final = "WITHDRAWN"
"""Our own word for an invitation that ended before its time."""


def full_name(person: object) -> str:
    """Give the first and last name of somebody whom the service shows."""
    shown = person if isinstance(person, Mapping) else {}
    parts = (shown.get(name) for name in ("first_name", "last_name"))
    return " ".join(part for part in parts if part and isinstance(part, str))


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """The person behind a key, as the service names them."""

    id: str
    name: str
    """First and last name; may be empty, as the address."""
    email: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Whom a key acts for."""

    team_id: str
    team_name: str
    balance: int
    """Tokens, as the service says just now; colleagues spend them too."""
    sandbox: bool | None
    """None: the service does not say."""
    is_iwi: bool = False
    person: Person | None = field(default=None, repr=False)
    """None: the service names the team only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A project as the service shows it."""

    id: ProjectId
    name: str
    reference: str | None
    status: str | None
    """Nullable, and its value after a send is not shown: see `is_sent`."""
    description: str = ""
    type: str = ""
    phase: str | None = None
    created_at: datetime
    updated_at: datetime | None = field(default=None, compare=False, repr=False)
    start_at: datetime | None = None
    end_at: datetime | None = None
    respond_by_at: datetime | None = None
    place: Place | None = None
    address: str = field(default="", compare=False)
    organisation_id: OrganisationId | None = None
    iwi: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """The names of those whom the service told; empty before a send.

    Neither compared nor hashed in plans: two readings of a draft are equal without.
    """
    is_of_iwi: bool = field(default=False, compare=False, repr=False)
    """Iwi made it and sent it to the team."""

    def bare(self) -> "Project":
        """Give only which project it is and how it stands: much less to hold."""
        return Project(
            id=self.id,
            name="",
            reference=self.reference,
            status=self.status,
            created_at=self.created_at,
        )

    @property
    def is_draft(self) -> bool:
        return self.status == "DRAFT"

    @property
    def is_sent(self) -> bool:
        """Say whether the project is certainly no draft any more."""
        return self.status is not None and not self.is_draft


@dataclass(frozen=True, slots=True, kw_only=True)
class Organisation:
    """An organisation that the team created."""

    id: OrganisationId
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """Proof that a project was sent."""

    id: str
    document_id: DocumentId
    project_name: str
    receipt_number: str
    submission_number: str
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """An invitation to a team, without the person."""

    id: str
    status: str = ""
    """As the service said, or `WITHDRAWN`; empty if only the answer to it is known."""
    made_at: datetime | None = None
    expires_at: datetime | None = None
    """None of one that ended, where nobody knows whether it was withdrawn."""

    @property
    def is_pending(self) -> bool:
        return self.status == InvitationStatus.PENDING

    def seen_after(self, before: "Invitation | None", *, now: datetime) -> Self:
        """Tell a withdrawn one from an expired one; the service shows both alike.

        One that was not seen open `before` may be either.
        """
        if self.status != InvitationStatus.EXPIRED:
            return self
        same = before if before is not None and before.id == self.id else None
        due_at, ends_at = None if same is None else same.expires_at, self.expires_at
        was = same is not None and same.status == WITHDRAWN
        if was or (ends_at and not (due_at or ends_at) <= ends_at <= now):
            return replace(self, status=WITHDRAWN)
        return self if due_at else replace(self, expires_at=None)

    def status_at(self, now: datetime) -> str:
        """Say how it stands: one that nobody read since it ended has expired."""
        is_over = self.expires_at is not None and self.expires_at <= now
        return InvitationStatus.EXPIRED if self.is_pending and is_over else self.status


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamInvitation(Invitation):
    """An invitation as the team shows it; expired and accepted ones stay there."""

    email: str
    """Case-folded."""
    name: str = ""
    role: str = ""

    def alone(self) -> Invitation:
        return Invitation(
            **{each.name: getattr(self, each.name) for each in fields(Invitation)}
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamRoll:
    """Who is in a team, and who has been asked."""

    members: Mapping[str, str]
    """The role of each, by address, case-folded."""
    invitations: tuple[TeamInvitation, ...]
    member_names: frozenset[str] = frozenset()
    """First and last names, folded."""

    def asked(self) -> dict[str, list[TeamInvitation]]:
        """Give every invitation of each address: there may be several."""
        asked: dict[str, list[TeamInvitation]] = {}
        for each in self.invitations:
            asked.setdefault(each.email, []).append(each)
        return asked


@dataclass(frozen=True, slots=True, kw_only=True)
class InviteAnswer:
    """What the service says it did for one person."""

    email: str
    status: str
    message: str | None = None
    invitation_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(Generic[T]):
    """One page of a list; pages count from 1."""

    items: tuple[T, ...]
    total: int
    page: int
    tab_counts: Mapping[str, int] = field(default_factory=dict, compare=False)
    """Of the whole list of projects, by tab; empty for other lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A short-lived signed address. Never stored, logged or shown."""

    url: str = field(repr=False)


_NAMED: Final = re.compile(
    "(“[^“”]*”, (?:a draft|sent|perhaps sent)) [(]([0-9A-Za-z-]{1,64})[)]"
)


def standing(project: Project) -> str:
    """Say whether a project is with iwi."""
    if project.is_sent:
        return "sent"
    return "a draft" if project.is_draft else "perhaps sent"


def with_projects(said: str, projects: Iterable[Project]) -> str:
    """End a reason with the projects that it is about."""
    named = "; ".join(
        f"“{_name(each)}”, {standing(each)} ({each.id})" for each in projects
    )
    return f"{said}: {named}."


def without_ids(reason: str) -> str:
    return _NAMED.sub(r"\1", reason)


def without_projects(reason: str) -> str:
    return re.sub(r":[; ]*\.$", ".", _NAMED.sub("", reason))


def projects_in(reason: str) -> tuple[tuple[str, ProjectId], ...]:
    return tuple((words, ProjectId(each)) for words, each in _NAMED.findall(reason))


def _name(project: Project) -> str:
    # Whoever named it must not be able to name others with it.
    return one_line(project.name, limit=80).translate({ord(c): "'" for c in "“”"})


PLACE_NEEDED: Final = "place-needed"
"""The rule of a row that is to be sent and says no place."""
MAP_SEARCH: Final = "https://www.google.com/maps/search/?api=1&query="
_SEARCHED: Final = 120


def map_search(address: str) -> str:
    """Give a link by which a person may look for an address; kawe never opens it."""
    words = one_line(address, limit=_SEARCHED)
    return MAP_SEARCH + quote(words, safe="", errors="replace")


@dataclass(frozen=True, slots=True, kw_only=True)
class IwiChoice:
    """One iwi that a place can be sent to."""

    slug: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IwiAnswer:
    """Which iwi a place belongs to (interface, POST /iwi/count)."""

    choices: tuple[IwiChoice, ...]
    can_select: bool
    """False: the service routes the project itself, names are ignored."""

    @classmethod
    def of_pairs(cls, pairs: Iterable[Any], *, can_select: bool) -> Self:
        """Take an answer from pairs of slug and name, which anybody may have written.

        Raises:
            TypeError, ValueError: They are none.
        """
        choices = (
            IwiChoice(slug=checked_text(slug), name=checked_text(name))
            for slug, name in pairs
        )
        return cls(choices=tuple(choices), can_select=can_select)

    def pairs(self) -> list[list[str]]:
        return [[each.slug, each.name] for each in self.choices]


IwiAnswers: TypeAlias = dict[tuple[float, float], IwiAnswer]
"""What was said of places, by `Place.key`."""
