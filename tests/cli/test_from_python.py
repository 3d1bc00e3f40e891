"""The Python interface: what is public, and the examples of its page."""

import ast
import asyncio
import gc
import inspect
import re
from contextlib import nullcontext
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

import kawe
from architecture.house import ROOT
from doubles.command import csv_row, write_csv
from kawe import Decision, ExitCode, PlannedLimits, Reading
from kawe.cases.batches.plans import SubmitRequest
from kawe.cases.batches.submitting import SubmitFace, agreed_before, submit_one
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.rows.entries import Line
from kawe.domain.service.states import State
from kawe.domain.text.new_zealand import day_in_new_zealand
from kawe.domain.text.next_steps import Next
from kawe.errors import GuardRefused, SettingsError
from kawe.flows.checked_rows import CheckedRow
from kawe.workbook.reading.lines import Body

PAGE = (ROOT / "docs/reference/python.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
BOOK = "monthly.csv"
PUBLIC = {
    "audit": "kawe, since, until, *, path",
    "check": "kawe, reading, *, offline",
    "export_receipts": "kawe, folder",
    "find_rows": "kawe, words",
    "in_words": "text",
    "open_kawe": "*, profile, base_url, key_file, journal",
    "plan": "kawe, reading, *, limits, path",
    "release": "kawe, batch, *, agreed",
    "resolve": "kawe, row, decision, *, project",
    "status": "kawe, batch",
    "submit": "kawe, what, *, agreed, limits",
    "verify": "folder",
    "waiting": "kawe, *, batch",
    "Decision": "ADOPT, RETRY, ABANDON",
    "ExitCode": "DONE, ROWS_TO_CORRECT, SERVICE, ROWS_WAIT_FOR_PERSON, RUN_MISSING, "
    "NOT_AS_SAVED, WORKBOOK, USAGE, JOURNAL, UNEXPECTED, INTERRUPTED",
    "KaweError": "message, hint",
    "PlannedLimits": "drafts_only, update_drafts, max_tokens, keep_reserve, only, "
    "canary",
    "Reading": "kind, sheet, table, send_by_default, is_strict, include_hidden, "
    "takes_struck, accepts_coordinates, accepts_addresses, accepts_repeats, "
    "accepts_references, accepts_patterns, accepts_missing, accepts_off, "
    "accepts_months_first, allows_owners, workbook, files_root, places, message, given",
}
"""Whoever takes a name or an argument away from here breaks programs: see semver."""


@pytest.fixture
def programme(person_with, monkeypatch):
    """Give a function that opens a folder with two rows, and so many tokens."""

    def start(*, tokens):
        person = person_with(tokens=tokens)
        write_csv(person.folder / BOOK, [csv_row(n, Name=f"Weir {n}") for n in (1, 2)])
        for name, value in person.surroundings().items():
            monkeypatch.setenv(name, value)
        monkeypatch.chdir(person.folder)
        return person

    return start


def test_what_is_public_is_written_down():
    assert {name: _shape(getattr(kawe, name)) for name in kawe.__all__} == PUBLIC


def test_the_page_names_all_that_is_public():
    assert set(kawe.__all__) <= set(re.findall(r"`(\w+)`", PAGE))


def test_no_other_name_is_public():
    with pytest.raises(AttributeError, match="no public name 'Toolkit'"):
        kawe.Toolkit  # noqa: B018 - asking for it is the act


def test_the_example_of_a_scheduler_sends_and_ends_with_the_code(programme):
    person = programme(tokens=9)
    with pytest.raises(SystemExit) as ended:
        exec(EXAMPLES[0], {})
    assert (ended.value.code, person.sends()) == (ExitCode.DONE, 2)


def test_the_example_of_a_notebook_sends_what_was_looked_at(programme):
    person, cells = programme(tokens=9), {}
    for source in EXAMPLES[1:]:
        code = compile(source, "cell", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        asyncio.run(eval(code, cells))
    assert cells["planned"].acts == person.sends() == 2


@pytest.mark.parametrize("most", [0, 1])
def test_more_than_was_agreed_to_is_refused_as_a_whole(programme, most):
    person, reading = programme(tokens=9), Reading(workbook=BOOK)
    with pytest.raises(GuardRefused, match=f"and {most} (was|were) agreed to"):
        asyncio.run(kawe.submit(kawe.open_kawe(), reading, agreed=most))
    assert person.state()["projects"] == []


@pytest.mark.parametrize(
    ("limits", "sent"),
    [({"max_tokens": 5}, 1), ({"keep_reserve": 9}, 0), ({"canary": -1}, 0)],
)
def test_no_limit_of_a_program_lets_more_go(programme, limits, sent):
    person, reading = programme(tokens=9), Reading(workbook=BOOK)
    person.write_settings("keep_reserve = 8")
    opened, bounds = kawe.open_kawe(), PlannedLimits(**limits)
    made = asyncio.run(kawe.plan(opened, reading, limits=bounds))
    asyncio.run(kawe.submit(opened, reading, agreed=2, limits=bounds))
    assert (made.acts, person.sends()) == (sent, sent)


def test_a_plan_is_kept_and_carried_out_where_letters_say(programme):
    person = programme(tokens=9)
    opened = kawe.open_kawe(journal="here")
    asyncio.run(kawe.plan(opened, Reading(workbook=BOOK), path="plan.json"))
    asyncio.run(kawe.submit(opened, "plan.json", agreed=2))
    assert person.sends() == 2


def test_while_a_run_goes_no_row_is_in_memory_that_only_its_plan_needs(programme):
    person, found, asked = programme(tokens=9), [], Reading(workbook=BOOK)

    def hold(*kinds):
        gc.collect()
        found.extend(each for each in gc.get_objects() if type(each) in kinds)

    def heeding():
        hold(CheckedRow, Body)
        return nullcontext()

    class Told:
        def record(self, report, **_said):
            hold(Line)
            assert report.counts() == {Outcome.SENT: 2}

    request = SubmitRequest(reading=asked, limits=PlannedLimits(), path=Path(BOOK))
    face = SubmitFace(agreed=agreed_before(2), heeding=heeding)
    toolkit = replace(kawe.open_kawe(), told=Told())
    asyncio.run(submit_one(toolkit, request, face=face))
    names = [each for each in map(_said_by, found) if each.startswith("Weir")]
    assert (person.sends(), names) == (2, [])


def _said_by(held):
    if isinstance(held, Body):
        return str(next(iter(held.rows))[1][1])
    return held.raw[1] if isinstance(held, Line) else held.content.name


def test_what_to_do_next_is_said_in_words(programme, monkeypatch):
    programme(tokens=0)
    monkeypatch.setenv("KAWE_BASE_URL", "http://127.0.0.1:9")
    with pytest.raises(kawe.KaweError) as unreachable:
        asyncio.run(kawe.check(kawe.open_kawe(), Reading(workbook=BOOK)))
    assert "start it on port 9." in str(unreachable.value)


def test_a_sentence_of_a_row_is_said_in_words():
    said = kawe.in_words(f"Held. {Next.RELEASE('monthly')} sends it.")
    assert said == "Held. Release monthly sends it."


def test_drafts_need_no_agreement(programme):
    person, limits = programme(tokens=9), PlannedLimits(drafts_only=True)
    done = asyncio.run(
        kawe.submit(kawe.open_kawe(), Reading(workbook=BOOK), limits=limits)
    )
    assert (dict(done.report.counts()), person.sends()) == ({Outcome.DRAFTED: 2}, 0)


def test_a_release_sends_what_waited_and_no_more_than_was_agreed_to(programme):
    person = programme(tokens=0)
    opened = kawe.open_kawe()
    asyncio.run(kawe.submit(opened, Reading(workbook=BOOK), agreed=2))
    queue = asyncio.run(kawe.waiting(opened)).queue
    person.twin.buy_tokens(5)
    with pytest.raises(GuardRefused, match="1 was agreed to"):
        asyncio.run(kawe.release(opened, agreed=1))
    before = person.sends()
    (closing,) = asyncio.run(kawe.release(opened, agreed=2))
    assert (len(queue.for_tokens), before, person.sends(), closing.code) == (2, 0, 2, 0)


def test_what_became_of_rows_and_papers_is_told(programme, tmp_path):
    programme(tokens=9)
    opened, folder = kawe.open_kawe(), str(tmp_path / "receipts")
    checked = asyncio.run(
        kawe.check(opened, Reading(workbook=BOOK, send_by_default=True), offline=True)
    )
    asked = asyncio.run(kawe.check(opened, Reading(workbook=BOOK, kind="projects")))
    asyncio.run(kawe.submit(opened, Reading(workbook=BOOK), agreed=2))
    report = asyncio.run(kawe.status(opened, "monthly"))
    (found,) = asyncio.run(kawe.find_rows(opened, "R-1"))
    saved = asyncio.run(kawe.export_receipts(opened, folder))
    counts = [dict(each.report.counts()) for each in (checked, asked)]
    assert counts == [{Outcome.READY: 2}] * 2
    assert dict(report.counts()) == {Outcome.SENT: 2}
    assert (found.row.name, found.row.outcome) == ("Weir 1", Outcome.SENT)
    assert (len(saved.receipts), kawe.verify(folder).findings) == (2, ())


def test_an_audit_states_what_was_sent_and_says_whether_it_closes(programme, tmp_path):
    programme(tokens=9)
    opened, path = kawe.open_kawe(), str(tmp_path / "audit.xlsx")
    asyncio.run(kawe.submit(opened, Reading(workbook=BOOK), agreed=2))
    since = day_in_new_zealand(opened.clock.now()) - timedelta(days=1)
    made = asyncio.run(kawe.audit(opened, f"{since:%d/%m/%Y}", path=path))
    opened.halt.asked = True
    stopped = asyncio.run(kawe.audit(opened, f"{since:%d/%m/%Y}", path=path))
    said = made.as_json()
    assert (len(said["sent"]), said["closes"], stopped) == (2, made.code == 0, None)
    assert {name: file.is_file() for name, file in made.files().items()} == {
        "result": True,
        "page": True,
        "document": True,
    }


def test_a_row_that_is_not_held_is_refused(programme):
    programme(tokens=9)
    opened = kawe.open_kawe()
    asyncio.run(kawe.submit(opened, Reading(workbook=BOOK), agreed=2))
    assert asyncio.run(kawe.waiting(opened)).held == ()
    assert [each.code for each in asyncio.run(kawe.release(opened, agreed=-1))] == [0]
    with pytest.raises(SettingsError, match="No held row"):
        asyncio.run(kawe.resolve(opened, "R-1", Decision.RETRY))


def test_a_decision_in_letters_is_that_decision(programme):
    person, limits = programme(tokens=9), PlannedLimits(drafts_only=True)
    opened, reading = kawe.open_kawe(), Reading(workbook=BOOK)
    asyncio.run(kawe.submit(opened, reading, limits=limits))
    rows = [csv_row(n, Name=f"Weir {n}", Description="Other words") for n in (1, 2)]
    write_csv(person.folder / BOOK, rows)
    asyncio.run(kawe.submit(opened, reading, limits=limits))
    done = asyncio.run(kawe.resolve(opened, "R-1", "abandon"))
    with pytest.raises(ValueError, match="'drop' is not a valid Decision"):
        asyncio.run(kawe.resolve(opened, "R-2", "drop"))
    held = asyncio.run(kawe.waiting(opened)).held
    assert (done.entry.state, [row.entry.marker for row in held]) == (
        State.ABANDONED,
        ["R-2"],
    )


@pytest.mark.parametrize("case", [kawe.check, kawe.plan])
def test_a_path_in_place_of_a_reading_is_refused_with_what_to_write(programme, case):
    programme(tokens=9)
    with pytest.raises(TypeError) as refused:
        asyncio.run(case(kawe.open_kawe(), BOOK))
    assert str(refused.value) == f"Give a Reading: Reading(workbook={BOOK!r})."


def _shape(value):
    if inspect.isfunction(value):
        return _arguments(inspect.signature(value))
    members = getattr(value, "__members__", None)
    if members is not None:
        return ", ".join(members)
    return _arguments(inspect.signature(value)).removeprefix("*, ")


def _arguments(signature):
    names, is_named = [], False
    for each in signature.parameters.values():
        if each.kind is each.KEYWORD_ONLY and not is_named:
            names.append("*")
            is_named = True
        names.append(each.name)
    return ", ".join(names)
