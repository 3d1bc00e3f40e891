"""What one row says: once it is found right, or as far as it can be read."""

from dataclasses import Field, dataclass, fields
from datetime import date
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self, TypeAlias

from kawe.domain.text.new_zealand import short_day_words
from kawe_places.values import Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """One file of a row, as it was when it was checked."""

    path: Path
    name: str
    mime_type: str
    size_bytes: int
    sha256: str

    @classmethod
    def of_json(cls, values: dict[str, Any]) -> Self:
        """Read it back: JSON knows no paths."""
        return cls(**{**values, "path": Path(values["path"])})


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """Whom iwi can talk to about a project."""

    name: str
    role: str
    phone: str
    email: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OrganisationContent:
    """The organisation that a project is for."""

    name: str
    address: str | None = None
    city: str | None = None
    country: str | None = None
    postcode: str | None = None
    place: Place | None = None


def values_of(value: Any, kind: Any = None) -> dict[str, Any]:  # noqa: ANN401 - any dataclass
    """Give the fields of a dataclass by name, or those that it has of a `kind`."""
    # Not `dataclasses.asdict`: its deep copies take four times as long.
    return {each.name: getattr(value, each.name) for each in fields(kind or value)}


class _Usual(Protocol):
    """What is so of a row unless its kind says something else."""

    __slots__ = ("__weakref__",)

    @property
    def once_by(self) -> str:
        """Give what must agree in two rows of one key so that they count once.

        Empty: two such rows are a mistake.
        """
        return ""

    @property
    def target_id(self) -> str:
        """Give the id of what its name was found to mean; empty: nothing was found."""
        return ""

    @property
    def changes(self) -> tuple[tuple[str, str, str], ...]:
        """Give what it changes by field, as that was found to be and is to be."""
        return ()

    @property
    def changed(self) -> tuple[str, ...]:
        """Say of each field what it changes, from what to what."""
        return ()

    @property
    def turns_in(self) -> str:
        """Give the id of where such rows cost a token and nothing in turn; or empty."""
        return ""

    @property
    def owner_words(self) -> str:
        """Name a person who is to be an owner; or empty."""
        return ""


class Said(_Usual, Protocol):
    """What a row of any sheet says, as far as its cells can be read."""

    @property
    def identified_by(self) -> tuple[str, str]:
        """Give the field that two equal rows share, and what people call it."""

    @property
    def project(self) -> "ProjectSaid | None":
        """Give the project that it is about; None where it is about something else."""

    @property
    def files(self) -> tuple[Attachment, ...]: ...
    @property
    def organisation(self) -> OrganisationContent | None: ...
    @property
    def unclear(self) -> frozenset[str]: ...


class Content(Said, Protocol):
    """What a row of any sheet says that is right, whatever its kind.

    A frozen dataclass of texts, numbers, days and dataclasses.
    """

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    def name(self) -> str: ...
    @property
    def project(self) -> "ProjectContent | None": ...
    @property
    def place(self) -> Place | None: ...
    @property
    def priority_order(self) -> float | None: ...
    @property
    def reference(self) -> str | None: ...
    @property
    def respond_by_on(self) -> date | None: ...
    @property
    def send(self) -> bool: ...


class PlainContent(_Usual):
    """The content of a row that is about no project."""

    __slots__ = ()
    project: ClassVar[None] = None
    organisation: ClassVar[None] = None
    place: ClassVar[None] = None
    priority_order: ClassVar[None] = None
    reference: ClassVar[None] = None
    respond_by_on: ClassVar[None] = None
    send: ClassVar[bool] = False
    unclear: ClassVar[frozenset[str]] = frozenset()

    @property
    def files(self) -> tuple[Attachment, ...]:
        return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfProject(_Usual):
    """What is the same of a projects row that is right, and of one with mistakes."""

    reference: str | None = None
    address: str | None = None
    place: Place | None = None
    iwi: tuple[str, ...] = ()
    """Slugs; empty where the service routes the project itself."""
    organisation: OrganisationContent | None = None
    files: tuple[Attachment, ...] = ()
    send: bool = False

    @property
    def project(self) -> Self:
        return self

    @property
    def identified_by(self) -> tuple[str, str]:
        """Give the reference; of a row without one, name, place and dates."""
        if self.reference:
            return "reference", "reference"
        return "name", "name, place and dates"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectContent(_OfProject):
    """What a row of a projects sheet says."""

    unclear: ClassVar[frozenset[str]] = frozenset()
    name: str
    description: str
    type: str
    phase: str | None = None
    start_on: date
    end_on: date
    respond_by_on: date
    contact: Contact | None = None
    message: str
    recipient_team_id: str | None = None
    priority_order: float | None = None
    """Who gets scarce tokens first; small numbers first, None last."""

    @property
    def days_words(self) -> str:
        """Read its days back: when it is, and until when iwi may answer."""
        days = self.start_on, self.end_on, self.respond_by_on
        return "{} to {}, answer by {}".format(*map(short_day_words, days))


@dataclass(frozen=True, slots=True, kw_only=True)
class PartOfProject(_OfProject):
    """What a row of a projects sheet says whose own cells have mistakes.

    What its cells do not say, or say so that it cannot be read, is None or empty.
    """

    name: str | None = None
    description: str | None = None
    start_on: date | None = None
    end_on: date | None = None
    respond_by_on: date | None = None
    unclear: frozenset[str] = frozenset()
    """With `place`, and `organisation_place`, for a place that is not understood."""


ProjectSaid: TypeAlias = ProjectContent | PartOfProject
