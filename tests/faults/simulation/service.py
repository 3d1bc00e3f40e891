"""The service of a world: it counts, and never notices that something came twice.

It knows nothing of faults. What it is asked, and when, is decided outside.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final

from faults.simulation.kept import Asked, Climate, Kept, Shelves, instant_text
from faults.simulation.passing_time import EPOCH
from faults.simulation.trace import Trace

TEAM_ID: Final = "00000000-0000-4000-8000-00000000000a"
STORAGE_URL: Final = "https://storage.example.nz/bucket"
_LARGEST_PAGE: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What the service answers: a status, and the value or the words."""

    status: int = 200
    value: Any = None

    @property
    def body(self) -> dict[str, Any]:
        """Give the body: the envelope, or what stands in its place."""
        if self.status >= 400:
            return {"error": str(self.value)}
        return {
            "success": True,
            "message": "ok",
            "response_object": self.value,
            "status_code": self.status,
        }


@dataclass(slots=True, kw_only=True)
class SimulatedService:
    """What the service keeps, and its rules."""

    climate: Climate
    trace: Trace
    tokens: int
    shelves: Shelves = field(default_factory=Shelves)
    spent: list[Kept] = field(default_factory=list)
    """What was sent through the interface, once for each time."""
    seconds: float = 0.0
    asked: Asked = field(default_factory=lambda: Asked(at=0, by=None))
    """What has just arrived."""
    _due: list[tuple[float, int, Callable[[], None], object]] = field(
        default_factory=list
    )
    _count: int = 0

    def later(
        self, at_seconds: float, happen: Callable[[], None], *, of: object = None
    ) -> None:
        """Let something happen at the service, whoever is there to see it."""
        self._count += 1
        heapq.heappush(self._due, (at_seconds, self._count, happen, of))

    def hurry(self, by_seconds: float, *, of: object = None) -> None:
        """Let nothing take longer than that which is under way from `of`."""
        self._due = [
            (
                min(due, by_seconds) if of in (None, whose) else due,
                number,
                happen,
                whose,
            )
            for due, number, happen, whose in self._due
        ]
        heapq.heapify(self._due)

    def pass_time(self, until_seconds: float) -> None:
        """Let everything happen that is due by then, in its order."""
        while self._due and self._due[0][0] <= until_seconds:
            due, _, happen, _ = heapq.heappop(self._due)
            self.seconds = max(self.seconds, due)
            happen()
        self.seconds = max(self.seconds, until_seconds)

    def ask(
        self,
        operation: str,
        *,
        path: Mapping[str, str],
        query: Mapping[str, Any],
        body: Mapping[str, Any],
    ) -> Said:
        """Carry out one request, now."""
        answers: dict[str, Callable[[], Said]] = {
            "user_read": self._account,
            "iwi_count": _iwi,
            "organisation_list": lambda: self._page(
                [*map(dict, self.shelves.organisations)], query
            ),
            "upload_presign": lambda: self._presign(body),
            "upload_complete": lambda: self._complete(str(body["documentId"])),
            "project_list": lambda: self._list(query),
            "project_read": lambda: self._read(path["id"]),
            "project_create": lambda: self._create(body),
            "project_send": lambda: self._send(path["id"], body),
        }
        if operation not in answers:
            raise AssertionError(f"no world knows {operation}")
        return answers[operation]()

    def _account(self) -> Said:
        team = {
            "id": TEAM_ID,
            "name": "Kāpiti Coast",
            "current_credit_balance": max(0, self.tokens + self.climate.balance_lies),
            "account": {"sandbox": False},
        }
        return Said(value={"teams": [team], "iwi": []})

    def _page(self, items: list[dict[str, Any]], query: Mapping[str, Any]) -> Said:
        number = int(query["page"])
        size = min(int(query["limit"]), _LARGEST_PAGE)
        begin = (number - 1) * size
        return Said(
            value={
                "data": items[begin : begin + size],
                "total": len(items),
                "page": number,
                "limit": size,
                "total_pages": -(-len(items) // size),
            },
        )

    def _list(self, query: Mapping[str, Any]) -> Said:
        wanted, search = query.get("status"), query.get("search")
        now, behind = self.seconds, self.climate.behind()
        items = [
            shown
            for each in reversed(self.shelves.projects)
            if (search is None or each.matches(str(search)))
            and (shown := each.listed(now, behind=behind)) is not None
        ]
        if wanted is not None:
            items = [each for each in items if each["status"] == wanted]
        return self._page(items, query)

    def _read(self, project_id: str) -> Said:
        kept = self.shelves.by_id.get(project_id)
        shown = None if kept is None else kept.read(self.seconds)
        if shown is None:
            return Said(status=404, value="Not found")
        return Said(value=shown)

    def _create(self, body: Mapping[str, Any]) -> Said:
        if body.get("draft") is not True:
            raise AssertionError("kawe creates drafts alone")
        missing = [
            each["id"]
            for each in body["files"]
            if self.shelves.documents.get(each["id"]) != "complete"
        ]
        if missing:
            return Said(status=400, value=f"files: {missing[0]} cannot be used")
        organisation = body.get("organisation_id")
        if "organisation" in body:
            organisation = self.shelves.add_organisation(body["organisation"]["name"])
        kept = self.shelves.add_project(
            body, at=self.seconds, organisation=organisation, climate=self.climate
        )
        for each in body["files"]:
            self.shelves.documents[each["id"]] = kept.id
        self.trace.say("  service has a draft", kept.number, body["reference"])
        if self.climate.ignores_draft:
            self._spend(kept)
        return Said(status=201, value=kept.shown)

    def _send(self, project_id: str, body: Mapping[str, Any]) -> Said:
        kept = self.shelves.by_id.get(project_id)
        if kept is None:
            return Said(status=404, value="Not found")
        if not body.get("message"):
            return Said(status=400, value="message is empty")
        if kept.is_sent and self.climate.refuses_second_send:
            return Said(status=409, value="The project has been sent")
        if self.tokens < 1:
            return Said(status=402, value="No tokens left")
        self._spend(kept)
        return Said(value=kept.shown)

    def _spend(self, kept: Kept) -> None:
        self.tokens -= 1
        kept.sends.append(self.seconds)
        self.spent.append(kept)
        kept.asked.append(self.asked)
        kept.become_sent(at=self.seconds, climate=self.climate)
        self.trace.say("  service sends", kept.number, f"time {len(kept.sends)}")

    def restore(self, *, at: float, number: int) -> None:
        """Be as it was when it had `number` projects."""
        self.shelves.restore(at=at, number=number)
        self.trace.say("  service restored", number)

    def _presign(self, body: Mapping[str, Any]) -> Said:
        document_id = self.shelves.add_document(size_bytes=int(body["size"]))
        return Said(
            status=201,
            value={
                "documentId": document_id,
                "url": STORAGE_URL,
                "fields": {"key": document_id},
            },
        )

    def store(self, document_id: str) -> None:
        """Take a file's bytes at the storage."""
        if self.shelves.documents[document_id] == "awaited":
            self.shelves.documents[document_id] = "stored"

    def _complete(self, document_id: str) -> Said:
        if self.shelves.documents[document_id] == "awaited":
            return Said(status=400, value="The file has not arrived")
        if self.shelves.documents[document_id] == "stored":
            self.shelves.documents[document_id] = "complete"
        return Said(
            value={"id": document_id, "size": self.shelves.sizes[document_id]},
        )

    def marked(self, marker: str) -> list[Kept]:
        """Give every project that carries a marker."""
        return self.shelves.by_marker.get(marker, [])


def _iwi() -> Said:
    return Said(
        value={
            "iwi": [{"slug": "ngati-tahi", "name": "Ngāti Tahi"}],
            "can_select_iwi": False,
        },
    )


def now_text(seconds: float) -> str:
    """Write an instant of the world as the service does."""
    return instant_text(EPOCH + timedelta(seconds=seconds))
