"""What a journal tells without reading what its rows say."""

from weakref import ref

import pytest

from doubles.journal_values import BATCH, NOW, batch, entry, key, line
from kawe.domain.rows.entries import KnownRow
from kawe.domain.service.states import SETTLED, State

AFTER_DRAFT = (State.READY, State.SENT, State.CONFIRMED)


def test_a_known_row_that_is_told_what_it_says_is_the_whole_row(home):
    home.drafted(1)
    home.walk(1, *AFTER_DRAFT)
    home.ask("keep_receipt", key(1), number="RC-1", at=NOW)
    whole = home.row(1)
    (known,) = home.ask("known", [key(1), key(2)]).values()
    assert (type(known), known.saying(whole.content)) == (KnownRow, whole)


def test_rows_of_any_batch_are_known(home):
    home.begin(entry(1))
    home.begin(entry(2, batch="yearly"), batch="yearly")
    found = home.ask("known", [key(2), key(1)])
    assert {row: each.batch for row, each in found.items()} == {
        key(1): BATCH,
        key(2): "yearly",
    }


def test_what_a_row_says_is_in_memory_once_and_while_somebody_holds_it(home):
    # No other test of this process holds what it says.
    home.begin(said := entry(8_721))
    rows = home.row(8_721), *home.ask("entries", BATCH)
    held = [each.content for each in rows]
    assert list(map(id, held)) == [id(said.content)] * 2
    left = ref(said.content)
    del said, rows, held
    assert left() is None


def test_a_text_that_many_lines_repeat_is_in_memory_once(home):
    home.begin(entry(1), entry(2), lines=[line(1), line(2)])
    assert len({id(each.raw[1]) for each in home.ask("lines", BATCH)}) == 1


@pytest.mark.parametrize("steps", range(len(AFTER_DRAFT) + 1))
def test_a_row_is_unfinished_until_it_is_settled(home, steps):
    home.drafted(1)
    for state in AFTER_DRAFT[:steps]:
        home.walk(1, state)
    row = home.row(1)
    expected = () if row.state in SETTLED else (row,)
    assert home.ask("unfinished", BATCH) == expected


def test_unfinished_rows_come_in_the_order_of_the_sheet(home):
    home.begin(entry(1, position=3), entry(2, position=1), entry(3, position=2))
    home.walk(3, State.HELD, State.ABANDONED)
    home.walk(2, State.HELD)
    held = home.ask("unfinished", BATCH, states={State.HELD})
    assert [each.key for each in home.ask("unfinished", BATCH)] == [key(2), key(1)]
    assert [each.key for each in held] == [key(2)]


def test_lines_that_were_cut_off_are_gone_and_the_others_stay(home):
    rows = [entry(number) for number in (1, 2, 3)]
    after = (line(1), line(3, raw=("R-3", "Culvert")))
    home.begin(*rows, lines=[line(1), line(2), line(3)])
    home.begin(*rows, lines=after)
    assert home.ask("lines", BATCH) == after


def test_only_lines_that_changed_are_written_again(disk):
    rows = [entry(number) for number in (1, 2, 3)]

    async def script(journal):
        lines = [line(1), line(2), line(3)]
        await journal.open_batch(batch(), lines=lines, entries=rows)
        written = journal._store._db.total_changes
        lines[1] = line(2, raw=("R-2", "Culvert"))
        await journal.open_batch(batch(), lines=lines, entries=rows)
        return journal._store._db.total_changes - written

    # The batch, its run, its sheet, three rows that start over, and one line.
    assert disk(script) == 7


def test_rows_that_have_a_project_are_found_beside_those_of_a_workbook(home):
    for number in (1, 2, 3):
        home.drafted(number)
    home.begin(entry(4))
    made = home.ask("made", lambda each: each.key != key(3), beside=iter([key(2)]))
    assert made == (home.row(1),)
