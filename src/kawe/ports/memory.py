"""What the flows need of the journal."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from kawe.domain.batch.approvals import Approval
from kawe.domain.batch.periods import RowsOfHour
from kawe.domain.batch.runs import RunRecord
from kawe.domain.batch.waiting import Wait
from kawe.domain.rows.entries import (
    Batch,
    BatchName,
    Binding,
    Entry,
    KnownRow,
    Line,
    PlacedLine,
    QuietRow,
    SheetReading,
    StoredFile,
    ToldRows,
    WantedRow,
)
from kawe.domain.service.service_words import (
    Invitation,
    IwiAnswer,
    IwiAnswers,
    Organisation,
    Project,
    ProjectId,
)
from kawe.domain.service.states import Attempt, Intent, RowKey, State, Step, Verdict
from kawe_places.values import Place


class Journal(Protocol):
    """Durable memory. When a call has returned, it survives a power cut.

    Rows are keyed within the account of the journal. Every method may raise
    `JournalError`; then nothing of that call was kept, and nothing that depends on it
    may be sent.
    """

    @property
    def is_read_only(self) -> bool:
        """Say whether every method that writes is refused."""

    async def bind(self, binding: Binding) -> None:
        """Bind a fresh journal to an account, or make sure it is this one's.

        Raises:
            JournalForeign: It belongs to another service, team or mode.
        """

    async def binding(self) -> Binding | None:
        """Say whom the journal belongs to; None while it is fresh."""

    async def open_batch(
        self,
        batch: Batch,
        *,
        lines: Sequence[Line],
        entries: Sequence[Entry],
        in_place_of: Sequence[SheetReading] = (),
    ) -> None:
        """Keep a batch, the lines of its workbook and its rows, all at once.

        Replaces the lines that the same sheet of the same workbook had in this batch,
        and those of `in_place_of`. Lines of several workbooks may name a row.

        An entry with an unknown key is added. A known one keeps state and project; it
        takes content, marker and fingerprint from `entries` where
        `kawe.domain.service.states.BEFORE_CREATE` holds for both (then the state as
        well), or where the fingerprint is equal and the row is not finished (send,
        message and priority may differ then). A row never leaves its batch: only a row
        of this batch takes its position from `entries`. A row that a person gave up
        stays ABANDONED.

        Raises:
            JournalError: Also when an unknown row does not begin in `BEFORE_CREATE` and
                without a project, when a row comes twice, or when a line names a row
                that is unknown.
        """

    async def batches(self) -> tuple[Batch, ...]:
        """List the batches, the latest read last."""

    async def readings(self, batch: BatchName) -> tuple[SheetReading, ...]:
        """List the sheets that a batch was read from, the latest read last."""

    async def lines(
        self, batch: BatchName, *, reading: SheetReading | None = None
    ) -> tuple[Line, ...]:
        """List the lines of one sheet of a batch in order; by default the last read."""

    async def named(
        self, keys: Iterable[RowKey]
    ) -> dict[RowKey, tuple[PlacedLine, ...]]:
        """Give the lines that name the rows of `keys`, the latest read first.

        Of any batch. Rows that no workbook has are left out.
        """

    async def entries(self, batch: BatchName) -> tuple[Entry, ...]:
        """List the rows of a batch by position."""

    async def told(self, batch: BatchName, *, quiet: Collection[State]) -> ToldRows:
        """Give the rows of a batch, and its lines in the sheet that was read last.

        Left out and counted are rows of a state in `quiet` that have no finding, reason
        or invitation. None are where a batch was read from several sheets.
        """

    async def quiet(
        self, batch: BatchName, wanted: WantedRow | None, *, states: Collection[State]
    ) -> tuple[QuietRow, ...]:
        """Give the rows that `told` leaves out, in the order of their sheet."""

    async def hours(self) -> tuple[RowsOfHour, ...]:
        """Count all rows by batch, state, and the hour in which they came to be so."""

    async def unfinished(
        self, batch: BatchName, *, states: Collection[State] = ...
    ) -> tuple[Entry, ...]:
        """List the rows of a batch in those states, else all unsettled, by position."""

    async def known(self, keys: Iterable[RowKey]) -> dict[RowKey, KnownRow]:
        """Give the known rows of `keys`, of any batch, without their content."""

    async def find(self, keys: Iterable[RowKey]) -> dict[RowKey, Entry]:
        """Give the known rows of `keys`, of any batch."""

    async def made(
        self, wanted: Callable[[Entry], bool], *, beside: Iterable[RowKey]
    ) -> tuple[Entry, ...]:
        """Give the rows that have a project and are `wanted`, of any batch, by key.

        Those of `beside` are left out. `wanted` is called row by row, perhaps in
        another thread.
        """

    async def owner_of(self, project: ProjectId) -> RowKey | None:
        """Say which row a project belongs to."""

    async def owners(self, projects: Iterable[ProjectId]) -> tuple[Entry, ...]:
        """Give the rows that projects belong to."""

    async def note(
        self, intents: Sequence[Intent], *, revised: Sequence[Entry] = ()
    ) -> None:
        """Write intents down, durably, before their request is made.

        Each row moves to the intent's state in the same commit; all of `intents` are
        written, or none. A row's attempts of one step count from 1 without a gap. Rows
        of `revised` take content and fingerprint from there: what their draft will say
        after the step.

        Raises:
            JournalError: Also when the move is not allowed.
        """

    async def conclude(
        self, intent: Intent, verdict: Verdict, *, at: datetime
    ) -> Entry:
        """Write a verdict down, durably, and move the row as it says.

        The new state is `kawe.domain.service.states.state_after`. A `Done` create
        binds its project to the row; a project that another row owns is
        refused and the row moves to doubt.
        """

    async def move(
        self,
        key: RowKey,
        state: State,
        *,
        at: datetime,
        reason: str = "",
        project: ProjectId | None = None,
        revised: Entry | None = None,
    ) -> Entry:
        """Move a row without a request.

        `reason` replaces the row's reason. Only `note` leads to an intent's state, and
        from DRAFTED on a row has a project. `revised` is what `note` says of it.

        Raises:
            JournalError: Also when the move is not allowed, or another row owns
                `project`.
        """

    async def move_all(
        self, keys: Sequence[RowKey], state: State, *, at: datetime, reason: str = ""
    ) -> tuple[Entry, ...]:
        """Move many rows without a request, in one commit; all of them or none.

        Raises:
            JournalError: As for `move`, and when a row comes twice.
        """

    async def attempts(self, key: RowKey) -> tuple[Attempt, ...]:
        """List a row's attempts, the oldest first."""

    async def attempts_made(
        self, keys: Iterable[RowKey], *, step: Step
    ) -> dict[RowKey, int]:
        """Count the attempts of one step; rows that made none are left out."""

    async def sent_at(self, keys: Iterable[RowKey]) -> dict[RowKey, datetime]:
        """Give the time at which rows were sent, or people invited.

        It stays the same when kawe confirms the send or fetches the receipt. Where the
        answer was lost, it is the time at which the request left; where somebody else
        sent the project, that of its receipt, or else the time at which kawe saw it.
        Rows that are not sent are left out.
        """

    async def doubted_creates(self, batch: BatchName) -> tuple[RowKey, ...]:
        """List the rows of a batch with a create that was ever in doubt.

        Such a create may have been carried out late, beside another one.
        """

    async def let_go(self, key: RowKey) -> str:
        """Give the reason with which a row was last let go from HELD, or nothing.

        Other moves do not change it: what a person decided stands until the row is held
        and let go again.
        """

    async def keep_file(self, stored: StoredFile) -> None:
        """Keep which document a row's file became.

        It replaces the same bytes under the same name.

        Raises:
            JournalError: Also when the document is another file's.
        """

    async def files(self, key: RowKey) -> tuple[StoredFile, ...]:
        """List the files of a row that are with the service."""

    async def keep_iwi_answer(
        self, place: Place, answer: IwiAnswer, *, at: datetime
    ) -> None:
        """Keep which iwi a place belongs to, in place of what was kept of it."""

    async def iwi_answers(self, *, since: datetime) -> IwiAnswers:
        """Give what was kept at `since` or later, by `Place.key`."""

    async def keep_team_projects(self, projects: Iterable[Project]) -> None:
        """Keep what a look saw of the team's projects, by id, where it is newer.

        A journal that is only read keeps nothing.
        """

    async def team_projects(self) -> tuple[Project, ...]:
        """Give what looks saw: it says what to read again, never what is absent."""

    async def first_read(self, keys: Iterable[RowKey]) -> dict[RowKey, datetime]:
        """Say when rows that are not purged were first read."""

    async def keep_sent_to(self, iwi: Mapping[RowKey, Sequence[str]]) -> None:
        """Keep the names of whom the service told of rows that were sent."""

    async def sent_to(self, keys: Iterable[RowKey]) -> dict[RowKey, tuple[str, ...]]:
        """Give what `keep_sent_to` kept of rows; others are left out."""

    async def keep_invitations(self, said: Mapping[RowKey, Invitation]) -> None:
        """Keep how the invitations of people stand, in place of what was kept."""

    async def invitations(self, keys: Iterable[RowKey]) -> dict[RowKey, Invitation]:
        """Give what `keep_invitations` kept of rows; others are left out."""

    async def keep_receipt(self, key: RowKey, *, number: str, at: datetime) -> Entry:
        """Keep a row's receipt number and move it to RECEIPTED."""

    async def waits(self, keys: Iterable[RowKey]) -> dict[RowKey, Wait]:
        """Say how long rows have waited for tokens, since they first had to."""

    async def put_first(self, keys: Sequence[RowKey]) -> None:
        """Let rows be sent before all others, in the order of `keys`.

        Those that were put first before come after them. Rows that are done lose their
        place.

        Raises:
            JournalError: Also when a row is unknown or named twice.
        """

    async def put_back(self, keys: Iterable[RowKey]) -> None:
        """Let rows go in their usual order again."""

    async def put_first_so_far(self) -> tuple[RowKey, ...]:
        """Name the rows that go before all others, in their order."""

    async def keep_batch_owner(self, batch: BatchName, owner: str) -> None:
        """Keep who answers for a batch, in place of who did."""

    async def batch_owners(self) -> dict[BatchName, str]:
        """Say who answers for which batch, where somebody was named."""

    async def keep_approval(
        self, approval: Approval, *, row: RowKey | None = None
    ) -> None:
        """Keep who agreed to a plan; the first of each person stays.

        A signed one stands beside a typed one, and is linked into the history of `row`,
        which is not finished.
        """

    async def approvals(self) -> tuple[Approval, ...]:
        """List who agreed to which plan, the earliest first."""

    async def keep_run(self, run: RunRecord) -> None:
        """Keep how a run ended, for the history that people read.

        `open_batch` has written down that a submit begins; any other run is added.
        """

    async def runs(self) -> tuple[RunRecord, ...]:
        """List the runs, the earliest first."""

    async def aclose(self) -> None:
        """Let go of the journal. Everything said is already durable."""


class AnswerMemory(Protocol):
    """What the service said to checks within a day: no send relies on it.

    It never raises: what it cannot keep is asked again.
    """

    def iwi_answers(self) -> IwiAnswers:
        """Give what was said of places, by `Place.key`."""

    def keep_iwi_answer(self, place: Place, answer: IwiAnswer, *, at: datetime) -> None:
        """Keep which iwi a place belongs to, in place of what was kept of it."""

    def organisations(self) -> dict[str, Organisation]:
        """Give the team's organisations as last listed, by folded name."""

    def keep_organisations(
        self, organisations: Iterable[Organisation], *, at: datetime
    ) -> None:
        """Keep the team's organisations, in place of what was kept."""

    def save(self) -> None:
        """Write what was kept, for the next process."""
