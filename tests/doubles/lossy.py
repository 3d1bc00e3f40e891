"""Acts whose answers get lost, before or after the service did its work."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from kawe.domain.service.service_words import ProjectId
from kawe.domain.service.states import Step, Unknown, Verdict
from kawe.ports import Acts
from kawe.service.opening import Service


@dataclass(slots=True, kw_only=True)
class LossyActs:
    """Implements the port `Acts`: loses the n-th answers of each step."""

    inner: Acts
    before: Mapping[Step, frozenset[int]] = field(default_factory=dict)
    """The request never arrives, and nobody knows."""
    after: Mapping[Step, frozenset[int]] = field(default_factory=dict)
    """The service does its work, and nobody knows."""
    counts: dict[Step, int] = field(default_factory=dict)

    async def create_draft(self, body: Mapping[str, object]) -> Verdict:
        return await self._lose(Step.CREATE, lambda: self.inner.create_draft(body))

    async def update(self, project: ProjectId, body: Mapping[str, object]) -> Verdict:
        return await self._lose(Step.UPDATE, lambda: self.inner.update(project, body))

    async def send(self, project: ProjectId, body: Mapping[str, object]) -> Verdict:
        return await self._lose(Step.SEND, lambda: self.inner.send(project, body))

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

    async def act(
        self,
        step: Step,
        operation: str,
        *,
        path: Mapping[str, str],
        body: Mapping[str, object],
    ) -> Verdict:
        return await self._lose(
            step, lambda: self.inner.act(step, operation, path=path, body=body)
        )

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
        return replace(service, acts=acts)

    return wrap
