"""Requests for reports of projects: what the journal keeps of them, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from kawe.domain.service.lists import instant_of
from kawe.domain.text.new_zealand import moment_words
from kawe.domain.text.texts import one_line

ASKED_AGAIN_AFTER: Final = timedelta(days=1)
"""So soon nobody asks by accident for another report of a project."""
_CLOCKS_DIFFER: Final = timedelta(hours=1)
_NOT_DONE: Final = "not-done"
_SHOWN: Final = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOf:
    """A project of which a report is wanted; a report says no more of its project."""

    project: str
    name: str
    reference: str

    def is_of(self, report: Mapping[str, object]) -> bool:
        """Say whether a report of the list is of such a project."""
        said = report.get("project_name"), report.get("reference") or ""
        return said == (self.name, self.reference)

    def words(self) -> str:
        """Name it to people."""
        words = f"{self.reference} ({self.name})" if self.reference else self.name
        return one_line(words, limit=_SHOWN)


class ReportStepKind(StrEnum):
    """What a step says."""

    INTENT = "intent"
    CONCLUSION = "conclusion"
    LISTED = "listed"
    """The service lists the report."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportStep:
    """One thing that happened to the request for a report."""

    kind: ReportStepKind
    about: ReportOf
    at: datetime
    known: tuple[str, ...] = ()
    """In an intent: ids of the reports of such a project that were listed before."""
    verdict: str = ""
    """In a conclusion: done, not-done or unknown."""
    report: str = ""
    """The id of the report that is listed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportRequest:
    """The last request for a report of one project."""

    about: ReportOf
    asked_at: datetime
    known: tuple[str, ...]
    verdict: str = ""
    """Empty while the intent is open."""
    report: str = ""
    """Empty until kawe has seen the report in the list."""

    @property
    def is_open(self) -> bool:
        return self.verdict != _NOT_DONE and not self.report

    def may_be_asked_again(self, *, at: datetime) -> bool:
        """Say whether another request is none by accident; age settles no doubt."""
        is_old = at - self.asked_at >= ASKED_AGAIN_AFTER
        return self.verdict == _NOT_DONE or (bool(self.report) and is_old)

    def is_answered_by(self, report: Mapping[str, object]) -> bool:
        """Say whether a report that is built may be the one that was asked for."""
        made_at = instant_of(report.get("created_on"))
        return (
            self.about.is_of(report)
            and bool(report.get("document_id"))
            and str(report.get("id")) not in self.known
            and (made_at is None or made_at >= self.asked_at - _CLOCKS_DIFFER)
        )

    def report_words(self) -> str:
        return f"report of {self.about.words()}, {self.asked_words()}"

    def asked_words(self) -> str:
        """Say when it was asked for, and whether that is in doubt."""
        said = f"asked for at {moment_words(self.asked_at)}, NZ time"
        if self.report:
            return f"{said}, and listed since"
        match self.verdict:
            case "":
                return f"{said} (kawe ended before it read the answer)"
            case "unknown":
                return f"{said} (the answer was lost)"
            case _:
                return said

    def as_json(self) -> dict[str, Any]:
        return {
            "project": self.about.name,
            "reference": self.about.reference,
            "asked_at": self.asked_at.isoformat(),
            "answer": self.verdict or None,
        }


def requests_after(steps: Iterable[ReportStep]) -> dict[str, ReportRequest]:
    """Give the last request of each project, by the project's id.

    Raises:
        ValueError: A step does not follow from those before it.
    """
    requests: dict[str, ReportRequest] = {}
    for step in steps:
        key, before = step.about.project, requests.get(step.about.project)
        if step.kind is ReportStepKind.INTENT:
            requests[key] = ReportRequest(
                about=step.about, asked_at=step.at, known=step.known
            )
        elif before is None or not before.is_open:
            raise ValueError("a step of a report that was not asked for")
        elif step.kind is ReportStepKind.LISTED:
            requests[key] = replace(before, report=step.report)
        elif before.verdict:
            raise ValueError("a second end of one request")
        else:
            requests[key] = replace(before, verdict=step.verdict)
    return requests
