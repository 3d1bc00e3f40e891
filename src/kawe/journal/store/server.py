"""The store on a PostgreSQL server: a schema for each account, one writer at a time.

A writer holds an advisory lock of its session. It goes with the connection, never by a
clock: a process that slept cannot write again beside another. Whoever takes a journal
over also takes the next number, and every transaction that writes asks whether its own
is still the last: behind a pooler, a session may be another than it seems.
"""

import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from datetime import datetime
from functools import cache
from select import select
from typing import Final, LiteralString, Self

from psycopg import Connection, DataError, Error, IntegrityError, connect
from psycopg.errors import ReadOnlySqlTransaction
from psycopg.pq import TransactionStatus
from psycopg.sql import SQL, Composed, Identifier

from kawe.domain.batch.journal_servers import INTO_PGPASS, STAYS, JournalServer, fitting
from kawe.domain.text.next_steps import Next
from kawe.domain.text.texts import one_line
from kawe.errors import JournalError, StoreFault
from kawe.journal.store import Record, Value, faults, filling, savepoint, set_aside_name
from kawe.journal.store.lock import Holder, signature
from kawe.journal.store.opening import migrations, sql

_SECONDS: Final = 10
logging.getLogger("psycopg").setLevel(logging.CRITICAL + 1)  # kawe says it
_SCRIPTS: Final = migrations("server_migrations")
# What PostgreSQL says in other words than SQLite; it has no `json_each` of a list.
_DIALECT: Final = (
    (r"SELECT value FROM json_each\(\?\)", "SELECT json_array_elements_text(?::json)"),
    (r"json_extract\((\w+), '\$\.(\w+)'\)", r"\1::json ->> '\2'"),
    (r"\bIS NOT (?!NULL)", "IS DISTINCT FROM "),
    (r"\bIS (?!NULL|NOT|DISTINCT)", "IS NOT DISTINCT FROM "),
    (r"\?", "%s"),
)
_SESSION: Final = """
SELECT set_config('kawe.session', md5(random()::text || clock_timestamp()), false),
    pg_backend_pid(), set_config('search_path', quote_ident(%s), false),
    -- A machine that is cut off is known as gone in a minute, also while an answer is
    -- under way to it; its lock goes with it.
    set_config('tcp_keepalives_idle', '20', false),
    set_config('tcp_keepalives_interval', '10', false),
    set_config('tcp_keepalives_count', '3', false),
    set_config('tcp_user_timeout', '50000', false),
    set_config('synchronous_commit', CASE current_setting('synchronous_commit')
        WHEN 'off' THEN 'on' WHEN 'local' THEN 'on'
        ELSE current_setting('synchronous_commit') END, false)
"""
# Named with its schema, it is refused to a user who may not look into that.
_IS_THERE: Final = "SELECT to_regclass(quote_ident(%s) || '.kawe_version') IS NOT NULL"
_LACKS: Final = """
SELECT current_setting('transaction_read_only'), 'GRANT ' || coalesce(
    quote_ident(pg_get_userbyid(nspowner)),
    'CREATE ON DATABASE ' || quote_ident(current_database())
) || ' TO ' || quote_ident(current_user)
FROM (VALUES (%s)) AS wanted (name) LEFT JOIN pg_namespace ON nspname = name
WHERE current_setting('transaction_read_only') = 'on'
    OR NOT coalesce(pg_has_role(nspowner, 'USAGE'),
    has_database_privilege(current_database(), 'CREATE'))
"""
_READ_ALONE: Final = "It is a standby, or set to be read alone: name the server itself"
_LOCK: Final = "SELECT pg_try_advisory_lock(hashtextextended('kawe ' || %s, 0))"
_IS_HELD: Final = """
SELECT EXISTS (
    SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
    WHERE locktype = 'advisory' AND objsubid = 1 AND datname = current_database()
        AND (classid::bigint << 32) | objid::bigint
            = hashtextextended('kawe ' || %s, 0)
)
"""
_JOURNALS: Final = (
    "SELECT relnamespace::regnamespace::text FROM pg_class "
    "WHERE relname = 'kawe_version' ORDER BY 1"
)
_TAKE_OVER: Final = (
    "UPDATE writer SET number = number + 1, holder = %s RETURNING number"
)
_IS_OURS: Final = (
    "SELECT 1 FROM writer WHERE number = %s AND current_schema() = %s FOR SHARE"
)
_MAKE: Final = SQL("CREATE SCHEMA IF NOT EXISTS {}")
_RENAME: Final = SQL("ALTER SCHEMA {} RENAME TO {}")
_GO_ON: Final = (
    "SELECT setval(pg_get_serial_sequence('{0}', 'id'), (SELECT max(id) FROM {0}))"
)
_ONE_VIEW: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"


