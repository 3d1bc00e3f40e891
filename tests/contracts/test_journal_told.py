"""What is told of a batch in a few words, and how its rows are counted by hour."""

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from doubles.journal_values import (
    BATCH,
    NOW,
    entry,
    intent,
    key,
    later,
    line,
    project_id,
)
from kawe.domain.service.service_words import Invitation
from kawe.domain.service.states import Done, State, Step
from kawe.domain.sheet.findings import Finding, RowRef, Severity

ALL = frozenset({State.VALID})
WARNED = Finding(
    where=RowRef(sheet="Projects", row=3),
    severity=Severity.WARNING,
    rule="place-on-many-rows",
    message="Many.",
    advice="Look.",
    heading="Latitude",
    value="-36.85",
)


def _read(home, numbers, *, findings=(), **changes):
    entries = [entry(number) for number in numbers]
    lines = [
        replace(line(number), findings=(WARNED,) if number in findings else ())
        for number in numbers
    ]
    home.begin(*entries, lines=lines, **changes)


def _told(home, quiet=ALL):
    told = home.ask("told", BATCH, quiet=quiet)
    return (
        [each.key for each in told.entries],
        [each.row for each in told.lines],
        dict(told.quiet),
    )


def test_rows_of_which_nothing_is_to_be_told_are_counted(home):
    _read(home, [1, 2, 3, 4], findings={2})
    assert _told(home) == ([key(2), key(4)], [key(2), key(4)], {State.VALID: 2})


def test_without_quiet_states_every_row_is_told(home):
    _read(home, [1, 2, 3])
    every = [key(1), key(2), key(3)]
    assert _told(home, frozenset()) == (every, every, {})


def test_a_row_with_a_reason_or_an_invitation_is_told(home):
    _read(home, [1, 2, 3, 4])
    home.walk(1, State.HELD, reason="Look.")
    said = Invitation(id="i", status="PENDING", made_at=NOW, expires_at=later(9))
    home.ask("keep_invitations", {key(2): said})
    told = [key(1), key(2), key(4)]
    assert _told(home, ALL | {State.HELD}) == (told, told, {State.VALID: 1})


def test_a_batch_that_was_read_from_two_sheets_is_told_in_full(home):
    _read(home, [1, 2, 3])
    _read(home, [1, 2], workbook="/home/mere/December.xlsx", read_at=later(1))
    assert _told(home) == ([key(1), key(2), key(3)], [key(1), key(2)], {})


@pytest.mark.parametrize("iwi", [None, ("Ngāti Tauira", "Te “Ati” Mea")])
def test_rows_are_counted_by_the_hour_in_which_they_were_sent(home, iwi):
    home.drafted(1)
    home.begin(entry(1), entry(2), entry(3))
    home.walk(1, State.READY)

    async def send(journal):
        noted = intent(1, Step.SEND, begun_at=later(100))
        await journal.note([noted])
        await journal.conclude(noted, Done(http_status=200), at=later(120))
        if iwi is not None:
            await journal.keep_sent_to({key(1): iwi})

    home(send)
    home.walk(1, State.CONFIRMED, at=later(600))
    found = Counter({(e.state, e.at, e.iwi): e.rows for e in home.ask("hours")})
    hour, sent = (
        datetime(at.year, at.month, at.day, at.hour, tzinfo=UTC)
        for at in (NOW, later(120))
    )
    assert found == {(State.VALID, hour, None): 2, (State.CONFIRMED, sent, iwi): 1}


def test_rows_are_found_by_their_projects(home):
    home.drafted(1)
    home.begin(entry(1), entry(2))
    found = home.ask("owners", [project_id(1), project_id(7)])
    assert [each.key for each in found] == [key(1)]


def test_a_row_that_is_not_told_has_its_place_and_its_state(home):
    _read(home, [1, 2, 3, 4], findings={2})
    quiet = home.ask("quiet", BATCH, None, states=ALL)
    assert quiet == tuple((line(n).where, key(n), State.VALID) for n in (1, 3))
    names = (entry(3).marker, entry(3).content.name)
    said = "|".join((*names, *(e for e in line(3).raw if isinstance(e, str))))
    third = home.ask(
        "quiet", BATCH, lambda *row: row == (line(3).where, said), states=ALL
    )
    assert third == quiet[1:]
    assert home.ask("quiet", BATCH, None, states=()) == ()
