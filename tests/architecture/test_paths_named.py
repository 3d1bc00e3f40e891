"""What the pages for developers name is there, and what is there is named."""

import re

import pytest

from architecture.house import BESIDE, ROOT, SOURCE, modules_in, source
from docs_pages import Page

PAGES = ("CONTRIBUTING.md", "docs/architecture.md", "tests/doubles/README.md")
_PATH = re.compile(r"\.?[\w-]+(/[\w.-]+)*(/|\.(py|md|toml|c|sql|json))")
_FOLDERS = re.compile(r"\.?[\w-]+(/[\w.-]+)+")
_MODULE = re.compile(r"kawe(?:_\w+)?(\.\w+)+")
# What a person makes, and no part of the sources.
_MADE = {".venv", "build/campaign", "dist/"}


def page(name):
    return Page(name=name, text=(ROOT / name).read_text("utf-8"))


def spans(text):
    return [span for line in text.lines() for span in line.spans]


def missing(text):
    """Give what a page names and is neither in the clone nor in the package."""
    return [
        name
        for name in spans(text)
        if _PATH.fullmatch(name) or _FOLDERS.fullmatch(name) or _MODULE.fullmatch(name)
        if name not in _MADE and not _is_there(name)
    ]


def _is_there(name):
    if _MODULE.fullmatch(name):
        module = ROOT / "src" / name.replace(".", "/")
        return module.is_dir() or module.with_suffix(".py").is_file()
    return any((place / name).exists() for place in (ROOT, SOURCE, SOURCE.parent))


@pytest.mark.parametrize("name", PAGES)
def test_every_path_that_a_page_names_is_there(name):
    assert missing(page(name)) == []


def test_a_path_that_leads_nowhere_is_found():
    text = (
        "`tests/golden`, `tests/unit`, `toolkit.py`, `cli/` and `kawe.domain.nothing`"
    )
    found = missing(Page(name="docs/page.md", text=text))
    assert found == ["tests/golden", "toolkit.py", "kawe.domain.nothing"]


def test_every_folder_of_tests_is_described():
    named = {name.removeprefix("tests/") for name in spans(page("CONTRIBUTING.md"))}
    folders = {module.name.split("/")[1] for module in modules_in("tests")}
    assert folders - named - {"conftest.py"} == set()


def test_the_rooms_that_are_described_are_those_of_the_house():
    table = re.findall(
        r"^\| \d \| `(\w+)(?:/|\.py)` \|",
        page("docs/architecture.md").text,
        re.MULTILINE,
    )
    rooms = {module.room for module in source()} - {"__init__", "__main__", *BESIDE}
    assert (sorted(table), len(table)) == (sorted(rooms), len(rooms))


def test_every_double_is_described():
    there = {module.path.stem for module in modules_in("tests/doubles")}
    cells = re.findall(r"^\| (.*?) \|", page(PAGES[2]).text, re.MULTILINE)
    rows = {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}
    assert there - set(spans(page(PAGES[2]))) == set()
    assert rows - there == set()


@pytest.mark.parametrize("name", ["README.md", *PAGES])
def test_every_target_of_make_that_a_page_names_is_there(name):
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    text = (ROOT / name).read_text("utf-8")
    named = set(re.findall(r"(?:^|`)make ([a-z]+)(?=[`\s])", text, re.MULTILINE))
    assert named - targets == set()
