"""The files that go with rows, as they are shown before anything is sent."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from kawe.domain.sheet.content import Attachment
from kawe.domain.text.next_steps import Given
from kawe.domain.text.texts import one_line, some_of

_FILES: Final = 5
_FOLDERS: Final = 5
_ROWS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownFile:
    """One file, by its place below the files folder, and the rows it goes with."""

    path: str
    size_bytes: int
    rows: tuple[int, ...]
    """As Excel counts them."""

    def words(self) -> str:
        """Say which file it is, how large, and whose."""
        rows = some_of([*map(str, self.rows)], shown=_ROWS)
        row = "row" if len(self.rows) == 1 else "rows"
        name = one_line(self.path, limit=200)
        return f"{name} ({size_words(self.size_bytes)}, {row} {rows})"


def path_below(root: Path, file: Attachment) -> str:
    """Say where a file lies below the files folder; its name where it does not."""
    try:
        return file.path.relative_to(root).as_posix()
    except ValueError:
        return file.path.name


def files_below(
    root: Path, attached: Iterable[tuple[int, Attachment]]
) -> tuple[ShownFile, ...]:
    """Show the files of rows; `attached` has row numbers."""
    return shown_files(
        (row, path_below(root, file), file.size_bytes) for row, file in attached
    )


def shown_files(files: Iterable[tuple[int, str, int]]) -> tuple[ShownFile, ...]:
    """Group row numbers, paths and sizes by path."""
    sizes: dict[str, int] = {}
    rows: dict[str, dict[int, None]] = {}
    for row, path, size_bytes in files:
        sizes[path] = size_bytes
        rows.setdefault(path, {})[row] = None
    return tuple(
        ShownFile(path=path, size_bytes=sizes[path], rows=tuple(rows[path]))
        for path in sorted(rows)
    )


def file_lines(files: Sequence[ShownFile], *, every: bool = False) -> Iterator[str]:
    """Name the first files, and say how many there are besides in which folders."""
    shown = len(files) if every else _FILES
    for each in files[:shown]:
        yield f"        {each.words()}"
    if not (rest := files[shown:]):
        return
    folders = Counter(str(PurePosixPath(each.path).parent) for each in rest)
    named = ", ".join(
        f"{count:,} more in {'the files folder' if name == '.' else one_line(name)}"
        for name, count in folders.most_common(_FOLDERS)
    )
    others = sum(folders.values()) - sum(n for _, n in folders.most_common(_FOLDERS))
    more = f" and {others:,} more in other folders" if others else ""
    yield f"        … {named}{more}; {Given.VERBOSE} names them all."


def size_words(size_bytes: int) -> str:
    """Say how large files are."""
    if size_bytes < 1_000_000:
        return f"{max(1, round(size_bytes / 1000))} kB"
    return f"{size_bytes / 1_000_000:.1f} MB"
