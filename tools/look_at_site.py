"""Look at every page of the site as a browser shows it: two widths, light and dark.

    make site-pictures
    PYTHONPATH=tests:tools python tools/look_at_site.py settings

The pictures are left in build/site-pictures, to be looked at by a person. What a
program can see is said at once, and ends with 1: a page that is wider than its window,
words that can hardly be told from what is behind them (less than 4.5 to 1), and all
that axe-core finds.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from doubles.browser import Browser

ROOT: Final = Path(__file__).resolve().parents[1]
SITE: Final = ROOT / "src" / "kawe" / "pages"
PICTURES: Final = ROOT / "build" / "site-pictures"
_WIDTHS: Final = (1280, 390)
_THEMES: Final = ("light", "dark")
_HIGHEST: Final = 12_000
# Words of one colour on a ground of one colour, as WCAG 2 measures them.
_LOOK: Final = """
const wide = document.documentElement.scrollWidth - window.innerWidth;
const over = wide <= 1 ? [] : [...document.querySelectorAll('main *, article *')]
  .filter(each => each.getBoundingClientRect().right > window.innerWidth + 1
    && !each.closest('.table-wrapper, pre, .highlight'))
  .slice(0, 3).map(each => each.tagName + ': ' + each.textContent.slice(0, 40));
const parts = text => (text.match(/[\\d.]+/g) || []).map(Number);
const light = ([r, g, b]) => [r, g, b].map(part => part / 255)
  .map(part => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
  .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
const ground = each => {
  for (; each; each = each.parentElement) {
    const colour = parts(getComputedStyle(each).backgroundColor);
    if (colour.length === 3 || colour[3] === 1) return colour;
  }
  return [255, 255, 255];
};
const faint = new Map();
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walk.nextNode()) {
  const each = walk.currentNode.parentElement, words = walk.currentNode.data.trim();
  const box = each.getBoundingClientRect(), style = getComputedStyle(each);
  const hidden = style.visibility === 'hidden' || !+style.opacity;
  if (!words || !box.width || hidden) continue;
  const [one, other] = [light(parts(style.color)), light(ground(each))];
  const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  if (ratio < 4.5) faint.set(each.className + ' ' + style.color,
    ratio.toFixed(1) + ': ' + words.slice(0, 40));
}
const broken = [...document.images].filter(each => !each.naturalWidth)
  .map(each => each.getAttribute('src'));
return {wide, over, broken, faint: [...faint.values()].slice(0, 5),
  high: document.documentElement.scrollHeight};
"""
_AXE: Final = """
return axe.run().then(found => found.violations.map(
  each => each.id + ': ' + each.nodes[0].html.slice(0, 80)));
"""


def main() -> int:
    """Look at every page; the exit code is 1 if something is wrong with one."""
    named = "".join(sys.argv[1:])
    pages = [each for each in sorted(SITE.glob("**/*.html")) if named in str(each)]
    if not pages:
        print("There is no site. Make it first: make docs")
        return 1
    PICTURES.mkdir(parents=True, exist_ok=True)
    troubles = 0
    with (
        TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        Browser(folder=Path(folder), size=(1280, 900)) as browser,
    ):
        for page in pages:
            for trouble in _looked_at(browser, page):
                troubles += 1
                print(trouble)
    print(f"{len(pages)} pages in {PICTURES}: {troubles} troubles")
    return 1 if troubles else 0


def _looked_at(browser: Browser, page: Path) -> Iterator[str]:
    name = page.relative_to(SITE).with_suffix("").as_posix().replace("/", "-")
    axe = files("axe_core_python").joinpath("axe.min.js").read_text("utf-8")
    browser.open(page.as_uri())
    for theme in _THEMES:
        browser.run(f"document.body.dataset.theme = '{theme}'")
        for width in _WIDTHS:
            browser.show_as(width=width, height=900)
            found: dict[str, Any] = browser.run(_LOOK)
            browser.show_as(width=width, height=min(found["high"], _HIGHEST))
            picture = PICTURES / f"{name}-{width}-{theme}.png"
            picture.write_bytes(browser.picture())
            where = f"{name} ({width}, {theme})"
            if found["wide"] > 1:
                yield f"{where} is {found['wide']} too wide: {found['over']}"
            if found["broken"]:
                yield f"{where} has no picture {found['broken']}"
            for words in found["faint"]:
                yield f"{where} is hard to read, {words}"
            for barrier in browser.run(f"{axe};{_AXE}"):
                yield f"{where} keeps somebody out, {barrier}"


if __name__ == "__main__":
    sys.exit(main())
