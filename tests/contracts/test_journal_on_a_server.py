"""What is only so of a journal on a PostgreSQL server."""

import subprocess
import sys

import pytest
from psycopg import IntegrityError

from doubles.journal_values import NOW, entry, key
from kawe.domain.service.states import State
from kawe.errors import JournalError, JournalLocked, JournalNewer
from kawe.journal.journal import StoreJournal
from kawe.journal.store.places import is_there, writer_at


def _tables(server_home, statement):
    server = server_home.place
    return f'SET search_path TO "{server.schema}"; {statement}'


def test_a_writer_whose_journal_was_taken_over_writes_nothing_more(
    postgres, server_home
):
    server_home.begin(entry(1))

    async def script(journal):
        # As behind a pooler, where another session can get the lock.
        postgres.ask(_tables(server_home, "UPDATE writer SET number = number + 1"))
        await journal.move(key(1), State.FILES_READY, at=NOW)

    with pytest.raises(JournalError) as refused:
        server_home(script)
    assert refused.value.message == (
        f"Another kawe has taken over the journal {server_home.place}."
    )
    assert server_home.row(1).state is State.VALID


def test_one_writes_and_others_read_meanwhile(server_home):
    async def script(_):
        with pytest.raises(JournalLocked):
            server_home.open()
        reader = StoreJournal.open(server_home.place, read_only=True)
        batches = await reader.batches()
        await reader.close()
        return len(batches), writer_at(server_home.place).partition(" (")[0]

    server_home.begin(entry(1))
    assert (server_home(script), writer_at(server_home.place)) == (
        (1, "another kawe"),
        "",
    )


def test_where_no_journal_is_nothing_is_made_by_reading(postgres, server_home):
    there = is_there(server_home.place)
    with pytest.raises(JournalError) as none:
        StoreJournal.open(server_home.place, read_only=True)
    assert (there, none.value.message) == (
        False,
        f"There is no journal at {server_home.place} yet.",
    )
    made = "SELECT 1 FROM pg_namespace WHERE nspname = %s"
    assert postgres.ask(made, server_home.place.schema) == []


def test_a_journal_of_a_newer_kawe_is_refused(postgres, server_home):
    server_home.begin(entry(1))
    postgres.ask(_tables(server_home, "INSERT INTO kawe_version VALUES (99)"))
    with pytest.raises(JournalNewer) as newer:
        server_home.open()
    assert newer.value.message == (
        f"A newer kawe wrote the journal {server_home.place}."
    )


def test_events_are_never_changed_nor_removed_by_another_program(postgres, server_home):
    server_home.drafted(1)
    for statement in ("UPDATE event SET verdict = 'done'", "DELETE FROM event"):
        with pytest.raises(IntegrityError, match="what happened is never changed"):
            postgres.ask(_tables(server_home, statement))


def test_without_the_library_a_person_is_told_what_to_install():
    code = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from kawe.domain.batch.journal_servers import JournalServer\n"
        "from kawe.journal.store.places import is_there\n"
        "try: is_there(JournalServer(url='postgresql://db/kawe', schema='s'))\n"
        "except Exception as error: print(error.message, error.hint)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout == (
        "A journal on a server needs a part that is not installed. Install it: "
        "pip install 'kawe[postgres]'\n"
    )
