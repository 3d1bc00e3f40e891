"""What the flows need of the service.

`Acts` change the world and are never repeated; `Lookups` only read and may be.
`Acts` get nothing to retry with.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Final, Protocol, TypeAlias, TypeVar

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
from kawe.domain.sheet.content import Attachment
from kawe_places.values import Place

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
