"""What every journal promises of moves, files, receipts and the unknown.

Each call of `home` is one process: what one wrote, the next one reads.
"""

from dataclasses import replace

import pytest

from doubles.journal_values import (
    BATCH,
    BINDING,
    NOW,
    entry,
    key,
    later,
    project_id,
    stored,
)
from kawe.domain.rows.entries import BatchName
from kawe.domain.service.states import Fingerprint, RowKey, State, Step
from kawe.errors import JournalError


def test_a_move_tells_why_and_when(home):
    home.begin(entry(1))
    moved = home.walk(1, State.INVALID, at=later(2), reason="No such iwi.")
    expected = entry(1, state=State.INVALID, moved_at=later(2), reason="No such iwi.")
    assert (moved, home.row(1)) == (expected, expected)


def test_a_move_can_bind_a_project(home):
    home.begin(entry(1))
    home.walk(1, State.DRAFTED, project=project_id(4))
    kept = (home.row(1).project_id, home.ask("owner_of", project_id(4)))
    assert kept == (project_id(4), key(1))


def test_a_move_without_a_project_keeps_the_one_there_is(home):
    home.drafted(1)
    assert home.walk(1, State.READY).project_id == project_id(1)


def test_a_project_of_another_row_cannot_be_adopted(home):
    home.drafted(1)
    home.begin(entry(1), entry(2))
    assert "already belongs to row R-1" in home.refused(
        "move", key(2), State.DRAFTED, at=NOW, project=project_id(1)
    )
    assert (home.row(2), home.ask("owner_of", project_id(1))) == (entry(2), key(1))


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (State.VALID, "from VALID to VALID"),
        (State.SENT, "from VALID to SENT"),
        (State.DRAFTED, "Without a project row R-1 cannot be DRAFTED"),
        (State.INVITE_INTENT, "Without an intent row R-1 cannot be INVITE_INTENT"),
    ],
)
def test_a_move_that_is_not_in_the_table_is_refused(home, state, words):
    home.begin(entry(1))
    assert words in home.refused("move", key(1), state, at=NOW)
    assert home.row(1) == entry(1)


def test_rows_that_move_together_each_move_as_one_does(home):
    home.begin(entry(1), entry(2), entry(3))
    moved = home.ask(
        "move_all", [key(3), key(1)], State.FILES_READY, at=later(2), reason="Both."
    )
    assert (moved, home.row(1), home.row(2), home.row(3)) == (
        (home.row(3), home.row(1)),
        entry(1, state=State.FILES_READY, moved_at=later(2), reason="Both."),
        entry(2),
        entry(3, state=State.FILES_READY, moved_at=later(2), reason="Both."),
    )


@pytest.mark.parametrize(
    "refused",
    [
        ((1, 2), State.SENT, "from VALID to SENT"),
        ((1, 9), State.HELD, "The journal does not know row R-9"),
        ((1, 2, 1), State.HELD, "A row can be moved only once at a time"),
        ((1, 2), State.INVITE_INTENT, "Without an intent row R-1 cannot be"),
    ],
)
def test_one_refusal_stops_all_rows_that_move_together(home, refused):
    numbers, state, words = refused
    home.begin(entry(1), entry(2))
    keys = [key(number) for number in numbers]
    assert words in home.refused("move_all", keys, state, at=NOW)
    assert (home.row(1), home.row(2)) == (entry(1), entry(2))


def test_no_rows_move_without_a_word(home):
    home.begin(entry(1))
    assert home.ask("move_all", [], State.HELD, at=NOW) == ()


def test_attempts_of_many_rows_are_counted_by_their_step(home):
    home.drafted(1)
    home.begin(entry(1), entry(2))
    keys = [key(1), key(2), key(9)]
    made = {
        step: home.ask("attempts_made", keys, step=step)
        for step in (Step.CREATE, Step.SEND)
    }
    assert made == {Step.CREATE: {key(1): 1}, Step.SEND: {}}


def test_an_unknown_row_cannot_be_moved(home):
    unread = RowKey(f"row:{'0' * 64}")
    message = home.refused("move", unread, State.HELD, at=NOW)
    assert message == "The journal does not know a row without a reference."


def test_a_reason_with_half_a_character_can_be_kept(home):
    home.begin(entry(1))
    moved = home.walk(1, State.HELD, reason="caf\ud800")
    assert (moved.reason, home.row(1).reason) == ("caf?", "caf?")


