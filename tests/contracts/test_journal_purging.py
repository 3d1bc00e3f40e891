"""What a purge takes out of a journal, what it leaves, and what still holds."""

import sqlite3
from contextlib import closing
from dataclasses import fields, replace
from pathlib import Path

import pytest

from doubles.journal_homes import tamper
from doubles.journal_values import (
    BATCH,
    NOW,
    batch,
    content,
    entry,
    intent,
    invitation,
    invited,
    key,
    later,
    line,
    project_id,
    stored,
)
from doubles.sheets import attached, finding
from kawe.domain.service.service_words import Invitation, IwiAnswer, IwiChoice
from kawe.domain.service.states import NotDone, Reason, State, Step
from kawe.domain.sheet.content import (
    Contact,
    OrganisationContent,
    ProjectContent,
)
from kawe.domain.sheet.findings import Severity
from kawe.errors import JournalError, JournalLocked
from kawe.journal.events import emptied
from kawe.journal.history import Purged, Verification, purge_journal, verify_journal
from kawe.journal.records import content_from_json, content_to_json
from kawe.journal.store.opening import OpeningLimits
from kawe.kinds.invitations import INVITATIONS
from kawe.kinds.invitations.kind import InvitationContent
from kawe.kinds.projects import PROJECTS
from kawe_places.values import Place

SECRETS = (
    *("Outlet of Mere", "021 555 777", "Kererū", "Whare Street", "plan of Mere"),
    *("iwi of Mere", "invitation of Mere"),
)
PERSON = Contact(name="Mere Kererū", role="Owner", phone="021 555 777")
SAYS = content(
    1,
    name="Outlet of Mere",
    address="12 Whare Street",
    contact=PERSON,
    message="Kia ora from Mere Kererū.",
)
SAYS_ALL = ProjectContent(
    reference="R-1",
    name="Outlet of Mere",
    description="By the urupā.",
    type="EARTHWORKS",
    phase="PRE_START",
    start_on=SAYS.start_on,
    end_on=SAYS.end_on,
    respond_by_on=SAYS.respond_by_on,
    address="12 Whare Street",
    place=Place(latitude=-41.0, longitude=175.0),
    iwi=("rangitane",),
    organisation=OrganisationContent(name="Mere and Sons"),
    contact=PERSON,
    files=(attached("plan of Mere.pdf", path=Path("plan.pdf"), sha256="0" * 64),),
    send=True,
    message="Kia ora from Mere Kererū.",
    recipient_team_id="00000000-0000-4000-8000-000000000009",
    priority_order=2.0,
)
INVITES_ALL = InvitationContent(
    **{each.name: f"Mere {each.name}" for each in fields(InvitationContent)}
)
OF_MERE = {"value": "Outlet of Mere", "message": "Mere Kererū."}
NOTE = finding(severity=Severity.NOTE, rule="note", heading="Name", **OF_MERE)
LONG_AFTER = later(60 * 24 * 400)


def _purge(disk, *, finished_before=LONG_AFTER):
    before = {None: finished_before}
    return purge_journal(disk.path, finished_before=before, at=LONG_AFTER)


def _sent(disk):
    """Bring row 1 to its receipt, with words about Mere wherever there is room."""
    rows = [entry(1, content=SAYS), entry(2)]
    lines = [line(1, raw=("R-1", "Outlet of Mere"), findings=(NOTE,)), line(2)]

    async def script(journal):
        await journal.open_batch(batch(), lines=lines, entries=rows)
        await journal.keep_file(stored(1, name="plan of Mere.pdf"))
        await journal.move(key(1), State.FILES_READY, at=NOW, reason="Outlet of Mere")
        noted = intent(1, Step.CREATE)
        await journal.note([noted])
        refused = NotDone(reason=Reason.RATE_LIMITED, detail="Not now, Mere Kererū.")
        await journal.conclude(noted, refused, at=NOW)

    disk(script)
    disk.walk(1, State.DRAFTED, project=project_id(1))
    disk.walk(1, State.READY, State.SENT, State.CONFIRMED)
    disk.ask("keep_receipt", key(1), number="RC-1", at=later(5))
    disk.ask("keep_sent_to", {key(1): ("The iwi of Mere",)})
    invitation = Invitation(id="The invitation of Mere")
    disk.ask("keep_invitations", {key(1): invitation})


def _bytes(disk):
    return b"".join(each.read_bytes() for each in disk.path.parent.iterdir())


def _found(disk):
    data = _bytes(disk)
    spelt = {
        word: [word.encode(), word.encode("ascii", "backslashreplace")]
        for word in SECRETS
    }
    return [word for word in SECRETS if any(each in data for each in spelt[word])]


