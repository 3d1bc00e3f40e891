"""Counts for tests, from the data that acts wrote, not from answers."""

from sqlite3 import Connection


def state_of(db: Connection) -> dict[str, object]:
    """Count accounts, keys, projects with their sends, invitations, documents."""
    projects = [dict(row) for row in db.execute(_PROJECTS)]
    by_reference: dict[str, list[str]] = {}
    for project in projects:
        if (reference := project["reference"]) is not None:
            by_reference.setdefault(reference, []).append(project["id"])
    others = {
        name: [dict(row) for row in db.execute(statement)]
        for name, statement in _OTHERS.items()
    }
    return {**others, "projects": projects, "projects_by_reference": by_reference}


def sends_by_project(db: Connection) -> list[int]:
    return [row["sends"] for row in db.execute(_PROJECTS)]


_PROJECTS = """
SELECT
    project.id, project.account_id, project.name, project.reference,
    project.status, project.created_on, project.sent_on,
    (SELECT count(*) FROM activity
     WHERE activity.project_id = project.id AND action = 'SENT') AS sends,
    (SELECT count(*) FROM token_entry
     WHERE token_entry.project_id = project.id AND reason = 'SENT') AS tokens_spent,
    (SELECT count(*) FROM receipt
     WHERE receipt.project_id = project.id) AS receipts,
    (SELECT count(*) FROM party
     WHERE party.project_number = project.number
     AND side = 'RECIPIENT') AS recipients
FROM project ORDER BY number
"""
_OTHERS = {
    "accounts": "SELECT id, kind, name, slug, sandbox, balance FROM account"
    " WHERE sandbox_of IS NULL ORDER BY name",
    "keys": "SELECT id, account_id, prefix, scopes, created_on, revoked_on"
    " FROM api_key",
    "invitations": "SELECT id, account_id, name, email, role, status, created_on"
    " FROM invitation ORDER BY number",
    "documents": "SELECT id, account_id, name, state, size_bytes, project_id"
    " FROM document ORDER BY number",
    "team_log": "SELECT account_id, person_id, action, property, before, after,"
    " created_on FROM activity WHERE resource = 'TEAM' ORDER BY number",
    "organisations": "SELECT id, account_id, name, created_on, deleted_on"
    " FROM organisation ORDER BY number",
}
