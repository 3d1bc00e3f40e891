"""Acts whose answers get lost, before or after the service did its work."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, cast

from kawe.domain.service.states import Step, Unknown, Verdict
from kawe.ports import Acts
from kawe.service.opening import Service

_STEPS: Final = {
    "create_draft": Step.CREATE,
    "update": Step.UPDATE,
    "send": Step.SEND,
}


@dataclass(slots=True, kw_only=True)
class LossyActs:
    """Implements the port `Acts`: loses the n-th answers of each step."""

    inner: Acts
    before: Mapping[Step, frozenset[int]] = field(default_factory=dict)
    """The request never arrives, and nobody knows."""
    after: Mapping[Step, frozenset[int]] = field(default_factory=dict)
    """The service does its work, and nobody knows."""
    counts: dict[Step, int] = field(default_factory=dict)

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Verdict]]:
        """Give an act that is lost in its turn; the first word of `act` is its step."""
        act = getattr(self.inner, name)
        return lambda *given, **named: self._lose(
            _STEPS.get(name) or given[0], lambda: act(*given, **named)
        )

    async def invite(
        self, people: Sequence[Mapping[str, object]]
    ) -> tuple[Verdict, ...]:
        """Invite, perhaps."""
        number = self._count(Step.INVITE)
        if number in self.before.get(Step.INVITE, ()):
            return (Unknown(detail="lost"),) * len(people)
        verdicts = await self.inner.invite(people)
        if number in self.after.get(Step.INVITE, ()):
            return (Unknown(detail="lost"),) * len(people)
        return verdicts

    async def _lose(self, step: Step, act: Callable[[], Awaitable[Verdict]]) -> Verdict:
        number = self._count(step)
        if number in self.before.get(step, ()):
            return Unknown(detail="lost")
        verdict = await act()
        return Unknown(detail="lost") if number in self.after.get(step, ()) else verdict

    def _count(self, step: Step) -> int:
        self.counts[step] = self.counts.get(step, 0) + 1
        return self.counts[step]


def losing(
    *,
    before: Mapping[Step, frozenset[int]] | None = None,
    after: Mapping[Step, frozenset[int]] | None = None,
) -> Callable[[Service], Service]:
    """Give a wrapper for a scene that loses those answers."""

    def wrap(service: Service) -> Service:
        acts = LossyActs(inner=service.acts, before=before or {}, after=after or {})
        return replace(service, acts=cast("Acts", acts))

    return wrap
