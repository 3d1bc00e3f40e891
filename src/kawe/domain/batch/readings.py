"""How a workbook is read and checked, as a person chooses it.

The command line shows it as options: it imports little, so that help is quick.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final, get_type_hints

from kawe.domain.sheet.columns import SheetKind


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingOption:
    """What people call a field of a reading, and what it does, for every face."""

    name: str
    """A word; or two, for yes and for no, with / between."""
    says: str
    """A sentence without its full stop; of what is accepted, what that is."""
    is_accepted: bool = False
    """It takes with a warning what is an error otherwise."""

    @property
    def label(self) -> str:
        return f"Accept {self.says}" if self.is_accepted else self.says


def _option(name: str, says: str) -> ReadingOption:
    return ReadingOption(name=name, says=says)


def _accepted(name: str, says: str) -> ReadingOption:
    return ReadingOption(name=name, says=says, is_accepted=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingChoices:
    """How a sheet is read and checked: the one table of what people may choose.

    The name of a field is its key in plans and in Python.
    """

    kind: Annotated[
        SheetKind | None,
        _option("kind", "What the rows are; found from the sheet otherwise"),
    ] = None
    sheet: Annotated[str | None, _option("sheet", "Name of the sheet to read")] = None
    table: Annotated[
        str | None,
        _option(
            "table",
            "Of several tables on the sheet, the one whose first heading stands in "
            "this cell",
        ),
    ] = None
    send_by_default: Annotated[
        bool,
        _option(
            "send",
            "Send every row that is ready; a row whose cell in the column Send says no "
            "stays a draft",
        ),
    ] = False
    is_strict: Annotated[
        bool, _option("strict", "Leave out rows with warnings too, as rows to correct")
    ] = False
    include_hidden: Annotated[
        bool, _option("include-hidden", "Read hidden and filtered rows too")
    ] = False
    takes_struck: Annotated[
        bool | None,
        _option(
            "include-struck/skip-struck",
            "Read struck-through rows too, or leave them out",
        ),
    ] = None
    """None: such rows stop the reading."""
    accepts_coordinates: Annotated[
        bool,
        _accepted("coordinates", "the one place that mistyped coordinates can mean"),
    ] = False
    accepts_addresses: Annotated[
        bool,
        _accepted("addresses", "the only near address of the table of places"),
    ] = False
    accepts_repeats: Annotated[
        bool, _accepted("repeats", "rows that look like a project of before")
    ] = False
    accepts_references: Annotated[
        bool,
        _accepted("references", "references that stand beside other rows than before"),
    ] = False
    accepts_patterns: Annotated[
        bool,
        _accepted("patterns", "patterns that mean many files, or files of any folder"),
    ] = False
    accepts_missing: Annotated[
        bool,
        _accepted("missing", "that rows which are no longer in the workbook leave"),
    ] = False
    allows_owners: Annotated[
        bool,
        _option("allow-owner", "Let the workbook invite owners, who may do everything"),
    ] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading(ReadingChoices):
    """A workbook, how it is read and checked, and what is read beside it."""

    workbook: Path
    files_root: Annotated[
        Path | None, _option("files", "Folder of the attachments")
    ] = None
    places: Annotated[
        Path | None,
        _option(
            "places",
            "Table of addresses with coordinates (.xlsx or .csv), for rows that say an "
            "address alone",
        ),
    ] = None
    message: Annotated[
        Path | None,
        _option(
            "message", "Text for rows without a message, with fields such as {name}"
        ),
    ] = None
    given: Mapping[str, str] = field(default_factory=dict)
    """By field, the value of rows that have none."""

    @property
    def root(self) -> Path:
        return self.files_root or self.workbook.parent


READING_OPTIONS: Final[Mapping[str, ReadingOption]] = {
    name: option
    for name, hint in get_type_hints(Reading, include_extras=True).items()
    for option in getattr(hint, "__metadata__", ())
}
"""By the field of a reading."""
