"""`kawe status` lists the runs, and each earlier batch can be reported again."""

import os
import re
import shutil
from datetime import datetime

import pytest

from doubles.command import csv_row, write_csv
from kawe.domain.text.new_zealand import moment_words

YES = ("--yes", "9", "--no-input")
AS_IN_THE_LOG = re.compile(r"; \d s, code \d; run \d{8}-\d{4}-[a-z2-9]{4}")


def _when(run):
    return moment_words(datetime.fromisoformat(run["ended_at"] or run["began_at"]))


@pytest.fixture
def person(person_with):
    """Give a person who submitted, corrected, bought a token and released."""
    person = person_with(tokens=1)
    path = person.folder / "monthly.csv"
    write_csv(path, [csv_row(1), csv_row(2), csv_row(3, Type="Something")])
    person.run("submit", "monthly.csv", *YES)
    write_csv(path, [csv_row(n) for n in (1, 2, 3)])
    person.run("submit", "monthly.csv", *YES)
    person.twin.buy_tokens(5)
    person.run("release", *YES)
    write_csv(person.folder / "more.csv", [csv_row(9)])
    person.run("submit", "more.csv", "--drafts-only", "--no-input")
    return person


def test_status_lists_every_run_the_newest_first(person):
    runs = person.document("status")["runs"]
    done = person.run("status")
    said = [AS_IN_THE_LOG.sub("; run ID", line) for line in done.stdout.splitlines()]
    assert (done.returncode, said) == (
        0,
        [
            "4 runs, the newest first:",
            f"{_when(runs[0])}: more.csv, batch more, by mere",
            "    1 row: 1 drafted; no token; run ID",
            f"{_when(runs[1])}: release of monthly.csv, batch monthly, by mere",
            "    3 rows: 3 sent; 2 tokens; run ID",
            f"{_when(runs[2])}: monthly.csv, batch monthly, by mere",
            "    3 rows: 1 sent, 2 deferred; no token; run ID",
            f"{_when(runs[3])}: monthly.csv, batch monthly, by mere",
            "    3 rows: 1 sent, 1 deferred, 1 to correct; 1 token; run ID",
            "Not done in batch more: 1 drafted.",
            "    kawe status more",
        ],
    )


def test_status_gives_the_runs_to_programs(person):
    run = person.document("status")["runs"][1]
    del run["began_at"], run["ended_at"], run["run"], run["seconds"]
    assert run == {
        "batch": "monthly",
        "command": "release",
        "workbook": "monthly.csv",
        "who": "mere",
        "rows": 3,
        "counts": {"sent": 3},
        "tokens": 2,
        "tokens_at_most": False,
        "exit_code": 0,
    }


def test_status_lists_as_many_runs_as_are_asked_for(person):
    lines = person.run("status", "--runs", "1").stdout.splitlines()
    assert lines[0] == "4 runs, the newest first (1 shown; --runs N lists more):"
    assert (lines[3], person.run("status", "--runs", "0").returncode) == (
        "Not done in batch more: 1 drafted.",
        2,
    )


def test_status_of_a_batch_lists_its_runs_alone(person):
    lines = person.run("status", "more").stdout.splitlines()
    assert [line for line in lines if line.endswith("newest first:")] == [
        "1 run, the newest first:"
    ]


def test_a_run_that_was_killed_is_in_the_list_without_its_end(person_with):
    person = person_with(tokens=90, rows=range(60))
    process = person.start("submit", "monthly.csv", "--yes", "60", "--no-input")
    person.kill_when(process, projects=1, sends=0)
    (run,) = person.document("status")["runs"]
    what = ("command", "workbook", "who", "ended_at", "tokens", "seconds")
    assert [run[each] for each in what] == [
        *("submit", "monthly.csv", "mere"),
        *(None, 0, None),
    ]
    assert (
        "its end is not known: it goes on, or was killed; run "
        in person.run("status").stdout
    )


def test_tokens_of_a_run_that_was_killed_are_in_history_and_months(person_with):
    person = person_with(tokens=90, rows=range(60))
    submit = ("submit", "monthly.csv", "--yes", "60", "--no-input", "--settle", "1")
    person.kill_when(person.start(*submit), projects=1, sends=5)
    said = person.run("status").stdout
    assert re.search(r"or was killed; at most \d+ tokens; run ", said)
    assert person.run(*submit).returncode == 0
    assert person.sends() == 60
    runs = person.document("status")["runs"]
    months = person.document("status", "--since", "1 July 2020", "--result", "a.html")
    assert sum(run["tokens"] for run in runs) == months["tokens"] == 60
    assert [batch["tokens"] for batch in months["batches"]] == [60]