def test_files_are_listed_as_they_were_kept(home):
    home.begin(entry(1), entry(2))
    kept = (stored(1, name="z.pdf"), stored(1, name="a.pdf", document_id="doc-9"))
    for file in (*kept, stored(2)):
        home.ask("keep_file", file)
    assert home.ask("files", key(1)) == kept


def test_the_same_file_uploaded_again_takes_the_place_of_the_first(home):
    home.begin(entry(1))
    again = stored(1, document_id="doc-2")
    for file in (stored(1), again, again, stored(1, name="other.pdf")):
        home.ask("keep_file", file)
    assert home.ask("files", key(1)) == (again, stored(1, name="other.pdf"))


@pytest.mark.parametrize(
    "file",
    [stored(2, document_id="doc-1"), stored(1, name="other.pdf"), stored(3)],
    ids=["document of another row", "document of another file", "unknown row"],
)
def test_a_document_belongs_to_one_file_of_one_row(home, file):
    home.begin(entry(1), entry(2))
    home.ask("keep_file", stored(1))
    home.refused("keep_file", file)
    assert home.ask("files", file.row) == ((stored(1),) if file.row == key(1) else ())


def test_a_receipt_ends_the_way_of_a_row(home):
    home.begin(entry(1))
    home.walk(1, State.DRAFTED, project=project_id(1))
    home.walk(1, State.READY, State.SENT, State.CONFIRMED)
    row = home.ask("keep_receipt", key(1), number="RC-7", at=later(9))
    expected = entry(
        1,
        state=State.RECEIPTED,
        moved_at=later(9),
        project_id=project_id(1),
        receipt_number="RC-7",
    )
    assert (row, home.row(1)) == (expected, expected)


def test_a_row_that_is_not_confirmed_gets_no_receipt(home):
    home.begin(entry(1))
    home.refused("keep_receipt", key(1), number="RC-7", at=NOW)
    assert home.row(1) == entry(1)


def test_a_closed_journal_answers_nothing_and_can_be_closed_again(home):
    async def script(journal):
        await journal.aclose()
        await journal.aclose()
        with pytest.raises(JournalError, match="closed"):
            await journal.batches()
        with pytest.raises(JournalError, match="closed"):
            await journal.bind(BINDING)

    home(script)


def test_what_is_unknown_is_nothing(home):
    async def script(journal):
        return (
            await journal.find([key(1)]),
            await journal.entries(BATCH),
            await journal.lines(BATCH),
            await journal.batches(),
            await journal.attempts(key(1)),
            await journal.files(key(1)),
            await journal.owner_of(project_id(1)),
            await journal.binding(),
            await journal.approvals(),
            await journal.runs(),
            await journal.put_first_so_far(),
            await journal.batch_owners(),
            await journal.iwi_answers(since=NOW),
        )

    asked = ({}, (), (), (), (), (), None, None, (), (), (), {}, {})
    assert home(script) == asked


def test_find_gives_the_rows_of_any_batch(home):
    home.begin(entry(1))
    december = BatchName("december")
    home.begin(entry(2, batch=december), batch=december)
    found = home.ask("find", [key(1), key(2), key(3)])
    assert found == {key(1): entry(1), key(2): entry(2, batch=december)}


def test_the_reason_with_which_a_row_was_let_go_stands_until_it_is_let_go_again(home):
    home.drafted(1)
    home.walk(1, State.HELD, reason="Look.")
    held = home.ask("let_go", key(1))
    home.walk(1, State.READY, reason="A person looked.")
    home.walk(1, State.WAIT_TOKENS, reason="No tokens.")
    kept = home.ask("let_go", key(1))
    home.walk(1, State.HELD, State.DRAFTED, reason="Again.")
    assert (held, kept, home.ask("let_go", key(1))) == (
        "",
        "A person looked.",
        "Again.",
    )


def test_a_row_that_moves_may_say_something_else_from_then_on(home):
    home.drafted(1)
    was = home.row(1)
    other = replace(was.content, description="What the draft says.")
    revised = replace(was, content=other, fingerprint=Fingerprint("both"))
    home.ask("move", key(1), State.READY, at=NOW, revised=revised)
    assert home.row(1) == replace(revised, state=State.READY, moved_at=NOW)
