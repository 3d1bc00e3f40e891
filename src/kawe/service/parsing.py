"""Answers of the service as domain values.

Unknown fields are ignored; a missing or malformed field that kawe needs makes the
answer unreadable.
"""

import math
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final, TypeVar
from uuid import UUID

from kawe.domain.service.service_words import (
    Account,
    DocumentId,
    InviteAnswer,
    IwiAnswer,
    IwiChoice,
    Organisation,
    OrganisationId,
    Page,
    Person,
    Project,
    ProjectId,
    Receipt,
    TeamInvitation,
    TeamRoll,
    full_name,
)
from kawe.domain.text.new_zealand import read_instant
from kawe.domain.text.next_steps import Next, without_marks
from kawe.domain.text.texts import fold_name, one_line
from kawe.errors import SettingsError
from kawe_contract.enums import ActiveStatus
from kawe_contract.limits import PAGE_MAX
from kawe_places.values import Place

T = TypeVar("T")
_LARGEST: Final = 2.0**53
# kawe accepts a page that is a little too large.
_PAGE_MOST: Final = 2 * PAGE_MAX


class Unreadable(Exception):
    """The answer breaks the interface; the message says which part."""


def parse_project(value: object) -> Project:
    """Read a project: id, name and creation time are needed."""
    data = _object(value, "project")
    # The service joins the names of several with commas.
    parts = (_optional_text(data, "iwi_name") or "").split(",")
    return Project(
        id=ProjectId(_uuid(data, "id")),
        name=_text(data, "name"),
        reference=_optional_text(data, "reference"),
        status=_optional_text(data, "status"),
        description=_optional_text(data, "description") or "",
        type=_optional_text(data, "type") or "",
        phase=_optional_text(data, "phase"),
        created_at=_instant(data, "created_on"),
        updated_at=_instant_if_any(data, "updated_on"),
        start_at=_optional_instant(data, "start_date"),
        end_at=_optional_instant(data, "end_date"),
        respond_by_at=_optional_instant(data, "respond_by_date"),
        place=_place(data),
        address=_optional_text(data, "address") or "",
        organisation_id=_organisation_id(data),
        iwi=tuple(filter(None, (one_line(part) for part in parts))),
        is_of_iwi=data.get("is_iwi_created") is True,
    )


def parse_account(value: object, *, team_name: str | None = None) -> Account:
    """Read the account of a key: its team or its iwi.

    The person of a key may be in several teams; then `team_name` decides.

    Raises:
        Unreadable: The answer names neither.
        SettingsError: There are several teams, or none of that name.
    """
    data = _object(value, "user")
    if teams := _objects(data, "teams") if data.get("teams") else []:
        team = _the_team(teams, name=team_name)
        account = team.get("account")
        sandbox = account.get("sandbox") if isinstance(account, dict) else None
        return Account(
            team_id=_uuid(team, "id"),
            team_name=one_line(_text(team, "name")),
            balance=math.floor(_number(team, "current_credit_balance")),
            sandbox=sandbox if isinstance(sandbox, bool) else None,
            person=_person(data),
        )
    iwi = _object((_list(data, "iwi") or [None])[0], "team or iwi")
    return Account(
        team_id=_uuid(iwi, "id"),
        team_name=one_line(_text(iwi, "name")),
        balance=0,
        sandbox=None,
        is_iwi=True,
        person=_person(data),
    )


def _person(data: Mapping[str, Any]) -> Person | None:
    """Read who is behind a key; None: the service does not say."""
    try:
        user_id = _uuid(data, "id")
    except Unreadable:
        return None
    email = data.get("email")
    return Person(
        id=user_id,
        name=one_line(_writable(full_name(data)), limit=100),
        email=one_line(_writable(email if isinstance(email, str) else ""), limit=200),
    )


def _name(data: Mapping[str, Any]) -> str:
    name = data.get("name")
    return _writable(name) if isinstance(name, str) else ""


def _the_team(teams: list[Mapping[str, Any]], *, name: str | None) -> Mapping[str, Any]:
    wanted = [
        each
        for each in teams
        if name is None or fold_name(_text(each, "name")) == fold_name(name)
    ]
    if len(wanted) == 1:
        return wanted[0]
    names = "; ".join(one_line(_text(each, "name")) for each in teams)
    raise SettingsError(
        message="It is not clear which team the key belongs to: the person behind it "
        f"is in {names}."
        if name is None
        else f"The person behind the key is not in a team called {one_line(name)}, but "
        f"in {names}.",
        hint=str(Next.GIVE_TEAM),
    )


def parse_iwi_answer(value: object) -> IwiAnswer:
    """Read which iwi a place belongs to."""
    data = _object(value, "iwi answer")
    choices = tuple(
        IwiChoice(slug=_text(each, "slug"), name=one_line(_text(each, "name")))
        for each in _objects(data, "iwi")
    )
    return IwiAnswer(choices=choices, can_select=data.get("can_select_iwi") is True)


def parse_invites(value: object) -> tuple[InviteAnswer, ...]:
    """Read what a bulk invitation did for each person."""
    return tuple(
        InviteAnswer(
            email=_text(each, "email"),
            status=_text(each, "status"),
            message=(said := _optional_text(each, "message")) and one_line(said),
            invitation_id=_optional_text(each, "invitation_id"),
        )
        for each in _objects(_object(value, "invitations"), "results")
    )