def test_what_a_person_wrote_is_in_no_byte_of_the_journal_after_a_purge(disk):
    _sent(disk)
    before = _found(disk)
    _purge(disk)
    assert (before, _found(disk)) == (list(SECRETS), [])


def test_what_earlier_writes_left_behind_in_the_file_goes_too(disk):
    disk.begin(entry(1))
    with closing(sqlite3.connect(disk.path, isolation_level=None)) as db:
        db.execute("PRAGMA secure_delete = OFF")
        db.execute("UPDATE entry SET reason = ?", ("Outlet of Mere. " * 2_000,))
        db.execute("UPDATE entry SET reason = ''")
    before = _found(disk)
    _purge(disk)
    assert (before, _found(disk)) == (["Outlet of Mere"], [])


def test_after_a_purge_it_is_known_that_the_row_is_done(disk):
    _sent(disk)
    known = disk.ask("known", [key(1)])
    assert (_purge(disk), disk.ask("known", [key(1)])) == (
        Purged(rows=1, without_receipt=0),
        known,
    )


def test_a_purged_journal_is_whole_and_can_be_written_and_purged_again(disk):
    _sent(disk)
    _purge(disk)
    disk.walk(2, State.HELD, State.ABANDONED)
    again = [_purge(disk), _purge(disk)]
    found = verify_journal(disk.path)
    assert (again, found) == (
        [Purged(rows=1, without_receipt=0), Purged(rows=0, without_receipt=0)],
        Verification(events=found.events, rows=2),
    )


def test_rows_that_are_not_done_or_were_done_later_keep_what_they_say(disk):
    _sent(disk)
    disk.begin(entry(1, content=SAYS), entry(2, content=replace(SAYS, reference="R-2")))
    rows = disk.ask("entries", BATCH)
    assert (_purge(disk, finished_before=later(5)), disk.ask("entries", BATCH)) == (
        Purged(rows=0, without_receipt=0),
        rows,
    )


def test_a_sent_row_without_a_receipt_is_counted(disk):
    disk.drafted(1)
    disk.walk(1, State.READY, State.SENT, State.CONFIRMED)
    assert _purge(disk) == Purged(rows=1, without_receipt=1)
    disk.ask("keep_receipt", key(1), number="RC-1", at=LONG_AFTER)
    assert verify_journal(disk.path).fault is None


def test_a_row_that_left_its_workbook_is_purged_and_may_come_back(disk):
    disk.begin(entry(1, content=SAYS))
    disk.walk(1, State.WITHDRAWN)
    _purge(disk)
    found = _found(disk)
    disk.begin(entry(1, content=SAYS))
    assert (found, disk.row(1), verify_journal(disk.path).fault) == (
        [],
        entry(1, content=SAYS),
        None,
    )


def test_lines_that_could_not_be_submitted_lose_their_values_too(disk):
    wrong = line(1, raw=("", "Outlet of Mere"), findings=(NOTE,), row=None)
    disk.begin(lines=[wrong])
    _purge(disk, finished_before=NOW)
    kept = disk.ask("lines", BATCH)
    _purge(disk)
    assert (kept, disk.ask("lines", BATCH)) == (
        (wrong,),
        (replace(wrong, raw=(), findings=()),),
    )


def test_a_workbook_of_which_no_cell_is_left_loses_its_path_and_headings(disk):
    _sent(disk)
    _purge(disk)
    some_left = disk.ask("batches")
    disk.walk(2, State.HELD, State.ABANDONED)
    _purge(disk)
    data = _bytes(disk)
    assert (
        some_left,
        disk.ask("batches"),
        [each for each in (b"/home/mere", b"November.xlsx") if each in data],
    ) == ((batch(),), (batch(workbook=BATCH, headings=()),), [])


def test_a_purge_keeps_what_it_names_and_empties_every_other_field():
    kept = {
        *("type", "start_on", "end_on", "respond_by_on", "send", "priority_order"),
        "role",
    }
    for said in (SAYS_ALL, INVITES_ALL):
        kind = PROJECTS if said is SAYS_ALL else INVITATIONS
        left = emptied(said, kept=kind.kept_fields)
        text = content_to_json(left)
        assert {
            each.name
            for each in fields(said)
            if getattr(left, each.name) == getattr(said, each.name)
        } == kept & {each.name for each in fields(said)}
        assert content_from_json(text, kind=kind) == left


