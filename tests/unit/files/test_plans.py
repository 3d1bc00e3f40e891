"""A plan in a file: written, read again, and refused when it was touched."""

import json
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from doubles.saved import saved
from kawe.domain.batch.readings import Reading
from kawe.domain.batch.saved_plans import (
    Action,
    PlannedFile,
    PlannedLimits,
    PlannedRow,
)
from kawe.domain.batch.sending import IwiLoad, IwiShare
from kawe.domain.text.next_steps import Next
from kawe.errors import PlanRefused, ResultNotWritable
from kawe.files.plans import (
    is_plan,
    plan_from_text,
    plan_to_text,
    read_plan,
    seal_of,
    sealed,
    write_plan,
)
from kawe.kinds.projects import PROJECTS

ROWS = (
    PlannedRow(
        number=2,
        key="k" * 32,
        marker="Ā-1",
        action=Action.CREATE_AND_SEND,
        place=1,
        fingerprint="f",
        cells="c" * 16,
        files=(PlannedFile(name="tūāpapa.pdf", size_bytes=9, sha256="a" * 64),),
        iwi=("tauira",),
        draft="d",
    ),
    PlannedRow(number=3, key="", marker="", action=Action.CORRECT, cells=""),
)
PLAN = sealed(
    replace(
        saved(rows=ROWS),
        kawe="1.0",
        salt="s",
        reading=Reading(
            workbook=Path("/work/monthly.xlsx"),
            kind=PROJECTS,
            sheet="Projects",
            files_root=Path("/work"),
            send_by_default=True,
        ),
        limits=PlannedLimits(max_tokens=4, only="2-3", canary=1),
        balance=4,
        requests=9,
        seconds=61.0,
        iwi_load=IwiLoad(
            shares=(IwiShare(slug="tauira", name="Ngāti Tauira", projects=1),)
        ),
    )
)
DOCUMENT = json.loads(plan_to_text(PLAN))
BARE = sealed(
    replace(
        PLAN,
        reading=replace(PLAN.reading, sheet=None, files_root=None),
        limits=PlannedLimits(),
        balance=None,
        seconds=None,
        iwi_load=IwiLoad(),
    )
)


def _text(*, totals=None, **changes):
    document = {**DOCUMENT, **changes}
    document["totals"] = document["totals"] | (totals or {})
    return json.dumps(document | {"sha256": seal_of(document)})


@pytest.mark.parametrize("plan", [PLAN, BARE], ids=["full", "bare"])
def test_a_plan_is_read_as_it_was_written(plan):
    assert plan_from_text(plan_to_text(plan)) == plan


def test_a_plan_of_an_earlier_build_lacks_what_has_a_default():
    head = {k: v for k, v in DOCUMENT.items() if k != "iwi_names"}
    head["iwi_load"] = {k: v for k, v in head["iwi_load"].items() if k != "above"}
    head["rows"] = [{k: v for k, v in e.items() if k != "target"} for e in head["rows"]]
    seal = seal_of(head)
    read = plan_from_text(json.dumps(head | {"sha256": seal}))
    assert read == replace(PLAN, sha256=seal)


def test_a_plan_is_written_with_one_row_on_a_line():
    lines = plan_to_text(PLAN).splitlines()
    assert [line[:14] for line in lines if '"number"' in line] == [
        '    {"number":',
        '    {"number":',
    ]


def test_texts_are_written_composed_and_what_utf_8_cannot_hold_is_spelt_out():
    reading = replace(PLAN.reading, workbook=Path("/x/\udcff.xlsx"))
    odd = sealed(replace(PLAN, author="A\u0304", reading=reading))
    read = plan_from_text(plan_to_text(odd))
    assert (read.author, read.reading.workbook) == ("Ā", Path("/x/\\udcff.xlsx"))


@pytest.mark.parametrize(
    "changes",
    [{"sends": 2}, {"author": "Aroha"}, {"rows": []}, {"more": 1}, {"sha256": None}],
)
def test_a_plan_that_was_edited_is_refused(changes):
    with pytest.raises(PlanRefused, match="changed after kawe made it"):
        plan_from_text(json.dumps(DOCUMENT | changes))


