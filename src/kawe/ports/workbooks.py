"""What the flows need of workbooks, schemas, places and files."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from kawe.domain.service.papers import ListedFile, ReceiptExport, SavedFile
from kawe.domain.sheet.columns import Column, SheetKind
from kawe.domain.sheet.content import Attachment
from kawe.domain.sheet.findings import Finding
from kawe.domain.sheet.refs import CellRef
from kawe_places.values import CellValue, GivenPlace, Location


class RowChecker(Protocol):
    """Checks the values of one row against the schema of its kind."""

    def columns(self, kind: SheetKind) -> tuple[Column, ...]:
        """Give the columns of `kind` in the template's order."""
        ...

    def problems(
        self, kind: SheetKind, values: Mapping[str, CellValue]
    ) -> tuple[tuple[str, str, str, str], ...]:
        """List every rule that `values` breaks: (field, rule, message, advice).

        Only the value's shape is checked, not what needs several fields or the service.
        """
        ...


class Suggester(Protocol):
    """Finds names that may have been meant for one another."""

    def nearest(self, name: str, *, among: Sequence[str]) -> tuple[str, ...]:
        """Give up to three of `among` that are nearly `name`, the nearest first.

        They are suggestions for a person only.
        """
        ...

    def misspelt(self, name: str, *, among: Sequence[str]) -> tuple[str, ...]:
        """Give up to three of `among` spelt like `name`, the nearest first.

        Looser than `nearest`, and the words stand in their order.
        """
        ...


class Places(Protocol):
    """Understands what people type as a place."""

    def locate(self, given: Sequence[GivenPlace]) -> tuple[Location, ...]:
        """Read each given place, none of them empty; same order, same length."""
        ...


class Attachments(Protocol):
    """Finds the files that rows name, below one root folder."""

    def find(
        self, names: Sequence[str], *, where: CellRef, heading: str
    ) -> tuple[tuple[Attachment, ...], tuple[Finding, ...]]:
        """Find, measure and hash the files that one cell names.

        A name may be a pattern. Nothing outside the root is ever opened.
        """
        ...

    def lie_together(self) -> tuple[str, str] | None:
        """Say in which one folder all files lie that were not found so far.

        The words are what is wrong with each, and what to do; None where there is no
        such folder.
        """
        ...


class PaperFolder(Protocol):
    """A folder of documents with a list of their hashes, filled by many runs."""

    def take_stock(self) -> Mapping[str, ListedFile]:
        """Compare every file that the list names with its hash; by file name.

        An altered file is renamed, and stays: never is one replaced.

        Raises:
            ResultNotWritable: An altered file cannot be put aside.
        """
        ...

    def name_for(self, text: str, *, unique: str) -> str:
        """Make a safe file name, the same each time for the same paper."""
        ...

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
        ...


class ExportFolder(PaperFolder, Protocol):
    """A folder that an export of receipts fills."""

    def finish(self, export: ReceiptExport) -> None:
        """Write the manifests and the workbook of the export.

        Raises:
            ResultNotWritable: They cannot be written.
        """
        ...


class Spool(Protocol):
    """Keeps objects on the disk while a list is read: memory holds their ids alone."""

    def put(self, item: Mapping[str, object]) -> int:
        """Keep an object; give where it lies."""
        ...

    def get(self, place: int) -> Mapping[str, object]:
        """Give the object that lies there."""
        ...


class EarlierList(Protocol):
    """An earlier export of the same list, as kawe wrote it."""

    @property
    def written_at(self) -> datetime:
        """Say when it was written."""
        ...

    def ids(self) -> Collection[str]:
        """Give the ids of its records."""
        ...

    def get(self, record_id: str) -> Mapping[str, object] | None:
        """Give one of its objects."""
        ...
