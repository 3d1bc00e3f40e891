"""What is only so of a journal on a PostgreSQL server."""

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import replace
from threading import Event, Thread

import pytest
from psycopg import IntegrityError

from doubles.journal_homes import ServerHome, SqliteHome
from doubles.journal_values import NOW, entry, key, later
from doubles.postgres import pooled
from doubles.programs import printed_by
from kawe.domain.batch.journal_servers import JournalServer
from kawe.domain.service.states import State
from kawe.errors import JournalError, JournalLocked, JournalNewer, StoreFault
from kawe.journal.copies import TABLES, carry_journal
from kawe.journal.journal import StoreJournal
from kawe.journal.store.opening import migrations
from kawe.journal.store.places import is_there, reader, state_of, writer, writer_at

AT = later(60)


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


def test_a_session_that_was_set_for_another_account_writes_nothing(server_home):
    server_home.begin(entry(1))
    other = replace(server_home.place, schema="other")
    writer(other).close()
    # Both journals were taken over twice, and so have one number.
    with closing(writer(other)), closing(writer(server_home.place)) as store:
        store._db.execute("SET search_path TO other")
        with pytest.raises(StoreFault), store.transaction(writes=True):
            pass


def test_a_lost_session_is_told_in_no_log(postgres, server_home, caplog):
    with closing(writer(server_home.place)) as store:
        postgres.cut_connections()
        with pytest.raises(StoreFault):
            store.run("put_in_queue", [(str(n), n) for n in range(99)])
        with pytest.raises(StoreFault):
            store.table("entry")
    assert caplog.records == []


def test_a_pooler_may_keep_sessions_and_not_mix_them(postgres):
    with pooled(postgres, "session") as url:
        assert not is_there(JournalServer(url=url, schema="a"))
    mixes = pytest.raises(StoreFault, match="mixes sessions")
    with pooled(postgres, "transaction") as url, mixes:
        is_there(JournalServer(url=url, schema="a"))


def test_a_password_that_is_missing_says_where_it_is_put(postgres):
    rules = postgres.folder / "data" / "pg_hba.conf"
    rules.write_text(f"local all locked password\n{rules.read_text()}")
    postgres.restart()
    locked = JournalServer(url=postgres.url.replace("kawe@", "locked@"), schema="a")
    with pytest.raises(StoreFault, match=r"no password supplied\. .*into ~/\.pgpass"):
        is_there(locked)


def test_a_server_that_is_set_to_be_read_alone_meanwhile_is_said(server_home):
    with closing(writer(server_home.place)) as store:
        store._db.execute("SET default_transaction_read_only = on")
        with pytest.raises(StoreFault) as refused, store.transaction(writes=True):
            pass
    assert refused.value.hint.startswith("It is a standby, or set to be read alone: ")


def test_one_writes_and_others_read_meanwhile(server_home):
    async def script(_):
        with pytest.raises(JournalLocked):
            server_home.open()
        reader = StoreJournal.open(server_home.place, read_only=True)
        batches = await reader.batches()
        await reader.aclose()
        return len(batches), str(writer_at(server_home.place)).partition(" on ")[0]

    server_home.begin(entry(1))
    assert (server_home(script), writer_at(server_home.place)) == (
        (1, "another kawe"),
        None,
    )


def test_a_server_that_ends_idle_sessions_ends_no_run_that_waits(postgres, server_home):
    set_to = "ALTER DATABASE {} SET idle_session_timeout = '{}'"
    postgres.ask(set_to.format(postgres.database, "100ms"))
    server_home.begin(entry(1))

    async def script(journal):
        await asyncio.sleep(0.5)
        return await journal.move(key(1), State.FILES_READY, at=NOW)

    assert server_home(script).state is State.FILES_READY
    postgres.ask(set_to.format(postgres.database, "0"))


def test_the_state_of_a_journal_is_another_after_each_commit(server_home):
    place = server_home.place
    server_home.begin(entry(1))
    states = [state_of(place)]
    server_home.walk(1, State.FILES_READY)
    states.append(state_of(place))
    server_home.drafted(2)
    states.append(state_of(place))
    assert len({*states}) == 3


def test_the_state_of_a_journal_stays_while_it_is_read(server_home):
    place = server_home.place
    server_home.begin(entry(1))

    def read():
        before = state_of(place)
        reader(place).close()
        return before == state_of(place)

    # The server's own care commits now and then.
    assert any(read() for _ in range(5))


def test_looking_who_writes_keeps_no_writer_out(server_home):
    server_home.begin(entry(1))
    ends = Event()

    def look():
        while not ends.is_set():
            writer_at(server_home.place)

    looking = Thread(target=look)
    looking.start()
    try:
        for _ in range(20):
            server_home.ask("batches")
    finally:
        ends.set()
        looking.join()


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
        f"A newer kawe wrote the journal {server_home.place}: its tables have version "
        f"99, and this kawe knows {len(migrations('server_migrations'))}."
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
    assert printed_by(code) == (
        "A journal on a server needs a part that is not installed. Install it: "
        "pip install 'kawe[postgres]'\n"
    )


_TABLES_OF_A_FILE = "SELECT name FROM sqlite_schema WHERE type = 'table'"
_TABLES_OF_A_SERVER = "SELECT tablename FROM pg_tables WHERE schemaname = %s"


