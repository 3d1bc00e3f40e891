"""Names of what is set aside: works that are over, copies and drafts."""

import re
from datetime import date
from typing import Final

from kawe.domain.text.texts import fold

OFF: Final = (
    "cancell?ed|(?:(?:applicant|client|owner) (?:has )?)?withdr(?:awn|ew)|superseded"
    "|abandoned|duplicate|deleted|(?:on )?hold|deferred|postponed|not proceeding|no go"
    "|(?:do(?: not|n.?t)|not to be) (?:sen[dt]|invited?|proceed|notify|consult)"
    "|already (?:sent|notified)|kua (?:whakakore|whakat[āa]rewa)[a-z]*"
)
"""What is said of works that do not go on, as part of a regular expression."""
TRIAL: Final = "draft|test|example|sample|dummy|template|x{3,}"
"""What is said of a row that was only tried, as part of a regular expression."""
_JOBS: Final = "(?:works?|projects?|jobs?|items?|consents?|sites?)"
OFF_TITLE: Final = re.compile(
    rf"(?i)(?:{_JOBS} )?(?:{OFF}|completed?|done|finished|closed|declined|archived?)"
    rf"(?: {_JOBS})?(?:[\W\d]*$| ?[-–—:(])"
)
"""What a title says if the works below it do not go on."""
# In te reo Māori: oti is done, tawhito is old, hukihuki is a draft.
_ASIDE: Final = re.compile(
    rf"(?<![a-z])(?:{OFF}|archives?|archived|old|done|finished|completed|closed"
    r"|backups?|bak|oti|tawhito|previous|prior|past|former|history|obsolete|expired"
    r"|lapsed|declined|rejected|unused|ignore|last (?:year|month)s?|cop(?:y|ies)"
    r"|drafts?|hukihuki|templates?|examples?|tests?|do(?: not|n.?t) use"
    r")(?![a-z])"
)
_SECOND_COPY: Final = re.compile(r"\(\d+\)\s*$")
_YEAR: Final = re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)")
_MONTH: Final = re.compile(
    r"\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]* ?(\d\d)\b"
)
_TWO_YEARS: Final = re.compile(r"(?:\b|fy ?)(?:20)?(19|[2-4]\d)( ?)(?:20)?(\d\d)(?!\d)")
_END_YEAR: Final = re.compile(r"\bfy ?(?:20)?(\d\d)(?!\d)")
_JULY: Final = 7
"""Councils' years begin then."""


def is_aside(name: str, *, today: date) -> bool:
    """Check that a sheet or a table is called so."""
    folded = fold(name)
    if _ASIDE.search(folded) or _SECOND_COPY.search(name):
        return True
    spans = ((int(a), gap, int(b)) for a, gap, b in _TWO_YEARS.findall(folded))
    ends = [b for a, gap, b in spans if b == a + 1 or (gap and a < b)]
    if ends := ends or [*map(int, _END_YEAR.findall(folded))]:
        return 2000 + max(ends) < today.year + (today.month >= _JULY)
    years = [*map(int, _YEAR.findall(folded))]
    years += [2000 + int(each) for each in _MONTH.findall(folded)]
    return bool(years) and max(years) < today.year
