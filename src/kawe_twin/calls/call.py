"""One call of one operation, and the type of a rule."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from sqlite3 import Connection
from typing import Any, TypeAlias, TypeVar

from kawe_contract.operations import Operation
from kawe_twin.calls.queries import Query
from kawe_twin.calls.validation import Problem
from kawe_twin.storage.document_folder import DocumentFolder
from kawe_twin.storage.grants import Signer
from kawe_twin.store.database import Database
from kawe_twin.world.answers import Refusal, Reply
from kawe_twin.world.clock import Clock, instant_text
from kawe_twin.world.keys import KeyRing, Occasion

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What all calls share."""

    database: Database
    ring: KeyRing
    clock: Clock
    api_url: str
    storage_url: str
    signer: Signer = field(repr=False)
    document_folder: DocumentFolder
    grant_seconds: int
    link_seconds: int

    @property
    def now(self) -> str:
        return instant_text(self.clock())

    async def run(self, work: Callable[..., T], **asked: object) -> T:
        """Run work in the store, as one transaction."""
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
