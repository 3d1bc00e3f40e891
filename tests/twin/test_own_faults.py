"""What a caller sees of a fault at our own end: the twin is broken on purpose."""

import logging
import sqlite3


def test_a_fault_gets_500_in_the_envelope_without_its_words(running, asker, caplog):
    running._assembly.database.submit(
        lambda db: db.execute("DROP VIEW project_shown")
    ).result()
    with caplog.at_level(logging.CRITICAL, logger="kawe_twin"):
        answer = asker.get("/projects")
    assert answer.status_code == 500
    for word in ("Traceback", "sqlite3", "project_shown", "OperationalError"):
        assert word not in answer.text


def test_a_rule_that_fails_half_way_changes_nothing(running, asker, ask_live):
    made = asker.create()
    database = running._assembly.database
    database.submit(lambda db: db.execute("DROP TABLE paper")).result()
    logging.getLogger("kawe_twin").setLevel(logging.CRITICAL)
    answer = asker.send(made["id"])
    logging.getLogger("kawe_twin").setLevel(logging.NOTSET)
    # The server closes the connection on which it failed, a moment later.
    asker = ask_live(running)

    def left(db: sqlite3.Connection):
        spent = db.execute("SELECT count(*) FROM token_entry WHERE change < 0")
        return spent.fetchone()[0], db.in_transaction

    assert answer.status_code == 500
    assert database.submit(left).result()[0] == 0
    assert asker.object("GET", f"/projects/{made['id']}")["status"] == "DRAFT"
    assert asker.balance() == 20
