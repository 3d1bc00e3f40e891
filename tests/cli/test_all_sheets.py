"""Every list of a workbook in one run, each with its own batch, findings and result."""

import json

import pytest

from doubles.acts_office import Office
from doubles.command import HEADINGS, csv_row
from doubles.terminal import Terminal
from unit.workbook.books import book

STAFF = [
    ["Full name", "Email", "Role", "Department"],
    ["Mere Pene", "mere@example.org", "Member", "Planning"],
    ["Hemi Ruru", "hemi@example.org", "Member", "Planning"],
]
NOTES = [["Read me first"], ["Rows from the works programme"]]
SUBMIT = "submit", "works.xlsx", "--all-sheets", "--yes", "4", "--no-input"
BROKEN = {"Name": "", "End date": "soon"}


def roads(*rows):
    return [list(HEADINGS), *rows]


def row(number, **changes):
    return csv_row(number, Latitude=f"-36.{85 + number}00", **changes)


def write(person, sheets, name="works.xlsx"):
    (person.folder / name).write_bytes(book(sheets))


def both(person, **changes):
    """Write a workbook with projects, people, and a sheet that is no list."""
    write(
        person,
        {"Roads": roads(row(1), row(2, **changes)), "Staff": STAFF, "Notes": NOTES},
    )


def results(person):
    return sorted(each.name for each in person.folder.glob("*.result*.xlsx"))


def test_a_check_takes_every_list_and_names_the_other_sheets(person):
    both(person, **BROKEN)
    done = person.run("check", "works.xlsx", "--all-sheets")

    assert (done.returncode, results(person)) == (
        3,
        ["works.Roads.result.xlsx", "works.Staff.result.xlsx"],
    )
    wanted = [
        "PROJECTS: 2 rows of “works.xlsx”, sheet Roads",
        "Roads!F3 [error]",
        "PEOPLE TO INVITE: 2 rows of “works.xlsx”, sheet Staff",
        "Sheet Notes is not read: kawe found no headings in it that it knows.",
        "kawe submit works.xlsx --all-sheets",
    ]
    assert [each for each in wanted if each not in done.stdout] == []
    assert [done.stdout.count(f"heet {each}") for each in ("Roads", "Staff")] == [1, 1]
    assert done.stdout.count("Next:") + done.stdout.count("Correct what") == 1


@pytest.mark.parametrize("more", [(), ("--offline",)])
def test_a_check_gives_one_document_with_a_list_by_sheet(person, more):
    both(person, **BROKEN)
    document = person.document("check", "works.xlsx", "--all-sheets", *more)

    assert (document["schema"], document["exit_code"]) == ("kawe.check_sheets/1", 3)
    assert [
        (each["sheet"], each["kind"], each["exit_code"], each["rows_read"])
        for each in document["sheets"]
    ] == [("Roads", "projects", 3, 2), ("Staff", "invitations", 0, 2)]
    assert [each["ready_to_send"] for each in document["sheets"]] == [1, None]
    assert document["sheets_not_read"] == [
        {"sheet": "Notes", "why": "kawe found no headings in it that it knows"}
    ]


def test_a_submit_sends_the_projects_and_invites_the_people(person):
    both(person)
    document = person.document(*SUBMIT)

    assert (person.sends(), person.invited()) == (
        2,
        ["hemi@example.org", "mere@example.org"],
    )
    assert [
        (each["sheet"], each["batch"], each["exit_code"], each["counts"])
        for each in document["sheets"]
    ] == [
        ("Roads", "works-roads", 0, {"sent": 2}),
        ("Staff", "works-staff", 0, {"invited": 2}),
    ]
    again = person.run("submit", "works.xlsx", "--all-sheets", "--no-input")
    assert (again.returncode, person.sends()) == (0, 2)


def test_a_status_of_the_workbook_tells_of_each_list_once(person):
    both(person, **BROKEN)
    person.run("submit", "works.xlsx", "--all-sheets", "--no-input", "--yes", "9")
    of_all, of_book = person.document("status"), person.document("status", "works.xlsx")
    lists = [(each["sheet"], each["counts"]) for each in of_book["batches"]]
    told = [(run["batch"], run["counts"]) for run in of_book["runs"]]
    assert (of_book["exit_code"], of_all == of_book) == (3, True)
    assert lists == [("Roads", {"sent": 1, "to correct": 1}), ("Staff", {"invited": 2})]
    assert told == [("works-staff", lists[1][1]), ("works-roads", lists[0][1])]
    said = person.run("status", "works.xlsx").stdout
    assert "Not done in batch works-roads: 1 to correct." in said


