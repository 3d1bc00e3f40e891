"""The documentation is true, and whoever checks it can find it false."""

import ast
import re
import tomllib

import pytest

from architecture.house import ROOT
from check_docs import (
    all_troubles,
    link_troubles,
    lonely_pages,
    variable_troubles,
    written_again,
)
from docs_commands import command_troubles, why_refused
from docs_pages import Page, read_pages
from docs_words import GLOSSARY, messages, ruled_out, word_troubles, wrong_words
from kawe.settings import loading
from kawe.settings.table import SETTINGS

WORDS = 45_000
"""So many words the pages may have."""
DOORS = ("officer", "consultant", "auditor", "IT", "programmer")


def _page(text, name="docs/page.md"):
    return Page(name=name, text=text)


def test_nothing_is_wrong_with_the_documentation():
    assert [str(trouble) for trouble in all_troubles(ROOT)] == []


def test_the_pages_have_no_more_words_than_their_budget():
    counts = {
        page.name: len(page.text.split())
        for page in read_pages(ROOT)
        if page.name == "README.md"
        or (page.name.startswith("docs/") and not page.name.startswith("docs/adr/"))
    }
    assert sum(counts.values()) <= WORDS, counts


def test_the_first_page_has_five_doors():
    text = (ROOT / "docs/index.md").read_text("utf-8")
    doors = re.findall(r"^## .*: (?:an? )?(\w+)$", text, re.MULTILINE)
    assert tuple(doors) == DOORS


def test_every_setting_is_on_the_page_of_settings():
    page = _page((ROOT / "docs/settings.md").read_text("utf-8"))
    spans = {word for line in page.lines() for word in line.spans}
    assert set(SETTINGS) - {"service", "notify", "log"} - spans == set()
    assert {each.variable for each in SETTINGS.values()} - spans - {""} == set()


def test_the_page_of_settings_says_each_variable_and_number():
    text = (ROOT / "docs/settings.md").read_text("utf-8")
    rows = [[cell.strip() for cell in line.split("|")] for line in text.splitlines()]
    said = {row[1].strip("`[]"): row[3:5] for row in rows if len(row) == 6}
    for name, setting in SETTINGS.items():
        if setting.variable:
            assert said[name][0] == f"`{setting.variable}`"
        if setting.bounds and setting.default is not None:
            assert said[name][-1].endswith(f"; {setting.default:g}.")


def _settings_examples():
    for page in read_pages(ROOT):
        for found in re.finditer(r"```toml\n(.*?)```", page.text, re.DOTALL):
            for profile in ["default", *tomllib.loads(found[1]).get("profile", {})]:
                yield pytest.param((found[1], profile), id=f"{page.name}-{profile}")


@pytest.mark.parametrize("example", list(_settings_examples()))
def test_an_example_of_settings_can_be_used(example, tmp_path, monkeypatch):
    text, profile = example
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "none"))
    (tmp_path / "kawe.toml").write_text(text, "utf-8")
    for name in re.findall(r'key_file = "~/(.+)"', text):
        key = tmp_path / name
        key.parent.mkdir(parents=True, exist_ok=True)
        key.write_text("kawe_live_example")
        key.chmod(0o600)
    settings = loading.load_settings(
        {"profile": profile},
        # The person's own file: one beside workbooks may not say everything.
        environment={"KAWE_CONFIG": str(tmp_path / "kawe.toml")},
        folder=tmp_path,
    )
    assert settings.profile == profile
    assert (settings.key is None) is ("key_file" not in text)


def test_the_readme_names_the_two_commands_for_a_fresh_clone():
    assert "```sh\nmake demo\nmake test\n```" in (ROOT / "README.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ("nowhere.md", "nowhere.md leads nowhere"),
        ("../README.md#no-such", "../README.md#no-such: no such heading"),
        ("#no-such", "#no-such: no such heading"),
        ("http://example.org", "http://example.org is not https"),
    ],
)
def test_a_link_that_leads_nowhere_is_found(link, words):
    page = _page(f"# A\n\nSee [this]({link}).\n", name="docs/glossary.md")
    pages = (page, _page("# Kawe\n", name="README.md"))
    found = [trouble.words for trouble in link_troubles(page, pages, root=ROOT)]
    assert found == [words]