def test_old_answers_about_places_go(disk):
    answer = IwiAnswer(choices=(IwiChoice(slug="a", name="A"),), can_select=False)
    here = Place(latitude=-41.0, longitude=175.0)
    there = Place(latitude=-40.0, longitude=175.0)

    async def script(journal):
        await journal.keep_iwi_answer(here, answer, at=NOW)
        await journal.keep_iwi_answer(there, answer, at=later(2))

    disk(script)
    _purge(disk, finished_before=later(1))
    assert disk.ask("iwi_answers", since=NOW) == {there.key(): answer}


def test_names_in_requests_for_reports_of_an_earlier_kawe_go(disk):
    disk.drafted(1)
    step = "'', '', 'p1', 'intent', ?, '[]', '', '', 'Road of Mere', 'R-Mere'"
    with closing(sqlite3.connect(disk.path)) as db:
        for seq, at in enumerate(("2026-11-20", "2026-11-22"), 1):
            db.execute(f"INSERT INTO report_step VALUES ({seq}, {step})", (at,))
        db.commit()
    _purge(disk, finished_before=NOW)
    with closing(sqlite3.connect(disk.path)) as db:
        kept = db.execute("SELECT name, reference FROM report_step").fetchall()
    assert kept == [("", ""), ("Road of Mere", "R-Mere")]


# --------------------------------------------------------------- invitations


def _invited(disk):
    row = invitation(1)
    kind = INVITATIONS
    lines = [line(1, raw=("Hēmi", "hemi1@example.nz"), row=row.key)]

    async def script(journal):
        await journal.open_batch(batch(kind=kind), lines=lines, entries=[row])
        noted = replace(intent(1, Step.INVITE), row=row.key)
        await journal.note([noted])
        await journal.conclude(noted, invited("INVITED"), at=NOW)

    disk(script)
    return row


def test_a_persons_address_is_nowhere_and_still_known_to_be_invited(disk):
    row = _invited(disk)
    _purge(disk)
    data = _bytes(disk)
    (known,) = disk.ask("known", [row.key]).values()
    (found,) = disk.ask("find", [row.key]).values()
    assert (
        b"hemi1@" in data,
        [(each.key, each.state, each.fingerprint) for each in (known, found)],
        verify_journal(disk.path).fault,
    ) == (False, [(row.key, State.INVITED, row.fingerprint)] * 2, None)


def test_a_workbook_with_a_purged_person_can_be_read_again(disk):
    row = _invited(disk)
    _purge(disk)
    moved = replace(row, position=7)
    lines = [line(1, raw=("Hēmi", "hemi1@example.nz"), row=row.key)]
    disk.begin(moved, lines=lines, kind=INVITATIONS, read_at=LONG_AFTER)
    (entry_now,) = disk.ask("entries", BATCH)
    (line_now,) = disk.ask("lines", BATCH)
    assert (entry_now.state, entry_now.position, line_now.row) == (
        State.INVITED,
        7,
        entry_now.key,
    )


# ------------------------------------------------------------------ refusals


def test_there_must_be_a_journal(disk):
    with pytest.raises(JournalError, match="There is no journal at"):
        _purge(disk)


def test_nothing_is_purged_while_a_writer_is_at_work(disk):
    async def script(_journal):
        with pytest.raises(JournalLocked):
            _purge(disk)

    disk(script)


def test_a_history_that_was_altered_is_not_sealed(disk):
    _sent(disk)
    tamper(disk.path, "UPDATE event SET went_to = 'HELD' WHERE seq = 2")
    with pytest.raises(JournalError, match="Event 2 is not what was written"):
        _purge(disk)
    assert _found(disk) == list(SECRETS)


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("UPDATE event SET detail = 'x' WHERE seq = 1", "event 9 sealed."),
        (
            "UPDATE event SET at = '2020-01-01T00:00:00.000000+00:00' WHERE seq = 2",
            "event 9 sealed.",
        ),
        ("UPDATE event SET detail = 'x' WHERE seq = 9", "Event 9 is not what"),
        ("DELETE FROM event WHERE seq = 3", "Event 3 is missing."),
    ],
)
def test_what_a_purge_left_cannot_be_altered_unseen(disk, statement, what):
    _sent(disk)
    _purge(disk)
    tamper(disk.path, statement)
    assert what in verify_journal(disk.path).fault.what


def test_a_purge_that_cannot_be_written_takes_nothing_out(disk):
    _sent(disk)
    with closing(sqlite3.connect(disk.path)) as reader:
        # Whoever reads for longer than the purge waits makes its commit fail.
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM entry").fetchone()
        with pytest.raises(JournalError, match="another program keeps it locked"):
            purge_journal(
                disk.path,
                finished_before={None: LONG_AFTER},
                at=LONG_AFTER,
                limits=OpeningLimits(busy_seconds=0.01),
            )
    assert (disk.row(1).content, verify_journal(disk.path).fault) == (SAYS, None)