def test_fewer_than_all_acts_of_all_sheets_are_not_enough(person):
    both(person)
    run = ("submit", "works.xlsx", "--all-sheets", "--quiet", "--no-input")
    few, nobody = person.run(*run, "--yes", "3"), person.run(*run)

    would = (
        "kawe: This run would send 2 projects to iwi (Roads), and invite 2 people "
        "(Staff)"
    )
    assert (few.returncode, nobody.returncode) == (2, 2)
    assert few.stderr == (
        f"{would}, and 3 were agreed to. Nothing was sent. Nobody was "
        "invited. Look at the plan, then agree to the number.\n"
    )
    assert nobody.stderr == (
        f"{would} and nobody can be asked. Nothing was sent. Nobody was invited. "
        "Agree with --yes 4.\n"
    )
    assert "2 drafts to make" in few.stdout
    assert (person.sends(), person.invited()) == (0, [])


@pytest.mark.parametrize(("second", "ended"), [("2", (0, 2, 2)), ("no", (2, 0, 0))])
def test_the_count_is_typed_for_projects_and_for_people_or_nothing_is_sent(
    person, second, ended
):
    both(person)
    terminal = Terminal(person, "submit", "works.xlsx", "--all-sheets")
    terminal.answer("Type 2 to send 2 projects to iwi", "2")
    terminal.answer("Type 2 to invite 2 people", second)

    assert (terminal.end(), person.sends(), len(person.invited())) == ended


def test_tokens_of_one_sheet_are_not_counted_for_the_next(person_with):
    person = person_with(tokens=3)
    write(person, {"Roads": roads(row(1), row(2)), "Water": roads(row(3), row(4))})
    plan = person.document("plan", "works.xlsx", "--all-sheets")
    done = person.document(*SUBMIT)

    assert [(e["sheet"], e["sends"]) for e in plan["sheets"]] == [
        ("Roads", 2),
        ("Water", 1),
    ]
    assert [(e["sheet"], e["counts"]) for e in done["sheets"]] == [
        ("Roads", {"sent": 2}),
        ("Water", {"sent": 1, "deferred": 1}),
    ]
    assert (done["exit_code"], person.sends()) == (4, 3)


def overlapping(person):
    """Write two lists of projects that share a row."""
    write(
        person, {"Roads": roads(row(1), row(2)), "Water": roads(row(2), row(3), row(4))}
    )


def batches(person):
    return {
        each["batch"]: each["counts"] for each in person.document("status")["batches"]
    }


OWN = {"works-roads": {"sent": 2}, "works-water": {"sent": 2}}


def test_a_row_on_two_sheets_is_counted_and_sent_once(person):
    overlapping(person)
    run = ("works.xlsx", "--all-sheets")
    checked = person.run("check", *run)
    plan = person.document("plan", *run)
    done = person.run("submit", *run, "--yes", "4", "--no-input")
    first = batches(person)
    again = person.run("submit", *run, "--no-input")

    assert "The same row stands at Roads!3 as well: it is done once." in checked.stdout
    assert [each["sends"] for each in plan["sheets"]] == [2, 2]
    assert (checked.returncode, done.returncode, again.returncode) == (0, 0, 0)
    assert (person.sends(), len(person.state()["projects"])) == (4, 4)
    assert (first, batches(person)) == (OWN, OWN)


def test_sheets_that_are_submitted_one_by_one_send_a_shared_row_once(person):
    overlapping(person)
    for sheet in ("Roads", "Water", "Roads", "Water"):
        run = ("submit", "works.xlsx", "--sheet", sheet, "--yes", "9", "--no-input")
        assert person.run(*run).returncode == 0

    assert (person.sends(), batches(person)) == (4, OWN)


def test_a_sheet_whose_rows_are_all_of_another_keeps_its_own_batch(person):
    write(person, {"Roads": roads(row(1), row(2)), "Again": roads(row(1), row(2))})
    for _ in range(2):
        person.run("submit", "works.xlsx", "--all-sheets", "--yes", "2", "--no-input")

    assert (person.sends(), [*batches(person)]) == (2, ["works-roads", "works-again"])


def test_a_row_that_two_sheets_tell_differently_is_not_sent(person):
    other = row(2, Description="A bridge is built.")
    write(person, {"Roads": roads(row(1), row(2)), "Water": roads(other, row(3))})
    done = person.run(
        "submit", "works.xlsx", "--all-sheets", "--yes", "5", "--no-input"
    )

    assert (done.returncode, person.sends()) == (3, 2)
    flat = " ".join(person.run("check", "works.xlsx", "--all-sheets").stdout.split())
    assert (
        "Roads!A3 [error] Reference “R-2”: A row with the same reference at Water!2 "
        "says something else."
    ) in flat


