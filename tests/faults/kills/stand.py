"""Where batches live: a twin, a nursery, and a person with a folder for each."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx

from doubles.at_the_twin import as_owner
from faults.kills.nursery import End, Kill, Nursery
from kawe_twin.serving import RunningTwin, TwinOptions, start_twin

PLENTY: Final = 10_000
_SETTLE_SECONDS: Final = "0.4"
_QUIET: Final = ("--workers", "3", "--json", "--quiet")
_RUN: Final = ("--yes", "99", "--no-input", "--settle", _SETTLE_SECONDS, *_QUIET)
_UNSAFE: Final = (
    "project_create",
    "project_send",
    "user_invite_bulk",
    "upload_presign",
    "upload_complete",
)
# After so many of its sends a colleague takes every token that is left.
_COLLEAGUE: Final = """
CREATE TEMP TRIGGER colleague AFTER INSERT ON token_entry
WHEN NEW.reason = 'SENT' AND (SELECT count(*) FROM token_entry
  WHERE reason = 'SENT') >= (SELECT n FROM temp.colleague_comes)
BEGIN UPDATE account SET balance = 0 WHERE id = NEW.account_id; END
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """One twin and the person before it."""

    twin: RunningTwin
    nursery: Nursery
    folder: Path
    _asker: httpx.Client = field(repr=False)

    def run(self, folder: Path, *words: str, kill: Kill | None = None) -> End:
        """Run kawe as a process in the folder of a batch."""
        home = str(folder / "home")
        return self.nursery.run(
            {
                "words": words,
                "folder": str(folder),
                "environment": {
                    "PATH": os.environ["PATH"],
                    "HOME": home,
                    "XDG_STATE_HOME": f"{home}/state",
                    "XDG_CONFIG_HOME": f"{home}/config",
                    "KAWE_BASE_URL": self.twin.address.api_url,
                    "KAWE_API_KEY": self.twin.address.live_key,
                },
            },
            output=str(folder.parent / f"{folder.name}.out"),
            kill=kill,
        )

    @property
    def papers(self) -> Path:
        """Give the folder that every batch of this stand exports into."""
        return self.folder / "papers"

    def printed(self, folder: Path) -> dict[str, Any]:
        """Give the document that the last run printed."""
        text = (folder.parent / f"{folder.name}.out").read_text(encoding="utf-8")
        value: dict[str, Any] = json.loads(text)
        return value

    def state(self) -> dict[str, Any]:
        """Ask the twin what really happened."""
        value: dict[str, Any] = self._asker.get("/_twin/state").json()
        return value

    def set_balance(self, tokens: int) -> None:
        """Leave the team so many tokens."""
        self._carry_out(f"UPDATE account SET balance = {tokens:d} WHERE kind = 'TEAM'")

    def colleague_comes(self, *, after_sends: int) -> None:
        """Have a colleague spend all that is left, after so many more sends."""
        self._carry_out(
            "CREATE TEMP TABLE colleague_comes AS SELECT "
            f"count(*) + {after_sends:d} AS n FROM token_entry WHERE reason = 'SENT'",
            _COLLEAGUE,
        )

    def colleague_goes(self) -> None:
        """Have no colleague spend any more."""
        self._carry_out(
            "DROP TRIGGER IF EXISTS temp.colleague",
            "DROP TABLE IF EXISTS temp.colleague_comes",
        )

    def _carry_out(self, *statements: str) -> None:
        def work(db: Any) -> None:
            for statement in statements:
                db.execute(statement)

        self.twin._assembly.database.submit(work).result()


def submit(workbook: str) -> tuple[str, ...]:
    return ("submit", workbook, *_RUN)


RELEASE: Final = ("release", *_RUN)
EXPORT: Final = ("export", "receipts", "-o", "../papers", *_QUIET)
VERIFY: Final = ("journal", "verify", "--json")


def unsafe_calls(state: dict[str, Any]) -> int:
    """Count the calls that change something, since the twin began."""
    return sum(
        sum(counts.values())
        for name, counts in state["requests"].items()
        if name in _UNSAFE
    )


@contextmanager
def open_stand(folder: Path, *, nursery: Nursery) -> Iterator[Stand]:
    """Start a twin, and sit a person before it."""
    options = TwinOptions(folder=folder / "twin", tokens=PLENTY, rate_limit=100_000_000)
    with start_twin(options) as twin, as_owner(twin.address) as asker:
        yield Stand(twin=twin, nursery=nursery, folder=folder, _asker=asker)
