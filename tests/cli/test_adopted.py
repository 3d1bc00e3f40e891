"""What is said of drafts that go as they stand is what the service does with them."""

import json

import pytest

from doubles.at_the_twin import projects_of
from doubles.command import HEADINGS, csv_row, write_csv
from doubles.planned import in_the_portal

FAR_NORTH = {"Latitude": "-35.1140", "Longitude": "173.2630"}
TAUPO = {"Latitude": "-38.6900", "Longitude": "176.0700"}
WELLINGTON = {"Latitude": "-41.2900", "Longitude": "174.7800"}
RAKI, TAUPO_IWI = "Ngāti Tauira ki te Raki", "Ngāti Tauira ki te Waenganui"
UPOKO, WHANGA = "Ngāti Tauira ki te Ūpoko", "Ngāti Tauira ki te Whanga"
WITH_IWI = (*HEADINGS, "Iwi")
LOST = ("--journal", "lost.journal")
YES = ("--yes", "12", "--no-input", "--settle", "0.2")
ADOPT_ALL = ("resolve", "--all", "--adopt-named", "--reason", "They are ours.")
DIFFERS = "it differs from the row in description, place."
GOES = f"A person let the draft go as it stands in the service; {DIFFERS}"
WENT = f"It was sent as it stood in the service; {DIFFERS}"
CORRECT = "If that is not meant, correct it in the portal."


ELSEWHERE = "Its draft in the service, which a person let go, has another place."
WRONG = f"{RAKI} cannot be asked for this place."


def _write(person, *rows, iwi=None):
    headings = HEADINGS if iwi is None else WITH_IWI
    lines = [row if iwi is None else [*row, iwi] for row in rows]
    return write_csv(person.folder / "monthly.csv", lines, headings=headings)


def _rows(*names, **changes):
    named = names or ("Culvert", "Bridge")
    return [csv_row(n, Name=name, **changes) for n, name in enumerate(named, start=1)]


def _told(person, what="iwi_name"):
    """Give whom the service says that it told, or something else, by reference."""
    return {each["reference"]: each[what] for each in projects_of(person.twin.address)}


def _adopted(person, *, before, after, iwi=(None, None)):
    """Let a journal be lost, edit its rows, and take the drafts that are there."""
    _write(person, *before, iwi=iwi[0])
    person.run("submit", "monthly.csv", "--drafts-only", "--no-input", *LOST)
    _write(person, *after, iwi=iwi[1])
    assert person.run("submit", "monthly.csv", *YES).returncode == 4
    return person.run(*ADOPT_ALL, "--yes", "12")


OLD = _rows(**FAR_NORTH)
NEW = _rows(**TAUPO, Description="A bridge is built.")


@pytest.fixture
def moved(person):
    """Give a person who took drafts of another place, with other words."""
    _adopted(person, before=OLD, after=NEW)
    return person


def test_the_plan_names_the_iwi_that_the_service_tells(moved):
    plan = moved.document("plan", "monthly.csv", "-o", "plan.json")
    saved = json.loads((moved.folder / "plan.json").read_text("utf-8"))
    done = moved.document("submit", "monthly.csv", *YES)
    result = moved.document("status", "--write", "monthly")
    assert _told(moved) == {"R-1": RAKI, "R-2": RAKI}
    assert [row["iwi"] for row in plan["rows"]] == [[RAKI], [RAKI]]
    assert [each["name"] for each in plan["iwi_load"]] == [RAKI]
    assert {*saved["iwi_names"].values()} == {RAKI}
    assert [each["name"] for each in done["iwi_load"]] == [RAKI]
    assert [row["iwi"] for row in done["rows"]] == [[RAKI], [RAKI]]
    assert [row["iwi"] for row in result["rows"]] == [[RAKI], [RAKI]]


def test_the_check_names_those_iwi_and_in_what_each_row_differs(moved):
    (first, second) = moved.document("check", "monthly.csv")["rows"]
    assert (first["iwi"], second["iwi"]) == ([RAKI], [RAKI])
    assert [(f["where"], f["rule"], f["message"]) for f in first["findings"]] == [
        ("monthly!C2", "as-it-stands", GOES)
    ]


def test_plan_and_question_say_in_what_rows_differ(moved):
    plan = moved.run("plan", "monthly.csv").stdout
    asked = moved.run("submit", "monthly.csv", "--settle", "1").stdout
    for said in (" ".join(plan.split()), " ".join(asked.split())):
        assert f"(rows 2 and 3): {GOES} {CORRECT}" in said
        assert "2 whose draft goes as it stands in the service" in said
        assert TAUPO_IWI not in said
    assert moved.sends() == 0


def test_a_saved_plan_and_its_order_say_so_too(moved):
    moved.run("plan", "monthly.csv", "-o", "plan.json")
    shown = moved.run("plan", "plan.json").stdout
    assert "2 whose draft goes as it stands in the service" in shown
    assert f"1. monthly!2 R-1 to {RAKI}" in shown
    done = moved.run("submit", "plan.json", *YES)
    assert (done.returncode, _told(moved)) == (0, {"R-1": RAKI, "R-2": RAKI})


def test_the_result_says_how_it_was_sent_and_what_can_be_done(moved):
    done = moved.document("submit", "monthly.csv", *YES)
    again = moved.document("submit", "monthly.csv", *YES)
    for rows in (done["rows"], again["rows"]):
        assert [(row["outcome"], row["what_to_do"]) for row in rows] == [
            ("sent", f"{WENT} {CORRECT}")
        ] * 2
    assert (done["exit_code"], again["exit_code"], moved.sends()) == (0, 0, 2)


