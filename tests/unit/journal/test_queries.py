"""Every statement has a name that the code uses, and every name a statement."""

import re
import sqlite3
from importlib.resources import files

from kawe.journal.store.opening import migrations, statements

SOURCES = [
    each.read_text("utf-8")
    for folder in (files("kawe.journal"), files("kawe.journal.store"))
    for each in folder.iterdir()
    if each.name.endswith(".py")
]


def _schema():
    db = sqlite3.connect(":memory:")
    db.executescript("".join(migrations()))
    return db


def test_no_statement_is_unused():
    code = "".join(SOURCES)
    assert [name for name in statements() if f'"{name}"' not in code] == []


def test_every_statement_fits_the_schema():
    db = _schema()
    for text in statements().values():
        db.execute(f"EXPLAIN {text}", (None,) * text.count("?"))
    db.close()


def test_no_statement_is_put_together_at_run_time():
    # Values go in as parameters only; the two numbers in pragmas are ours, and so are
    # the names of tables, which a journal that moves has in `copies.TABLES`.
    joined = [
        line
        for source in SOURCES
        for line in source.splitlines()
        if re.search(r"execute(many)?\(\s*f", line)
    ]
    table = f'{" " * 12}found = self._db.execute(f"SELECT * FROM {{name}}")'
    table += "  # noqa: S608 - ours"
    assert joined.count(table) == 2
    assert [line for line in joined if line != table] == [
        '    db.execute(f"PRAGMA application_id = {APPLICATION_ID:d}")',
        '    db.execute(f"PRAGMA user_version = {since + len(scripts):d}")',
    ]


# Asked once in a purge or a verification, which look at every row anyway, and
# once of a workbook with new rows: any row with a project may look like one.
ABOUT_ALL = {
    "finished_before",
    "holds",
    "rows_named",
    "forgotten_batches",
    "purges",
    "made",
    "approval_links",
}


def test_every_question_by_key_is_answered_from_an_index():
    db = _schema()
    scans = {}
    for name, text in statements().items():
        if not text.startswith("SELECT") or "WHERE" not in text or name in ABOUT_ALL:
            continue
        plan = db.execute(f"EXPLAIN QUERY PLAN {text}", (None,) * text.count("?"))
        found = [step[3] for step in plan if re.match(r"SCAN (?!json_each)", step[3])]
        if found:
            scans[name] = found
    db.close()
    assert scans == {}
