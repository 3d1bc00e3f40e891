"""Accounts, their people and their keys."""

import uuid
from collections.abc import Iterable
from sqlite3 import Connection, Row
from typing import cast

from kawe_contract.enums import Scope
from kawe_contract.headers import SANDBOX_MARK
from kawe_twin.store.database import create, first, found, insert
from kawe_twin.world.answers import Refusal
from kawe_twin.world.keys import AccountKind, Caller, KeyRing, NewKey, new_key


def find_account(db: Connection, account_id: str) -> Row:
    """Find a team or iwi; 404 when there is none."""
    if (row := first(db, "SELECT * FROM account WHERE id = ?", (account_id,))) is None:
        raise Refusal(404, "There is no such account.")
    return row


def find_membership(
    db: Connection, *, account_id: str, person_id: str | None
) -> Row | None:
    """Find a person's place in a team, when they are in it now."""
    return first(
        db,
        "SELECT * FROM membership WHERE account_id = ? AND person_id = ?",
        (account_id, person_id),
    )


def create_person(db: Connection, email: str, *, now: str, **names: str) -> str:
    """Write a person with the names `first_name` and `last_name`; give the id."""
    said = {**names, "email": email, "email_folded": email.casefold()}
    return create(db, "person", **said, created_on=now)


def join(
    db: Connection, account_id: str, person_id: str, *, role: str, now: str, **of: str
) -> None:
    """Let a person into a team or an iwi; `of` are details of the person there."""
    said = {"account_id": account_id, "person_id": person_id, "role": role, **of}
    insert(db, "membership", **said, created_on=now)


def note_tokens(db: Connection, account_id: str, change: int, **why: str) -> None:
    """Write down what a balance changed by; `why` has the reason, and when."""
    said = {"account_id": account_id, "change": change, **why}
    insert(db, "token_entry", **said)


def full_name(db: Connection, person_id: str | None) -> str | None:
    """Give a person's first and last name."""
    row = first(
        db, "SELECT first_name, last_name FROM person WHERE id = ?", (person_id,)
    )
    return None if row is None else f"{row['first_name']} {row['last_name']}".strip()


def _sandbox_of(db: Connection, account: Row, *, now: str) -> Row:
    """Find where the sandbox projects of a team lie; make that place at first use."""
    if account["sandbox"]:
        return account
    db.execute(
        "INSERT INTO account (id, kind, name, sandbox, sandbox_of, region,"
        " local_authority, organisation_type, national, created_on)"
        " SELECT ?, kind, name, 1, id, region, local_authority, organisation_type,"
        " national, ? FROM account WHERE id = ? ON CONFLICT DO NOTHING",
        (str(uuid.uuid4()), now, account["id"]),
    )
    return found(db, "SELECT * FROM account WHERE sandbox_of = ?", (account["id"],))


def _caller(
    db: Connection,
    account: Row,
    *,
    key_id: str,
    scopes: Iterable[Scope],
    owner: str | None = None,
) -> Caller:
    """Give the account as a caller, in the name of an owner of its team.

    That is the one with the address `owner`, or else the first.
    """
    team_id = account["sandbox_of"] or account["id"]
    found_owner = first(
        db,
        "SELECT person_id FROM membership JOIN person ON person.id = person_id"
        " WHERE account_id = ? AND role = 'OWNER'"
        " AND email_folded = coalesce(?, email_folded)"
        " ORDER BY membership.created_on, person_id LIMIT 1",
        (team_id, None if owner is None else owner.casefold()),
    )
    return Caller(
        key_id=key_id,
        account_id=account["id"],
        team_id=team_id,
        person_id=None if found_owner is None else str(found_owner["person_id"]),
        kind=cast("AccountKind", account["kind"]),
        sandbox=bool(account["sandbox"]),
        scopes=frozenset(scopes),
    )


def caller_of(db: Connection, *, account_id: str) -> Caller:
    """Give an account's first owner as a caller without a key; 404 for none."""
    return _caller(db, find_account(db, account_id), key_id="", scopes=Scope)


def issue_key(
    db: Connection,
    *,
    account_id: str,
    scopes: Iterable[Scope],
    now: str,
    sandbox: bool = False,
    owner: str | None = None,
) -> tuple[NewKey, Caller]:
    """Make a key of an account and store its hash; the ring does not know it yet.

    `owner` is the address of the owner who makes it; None: the first owner does.
    """
    account = find_account(db, account_id)
    if account["sandbox_of"] is not None:
        account = find_account(db, account["sandbox_of"])
        sandbox = True
    if sandbox and account["kind"] != "TEAM":
        raise Refusal(400, "Only a team has sandbox keys.")
    sandbox = sandbox or bool(account["sandbox"])
    key = new_key(sandbox=sandbox)
    side = _sandbox_of(db, account, now=now) if sandbox else account
    caller = _caller(db, side, key_id=str(uuid.uuid4()), scopes=scopes, owner=owner)
    if owner is not None and caller.person_id is None:
        raise Refusal(400, "Only an owner of the account makes keys.")
    insert(
        db,
        "api_key",
        id=caller.key_id,
        account_id=caller.team_id,
        person_id=caller.person_id,
        prefix=key.prefix,
        hash=key.hash,
        scopes=" ".join(sorted(caller.scopes)),
        created_on=now,
    )
    return key, caller


def load_keys(db: Connection) -> KeyRing:
    """Read every key that is good."""
    ring = KeyRing()
    rows = db.execute(
        "SELECT api_key.*, account.kind,"
        " coalesce(side.id, account.id) AS side_id,"
        " coalesce(side.sandbox, account.sandbox) AS sandbox FROM api_key"
        " JOIN account ON account.id = api_key.account_id"
        " LEFT JOIN account AS side ON side.sandbox_of = account.id"
        " AND instr(api_key.prefix, ?)"
        " WHERE api_key.revoked_on IS NULL",
        (SANDBOX_MARK,),
    )
    for row in rows:
        caller = Caller(
            key_id=row["id"],
            account_id=row["side_id"],
            team_id=row["account_id"],
            person_id=row["person_id"],
            kind=row["kind"],
            sandbox=bool(row["sandbox"]),
            scopes=frozenset(Scope(scope) for scope in row["scopes"].split()),
        )
        ring.add(caller, key_hash=row["hash"])
    return ring


def revoke_keys(db: Connection, name: str, *, now: str) -> frozenset[str]:
    """Revoke the keys with this id or prefix; give their ids."""
    rows = db.execute(
        "UPDATE api_key SET revoked_on = ? WHERE revoked_on IS NULL"
        " AND (id = ? OR prefix = ?) RETURNING id",
        (now, name, name),
    ).fetchall()
    return frozenset(row["id"] for row in rows)
