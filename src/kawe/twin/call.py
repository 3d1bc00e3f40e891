"""One call of one operation, as a rule sees it, and what a rule is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from sqlite3 import Connection
from typing import Any, TypeAlias

from kawe.contract.operation import Operation
from kawe.twin.clock import instant_text
from kawe.twin.envelope import Refusal
from kawe.twin.grants import Signer
from kawe.twin.keys import Caller
from kawe.twin.queries import Query
from kawe.twin.shelf import DocumentFolder
from kawe.twin.validation import Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What stays the same from call to call."""

    api_url: str
    storage_url: str
    signer: Signer = field(repr=False)
    shelf: DocumentFolder
    grant_seconds: int
    link_seconds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call: who asks for what, and when it came in."""

    operation: Operation
    caller: Caller
    ids: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)
    query: Query = field(default_factory=Query)
    problems: tuple[Problem, ...] = ()
    at: datetime
    setup: Setup

    @property
    def now(self) -> str:
        """Write the instant of the call as it is stored."""
        return instant_text(self.at)

    def given(self, name: str) -> Any:  # noqa: ANN401 - a field may be anything
        """Give a field of the body that is there and well-formed, else None."""
        if any(problem.field == name for problem in self.problems):
            return None
        return self.body.get(name)


Act: TypeAlias = Callable[[Call, Connection], object]
Check: TypeAlias = Callable[[Call, Connection], Iterable[Problem]]


def no_more_problems(call: Call, db: Connection) -> Iterable[Problem]:  # noqa: ARG001 - the shape of every check
    """Find nothing beyond the shape of the body."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What an operation checks beyond the shape of its body, and does.

    `check` also sees malformed bodies, so that one answer can list every
    problem; `act` runs only when there is none.
    """

    act: Act
    check: Check = no_more_problems

    def perform(self, call: Call, db: Connection) -> object:
        """Check, then act, in one transaction.

        Raises:
            Refusal: 400 with every problem, or whatever the act refuses.
        """
        problems = [*call.problems, *self.check(call, db)]
        if problems:
            said = "; ".join(dict.fromkeys(str(problem) for problem in problems))
            raise Refusal(status_code=400, message=said)
        return self.act(call, db)
