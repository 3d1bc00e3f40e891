"""Where a journal is kept: in a file, or for several machines on a server."""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final, Self, TypeAlias

from kawe.domain.text.texts import one_line

SERVER_SCHEMES: Final = ("postgresql", "postgres")
INTO_PGPASS: Final = "put it into ~/.pgpass, which you alone may read, or PGPASSWORD"
_LONGEST: Final = 63
"""Bytes of a name; PostgreSQL cuts off the rest."""
_MOVED: Final = ".2026-11-21-100000.old"
"""How the name ends under which a journal stays that was moved, but for the time."""
STAYS: Final = """
SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'idle_session_timeout'
"""
"""A run waits for a person or for its limit; since PostgreSQL 14, that could end it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalServer:
    """A journal in a schema of its own."""

    url: str
    """The address of a database, without a password."""
    schema: str
    profile: str = ""

    @classmethod
    def of_account(cls, url: str, *, profile: str, account: str) -> Self:
        """Name the schema of a profile's account: service and mode."""
        return cls(url=url, schema=fitting(f"{profile} {account}"), profile=profile)

    @property
    def address(self) -> str:
        """Give the address by which any profile of the account names it."""
        return f"{self.url}#{self.profile}"

    def moved_as(self, names: Iterable[str]) -> str:
        """Give the newest of these schemas that a move of it left; may be empty."""
        old = fitting(self.schema, ending=_MOVED).removesuffix(_MOVED[1:])
        return max((e for e in names if e.strip('"').startswith(old)), default="")

    def __str__(self) -> str:
        """Say where it is, as it may be shown to a person."""
        database, _, _ = self.url.partition("?")
        return one_line(f"{database} ({self.schema})", limit=300)


def fitting(name: str, *, ending: str = "") -> str:
    """Give a name of the database that ends so, and keeps names apart that are long."""
    longest = _LONGEST - len(ending.encode())
    if len(name.encode()) > longest:
        digest = sha256(name.encode()).hexdigest()[:12]
        name = f"{name.encode()[: longest - 13].decode(errors='ignore')} {digest}"
    return f"{name}{ending}"


JournalPlace: TypeAlias = Path | JournalServer
