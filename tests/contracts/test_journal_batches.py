"""What every journal promises of accounts, batches and lines.

Each call of `home` is one process: what one wrote, the next one reads.
"""

from dataclasses import replace
from datetime import date, datetime, time

import pytest

from doubles.journal_values import (
    BATCH,
    BINDING,
    batch,
    content,
    entry,
    intent,
    invitation,
    key,
    later,
    line,
    project_id,
)
from kawe.domain.rows.entries import BatchName
from kawe.domain.service.states import BEFORE_CREATE, State, Step
from kawe.domain.sheet.findings import CellRef, Finding, RowRef, Severity
from kawe.errors import JournalError, JournalForeign
from kawe.kinds.invitations import INVITATIONS


def test_binding_to_the_same_account_again_is_fine(home):
    home.ask("bind", BINDING)
    home.ask("bind", BINDING)
    assert home.ask("binding") == BINDING


def test_a_renamed_team_is_the_same_team(home):
    home.ask("bind", BINDING)
    renamed = replace(BINDING, team_name="Kāpiti Coast District Council")
    home.ask("bind", renamed)
    assert home.ask("binding") == renamed


@pytest.mark.parametrize(
    "change",
    [
        {"base_url": "https://other.example.nz"},
        {"team_id": "another"},
        {"mode": "sandbox"},
    ],
)
def test_another_account_is_refused_and_named(home, change):
    home.ask("bind", BINDING)
    with pytest.raises(JournalForeign, match="belongs to Kāpiti Coast at https"):
        home.ask("bind", replace(BINDING, **change))
    assert home.ask("binding") == BINDING


def test_a_batch_keeps_its_rows_and_lines_in_their_order(home):
    rows = (entry(2, position=1), entry(1, position=2))
    lines = (line(2), line(1))
    home.begin(*rows, lines=lines)
    assert ((home.ask("entries", BATCH), home.ask("lines", BATCH))) == (rows, lines)


def test_a_line_keeps_values_of_every_kind_and_its_findings(home):
    raw = (
        "=1+1",
        "\ud800 half a character",
        1,
        1.5,
        float("inf"),
        True,
        None,
        date(2027, 2, 1),
        datetime(2027, 2, 1, 13, 30),  # noqa: DTZ001 - Excel knows no time zones
        time(13, 30),
    )
    findings = tuple(
        Finding(
            where=where,
            severity=Severity.ERROR,
            rule="date-unreadable",
            heading="Start date",
            value="31/2/2027",
            message="31 February is no day.",
            advice="Write a day that there is.",
        )
        for where in (
            CellRef(sheet="Projects", row=2, column=3),
            RowRef(sheet="Projects", row=2),
        )
    )
    kept = line(1, raw=raw, findings=findings, row=None)
    home.begin(lines=[kept])
    (found,) = home.ask("lines", BATCH)
    assert (found, [type(v) for v in found.raw]) == (kept, [type(v) for v in raw])


def test_opening_a_batch_again_replaces_its_lines(home):
    home.begin(entry(1), lines=[line(1)])
    home.begin(entry(1), lines=[line(1, raw=("R-1", "New"))])
    assert home.ask("lines", BATCH) == (line(1, raw=("R-1", "New")),)


def test_batches_are_listed_by_when_they_were_read(home):
    first = {"batch": BatchName("first"), "read_at": later(5)}
    second = {"batch": BatchName("second"), "workbook": "/tmp/caf\udce9.xlsx"}
    home.begin(**first)
    home.begin(**second)
    assert home.ask("batches") == (batch(**second), batch(**first))


def test_a_batch_that_was_read_again_is_the_latest(home):
    again = batch(workbook="/home/mere/renamed.xlsx", read_at=later(9))
    home.begin(batch=BatchName("other"), read_at=later(5))
    home.begin()
    home.begin(workbook="/home/mere/renamed.xlsx", read_at=later(9))
    assert home.ask("batches")[-1] == again


@pytest.mark.parametrize("state", sorted(BEFORE_CREATE))
def test_a_row_of_which_nothing_is_with_the_service_takes_what_it_says_now(home, state):
    home.begin(entry(1, state=state, reason="then"))
    edited = entry(
        1,
        content=content(1, description="A larger outlet."),
        fingerprint="f" * 64,
        marker="R-1b",
        moved_at=later(1),
        position=7,
    )
    home.begin(edited)
    assert home.row(1) == edited


