"""For whom, by what rules and where a saved plan may be carried out."""

from dataclasses import replace
from pathlib import Path

import pytest

from doubles.saved import saved
from kawe.cases.batches.plans import account_check, reading_of_plan, rules_hash
from kawe.cases.choices import author_of
from kawe.domain.batch.saved_plans import hidden
from kawe.domain.rows.entries import Binding
from kawe.domain.text.next_steps import Given
from kawe.errors import PlanRefused
from kawe.settings.values import Settings

SETTINGS = Settings(base_url="https://api.example.nz", key="kawe_live_one")
HERE = Binding(
    base_url="https://api.example.nz",
    team_id="t",
    team_name="Kāpiti Coast",
    mode="live",
)
PLAN = replace(
    saved(rows=()),
    account=HERE,
    key_hash=hidden("salt", "key", "kawe_live_one")[:12],
    rules=rules_hash(),
)


def _said(settings, now):
    with pytest.raises(PlanRefused) as refused:
        account_check(PLAN, settings)(now)
    return refused.value.message.removeprefix(
        "The plan is stale; nothing more is sent. "
    )


def test_the_same_team_under_another_name_may_carry_a_plan_out():
    renamed = replace(HERE, team_name="Kāpiti")
    assert account_check(PLAN, SETTINGS)(renamed) is None


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"team_id": "u", "team_name": "Other"},
            "It was made for the team Kāpiti Coast, and the key is of Other.",
        ),
        ({"mode": "sandbox"}, "It was made for mode live, and this is sandbox."),
        (
            {"base_url": "https://b.example.nz"},
            (
                "It was made for the address https://api.example.nz, and this is "
                "https://b.example.nz."
            ),
        ),
    ],
)
def test_another_account_is_named(changes, words):
    assert _said(SETTINGS, replace(HERE, **changes)) == words


def test_a_workbook_that_was_moved_is_read_where_it_is_as_it_was(tmp_path):
    there = tmp_path / "July.xlsx"
    there.write_bytes(b"")
    plan = replace(PLAN, reading=replace(PLAN.reading, files_root=Path("/work/files")))
    reading = reading_of_plan(plan, workbook=there, files_root=None)
    assert (reading.workbook, reading.files_root, reading.kind) == (
        there,
        Path("/work/files"),
        plan.reading.kind,
    )


def test_a_workbook_that_is_not_there_asks_where_it_is(tmp_path):
    plan = replace(
        PLAN, reading=replace(PLAN.reading, workbook=tmp_path / "monthly.xlsx")
    )
    with pytest.raises(PlanRefused, match=f"{Given.WORKBOOK('PATH')}"):
        reading_of_plan(plan, workbook=None, files_root=None)


def test_the_author_is_whom_the_settings_name():
    assert author_of(replace(SETTINGS, author="Mere")) == "Mere"