def test_a_link_to_a_heading_is_followed():
    page = _page("# A page of `code`, twice\n\n[up](#a-page-of-code-twice)\n")
    page = Page(name="docs/glossary.md", text=page.text)
    assert list(link_troubles(page, (page,), root=ROOT)) == []


def test_links_in_code_are_no_links():
    page = _page("```\n[a](nowhere.md)\n```\nand `[b](nowhere.md)`\n")
    assert list(link_troubles(page, (page,), root=ROOT)) == []


def test_a_page_that_nobody_links_to_is_found():
    found = [trouble.where for trouble in lonely_pages((_page("# Alone\n"),))]
    assert found == ["docs/page.md"]


@pytest.mark.parametrize(
    "text",
    [
        "kawe sbumit monthly.xlsx",
        "kawe submit",
        "kawe submit monthly.xlsx --yes many",
        "kawe template people",
        "kawe export receipts",
        "kawe check monthly.xlsx --no-such-option",
        "kawe submit 'monthly.xlsx",
    ],
)
def test_a_command_that_kawe_refuses_is_found(text):
    assert why_refused(text) is not None
    assert len(list(command_troubles(_page(f"```sh\n{text}\n```\n")))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "kawe",
        "kawe --help",
        "kawe --help-all",
        "kawe submit --help",
        "kawe submit monthly.xlsx --yes 40 --no-input > out.json",
        "kawe export receipts -o receipts && cd receipts",
        "kawe status monthly   # from memory",
    ],
)
def test_a_command_that_kawe_takes_is_left_alone(text):
    assert why_refused(text) is None


def test_a_command_that_is_only_named_needs_no_arguments():
    page = _page("Use `kawe submit`, then `kawe export receipts`.\n")
    assert list(command_troubles(page)) == []


@pytest.mark.parametrize("span", ["kawe sumbit", "kawe submit --nope", "--nope"])
def test_a_wrong_command_in_a_sentence_is_found(span):
    assert len(list(command_troubles(_page(f"Use `{span}` here.\n")))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "The organization",
        "grey or Gray",
        "in Maori",
        "Ma\u0304ori",
        "two jobs",
        "A mock of it",
    ],
)
def test_a_wrong_word_is_found(text):
    assert len(list(wrong_words(text, {"job": "batch", "mock": "twin"}))) == 1


def test_code_is_not_spelt():
    page = _page("Set `color` or\n\n```\norganization\n```\n")
    assert list(word_troubles(page, {})) == []


def test_a_decomposed_macron_is_found():
    page = _page("```\nMa\u0304ori\n```\n")
    found = [trouble.words for trouble in word_troubles(page, {})]
    assert found == ["a macron is not composed (NFC)"]


def test_the_glossary_may_name_what_it_rules_out():
    glossary = next(page for page in read_pages(ROOT) if page.name == GLOSSARY)
    never = ruled_out(glossary)
    assert {"job", "mock"} <= set(never)
    assert list(word_troubles(glossary, never)) == []


def test_an_unknown_variable_is_found():
    found = list(variable_troubles(_page("Set `KAWE_COLOUR`.\n"), {"KAWE_JOURNAL"}))
    assert len(found) == 1


def test_a_table_that_was_edited_is_out_of_step():
    page = next(page for page in read_pages(ROOT) if page.name == "docs/settings.md")
    edited = page.text.replace("POST /upload/presign", "POST /upload/elsewhere")
    assert edited != page.text
    assert written_again(edited) == page.text


def test_messages_are_read_and_docstrings_are_not():
    tree = ast.parse(
        '"""A module docstring of some length."""\n'
        "@click.command()\n"
        "def go():\n"
        '    """Help for people."""\n'
        '    raise Trouble(message=f"The row {n} is wrong.")\n'
        "def other():\n"
        '    """Words for programmers."""\n'
        '    return "word"\n'
    )
    texts = [text for _, text in messages(tree)]
    assert texts == ["Help for people.", "The row ", " is wrong."]
