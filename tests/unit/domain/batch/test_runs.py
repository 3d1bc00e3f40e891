"""What the history of a journal says of one run."""

from doubles.journal_values import BATCH, NOW, later
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.batch.runs import EndOfRun, RunName, RunRecord, run_id

BY = RunName(id="20261121-2200-k3fw", who="Mere\nof Kāpiti")
ENDED = EndOfRun(
    at=later(5),
    exit_code=4,
    counts={Outcome.SENT: 1200, Outcome.HELD: 0, Outcome.IN_DOUBT: 1},
    tokens=1201,
)


def run(**changes):
    """Make a run of a batch."""
    values = {
        "batch": BATCH,
        "command": "submit",
        "workbook": "/home/mere/November.xlsx",
        "began_at": NOW,
    }
    return RunRecord(**(values | changes))


def test_a_run_with_an_end_says_who_ran_it_and_what_came_of_it():
    assert run(end=ENDED, by=BY).lines() == (
        "22:05 on 21 November 2026: November.xlsx, batch monthly, by Mere of Kāpiti",
        (
            "    1,201 rows: 1,200 sent, 1 in doubt; at most 1,201 tokens; 300 s, "
            "code 4; run 20261121-2200-k3fw"
        ),
    )


def test_a_run_of_an_older_kawe_says_no_more_than_that_one_knew():
    end = EndOfRun(at=later(5), counts={Outcome.SENT: 1}, tokens=1)
    assert run(end=end, by=RunName(who="Mere")).lines() == (
        "22:05 on 21 November 2026: November.xlsx, batch monthly, by Mere",
        "    1 row: 1 sent; 1 token",
    )


def test_a_run_that_was_killed_says_that_it_has_not_ended_and_who_ran_it():
    assert run(by=BY).lines() == (
        "22:00 on 21 November 2026: November.xlsx, batch monthly, by Mere of Kāpiti",
        "    its end is not known: it goes on, or was killed; run 20261121-2200-k3fw",
    )


def test_the_id_of_a_run_is_its_minute_in_new_zealand_and_four_letters():
    letters = iter("k3fw")
    assert run_id(NOW, choose=lambda _: next(letters)) == "20261121-2200-k3fw"


def test_a_release_of_which_no_end_is_known_says_so():
    path = "C:\\Users\\mere\\November.xlsx"
    assert run(command="release", workbook=path).lines() == (
        "22:00 on 21 November 2026: release of November.xlsx, batch monthly",
        "    its end is not known: it goes on, or was killed",
    )


def test_an_end_without_rows_is_that_of_a_run_that_never_began():
    end = EndOfRun(at=NOW, counts={}, tokens=0)
    assert end.words == "stopped before anything was begun"


def test_an_end_of_acts_says_what_they_took_at_most_for_no_answer_counts_it():
    counts = {Outcome.DONE: 170, Outcome.DEFERRED: 30}
    end = EndOfRun(at=NOW, counts=counts, tokens=90)
    assert end.words == "200 rows: 170 done, 30 deferred; at most 90 tokens"


def test_a_run_is_a_json_document_with_and_without_its_end():
    began = {
        "run": "20261121-2200-k3fw",
        "batch": "monthly",
        "command": "submit",
        "workbook": "November.xlsx",
        "began_at": "2026-11-21T09:00:00+00:00",
    }
    assert (run(end=ENDED, by=BY).as_json(), run().as_json()) == (
        {
            **began,
            "ended_at": "2026-11-21T09:05:00+00:00",
            "who": "Mere\nof Kāpiti",
            "rows": 1201,
            "counts": {"sent": 1200, "held": 0, "in doubt": 1},
            "tokens": 1201,
            "tokens_at_most": True,
            "exit_code": 4,
            "seconds": 300,
        },
        {
            **began,
            "run": None,
            "ended_at": None,
            "who": None,
            "rows": None,
            "counts": None,
            "tokens": None,
            "tokens_at_most": False,
            "exit_code": None,
            "seconds": None,
        },
    )
