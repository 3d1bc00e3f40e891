"""A world in memory: fast, so that many lives can be lived in it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar, cast

from doubles.service import GivenTurns, MemoryService
from doubles.strict_service import StrictService
from doubles.weather import Died, Fate, Weather
from doubles.world import NO_WAIT, Doors, Seen, Truth, World
from kawe.domain.service.service_words import (
    ProjectId,
)
from kawe.domain.service.states import (
    Done,
    NotDone,
    Reason,
    Unknown,
    UploadVerdict,
    Verdict,
)
from kawe.domain.sheet.content import Attachment
from kawe.errors import KeyRefused, ServiceUnreachable
from kawe.ports import Acts, Lookups
from kawe.service.retrying import Retries, Transient

T = TypeVar("T")


class _AskedAgain:
    """Asks lookups in memory again, as those over HTTP do."""

    def __init__(self, inner: object, retries: Retries) -> None:
        self._inner, self._again = inner, retries.call

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        """Give a question that is asked again after failures that pass."""
        ask = getattr(self._inner, name)
        return lambda *given, **named: self._again(lambda: ask(*given, **named))


_ACTS: Final = {
    "create_draft": "project_create",
    "update": "project_update",
    "send": "project_send",
}
_READS: Final = {
    "account": "user_read",
    "iwi_at": "iwi_count",
    "project": "project_read",
    "projects": "project_list",
    "organisations": "organisation_list",
    "team": "team_read",
    "receipts": "receipt_list",
    "listed": "",
}


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

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        """Give a call of the service, as far as the weather lets it through."""
        call = getattr(self.inner, name)
        carry: Callable[..., Awaitable[Any]]
        carry = self._read if name in _READS else self._act
        operation = _ACTS.get(name) or _READS.get(name)

        def called(*given: Any, **named: Any) -> Awaitable[Any]:
            # Of those that take any operation, it is the first word, or the second.
            which = operation or given[name == "act"]
            return carry(which, lambda: call(*given, **named))

        return called

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
        acts = cast("Acts", ports)
        yield Doors(acts=acts, lookups=lookups, uploads=ports, pace=ports)

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
