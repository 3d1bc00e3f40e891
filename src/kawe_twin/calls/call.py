"""One call of one operation, what its query string asks for, and the type of a rule."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from sqlite3 import Connection, Row
from typing import Any, Final, TypeAlias, TypeVar

from kawe_contract import enums, limits
from kawe_contract.operations import Operation
from kawe_contract.requests import AMERICAN_SPELLINGS
from kawe_twin.calls.validation import Problem, is_uuid
from kawe_twin.storage.grants import StorageSetup
from kawe_twin.world.answers import Refusal, Reply
from kawe_twin.world.clock import instant_text
from kawe_twin.world.keys import KeyRing, Occasion

_REPEATED: Final[dict[str, type[StrEnum]]] = {
    "type": enums.ProjectType,
    "status": enums.ProjectStatus,
    "priority": enums.ProjectPriority,
}
# As many digits as `limits.PAGE_NUMBER_MAX` has.
_WHOLE: Final = re.compile(rf"[0-9]{{1,{len(str(limits.PAGE_NUMBER_MAX))}}}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """The query of one call."""

    page: int = 1
    limit: int = limits.PAGE_DEFAULT_NESTED
    given: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """What is asked for, by the parameter."""
    # Only faults set the last four.
    only_statuses: tuple[str, ...] = ()
    made_until: str = ""
    shifted_rows: int = 0
    sends_again: bool = False

    @property
    def offset(self) -> int:
        """Count the rows before this page, within SQLite's integers."""
        shifted = self.shifted_rows if self.page > 1 else 0
        return min(max((self.page - 1) * self.limit + shifted, 0), 2**62)

    def last(self, name: str) -> str:
        return _last(self.given, name)


def read_query(
    given: Mapping[str, Sequence[str]], *, operation: Operation
) -> tuple[Query, list[Problem]]:
    """Read the parameters that `operation` knows; others are ignored.

    The last of repeated parameters counts; of two spellings, ours.
    """
    names = {name: AMERICAN_SPELLINGS.get(name, name) for name in operation.query}
    known = {e: it for e in names if (it := given.get(e) or given.get(names[e]))}
    if problems := list(_problems(known)):
        return Query(), problems
    default = (
        limits.PAGE_DEFAULT_PROJECTS
        if operation.name == "project_list"
        else limits.PAGE_DEFAULT_NESTED
    )
    page, limit = int(_last(known, "page") or 1), int(_last(known, "limit") or default)
    return Query(page=page, limit=limit, given=known), []


def _last(known: Mapping[str, Sequence[str]], name: str) -> str:
    values = known.get(name)
    return values[-1] if values else ""


def _problems(known: Mapping[str, Sequence[str]]) -> Iterator[Problem]:
    page, limit, most = _last(known, "page"), _last(known, "limit"), limits.PAGE_MAX
    if known.get("page") and not (_WHOLE.fullmatch(page) and int(page) >= 1):
        yield Problem("page", "must be a whole number from 1")
    if known.get("limit") and not (_WHOLE.fullmatch(limit) and 1 <= int(limit) <= most):
        yield Problem("limit", f"must be a whole number from 1 to {most}")
    for name, choices in _REPEATED.items():
        if any(value not in list(choices) for value in known.get(name, ())):
            yield Problem(name, "must be one of " + ", ".join(choices))
    tabs = enums.ActiveStatus
    if known.get("active_status") and _last(known, "active_status") not in list(tabs):
        yield Problem("active_status", "must be one of " + ", ".join(tabs))
    if known.get("assigned_to") and not is_uuid(_last(known, "assigned_to")):
        yield Problem("assigned_to", "must be a UUID")


def page_of(data: Sequence[object], *, total: int, query: Query) -> dict[str, object]:
    return {
        "data": list(data),
        "total": total,
        "page": query.page,
        "limit": query.limit,
        "total_pages": -(-total // query.limit),
    }


def paged(
    db: Connection,
    statement: str,
    query: Query,
    *,
    shown: Callable[[Row], object],
    **values: object,
) -> dict[str, object]:
    """Give the requested page of a statement's rows, newest first."""
    counted = f"SELECT count(*) FROM ({statement})"  # noqa: S608 - a rule's words
    rows = db.execute(
        f"{statement} ORDER BY number DESC LIMIT :limit OFFSET :offset",
        {**values, "limit": query.limit, "offset": query.offset},
    ).fetchall()
    total = db.execute(counted, values).fetchone()[0]
    return page_of([shown(row) for row in rows], total=total, query=query)


def folded(text: str) -> str:
    """Put text in the form in which names and addresses are compared."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(mark for mark in parts if not unicodedata.combining(mark))


T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup(StorageSetup):
    """What all calls share."""

    ring: KeyRing
    api_url: str
    storage_url: str
    grant_seconds: int
    link_seconds: int

    @property
    def now(self) -> str:
        return instant_text(self.clock())

    async def run(self, work: Callable[..., T], **asked: object) -> T:
        return await self.database.run(partial(work, **asked))


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Occasion):
    """One call."""

    operation: Operation
    ids: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)
    query: Query = field(default_factory=Query)
    problems: tuple[Problem, ...] = ()
    setup: Setup

    def given(self, name: str) -> Any:  # noqa: ANN401 - a field may be anything
        """Give a valid field of the body, else None."""
        if any(problem.field == name for problem in self.problems):
            return None
        return self.body.get(name)

    def given_id(self, name: str) -> str | None:
        """Give an id of the body, normalised."""
        value: str | None = self.given(name)
        return None if value is None else value.lower()


Act: TypeAlias = Callable[[Call, Connection], object]
Check: TypeAlias = Callable[[Call, Connection], Iterable[Problem]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """The check of an operation beyond the shape of its body, and its act.

    `check` also gets malformed bodies, so that one answer lists every problem.
    """

    act: Act
    check: Check | None = None

    def perform(self, call: Call, db: Connection) -> Reply:
        """Check, then act, in one transaction; 400 says every problem at once."""
        problems = list(call.problems)
        if self.check is not None:
            problems += self.check(call, db)
        if problems:
            said = "; ".join(dict.fromkeys(str(problem) for problem in problems))
            raise Refusal(400, said)
        result = self.act(call, db)
        return result if isinstance(result, Reply) else Reply(response_object=result)
