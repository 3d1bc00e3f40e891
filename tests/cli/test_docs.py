"""`kawe docs` finds a page, opens it where a person is, and says where it lies."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from kawe.cli import docs
from kawe.errors import SettingsError

NAMES = (
    "docs/index",
    "docs/tutorial",
    "docs/journal",
    "docs/how-to/when-tokens-run-out",
    "docs/how-to/for-it",
    "docs/how-to/first-set-up",
    "docs/reference/result-files",
    "docs/reference/plan-files",
    "docs/reference/commands",
    "search",
)


@pytest.fixture
def pages(tmp_path, monkeypatch):
    for name in NAMES:
        path = tmp_path / "pages" / f"{name}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    monkeypatch.setattr(docs, "PAGES", tmp_path / "pages")
    return tmp_path / "pages"


def ran(*words):
    return CliRunner().invoke(docs.docs, words, standalone_mode=False)


@pytest.mark.parametrize(
    ("words", "page"),
    [
        ((), "docs/index"),
        (("tutorial",), "docs/tutorial"),
        (("tokens",), "docs/how-to/when-tokens-run-out"),
        (("When tokens run out",), "docs/how-to/when-tokens-run-out"),
        (("tutoriel",), "docs/tutorial"),
        # A page comes before the command of that name.
        (("journal",), "docs/journal"),
        (("submit",), "docs/reference/commands"),
    ],
)
def test_a_topic_leads_to_its_page(pages, words, page):
    done = ran(*words, "--path")
    assert (done.return_value, done.stdout) == (0, f"{pages / page}.html\n")


@pytest.mark.parametrize(
    ("topic", "hint"),
    [
        ("files", "Perhaps one of these: plan-files, result-files."),
        ("\x1b[2Jzzz", "kawe docs opens the overview."),
        ("search", "kawe docs opens the overview."),
    ],
)
@pytest.mark.usefixtures("pages")
def test_a_topic_without_a_page_is_named(topic, hint):
    trouble = ran(topic, "--path").exception
    assert isinstance(trouble, SettingsError)
    assert (trouble.hint, "\x1b" in trouble.message) == (hint, False)


@pytest.mark.parametrize("trouble", ["", "xdg-open: No such file or directory."])
def test_the_page_is_opened_or_it_is_said_where_it_lies(pages, monkeypatch, trouble):
    opened = []
    monkeypatch.setattr(docs, "open_file", lambda path: opened.append(path) or trouble)
    done, page = ran("for-it"), pages / "docs" / "how-to" / "for-it.html"
    assert (done.return_value, opened) == (0, [page])
    assert done.stdout == f"The page lies at {page}\n"
    assert done.stderr.startswith(f"It could not be opened here: {trouble}\n") is bool(
        trouble
    )


def test_a_clone_without_its_site_says_how_to_make_it(monkeypatch):
    monkeypatch.setattr(docs, "PAGES", Path("nowhere"))
    trouble = ran().exception
    assert isinstance(trouble, SettingsError)
    assert "make docs" in trouble.hint