def columns_of(place, name):
    with closing(reader(place)) as store:
        columns, records = store.table(name)
        list(records)
    return list(columns)


def everything(home):
    """Give all that a journal has, table by table."""
    store = reader(home.place if isinstance(home, ServerHome) else home.path)
    with closing(store):
        return {
            name: sorted(
                tuple(
                    value
                    for at, value in zip(columns, record, strict=True)
                    if at != "rowid"
                )
                for record in records
            )
            for name in TABLES
            for columns, records in [store.table(name)]
        }


def test_a_journal_goes_to_a_server_and_back_with_all_that_it_knows(
    disk, server_home, tmp_path
):
    disk.drafted(1)
    disk.begin(entry(2))
    before = everything(disk)
    there = carry_journal(disk.path, server_home.place, at=AT)
    middle = everything(server_home)
    server_home.begin(entry(3))
    after = everything(server_home)
    back = carry_journal(server_home.place, tmp_path / "back.journal", at=AT)
    assert (middle, everything(SqliteHome(tmp_path / "back.journal"))) == (
        before,
        after,
    )
    assert (there.rows, back.rows) == (2, 3)
    kept = disk.path.with_name(f"{disk.path.name}.2026-11-21-100000.old")
    assert (there.kept, disk.path.exists()) == (str(kept), False)
    assert not is_there(server_home.place)


def test_a_journal_with_the_longest_name_moves_and_stays_under_a_dated_one(
    postgres, tmp_path
):
    account = "api.consultation.example.nz-live"
    names = [f"te-kaunihera-o-te-tairāwhiti-{n}" for n in range(2)]
    for name in names:
        place = JournalServer.of_account(postgres.url, profile=name, account=account)
        ServerHome(place).begin(entry(1))
        carry_journal(place, tmp_path / name, at=AT)
    kept = postgres.ask("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'te-k%'")
    assert [name[-22:] for (name,) in kept] == [".2026-11-21-100000.old"] * 2


def test_a_move_takes_every_table_with_every_column(server_home, tmp_path, postgres):
    server_home.begin(entry(1))
    file = SqliteHome(tmp_path / "new.journal")
    file.begin(entry(1))
    with closing(sqlite3.connect(file.path)) as db:
        tables = {name for (name,) in db.execute(_TABLES_OF_A_FILE)}
    there = postgres.ask(_TABLES_OF_A_SERVER, server_home.place.schema)
    assert tables == set(TABLES)
    assert {name for (name,) in there} == {*TABLES, "writer", "kawe_version"}
    for name in TABLES:
        mine, theirs = columns_of(file.path, name), columns_of(server_home.place, name)
        assert [each for each in theirs if each != "rowid"] == mine


def test_a_move_that_was_killed_before_its_end_is_ended_by_the_same_call(
    disk, server_home
):
    disk.drafted(1)
    copy = disk.path.with_name("copy")
    copy.write_bytes(disk.path.read_bytes())
    carry_journal(copy, server_home.place, at=AT)
    done = carry_journal(disk.path, server_home.place, at=AT)
    assert (done.rows, server_home.row(1).state) == (1, State.DRAFTED)


def test_rows_of_which_nothing_was_made_move_too(disk, server_home):
    disk.begin(entry(1), entry(2))
    before = everything(disk)
    done = carry_journal(disk.path, server_home.place, at=AT)
    assert (done.events, done.rows, everything(server_home)) == (0, 2, before)


def test_other_rows_of_which_nothing_was_made_are_another_journal(disk, server_home):
    disk.begin(entry(1))
    server_home.begin(entry(2))
    with pytest.raises(JournalError, match="There is another journal at"):
        carry_journal(disk.path, server_home.place, at=AT)
    assert (disk.row(1).state, server_home.row(2).state) == (State.VALID, State.VALID)


def test_a_journal_does_not_go_where_another_one_is(disk, server_home):
    disk.drafted(1)
    server_home.begin(entry(2))
    with pytest.raises(JournalError) as refused:
        carry_journal(disk.path, server_home.place, at=AT)
    assert refused.value.message == (
        f"There is another journal at {server_home.place}."
    )
    assert (disk.row(1).state, server_home.row(2).state) == (State.DRAFTED, State.VALID)


def test_a_journal_does_not_go_where_it_is(server_home):
    server_home.begin(entry(1))
    with pytest.raises(JournalError) as refused:
        carry_journal(server_home.place, server_home.place, at=AT)
    assert refused.value.message == f"The journal lies at {server_home.place} already."


def test_where_no_journal_is_none_is_moved_and_nothing_is_made(disk, server_home):
    with pytest.raises(JournalError) as refused:
        carry_journal(server_home.place, disk.path, at=AT)
    assert refused.value.message == f"There is no journal at {server_home.place}."
    assert (is_there(server_home.place), disk.path.exists()) == (False, False)


def test_a_journal_that_was_altered_does_not_move(disk, server_home):
    disk.drafted(1)
    with closing(sqlite3.connect(disk.path)) as db:
        db.execute("UPDATE entry SET state = 'SENT'")
        db.commit()
    with pytest.raises(JournalError, match="is not as kawe left it"):
        carry_journal(disk.path, server_home.place, at=AT)
    assert disk.path.exists()
