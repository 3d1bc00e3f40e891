"""The accounts of a new twin: a council, its sandbox, another organisation, iwi.

Every name is an example, and every address ends in `.example` (RFC 2606).
"""

from __future__ import annotations

from dataclasses import dataclass
from sqlite3 import Connection
from typing import Final

from kawe.contract.enums import UserRole
from kawe.twin.store.rows import create, insert
from kawe.twin.world.iwi_areas import IWI, Iwi

LIVE_TEAM: Final = "Kaunihera o Tauira (twin)"
SANDBOX_TEAM: Final = "Kaunihera o Tauira (twin, sandbox)"
OTHER_TEAM: Final = "Te Rōpū Tauira Tuarua (twin)"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Person:
    first_name: str
    email: str
    role: UserRole


@dataclass(frozen=True, slots=True, kw_only=True)
class _Team:
    name: str
    sandbox: bool = False
    balance: int = 0
    local_authority: str | None = None


_MEMBERS: Final = (
    _Person(first_name="Aroha", email="aroha@tauira.example", role=UserRole.OWNER),
    _Person(first_name="Wiremu", email="wiremu@tauira.example", role=UserRole.MEMBER),
    _Person(first_name="Mārama", email="marama@tauira.example", role=UserRole.MEMBER),
)
_OTHERS: Final = (
    _Person(first_name="Hana", email="hana@tuarua.example", role=UserRole.OWNER),
)


def seed(db: Connection, *, tokens: int, now: str) -> None:
    """Fill a new twin; the live team starts with `tokens`."""
    council = "Tauira District"
    live = _Team(name=LIVE_TEAM, balance=tokens, local_authority=council)
    sandbox = _Team(name=SANDBOX_TEAM, sandbox=True, local_authority=council)
    teams = ((live, _MEMBERS), (sandbox, _MEMBERS), (_Team(name=OTHER_TEAM), _OTHERS))
    ids = {person: _add_person(db, person, now=now) for person in _MEMBERS + _OTHERS}
    for team, people in teams:
        account_id = _add_team(db, team, now=now)
        for person in people:
            _join(db, account_id, person_id=ids[person], role=person.role, now=now)
    for iwi in IWI:
        _add_iwi(db, iwi, now=now)


def _add_team(db: Connection, team: _Team, *, now: str) -> str:
    account_id = create(
        db,
        "account",
        kind="TEAM",
        name=team.name,
        sandbox=team.sandbox,
        region="Tauira",
        local_authority=team.local_authority,
        organisation_type="Local authority",
        national=False,
        balance=team.balance,
        created_on=now,
    )
    if team.balance:
        insert(
            db,
            "token_entry",
            account_id=account_id,
            change=team.balance,
            reason="START",
            created_on=now,
        )
    return account_id


def _add_iwi(db: Connection, iwi: Iwi, *, now: str) -> None:
    account_id = create(
        db,
        "account",
        kind="IWI",
        name=iwi.name,
        slug=iwi.slug,
        primary_colour=iwi.colour,
        created_on=now,
    )
    email = f"{iwi.slug}@iwi.example"
    keeper = _Person(first_name="Kaitiaki", email=email, role=UserRole.OWNER)
    person_id = _add_person(db, keeper, now=now)
    _join(db, account_id, person_id=person_id, role=keeper.role, now=now)


def _add_person(db: Connection, person: _Person, *, now: str) -> str:
    return create(
        db,
        "person",
        first_name=person.first_name,
        last_name="Tauira",
        email=person.email,
        email_folded=person.email.casefold(),
        created_on=now,
    )


def _join(
    db: Connection, account_id: str, *, person_id: str, role: UserRole, now: str
) -> None:
    insert(
        db,
        "membership",
        account_id=account_id,
        person_id=person_id,
        role=role,
        created_on=now,
    )
