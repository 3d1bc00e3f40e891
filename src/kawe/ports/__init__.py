"""What the flows need from the world, as Protocols.

The docstrings in this package are the contracts: an adapter states only its surprises.
"""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from datetime import date, datetime
from typing import Protocol

from kawe.domain.service.papers import ListedFile, ReceiptExport, SavedFile
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.sheet.content import Attachment
from kawe.domain.sheet.findings import CellRef, Finding
from kawe.ports.memory import AnswerMemory as AnswerMemory
from kawe.ports.memory import Journal as Journal
from kawe.ports.service import NO_QUERY as NO_QUERY
from kawe.ports.service import Acts as Acts
from kawe.ports.service import Downloads as Downloads
from kawe.ports.service import Lookups as Lookups
from kawe.ports.service import Pace as Pace
from kawe.ports.service import QueryValue as QueryValue
from kawe.ports.service import Turns as Turns
from kawe.ports.service import Uploads as Uploads
from kawe_places.values import CellValue, GivenPlace, Location


class Clock(Protocol):
    """Time."""

    def now(self) -> datetime:
        """Give the present instant, aware, in UTC."""

    def elapsed(self) -> float:
        """Give the seconds since some moment, on a clock that nobody sets.

        Sleep of the machine counts. Only differences within one process mean anything.
        """

    async def sleep(self, wait_seconds: float) -> None:
        """Wait."""


class Progress(Protocol):
    """Shows a person how a run goes."""

    def follow(self, pace: Pace) -> None:
        """Use the pace of these requests to estimate the time that is left."""

    def begin(self, what: str, *, total: int) -> None:
        """Start a stage of `total` things; `what` is a short phrase."""

    def advance(self, things: int = 1) -> None:
        """Say that so many things of the stage are finished."""

    def say(self, sentence: str) -> None:
        """Tell the person something now."""


class Halt(Protocol):
    """Whether the person asked the run to stop."""

    @property
    def asked(self) -> bool:
        """Say whether Ctrl-C was pressed: finish what is in flight, no more."""


class Alerts(Protocol):
    """What a run reports at once, because a person can act while it goes on."""

    def no_tokens(self, *, sent: int) -> None:
        """Report the first 402, after `sent` sends of this run; return at once."""


class WorkingDays(Protocol):
    """Knows on which days people in New Zealand are at work."""

    @property
    def knows_holidays(self) -> bool:
        """Say whether public holidays count, and not weekends and summer alone."""

    def day_off(self, on: date) -> str | None:
        """Say what `on` is when nobody works then, such as `a Saturday`, or None."""

    def until(self, on: date, *, today: date) -> int:
        """Count the working days after `today` up to `on`, that day included."""


class RowChecker(Protocol):
    """Checks the values of one row against the schema of its kind."""

    def problems(
        self, kind: SheetKind, values: Mapping[str, CellValue]
    ) -> tuple[tuple[str, str, str, str], ...]:
        """List every rule that `values` breaks: (field, rule, message, advice).

        Only the value's shape is checked, not what needs several fields or the service.
        """


class Suggester(Protocol):
    """Finds names that may have been meant for one another."""

    def nearest(self, name: str, *, among: Sequence[str]) -> tuple[str, ...]:
        """Give up to three of `among` that are nearly `name`, the nearest first.

        They are suggestions for a person only.
        """

    def misspelt(self, name: str, *, among: Sequence[str]) -> tuple[str, ...]:
        """Give up to three of `among` spelt like `name`, the nearest first.

        Looser than `nearest`, and the words stand in their order.
        """


class Places(Protocol):
    """Understands what people type as a place."""

    def locate(self, given: Sequence[GivenPlace]) -> tuple[Location, ...]:
        """Read each given place, none of them empty; same order, same length."""


class Attachments(Protocol):
    """Finds the files that rows name, below one root folder."""

    def find(
        self, names: Sequence[str], *, where: CellRef, heading: str
    ) -> tuple[tuple[Attachment, ...], tuple[Finding, ...]]:
        """Find, measure and hash the files that one cell names.

        A name may be a pattern. Nothing outside the root is ever opened.
        """

    def lie_together(self) -> tuple[str, str] | None:
        """Say in which one folder all files lie that were not found so far.

        The words are what is wrong with each, and what to do; None where there is no
        such folder.
        """


class PaperFolder(Protocol):
    """A folder of documents with a list of their hashes, filled by many runs."""

    def take_stock(self) -> Mapping[str, ListedFile]:
        """Compare every file that the list names with its hash; by file name.

        An altered file is renamed, and stays: never is one replaced.
        """

    def name_for(self, text: str, *, unique: str) -> str:
        """Make a safe file name, the same each time for the same paper."""

    async def save(
        self, name: str, chunks: AsyncIterator[bytes], *, starts_with: bytes
    ) -> SavedFile:
        """Save one document.

        The file appears whole, synced and under its final name, or not at all.
        Another file of that name is kept aside.

        Raises:
            ServiceError: The bytes do not begin with `starts_with`, or are a PDF
                without its end.
            ResultNotWritable: The file cannot be written.
        """


class ExportFolder(PaperFolder, Protocol):
    """A folder that an export of receipts fills."""

    def finish(self, export: ReceiptExport) -> None:
        """Write the manifests and the workbook of the export."""


class Spool(Protocol):
    """Keeps objects on the disk while a list is read: memory holds their ids alone."""

    def put(self, item: Mapping[str, object]) -> int:
        """Keep an object; give where it lies."""

    def get(self, place: int) -> Mapping[str, object]:
        """Give the object that lies there."""


class EarlierList(Protocol):
    """An earlier export of the same list, as kawe wrote it."""

    @property
    def written_at(self) -> datetime:
        """Say when it was written."""

    def ids(self) -> Collection[str]:
        """Give the ids of its records."""

    def get(self, record_id: str) -> Mapping[str, object] | None:
        """Give one of its objects."""
