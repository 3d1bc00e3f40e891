"""The references that follow from the code are those that the tools would write."""

from __future__ import annotations

import pytest

from architecture.house import ROOT
from docs_pages import Page
from kawe.cases.kinds import KINDS
from kawe.schemas.catalog import load_columns
from two_readers import PUBLISHED as READERS
from two_readers import compared
from two_readers import written as readers_written
from write_columns import PUBLISHED as COLUMNS
from write_columns import written as columns_written
from write_commands import PUBLISHED as COMMANDS
from write_commands import written as commands_written
from write_input_cases import PUBLISHED as CASES
from write_input_cases import written as cases_written


@pytest.mark.parametrize(
    ("page", "written", "tool"),
    [
        (COLUMNS, columns_written, "write_columns"),
        (COMMANDS, commands_written, "write_commands"),
        (CASES, cases_written, "write_input_cases"),
        (READERS, readers_written, "two_readers"),
    ],
    ids=["columns", "commands", "input-cases", "two-readers"],
)
def test_a_reference_is_what_its_tool_would_write_now(page, written, tool):
    assert page.parent == ROOT / "docs" / "reference"
    assert page.read_text("utf-8") == written(), f"run python tools/{tool}.py"


def test_two_readers_agree_on_every_cell_of_the_samples_or_the_reason_is_known():
    found = compared()

    assert found.cells > 10_000
    assert [where for where, why in found.differences if not why] == []


@pytest.mark.parametrize("kind", KINDS)
def test_every_word_that_a_column_accepts_is_in_the_reference(kind):
    spans = {
        span
        for line in Page(name="columns.md", text=columns_written()).lines()
        for span in line.spans
    }
    words = {
        word
        for column in load_columns(kind)
        for word in (
            column.field,
            column.example,
            *column.synonyms,
            *(alias for choice in column.choices for alias in choice.aliases),
        )
    }
    assert words - spans == set()


def test_every_sample_that_is_no_plain_success_is_among_the_cases():
    text = cases_written()
    folders = [
        f"{group}/{folder.name}/"
        for group in ("bad", "odd")
        for folder in (ROOT / "samples" / group).iterdir()
    ]
    assert [each for each in folders if each not in text] == []
