"""Folders of earlier versions are brought up to date, later ones refused."""

import sqlite3

import pytest

from kawe_twin.store.database import Database, StoreUnusable, _migrations

REPLACED = """
CREATE INDEX party_status ON party (account_id, status, project_number);
CREATE TRIGGER project_status AFTER UPDATE OF status ON project BEGIN
    UPDATE party SET status = new.status WHERE project_number = new.number;
END;
CREATE VIEW project_shown AS SELECT project.* FROM project;
"""
"""What the first version made, and a later one makes otherwise."""


def first_version(path):
    db = sqlite3.connect(path)
    db.executescript(_migrations()[0] + REPLACED)
    db.execute("PRAGMA user_version = 1")
    return db


def fill(db):
    db.execute(
        "INSERT INTO account (id, kind, name, created_on) VALUES ('a', 'TEAM', 'A', '')"
    )
    for number, status in enumerate(("DRAFT", "NEW", "NEW"), start=1):
        db.execute(
            "INSERT INTO project (number, id, account_id, name, description, type,"
            " status, priority, address, start_date, end_date, respond_by_date,"
            " search_text, created_on, updated_on) VALUES"
            " (?, ?, 'a', '', '', 'OTHER', ?, 'LOW', '', '', '', '', '', '', '')",
            (number, f"p{number}", status),
        )
        db.execute(
            "INSERT INTO party (account_id, project_number, side, status)"
            " VALUES ('a', ?, 'SENDER', ?)",
            (number, status),
        )
    db.commit()
    db.close()


def counts(db):
    return {
        (row["status"], row["type"], row["sender_id"]): row["n"]
        for row in db.execute("SELECT * FROM party_count WHERE n > 0")
    }


def test_a_folder_of_the_first_version_keeps_its_projects(tmp_path):
    path = tmp_path / "twin.sqlite3"
    fill(first_version(path))
    database = Database(path)
    before = database.submit(counts).result()
    database.submit(
        lambda db: db.execute("UPDATE project SET status = 'CLOSED' WHERE id = 'p2'")
    ).result()
    after = database.submit(counts).result()
    database.close()
    assert before == {("DRAFT", "OTHER", "a"): 1, ("NEW", "OTHER", "a"): 2}
    assert after == {
        ("DRAFT", "OTHER", "a"): 1,
        ("NEW", "OTHER", "a"): 1,
        ("CLOSED", "OTHER", "a"): 1,
    }


def test_a_step_that_fails_leaves_the_folder_as_it_was(tmp_path):
    path = tmp_path / "twin.sqlite3"
    db = first_version(path)
    db.execute("CREATE TABLE party_count (x)")
    db.commit()
    db.close()
    with pytest.raises(StoreUnusable):
        Database(path)
    db = sqlite3.connect(path)
    version = db.execute("PRAGMA user_version").fetchone()[0]
    tables = {row[0] for row in db.execute("SELECT name FROM sqlite_master")}
    db.close()
    assert version == 1
    assert "assignment_group" not in tables


@pytest.mark.parametrize("version", [99, -1])
def test_a_version_that_this_kawe_does_not_know_is_refused(tmp_path, version):
    path = tmp_path / "twin.sqlite3"
    db = first_version(path)
    db.execute(f"PRAGMA user_version = {version}")
    db.close()
    with pytest.raises(StoreUnusable, match="a newer kawe made this folder"):
        Database(path)
