"""API keys, made, stored and found; who acts with one, and when.

Only the SHA-256 of a key is stored, enough for 190 random bits. The keys in memory are
complete, because no other process can open the database.
"""

import hashlib
import hmac
import secrets
import string
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal, TypeAlias

from kawe_contract.enums import Scope
from kawe_contract.headers import BEARER, LIVE_MARK, SANDBOX_MARK
from kawe_twin.world.clock import instant_text

AccountKind: TypeAlias = Literal["TEAM", "IWI"]

ALL_SCOPES: Final = frozenset(Scope)
_ALPHABET: Final = string.ascii_letters + string.digits
_RANDOM_LENGTH: Final = 32
_PREFIX_LENGTH: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """The account and person behind a key, and what the key may do."""

    key_id: str
    account_id: str
    """The owner of its projects, files and receipts."""
    team_id: str
    """The owner of people, organisations and groups: another account only for a
    sandbox key of a live team."""
    person_id: str | None
    kind: AccountKind
    sandbox: bool
    scopes: frozenset[Scope]

    @property
    def pays(self) -> bool:
        """Tell whether this account ever spends tokens (Token rules 3)."""
        return self.kind == "TEAM" and not self.sandbox


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKey:
    """A new key, the only place of its secret."""

    secret: str = field(repr=False)
    prefix: str
    hash: str


def new_key(*, sandbox: bool) -> NewKey:
    """Make a random key with the mark of its kind."""
    mark = SANDBOX_MARK if sandbox else LIVE_MARK
    random = "".join(secrets.choice(_ALPHABET) for _ in range(_RANDOM_LENGTH))
    secret = f"kawe{mark}{random}"
    return NewKey(secret=secret, prefix=secret[:_PREFIX_LENGTH], hash=hashed(secret))


def hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def is_same_secret(given: str, secret: str) -> bool:
    return hmac.compare_digest(given.encode(), secret.encode())


def bearer_of(header: str) -> str | None:
    """Give the key of an Authorization header, or None when malformed."""
    scheme, _, secret = header.partition(" ")
    wellformed = (
        scheme.lower() == BEARER.lower()
        and secret.isascii()
        and secret.isprintable()
        and secret.startswith((f"kawe{LIVE_MARK}", f"kawe{SANDBOX_MARK}"))
    )
    return secret if wellformed else None


@dataclass(slots=True)
class KeyRing:
    """Every key that is good, by hash."""

    _callers: dict[str, Caller] = field(default_factory=dict)

    def add(self, caller: Caller, *, key_hash: str) -> None:
        self._callers[key_hash] = caller

    def drop(self, key_ids: frozenset[str]) -> None:
        """Refuse these keys from now on."""
        kept = {h: c for h, c in self._callers.items() if c.key_id not in key_ids}
        self._callers = kept

    def find(self, secret: str) -> Caller | None:
        """Give the caller of a key; None: unknown or revoked."""
        return self._callers.get(hashed(secret))


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """A caller at an instant; a `Call` is one."""

    caller: Caller
    at: datetime

    @property
    def now(self) -> str:
        return instant_text(self.at)
