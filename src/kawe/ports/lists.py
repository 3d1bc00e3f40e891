"""What an export of a list needs beside the service: room on the disk, and files."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Protocol

from kawe.domain.service.lists import ListRecord


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


class ListOutput(Protocol):
    """The files of an export, open to be written."""

    def put(self, record: ListRecord) -> None:
        """Add one record.

        Raises:
            ResultNotWritable: The disk does not take it.
        """
        ...
