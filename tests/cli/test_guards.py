"""What a run may do at most, and who must have agreed to it."""

import re
from collections import Counter

import pytest

from doubles.command import csv_row, write_csv
from doubles.planned import YES

SECOND = 'approval = "second_person"\nauthor = "Mere"\n'


def _person(person_with, rows=4, settings="", **options):
    person = person_with(**{"tokens": 9, **options}, rows=range(rows))
    person.write_settings(settings)
    return person


def test_a_canary_goes_all_the_way_and_says_what_is_left(person_with):
    person = _person(person_with)
    done = person.document("submit", "monthly.csv", "--canary", "2", *YES)
    assert (
        done["exit_code"],
        Counter(done["counts"]),
        done["remarks"],
        [row["what_to_do"] for row in done["rows"]],
        len(person.state()["projects"]),
    ) == (
        7,
        Counter({"sent": 2, "unfinished": 2}),
        [
            (
                "The canary has ended, and 2 rows are left. Look at what became of the "
                "first ones, in the portal as well; then run the same command again "
                "without --canary."
            )
        ],
        [
            *["", ""],
            *[
                (
                    "Left out of this run. Run the same command again without "
                    "--canary, and it goes."
                )
            ]
            * 2,
        ],
        2,
    )


def test_after_the_canary_the_others_go(person_with):
    person = _person(person_with)
    person.run("submit", "monthly.csv", "--canary", "2", *YES)
    done = person.run("submit", "monthly.csv", *YES)
    assert (done.returncode, person.sends()) == (0, 4)


def test_a_canary_of_drafts_that_were_made_before_ends_with_code_7_too(person_with):
    person = _person(person_with)
    person.run("submit", "monthly.csv", "--drafts-only", *YES)
    done = person.run("submit", "monthly.csv", "--canary", "1", *YES)
    assert (done.returncode, person.sends()) == (7, 1)


@pytest.mark.parametrize(
    ("rows", "sent"), [("3,5", {"R-1", "R-3"}), ("R-0,4-9", {"R-0", "R-2", "R-3"})]
)
def test_only_the_named_rows_go_and_the_run_is_done(person_with, rows, sent):
    person = _person(person_with)
    done = person.document("submit", "monthly.csv", "--only", rows, *YES)
    left = sum(row["what_to_do"].startswith("Left out") for row in done["rows"])
    again = person.run("submit", "monthly.csv", "--only", rows, *YES)
    assert (
        (done["exit_code"], done["rows_read"], left, person.sent()),
        # It would do nothing for them to run the same command again.
        f"{left} unfinished: still to be done" in again.stdout,
        "run again" in again.stdout,
    ) == ((0, 4, 4 - len(sent), sent), True, False)


def test_a_row_that_is_not_there_is_refused_with_code_2(person_with):
    person = _person(person_with)
    done = person.run("submit", "monthly.csv", "--only", "2,99", *YES)
    assert (
        done.returncode,
        "--only names what the sheet does not have: 99." in done.stderr,
        person.state()["projects"],
    ) == (2, True, [])


@pytest.mark.parametrize(("allowed", "made"), [("1", 0), ("30%", 0), ("2", 2)])
def test_more_rows_to_correct_than_are_allowed_send_nothing(person_with, allowed, made):
    person = _person(person_with)
    rows = [csv_row(1), csv_row(2), csv_row(3, Type="x"), csv_row(4, Type="x")]
    write_csv(person.folder / "monthly.csv", rows)
    done = person.run("submit", "monthly.csv", "--max-errors", allowed, *YES)
    why = "2 rows need correcting, and --max-errors allows"
    end = (done.returncode, why in done.stderr, len(person.state()["projects"]))
    assert (*end, person.sends()) == (3 if made else 2, not made, made, made)


NO_KEY = (
    "kawe: The settings want a second person's signed approval for every live send or "
    "invitation, and name nobody's key. Nothing was sent. The other person is "
    "shown theirs by kawe approve --show-key. Put it into your settings, under "
    "[approvers.keys].\n"
)