def test_more_than_twenty_rows_of_one_reason_are_named_up_to_the_twentieth(person_with):
    person = person_with(tokens=0)
    rows = [csv_row(number) for number in range(1, 24)]
    rows += [csv_row(24, Type="Something"), csv_row(25, Type="Something")]
    write_csv(person.folder / "monthly.csv", rows)
    person.run("submit", "monthly.csv", *YES, "--max-tokens", "0")
    lines = person.run("status", "monthly").stdout.splitlines()
    begin = lines.index("Not done: 25 rows.")
    named = [line for line in lines[begin:] if line.startswith("    R-")]
    assert named[0] == "    R-1 (Ōtāhuhu culvert 1), monthly!2"
    assert len(named) == 20
    more = "kawe status monthly --write writes all of them into its result."
    assert lines[-1] == f"… and 5 more rows: {more}"
    assert sum("is not one of the choices for Type" in line for line in lines) == 1


def test_a_row_that_could_not_be_read_is_named_by_its_first_cells(person_with):
    person = person_with(tokens=9)
    write_csv(person.folder / "monthly.csv", [csv_row(1, Type="Something")])
    person.run("submit", "monthly.csv", *YES)
    lines = person.run("status", "monthly").stdout.splitlines()
    assert lines[-1] == "    R-1 (Ōtāhuhu culvert 1), monthly!2"


def test_a_batch_without_its_workbook_is_reported_and_it_is_said(person):
    (person.folder / "monthly.csv").unlink()
    result = person.folder / "monthly.result.xlsx"
    done = person.run("status", "--write", "monthly")
    assert (done.returncode, result.is_file()) == (0, True)
    assert "The workbook monthly.csv is no longer where it was read at" in done.stdout


def test_a_batch_whose_workbook_was_saved_again_is_reported_and_it_is_said(person):
    path = person.folder / "monthly.csv"
    write_csv(path, [csv_row(77)])
    later = path.stat().st_mtime + 60
    os.utime(path, (later, later))
    done = person.run("status", "--write", "monthly")
    assert "The workbook monthly.csv was saved again since" in done.stdout
    assert "R-77" not in (person.folder / "monthly.result.csv").read_text("utf-8-sig")


def test_a_batch_whose_folder_is_gone_is_reported_here(person):
    elsewhere = person.folder / "desk"
    elsewhere.mkdir()
    write_csv(elsewhere / "late.csv", [csv_row(50)])
    person.run("submit", "desk/late.csv", "--drafts-only", "--no-input")
    shutil.rmtree(elsewhere)
    done = person.run("status", "--write", "late")
    assert (done.returncode, (person.folder / "late.result.xlsx").is_file()) == (
        0,
        True,
    )


def test_the_report_of_an_earlier_batch_leaves_the_later_result_alone(person):
    write_csv(person.folder / "monthly.csv", [csv_row(n) for n in range(60, 65)])
    person.run("submit", "monthly.csv", "--drafts-only", "--no-input")
    before = (person.folder / "monthly.result.csv").read_text("utf-8-sig")
    done = person.run("status", "--write", "monthly")
    named = [path.name for path in person.folder.glob("monthly 20*.result.csv")]
    assert (done.returncode, len(named)) == (0, 1)
    assert "Another batch was read from monthly.csv since" in done.stdout
    assert (person.folder / "monthly.result.csv").read_text("utf-8-sig") == before


def test_a_release_says_that_nothing_waits_only_where_nothing_does(person):
    assert "0 " not in person.run("release", *YES).stdout.splitlines()[0]


def test_a_draft_that_nobody_asked_to_send_is_done(person_with):
    person = person_with(tokens=9)
    write_csv(person.folder / "monthly.csv", [csv_row(1, Send="no")])
    person.run("submit", "monthly.csv", *YES)
    told = [person.run("status", *words).stdout for words in ((), ("monthly",))]
    last = [each.splitlines()[-1] for each in told]
    assert last == ["Nothing is left to do about any row."] * 2


def test_a_run_that_was_stopped_before_it_began_is_in_the_list_with_its_code(person):
    sent = person.sends()
    refused = person.run("submit", "more.csv", "--yes", "0")
    lines = person.run("status", "more").stdout.splitlines()
    said = [AS_IN_THE_LOG.sub("; run ID", line) for line in lines]
    run = person.document("status")["runs"][0]
    assert (refused.returncode, person.sends()) == (2, sent)
    assert said.count("    stopped before anything was begun; run ID") == 1
    assert (run["batch"], run["exit_code"], run["rows"]) == ("more", 2, 0)


def test_a_release_that_nobody_agreed_to_is_in_the_list(person_with):
    person = person_with(tokens=0)
    write_csv(person.folder / "new.csv", [csv_row(1), csv_row(2)])
    person.run("submit", "new.csv", *YES)
    person.twin.buy_tokens(5)
    refused = person.run("release", "--no-input")
    run = person.document("status")["runs"][0]
    assert (refused.returncode, run["command"], run["exit_code"], run["rows"]) == (
        2,
        "release",
        2,
        0,
    )
