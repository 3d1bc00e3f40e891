"""The tutorial, typed as it stands at a terminal, does and says what it says."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import openpyxl
import pytest

from architecture.house import ROOT
from docs_pages import Page
from kawe.twin.serving import TwinOptions, start_twin

PAGE = Page(
    name="docs/tutorial.md", text=(ROOT / "docs/tutorial.md").read_text("utf-8")
)
# Steps 1 and 2 are the terminals and the twin; 12 stops it.
_FIRST, _LAST = 3, 11
_ASKS = re.compile(r"Type (\d+) to (?:send|invite)")
_STEP = re.compile(r"^## (\d+)\.")


@dataclass(frozen=True, kw_only=True)
class Block:
    """What stands between two fences, in a numbered step."""

    step: int
    language: str
    lines: tuple[str, ...]


def _blocks():
    step, language, lines = 0, None, []
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

    def __init__(self, folder, twin):
        self.folder = folder
        self.twin = twin
        self.said = ""
        self._where = folder

    def type(self, line):
        """Type a line; give its exit code."""
        if line.startswith("cd "):
            self._where = (self._where / line.removeprefix("cd ")).resolve()
            return 0
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            ["sh", "-c", line],
            cwd=self._where,
            env=self._surroundings(),
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        self.said = ""
        has_answered = False
        while chunk := _read(ours):
            self.said += chunk.replace("\r", "")
            asked = _ASKS.search(self.said)
            if asked and "to stop:" in self.said and not has_answered:
                has_answered = True
                os.write(ours, f"{asked[1]}\n".encode())
        os.close(ours)
        return process.wait(timeout=60)

    def mistype(self):
        """Make the mistake of step 5."""
        path = self.folder / "monthly.xlsx"
        book = openpyxl.load_workbook(path)
        sheet = book["Projects"]
        heading = next(
            cell for row in sheet.iter_rows() for cell in row if _is_respond_by(cell)
        )
        sheet.cell(heading.row + 2, heading.column).value = "next Friday"
        book.save(path)

    def buy(self):
        """Buy what step 8 says."""
        for pack in (20, 1, 1):
            self.twin.buy_tokens(pack)

    def _surroundings(self):
        kept = {name: value for name, value in os.environ.items() if "KAWE" not in name}
        return {
            **kept,
            # As wide and as plain as the lines on the page.
            "COLUMNS": "1000",
            "NO_COLOR": "1",
            "HOME": str(self.folder.parent),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "XDG_STATE_HOME": str(self.folder.parent / "state"),
            "XDG_CONFIG_HOME": str(self.folder.parent / "config"),
            "KAWE_BASE_URL": self.twin.address.api_url,
            "KAWE_API_KEY": self.twin.address.live_key,
        }


def _is_respond_by(cell):
    return str(cell.value).casefold().startswith("response due")


def _read(ours):
    try:
        return os.read(ours, 65536).decode("utf-8", "replace")
    except OSError:
        return ""


@pytest.fixture
def reader(tmp_path):
    folder = tmp_path / "kawe-tutorial"
    folder.mkdir()
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    with start_twin(TwinOptions(folder=tmp_path / "twin", tokens=20)) as twin:
        yield Reader(folder, twin)


def _follow(reader, block):
    for line in block.lines:
        if (block.step, line) == (5, "kawe check monthly.xlsx"):
            reader.mistype()
        if (block.step, line) == (9, "kawe release"):
            reader.buy()
        yield line, reader.type(line)
        if "next Friday" in reader.said:
            reader.type("cp ../samples/good/monthly/monthly.xlsx .")


@pytest.mark.skipif(os.name != "posix", reason="its lines are for a POSIX shell")
def test_the_tutorial_can_be_typed_as_it_stands(reader):
    ended, unsaid = [], []
    for block in _blocks():
        if not _FIRST <= block.step <= _LAST:
            continue
        if block.language == "sh":
            ended += _follow(reader, block)
        elif block.language == "":
            unsaid += [text for text in block.lines if text not in reader.said]
    assert unsaid == []
    mistakes = "../samples/bad/200-rows-20-mistakes/projects.xlsx"
    assert ended == [
        ("kawe template projects -o empty.xlsx", 0),
        ("cp -R ../samples/good/monthly/. .", 0),
        ("kawe check monthly.xlsx", 0),
        ("kawe check monthly.xlsx", 3),
        (f"kawe check {mistakes} --result mistakes.result.xlsx", 3),
        ("kawe submit monthly.xlsx", 4),
        ("kawe status", 4),
        ("kawe status monthly", 4),
        ("kawe release", 0),
        ("kawe submit monthly.xlsx", 0),
        ("kawe export receipts -o receipts", 0),
        ("cd receipts", 0),
        ("sha256sum -c manifest-sha256.txt", 0),
        ("cd ..", 0),
        ("cp ../samples/good/invitations/invitations.xlsx .", 0),
        ("kawe check invitations.xlsx", 0),
        ("kawe submit invitations.xlsx", 0),
    ]