def parse_team(value: object) -> TeamRoll:
    """Read members and invitations of a team."""
    data = _object(value, "team")
    members = _objects(data, "users")
    return TeamRoll(
        members={
            _text(each, "email").casefold(): _optional_text(each, "role") or ""
            for each in members
        },
        member_names=frozenset(
            fold_name(_writable(full_name(each))) for each in members
        ),
        invitations=tuple(
            TeamInvitation(
                id=_text(each, "id"),
                email=_text(each, "email").casefold(),
                status=_text(each, "status"),
                name=one_line(_name(each), limit=100),
                role=_optional_text(each, "role") or "",
                made_at=_instant_if_any(each, "created_on"),
                expires_at=_instant_if_any(each, "expired_on"),
            )
            for each in _objects(data, "invitations")
        ),
    )


def parse_organisation(value: object) -> Organisation:
    """Read an organisation."""
    data = _object(value, "organisation")
    return Organisation(
        id=OrganisationId(_uuid(data, "id")), name=_optional_text(data, "name") or ""
    )


def parse_receipt(value: object) -> Receipt:
    """Read a receipt."""
    data = _object(value, "receipt")
    return Receipt(
        id=_uuid(data, "id"),
        document_id=DocumentId(_uuid(data, "document_id")),
        project_name=_text(data, "project_name"),
        receipt_number=_text(data, "receipt_number"),
        submission_number=_text(data, "submission_number"),
        created_at=_instant(data, "created_on"),
    )


def parse_page(value: object, item: Callable[[object], T]) -> Page[T]:
    """Read one page of a list, unless it is far too large."""
    data = _object(value, "page")
    items = _list(data, "data")
    if len(items) > _PAGE_MOST:
        raise Unreadable("a page has too many entries")
    return Page(
        items=tuple(item(each) for each in items),
        total=int(_number(data, "total")),
        page=int(_number(data, "page")),
        tab_counts=_tab_counts(data.get("tab_counts")),
    )


def parse_listed(value: object, *, page: int) -> Page[Mapping[str, object]]:
    """Read one page of objects, whether or not the service parts the list in pages.

    Some of these paths are assumed, and so is their form. A single object is a list
    of one.
    """
    if isinstance(value, dict) and "data" in value:
        return parse_page(value, parse_object)
    items = value if isinstance(value, list) else [value]
    begin = (page - 1) * PAGE_MAX
    some = items[begin : begin + PAGE_MAX]
    return Page(items=tuple(map(parse_object, some)), total=len(items), page=page)


def _tab_counts(value: object) -> Mapping[str, int]:
    if not isinstance(value, dict):
        return {}
    return {name: int(_number(value, name)) for name in ActiveStatus if name in value}


def parse_object(value: object) -> Mapping[str, object]:
    return _object(value, "object")


def text_of(value: object, name: str) -> str:
    return _text(_object(value, name), name)


def _object(value: object, what: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise Unreadable(f"no {what}")
    return value


def _list(data: Mapping[str, Any], name: str) -> list[Any]:
    value = data.get(name)
    if not isinstance(value, list):
        raise Unreadable(f"{name} is no list")
    return value


def _objects(data: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    return [_object(each, f"entry of {name}") for each in _list(data, name)]


def _text(data: Mapping[str, Any], name: str) -> str:
    value = data.get(name)
    if not isinstance(value, str):
        raise Unreadable(f"{name} is missing")
    return value if value.isascii() else without_marks(_writable(value))


def _writable(text: str) -> str:
    # JSON can hold half a surrogate pair, which UTF-8 cannot.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _optional_text(data: Mapping[str, Any], name: str) -> str | None:
    return None if data.get(name) is None else _text(data, name)


def _uuid(data: Mapping[str, Any], name: str) -> str:
    try:
        return str(UUID(_text(data, name)))
    except ValueError as trouble:
        raise Unreadable(f"{name} is no identifier") from trouble


def _number(data: Mapping[str, Any], name: str) -> float:
    value = data.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Unreadable(f"{name} is no number")
    # Also false for NaN.
    if not -_LARGEST <= value <= _LARGEST:
        raise Unreadable(f"{name} is no number")
    return value


def _instant(data: Mapping[str, Any], name: str) -> datetime:
    try:
        return read_instant(_text(data, name))
    except (ValueError, OverflowError) as trouble:
        raise Unreadable(f"{name} is no date") from trouble


def _optional_instant(data: Mapping[str, Any], name: str) -> datetime | None:
    if data.get(name) is None:
        return None
    try:
        return read_instant(_text(data, name))
    except OverflowError:
        # Somebody may write the last possible day for "never".
        return None
    except ValueError as trouble:
        raise Unreadable(f"{name} is no date") from trouble


def _instant_if_any(data: Mapping[str, Any], name: str) -> datetime | None:
    """Read an instant that no send needs; None where it cannot be read."""
    try:
        return _optional_instant(data, name)
    except Unreadable:
        return None


def _organisation_id(data: Mapping[str, Any]) -> OrganisationId | None:
    if data.get("organisation_id") is None:
        return None
    return OrganisationId(_uuid(data, "organisation_id"))


def _place(data: Mapping[str, Any]) -> Place | None:
    if data.get("latitude") is None or data.get("longitude") is None:
        return None
    return Place(
        latitude=_number(data, "latitude"), longitude=_number(data, "longitude")
    )
