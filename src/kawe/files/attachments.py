"""Finds the files that rows name; measures, hashes and identifies them.

The upload must send this size and hash, so a later change is noticed. An error is a
finding on the cell that names the file.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Final, TypeAlias

from kawe.contract.limits import UPLOAD_MAX_BYTES
from kawe.domain.sheet.content import Attachment
from kawe.domain.sheet.findings import FILE_MISSING, Finding
from kawe.domain.sheet.refs import CellRef
from kawe.domain.text.listing import BETWEEN_FILES, parts_of
from kawe.domain.text.texts import one_line
from kawe.files.content_types import content_type, is_not_as_named
from kawe.files.folders import Folders, TooManyFiles
from kawe.files.saving import safe_name
from kawe.files.troubles import (
    MOST_FILES,
    MOST_UNASKED,
    Trouble,
    ambiguous,
    emptied,
    gathered,
    linked_out,
    listed,
    not_a_file,
    not_as_named,
    secret,
    shown_name,
    too_large,
    too_many,
    unlisted,
    unreadable,
    unsettled,
    wide,
)
from kawe.files.wanted import (
    ANY_DEPTH,
    Forbidden,
    Wanted,
    a_pattern_may_mean,
    is_secret,
    read_name,
)
from kawe.ports import Suggester

# Neither a pipe without a writer nor a new link is opened.
_OPEN_FLAGS: Final = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
)


_SEVERAL: Final = 2
"""So many files are said to lie together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """One file that can be sent, and its remarks."""

    attachment: Attachment
    trouble: Trouble | None = None


_Result: TypeAlias = _Found | Trouble


