"""Take the pictures of the documentation again: of real runs against a new twin.

    make pictures

It needs chromium with chromedriver, LibreOffice and pdftoppm. Somebody types the first
steps of the tutorial at a terminal; what the terminal shows, the result workbooks, and
the pages of the portal become pictures. Keys are made anew for each run, and none is on
a picture. What a picture shows follows from the samples: take them again when a command
or the portal says something else.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import openpyxl
from openpyxl.worksheet.header_footer import HeaderFooter
from openpyxl.worksheet.properties import PageSetupProperties
from PIL import Image, ImageChops
from rich.console import Console
from rich.terminal_theme import DEFAULT_TERMINAL_THEME
from rich.text import Text

from desk_pictures import take_of_desk
from doubles.browser import ENTER, TAB, Browser
from doubles.tutorial_reader import Reader
from kawe_twin.serving import RunningTwin, TwinOptions, start_twin
from page_pictures import take_page_pictures

IMAGES: Final = Path(__file__).resolve().parents[1] / "docs" / "images"
_COLUMNS: Final = 96
_TEAM: Final = "Kaunihera o Tauira (twin)"
_IWI: Final = "Ngāti Tauira ki te Raki"
_PROJECT: Final = "Slip repair, Mangamuka Road"
# So high that nothing has to be scrolled; a picture is cut below its `height`.
_WINDOW: Final = (1025, 2600)
_EDGE: Final = 16
_OFFICE: Final = ("soffice", "--headless", "--convert-to", "pdf")
_PAGE: Final = ("pdftoppm", "-r", "100", "-png", "-singlefile")


class _AtATerminal(Reader):
    """Types what the tutorial says, at a terminal of usual width, in colour."""

    def surroundings(self) -> dict[str, str]:
        usual = super().surroundings()
        usual.pop("NO_COLOR")
        return {**usual, "COLUMNS": str(_COLUMNS), "TERM": "xterm-256color"}

    def shown(self, line: str, *, lines: int) -> str:
        """Type a line; give the picture of what the terminal then shows."""
        self.type(line)
        said = Text.from_ansi(f"$ {line}\n{self.said}").split("\n")
        console = Console(record=True, width=_COLUMNS, file=io.StringIO())
        console.print(*said[:lines], sep="\n", soft_wrap=True)
        picture = console.export_svg(
            title=line, theme=DEFAULT_TERMINAL_THEME, unique_id="terminal"
        )
        # Without the letters of another site: a picture asks nobody for anything.
        head, _, rest = picture.partition("@font-face")
        return head + rest[rest.index(".terminal-matrix") :]


def main() -> None:
    """Take every picture."""
    # A folder that is called the same each time: messages name it.
    folder = Path(tempfile.gettempdir()) / "kawe-pictures"
    folder.mkdir()
    try:
        home = folder / "mere"
        home.mkdir()
        with start_twin(TwinOptions(folder=folder / "twin", tokens=20)) as twin:
            _type(_AtATerminal(home, twin))
            # A browser that ends still writes into its folder.
            with TemporaryDirectory(ignore_cleanup_errors=True) as profile:
                _look(twin, Path(profile))
        mistakes = home / "mistakes" / "projects.result.xlsx"
        _print(mistakes, "result-mistakes", sheet="Projects", area="A1:H24")
        _preview(
            mistakes,
            {"result-results": "ResultCode", "result-problems": "What is wrong"},
        )
        submitted = home / "monthly.result.xlsx"
        _preview(
            submitted,
            {"result-summary": "How the rows stand", "result-waiting": "Days left"},
        )
        _print(submitted, "result-submitted", sheet="Summary", area="A1:D18")
        take_page_pictures(submitted.with_suffix(".html"), IMAGES, name="result-page")
        with TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            take_of_desk(folder / "desk", Path(profile), keep=_keep)
    finally:
        shutil.rmtree(folder)


def _type(reader: _AtATerminal) -> None:
    samples = ("kawe demo --samples .", "kawe demo --samples mistakes")
    for line in ("kawe init", *samples):
        assert reader.type(line) == 0, reader.said
    for name, line, lines in (
        ("terminal-mistakes", "kawe check mistakes/projects.xlsx --quiet", 33),
        ("terminal-submit", "kawe submit monthly.xlsx --quiet", 60),
    ):
        (IMAGES / f"{name}.svg").write_text(reader.shown(line, lines=lines), "utf-8")


def _look(twin: RunningTwin, profile: Path) -> None:
    """Take the pictures of the portal, as its owner sees it after the submit."""
    with Browser(folder=profile, with_scripts=False, size=_WINDOW) as browser:

        def follow(link: str, title: str) -> None:
            browser.tab_to(link, most=200)
            browser.press(ENTER)
            browser.wait_for_title(title)

        browser.open(f"{twin.address.api_url}/portal/")
        browser.press(*twin.address.owner_secret, ENTER)
        browser.wait_for_title("Accounts")
        home = browser.url
        _keep(browser, "portal-home", 660)
        follow(f"Buy tokens for {_TEAM}", f"Tokens of {_TEAM}")
        _keep(browser, "portal-tokens", 730)
        browser.open(home)
        follow(f"Inbox of {_IWI}", f"Inbox of {_IWI}")
        inbox = browser.url
        follow(_PROJECT, _PROJECT)
        browser.tab_to("Pick up")
        browser.press(ENTER)
        browser.wait_for_text("[role=status]", "The project is picked up.")
        browser.tab_to("Response, seen by both sides")
        browser.press(*"Tēnā koe. We would like to visit the site.", TAB, ENTER)
        browser.wait_for_text("[role=status]", "The response is on the thread.")
        _keep(browser, "portal-project", 1260)
        browser.open(inbox)
        _keep(browser, "portal-inbox", 760)


def _keep(browser: Browser, name: str, height: int) -> None:
    window = Image.open(io.BytesIO(browser.picture()))
    picture = window.crop((0, 0, window.width, height)).convert("RGB")
    picture.quantize(256).save(IMAGES / f"{name}.png", optimize=True)


def _print(workbook: Path, name: str, *, sheet: str, area: str) -> None:
    """Take a picture of some cells of a workbook, as LibreOffice prints them."""
    folder = workbook.parent / "print"
    folder.mkdir()
    book = openpyxl.load_workbook(workbook)
    for other in [each for each in book.worksheets if each.title != sheet]:
        book.remove(other)
    shown = book[sheet]
    shown.print_area = area
    shown.page_setup.orientation = "landscape"
    shown.page_setup.fitToHeight = 0
    shown.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    shown.print_options.headings = True
    shown.HeaderFooter = HeaderFooter()
    book.save(folder / "shown.xlsx")
    office = f"-env:UserInstallation=file://{folder}/office"
    _run(folder, *_OFFICE, office, "shown.xlsx")
    _run(folder, *_PAGE, "shown.pdf", "shown")
    _write(Image.open(folder / "shown.png").convert("RGB"), name)


def _preview(workbook: Path, pages: Mapping[str, str]) -> None:
    """Take pictures of pages as they are printed: the first with each text."""
    folder = workbook.parent / "preview"
    folder.mkdir()
    _run(folder, *_OFFICE, f"-env:UserInstallation=file://{folder}/office", workbook)
    printed = f"{workbook.stem}.pdf"
    for name, text in pages.items():
        words = _run(folder, "pdftotext", "-layout", printed, "-").split("\f")
        page = next(str(at) for at, said in enumerate(words, start=1) if text in said)
        _run(folder, *_PAGE, "-f", page, "-l", page, printed, name)
        _write(Image.open(folder / f"{name}.png").convert("RGB"), name)


def _run(folder: Path, *words: str | Path) -> str:
    done = subprocess.run(
        words, check=True, cwd=folder, timeout=180, capture_output=True, text=True
    )
    return done.stdout


def _write(picture: Image.Image, name: str) -> None:
    """Keep a printed page without its margins, in few colours."""
    paper = Image.new("RGB", picture.size, "white")
    box = ImageChops.difference(picture, paper).getbbox()
    assert box is not None, f"nothing is to be seen on {name}"
    left, top, right, bottom = box
    edges = (left - _EDGE, top - _EDGE, right + _EDGE, bottom + _EDGE)
    picture.crop(edges).quantize(64).save(IMAGES / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
