"""What lies between kawe and the service of a world."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from faults.simulation.kept import Asked
from faults.simulation.life import Life
from faults.simulation.service import Said, SimulatedService
from faults.simulation.trace import Trace
from faults.simulation.weather import ACTS, Fate, Fault, Weather
from kawe.service.transport.answers import Answer, Exchange, Lost

_ACT: Final = {"project_create": "create", "project_send": "send"}
_PAGE: Final = b"<!doctype html><html><body>Please wait</body></html>"
_WHOLE: Final = frozenset({Fault.NONE, Fault.SHIFTED, Fault.REPEATED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready(Answer):
    """An answer whose JSON need not be written and read again: it is long."""

    value: Any = None

    def parsed(self) -> Any:
        return self.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut(Lost):
    """An answer of which only a part came."""

    part: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One request."""

    operation: str
    path: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class Network:
    """Carries requests of one process there, and answers back, or does not."""

    service: SimulatedService
    weather: Weather
    life: Life
    trace: Trace
    chance: Random
    acts: int = 0
    """How many requests left that can change a project."""

    async def carry(
        self, question: Question, *, leaves: Callable[[], Awaitable[None]] | None = None
    ) -> Exchange:
        """Carry one request; `leaves` is told when its first byte does."""
        act = _ACT.get(question.operation)
        self.life.pass_by(
            "at a lookup" if act is None else f"before the first byte of a {act}"
        )
        loop = asyncio.get_running_loop()
        self.service.pass_time(loop.time())
        fate = self.weather.fate(
            question.operation,
            now=loop.time(),
            shows_409=self.service.climate.refuses_second_send,
        )
        about = (*question.path.values(), question.body.get("reference", ""))
        self.trace.say("ask", question.operation, *about, fate.fault)
        if fate.fault is Fault.NOT_REACHED:
            await asyncio.sleep(fate.ends_after)
            self.life.go_on()
            return Lost(sent=False, detail="no connection")
        if leaves is not None:
            await leaves()
        said = self._on_its_way(question, fate)
        if act is not None:
            self.acts += 1
            self.life.pass_by(f"after the first byte of a {act}")
        await asyncio.sleep(fate.ends_after)
        self.life.go_on()
        self.service.pass_time(loop.time())
        exchange = self._exchange(question, fate, said)
        self.trace.say("answer", question.operation, _short(exchange))
        if act is not None:
            self.life.pass_by(f"with the answer of a {act}")
        return exchange

    def _on_its_way(self, question: Question, fate: Fate) -> list[Said]:
        """Let the service carry it out when it arrives, whoever still waits."""
        said: list[Said] = []

        asked = Asked(at=asyncio.get_running_loop().time(), by=self.trace)

        def arrive() -> None:
            self.service.asked = asked
            times = 2 if fate.fault is Fault.REPEATED else 1
            said.extend(self._ask(question) for _ in range(times))

        if fate.arrives_after is not None:
            self.service.later(asked.at + fate.arrives_after, arrive, of=self.life)
        return said

    def _ask(self, question: Question) -> Said:
        if question.operation == "storage_post":
            self.service.store(str(question.body["key"]))
            return Said(status=200)
        return self.service.ask(
            question.operation,
            path=question.path,
            query=question.query,
            body=question.body,
        )

    def _exchange(self, question: Question, fate: Fate, said: list[Said]) -> Exchange:
        if fate.fault in _WHOLE:
            if fate.fault is Fault.SHIFTED:
                said[-1].value["data"] = said[-1].value["data"][1:]
            return _answer(said[-1], is_act=question.operation in ACTS)
        if fate.fault is Fault.STORM:
            return self._too_many()
        if fate.fault is Fault.CUT_ANSWER:
            return self._cut(said[-1])
        return self._trouble(fate)

    def _cut(self, said: Said) -> Cut:
        body = json.dumps(said.body).encode()
        part = body[: self.chance.randrange(len(body))]
        return Cut(sent=True, detail="the connection broke", part=part)

    def _trouble(self, fate: Fate) -> Exchange:
        if fate.status == 0:
            return Lost(sent=True, detail="the connection broke")
        if fate.status == 409:
            return _answer(Said(status=409, value="Already sent"), is_act=True)
        if fate.status == 200 or self.chance.random() < 0.5:
            return Answer(http_status=fate.status, body=_PAGE)
        words = {"title": "Trouble", "status": fate.status}
        return Answer(http_status=fate.status, body=json.dumps(words).encode())

    def _too_many(self) -> Answer:
        now = asyncio.get_running_loop().time()
        seconds = self.weather.retry_after(now=now)
        headers = {} if seconds is None else {"retry-after": str(seconds)}
        return Answer(
            http_status=429, headers=headers, body=b'{"error": "Too many requests"}'
        )


def _answer(said: Said, *, is_act: bool) -> Answer:
    body = said.body
    if is_act:
        return Answer(http_status=said.status, body=json.dumps(body).encode())
    return Ready(http_status=said.status, value=body)


def _short(exchange: Exchange) -> str:
    match exchange:
        case Answer(http_status=status):
            return str(status)
        case Lost(detail=detail):
            return detail
