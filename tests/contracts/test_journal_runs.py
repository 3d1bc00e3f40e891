"""What every journal promises of its history of runs."""

from dataclasses import replace

from doubles.journal_values import BATCH, entry, later
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.batch.runs import EndOfRun, RunName, RunRecord

END = EndOfRun(
    at=later(9), counts={Outcome.SENT: 3, Outcome.IN_DOUBT: 1}, tokens=4, exit_code=4
)


def _ended(home, *, command="submit", end=END):
    (begun,) = home.ask("runs")[:1]
    return RunRecord(
        batch=BATCH,
        command=command,
        workbook=begun.workbook,
        began_at=begun.began_at,
        end=end,
        by=begun.by,
    )


def test_a_run_is_known_from_the_reading_of_its_workbook(home):
    home.begin(entry(1))
    (run,) = home.ask("runs")
    assert (run.batch, run.command, run.end) == (BATCH, "submit", None)


def test_the_end_of_a_run_is_kept_with_its_beginning(home):
    home.begin(entry(1))
    home.ask("keep_run", _ended(home))
    assert home.ask("runs") == (_ended(home),)


def test_a_run_that_read_no_workbook_is_kept_by_itself(home):
    home.begin(entry(1))
    home.ask("keep_run", _ended(home, command="release"))
    assert [run.command for run in home.ask("runs")] == ["submit", "release"]


def test_a_release_that_ends_is_one_run_with_the_release_that_began(home):
    home.begin(entry(1))
    name = RunName(id="20261121-2200-k3fw", who="mere")
    ended = replace(_ended(home, command="release"), by=name)
    home.ask("keep_run", replace(ended, end=None))
    begun = home.ask("runs")[1:]
    home.ask("keep_run", ended)
    assert (begun, home.ask("runs")[1:]) == ((replace(ended, end=None),), (ended,))


def test_the_end_of_another_run_does_not_end_one_that_was_killed(home):
    home.begin(entry(1))
    other = replace(_ended(home), by=RunName(id="20261121-2200-k3fw", who="mere"))
    home.ask("keep_run", other)
    assert [run.end for run in home.ask("runs")] == [None, END]


def test_a_second_run_leaves_the_first_as_it_ended(home):
    home.begin(entry(1))
    first = _ended(home)
    home.ask("keep_run", first)
    home.begin(entry(1))
    runs = home.ask("runs")
    assert (runs[0], len(runs), runs[1].end) == (first, 2, None)


def test_a_run_in_words_says_at_most_where_a_send_is_in_doubt():
    assert END.words == "4 rows: 3 sent, 1 in doubt; at most 4 tokens"