@pytest.mark.parametrize("state", [State.CREATE_INTENT, State.HELD])
def test_a_row_that_may_be_with_the_service_keeps_what_it_was(home, state):
    home.begin(entry(1))
    home.walk(1, State.FILES_READY)
    if state is State.HELD:
        home.walk(1, state, reason="Look.")
    else:
        home.ask("note", [intent(1, Step.CREATE)])
    before = home.row(1)
    other = BatchName("december")
    edited = entry(1, content=content(9), fingerprint="f" * 64, batch=other, position=3)
    home.begin(edited, batch=other)
    assert home.row(1) == before


def test_a_known_row_keeps_its_state_when_the_workbook_brings_a_later_one(home):
    home.begin(entry(1))
    home.begin(
        entry(1, state=State.SENT, content=content(9), fingerprint="f" * 64, position=2)
    )
    assert home.row(1) == entry(1, position=2)


def test_a_row_that_says_the_same_takes_what_is_not_in_its_draft(home):
    home.begin(entry(1))
    held = home.walk(1, State.HELD, reason="Look.")
    wanted = content(1, send=True, message="Now, please.", priority_order=2.0)
    home.begin(entry(1, content=wanted, position=5))
    assert home.row(1) == replace(held, content=wanted, position=5)


def test_a_row_that_a_person_gave_up_stays_given_up(home):
    home.begin(entry(1))
    given_up = home.walk(1, State.HELD, State.ABANDONED, reason="Not wanted.")
    home.begin(entry(1, position=4))
    assert home.row(1) == replace(given_up, position=4)


def test_a_row_that_comes_back_to_the_workbook_starts_over(home):
    home.begin(entry(1))
    home.walk(1, State.WITHDRAWN)
    home.begin(entry(1))
    assert home.row(1) == entry(1)


def test_a_row_that_starts_over_keeps_the_project_a_person_left_it(home):
    home.begin(entry(1))
    home.walk(1, State.HELD, State.VALID, project=project_id(1))
    home.begin(entry(1, state=State.INVALID))
    expected = entry(1, state=State.INVALID, project_id=project_id(1))
    assert home.row(1) == expected


def test_rows_that_left_the_workbook_stay_in_the_batch(home):
    home.begin(entry(1), entry(2))
    home.begin(entry(2, position=1))
    assert [e.key for e in home.ask("entries", BATCH)] == [key(1), key(2)]


@pytest.mark.parametrize(
    "row",
    [
        entry(1, state=State.READY, project_id=project_id(1)),
        entry(1, project_id=project_id(1)),
        entry(1, receipt_number="R-1"),
        entry(1, batch=BatchName("another")),
        entry(1, kind=INVITATIONS),
        entry(1, moved_at=datetime(2026, 11, 21)),  # noqa: DTZ001 - on purpose
    ],
    ids=["past the draft", "project", "receipt", "batch", "kind", "no time zone"],
)
def test_a_row_cannot_begin_in_the_middle(home, row):
    with pytest.raises(JournalError):
        home.begin(entry(2), row, lines=[line(2)])
    assert (home.ask("batches"), home.ask("find", [key(1), key(2)])) == ((), {})


def test_a_row_cannot_be_in_a_workbook_twice(home):
    with pytest.raises(JournalError, match="row R-1 more than once"):
        home.begin(entry(1), entry(1))


def test_a_line_cannot_name_a_row_that_nobody_knows(home):
    with pytest.raises(JournalError, match="does not know row R-5"):
        home.begin(entry(1), lines=[line(5)])
    assert home.ask("batches") == ()


def test_a_line_may_name_a_row_of_an_earlier_batch(home):
    home.begin(entry(1))
    home.begin(lines=[line(1)], batch=BatchName("december"))
    assert home.ask("lines", "december") == (line(1),)


def test_a_kept_row_cannot_change_its_kind_of_sheet(home):
    home.begin(entry(1))
    home.walk(1, State.HELD)
    with pytest.raises(JournalError, match="another kind of sheet"):
        home.begin(invitation(1, key=key(1)))


def test_a_batch_needs_instants_with_a_time_zone(home):
    naive = datetime(2026, 11, 21)  # noqa: DTZ001 - on purpose
    with pytest.raises(JournalError, match="no time zone"):
        home.begin(read_at=naive)


def test_what_was_sent_stays_what_the_row_says(home):
    home.begin(entry(1))
    home.walk(1, State.DRAFTED, project=project_id(1))
    sent = home.walk(1, State.READY, State.SENT)
    home.begin(entry(1, content=content(1, message="Another message."), position=5))
    assert home.row(1) == replace(sent, position=5)
