"""How a workbook is read and checked, as a person chooses it.

The command line shows it as options: it imports little, so that help is quick.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import Any, Final

from kawe.domain.sheet.columns import SheetKind

PATHS: Final = ("workbook", "files_root", "places", "message")
"""The fields of a reading that name a file or a folder."""
_OF: Final = "option"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingOption:
    """What people call a field of a reading, and what it does, for every face."""

    name: str
    """A word; or two, for yes and for no, with / between."""
    says: str
    """A sentence without its full stop; of what is accepted, what that is."""
    is_accepted: bool = False
    """It takes with a warning what is an error otherwise."""
    needs: str = ""
    """Columns, or the word draft: a kind that has none of them has no use for it."""

    @property
    def called(self) -> str:
        """Name it as people type it: "accept repeats"."""
        return f"accept {self.name}" if self.is_accepted else self.name

    @property
    def label(self) -> str:
        return f"Accept {self.says}" if self.is_accepted else self.says


def _value(
    name: str,
    says: str,
    needs: str = "",
    *,
    default: object = None,
    is_accepted: bool = False,
) -> Any:  # noqa: ANN401 - as of a field
    option = ReadingOption(name=name, says=says, is_accepted=is_accepted, needs=needs)
    return field(default=default, metadata={_OF: option})


_flag = partial(_value, default=False)
_accepted = partial(_flag, is_accepted=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingChoices:
    """How a sheet is read and checked: the one table of what people may choose.

    The name of a field is its key in plans and in Python.
    """

    kind: SheetKind | None = _value(  # noqa: RUF009 - a field
        "kind", "What the rows are; found from the sheet otherwise"
    )
    sheet: str | None = _value("sheet", "Name of the sheet to read")
    table: str | None = _value(
        "table",
        "Of several tables on the sheet, the one whose first heading stands in "
        "this cell",
    )
    send_by_default: bool = _flag(
        "send",
        "Send every row that is ready; a row whose cell in the column Send says no "
        "stays a draft",
        "draft",
    )
    is_strict: bool = _flag(
        "strict", "Leave out rows with warnings too, as rows to correct"
    )
    include_hidden: bool = _flag("include-hidden", "Read hidden and filtered rows too")
    takes_struck: bool | None = _value(
        "include-struck/skip-struck",
        "Read struck-through rows and cells, or skip such rows",
    )
    """None: such rows stop the reading."""
    accepts_coordinates: bool = _accepted(
        "coordinates", "the one place that mistyped coordinates can mean", "latitude"
    )
    accepts_addresses: bool = _accepted(
        "addresses", "the only near address of the table of places", "address"
    )
    accepts_repeats: bool = _accepted(
        "repeats", "rows like what is there already", "draft occasion"
    )
    accepts_references: bool = _accepted(
        "references", "references that stand beside other rows than before", "draft"
    )
    accepts_patterns: bool = _accepted(
        "patterns", "patterns of many files, or of any folder", "files"
    )
    accepts_missing: bool = _accepted(
        "missing", "that rows no longer in the workbook leave"
    )
    accepts_off: bool = _accepted("off", "rows that say they are off")
    accepts_months_first: bool = _accepted("months-first", "dates with the month first")
    allows_owners: bool = _flag(
        "allow-owner", "Let the workbook invite owners, who may do everything", "role"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading(ReadingChoices):
    """A workbook, how it is read and checked, and what is read beside it."""

    workbook: Path
    files_root: Path | None = _value("files", "Folder of the attachments", "files")  # noqa: RUF009 - a field
    places: Path | None = _value(  # noqa: RUF009 - a field
        "places",
        "Table of addresses with coordinates (.xlsx or .csv), for rows that say an "
        "address alone",
        "address",
    )
    message: Path | None = _value(  # noqa: RUF009 - a field
        "message",
        "Text for rows without a message, with fields such as {name}",
        "draft",
    )
    given: Mapping[str, str] = field(default_factory=dict)
    """By field, the value of rows that have none."""

    def __post_init__(self) -> None:
        # A person or a program may say a path, or a kind, in letters.
        for name in (*PATHS, "kind"):
            if isinstance(said := getattr(self, name), str):
                meant = SheetKind.named(said) if name == "kind" else Path(said)
                object.__setattr__(self, name, meant)

    @property
    def root(self) -> Path:
        return self.files_root or self.workbook.parent


READING_OPTIONS: Final[Mapping[str, ReadingOption]] = {
    each.name: each.metadata[_OF] for each in fields(Reading) if each.metadata
}
"""By the field of a reading."""
