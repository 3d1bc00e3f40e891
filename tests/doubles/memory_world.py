"""A world in memory: fast, so that many lives can be lived in it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

from doubles.service import GivenTurns, MemoryService
from doubles.strict_service import StrictService
from doubles.weather import Died, Fate, Weather
from doubles.world import NO_WAIT, Doors, Seen, Truth, World
from kawe.domain.service.service_words import (
    Account,
    IwiAnswer,
    Organisation,
    Page,
    Project,
    ProjectId,
    Receipt,
    TeamRoll,
)
from kawe.domain.service.states import (
    Done,
    NotDone,
    Reason,
    Step,
    Unknown,
    UploadVerdict,
    Verdict,
)
from kawe.domain.sheet.content import Attachment
from kawe.errors import KeyRefused, ServiceUnreachable
from kawe.ports import NO_QUERY, Lookups, QueryValue
from kawe.service.retrying import Retries, Transient
from kawe_places.values import Place

T = TypeVar("T")


class _AskedAgain:
    """Asks lookups in memory again, as those over HTTP do."""

    def __init__(self, inner: Lookups, retries: Retries) -> None:
        self._inner, self._again = inner, retries.call

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        """Give a question that is asked again after failures that pass."""
        ask = getattr(self._inner, name)
        return lambda *given, **named: self._again(lambda: ask(*given, **named))


@dataclass(slots=True, kw_only=True)
class Weathered:
    """Implements `Acts`, `Lookups`, `Uploads` and `Pace` over a service."""

    inner: StrictService
    weather: Weather

    async def turn(self) -> bool:
        """Give a turn, after a moment while the rate limit is closed."""
        if self.weather.storm:
            await self.inner.clock.sleep(1)
        return True

    @asynccontextmanager
    async def pair(self) -> AsyncIterator[GivenTurns | None]:
        """Give both turns; the look leaves at once."""
        await self.turn()
        yield GivenTurns(left_at=self.inner.clock.elapsed())

    @property
    def asked(self) -> int:
        """Count the calls."""
        return self.inner.asked

    def forecast(self, requests: int) -> float | None:
        """Know nothing of the weather to come."""
        return None if requests else 0.0

    async def create_draft(self, body: Mapping[str, Any]) -> Verdict:
        return await self._act("project_create", lambda: self.inner.create_draft(body))

    async def update(self, project: ProjectId, body: Mapping[str, object]) -> Verdict:
        return await self._act(
            "project_update", lambda: self.inner.update(project, body)
        )

    async def send(self, project: ProjectId, body: Mapping[str, object]) -> Verdict:
        return await self._act("project_send", lambda: self.inner.send(project, body))

    async def invite(
        self, people: Sequence[Mapping[str, object]]
    ) -> tuple[Verdict, ...]:
        """Invite, perhaps."""
        told: list[Verdict] = []

        async def work() -> Verdict:
            told.extend(await self.inner.invite(people))
            return told[0]

        whole = await self._act("user_invite_bulk", work)
        return tuple(told) if isinstance(whole, Done) else (whole,) * len(people)

    async def upload(self, attachment: Attachment) -> UploadVerdict:
        """Take a file, perhaps."""
        match await self.weather.fate("upload_presign"):
            case Fate.PASS if not self.inner.key_works:
                raise KeyRefused(message="401")
            case Fate.PASS | Fate.LIMITED:
                return await self.inner.upload(attachment)
            case Fate.LAST:
                await self.inner.upload(attachment)
                raise Died
            case _:
                raise ServiceUnreachable(message="no connection")

    async def account(self) -> Account:
        return await self._read("user_read", self.inner.account)

    async def iwi_at(self, place: Place) -> IwiAnswer:
        return await self._read("iwi_count", lambda: self.inner.iwi_at(place))

    async def project(self, project: ProjectId) -> Project | None:
        return await self._read("project_read", lambda: self.inner.project(project))

    async def projects(
        self, *, page: int, search: str | None = None, status: str | None = None
    ) -> Page[Project]:
        return await self._read(
            "project_list",
            lambda: self.inner.projects(page=page, search=search, status=status),
        )

    async def organisations(self, *, page: int) -> Page[Organisation]:
        return await self._read(
            "organisation_list", lambda: self.inner.organisations(page=page)
        )

    async def team(self, team_id: str) -> TeamRoll:
        return await self._read("team_read", lambda: self.inner.team(team_id))

    async def receipts(self, team_id: str, *, page: int) -> Page[Receipt]:
        return await self._read(
            "receipt_list", lambda: self.inner.receipts(team_id, page=page)
        )

    async def act(
        self,
        step: Step,
        operation: str,
        *,
        path: Mapping[str, str],
        body: Mapping[str, object],
    ) -> Verdict:
        return await self._act(
            operation, lambda: self.inner.act(step, operation, path=path, body=body)
        )

    async def listed(
        self,
        operation: str,
        *,
        path: Mapping[str, str],
        page: int,
        query: Mapping[str, QueryValue] = NO_QUERY,
    ) -> Page[Mapping[str, object]]:
        return await self._read(
            operation,
            lambda: self.inner.listed(operation, path=path, page=page, query=query),
        )

    async def _act(
        self, operation: str, work: Callable[[], Awaitable[Verdict]]
    ) -> Verdict:
        fate = await self.weather.fate(operation)
        match fate:
            case Fate.LIMITED:
                return NotDone(reason=Reason.RATE_LIMITED, http_status=429)
            case Fate.UNREACHED:
                return NotDone(reason=Reason.NOT_REACHED, detail="no connection")
            case Fate.LOST_BEFORE:
                return Unknown(detail="lost")
            case Fate.PASS | Fate.LOST_AFTER | Fate.LATE | Fate.LAST:
                pass
        if not self.inner.key_works:
            return NotDone(reason=Reason.KEY_REFUSED, http_status=401)
        if fate is Fate.LATE:
            self.weather.do_later(work)
            return Unknown(detail="late")
        verdict = await work()
        if fate is Fate.LAST:
            raise Died
        return Unknown(detail="lost") if fate is Fate.LOST_AFTER else verdict

    async def _read(self, operation: str, work: Callable[[], Awaitable[T]]) -> T:
        match await self.weather.fate(operation):
            case Fate.LIMITED:
                raise Transient(message="429", rate_limited=True)
            case Fate.UNREACHED:
                raise Transient(message="no connection")
            case Fate.LAST:
                raise Died
            case _:
                pass
        if not self.inner.key_works:
            raise KeyRefused(message="401")
        return await work()


class MemoryWorld(World):
    """A service in memory and who uses it."""

    def __init__(self, *, tokens: int, refuses_twice: bool = True) -> None:
        super().__init__()
        self.service = StrictService(
            clock=self.clock, tokens=tokens, refuses_twice=refuses_twice
        )

    @property
    def lag_seconds(self) -> float:
        """Say for how long lists do not show what was just created."""
        return self.service.lag_seconds

    @lag_seconds.setter
    def lag_seconds(self, seconds: float) -> None:
        self.service.lag_seconds = seconds

    def let_pages_lag(self, seconds: float) -> bool:
        """Let the page of a project not show what is new."""
        self.service.read_lag_seconds = seconds
        return True

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Doors]:
        """Open the service."""
        ports = Weathered(inner=self.service, weather=self.weather)
        retries = Retries(pace=ports, policy=NO_WAIT)
        lookups = cast("Lookups", _AskedAgain(ports, retries))
        yield Doors(acts=ports, lookups=lookups, uploads=ports, pace=ports)

    async def look(self) -> Seen:
        """Say what really happened."""
        service = self.service
        return Seen(
            projects=tuple(
                Truth(
                    id=each.id,
                    name=each.name,
                    reference=each.reference or "",
                    description=each.description,
                    is_sent=each.is_sent,
                    sends=service.sends[each.id],
                )
                for each in service.projects_there
            ),
            balance=service.tokens,
            people=frozenset({*service.members, *service.invited_at}),
            organisations=tuple(each.name for each in service.organisations_there),
        )

    async def edit(self, project: ProjectId, words: str) -> None:
        """Change a description."""
        self.service.projects_there = [
            replace(each, description=words) if each.id == project else each
            for each in self.service.projects_there
        ]

    async def send(self, project: ProjectId) -> bool:
        """Send a draft by hand."""
        there = await MemoryService.project(self.service, project)
        if there is None or there.is_sent:
            return False
        sent = await self.service.carry_out_send(project, {"message": "By hand."})
        return isinstance(sent, Done)

    async def spend(self) -> bool:
        """Spend a token on something else."""
        if self.service.tokens < 1:
            return False
        self.service.tokens -= 1
        return True

    async def buy(self, tokens: int) -> None:
        self.service.tokens += tokens

    async def revoke_key(self) -> None:
        self.service.key_works = False

    async def give_key(self) -> None:
        """Let the key work again."""
        self.service.key_works = True

    async def ask_to_join(self, email: str) -> None:
        """Let a person join the team."""
        self.service.invited_at.pop(email.casefold(), None)
        self.service.members.add(email.casefold())

    def close(self) -> None:
        """Leave it to be forgotten."""
