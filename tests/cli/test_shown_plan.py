"""`kawe plan plan.json`: the second person sees what they are to approve."""

import json
import re

import pytest

from doubles.command import csv_row, write_csv

NEXT = (
    (
        "Whether all of it still fits is looked at when it is carried out: "
        "kawe submit plan.json"
    ),
    "To approve it with a key of your own: kawe approve plan.json",
)


@pytest.fixture
def person(person_with):
    person = person_with(tokens=20)
    person.write_settings('author = "Mere"')
    rows = [*(csv_row(n) for n in range(12)), csv_row(12, Type="Something")]
    write_csv(person.folder / "monthly.csv", rows)
    words = ("-o", "plan.json", "--max-tokens", "11", "--quiet")
    person.run("plan", "monthly.csv", *words)
    return person


def elsewhere(person):
    """Take away all but the plan: its second person has no key and no workbook."""
    (person.folder / "monthly.csv").unlink()
    person.environment["KAWE_API_KEY"] = ""


def test_a_plan_in_a_file_is_shown_whole_to_whoever_has_neither_key_nor_workbook(
    person,
):
    elsewhere(person)
    done = person.run("plan", "plan.json")
    lines = done.stdout.splitlines()
    at = r"\d\d:\d\d on \d+ \w+ \d{4} \(NZ time\)"
    assert re.fullmatch(
        rf"The plan plan\.json, as Mere made it at {at}, unchanged since\.", lines[0]
    )
    assert (done.returncode, done.stderr, lines[1:]) == (
        0,
        "",
        [
            f"The plan is of {person.folder / 'monthly.csv'}, sheet monthly.",
            "It was made with --max-tokens 11.",
            "LIVE: Kaunihera o Tauira (twin), 20 tokens",
            "13 rows read.",
            "     11 will be created and sent to iwi",
            "      1 will be created, and wait for a token",
            "      1 will be left out: to correct",
            "12 ready: 12 to be sent, 0 to be kept as drafts.",
            "1 row has a warning: 1 with a place that many rows have.",
            "This plan will send 11 projects to Ngāti Tauira ki te Raki.",
            "11 projects go to iwi, and 9 tokens stay. Sending cannot be undone.",
            "1 more waits, the least urgent: this plan may use no more tokens.",
            "About 52 requests to the service.",
            "The order of sends:",
            *(
                f"     {n + 1:>2}. monthly!{n + 2} R-{n} to Ngāti Tauira ki te Raki"
                for n in range(11)
            ),
            *NEXT,
        ],
    )


def test_a_program_gets_the_same_document_as_when_the_plan_was_made(person):
    elsewhere(person)
    told = person.document("plan", "plan.json", "--json")
    assert (told["schema"], told["sha256"], told["sends"], told["plan"]) == (
        "kawe.planned/1",
        json.loads((person.folder / "plan.json").read_text("utf-8"))["sha256"],
        11,
        "plan.json",
    )


def test_a_plan_that_was_edited_is_not_shown(person):
    path = person.folder / "plan.json"
    path.write_text(path.read_text("utf-8").replace('"sends": 11', '"sends": 12'))
    done = person.run("plan", "plan.json")
    assert (
        done.returncode,
        done.stdout,
        "was changed after kawe made it" in done.stderr,
    ) == (2, "", True)


@pytest.mark.parametrize(
    ("words", "flag"),
    [
        (("--canary", "2"), "--canary"),
        (("--max-tokens", "0"), "--max-tokens"),
        (("-o", "other.json"), "-o"),
        (("--send",), "--send"),
    ],
)
def test_what_would_shape_another_plan_is_refused(person, words, flag):
    assert person.stderr_of("plan", "plan.json", *words, code=2).strip() == (
        f"kawe: {flag} shapes a new plan, and plan.json is one already. To look at "
        "it: kawe plan plan.json. To make another, name the workbook: kawe plan "
        f"WORKBOOK {flag}"
    )


def test_a_plan_that_was_begun_or_carried_out_says_so(person):
    words = ("submit", "plan.json", "--yes", "11", "--no-input", "--quiet")
    assert person.run(*words, "--max-tokens", "5").returncode == 4
    first, then = _said(person)
    assert (first, then) == ("begun", "5 of 11 sent. Make the plan of what is left.")
    assert person.run("release", "--yes", "7", "--no-input").returncode == 3
    assert _said(person) == ("carried out", "11 of 11 sent.")


def _said(person):
    done = person.run("plan", "plan.json").stdout
    told = re.search(
        r"^This plan was (.+) at .+ \d{4}(?: \(NZ time\))?: (.+)$", done, re.MULTILINE
    )
    assert told is not None, done
    assert NEXT[0] not in done
    return told.groups()
