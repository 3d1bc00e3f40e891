"""What the service of a world keeps on its shelves."""

from __future__ import annotations

from collections.abc import Mapping
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

    def lag(self) -> float:
        """Say how long the lists lag behind for one change."""
        if self.most_lag_seconds == 0 or self.chance.random() < 0.5:
            return 0.0
        return self.chance.uniform(0, self.most_lag_seconds)


@dataclass(slots=True, kw_only=True)
class Kept:
    """One project."""

    number: int
    id: str
    shown: dict[str, Any]
    """As its own page shows it; replaced and never changed."""
    listed_from: float
    before: dict[str, Any]
    """As lists show it until `changes_at`."""
    changes_at: float = 0.0
    is_sent: bool = False
    sends: list[float] = field(default_factory=list)
    """When it was sent through the interface."""
    sends_by_hand: int = 0
    was_touched: bool = False
    """A colleague did something with it."""
    words: str = ""

    def listed(self, now: float) -> dict[str, Any]:
        """Give what lists show of it."""
        return self.shown if now >= self.changes_at else self.before

    def matches(self, search: str) -> bool:
        """Say whether a search finds it: name, reference and address."""
        return search.casefold() in self.words

    def change(self, lag_seconds: float, *, at: float, **fields: Any) -> None:
        """Show something else, in lists after a while."""
        self.before = self.listed(at)
        self.changes_at = at + lag_seconds
        self.shown = {**self.shown, **fields}

    def become_sent(self, *, at: float, climate: Climate) -> None:
        """Be with iwi."""
        hidden = climate.chance.random() < climate.hides_status_share
        self.is_sent = True
        self.change(climate.lag(), at=at, status=None if hidden else "NEW")


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

    def add_project(
        self,
        body: Mapping[str, Any],
        *,
        at: float,
        organisation: str | None,
        climate: Climate,
    ) -> Kept:
        """Make a draft."""
        number = len(self.projects) + 1
        shown = _shown(body, organisation=organisation, climate=climate)
        made = instant_text(EPOCH + timedelta(seconds=at))
        shown |= {"id": _id("b", number), "created_on": made, "updated_on": made}
        kept = Kept(
            number=number,
            id=shown["id"],
            shown=shown,
            before=shown,
            listed_from=at + climate.lag(),
            words=" ".join(
                str(body.get(name, "")) for name in ("name", "reference", "address")
            ).casefold(),
        )
        self.projects.append(kept)
        self.by_id[kept.id] = kept
        self.by_marker.setdefault(str(body["reference"]), []).append(kept)
        return kept

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
        "reference": body["reference"],
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
