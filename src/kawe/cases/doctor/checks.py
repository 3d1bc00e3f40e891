"""The result of one check of `kawe doctor`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from kawe.errors import KaweError


class Grade(StrEnum):
    """How a check ended."""

    OK = "ok"
    WARNING = "warning"
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorCheck:
    """What was checked, its grade, and what to do."""

    about: str
    grade: Grade
    words: str
    advice: str = ""
    trouble: KaweError | None = None
    """The error that a run would end with."""

    def as_json(self) -> dict[str, str]:
        return {
            name: str(getattr(self, name))
            for name in ("about", "grade", "words", "advice")
        }


def seen(about: str, words: str, advice: str = "") -> DoctorCheck:
    """Make a check that is fine, or with advice one that a person should read."""
    grade = Grade.WARNING if advice else Grade.OK
    return DoctorCheck(about=about, grade=grade, words=words, advice=advice)


Said: TypeAlias = str | tuple[str, str]
"""What a check says: words, or words and an advice."""


def looked(about: str, look: Callable[..., Said], *given: object) -> DoctorCheck:
    """Make a check of what a function says, or of the error that it raises."""
    try:
        said = look(*given)
    except KaweError as trouble:
        return check_of(about, trouble)
    return seen(about, said) if isinstance(said, str) else seen(about, *said)


def check_of(about: str, trouble: KaweError) -> DoctorCheck:
    return DoctorCheck(
        about=about,
        grade=Grade.TROUBLE,
        words=trouble.message,
        advice=trouble.hint,
        trouble=trouble,
    )
