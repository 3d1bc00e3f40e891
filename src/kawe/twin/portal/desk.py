"""What every page is made from, and asking a rule in an account's name.

The owner of the twin sees every account, so a page always says through whose
eyes it looks; the rule then decides what that account sees and may do, just as
it would for one of the account's keys.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from sqlite3 import Connection
from typing import Any

from kawe.contract.operation import Operation
from kawe.contract.operations import OPERATIONS
from kawe.twin.call import Call, Rule, Setup
from kawe.twin.clock import Clock, instant_text
from kawe.twin.envelope import Refusal, Reply
from kawe.twin.keys import KeyRing
from kawe.twin.portal.forms import Form
from kawe.twin.portal.sessions import PortalSession, Sessions
from kawe.twin.queries import read_query
from kawe.twin.registry import RULES
from kawe.twin.rules.project_pick_up import PICK_UP, PROJECT_PICK_UP
from kawe.twin.store.accounts import caller_of
from kawe.twin.store.database import Database
from kawe.twin.validation import body_problems


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleQuestion:
    """One question to a rule: which operation, about what."""

    name: str
    ids: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)
    query: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PortalContext:
    """The store and the rules, as the pages reach them."""

    database: Database
    ring: KeyRing
    setup: Setup
    clock: Clock
    sessions: Sessions
    owner_secret: str = field(repr=False)

    @property
    def now(self) -> str:
        """Write the instant it is now."""
        return instant_text(self.clock())

    async def ask(self, asked: RuleQuestion, *, account_id: str) -> Any:  # noqa: ANN401 - rules answer any JSON
        """Follow a rule in an account's name, as one transaction.

        Raises:
            Refusal: The rule does not allow it, or there is no such account.
        """
        return await self.database.run(
            partial(self._perform, asked, account_id=account_id)
        )

    def _perform(
        self, asked: RuleQuestion, db: Connection, *, account_id: str
    ) -> object:
        operation, rule = _rule_of(asked.name)
        query, problems = read_query(asked.query, operation=operation)
        if operation.request is not None:
            problems += body_problems(dict(asked.body), schema_name=operation.request)
        call = Call(
            operation=operation,
            caller=caller_of(db, account_id=account_id),
            ids=asked.ids,
            body=asked.body,
            query=query,
            problems=tuple(problems),
            at=self.clock(),
            setup=self.setup,
        )
        result = rule.perform(call, db)
        if not isinstance(result, Reply):
            return result
        if result.status_code >= 400:
            raise Refusal(status_code=result.status_code, message=result.message)
        return result.response_object


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One request of a person who has signed in."""

    desk: PortalContext
    session: PortalSession
    ids: Mapping[str, str]
    query: Mapping[str, str]
    form: Form


def _rule_of(name: str) -> tuple[Operation, Rule]:
    if name == PICK_UP.name:
        return PICK_UP, PROJECT_PICK_UP
    return OPERATIONS[name], RULES[name]
