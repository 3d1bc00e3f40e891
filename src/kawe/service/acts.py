"""The acts over HTTP: one request each, never repeated; `classify` judges it.

`classify` is pure, and complete. The interface calls 500, 502, 503 and 504 retryable,
but a repeated act would double projects and tokens. Only 429 proves that nothing
happened. After the first byte of a request, all but a clear answer is `Unknown`
(promises, section 3).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, assert_never

from kawe.domain.service.service_words import InviteAnswer, ProjectId, with_projects
from kawe.domain.service.states import Done, NotDone, Reason, Step, Unknown, Verdict
from kawe.domain.text.texts import clean, one_line
from kawe.service.parsing import Unreadable, parse_invites, parse_project
from kawe.service.transport.answers import Answer, Exchange, Lost
from kawe.service.transport.wire import Wire
from kawe_contract.enums import BulkInviteStatus
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


_REFUSALS: Final = {
    400: Reason.REJECTED,
    401: Reason.KEY_REFUSED,
    402: Reason.NO_TOKENS,
    403: Reason.SCOPE_MISSING,
    404: Reason.NOT_FOUND,
    413: Reason.REJECTED,
    422: Reason.REJECTED,
    429: Reason.RATE_LIMITED,
}


def classify(
    step: Step, exchange: Exchange, *, body: Mapping[str, object] | None = None
) -> Verdict:
    """Judge the exchange of one create or send.

    The answer to a create must echo name and reference of `body`, or it is another
    project.
    """
    match exchange:
        case Lost(sent=False, detail=detail):
            return NotDone(reason=Reason.NOT_REACHED, detail=detail)
        case Lost(detail=detail):
            return Unknown(detail=detail)
        case Answer(http_status=404) if step is Step.SEND:
            # kawe has just read the draft: one replica is behind.
            return Unknown(
                detail="the service does not know the draft that it showed",
                http_status=404,
            )
        case Answer(http_status=status) if status in _REFUSALS:
            return NotDone(
                reason=_REFUSALS[status],
                detail=exchange.message(),
                http_status=status,
            )
        case Answer(is_success=True):
            return _judge_success(step, exchange, body or {})
        case Answer(http_status=status):
            return Unknown(
                detail=f"the service answered {status}: {exchange.message()}",
                http_status=status,
                stops_run=300 <= status < 400,
            )
        case _:
            assert_never(exchange)


def _judge_success(step: Step, answer: Answer, body: Mapping[str, object]) -> Verdict:
    envelope, status = answer.envelope(), answer.http_status
    doubt = partial(Unknown, http_status=status)
    if envelope is None:
        said = answer.message()
        return doubt(detail=f"an answer that is not the service's: {said}")
    if step is not Step.CREATE:
        # The interface shows no answer: the project is read back.
        return Done(http_status=status)
    try:
        project = parse_project(envelope["response_object"])
    except Unreadable as trouble:
        return doubt(detail=f"the new draft is unreadable: {trouble}")
    if clean(project.name) != clean(str(body.get("name", ""))):
        return doubt(detail="the answer shows another project than the one asked for")
    asked = str(body.get("reference", ""))
    if (project.reference or "") == asked or project.is_sent:
        return Done(http_status=status, project=project)
    said = one_line(project.reference or "", limit=60)
    made = f"a draft with the reference {said}" if said else "a draft without reference"
    wanted = one_line(asked, limit=60)
    told = f"The service made {made} where {wanted} was asked for"
    return doubt(detail=with_projects(told, [project]), candidate=project)


def classify_invites(
    exchange: Exchange, *, emails: Sequence[str]
) -> tuple[Verdict, ...]:
    """Judge a bulk invitation: one verdict for each address, in their order.

    Answers are matched by folded address; a person without an answer is in doubt.
    """
    whole = classify(Step.INVITE, exchange)
    if isinstance(whole, NotDone) and whole.reason is Reason.REJECTED and emails[1:]:
        whole = replace(whole, reason=Reason.CHUNK_REFUSED)
    if not isinstance(whole, Done) or not isinstance(exchange, Answer):
        return (whole,) * len(emails)
    envelope = exchange.envelope()
    try:
        answers = parse_invites(
            None if envelope is None else envelope["response_object"]
        )
    except Unreadable as trouble:
        unreadable = Unknown(
            detail=f"the answer is unreadable: {trouble}",
            http_status=exchange.http_status,
        )
        return (unreadable,) * len(emails)
    by_email = {answer.email.casefold(): answer for answer in answers}
    return tuple(
        _judge_invite(by_email.get(email.casefold()), exchange.http_status)
        for email in emails
    )


def _judge_invite(answer: InviteAnswer | None, http_status: int) -> Verdict:
    if answer is None:
        return Unknown(
            detail="the answer does not name this person", http_status=http_status
        )
    if answer.status == BulkInviteStatus.FAILED:
        return NotDone(
            reason=Reason.REJECTED,
            detail=answer.message or "the service could not invite this person",
            http_status=http_status,
        )
    return Done(http_status=http_status, invitation=answer)
