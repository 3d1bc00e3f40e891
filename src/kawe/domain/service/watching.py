"""What is new in projects that were sent: what kawe has seen, and what it reports.

The service names who responded, and not for which side: the team's own responses are
told by the names of its people.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Any, Final

from kawe.domain.service.lists import code_words
from kawe.domain.service.service_words import Account, ProjectId, TeamRoll
from kawe.domain.text.texts import counted, fold_name
from kawe_contract.enums import ProjectStatus


def uses_token(number: int) -> bool:
    """Say whether a team's response to a project uses a token; the first is 1.

    A send comes with a free reply; each second response spends a token and restores it.
    """
    return number % 2 == 0


def own_names(account: Account, roll: TeamRoll | None) -> frozenset[str]:
    """Give the names of the team's people, folded; None: the team is not shown."""
    person = account.person
    own = set() if person is None else {fold_name(person.name)}
    own |= set() if roll is None else roll.member_names
    return frozenset(own - {""})


NEAR_DAYS: Final = 5
"""So many working days before its respond by, an answer is due soon; the default of
the watch too."""
_OVER = frozenset({ProjectStatus.CLOSED, ProjectStatus.COMPLETE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """A project as a watch sees it; its texts are one line and safe to show."""

    id: ProjectId
    name: str
    reference: str
    iwi: str
    """Whom the service told, as it names them; empty where it does not say."""
    status: str
    """Empty where the service does not say."""
    updated_at: datetime
    closed_at: datetime | None
    respond_by_at: datetime

    @property
    def is_draft(self) -> bool:
        return self.status == ProjectStatus.DRAFT

    @property
    def is_over(self) -> bool:
        return self.closed_at is not None or self.status in _OVER


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """A response on the thread of a project; its texts are safe to show."""

    id: str
    at: datetime
    by: str
    """Name of the person; empty where the service does not say."""
    words: str
    """How it begins."""
    documents: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenProject:
    """What was seen of a project. It names nobody and quotes nothing."""

    updated_at: datetime
    status: str
    is_over: bool
    since_at: datetime | None
    """Responses after it are new; None: all are."""
    is_read: bool = False
    """Whether its thread was read; the next three tell of that reading."""
    opens: bool = False
    """Whether the oldest is taken for the message of the send: the team's own, and
    there since the project was first seen as sent."""
    responses: frozenset[str] = frozenset()
    """Ids."""
    of_team: int = 0
    """How many of them are the team's own; with the key of an iwi, of other teams."""
    warned_on: date | None = None
    """The day on which people were told last that nobody has answered."""
    respond_by_on: date | None = None
    """None of what an earlier kawe saw."""

    @property
    def is_answered(self) -> bool:
        return len(self.responses) > self.of_team


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchMemory:
    """What a watch knows from its finished rounds."""

    rounds: int = 0
    looked_at: datetime | None = None
    """When the last finished round began; None: there was none."""
    began_at: datetime | None = None
    """When a round began that has not finished; None: all have."""
    since_at: datetime | None = None
    """Responses after it are new in a project that appears later."""
    swept_on: date | None = None
    """The day on which closed and completed projects were read last."""
    projects: Mapping[ProjectId, SeenProject] = field(default_factory=dict)
    invitations: frozenset[str] = frozenset()
    """What was said of invitations: `soon` or `over`, and the id."""


class NewsKind(StrEnum):
    """What is new."""

    RECEIVED = "project received"
    RESPONSE = "response"
    OWN_RESPONSE = "response of your team"
    STATUS = "status changed"
    LATE = "late, no answer"
    RESPOND_BY = "respond by is near, no answer"
    INVITATION_SOON = "invitation expires soon"
    INVITATION_OVER = "invitation has expired"


class NextReply(StrEnum):
    """What the team's next response costs (interface, Limits, token rule 2).

    The interface names the author of a response and not the side: the team's own are
    told by the names of its members. Nor does it say whether the message of the send
    stands in the thread: `SeenProject.opens` is kawe's reading.
    """

    FREE = "free"
    PROBABLY_FREE = "probably free"
    PROBABLY_NOT = "probably costs a token"
    UNKNOWN = "not known"


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """One thing that is new; a row of the workbook."""

    kind: NewsKind
    about: str
    """Name of the project, or of the person who was invited."""
    project: ProjectId | None = None
    reference: str = ""
    iwi: str = ""
    owing: tuple[str, ...] = ()
    """The iwi that owe an answer, where who is late is asked."""
    at: datetime | None = None
    """When it happened; for what is yet to come, when it will."""
    who: str = ""
    words: str = ""
    documents: tuple[str, ...] = ()
    status: str = ""
    before: str = ""
    """The status that it had."""
    reply: NextReply | None = None
    respond_by_on: date | None = None
    days: int | None = None
    """Of one without an answer: working days left until its respond by, or all days
    over it."""

    @property
    def days_words(self) -> str:
        """Say how late it is, or how soon it will be."""
        if self.days is None:
            return ""
        if self.kind is NewsKind.LATE:
            return f"{counted(self.days, 'day')} over"
        return f"{counted(self.days, 'working day')} left"

    @property
    def status_words(self) -> str:
        """Say the status as people read it, with the one before if that changed."""
        both = (self.before, self.status)
        return " → ".join(code_words(each) for each in both if each)

    def as_json(self) -> dict[str, Any]:
        """Give it for other programs."""
        is_late = self.kind is NewsKind.LATE
        return {
            "kind": self.kind.name.lower(),
            "about": self.about,
            "project": self.project,
            "reference": self.reference or None,
            "iwi": self.iwi or None,
            "at": self.at,
            "who": self.who or None,
            "words": self.words,
            "documents": list(self.documents),
            "status": self.status or None,
            "status_before": self.before or None,
            "next_response": None if self.reply is None else self.reply.name.lower(),
            "respond_by_on": self.respond_by_on,
            "days_over": self.days if is_late else None,
            "working_days_left": None if is_late else self.days,
        }


def owed_by_iwi(late: Iterable[News]) -> dict[str, list[News]]:
    """Give by iwi what waits for its answer, in the order of `late`."""
    owed: dict[str, list[News]] = {}
    for one in late:
        for iwi in one.owing or ("Iwi not known",):
            owed.setdefault(iwi, []).append(one)
    return owed


def next_reply(seen: SeenProject, *, knows_team: bool) -> NextReply:
    """Say what the team's next response costs.

    The first is free, the second spends a token and restores the free one.
    """
    if not seen.responses:
        return NextReply.FREE
    if not knows_team:
        return NextReply.UNKNOWN
    is_paid = uses_token(seen.of_team - seen.opens + 1)
    return NextReply.PROBABLY_NOT if is_paid else NextReply.PROBABLY_FREE
