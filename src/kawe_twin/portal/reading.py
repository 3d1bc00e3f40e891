"""Queries of pages without a rule: lists across accounts, and names."""

import json
from sqlite3 import Connection, Row

from kawe_twin.rules.tokens import invoice_shown
from kawe_twin.store.database import first, found
from kawe_twin.world.answers import not_found


def teams(db: Connection) -> list[Row]:
    return db.execute(
        "SELECT * FROM account WHERE kind = 'TEAM' ORDER BY sandbox, rowid"
    ).fetchall()


def iwi(db: Connection) -> list[Row]:
    return db.execute(
        "SELECT account.*,"
        " (SELECT count(*) FROM party WHERE party.account_id = account.id"
        "  AND status = 'NEW') AS new_count,"
        " (SELECT count(*) FROM party WHERE party.account_id = account.id"
        "  AND status IN ('AWAITING_RESPONSE', 'IN_PROGRESS', 'UPDATED'))"
        "  AS open_count"
        " FROM account WHERE kind = 'IWI' ORDER BY rowid"
    ).fetchall()


def keys(db: Connection, *, account_id: str) -> list[Row]:
    """List the keys of an account: the good ones first, then the newest."""
    return db.execute(
        "SELECT id, prefix, scopes, created_on, revoked_on FROM api_key"
        " WHERE account_id = ? ORDER BY revoked_on IS NOT NULL, rowid DESC",
        (account_id,),
    ).fetchall()


def newest_invoice_id(db: Connection, *, account_id: str) -> str:
    """Give the newest invoice."""
    row = found(
        db,
        "SELECT id FROM invoice WHERE account_id = ? ORDER BY number DESC LIMIT 1",
        (account_id,),
    )
    return str(row["id"])


def invoice(db: Connection, *, account_id: str, invoice_id: str) -> dict[str, object]:
    """Find one invoice of an account; 404 when there is none."""
    row = found(
        db,
        "SELECT * FROM invoice WHERE account_id = ? AND id = ?",
        (account_id, invoice_id),
    )
    return invoice_shown(row)


def is_invited(db: Connection, *, account_id: str, invitation_id: str) -> bool:
    """Check that an invitation belongs to an account."""
    invitation = "SELECT 1 FROM invitation WHERE id = ? AND account_id = ?"
    return first(db, invitation, (invitation_id, account_id)) is not None


def senders(db: Connection, *, project_ids: list[str]) -> dict[str, str]:
    """Give the name of the account that made each of these projects."""
    names = db.execute(
        "SELECT project.id, account.name FROM project"
        " JOIN account ON account.id = project.account_id"
        " WHERE project.id IN (SELECT value FROM json_each(?))",
        (json.dumps(project_ids),),
    )
    return dict(names.fetchall())


def parties(db: Connection, *, project_id: str) -> list[Row]:
    """List who sees a project, its sender first; 404 when there is none."""
    rows = db.execute(
        "SELECT account.id, account.name, account.kind, account.sandbox,"
        " account.balance, party.side, project.free_reply FROM party"
        " JOIN project ON project.number = party.project_number"
        " JOIN account ON account.id = party.account_id"
        " WHERE project.id = ? ORDER BY side = 'RECIPIENT', account.rowid",
        (project_id,),
    ).fetchall()
    if not rows:
        raise not_found()
    return rows


def thread_authors(db: Connection, *, project_id: str) -> dict[str, str]:
    """Give the name of the account behind each entry of a thread."""
    names = db.execute(
        "SELECT engagement.id, account.name FROM engagement"
        " JOIN account ON account.id = engagement.account_id"
        " WHERE engagement.project_id = ?",
        (project_id,),
    )
    return dict(names.fetchall())


def project_files(db: Connection, *, project_id: str) -> list[Row]:
    return db.execute(
        "SELECT id, name, size_bytes FROM document WHERE project_id = ?"
        " AND engagement_id IS NULL AND state = 'READY' ORDER BY number",
        (project_id,),
    ).fetchall()


def draft_place(db: Connection, *, project_id: str) -> Row:
    return found(
        db,
        "SELECT latitude, longitude, iwi_wanted FROM project WHERE id = ?",
        (project_id,),
    )