class ServerStore:
    """A `Store` over one connection; a writer's has a `number`."""

    def __init__(
        self, db: Connection, *, server: JournalServer, number: int | None = None
    ) -> None:
        self.place: Final = str(server)
        self._db: Final = db
        self._schema: Final = server.schema
        self._number: Final = number

    @classmethod
    def for_reading(cls, server: JournalServer) -> Self:
        """Open a journal to read it, also while another machine writes it."""
        db = _session(server)
        with faults.closed_on_fault(db.close), _in_words(str(server), doing="opened"):
            if (version := _version(db, server)) == 0:
                raise faults.none_yet(server)
            if version < len(_SCRIPTS):
                raise JournalError(
                    message=f"An older kawe wrote the journal {server}.",
                    hint="The next submit brings it up to date.",
                )
        return cls(db, server=server)

    @classmethod
    def for_writing(cls, server: JournalServer) -> Self:
        """Take a journal's lock and open it; there may be none yet."""
        db = _session(server)
        with faults.closed_on_fault(db.close), _in_words(str(server), doing="opened"):
            _check_rights(db, server)
            if _one(db, _LOCK, server.schema) != (True,):
                raise faults.in_use(f"The journal {server}", _holder(db, server))
            _migrate(db, server, since=_version(db, server))
            number = int(*_one(db, _TAKE_OVER, signature()))
        return cls(db, server=server, number=number)

    @staticmethod
    def is_there(server: JournalServer, *, to_write: bool) -> bool:
        """Say whether the server has a journal of that account."""
        with _looking(server) as db:
            if to_write:
                _check_rights(db, server)
            return _version(db, server) > 0

    @staticmethod
    def beside(server: JournalServer) -> list[str]:
        with _looking(server) as db:
            return [name for (name,) in db.execute(_JOURNALS)]

    @staticmethod
    def who_writes(server: JournalServer) -> Holder | None:
        """Say who writes a journal now; None: nobody does, or there is none."""
        with _looking(server) as db:
            # Taking the lock to see whether it is free could refuse a run that begins.
            is_held = _one(db, _IS_HELD, server.schema) == (True,)
            return _holder(db, server) if is_held else None

    @staticmethod
    def state_of(server: JournalServer) -> str:
        """Say which transactions have ended, those of other journals too."""
        with _looking(server) as db:
            return str(*_one(db, "SELECT pg_current_snapshot()"))

    def rows(self, name: str, *values: Value) -> Iterator[Record]:
        with _in_words(self.place):
            yield from self._db.execute(_statement(name), values)

    def run(self, name: str, records: Iterable[Record]) -> None:
        self._write(_statement(name), records)

    def table(self, name: str) -> tuple[Sequence[str], Iterable[Record]]:
        with _in_words(self.place):
            found = self._db.execute(f"SELECT * FROM {name}")  # noqa: S608 - ours
        return [column.name for column in found.description or ()], found

    def fill(
        self, name: str, columns: Sequence[str], records: Iterable[Record]
    ) -> None:
        self._control(f"DELETE FROM {name}")  # noqa: S608 - a name of ours
        self._write(filling(name, columns, mark="%s"), records)
        if name in {"reading", "run"}:
            self._control(_GO_ON.format(name))

    def set_aside(self, at: datetime) -> str:
        kept = fitting(self._schema, ending=set_aside_name("", at))
        self._control(_RENAME.format(Identifier(self._schema), Identifier(kept)))
        self.close()
        return kept

    def _write(self, statement: str, records: Iterable[Record]) -> None:
        with _in_words(self.place), faults.fitting(IntegrityError, DataError):
            self._db.cursor().executemany(statement, records)

    @contextmanager
    def transaction(self, *, writes: bool) -> Iterator[None]:
        self._control("BEGIN" if writes else _ONE_VIEW)
        try:
            if writes:
                self._make_sure_it_is_ours()
            yield
            self._control("COMMIT")
        except BaseException:
            with suppress(Error):
                if self._db.info.transaction_status is not TransactionStatus.IDLE:
                    self._db.execute("ROLLBACK")
            raise

    def part(self) -> AbstractContextManager[None]:
        return savepoint(self._control)

    @contextmanager
    def erasing(self) -> Iterator[None]:
        """Make a transaction after which no table's file has what it removes."""
        with self.transaction(writes=True):
            self._control("SET CONSTRAINTS ALL DEFERRED")
            yield
        # What is not FULL leaves the bytes of a removed row until others come there.
        self._control("VACUUM (FULL) batch, entry, event, file, line, reading, run")

    def check_integrity(self) -> None:
        """Do nothing: the server checks its pages and references itself."""

    def close(self) -> None:
        # A server ends a session some time after its connection: the next may not wait.
        with suppress(Error):
            self._db.execute("SELECT pg_advisory_unlock_all()")
        self._db.close()

    def _make_sure_it_is_ours(self) -> None:
        with _in_words(self.place):
            if _one(self._db, _IS_OURS, self._number, self._schema) == ():
                raise StoreFault(
                    message=f"Another kawe has taken over the journal {self.place}.",
                    hint="Nothing more is sent from here. The other one goes on.",
                )

    def _control(self, statement: LiteralString | Composed) -> None:
        with _in_words(self.place):
            self._db.execute(statement)


