"""Accounts, their people and their keys."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from sqlite3 import Connection, Row
from typing import cast

from kawe.contract.enums import Scope
from kawe.twin.envelope import Refusal
from kawe.twin.keys import AccountKind, Caller, KeyRing, NewKey, new_key


def find_account(db: Connection, account_id: str) -> Row | None:
    """Find a team or iwi."""
    row: Row | None = db.execute(
        "SELECT * FROM account WHERE id = ?", (account_id,)
    ).fetchone()
    return row


def first_owner_id(db: Connection, account_id: str) -> str | None:
    """Give the owner in whose name a key is made."""
    row = db.execute(
        "SELECT person_id FROM membership WHERE account_id = ? AND role = 'OWNER'"
        " ORDER BY created_on, person_id LIMIT 1",
        (account_id,),
    ).fetchone()
    return None if row is None else str(row["person_id"])


def keep_key(
    db: Connection, key: NewKey, *, account: Row, scopes: Iterable[Scope], now: str
) -> Caller:
    """Store a new key's hash, and give the caller whom it stands for."""
    caller = Caller(
        key_id=str(uuid.uuid4()),
        account_id=account["id"],
        person_id=first_owner_id(db, account["id"]),
        kind=cast("AccountKind", account["kind"]),
        sandbox=bool(account["sandbox"]),
        scopes=frozenset(scopes),
    )
    db.execute(
        "INSERT INTO api_key (id, account_id, person_id, prefix, hash, scopes,"
        " created_on) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            caller.key_id,
            caller.account_id,
            caller.person_id,
            key.prefix,
            key.hash,
            " ".join(sorted(caller.scopes)),
            now,
        ),
    )
    return caller


def caller_of(db: Connection, *, account_id: str) -> Caller:
    """Give an account's first owner as a caller without a key.

    Raises:
        Refusal: 404, there is no such account.
    """
    account = find_account(db, account_id)
    if account is None:
        raise Refusal(status_code=404, message="There is no such account.")
    return Caller(
        key_id="",
        account_id=account_id,
        person_id=first_owner_id(db, account_id),
        kind=cast("AccountKind", account["kind"]),
        sandbox=bool(account["sandbox"]),
        scopes=frozenset(Scope),
    )


def issue_key(
    db: Connection, *, account_id: str, scopes: Iterable[Scope], now: str
) -> tuple[NewKey, Caller]:
    """Make and store a key of an account; the ring does not know it yet.

    Raises:
        Refusal: 404, there is no such account.
    """
    account = find_account(db, account_id)
    if account is None:
        raise Refusal(status_code=404, message="There is no such account.")
    key = new_key(sandbox=bool(account["sandbox"]))
    return key, keep_key(db, key, account=account, scopes=scopes, now=now)


def load_keys(db: Connection) -> KeyRing:
    """Read every key that is good."""
    ring = KeyRing()
    rows = db.execute(
        "SELECT api_key.*, account.kind, account.sandbox FROM api_key"
        " JOIN account ON account.id = api_key.account_id"
        " WHERE api_key.revoked_on IS NULL"
    )
    for row in rows:
        caller = Caller(
            key_id=row["id"],
            account_id=row["account_id"],
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
