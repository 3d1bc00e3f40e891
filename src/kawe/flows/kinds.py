"""What the verbs ask of a kind of sheet."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from kawe.domain.batch.agreements import Budget
from kawe.domain.batch.plans import Plan
from kawe.domain.batch.sending import NO_LOAD, IwiLoad
from kawe.domain.rows.entries import Entry, KnownRow
from kawe.domain.service.service_words import OrganisationId
from kawe.domain.service.states import RowKey
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.sheet.findings import RowRef
from kawe.domain.sheet.tables import Table
from kawe.domain.text.next_steps import Next
from kawe.flows.checked_rows import CheckContext, CheckedRow
from kawe.flows.routing import Asker
from kawe.flows.run import Run
from kawe.ports import Journal


@dataclass(frozen=True, slots=True, kw_only=True)
class Inquiry:
    """What a check asks with about the rows of a sheet."""

    context: CheckContext
    asker: Asker
    journal: Journal | None
    known: Mapping[RowKey, KnownRow]
    """The rows as the journal has them."""
    skip: Sequence[CheckedRow]
    """Rows that are done: nothing is asked for their sake."""

    @property
    def finished(self) -> frozenset[RowRef]:
        return frozenset(row.row.ref for row in self.skip)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What the service and the journal answered."""

    rows: tuple[CheckedRow, ...]
    organisations: Mapping[str, OrganisationId] = field(default_factory=dict)
    """The team's organisations by folded name; empty when nobody asked."""
    iwi_load: IwiLoad = NO_LOAD


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """A plan to carry out, and its limits."""

    plan: Plan
    run: Run
    budget: Budget
    organisations: Mapping[str, OrganisationId]
    drafts_only: bool = False


class Kind(SheetKind, ABC):
    """A kind of sheet, with the verbs for its rows."""

    requests_to_check: ClassVar[int] = 0
    """How many requests a check makes for a sheet as a whole, and then a submit for its
    result."""
    rows_in_a_request: ClassVar[int] = 1
    """For how many rows one request takes the step that they have."""

    @staticmethod
    def of(kind: SheetKind) -> "Kind":
        """Give a kind with its verbs."""
        if not isinstance(kind, Kind):
            raise TypeError(f"nobody says what is done for {kind}")
        return kind

    @abstractmethod
    def read(self, table: Table, *, context: CheckContext) -> tuple[CheckedRow, ...]:
        """Check every row by itself and build what it says."""

    @abstractmethod
    async def ask(self, rows: tuple[CheckedRow, ...], inquiry: Inquiry) -> Answers:
        """Find what only the service, or the journal, can say of the rows."""

    @abstractmethod
    async def submit(self, submission: Submission) -> None:
        """Take the steps of the rows, and settle what is in doubt."""

    async def release(self, run: Run, rows: Sequence[Entry], *, budget: Budget) -> None:
        """Take the one step of rows that waited for tokens; projects have several."""


def guide_of(
    word: str,
    *fill: str,
    untouched: str = "",
    submit: str,
    besides: Sequence[str] = (),
    again: str = "nothing is done twice",
) -> tuple[str, ...]:
    """Say how to fill in a sheet, step by step; `untouched` is so after a check."""
    book = f"{word}.xlsx"
    check = "kawe shows what changes, from what to what."
    if untouched:
        check = (
            f"{untouched} kawe names each cell that needs correcting and says what to "
            "do."
        )
    return (
        *fill,
        f"Check it: {Next.CHECK(book)}. {check}",
        f"Submit it: {Next.SUBMIT(book)}. {submit}",
        *besides,
        f"You can submit the same workbook again at any time: {again}.",
    )
