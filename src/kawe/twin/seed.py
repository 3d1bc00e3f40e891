"""Who lives in a new twin.

One council with its sandbox, a second organisation that must see none of it,
and the made-up iwi. Every name is an example and every address ends in
`.example`, which reaches nobody (RFC 2606).
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from sqlite3 import Connection
from typing import Final

from kawe.contract.enums import UserRole
from kawe.twin.iwi_areas import IWI

LIVE_TEAM: Final = "Kaunihera o Tauira (twin)"
SANDBOX_TEAM: Final = "Kaunihera o Tauira (twin, sandbox)"
OTHER_TEAM: Final = "Te Rōpū Tauira Tuarua (twin)"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Person:
    first_name: str
    email: str
    role: UserRole


_OWNER: Final = _Person(
    first_name="Aroha", email="aroha@tauira.example", role=UserRole.OWNER
)
_MEMBERS: Final = (
    _OWNER,
    _Person(first_name="Wiremu", email="wiremu@tauira.example", role=UserRole.MEMBER),
    _Person(first_name="Mārama", email="marama@tauira.example", role=UserRole.MEMBER),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Team:
    name: str
    sandbox: bool = False
    balance: int = 0
    local_authority: str | None = None


def seed(db: Connection, *, tokens: int, now: str) -> None:
    """Fill a new twin; the live team starts with `tokens`."""
    council = "Tauira District"
    people = [_add_person(db, person, now=now) for person in _MEMBERS]
    live = _Team(name=LIVE_TEAM, balance=tokens, local_authority=council)
    sandbox = _Team(name=SANDBOX_TEAM, sandbox=True, local_authority=council)
    for team in (live, sandbox):
        account_id = _add_team(db, team, now=now)
        for person, person_id in zip(_MEMBERS, people, strict=True):
            _join(db, account_id, person_id=person_id, role=person.role, now=now)
    _add_other_team(db, now=now)
    for iwi in IWI:
        _add_iwi(db, iwi.slug, name=iwi.name, colour=iwi.colour, now=now)


def _add_other_team(db: Connection, *, now: str) -> None:
    owner = _Person(first_name="Hana", email="hana@tuarua.example", role=UserRole.OWNER)
    account_id = _add_team(db, _Team(name=OTHER_TEAM), now=now)
    person_id = _add_person(db, owner, now=now)
    _join(db, account_id, person_id=person_id, role=owner.role, now=now)


def _add_team(db: Connection, team: _Team, *, now: str) -> str:
    account_id = str(uuid.uuid4())
    db.execute(
        "INSERT INTO account (id, kind, name, sandbox, region, local_authority,"
        " organisation_type, national, balance, created_on)"
        " VALUES (?, 'TEAM', ?, ?, 'Tauira', ?, 'Local authority', 0, ?, ?)",
        (
            account_id,
            team.name,
            team.sandbox,
            team.local_authority,
            team.balance,
            now,
        ),
    )
    if team.balance:
        db.execute(
            "INSERT INTO token_entry (account_id, change, reason, created_on)"
            " VALUES (?, ?, 'START', ?)",
            (account_id, team.balance, now),
        )
    return account_id


def _add_iwi(db: Connection, slug: str, *, name: str, colour: str, now: str) -> None:
    account_id = str(uuid.uuid4())
    db.execute(
        "INSERT INTO account (id, kind, name, slug, primary_colour, created_on)"
        " VALUES (?, 'IWI', ?, ?, ?, ?)",
        (account_id, name, slug, colour, now),
    )
    keeper = _Person(
        first_name="Kaitiaki", email=f"{slug}@iwi.example", role=UserRole.OWNER
    )
    person_id = _add_person(db, keeper, now=now)
    _join(db, account_id, person_id=person_id, role=keeper.role, now=now)


def _add_person(db: Connection, person: _Person, *, now: str) -> str:
    person_id = str(uuid.uuid4())
    db.execute(
        "INSERT INTO person (id, first_name, last_name, email, email_folded,"
        " created_on) VALUES (?, ?, 'Tauira', ?, ?, ?)",
        (person_id, person.first_name, person.email, person.email.casefold(), now),
    )
    return person_id


def _join(
    db: Connection, account_id: str, *, person_id: str, role: UserRole, now: str
) -> None:
    db.execute(
        "INSERT INTO membership (account_id, person_id, role, created_on)"
        " VALUES (?, ?, ?, ?)",
        (account_id, person_id, role, now),
    )
