"""The table of kinds: what a sheet can be about. A new kind is one line here."""

from typing import Final

from kawe.flows.kinds import Kind
from kawe.kinds.acts import ACTS, FETCHABLE, MIXED, ActsKind
from kawe.kinds.invitations import INVITATIONS
from kawe.kinds.projects import PROJECTS

KINDS: Final[tuple[Kind, ...]] = (PROJECTS, INVITATIONS, *ACTS, MIXED)
FETCHED: Final[dict[str, ActsKind]] = {e.word: e for e in ACTS if e.word in FETCHABLE}
"""The kinds of which a workbook of what is so now can be fetched, by word."""
OF_ACTS: Final[dict[str, ActsKind]] = {e.word: e for e in (*ACTS, MIXED)}
PUT_BACK: Final = {MIXED.word, *(e.word for e in ACTS if e.line.undone_as)}
"""The words of those that a sheet can put back."""