@cache
def _statement(name: str) -> LiteralString:
    said = sql(name)
    for words, theirs in _DIALECT:
        said = re.sub(words, theirs, said)
    return said


def _session(server: JournalServer) -> Connection:
    with _in_words(str(server), doing="reached"):
        db = connect(
            server.url,
            autocommit=True,
            connect_timeout=_SECONDS,
            application_name="kawe",
            client_encoding="UTF8",
        )
    with faults.closed_on_fault(db.close), _in_words(str(server), doing="opened"):
        mark, number = _one(db, _SESSION, server.schema)[:2]
        db.execute(STAYS)
        if number != db.info.backend_pid and _is_of_another(server, str(mark)):
            raise StoreFault(
                message=f"A pooler before {server} mixes sessions.",
                hint="Name the server itself, or set pool_mode = session.",
            )
    return db


def _is_of_another(server: JournalServer, mark: str) -> bool:
    """Say whether a pooler gives the session with this mark to who asks next."""
    with closing(connect(server.url, connect_timeout=_SECONDS)) as other:
        other.pgconn.send_query(b"SELECT current_setting('kawe.session', true)")
        # One that keeps sessions, and has no more, does not answer.
        said = other.pgconn.get_result() if select([other], [], [], 1)[0] else None
        return said is not None and said.get_value(0, 0) == mark.encode()


@contextmanager
def _looking(server: JournalServer) -> Iterator[Connection]:
    with closing(_session(server)) as db, _in_words(str(server), doing="opened"):
        yield db


def _holder(db: Connection, server: JournalServer) -> Holder:
    said = _one(db, "SELECT holder FROM writer") if _version(db, server) else ("",)
    return Holder.of(str(said[0]))


def _check_rights(db: Connection, server: JournalServer) -> None:
    """Refuse a standby, and a user who may not make the schema or change it."""
    for is_read_only, grant in db.execute(_LACKS, (server.schema,)):
        hint = f"Let whoever looks after the server run: {grant};"
        if is_read_only == "on":
            hint = f"{_READ_ALONE}."
        message = f"The user of the database may not write {server}."
        raise StoreFault(message=message, hint=hint)


def _version(db: Connection, server: JournalServer) -> int:
    if _one(db, _IS_THERE, server.schema) == (False,):
        return 0
    version = int(*_one(db, "SELECT max(number) FROM kawe_version"))
    if version > len(_SCRIPTS):
        raise faults.written_by_newer(server, version=version, known=len(_SCRIPTS))
    return version


def _migrate(db: Connection, server: JournalServer, *, since: int) -> None:
    with db.transaction():
        if since == 0:
            db.execute(_MAKE.format(Identifier(server.schema)))
            db.execute("CREATE TABLE kawe_version (number integer PRIMARY KEY)")
        for number, script in enumerate(_SCRIPTS[since:], since + 1):
            db.execute(script)
            db.execute("INSERT INTO kawe_version VALUES (%s)", (number,))


def _one(db: Connection, statement: LiteralString, *values: object) -> Record:
    return db.execute(statement, values).fetchone() or ()


@contextmanager
def _in_words(place: str, *, doing: str = "used") -> Iterator[None]:
    try:
        yield
    except Error as fault:
        # Below its first line are advice of the server and a piece of our statement.
        why = fault.diag.message_primary or str(fault)
        said = one_line(why, limit=200).rstrip(".?") or type(fault).__name__
        advice = "Look after the server"
        if doing == "reached":
            advice = "Correct the address, or look after the server"
        if "password" in said:
            advice = f"Get the right password, and {INTO_PGPASS}"
        if isinstance(fault, ReadOnlySqlTransaction):
            advice = _READ_ALONE
        raise StoreFault(
            message=f"The journal {place} could not be {doing}: {said}.",
            hint=f"{advice}, then {Next.AGAIN}: nothing is sent twice.",
        ) from fault
