"""A PostgreSQL server of the tests' own, on a socket in a folder that is removed.

Its programs come with the system (`pg_config --bindir`); where they are missing, tests
that need them are skipped and say so. A server does not run as root: there it runs as
the user `nobody`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final
from urllib.parse import quote

import psycopg
import pytest

from kawe.domain.batch.journal_servers import JournalServer

_USER: Final = "kawe"


@dataclass(frozen=True, slots=True, kw_only=True)
class Postgres:
    """A running server."""

    folder: Path
    programs: Path
    database: str = "postgres"
    listens: str = ""
    """The address that it listens on besides; empty: none."""

    @property
    def url(self) -> str:
        """Give the address of its database."""
        if self.listens:
            return f"postgresql://{_USER}@{self.listens}/{self.database}"
        socket = quote(str(self.folder), safe="")
        return f"postgresql://{_USER}@/{self.database}?host={socket}"

    def fresh(self) -> Postgres:
        """Make another database on the same server."""
        name = f"d{len(self.ask('SELECT 1 FROM pg_database'))}"
        self.ask(f"CREATE DATABASE {name}")
        return replace(self, database=name)

    def journal(self, schema: str) -> JournalServer:
        """Name a journal on it."""
        return JournalServer(url=self.url, schema=schema)

    def ask(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Run a statement as another program would."""
        with psycopg.connect(self.url, autocommit=True) as db:
            found = db.execute(statement, values or None)
            return found.fetchall() if found.description else []

    def has(self, text: str) -> bool:
        """Say whether any file of the database has that text, its statistics too."""
        self.ask("ANALYZE")
        self.ask("CHECKPOINT")
        own = "SELECT oid FROM pg_database WHERE datname = current_database()"
        ((number,),) = self.ask(own)
        tables = (self.folder / "data" / "base" / str(number)).iterdir()
        wanted = text.encode()
        return any(wanted in each.read_bytes() for each in tables if each.is_file())

    def cut_connections(self) -> None:
        """End every session but the one that asks."""
        self.ask(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND application_name = 'kawe'"
        )

    def restart(self) -> None:
        """Stop the server hard and start it again."""
        self.control("stop", "-m", "immediate")
        self.start()

    def promote_standby(self) -> None:
        """Let a standby take the place of the server, at the same address.

        It has all that was committed: from when it is there, a commit waits for it.
        """
        standby, other = "standby", self.folder / "other"
        copy = [self.programs / "pg_basebackup", "-R", "-X", "stream", "-c", "fast"]
        where = ["-h", self.folder, "-U", _USER, "-D", self.folder / standby]
        run_as_nobody([*copy, *where])
        run_as_nobody(["mkdir", "-p", other])
        self.start(standby, socket=other)
        self.ask("ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.ask("SELECT pg_reload_conf()")
        follows = "sync_state = 'sync' AND flush_lsn >= pg_current_wal_lsn()"
        while self.ask(f"SELECT 1 FROM pg_stat_replication WHERE {follows}") == []:
            time.sleep(0.05)
        self.control("stop", "-m", "immediate")
        self.control("promote", data=standby)
        self.control("stop", "-m", "fast", data=standby)
        old = self.folder / f"old-{time.monotonic_ns()}"
        (self.folder / "data").rename(old)
        (self.folder / standby).rename(self.folder / "data")
        self.start()

    def start(self, data: str = "data", *, socket: Path | None = None) -> None:
        """Start the server; it syncs as it does by itself."""
        listens = "" if socket else self.listens
        options = f"-c listen_addresses={listens} -c max_connections=60"
        options += f" -k {socket or self.folder}"
        log = self.folder / "log"
        self.control("start", "-l", str(log), "-o", options, data=data)

    def control(self, *words: str, data: str = "data") -> None:
        """Run `pg_ctl`, and wait."""
        folder = self.folder / data
        run_as_nobody([self.programs / "pg_ctl", "-w", "-s", "-D", folder, *words])


def run_as_nobody(command: list[Any]) -> None:
    """Run a program of the server, never as root."""
    user = "nobody" if os.geteuid() == 0 else None
    subprocess.run(
        [str(each) for each in command],
        check=True,
        timeout=60,
        user=user,
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )


@contextmanager
def running_postgres(*, listens: str = "", to: str = "") -> Iterator[Postgres]:
    """Make a server, and take it away again; it may listen `to` a network too."""
    asked = shutil.which("pg_config")
    if asked is None:
        pytest.skip("PostgreSQL's server programs are not installed here")
    found = subprocess.run([asked, "--bindir"], capture_output=True, check=True)
    programs = Path(found.stdout.decode().strip())
    if not (programs / "initdb").exists():
        pytest.skip("PostgreSQL's server programs are not installed here")
    # A socket's path has room for a hundred characters.
    folder = Path(mkdtemp(prefix="kawe-pg-", dir="/tmp"))
    if os.geteuid() == 0:
        shutil.chown(folder, "nobody")
    server = Postgres(folder=folder, programs=programs, listens=listens)
    try:
        make = [programs / "initdb", "-D", folder / "data", "-U", _USER, "-A", "trust"]
        run_as_nobody([*make, "-E", "UTF8", "--no-sync", "--locale=C.UTF-8"])
        if to:
            with (folder / "data" / "pg_hba.conf").open("a") as allowed:
                allowed.write(f"host all all {to} trust\n")
        server.start()
        try:
            yield server
        finally:
            server.control("stop", "-m", "immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def pooled(server: Postgres, mode: str) -> Iterator[str]:
    """Give the address of a server's database behind a pooler, pgbouncer."""
    if (program := shutil.which("pgbouncer", path="/usr/sbin:/usr/bin")) is None:
        pytest.skip("pgbouncer is not installed here")
    settings = server.folder / f"{mode}.ini"
    settings.write_text(
        f"[databases]\n{server.database} = host={server.folder} user={_USER}\n"
        f"[pgbouncer]\npool_mode = {mode}\nauth_type = any\n"
        f"unix_socket_dir = {server.folder}\nlisten_port = 6432\n"
    )
    user = "nobody" if os.geteuid() == 0 else None
    with subprocess.Popen([program, "-q", settings], user=user, cwd="/") as pooler:
        while not (server.folder / ".s.PGSQL.6432").exists():
            time.sleep(0.05)
        try:
            yield f"{server.url}&port=6432"
        finally:
            pooler.terminate()
