"""Somebody who types the tutorial as it stands, at a terminal."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

import openpyxl

from architecture.house import ROOT
from docs_pages import Page
from kawe.cli.demo import write_sample
from kawe_twin.serving import RunningTwin, TwinOptions, start_twin

PAGE = Page(
    name="docs/tutorial.md", text=(ROOT / "docs/tutorial.md").read_text("utf-8")
)
# Steps 1 and 2 are the terminals and the twin; 13 stops it.
_FIRST, _LAST = 3, 12
_STEP = re.compile(r"^## (\d+)\.")
_ADDRESS = re.compile(r"Address of the service.*: $")
_KEY = re.compile(r"it is not shown\): $")
_AGREE = re.compile(r"\[Y/n\]: $")
_KEPT = re.compile(r"^Enter takes this; .*: $", re.MULTILINE)
_COLUMNS = re.compile(r"nothing leaves it open: $")
_OWN_HEADING = "Let us know by"
_NUMBER = re.compile(r"Type (\d+) to .* to stop: $")


@dataclass(frozen=True, kw_only=True)
class Block:
    """What stands between two fences, in a numbered step."""

    step: int
    language: str
    lines: tuple[str, ...]


def _blocks() -> Iterator[Block]:
    language: str | None = None
    lines: list[str] = []
    step = 0
    for text in PAGE.text.splitlines():
        heading = _STEP.match(text)
        if heading is not None:
            step = int(heading[1])
        fence = re.match(r"^```(\w*)$", text)
        if fence is None:
            lines.append(text)
        elif language is None:
            language, lines = fence[1], []
        else:
            yield Block(step=step, language=language, lines=tuple(lines))
            language = None


class Reader:
    """Somebody who follows the tutorial."""

    def __init__(
        self, folder: Path, twin: RunningTwin, programs: Path | None = None
    ) -> None:
        """Let them type `kawe` of the folder `programs`; of this Python, if None."""
        self.folder = folder
        self._programs = programs or Path(sys.executable).parent
        self.twin = twin
        self.said = ""
        self._where = folder

    def type(self, line: str) -> int:
        """Type a line; give its exit code."""
        if line.startswith("cd "):
            self._where = (self._where / line.removeprefix("cd ")).resolve()
            return 0
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            ["sh", "-c", line],
            cwd=self._where,
            env=self.surroundings(),
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        self.said, answered_to = "", 0
        while chunk := _read(ours):
            self.said += chunk.replace("\r", "")
            answer = self._answer(self.said[answered_to:])
            if answer is not None:
                answered_to = len(self.said)
                os.write(ours, f"{answer}\n".encode())
        os.close(ours)
        return process.wait(timeout=60)

    def _answer(self, said: str) -> str | None:
        """Give what is typed at the question that stands last; None: there is none."""
        number = _NUMBER.search(said)
        if number:
            return number[1]
        answers = (
            (_ADDRESS, self.twin.address.api_url),
            (_KEY, self.twin.address.live_key),
            (_AGREE, ""),
            (_COLUMNS, "yes"),
            (_KEPT, ""),
        )
        return next((text for asks, text in answers if asks.search(said)), None)

    def rename(self) -> None:
        """Give a column the heading of step 5."""
        self._write("Response due", 0, _OWN_HEADING)

    def mistype(self) -> None:
        """Make the mistake of step 6."""
        self._write(_OWN_HEADING, 2, "next Friday")

    def correct(self) -> None:
        """Take the mistake back, as step 6 says."""
        write_sample("monthly", self.folder / "fresh")
        (self.folder / "fresh" / "monthly.xlsx").replace(self.folder / "monthly.xlsx")
        self.rename()

    def _write(self, heading: str, below: int, text: str) -> None:
        """Type into the cell so far below a heading of the month."""
        path = self.folder / "monthly.xlsx"
        book = openpyxl.load_workbook(path)
        row, column = next(
            (at_row, at_column)
            for at_row, cells in enumerate(book["Projects"].values, 1)
            for at_column, value in enumerate(cells, 1)
            if str(value).casefold().startswith(heading.casefold())
        )
        book["Projects"].cell(row + below, column).value = text
        book.save(path)

    def buy(self) -> None:
        """Buy what step 9 says."""
        self.twin.buy_tokens(50)

    def surroundings(self) -> dict[str, str]:
        """Give the environment of their terminal."""
        own = re.compile("KAWE|XDG_")
        kept = {k: v for k, v in os.environ.items() if not own.match(k)}
        return {
            **kept,
            # As wide and as plain as the lines on the page.
            "COLUMNS": "1000",
            "NO_COLOR": "1",
            "HOME": str(self.folder.parent),
            "PATH": f"{self._programs}{os.pathsep}{os.environ['PATH']}",
            "LOGNAME": "mere",
            "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
        }


def _read(ours: int) -> str:
    try:
        return os.read(ours, 65536).decode("utf-8", "replace")
    except OSError:
        return ""


@dataclass(frozen=True, kw_only=True)
class Followed:
    """How somebody fared who followed the page."""

    ended: list[tuple[str, int]]
    """Each line that was typed, with its exit code."""
    unsaid: dict[str, str]
    """Each line of output that kawe did not say, and the most similar that it did."""


def follow(reader: Reader) -> Followed:
    """Type every block of commands, and compare every block of output."""
    ended: list[tuple[str, int]] = []
    unsaid: dict[str, str] = {}
    for block in _blocks():
        if not _FIRST <= block.step <= _LAST:
            continue
        if block.language == "sh":
            ended += _typed(reader, block)
        elif block.language == "":
            # A table of the columns is as wide as the terminal.
            said = re.sub(r"(?<=\S) {2,}(?=\S)", "  ", reader.said)
            unsaid |= {
                text: next(iter(get_close_matches(text, said.splitlines(), 1, 0)), "")
                for text in block.lines
                if text not in said
            }
    return Followed(ended=ended, unsaid=unsaid)


def _typed(reader: Reader, block: Block) -> Iterator[tuple[str, int]]:
    for line in block.lines:
        if (block.step, line) == (5, "kawe check monthly.xlsx"):
            reader.rename()
        if (block.step, line) == (6, "kawe check monthly.xlsx"):
            reader.mistype()
        if (block.step, line) == (10, "kawe release"):
            reader.buy()
        yield line, reader.type(line)
        if "next Friday" in reader.said:
            reader.correct()


@contextmanager
def reader_in(
    folder: Path, *, programs: Path | None = None, tokens: int = 20
) -> Iterator[Reader]:
    """Give a reader below a folder, with a twin of their own."""
    home = folder / "kawe-tutorial"
    home.mkdir(parents=True)
    with start_twin(TwinOptions(folder=folder / "twin", tokens=tokens)) as twin:
        yield Reader(home, twin, programs)
