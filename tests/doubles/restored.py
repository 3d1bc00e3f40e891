"""A twin that came back from a backup: what was sent is a draft again, or is gone."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from urllib.parse import urlsplit

from doubles.command import Person
from kawe_twin.serving import RunningTwin, TwinOptions, start_twin


def restored(
    person: Person,
    options: TwinOptions,
    *,
    drafts: Iterable[str] = (),
    gone: Iterable[str] = (),
) -> RunningTwin:
    """Stop a person's twin and start it again at its address without these sends.

    Rows are named by reference. Of a project that is gone, nobody sees anything.
    """
    old = person.twin
    person.key = person.key or old.address.live_key
    old.stop()
    with closing(sqlite3.connect(options.folder / "twin.sqlite3")) as database:
        for reference in drafts:
            _ = database.execute(
                "UPDATE project SET status = 'DRAFT', sent_on = NULL "
                "WHERE reference = ?",
                [reference],
            )
        numbers = "SELECT number FROM project WHERE reference = ?"
        ids = "SELECT id FROM project WHERE reference = ?"
        for reference in gone:
            _ = database.execute(
                "UPDATE party_count SET n = n - ("
                f" SELECT count(*) FROM party WHERE project_number IN ({numbers})"
                " AND party.account_id = party_count.account_id"
                " AND party.status = party_count.status"
                " AND party.type = party_count.type"
                " AND party.priority = party_count.priority"
                " AND party.sender_id = party_count.sender_id)",
                [reference],
            )
            _ = database.execute(
                f"DELETE FROM party WHERE project_number IN ({numbers})", [reference]
            )
        for reference in (*drafts, *gone):
            _ = database.execute(
                f"DELETE FROM receipt WHERE project_id IN ({ids})", [reference]
            )
        database.commit()
    port = urlsplit(old.address.api_url).port or 0
    person.twin = start_twin(
        TwinOptions(folder=options.folder, port=port, rate_limit=options.rate_limit)
    )
    return person.twin
