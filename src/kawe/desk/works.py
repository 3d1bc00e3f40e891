"""The workbooks that were put into the desk, each in a folder of its own.

They lie beside the journal of the profile, for their owner alone: the workbook as it
was given, how it is to be read, the plan, and the results.
"""

import json
import re
import secrets
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime
from pathlib import Path
from typing import IO, Any, Final

from kawe.cases import save_named
from kawe.cases.tray import files_in
from kawe.domain.batch.readings import Reading, ReadingChoices
from kawe.domain.service.states import RowKey
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.sheet.content import values_of
from kawe.durable import make_folder, replacing

_CARD: Final = "work.json"
_KEPT: Final = "name", "ready", "batch", "keys", "sheets"
BOOKS: Final = {".xlsx", ".xlsm", ".xls", ".xlsb", ".ods", ".csv", ".tsv", ".txt"}
_ID: Final = re.compile(r"[0-9]{8}-[0-9]{6}-[a-z0-9]{6}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices(ReadingChoices):
    """How a person wants a workbook read; as the options of a command."""

    places: str | None = None
    files_root: str | None = None
    """Folder of the attachments; None: the one beside the workbook."""
    drafts_only: bool = False
    skips_headings: bool = False
    """True: headings that kawe does not know are left unread."""
    signs: bool = False
    """True: it belongs to somebody else's plan, which this person signs."""
    given: Mapping[str, str] | None = None
    """By field, the value of rows that have none; None: nobody was asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One workbook and what belongs to it."""

    id: str
    folder: Path
    name: str
    """The name of the workbook's file."""
    made_at: datetime
    choices: Choices
    ready: int | None = None
    """Rows that the last check found ready; None: none was read."""
    batch: str = ""
    """The one to which it was found to belong, wherever that was submitted."""
    keys: Sequence[RowKey] = ()
    """Some of the rows that the last check found."""
    sheets: Sequence[str] = ()
    """Every list that the last check found."""

    @property
    def is_book(self) -> bool:
        return self.workbook.suffix.casefold() in BOOKS

    @property
    def workbook(self) -> Path:
        # In a folder of its own: nobody's name can be that of the plan or the card.
        return self.folder / "workbook" / self.name

    @property
    def files(self) -> Path:
        """Give the folder of the attachments that were put in with it.

        A pattern in the column Files must find nothing else.
        """
        return self.folder / "files"

    @property
    def folder_of_files(self) -> Path | None:
        """Give the folder that a person named; None: none."""
        named = self.choices.files_root
        return None if named is None else Path(named)

    @property
    def places(self) -> Path:
        return self.folder / "places"

    @property
    def plan(self) -> Path:
        return self.folder / "kawe.plan.json"

    @property
    def reading(self) -> Reading:
        """Say how it is read."""
        chosen, is_bare = self.choices, next(files_in(self.files), None) is None
        return Reading(
            workbook=self.workbook,
            places=None if chosen.places is None else self.places / chosen.places,
            files_root=(is_bare and self.folder_of_files) or self.files,
            given=chosen.given or {},
            **values_of(chosen, ReadingChoices),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Works:
    """Every workbook of one journal."""

    folder: Path

    def every(self) -> list[Work]:
        """List them, the newest first; what cannot be read is left out."""
        there = self.folder.iterdir() if self.folder.is_dir() else ()
        known = filter(None, (self.find(each.name) for each in there))
        return sorted(known, key=lambda each: each.made_at, reverse=True)

    def find(self, work_id: str) -> Work | None:
        """Find one by its id."""
        folder = self.folder / work_id
        if not _ID.fullmatch(work_id):
            return None
        try:
            card = json.loads((folder / _CARD).read_text("utf-8"))
            return Work(
                id=work_id,
                folder=folder,
                made_at=datetime.fromisoformat(card["made_at"]),
                choices=_choices(card["choices"]),
                **{each: card[each] for each in _KEPT if each in card},
            )
        except (OSError, ValueError, LookupError, TypeError):
            return None

    def move_to(self, other: "Works") -> None:
        """Take every workbook along; one that cannot be moved stays."""
        for each in self.every() if other != self else ():
            with suppress(OSError):
                make_folder(other.folder)
                each.folder.rename(other.folder / each.id)

    def add(
        self, name: str, content: IO[bytes], *, at: datetime, signs: bool = False
    ) -> Work:
        """Keep a workbook under a `name` that is safe for a file.

        Raises:
            OSError: It cannot be written.
        """
        work_id = f"{at:%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"
        work = Work(
            id=work_id,
            folder=self.folder / work_id,
            name=name,
            made_at=at,
            choices=Choices(signs=signs),
        )
        make_folder(work.files)
        make_folder(work.workbook.parent)
        put_file(work.workbook, content)
        self.keep(work)
        return work

    def keep(self, work: Work) -> None:
        """Write down how a workbook is to be read.

        Raises:
            ResultNotWritable: It cannot be written.
        """
        card: dict[str, Any] = {each: getattr(work, each) for each in _KEPT}
        card |= {"made_at": f"{work.made_at}", "choices": asdict(work.choices)}
        text = json.dumps(card, ensure_ascii=False, indent=2)
        save_named(work.folder / _CARD, text.encode(), called="card of the workbook")

    def change(self, work: Work, **chosen: Any) -> Work:  # noqa: ANN401 - fields of Choices
        """Write other choices down."""
        changed = replace(work, choices=_choices(asdict(work.choices) | chosen))
        self.keep(changed)
        return changed


def put_file(path: Path, content: IO[bytes]) -> None:
    """Write a file whole or not at all.

    Raises:
        OSError: It cannot be written.
    """
    with replacing(path) as file:
        shutil.copyfileobj(content, file)


def _choices(kept: dict[str, Any]) -> Choices:
    # What an earlier kawe kept under a name of its own is chosen again.
    known = {e.name: kept[e.name] for e in fields(Choices) if e.name in kept}
    kind = known.get("kind")
    return Choices(**{**known, "kind": None if kind is None else SheetKind.named(kind)})
