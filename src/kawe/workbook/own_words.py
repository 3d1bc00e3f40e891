"""The headings, sheets and marks that kawe adds to a result workbook or a template.

The writer writes them and the reader knows them, so that a person can correct a
result workbook and submit it.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from kawe.domain.text.texts import fold

OUTCOME: Final = "Outcome"
WHAT_TO_DO: Final = "What to do"
MARKER: Final = "Reference at the service"
PROJECT_ID: Final = "Project id"
LINK: Final = "Link"
RECEIPT: Final = "Receipt number"
TIME: Final = "Time"
IWI: Final = "To iwi"
STATUS: Final = "Invitation status"
EXPIRES: Final = "Invitation expires"
INVITATION_ID: Final = "Invitation id"
MADE: Final = "Invitation made"
MESSAGE: Final = "Message as sent"
WIDE: Final = 44.0
_OWN: Final = {
    OUTCOME: ("outcome", 14.0),
    WHAT_TO_DO: ("what_to_do", 48.0),
    IWI: ("iwi", 34.0),
    STATUS: ("invitation_status", 20.0),
    EXPIRES: ("invitation_expires_at", 19.0),
    PROJECT_ID: ("project_id", 38.0),
    LINK: ("link", 17.0),
    RECEIPT: ("receipt_number", 18.0),
    INVITATION_ID: ("invitation_id", 38.0),
    MADE: ("invitation_made_at", 19.0),
    TIME: ("at", 19.0),
    MARKER: ("reference", 24.0),
    MESSAGE: ("message_as_sent", WIDE),
}
"""By heading: what `RowReport.as_json` calls it, and how wide its column is."""
FIELDS: Final = {heading: field for heading, (field, _) in _OWN.items()}
WIDTHS: Final = {heading: width for heading, (_, width) in _OWN.items()}
ALWAYS: Final = frozenset({OUTCOME, WHAT_TO_DO, TIME})
"""Of every kind; the others where the service gives them."""
HEADINGS: Final = tuple(FIELDS)

RESULTS: Final = "Results"
SUMMARY: Final = "Summary"
PROBLEMS: Final = "Problems"
WAITING: Final = "Waiting"
FILES: Final = "Files"
SHEETS: Final = (SUMMARY, PROBLEMS, WAITING)
NAMING: Final = {"reference": "reference", "email": "reference", "name": "name"}
"""The fields that name a row to a person, and what `RowReport` calls each."""

TEMPLATE_VERSION: Final = 1
"""Counts up when a workbook made before should be made again."""
STAMP_SHEET: Final = "kawe"
STAMP_KIND: Final = "kind"
STAMP_VERSION: Final = "template version"

_SUFFIX: Final = " (kawe)"

# People delete columns; two of seven prove nothing.
_ENOUGH: Final = 4


def free_name(wanted: str, *, taken: Iterable[str]) -> str:
    """Give `wanted`, marked as kawe's when the person uses that name."""
    folded = {fold(name) for name in taken}
    return wanted + _SUFFIX if fold(wanted) in folded else wanted


def machine_name(heading: str) -> str:
    """Give the name that programs know a column by; it has no space."""
    return "ResultCode" if heading == OUTCOME else heading.title().replace(" ", "")


_FOLDED: Final = {each: (fold(each + _SUFFIX), fold(each)) for each in HEADINGS}
_EXPORTED: Final = {IWI: "iwi asked", LINK: "portal", PROJECT_ID: "project id"}
"""How an export of projects calls them: they are no columns of a person's either."""


def own_headings(texts: Sequence[str]) -> dict[str, int]:
    """Find the index of each of kawe's own headings; a person's has no mark."""
    folded = [fold(text) for text in texts]
    if all(each in folded for each in _EXPORTED.values()):
        return {heading: folded.index(each) for heading, each in _EXPORTED.items()}
    own = {
        heading: index
        for heading, names in _FOLDED.items()
        if (index := _last(folded, *names)) is not None
    }
    # kawe's begin with the outcome: what stands left of it is the person's.
    first = own.get(OUTCOME, 0)
    own = {heading: index for heading, index in own.items() if index >= first}
    return own if len(own) >= _ENOUGH or own.keys() >= ALWAYS else {}


ORGANISATION_SHEETS: Final = frozenset(
    {"organisations", "organizations", "clients", "applicants", "companies"}
    | {"whakahaere", "nga whakahaere"}
)
"""What people call a sheet that lists the organisations of another, folded."""
GUIDE_SHEET: Final = "How to"
"""The sheet of a template that says how to fill it in."""


def is_own_sheet(name: str, *, among: Iterable[str]) -> bool:
    """Say whether sheet `name` of a result workbook is one that kawe wrote."""
    folded, others = fold(name), {fold(other) for other in among}
    marks = {fold(sheet): fold(sheet + _SUFFIX) for sheet in SHEETS}
    return (folded in marks and marks[folded] not in others) or folded in marks.values()


def _last(folded: list[str], *wanted: str) -> int | None:
    """Find the last index of the first of `wanted` that is there."""
    for text in wanted:
        if text in folded:
            return len(folded) - 1 - folded[::-1].index(text)
    return None
