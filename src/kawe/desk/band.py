"""What stands at the top of every page: the account, the balance, and what waits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from kawe.cases.care.journals import look_into
from kawe.cases.reaching import is_twin
from kawe.cases.session import Session
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.text.new_zealand import moment_words
from kawe.errors import KaweError
from kawe.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """What the service last said of the tokens of the team."""

    tokens: int | None
    """None for a sandbox key, which spends none."""
    at: datetime
    team: str = ""

    @classmethod
    def of(cls, session: Session) -> Balance:
        """Take it from an open session."""
        tokens = session.account.balance if session.spends_tokens else None
        now, account = session.toolkit.clock.now(), session.account
        return cls(tokens=tokens, at=now, team=account.team_name)

    @property
    def words(self) -> str:
        """Say it with its time; nothing of a sandbox."""
        if self.tokens is None:
            return ""
        return f"{self.tokens:,} at {moment_words(self.at)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Whose desk it is, and how many rows wait for a person."""

    mode: str = ""
    """LIVE or SANDBOX; empty: the key does not tell, and no run was made."""
    team: str = ""
    address: str = ""
    is_twin: bool = False
    counts: Counter[Outcome] = field(default_factory=Counter)
    trouble: str = ""
    """Why nothing is known; empty: all is well."""

    @property
    def waiting(self) -> int:
        return self.counts[Outcome.DEFERRED]

    @property
    def held(self) -> int:
        return self.counts[Outcome.HELD]


def band(load: Callable[[], Settings]) -> Band:
    """Give the band, also where the settings cannot be used."""
    try:
        return _band(load())
    except KaweError as trouble:
        return Band(trouble=trouble.message)


def _band(settings: Settings) -> Band:
    path = settings.journal_path()
    address = settings.base_url or ""
    known = look_into(path) if path.exists() else None
    bound = None if known is None else known.binding
    mode = settings.key_mode or settings.mode or ("" if bound is None else bound.mode)
    return Band(
        mode=mode.upper(),
        team="" if bound is None else bound.team_name,
        address=address,
        is_twin=is_twin(address),
        counts=Counter() if known is None else known.counts,
        trouble="" if known is None else known.fault,
    )
