"""What the flows need from the world, as Protocols.

The docstrings in this package are the contracts: an adapter states only its surprises.
`Acts` change the service and are never repeated, and get nothing to retry with;
`Lookups` only read and may be.
"""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import date, datetime
from typing import Final, Protocol, TypeAlias, TypeVar

from kawe.domain.service.papers import ListedFile, ReceiptExport, SavedFile
from kawe.domain.service.service_words import (
    Account,
    DocumentId,
    IwiAnswer,
    Organisation,
    Page,
    Project,
    ProjectId,
    Receipt,
    TeamRoll,
)
from kawe.domain.service.states import Step, UploadVerdict, Verdict
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.sheet.content import Attachment
from kawe.domain.sheet.findings import CellRef, Finding
from kawe.ports.memory import AnswerMemory as AnswerMemory
from kawe.ports.memory import Journal as Journal
from kawe_places.values import CellValue, GivenPlace, Location, Place

T = TypeVar("T")
QueryValue: TypeAlias = str | int | Sequence[str]
"""A parameter of a list; several values are given as often as there are."""
NO_QUERY: Final[Mapping[str, QueryValue]] = {}


class Acts(Protocol):
    """Changes the world. Each call makes at most one request, never repeated.

    No call raises for what the service or the network does: the verdict says it. A
    cancelled call that had sent its first byte is `Unknown` to the reader of its
    intent.
    """

    async def create_draft(self, body: Mapping[str, object]) -> Verdict:
        """Create one draft from a CreateProjectBody with `draft` true.

        `Done` has the project's id. An answer with another name or reference is
        `Unknown`.
        """

    async def update(self, project: ProjectId, body: Mapping[str, object]) -> Verdict:
        """Change one draft (UpdateProjectBody). Read it back in any case."""

    async def send(self, project: ProjectId, body: Mapping[str, object]) -> Verdict:
        """Send one draft (SendProjectBody). 409 is `Unknown`: read it back."""

    async def invite(
        self, people: Sequence[Mapping[str, object]]
    ) -> tuple[Verdict, ...]:
        """Invite 1 to 200 people; one verdict each, in the order given.

        Answers are matched by e-mail address; a person who is not named is `Unknown`.
        The service skips people it already asked, so this act alone may be repeated
        after a doubt.
        """

    async def act(
        self,
        step: Step,
        operation: str,
        *,
        path: Mapping[str, str],
        body: Mapping[str, object],
    ) -> Verdict:
        """Take a step by any other operation of the contract.

        `path` fills in its address. `Done` says only that the service accepted it.
        """


class Lookups(Protocol):
    """Reads from the service; may be repeated at will.

    Every call may raise:
        ServiceUnreachable: No usable answer within the time budget.
        KeyRefused: 401.
        ScopeMissing: 403; the message names the scope.
        ContractBroken: An answer that the interface does not allow.
    """

    async def account(self) -> Account:
        """Say whom the key speaks for, and the balance."""

    async def iwi_at(self, place: Place) -> IwiAnswer:
        """Say which iwi a place belongs to."""

    async def project(self, project: ProjectId) -> Project | None:
        """Read one project; None when it is not visible to this key."""

    async def projects(
        self, *, page: int, search: str | None = None, status: str | None = None
    ) -> Page[Project]:
        """Read one page of up to 100 projects, newest first.

        The interface does not state the rule of `search`: always filter exactly
        afterwards.
        """

    async def organisations(self, *, page: int) -> Page[Organisation]:
        """Read one page of up to 100 organisations."""

    async def team(self, team_id: str) -> TeamRoll:
        """Read members and invitations."""

    async def receipts(self, team_id: str, *, page: int) -> Page[Receipt]:
        """Read one page of up to 100 receipts."""

    async def listed(
        self,
        operation: str,
        *,
        path: Mapping[str, str],
        page: int,
        query: Mapping[str, QueryValue] = NO_QUERY,
    ) -> Page[Mapping[str, object]]:
        """Read one page of any list of the contract, of up to 100 objects.

        A list without pages has them here too; a single object is a list of one.

        Raises:
            PathUnknown: 404: no such path, or not visible to this key.
        """


class Uploads(Protocol):
    """Brings files to the service by the presigned flow."""

    async def upload(self, attachment: Attachment) -> UploadVerdict:
        """Upload one file and finish the upload.

        The bytes sent are the bytes checked: a file whose size or hash changed is
        `NotUploaded(changed=True)`. Presign, storage and complete are repeated within a
        time budget; an unused document at the service costs nothing.

        Raises:
            ServiceError: No file can be brought.
        """


class Downloads(Protocol):
    """Fetches documents through short-lived links."""

    def chunks(self, document: DocumentId) -> AsyncIterator[bytes]:
        """Stream one document; the link is asked for just before use.

        The iteration ends normally only when every byte has come.

        Raises:
            ServiceError: The document could not be fetched, or was cut.
        """


class Turns(Protocol):
    """The turns of a look and of the act after it."""

    left_at: float
    """When the latest request left, as `Clock.elapsed` has it: the one answered."""
    waited_seconds: float
    """How long the rate limit has kept the very next turn since then."""


class Pace(Protocol):
    """Keeps requests within the service's rate limit."""

    async def turn(self) -> bool:
        """Wait until a request may go out. Called before the intent is noted.

        False: the person asked to stop, and nothing may go out.
        """

    def pair(self) -> AbstractAsyncContextManager[Turns | None]:
        """Wait until a look and the act after it may go out; None: asked to stop.

        Each takes its `turn` within. Where there is room for one request alone, the act
        takes the very next turn after the look.
        """

    @property
    def asked(self) -> int:
        """Say how many requests were made so far."""

    def forecast(self, requests: int) -> float | None:
        """Say in how many seconds that many requests more would be made, or None.

        It uses the windows and the pace seen so far.
        """


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
