"""A folder of papers: each document whole, in its list, or not there.

Documents that come at the same time reach the disk together: their bytes are synced,
they get their names, and the folder is synced. The list is written anew after every
fifty, and at the end. What was killed between has files that no list names: the next
run fetches those again, and compares them.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import secrets
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from kawe import durable
from kawe.domain.service.papers import FileFinding, FileTrouble, ListedFile, SavedFile
from kawe.domain.text.next_steps import Next
from kawe.domain.text.texts import one_line
from kawe.errors import ContractBroken
from kawe.files.saving import (
    ASIDE,
    LARGEST_BYTES,
    LIST_NAME,
    HashList,
    hash_plainly,
    read_list,
    safe_name,
    unwritable,
)

# A download that goes on writes more often: no connection waits longer for bytes.
_DEAD_SECONDS: Final = 120.0
_LIST_EVERY: Final = 50
_ENDING: Final = re.compile(r"\.[A-Za-z0-9]{1,10}")
_PDF: Final = b"%PDF"
_PDF_END: Final = b"%%EOF"
# A reader looks for the end of a PDF so far from the last byte (ISO 32000, H.3).
_END_BYTES: Final = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperPlace:
    """Where the files of a folder lie, its list, and what was altered."""

    files: Path
    listed: Path
    aside: Path
    prefix: str = ""
    """What the list writes before the name of each file."""

    @classmethod
    def plain(cls, folder: Path) -> PaperPlace:
        return cls(files=folder, listed=folder / LIST_NAME, aside=folder / ASIDE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Landing:
    """A document that came whole and waits to be put in its place."""

    temporary: durable.Temporary
    name: str
    sha256: str
    done: asyncio.Future[FileFinding | None]


@dataclass(slots=True, kw_only=True)
class _Coming:
    """What is known of a document while it comes."""

    digest: hashlib._Hash = field(default_factory=hashlib.sha256)
    size_bytes: int = 0
    head: bytes = b""
    tail: bytes = b""

    def take(self, chunk: bytes) -> None:
        self.digest.update(chunk)
        self.size_bytes += len(chunk)
        if len(self.head) < len(_PDF):
            self.head = (self.head + chunk)[: len(_PDF)]
        self.tail = (self.tail + chunk)[-_END_BYTES:]
        if self.size_bytes > LARGEST_BYTES:
            raise ContractBroken(message="A document is larger than 256 MiB.")

    def check(self, *, starts_with: bytes) -> None:
        """Compare what came with what it should be, from its beginning to its end."""
        again = f"{Next.AGAIN}; if it stays so, ask the service."
        if not self.head.startswith(starts_with):
            raise ContractBroken(
                message="The service sent something that is no PDF.", hint=again
            )
        if starts_with == _PDF and _PDF_END not in self.tail:
            raise ContractBroken(
                message="The service sent a PDF whose end is missing.", hint=again
            )


class ListedFolder:
    """Implements the port `PaperFolder`."""

    def __init__(self, place: PaperPlace) -> None:
        self.place = place
        self.hashes: dict[str, str] = {}
        """Of each file that the list names, also of one that is missing."""
        self._names: dict[str, str] = {}
        self._waiting: list[_Landing] = []
        self._landing: list[_Landing] = []
        self._unlisted = 0
        self._lander: asyncio.Task[None] | None = None

    def take_stock(self) -> Mapping[str, ListedFile]:
        """Compare each listed file with its hash; keep altered ones aside."""
        try:
            listed = read_list(self.place.listed)
        except OSError:
            listed = HashList(hashes={}, odd_lines=0)
        found = {}
        for path, sha256 in listed.hashes.items():
            name = path.removeprefix(self.place.prefix)
            # An edited list must not name a file outside the folder.
            if path.startswith(self.place.prefix) and safe_name(name, "") == name:
                found[name] = self._as_it_lies(name, sha256=sha256)
        self.hashes = {name: each.sha256 for name, each in found.items()}
        return found

    def _as_it_lies(self, name: str, *, sha256: str) -> ListedFile:
        size_bytes, finding = None, None
        try:
            size_bytes, now = hash_plainly(self.place.files / name)
        except FileNotFoundError:
            finding = FileFinding(
                file=name, trouble=FileTrouble.MISSING, what="was not there any more"
            )
        except OSError:
            finding = self._put_aside(name, mark=secrets.token_hex(4))
        else:
            if now != sha256:
                size_bytes, finding = None, self._put_aside(name, mark=now[:8])
        return ListedFile(sha256=sha256, size_bytes=size_bytes, finding=finding)

    def name_for(self, text: str, *, unique: str, ending: str = ".pdf") -> str:
        """Make a safe file name; equal names get a part of the id."""
        if self.place.prefix:
            # A list of BagIt writes this sign in another way than sha256sum.
            text = text.replace("%", "_")
        ending = ending if _ENDING.fullmatch(ending) else ""
        name = safe_name(f"{one_line(text, limit=100)}{ending}", f"paper{ending}")
        if self._names.setdefault(name.casefold(), unique) != unique:
            mark = hashlib.sha256(unique.encode()).hexdigest()[:8]
            name = f"{name.removesuffix(ending)} {mark}{ending}"
        return name

    async def save(
        self, name: str, chunks: AsyncIterator[bytes], *, starts_with: bytes
    ) -> SavedFile:
        """Save one document."""
        coming = _Coming()
        with self.written():
            durable.make_folder(self.place.files)
            # An archive takes nothing beside papers: what is unfinished lies elsewhere.
            with durable.temporary_in(self.place.listed.parent) as temporary:
                async for chunk in chunks:
                    temporary[0].write(chunk)
                    coming.take(chunk)
                coming.check(starts_with=starts_with)
                sha256 = coming.digest.hexdigest()
                finding = await self._land(temporary, name, sha256=sha256)
        return SavedFile(size_bytes=coming.size_bytes, sha256=sha256, finding=finding)

    async def _land(
        self, temporary: durable.Temporary, name: str, *, sha256: str
    ) -> FileFinding | None:
        done: asyncio.Future[FileFinding | None] = (
            asyncio.get_running_loop().create_future()
        )
        self._waiting.append(
            _Landing(temporary=temporary, name=name, sha256=sha256, done=done)
        )
        if self._lander is None or self._lander.done():
            self._lander = asyncio.create_task(self._land_all())
            self._lander.add_done_callback(self._let_go)
        try:
            return await asyncio.shield(done)
        except asyncio.CancelledError:
            # The file must stay open until the disk has it.
            await asyncio.wait([done])
            if not done.cancelled():
                # Also an error counts as heard.
                done.exception()
            raise

    def _let_go(self, ended: asyncio.Task[None]) -> None:
        """Let nobody wait for what a stopped run does not put in its place any more."""
        if not ended.cancelled() and ended.exception() is None:
            return
        for each in (*self._landing, *self._waiting):
            each.done.cancel()

    async def _land_all(self) -> None:
        while self._waiting:
            group, self._waiting = self._waiting, []
            self._landing = group
            try:
                found = await asyncio.to_thread(self._put_group, group)
            except OSError as trouble:
                for each in group:
                    each.done.set_exception(trouble)
            else:
                self.hashes |= {each.name: each.sha256 for each in group}
                self._unlisted += len(group)
                await self._list_sometimes()
                for each in group:
                    each.done.set_result(found.get(each.name))

    async def _list_sometimes(self) -> None:
        """Write the list now and then, so that a killed run has little to do again."""
        if self._unlisted < _LIST_EVERY:
            return
        self._unlisted = 0
        # What cannot be written now is said at the end.
        with suppress(OSError):
            await asyncio.to_thread(self._write_lines, dict(self.hashes))

    def _put_group(self, group: list[_Landing]) -> dict[str, FileFinding]:
        """Put documents in their places; runs in a thread."""
        found = {}
        for each in group:
            if (finding := self._make_room(each.name, sha256=each.sha256)) is not None:
                found[each.name] = finding
        durable.put_all(
            [(each.temporary, self.place.files / each.name) for each in group]
        )
        return found

    def _make_room(self, name: str, *, sha256: str) -> FileFinding | None:
        """Keep another file aside that has the name of a new one."""
        path = self.place.files / name
        if not os.path.lexists(path):
            return None
        try:
            _, there = hash_plainly(path)
        except OSError:
            there = secrets.token_hex(4)
        return None if there == sha256 else self._put_aside(name, mark=there[:8])

    def _put_aside(self, name: str, *, mark: str) -> FileFinding:
        path = self.place.files / name
        kept = self.place.aside / f"{path.stem} {mark}{path.suffix}"
        with self.written():
            durable.make_folder(self.place.aside)
            path.replace(kept)
            durable.sync_folder(self.place.aside)
            durable.sync_folder(path.parent)
        return FileFinding(
            file=name,
            trouble=FileTrouble.ALTERED,
            what=f"the altered file is kept as {kept.parent.name}/{kept.name}",
        )

    def write_list(self) -> None:
        """Write the list anew, in order; remove files of killed runs.

        Raises:
            ResultNotWritable: It cannot be written.
        """
        with self.written():
            durable.make_folder(self.place.files)
            self._write_lines(self.hashes)
            durable.sweep(self.place.listed.parent, after_seconds=_DEAD_SECONDS)

    def _write_lines(self, hashes: Mapping[str, str]) -> None:
        with durable.replacing(self.place.listed) as file:
            for name in sorted(hashes):
                file.write(f"{hashes[name]}  {self.place.prefix}{name}\n".encode())

    @contextmanager
    def written(self) -> Iterator[None]:
        """Raise `ResultNotWritable` where the disk refuses what is done within."""
        try:
            yield
        except OSError as trouble:
            raise unwritable(self.place.files) from trouble


def list_together(folder: Path, lists: Iterable[str]) -> None:
    """List all that the `lists` of hashes below a folder name, and these lists too."""
    whole = ListedFolder(PaperPlace.plain(folder))
    with whole.written():
        for name in lists:
            path = folder / name
            if os.path.lexists(path):
                below = name.removesuffix(path.name)
                found = read_list(path).hashes
                whole.hashes |= {f"{below}{e}": sha256 for e, sha256 in found.items()}
                _, whole.hashes[name] = hash_plainly(path)
        whole.write_list()