@pytest.mark.parametrize("what", ["monthly.csv", "plan.json"])
def test_a_second_person_must_have_a_key_before_anything_is_sent(person_with, what):
    person = _person(person_with, settings=SECOND)
    person.run("plan", "monthly.csv", "-o", "plan.json", "--quiet")
    done = person.run("submit", what, *YES)
    assert (done.returncode, done.stderr, person.state()["projects"]) == (2, NO_KEY, [])


def test_no_way_around_the_second_person_leaves_rows_for_a_release(person_with):
    person = _person(person_with, settings=SECOND)
    bounded = person.run("submit", "monthly.csv", "--max-tokens", "0", *YES)
    drafts = person.run("submit", "monthly.csv", "--drafts-only", *YES)
    released = person.run("release", *YES)
    assert (bounded.returncode, drafts.returncode, person.sends()) == (2, 0, 0)
    assert released.returncode != 4


@pytest.mark.parametrize("words", [(), ("--wait",)])
def test_a_release_needs_the_key_of_a_second_person_too(person_with, words):
    person = _person(person_with, rows=3, tokens=1)
    person.run("submit", "monthly.csv", *YES)
    person.twin.buy_tokens(5)
    person.write_settings(SECOND)
    done = person.run("release", *words, *YES)
    assert (done.returncode, done.stderr, person.sends()) == (2, NO_KEY, 1)


def test_the_count_is_asked_for_a_plan_too(person_with):
    person = _person(person_with)
    person.run("plan", "monthly.csv", "-o", "plan.json", "--quiet")
    words = ("submit", "plan.json", "--no-input")
    asked = person.run(*words)
    fewer = person.run(*words, "--yes", "3")
    assert (asked.returncode, fewer.returncode) == (2, 2)
    assert "--yes 4" in asked.stderr
    assert person.state()["projects"] == []


@pytest.mark.parametrize("mode", ["live", "sandbox"])
def test_a_key_of_the_other_mode_than_the_settings_want_sends_nothing(
    person_with, mode
):
    person = _person(person_with, settings=f'mode = "{mode}"\n')
    other = {"live": "sandbox_key", "sandbox": "live_key"}[mode]
    person.key = getattr(person.twin.address, other)
    done = person.run("submit", "monthly.csv", *YES)
    assert (
        done.returncode,
        {"live", "sandbox"} <= set(re.findall(r"\w+", done.stderr)),
        person.state()["projects"],
    ) == (2, True, [])


def test_yes_agrees_to_a_run_and_to_its_resume(person_with):
    person = _person(person_with, rows=6, latency_ms=40)
    words = ("submit", "monthly.csv", "--yes", "6", "--no-input", "--quiet")
    person.kill_when(person.start(*words), projects=6, sends=2)
    done = person.run(*words, "--settle", "2")
    sends = [each["sends"] for each in person.state()["projects"]]
    assert (done.returncode, sends) == (0, [1] * 6)


def test_nobody_is_told_to_buy_tokens_that_the_team_has(person_with):
    person = _person(person_with, rows=3, tokens=9)
    done = person.run("submit", "monthly.csv", "--max-tokens", "1", *YES)
    assert [line for line in done.stdout.splitlines() if "wait" in line] == [
        "2 more wait, the least urgent: this run may use no more tokens.",
        "      2 deferred: waiting to be sent",
        "2 rows wait and the tokens are there: run kawe release",
    ]


def test_nobody_is_told_to_release_with_tokens_that_stay_in_reserve(person_with):
    person = _person(person_with, rows=3, tokens=9)
    person.write_settings("keep_reserve = 8\n")
    told = "The team has 8, and 8 stay in reserve; 1 pack of 5 would do"
    assert told in person.run("submit", "monthly.csv", *YES).stdout
    assert told in person.run("release", *YES).stdout
    page = (person.folder / "monthly.result.html").read_text("utf-8")
    assert "8 tokens now, and 8 stay in reserve. 2 more are needed." in page
