"""One thing that was looked at, and how it is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kawe.errors import KaweError


class Grade(StrEnum):
    """How a thing is."""

    OK = "ok"
    WARNING = "warning"
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorCheck:
    """What was looked at, how it is, and what to do."""

    about: str
    grade: Grade
    words: str
    advice: str = ""
    trouble: KaweError | None = None
    """What a run would end with; None unless it is in the way."""


def fine(about: str, words: str) -> DoctorCheck:
    """Say that all is well."""
    return DoctorCheck(about=about, grade=Grade.OK, words=words)


def doubtful(about: str, words: str, *, advice: str) -> DoctorCheck:
    """Say that somebody should look."""
    return DoctorCheck(about=about, grade=Grade.WARNING, words=words, advice=advice)


def check_of(about: str, trouble: KaweError) -> DoctorCheck:
    """Make a check of what would stop a run."""
    return DoctorCheck(
        about=about,
        grade=Grade.TROUBLE,
        words=trouble.message,
        advice=trouble.hint,
        trouble=trouble,
    )
