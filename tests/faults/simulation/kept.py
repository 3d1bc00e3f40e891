"""What the service of a world keeps on its shelves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

from faults.simulation.passing_time import EPOCH

_AUCKLAND = ZoneInfo("Pacific/Auckland")


@dataclass(slots=True, kw_only=True)
class Climate:
    """How this world's service is, faults apart."""

    chance: Random
    refuses_second_send: bool
    """Whether a second send gets 409, or is carried out."""
    most_lag_seconds: float
    """How long lists and searches may not show what is new."""
    hides_status_share: float
    """Of how many sent projects the status is null."""
    says_local_midnight: bool
    """Whether a day comes back as midnight in New Zealand, not in UTC."""
    balance_lies: int
    """How far the balance that is shown is off."""
    lags_evenly: bool = False
    """Whether everything is in the lists exactly as late as they may lag."""
    has_replicas: bool = False
    """Whether each read of a list is answered by a copy that lags by itself."""
    most_read_lag_seconds: float = 0.0
    """How long the page of a project may not show what is new."""
    most_skew_seconds: float = 0.0
    """How far the instant of a project's making may be off, either way."""
    echo: Callable[[str], str] = str
    """How the service writes down a reference that it is given."""
    ignores_draft: bool = False
    """Whether a project is sent at once, though a draft was asked for."""

    def lag(self) -> float:
        """Say how long the lists lag behind for one change."""
        if self.most_lag_seconds == 0 or self.has_replicas:
            return 0.0
        if self.lags_evenly:
            return self.most_lag_seconds
        return self._up_to(self.most_lag_seconds)

    def read_lag(self) -> float:
        """Say how long a project's own page lags behind for one change."""
        if self.most_read_lag_seconds == 0:
            return 0.0
        return self._up_to(self.most_read_lag_seconds)

    def behind(self) -> float:
        """Say how old the copy is that answers one read of a list."""
        if self.most_lag_seconds == 0 or not self.has_replicas:
            return 0.0
        return self._up_to(self.most_lag_seconds)

    def skew(self) -> float:
        """Say how far off one project's instant of making is."""
        most = self.most_skew_seconds
        return self.chance.uniform(-most, most) if most else 0.0

    def _up_to(self, most: float) -> float:
        return 0.0 if self.chance.random() < 0.5 else self.chance.uniform(0, most)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request on its way; it may arrive long after it was given up."""

    at: float
    by: object
    """Which computer it left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """What a project said from some instant on."""

    at: float
    listed_from: float
    read_from: float
    shown: dict[str, Any]


@dataclass(slots=True, kw_only=True)
class Kept:
    """One project."""

    number: int
    id: str
    body: Mapping[str, Any]
    """What it was made of."""
    versions: list[Version]
    """Oldest first; the last one is the truth."""
    is_sent: bool = False
    sends: list[float] = field(default_factory=list)
    """When it was sent through the interface."""
    asked: list[Asked] = field(default_factory=list)
    """How each of these was asked for."""
    by_hand: list[float] = field(default_factory=list)
    """When a person sent it in the portal."""
    touched_at: float | None = None
    """When a colleague last did something with it."""
    words: str = ""

    @property
    def shown(self) -> dict[str, Any]:
        """Give what it says now."""
        return self.versions[-1].shown

    def listed(self, now: float, *, behind: float = 0.0) -> dict[str, Any] | None:
        """Give what lists show of it; None where they do not have it yet."""
        for each in reversed(self.versions):
            if each.listed_from <= now and each.at + behind <= now:
                return each.shown
        return None

    def read(self, now: float) -> dict[str, Any] | None:
        """Give what its own page shows; None where there is none yet."""
        for each in reversed(self.versions):
            if each.read_from <= now:
                return each.shown
        return None

    def matches(self, search: str) -> bool:
        """Say whether a search finds it: name, reference and address."""
        return search.casefold() in self.words

    def change(self, climate: Climate | None, *, at: float, **fields: Any) -> None:
        """Say something else; without a `climate` everybody sees it at once."""
        list_lag = 0.0 if climate is None else climate.lag()
        read_lag = 0.0 if climate is None else climate.read_lag()
        self.versions.append(
            Version(
                at=at,
                listed_from=at + list_lag,
                read_from=at + read_lag,
                shown={
                    **self.shown,
                    "updated_on": instant_text(EPOCH + timedelta(seconds=at)),
                    **fields,
                },
            )
        )

    def become_sent(self, *, at: float, climate: Climate) -> None:
        """Be with iwi."""
        hidden = climate.chance.random() < climate.hides_status_share
        self.is_sent = True
        self.change(climate, at=at, status=None if hidden else "NEW")


