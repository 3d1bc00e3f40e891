"""Work that takes time: one run at a time, in a thread and a loop of its own.

The band at the top of every page says whose desk it is, and what waits.

A run holds the journal only while it runs, so a colleague's command can work in
between. Stopping a run is like one Ctrl-C: what is in flight is finished first.
"""

import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from starlette.datastructures import FormData

from kawe.cases.care.journals import KnownJournal, own_journal
from kawe.cases.kit import RunListener, Toolkit
from kawe.cases.outlook import Outlook
from kawe.cases.reaching import is_twin
from kawe.cases.session import Session
from kawe.desk.next_words import in_pages
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.batch.outcomes import GOES_ON, Outcome
from kawe.domain.batch.runs import RunName
from kawe.domain.text.new_zealand import moment_words
from kawe.errors import KaweError, SettingsError
from kawe.ports import Alerts
from kawe.settings.values import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """What the service last said of the tokens of the team."""

    tokens: int | None = None
    """None for a sandbox key, which spends none."""
    at: datetime
    team: str = ""

    @classmethod
    def of(cls, session: Session) -> "Balance":
        """Take it from an open session."""
        tokens = session.account.balance if session.spends_tokens else None
        now, account = session.toolkit.clock.now(), session.account
        return cls(tokens=tokens, at=now, team=account.team_name)

    @property
    def words(self) -> str:
        """Say it with its time; nothing of a sandbox."""
        at = moment_words(self.at)
        return "" if self.tokens is None else f"{self.tokens:,} at {at}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Whose desk it is, and how many rows wait for a person."""

    mode: str = ""
    """LIVE or SANDBOX; empty: the key does not tell, and no run was made."""
    team: str = ""
    address: str = ""
    is_twin: bool = False
    counts: Counter[Outcome] = field(default_factory=Counter)


def band(
    load: Callable[[], Settings], look: Callable[[Settings], KnownJournal] = own_journal
) -> Band:
    """Say what can be read; pages say themselves what cannot."""
    try:
        settings = load()
        known = look(settings)
    except KaweError:
        return Band()
    address, bound = settings.base_url or "", known.binding
    mode = settings.key_mode or settings.mode or (bound.mode if bound else "")
    return Band(
        mode=mode.upper(),
        team=bound.team_name if bound else "",
        address=address,
        is_twin=is_twin(address),
        counts=known.counts,
    )


FAULT: Final = (
    "Something unexpected happened, and it is kawe's fault. What was done is in the "
    "journal, and nothing is sent twice."
)
_SAID_MOST: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskRun:
    """One run: its name in the log, and those who hear of it."""

    name: RunName
    told: RunListener
    alerts: Alerts | None


class Around(Protocol):
    """What the command line gives the desk: settings, log, and who is told."""

    def settings(self) -> Settings:
        """Load the settings anew.

        Raises:
            SettingsError: They cannot be used.
        """
        ...

    @property
    def profile(self) -> str: ...

    def keep_out(self, secret: str) -> None:
        """Keep a secret out of every later line of the log."""
        ...

    def perform(
        self, command: str, workbook: Path | None, do: Callable[[DeskRun], int]
    ) -> KaweError | None:
        """Do a run as a command does it, and say why it ended early; never raises."""
        ...


