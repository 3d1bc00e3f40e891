"""`kawe help` finds a page, opens it where a person is, and says where it lies."""

import sys
from pathlib import Path

import pytest

from kawe.cli.help import PAGES, page_about, pages_in, show
from kawe.errors import SettingsError

NAMES = (
    "index",
    "docs/index",
    "docs/adr/index",
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
def pages(tmp_path):
    for name in NAMES:
        path = tmp_path / f"{name}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return pages_in(tmp_path)


@pytest.mark.parametrize(
    ("topic", "page"),
    [
        ("index", "docs/index"),
        ("tutorial", "docs/tutorial"),
        ("tokens", "docs/how-to/when-tokens-run-out"),
        ("When tokens run out", "docs/how-to/when-tokens-run-out"),
        ("tutoriel", "docs/tutorial"),
        # A page comes before the command of that name.
        ("journal", "docs/journal"),
        ("submit", "docs/reference/commands"),
    ],
)
def test_a_topic_leads_to_its_page(pages, topic, page):
    root = pages["index"].parents[1]
    assert page_about(topic, pages) == root / f"{page}.html"


@pytest.mark.parametrize(
    ("topic", "hint"),
    [
        ("files", "Perhaps one of these: plan-files, result-files."),
        ("\x1b[2Jzzz", "kawe help opens the overview."),
        ("search", "kawe help opens the overview."),
    ],
)
def test_a_topic_without_a_page_is_named(pages, topic, hint):
    with pytest.raises(SettingsError) as refused:
        page_about(topic, pages)
    trouble = refused.value
    assert (trouble.hint, "\x1b" in trouble.message) == (hint, False)


@pytest.mark.skipif(sys.platform != "linux", reason="xdg-open is Linux's program")
def test_the_page_is_opened_or_it_is_said_where_it_lies(tmp_path, monkeypatch, capsys):
    page, opened = tmp_path / "for-it.html", tmp_path / "opened.txt"
    monkeypatch.setenv("PATH", str(tmp_path))
    show(page)
    without = capsys.readouterr()
    program = tmp_path / "xdg-open"
    program.write_text(f'#!/bin/sh\necho "$1" > "{opened}"\n', encoding="utf-8")
    program.chmod(0o755)
    show(page)
    assert opened.read_text("utf-8") == f"{page}\n"
    assert capsys.readouterr() == (f"The page lies at {page}\n", "")
    assert without.out == f"The page lies at {page}\n"
    assert without.err.splitlines() == [
        "It could not be opened here: xdg-open: No such file or directory.",
        "Open this file with a browser.",
    ]


def test_the_command_names_the_page_or_says_how_to_make_the_site(newcomer):
    done = newcomer.run("help", "--path")
    if (PAGES / "docs" / "index.html").exists():
        assert Path(done.stdout.strip()) == PAGES / "docs" / "index.html"
    else:
        assert (done.returncode, "make docs" in done.stderr) == (2, True)