def test_without_all_sheets_two_lists_stop_and_both_ways_out_are_named(person):
    both(person)
    assert person.stderr_of(
        "submit", "works.xlsx", "--yes", "9", "--no-input", code=5
    ) == (
        "kawe: “works.xlsx” has several sheets that could be meant: “Roads”, "
        "“Staff”. Name one with --sheet; check, plan and submit take every "
        "list with --all-sheets.\n"
    )
    closures = [["Project"], ["R-1"]]
    write(person, {"Projects": roads(row(1)), "Closures": closures, "Staff": STAFF})
    said = person.stderr_of("check", "works.xlsx", code=5)
    assert "could be meant: “Projects”, “Closures”, “Staff”. Name" in said


def test_the_result_of_one_sheet_never_replaces_that_of_another(person):
    both(person)
    person.run("check", "works.xlsx", "--sheet", "Roads")
    first = (person.folder / "works.Roads.result.xlsx").read_bytes()
    person.run("submit", "works.xlsx", "--sheet", "Staff", "--yes", "2", "--no-input")
    person.run("status", "--write")

    assert results(person) == ["works.Roads.result.xlsx", "works.Staff.result.xlsx"]
    assert (person.folder / "works.Roads.result.xlsx").read_bytes() == first


def test_two_sheets_whose_names_make_one_file_name_have_two_results(person):
    write(person, {"Roads": roads(row(1)), "Roads ": roads(row(2))})
    person.run("check", "works.xlsx", "--all-sheets")

    assert results(person) == ["works.Roads 2.result.xlsx", "works.Roads.result.xlsx"]


def test_a_named_result_gets_the_name_of_each_sheet(person):
    both(person)
    person.run("check", "works.xlsx", "--all-sheets", "--result", "out.xlsx")

    assert sorted(each.name for each in person.folder.glob("out*.xlsx")) == [
        "out.Roads.xlsx",
        "out.Staff.xlsx",
    ]


def test_one_list_alone_keeps_the_usual_name(person):
    write(person, {"Roads": roads(row(1)), "Notes": NOTES})
    person.run("check", "works.xlsx", "--all-sheets")

    assert results(person) == ["works.result.xlsx"]


@pytest.mark.parametrize(
    ("flags", "named"),
    [
        (("check", "--sheet", "Roads"), "--sheet"),
        (("plan", "-o", "plan.json"), "-o"),
        (("plan", "--only", "2"), "--only"),
        (("submit", "--canary", "1"), "--canary"),
    ],
)
def test_a_flag_for_one_sheet_does_not_go_with_all_sheets(person, flags, named):
    both(person)
    command, *more = flags
    assert person.stderr_of(command, "works.xlsx", "--all-sheets", *more, code=2) == (
        f"kawe: {named} speaks of one sheet, and --all-sheets takes every list. "
        "Leave one of them out. Nothing was done.\n"
    )


def test_a_plan_of_one_sheet_is_not_carried_out_for_all(person):
    both(person)
    person.run("plan", "works.xlsx", "--sheet", "Roads", "-o", "plan.json")
    words = ["submit", "plan.json", "--all-sheets", "--yes", "9"]
    assert (person.stderr_of(*words, code=2), person.sends()) == (
        (
            "kawe: --all-sheets belongs to kawe plan: a plan is carried out as it was "
            "made. Make a plan of each sheet, with --sheet. Nothing was sent.\n"
        ),
        0,
    )


def test_the_people_alone_can_be_taken(person):
    both(person)
    done = person.document(
        "check", "works.xlsx", "--all-sheets", "--kind", "invitations"
    )

    assert [each["sheet"] for each in done["sheets"]] == ["Staff"]
    assert done["sheets_not_read"][0] == {"sheet": "Roads", "why": "it holds projects"}


def test_a_csv_file_is_its_only_list(person):
    (person.folder / "staff.csv").write_text(
        "Full name;Email;Role\nMere;mere@example.org;Member\n", "utf-8"
    )
    document = json.loads(
        person.run("plan", "staff.csv", "--all-sheets", "--json").stdout
    )

    assert [(e["sheet"], e["exit_code"]) for e in document["sheets"]] == [("staff", 0)]


def test_sheets_of_a_kind_that_was_said_have_a_result_each(person):
    one, two = ([["Project", "Message"], [f"R-{n}", "Kia ora."]] for n in (1, 2))
    write(person, {"Responses": one, "Oct": two})
    words = "--all-sheets", "--kind", "responses", "--offline"
    assert person.run("check", "works.xlsx", *words).returncode == 0
    assert results(person) == ["works.Oct.result.xlsx", "works.Responses.result.xlsx"]


def test_what_an_earlier_sheet_said_is_asked_about_in_the_next(person_with):
    office = Office(person_with(tokens=9, faults=True))
    responses = [["Project", "Message"], ["R-1", "Kia ora, bridge."]]
    acts = [["Do", "Project", "Message"], ["respond", "R-1", "KIA ORA, BRIDGE."]]
    write(office.person, {"Responses": responses, "Acts": acts})
    office.did(*SUBMIT, code=3)
    assert office.asked("project_respond") == 1