class FolderAttachments:
    """An Attachments over one folder.

    A pattern never matches `excluding`, such as the workbook, which would show all rows
    to every iwi, or other tables. A file that looks like a key is never attached. A
    pattern for many files needs a person's agreement.
    """

    def __init__(
        self,
        root: Path,
        *,
        suggester: Suggester,
        excluding: Collection[Path] = (),
        accepts_patterns: bool = False,
    ) -> None:
        self._folders = Folders(root, suggester=suggester)
        self._accepts_patterns = accepts_patterns
        self._excluded = frozenset(os.path.realpath(path) for path in excluding)
        self._known: dict[tuple[Path, int, int], _Result] = {}
        self._missed: dict[Wanted, None] = {}
        self._met: set[Path] = set()

    def find(
        self, names: Sequence[str], *, where: CellRef, heading: str
    ) -> tuple[tuple[Attachment, ...], tuple[Finding, ...]]:
        """Find, measure and hash the files of one cell, each once."""
        attachments: dict[Path, Attachment] = {}
        findings: dict[Finding, None] = {}
        for name in names:
            for result in self._find_one(name):
                trouble = result.trouble if isinstance(result, _Found) else result
                if isinstance(result, _Found):
                    attachments.setdefault(result.attachment.path, result.attachment)
                if trouble is not None:
                    told = trouble.at(where, heading=heading, name=name)
                    findings[told] = None
        return tuple(attachments.values()), tuple(findings)

    def lie_together(self) -> tuple[str, str] | None:
        """Say of all missing files in which one folder they lie; None: in none."""
        if len(self._missed) < _SEVERAL:
            return None
        folder = self._folders.one_with([*self._missed])
        if folder is None:
            return None
        shown = folder.relative_to(self._folders.root).as_posix()
        is_whole = all(path.is_relative_to(folder) for path in self._met)
        return gathered(len(self._missed), shown, folder=folder if is_whole else None)

    def _find_one(self, name: str) -> Iterable[_Result]:
        wanted = read_name(name)
        if isinstance(wanted, Forbidden):
            return [
                Trouble(
                    rule="file-outside", message=wanted.message, advice=wanted.advice
                )
            ]
        try:
            paths = self._folders.find(wanted)
        except TooManyFiles:
            return [too_many(name)]
        if wanted.is_pattern:
            paths = tuple(path for path in paths if self._is_meant(path))
        self._met.update(paths)
        if not paths:
            listed = self._listed(name)
            if not listed:
                self._missed[wanted] = None
            return listed or [self._missing(wanted, name)]
        if wanted.is_pattern:
            return self._many(wanted, name, paths)
        if len(paths) > 1:
            return [ambiguous(name, paths)]
        return [self._examine(paths[0])]

    def _many(
        self, wanted: Wanted, name: str, paths: Sequence[Path]
    ) -> Iterable[_Result]:
        if len(paths) > MOST_FILES:
            return [too_many(name)]
        if ANY_DEPTH not in wanted.parts and len(paths) <= MOST_UNASKED:
            return map(self._examine, paths)
        shown = [path.relative_to(self._folders.root).as_posix() for path in paths]
        trouble = wide(name, shown, accepted=self._accepts_patterns)
        if not self._accepts_patterns:
            return [trouble]
        return [trouble, *map(self._examine, paths)]

    def _is_meant(self, path: Path) -> bool:
        real = Path(os.path.realpath(path))
        return (
            not path.is_dir()
            and str(real) not in self._excluded
            and a_pattern_may_mean(path.name)
            and a_pattern_may_mean(real.name)
        )

    def _examine(self, path: Path) -> _Result:
        shown = shown_name(path.name)
        try:
            real = path.resolve(strict=True)
            mode = real.stat().st_mode
        except (OSError, RuntimeError):
            return unreadable(shown)
        if not self._folders.is_inside(real):
            return linked_out(shown)
        # A link may have another name than its target.
        if is_secret(path.name) or self._folders.is_kept_back(real):
            return secret(shown)
        # To open a pipe or device can have an effect.
        if not stat.S_ISREG(mode):
            return not_a_file(shown, is_folder=stat.S_ISDIR(mode))
        try:
            with os.fdopen(os.open(real, _OPEN_FLAGS), "rb") as file:
                status = os.fstat(file.fileno())
                key = (path, status.st_mtime_ns, status.st_size)
                if key not in self._known:
                    self._known[key] = _read(file, path=real, name=path.name)
                return self._known[key]
        except OSError:
            return unreadable(shown)

    def _listed(self, name: str) -> list[_Result]:
        """Find the files of a list without ;, if each is there."""
        parts = self._parts(name)
        if len(parts) < 2 or not all(is_known for _, is_known in parts):
            return []
        return [
            listed([part for part, _ in parts]),
            *(result for part, _ in parts for result in self._find_one(part)),
        ]

    def _is_there(self, name: str) -> bool:
        wanted = read_name(name)
        try:
            return isinstance(wanted, Wanted) and any(
                path.is_file() for path in self._folders.find(wanted)
            )
        except TooManyFiles:
            return False

    def _missing(self, wanted: Wanted, name: str) -> Trouble:
        shown, root = shown_name(name), one_line(str(self._folders.root), limit=120)
        if wanted.is_pattern:
            return Trouble(
                rule=FILE_MISSING,
                message=f"No file in {root} is called like {shown}.",
                advice="Check the pattern, or put the files there. Workbooks, tables "
                "and JSON files go by their own names alone.",
            )
        parts = self._parts(name)
        if len(parts) > 1:
            return unlisted(shown, root, parts)
        near = [shown_name(each) for each in self._folders.near(wanted)]
        return Trouble(
            rule=FILE_MISSING,
            message=f"There is no file {shown} in {root}.",
            advice=f"Did you mean {' or '.join(near)}?"
            if near
            else "Check the name, or put the file there.",
        )

    def _parts(self, name: str) -> tuple[tuple[str, bool], ...]:
        return parts_of(name, between=BETWEEN_FILES, is_known=self._is_there)


def _read(file: BufferedReader, *, path: Path, name: str) -> _Result:
    """Measure, hash and identify an open file.

    Raises:
        OSError: It cannot be read to its end.
    """
    before = os.fstat(file.fileno())
    shown = shown_name(name)
    if not stat.S_ISREG(before.st_mode):
        return not_a_file(shown, is_folder=False)
    if before.st_size == 0:
        return emptied(shown)
    if before.st_size > UPLOAD_MAX_BYTES:
        return too_large(shown, before.st_size)
    sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    size_bytes = file.tell()
    kind = content_type(file, name=name, size_bytes=size_bytes)
    after = os.fstat(file.fileno())
    if (before.st_size, before.st_mtime_ns) != (size_bytes, after.st_mtime_ns):
        return unsettled(shown)
    attachment = Attachment(
        path=path,
        name=safe_name(name, "attachment"),
        mime_type=kind,
        size_bytes=size_bytes,
        sha256=sha256,
    )
    if is_not_as_named(kind, name=name):
        return _Found(attachment=attachment, trouble=not_as_named(shown))
    return _Found(attachment=attachment)
