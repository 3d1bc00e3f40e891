"""Pictures of a page of kawe: light, dark, on a phone, and on paper."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from PIL import Image

from doubles.browser import Browser

_WIDE: Final = 1_180
_PHONE: Final = 390
_TOP: Final = 1_640
"""So far down a picture goes: to the first rows."""


def take_page_pictures(page: Path, images: Path, *, name: str) -> None:
    """Write NAME.png, NAME-dark.png, NAME-phone.png and NAME-print.png to `images`."""
    with (
        TemporaryDirectory(ignore_cleanup_errors=True) as profile,
        Browser(folder=Path(profile), size=(_WIDE, 900)) as browser,
    ):
        browser.go_offline()
        browser.open(page.as_uri())
        for ending, scheme, width in (
            ("", "light", _WIDE),
            ("-dark", "dark", _WIDE),
            ("-phone", "light", _PHONE),
        ):
            browser.show_in(scheme)
            browser.show_as(width=width, height=_TOP)
            # Rows are drawn when they come into sight: after two frames.
            browser.run(_TWO_FRAMES)
            _keep(browser.picture(), images / f"{name}{ending}.png")
        paper = browser.paper()
    _keep(_first_sheets(paper), images / f"{name}-print.png")


_TWO_FRAMES: Final = """
return new Promise((done) =>
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 100))));
"""


def _first_sheets(paper: bytes) -> bytes:
    """Give the first two sheets of a PDF side by side, as PNG."""
    with TemporaryDirectory() as folder:
        words = ("pdftoppm", "-r", "70", "-png", "-l", "2", "-", "sheet")
        subprocess.run(words, input=paper, check=True, cwd=folder, timeout=60)
        sheets = [Image.open(each) for each in sorted(Path(folder).glob("*.png"))]
        width = sum(each.width for each in sheets)
        both = Image.new("RGB", (width, sheets[0].height), "white")
        left = 0
        for each in sheets:
            both.paste(each, (left, 0))
            left += each.width
    data = io.BytesIO()
    both.save(data, "PNG")
    return data.getvalue()


def _keep(picture: bytes, path: Path) -> None:
    shown = Image.open(io.BytesIO(picture)).convert("RGB")
    shown.quantize(96).save(path, optimize=True)
