"""The references that follow from the code are those that the tools would write."""

import csv

import pytest

from architecture.house import ROOT
from kawe.cases.kinds import KINDS
from kawe.schemas.catalog import load_columns
from two_readers import PUBLISHED as READERS
from two_readers import compared
from two_readers import written as readers_written
from write_columns import PUBLISHED as COLUMNS
from write_columns import WORDS as COLUMN_WORDS
from write_columns import words_written
from write_columns import written as columns_written
from write_commands import PUBLISHED as COMMANDS
from write_commands import written as commands_written
from write_input_cases import PUBLISHED as CASES
from write_input_cases import written as cases_written


@pytest.mark.parametrize(
    ("page", "written", "tool"),
    [
        (COLUMNS, columns_written, "write_columns"),
        (COLUMN_WORDS, words_written, "write_columns"),
        (COMMANDS, commands_written, "write_commands"),
        (CASES, cases_written, "write_input_cases"),
        (READERS, readers_written, "two_readers"),
    ],
    ids=["columns", "column-words", "commands", "input-cases", "two-readers"],
)
def test_a_reference_is_what_its_tool_would_write_now(page, written, tool):
    assert page.parent == ROOT / "docs" / "reference"
    assert page.read_text("utf-8") == written(), f"run python tools/{tool}.py"


def test_two_readers_agree_on_every_cell_of_the_samples_or_the_reason_is_known():
    found = compared()

    assert found.cells > 10_000
    assert [where for where, why in found.differences if not why] == []


@pytest.mark.parametrize("kind", KINDS)
def test_every_column_and_every_word_for_it_is_in_the_reference(kind):
    page, sheet = columns_written(), kind.value.capitalize()
    there = {
        (row["column"], row["word"])
        for row in csv.DictReader(words_written().splitlines())
        if row["sheet"] == sheet
    }
    columns = load_columns(kind)
    words = {
        (column.title, word)
        for column in columns
        for word in (
            column.field,
            *column.synonyms,
            *(word for names in column.parts for word in names),
            *(alias for choice in column.choices for alias in choice.aliases),
        )
    }
    assert words - there == set()
    typed = [each for each in columns if not each.is_fetched]
    assert [each.title for each in typed if f"`{each.example}`" not in page] == []


def test_every_sample_that_is_no_plain_success_is_among_the_cases():
    text = cases_written()
    folders = [
        f"{group}/{folder.name}/"
        for group in ("bad", "odd")
        for folder in (ROOT / "samples" / group).iterdir()
    ]
    assert [each for each in folders if each not in text] == []
