"""`kawe plan` and `kawe submit plan.json`, in front of a real twin."""

import json
import stat

import pytest

from doubles.command import csv_row, write_csv
from doubles.planned import YES, change_rows

SIX = [
    *(csv_row(n) for n in range(4)),
    csv_row(4, Send="no"),
    csv_row(5, Type="Something"),
]


def _person(person_with, rows=SIX, **options):
    person = person_with(**{"tokens": 3, **options})
    person.write_settings('author = "Mere"')
    write_csv(person.folder / "monthly.csv", rows)
    return person


def _plan(person, *words):
    return person.run("plan", "monthly.csv", "-o", "plan.json", "--quiet", *words)


def test_a_plan_says_in_the_future_tense_what_will_be_done_and_at_what_cost(
    person_with,
):
    done = _plan(_person(person_with))
    lines = done.stdout.splitlines()
    assert (done.returncode, lines[:2], lines[3:13], lines[14:]) == (
        3,
        [
            "PROJECTS: 6 rows of “monthly.csv”, sheet monthly",
            "10 columns under their own names.",
        ],
        [
            "LIVE: Kaunihera o Tauira (twin), 3 tokens",
            "6 rows read. Nothing has been changed or sent.",
            "      3 will be created and sent to iwi",
            "      1 will be created, and wait for a token",
            "      1 will be created as draft, and not be sent",
            "      1 will be left out: to correct",
            "5 ready: 4 to be sent, 1 to be kept as drafts.",
            "1 row has a warning: 1 with a place that many rows have.",
            "This plan will send 3 projects to Ngāti Tauira ki te Raki.",
            "3 projects go to iwi, and 0 tokens stay. Sending cannot be undone.",
        ],
        [
            "About 21 requests to the service.",
            "The order of sends:",
            "      1. monthly!2 R-0 to Ngāti Tauira ki te Raki",
            "      2. monthly!3 R-1 to Ngāti Tauira ki te Raki",
            "      3. monthly!4 R-2 to Ngāti Tauira ki te Raki",
            (
                "5 rows give iwi more than a year to respond, up to 1 Apr 2030. Check "
                "the year."
            ),
            "The plan is plan.json, made by Mere.",
            "To carry it out, exactly so: kawe submit plan.json",
        ],
    )


def test_a_plan_changes_nothing_anywhere_and_is_for_its_owner_alone(person_with):
    person = _person(person_with)
    _plan(person)
    asked = person.state()["requests"]
    left = [path.name for path in person.folder.glob("*")]
    journals = list(person.folder.rglob("*.journal*"))
    mode = stat.S_IMODE((person.folder / "plan.json").stat().st_mode)
    # The question whether the key may send names a project that cannot exist.
    assert asked.pop("project_send") == {"400": 1}
    assert (set(asked), sorted(left), journals, mode) == (
        {"iwi_count", "project_list", "user_read"},
        ["home", "monthly.csv", "plan.json"],
        [],
        0o600,
    )


def test_a_plan_leaves_a_journal_that_there_is_alone(person_with):
    person = _person(person_with)
    person.run("submit", "monthly.csv", "--drafts-only", *YES)
    (journal,) = person.folder.rglob("*.journal")
    before = journal.read_bytes()
    planned = person.document("plan", "monthly.csv")
    assert (journal.read_bytes() == before, planned["counts"]) == (
        True,
        {
            "send": 3,
            "wait for a token": 1,
            "skip: done already": 1,
            "skip: to correct": 1,
        },
    )


def test_the_document_of_a_plan_has_every_figure(person_with):
    person = _person(person_with)
    planned = person.document("plan", "monthly.csv", "--keep-reserve", "1")
    figures = {
        name: planned[name]
        for name in (
            "schema",
            "exit_code",
            "sends",
            "tokens_needed",
            "balance",
            "tokens_left",
            "tokens_missing",
            "packs",
        )
    }
    assert (figures, [each["reference"] for each in planned["order_of_sends"]]) == (
        {
            "schema": "kawe.planned/1",
            "exit_code": 3,
            "sends": 2,
            "tokens_needed": 4,
            "balance": 3,
            "tokens_left": 1,
            "tokens_missing": 2,
            "packs": [5],
        },
        ["R-0", "R-1"],
    )


def test_a_plan_holds_nothing_that_a_cell_says_and_no_key(person_with):
    rows = [csv_row(1, Name="Ruataniwha weir", Description="Near the urupā.")]
    person = _person(person_with, rows)
    _plan(person)
    text = (person.folder / "plan.json").read_text("utf-8")
    key = person.twin.address.live_key
    assert [w for w in ("Ruataniwha", "urupā", key, key[-12:]) if w in text] == []


