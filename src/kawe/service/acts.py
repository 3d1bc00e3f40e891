"""The acts over HTTP: one request each, never repeated; `classify` judges it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kawe.domain.service.service_words import ProjectId
from kawe.domain.service.verdicts import NotDone, Reason, Step, Verdict
from kawe.service.classify import classify, classify_invites
from kawe.service.transport.wire import Wire
from kawe_contract.limits import BULK_INVITE_MAX


class HttpActs:
    """Implements the port `Acts`."""

    def __init__(self, *, wire: Wire) -> None:
        self._wire = wire

    async def create_draft(self, body: Mapping[str, object]) -> Verdict:
        """Create one draft.

        Raises:
            ValueError: `body` would send or buy; kawe never does either here.
        """
        if body.get("draft") is not True or "quantity" in body:
            raise ValueError("a draft is created as a draft, and nothing is bought")
        exchange = await self._wire.ask("project_create", body=body)
        verdict = classify(Step.CREATE, exchange, body=body)
        return _explained(verdict, self._wire, "project_create")

    async def update(self, project: ProjectId, body: Mapping[str, object]) -> Verdict:
        exchange = await self._wire.ask(
            "project_update", path={"id": project}, body=body
        )
        return _explained(classify(Step.UPDATE, exchange), self._wire, "project_update")

    async def send(self, project: ProjectId, body: Mapping[str, object]) -> Verdict:
        exchange = await self._wire.ask("project_send", path={"id": project}, body=body)
        return classify(Step.SEND, exchange)

    async def invite(
        self, people: Sequence[Mapping[str, object]]
    ) -> tuple[Verdict, ...]:
        """Invite up to 200 people.

        Raises:
            ValueError: Nobody, or more than 200.
        """
        if not 1 <= len(people) <= BULK_INVITE_MAX:
            raise ValueError(f"1 to {BULK_INVITE_MAX} people, not {len(people)}")
        exchange = await self._wire.ask(
            "user_invite_bulk", body={"invitations": [dict(each) for each in people]}
        )
        emails = [str(each["email"]) for each in people]
        return tuple(
            _explained(verdict, self._wire, "user_invite_bulk")
            for verdict in classify_invites(exchange, emails=emails)
        )

    async def act(
        self,
        step: Step,
        operation: str,
        *,
        path: Mapping[str, str],
        body: Mapping[str, object],
    ) -> Verdict:
        exchange = await self._wire.ask(operation, path=path, body=body)
        return classify(step, exchange)


def _explained(verdict: Verdict, wire: Wire, operation: str) -> Verdict:
    # This 404 means a wrong path: name the setting.
    if isinstance(verdict, NotDone) and verdict.reason is Reason.NOT_FOUND:
        return NotDone(
            reason=Reason.NOT_FOUND,
            detail=wire.addresses.missing(operation),
            http_status=verdict.http_status,
        )
    return verdict