@dataclass(slots=True, kw_only=True)
class Shelves:
    """Projects, organisations and documents, in the order of their making."""

    projects: list[Kept] = field(default_factory=list)
    by_id: dict[str, Kept] = field(default_factory=dict)
    by_marker: dict[str, list[Kept]] = field(default_factory=dict)
    organisations: list[dict[str, str]] = field(default_factory=list)
    documents: dict[str, str] = field(default_factory=dict)
    """By id: awaited, stored, complete, or the project that has it."""
    sizes: dict[str, int] = field(default_factory=dict)
    made: int = 0
    """How many projects there ever were."""

    def add_project(
        self,
        body: Mapping[str, Any],
        *,
        at: float,
        organisation: str | None,
        climate: Climate,
    ) -> Kept:
        """Make a draft."""
        self.made += 1
        number = self.made
        shown = _shown(body, organisation=organisation, climate=climate)
        made = instant_text(EPOCH + timedelta(seconds=at + climate.skew()))
        shown |= {"id": _id("b", number), "created_on": made, "updated_on": made}
        first = Version(
            at=at,
            listed_from=at + climate.lag(),
            read_from=at + climate.read_lag(),
            shown=shown,
        )
        kept = Kept(
            number=number,
            id=shown["id"],
            body=body,
            versions=[first],
            words=" ".join(
                str(body.get(name, "")) for name in ("name", "reference", "address")
            ).casefold(),
        )
        self.projects.append(kept)
        self.by_id[kept.id] = kept
        self.by_marker.setdefault(str(body["reference"]), []).append(kept)
        return kept

    def restore(self, *, at: float, number: int) -> None:
        """Forget the projects after the first ones, and what others became since."""
        gone, self.projects = self.projects[number:], self.projects[:number]
        for kept in gone:
            del self.by_id[kept.id]
            self.by_marker[str(kept.body["reference"])].remove(kept)
        for kept in self.projects:
            kept.versions = [each for each in kept.versions if each.at <= at]
            kept.is_sent = kept.shown["status"] != "DRAFT"

    def add_organisation(self, name: str) -> str:
        """Make an organisation, whether or not there is one of that name."""
        organisation_id = _id("c", len(self.organisations) + 1)
        self.organisations.append({"id": organisation_id, "name": name})
        return organisation_id

    def add_document(self, *, size_bytes: int) -> str:
        """Await a document."""
        document_id = _id("d", len(self.documents) + 1)
        self.documents[document_id] = "awaited"
        self.sizes[document_id] = size_bytes
        return document_id


def _shown(
    body: Mapping[str, Any], *, organisation: str | None, climate: Climate
) -> dict[str, Any]:
    days = {
        name: _day(body[name], local=climate.says_local_midnight)
        for name in ("start_date", "end_date", "respond_by_date")
    }
    return {
        "name": body["name"],
        "description": body["description"],
        "type": body["type"],
        "reference": climate.echo(body["reference"]),
        "address": body.get("address", ""),
        "latitude": body.get("latitude", 0.0),
        "longitude": body.get("longitude", 0.0),
        "status": "DRAFT",
        "organisation_id": organisation,
        "closed_on": None,
        **days,
    }


def _day(text: str, *, local: bool) -> str:
    zone = _AUCKLAND if local else UTC
    midnight = datetime.combine(date.fromisoformat(text), time(), tzinfo=zone)
    return instant_text(midnight.astimezone(UTC))


def instant_text(moment: datetime) -> str:
    """Write an instant as the service does."""
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"


def _id(kind: str, number: int) -> str:
    return f"0000000{kind}-0000-4000-8000-{number:012x}"
