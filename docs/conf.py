"""The site: these Markdown pages, as they are read on GitHub, made by Sphinx.

    make docs

The folder of sources is the project's own, so that every link between pages leads
where it leads on GitHub. Links to folders and to code, which only GitHub can show,
become plain words here.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from sphinx.application import Sphinx

from kawe import __version__

_ROOT: Final = Path(__file__).resolve().parents[1]
_INDEX: Final = "docs/index"
# The sections whose lists are the menu of the site.
_MENUS: Final = {
    _INDEX: (
        "I submit projects: an officer",
        "I work for several offices: a consultant",
        "I check what was sent: an auditor",
        "I install it and keep it running: IT",
        "I change it, or call it: a programmer",
    ),
    "docs/architecture": ("Decisions",),
    "docs/adr/index": ("All",),
}
_WHOLE: Final = re.MULTILINE | re.DOTALL
_LINK: Final = re.compile(r"!?\[([^\]]*)\]\(([^()\s]+)\)")
_SECTION: Final = re.compile(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", _WHOLE)
_TARGET: Final = re.compile(r"\]\(([^()#:]+)\.md\)")
_TREE: Final = "\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{pages}\n```\n"

project = "kawe"
author = "The authors of kawe"
version = release = __version__
language = "en-NZ"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = _INDEX
include_patterns = [
    "docs/**",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
]
# Sphinx does not enter these folders: they are large, and have no page.
exclude_patterns = [".venv", "build", "changes", "samples", "src", "tests"]
# GitHub gives every heading an anchor; so do these pages.
myst_heading_anchors = 6
nitpicky = True
# Most examples are of a terminal, and no language.
highlight_language = "text"

html_theme = "furo"
# Of a build between releases the time and commit are too long for a title.
html_title = f"kawe {re.sub(r'(?<=dev)[0-9].*', '', version)}"
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
html_permalinks_icon = "#"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
# At the root of the site, for whoever opens its folder.
html_extra_path = ["start"]
html_theme_options = {"navigation_with_keys": False}
linkcheck_anchors = False
# The addresses of the examples: nobody has them, and the twin only runs at times.
linkcheck_ignore = [r"https://\w+\.consultation\.example", "http://127.0.0.1:"]


# What the theme does not tell a reader who hears the page.
_TOLD: Final = {
    ' role="heading"': ' role="heading" aria-level="2"',
    '<aside class="sidebar-drawer"': '<aside aria-label="Site" class="sidebar-drawer"',
    '<aside class="toc-drawer': '<aside aria-label="This page" class="toc-drawer',
    '<div id="search-results">': '<h1>Search</h1>\n<div id="search-results">',
}


def setup(app: Sphinx) -> None:
    """Read every page as the site needs it, and finish what the theme made."""
    app.connect("source-read", _as_read)
    app.connect("build-finished", _as_told)


def _as_told(app: Sphinx, trouble: Exception | None) -> None:
    for path in [] if trouble else Path(app.outdir).rglob("*.html"):
        text = path.read_text("utf-8")
        for made, told in _TOLD.items():
            text = text.replace(made, told)
        path.write_text(text, "utf-8")


def _as_read(_app: Sphinx, name: str, source: list[str]) -> None:
    folder = PurePosixPath(name).parent
    text = _LINK.sub(lambda found: _link(found, folder), source[0])
    source[0] = text + "".join(_trees(text, of=_MENUS.get(name, ())))


def _link(found: re.Match[str], folder: PurePosixPath) -> str:
    """Give a link as it is, or its words alone where the site has no such page."""
    path = found[2].partition("#")[0]
    is_here = path and ":" not in path
    return found[1] if is_here and not _is_shown(folder / path) else found[0]


def _is_shown(path: PurePosixPath) -> bool:
    name = (_ROOT / path).resolve().relative_to(_ROOT).as_posix()
    return name in include_patterns or (name.startswith("docs/") and "." in name)


def _trees(text: str, *, of: Container[str]) -> Iterator[str]:
    """Give a toctree of what each of these sections links to."""
    for title, inner in _SECTION.findall(text):
        pages = dict.fromkeys(_TARGET.findall(inner))
        if title in of:
            yield _TREE.format(caption=title, pages="\n".join(pages))