class PageProgress(Outlook):
    """Implements `Progress`: written by the run, read by the pages."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def say(self, sentence: str) -> None:
        self.said = [*self.said, sentence][-_SAID_MOST:]


@dataclass(slots=True, kw_only=True)
class PageRun:
    """One command for one workbook; also the `Halt` of its run."""

    work_id: str = ""
    """Empty: of no workbook."""
    command: str = ""
    path: str = ""
    before: Counter[Outcome] = field(default_factory=Counter)
    """How the rows of the journal stood when it began."""
    typed: FormData = field(default_factory=FormData)
    """What its form shows again where it fails; never a key."""
    asked: bool = False
    """Whether the person asked to stop."""
    progress: PageProgress = field(default_factory=PageProgress)
    answer: Any = None
    """What it gave; None: nothing yet, or it ended early."""
    trouble: KaweError | None = None
    """Why it ended early; None: it did not."""
    has_ended: bool = False
    is_past: bool = False
    """Whether a submit has changed since what it found."""

    def toolkit(self, settings: Settings, **more: Any) -> Toolkit:  # noqa: ANN401 - fields of it
        """Give the toolkit that tells this run how it goes."""
        words: dict[str, Any] = {"progress": self.progress, "halt": self, **more}
        return Toolkit(settings=settings, says=in_pages, **words)

    def so_far(self, now: Counter[Outcome]) -> Counter[Outcome]:
        """Say how many rows more have an outcome than when it began."""
        gained = now - self.before
        return Counter({each: gained[each] for each in gained if each not in GOES_ON})


class Coded(NamedTuple):
    """What a run gave, where a command could end with another code than 0."""

    answer: Any
    code: int


Doing: TypeAlias = Callable[[Toolkit], Coroutine[Any, Any, Any]]
"""Does a run; gives the answer, or a `Coded` one."""


class PageRuns:
    """The run that goes on, and the last of each command for each workbook."""

    def __init__(self, around: Around) -> None:
        self._around = around
        self._lock = threading.Lock()
        self._last: dict[tuple[str, str], PageRun] = {}
        self.latest: PageRun | None = None
        """The run that was started last."""
        self.balance: Balance | None = None
        """What the service last said of tokens; None: it was not asked yet."""
        self.refusals: dict[str, dict[str, Any]] = {}
        """By a word of its address: what a page says of a form that was refused."""
        self._read: tuple[object, dict[object, Any]] = (None, {})
        self.is_doubted = False
        """The last submit asked whether key and account belong together."""

    def read_in(self, state: object) -> dict[object, Any]:
        """Give what was read in one state of the journal; to be added to."""
        if self._read[0] != state:
            self._read = (state, {})
        return self._read[1]

    @property
    def running(self) -> PageRun | None:
        """Give the run that goes on, if one does."""
        latest = self.latest
        return latest if latest is not None and not latest.has_ended else None

    def last(self, work_id: str, command: str) -> PageRun | None:
        return self._last.get((work_id, command))

    def answer(self, command: str, *, work_id: str = "") -> Any:  # noqa: ANN401 - the command's own
        """Say what the last run of a command gave; None: nothing, or there is none."""
        last = self.last(work_id, command)
        return None if last is None else last.answer

    def forget(self, command: str, *, work_id: str = "") -> None:
        self._last.pop((work_id, command), None)

    def start(self, made: PageRun, do: Doing, *, workbook: Path | None) -> None:
        """Start a run; raise `SettingsError` where another one runs."""
        made.before = band(self._around.settings).counts
        with self._lock:
            self.refuse_while_one_runs()
            self.latest = self._last[made.work_id, made.command] = made
        parts = made, do, workbook
        threading.Thread(target=self._work, args=parts, daemon=True).start()

    def refuse_while_one_runs(self) -> None:
        """Keep what a run reads as it is.

        Raises:
            SettingsError: One runs.
        """
        if self.running is not None:
            raise SettingsError(
                message="The desk is at work on something else.",
                hint="Wait until it has ended, or stop it first. Nothing was done.",
            )

    def ask_to_stop(self) -> None:
        if self.running is not None:
            self.running.asked = True

    def _work(self, made: PageRun, do: Doing, workbook: Path | None) -> None:
        def perform(run: DeskRun) -> int:
            settings = self._around.settings()
            hears = {"alerts": run.alerts, "told": run.told}
            given = asyncio.run(do(made.toolkit(settings, run=run.name, **hears)))
            coded = given if isinstance(given, Coded) else Coded(given, ExitCode.DONE)
            made.answer = coded.answer
            return coded.code

        made.trouble = self._around.perform(made.command, workbook, perform)
        made.has_ended = True