def test_the_requests_that_a_plan_foresees_are_those_that_are_made(person_with):
    attachment = "site.pdf"
    person = person_with(tokens=9)
    (person.folder / attachment).write_bytes(b"%PDF-1.4\n")
    path = write_csv(person.folder / "monthly.csv", SIX)
    lines = path.read_text("utf-8-sig").splitlines()
    lines = [f"{lines[0]},Files", f"{lines[1]},{attachment}", *lines[2:]]
    path.write_text("\n".join(lines), "utf-8")
    _plan(person)
    foreseen = json.loads((person.folder / "plan.json").read_text("utf-8"))
    before = _requests(person)
    person.run("submit", "plan.json", *YES)
    made = _requests(person) - before
    assert (foreseen["totals"]["upload_files"], made) == (1, foreseen["requests"])


def _requests(person):
    asked = person.state()["requests"]
    return sum(
        sum(counts.values())
        for name, counts in asked.items()
        if not name.startswith("storage")
    )


def test_exactly_the_plan_is_done_though_there_are_more_tokens_by_now(person_with):
    person = _person(person_with)
    _plan(person)
    person.twin.buy_tokens(5)
    assert (
        person.run("submit", "plan.json", *YES).returncode,
        person.sends_of_each(),
    ) == (
        4,
        {"R-0": 1, "R-1": 1, "R-2": 1, "R-3": 0, "R-4": 0},
    )


def test_what_the_plan_left_waiting_is_released_later(person_with):
    person = _person(person_with)
    _plan(person)
    person.run("submit", "plan.json", *YES)
    person.twin.buy_tokens(5)
    assert person.run("release", *YES).returncode == 3
    assert person.sends_of_each()["R-3"] == 1


def test_a_plan_goes_on_when_tokens_ran_out_before_its_end(person_with):
    person = _person(person_with)
    _plan(person)
    _spend(person)
    first = person.run("submit", "plan.json", *YES)
    sent = sum(person.sends_of_each().values())
    person.twin.buy_tokens(5)
    again = person.run("submit", "plan.json", *YES)
    last = person.run("submit", "plan.json", *YES)
    assert (first.returncode, sent, again.returncode, last.returncode) == (4, 3, 4, 4)
    assert {name for name, sends in person.sends_of_each().items() if sends == 1} == {
        "R-0",
        "R-1",
        "R-2",
        "Mine",
    }


def _spend(person):
    """A colleague uses one token."""
    write_csv(
        person.folder / "mine.csv",
        [
            csv_row(
                0,
                Reference="Mine",
                Name="Weir",
                Description="A weir.",
                Latitude="-36.95",
            )
        ],
    )
    person.run("submit", "mine.csv", "--journal", "theirs.journal", *YES)


@pytest.mark.parametrize("sends", [0, 1, 2])
def test_a_plan_goes_on_after_kill_9(person_with, sends):
    person = _person(person_with, latency_ms=40)
    _plan(person)
    person.kill_when(person.start("submit", "plan.json", *YES), projects=3, sends=sends)
    done = person.run("submit", "plan.json", "--settle", "2", *YES)
    assert (done.returncode, sorted(person.sends_of_each().values())) == (
        4,
        [0, 0, 1, 1, 1],
    )


def test_a_workbook_that_was_sorted_renamed_and_moved_is_no_other(person_with):
    person = _person(person_with)
    _plan(person)
    change_rows(person.folder / "monthly.csv", lambda rows: rows.reverse())
    (person.folder / "done").mkdir()
    (person.folder / "monthly.csv").rename(person.folder / "done" / "July.csv")
    lost = person.run("submit", "plan.json", *YES)
    done = person.run("submit", "plan.json", "--workbook", "done/July.csv", *YES)
    assert (lost.returncode, "say where it is: --workbook PATH" in lost.stderr) == (
        2,
        True,
    )
    assert (done.returncode, sum(person.sends_of_each().values())) == (4, 3)


def test_an_invitation_is_planned_and_made_without_its_address_in_the_plan(person_with):
    person = person_with()
    (person.folder / "people.csv").write_text(
        "Name,Email,Role\nHēmi,hemi@example.org,Member\n", "utf-8"
    )
    planned = person.run("plan", "people.csv", "-o", "plan.json", "--quiet")
    text = (person.folder / "plan.json").read_text("utf-8")
    done = person.run("submit", "plan.json", *YES)
    assert (
        planned.returncode,
        "hemi" in text.casefold(),
        done.returncode,
        len(person.state()["invitations"]),
    ) == (0, False, 0, 1)