@pytest.mark.parametrize(
    "changes",
    [
        {"totals": {"sends": 0}},
        {"totals": {"sends": 2}},
        {"totals": {"invites": 1}},
        {"rows": DOCUMENT["rows"] * 2, "totals": {"sends": 2}},
        {"rows": DOCUMENT["rows"][1:]},
    ],
)
def test_a_plan_whose_sums_are_not_those_of_its_rows_is_refused(changes):
    with pytest.raises(PlanRefused, match=r"no plan of kawe's"):
        plan_from_text(_text(**changes))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "{",
        "[" * 100_000,
        '{"schema": "kawe.plan/2", "author": "\\ud800"}',
        '{"schema": "kawe.plan/2", "made_at": NaN}',
    ],
)
def test_what_is_no_plan_is_refused(text):
    with pytest.raises(PlanRefused):
        plan_from_text(text)


@pytest.mark.parametrize("form", [1, 2, 3])
def test_a_plan_of_an_older_kawe_says_so(form):
    with pytest.raises(PlanRefused, match="made by an older kawe") as refused:
        plan_from_text(_text(schema=f"kawe.plan/{form}"))
    assert (
        refused.value.hint == f"Make the plan again with {Next.PLAN}. Nothing was sent."
    )


@pytest.mark.parametrize(
    "rows",
    [
        [DOCUMENT["rows"][0], {**DOCUMENT["rows"][1], "number": 2}],
        [{**DOCUMENT["rows"][0], "place": 2}, DOCUMENT["rows"][1]],
        [{**DOCUMENT["rows"][0], "place": None}, DOCUMENT["rows"][1]],
    ],
)
def test_a_plan_with_a_row_or_a_place_twice_or_missing_is_refused(rows):
    with pytest.raises(PlanRefused, match=r"no plan of kawe's"):
        plan_from_text(_text(rows=rows))


def test_a_document_of_another_form_is_named():
    with pytest.raises(PlanRefused, match=r"written as 'kawe\.result/1'"):
        plan_from_text('{"schema": "kawe.result/1"}')


@pytest.mark.parametrize(
    "changes",
    [
        {"author": 1},
        {"made_at": "2026-11-21T09:00:00"},
        {"totals": {"sends": -1}},
        {"totals": {"sends": True}},
        {"balance": -1},
        {"requests": True},
        {"reading": {**DOCUMENT["reading"], "send_by_default": 1}},
        {"limits": {**DOCUMENT["limits"], "more": 1}},
        {"limits": {**DOCUMENT["limits"], "only": 4}},
        {"rows": [{**DOCUMENT["rows"][0], "action": "buy"}]},
        {"rows": [{**DOCUMENT["rows"][0], "more": 1}, DOCUMENT["rows"][1]]},
        {"rows": [{**DOCUMENT["rows"][0], "iwi": "tauira"}, DOCUMENT["rows"][1]]},
        {"rows": [{**DOCUMENT["rows"][0], "cells": []}]},
        {"rows": 4},
        {"account": {}},
        {"totals": {"counts": {"buy": 1}}},
        {"seconds": "long"},
        {"seconds": -1.0},
    ],
    ids=str,
)
def test_a_sealed_plan_of_a_wrong_form_is_refused_too(changes):
    with pytest.raises(PlanRefused, match="This is no plan of kawe's"):
        plan_from_text(_text(**changes))


def test_a_file_is_for_its_owner_and_reads_back(tmp_path):
    path = tmp_path / "plan.json"
    write_plan(PLAN, path)
    assert (read_plan(path), stat.S_IMODE(path.stat().st_mode)) == (PLAN, 0o600)


def test_a_plan_that_cannot_be_written_is_a_sentence(tmp_path):
    with pytest.raises(ResultNotWritable, match="The plan cannot be written to"):
        write_plan(PLAN, tmp_path / "none" / "plan.json")


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_a_plan_that_cannot_be_read_is_a_sentence(tmp_path, content):
    path = tmp_path / "plan.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(PlanRefused, match="cannot be read"):
        read_plan(path)


def test_a_file_too_large_for_a_plan_is_not_read(tmp_path):
    path = tmp_path / "plan.json"
    with path.open("wb") as file:
        file.truncate(300 * 2**20)
    with pytest.raises(PlanRefused, match="too large for a plan"):
        read_plan(path)


def test_a_plan_is_known_by_its_ending_or_by_how_it_begins(tmp_path):
    write_plan(PLAN, tmp_path / "approved.txt")
    (tmp_path / "people.csv").write_text("{Name}\n")
    names = ("x.JSON", "approved.txt", "people.csv", "none.xlsx")
    assert [is_plan(tmp_path / name) for name in names] == [True, True, False, False]