def test_nothing_is_left_to_do_for_rows_that_were_sent_so(moved):
    moved.run("submit", "monthly.csv", *YES)
    assert "R-1" not in moved.run("status", "monthly").stdout


def test_an_edit_after_the_send_is_too_late_as_ever(moved):
    moved.run("submit", "monthly.csv", *YES)
    _write(moved, *_rows(**TAUPO, Description="A tunnel."))
    done = moved.document("submit", "monthly.csv", *YES)
    assert (done["exit_code"], done["rows"][0]["findings"][0]["rule"]) == (
        3,
        "edited-too-late",
    )


def test_all_adopted_rows_are_warned_of_once(person):
    done = _adopted(person, before=OLD, after=NEW)
    assert done.stdout.splitlines()[-4:] == [
        "2 rows are no longer held; 0 stay so.",
        "These are taken as they stand in the service, though their rows differ:",
        "  R-1, R-2: in description, place",
        "Submit their workbooks again to let them go on.",
    ]


def test_an_update_mends_what_it_can(person):
    _adopted(person, before=_rows(), after=_rows(Description="Other."))
    (first, _) = person.document("check", "monthly.csv")["rows"]
    done = person.document("submit", "monthly.csv", "--update-drafts", *YES)
    assert first["findings"][0]["advice"] == (
        "If that is not meant, submit with --update-drafts."
    )
    assert _told(person, "description") == {"R-1": "Other.", "R-2": "Other."}
    assert (done["exit_code"], [row["what_to_do"] for row in done["rows"]]) == (
        0,
        ["", ""],
    )


def test_chosen_iwi_go_with_the_send_where_the_draft_lets_one_choose(person):
    before, after = _rows(**WELLINGTON), _rows(**FAR_NORTH)
    _adopted(person, before=before, after=after, iwi=(UPOKO, WHANGA))
    plan = person.document("plan", "monthly.csv")
    person.run("submit", "monthly.csv", *YES)
    assert [row["iwi"] for row in plan["rows"]] == [[WHANGA], [WHANGA]]
    assert _told(person) == {"R-1": WHANGA, "R-2": WHANGA}


def test_a_chosen_iwi_of_another_place_than_the_draft_is_to_correct(person):
    before, after = _rows(**WELLINGTON), _rows(**FAR_NORTH)
    _adopted(person, before=before, after=after, iwi=(UPOKO, RAKI))
    done = person.document("submit", "monthly.csv", *YES)
    (found,) = (
        each for each in done["rows"][0]["findings"] if each["rule"] == "iwi-unknown"
    )
    assert (done["exit_code"], person.sends()) == (3, 0)
    assert (found["where"], found["message"]) == ("monthly!K2", f"{ELSEWHERE} {WRONG}")


def test_a_draft_that_changed_after_it_was_taken_is_held(moved):
    in_the_portal(moved, "R-1", description="Changed since.")
    plan = moved.document("plan", "monthly.csv")
    done = moved.document("submit", "monthly.csv", *YES)
    assert plan["counts"] == {"send": 1, "skip: held for a person": 1}
    assert [row["outcome"] for row in done["rows"]] == ["held", "sent"]


def test_a_row_that_was_let_go_without_its_edit_goes_to_the_iwi_of_its_draft(person):
    _write(person, *_rows(**FAR_NORTH))
    person.run("submit", "monthly.csv", "--drafts-only", "--no-input")
    _write(person, *_rows(**TAUPO))
    person.run("submit", "monthly.csv", *YES)
    person.run("resolve", "--all", "--retry", "--reason", "As made.", "--yes", "2")
    plan = person.document("plan", "monthly.csv")
    done = person.document("submit", "monthly.csv", *YES)
    assert [row["iwi"] for row in plan["rows"]] == [[RAKI], [RAKI]]
    assert [row["what_to_do"] for row in done["rows"]] == [
        f"{WENT.replace('description, ', '')} {CORRECT}"
    ] * 2
    assert _told(person) == {"R-1": RAKI, "R-2": RAKI}


def test_queue_and_release_name_the_draft_and_where_it_differs(person):
    before, after = _rows("Old bridge", "Old road"), _rows("New bridge", "New road")
    _adopted(person, before=before, after=after)
    person.run("submit", "monthly.csv", "--max-tokens", "0", *YES)
    queue = person.document("waiting")
    done = person.document("release", *YES)
    named = [row["name"] for row in queue["rows"]]
    assert named == [row["name"] for row in done["rows"]] == ["Old bridge", "Old road"]
    assert [row["what_to_do"] for row in done["rows"]] == [
        f"{WENT.replace('description, place', 'name')} {CORRECT}"
    ] * 2
    assert {*_told(person, "name").values()} == {"Old bridge", "Old road"}


def test_a_draft_of_ones_own_that_a_colleague_changed_is_said_to_go_so(person):
    _write(person, *_rows())
    person.run("submit", "monthly.csv", "--drafts-only", "--no-input")
    in_the_portal(person, "R-1", description="Theirs.")
    person.run("submit", "monthly.csv", *YES)
    (held,) = person.document("waiting")["held"]
    person.run("resolve", "R-1", "--adopt", held["project_id"])
    plan = person.run("plan", "monthly.csv").stdout
    done = person.document("submit", "monthly.csv", *YES)
    said = WENT.replace("description, place", "description")
    assert "it differs from the row in description." in " ".join(plan.split())
    assert [row["what_to_do"] for row in done["rows"]] == [f"{said} {CORRECT}", ""]
    assert _told(person, "description")["R-1"] == "Theirs."
