"""Markdown pages, taken apart as far as checking them needs.

What stands in a fence or between backticks is code; everything else is prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_FENCE: Final = re.compile(r"^\s*```\s*(\w*)")
_HEADING: Final = re.compile(r"^#{1,6}\s+(.+?)\s*$")
_SPAN: Final = re.compile(r"`([^`]+)`")
_LINK: Final = re.compile(r"\]\(([^()\s]+)\)")
_COMMENT: Final = re.compile(r"<!--.*?-->")


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """One thing that is wrong with a text."""

    where: str
    words: str

    def __str__(self) -> str:
        return f"{self.where}: {self.words}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a page; `language` is None outside of a fence."""

    number: int
    text: str
    language: str | None

    @property
    def prose(self) -> str:
        """Give the line without code, comments and targets of links."""
        if self.language is not None:
            return ""
        plain = _COMMENT.sub("", _SPAN.sub(" ", self.text))
        return _LINK.sub("]", plain)

    @property
    def spans(self) -> list[str]:
        """Give what stands between backticks."""
        return [] if self.language is not None else _SPAN.findall(self.text)

    @property
    def targets(self) -> list[str]:
        """Give what the line links to."""
        if self.language is not None:
            return []
        return _LINK.findall(_SPAN.sub(" ", self.text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One Markdown file; `name` is its path below the project's folder."""

    name: str
    text: str

    def lines(self) -> Iterator[Line]:
        """Give the lines; those of a fence's edges are left out."""
        language: str | None = None
        for number, text in enumerate(self.text.splitlines(), start=1):
            fence = _FENCE.match(text)
            if fence is not None:
                language = fence[1] if language is None else None
            else:
                yield Line(number=number, text=text, language=language)

    def anchors(self) -> set[str]:
        """Give what links can point at within the page, as GitHub names it."""
        found: set[str] = set()
        for line in self.lines():
            heading = None if line.language is not None else _HEADING.match(line.text)
            if heading is not None:
                found.add(_slug(heading[1]))
        return found

    def section(self, title: str) -> list[Line]:
        """Give the lines below the heading `title`, up to the next heading."""
        found: list[Line] = []
        is_inside = False
        for line in self.lines():
            heading = None if line.language is not None else _HEADING.match(line.text)
            if heading is not None:
                is_inside = heading[1] == title
            elif is_inside:
                found.append(line)
        return found

    def trouble(self, line: Line, words: str) -> Trouble:
        """Say what is wrong with a line."""
        return Trouble(where=f"{self.name}:{line.number}", words=words)


def table_rows(lines: Iterable[Line]) -> list[list[str]]:
    """Give the cells of the Markdown tables in `lines`, without heading rows."""
    rows: list[list[str]] = []
    is_body = False
    for line in lines:
        if not line.text.startswith("|"):
            is_body = False
            continue
        cells = [cell.strip() for cell in line.text.strip().strip("|").split("|")]
        if all(re.fullmatch(r":?-+:?", cell) for cell in cells):
            is_body = True
        elif is_body:
            rows.append(cells)
    return rows


def read_pages(root: Path) -> tuple[Page, ...]:
    """Read every page of the documentation below the project's folder `root`."""
    paths = [
        *root.glob("*.md"),
        *root.glob("docs/**/*.md"),
        *root.glob("changes/*.md"),
        *root.glob("tests/*/README.md"),
        *root.glob("tools/*/README.md"),
    ]
    return tuple(
        Page(name=path.relative_to(root).as_posix(), text=path.read_text("utf-8"))
        for path in sorted(paths)
    )


def _slug(heading: str) -> str:
    plain = heading.replace("`", "").casefold()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
