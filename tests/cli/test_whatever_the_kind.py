"""What holds for sheets of projects holds for the others, or is said not to."""

import time

import pytest

from doubles.acts_office import Office
from doubles.at_the_twin import buy, new_key, owner_does, team_of
from doubles.command import csv_row, write_csv
from doubles.planned import in_the_portal
from doubles.terminal import Terminal
from kawe_contract.enums import Scope

YES = ("--yes", "9", "--no-input")


@pytest.fixture
def office(person_with):
    """Give an office whose team has no token left."""
    return Office(person_with(tokens=3, faults=True))


def _responses(office, *projects):
    """Submit responses, of which the second to each project waits for a token."""
    rows = [
        {"Project": project, "Message": f"Kia ora {n}."}
        for n in (1, 2)
        for project in projects
    ]
    office.sheet("responses", *rows)
    office.did("submit", "responses.xlsx", *YES, code=4)


def _answered(office):
    """Give the numbers of the projects to which the second response was sent."""
    said = {n: [each["content"] for each in office.thread(n)] for n in (1, 2, 3)}
    return [n for n, words in said.items() if "Kia ora 2." in words]


def test_a_release_takes_projects_and_responses_together(office):
    _responses(office, "R-1")
    write_csv(office.person.folder / "monthly.csv", [csv_row(9, Name="Waipā weir")])
    office.did("submit", "monthly.csv", *YES, code=4)
    office.did("waiting", "--first", "R-1")
    buy(office.person.twin.address, 1)
    asked = office.did("release", "--no-input", code=2)
    assert "is free, the second uses a token, and so on in turn." in asked
    assert "would send 1 response and nobody can be asked" in asked
    office.did("release", *YES, code=4)
    assert (_answered(office), office.person.sends_of_each()["R-9"]) == ([1], 0)
    office.did("submit", "responses.xlsx", *YES)
    _responses(office, "R-2")
    buy(office.person.twin.address, 5)
    asked = office.did("release", "--no-input", code=2)
    assert "would send 1 project to iwi, and send 1 response" in asked
    office.did("release", *YES)
    assert (_answered(office), office.person.sends_of_each()["R-9"]) == ([1, 2], 1)
    assert office.person.document("waiting")["rows"] == []


def test_responses_are_released_by_a_key_that_may_not_send_projects(office):
    address = office.person.twin.address
    office.person.key = new_key(address, *set(Scope) - {Scope.PROJECTS_SEND})
    _responses(office, "R-1")
    buy(address, 1)
    office.did("release", *YES)
    assert _answered(office) == [1]
    told = office.did("status")
    assert "2 rows: 1 done, 1 deferred; at most 1 token;" in told
    assert "2 rows: 2 done; at most 1 token;" in told
    month = office.did("status", "--since", "1/1/2026")
    assert "2 rows: 2 done; at most 2 tokens" in month
    period = office.person.document("status", "--since", "1/1/2026")
    parts = (period, *period["months"], *period["batches"])
    assert {(each["tokens"], each["tokens_at_most"]) for each in parts} == {(2, True)}


def test_what_was_put_first_is_first_in_each_later_plan_and_submit(office):
    _responses(office, "R-1", "R-2", "R-3")
    office.did("waiting", "--first", "R-3")
    buy(office.person.twin.address, 1)
    planned = office.person.document("plan", "responses.xlsx")
    order = [each["row"] for each in planned["order_of_invitations"]]
    assert order == [7, 5, 6]
    office.did("submit", "responses.xlsx", "--canary", "1", *YES, code=4)
    assert _answered(office) == [3]
    buy(office.person.twin.address, 1)
    office.did("submit", "responses.xlsx", *YES, code=4)
    assert _answered(office) == [1, 3]


def test_a_file_that_changed_after_its_response_was_sent_is_said(office):
    file = office.person.folder / "plan.pdf"
    file.write_bytes(b"%PDF-1.4 one")
    row = {"Project": "R-1", "Message": "Here it is.", "Files": "plan.pdf"}
    office.do("responses", row, count=1)
    file.write_bytes(b"%PDF-1.4 two")
    said = office.submit("responses", 0, code=3)
    assert "1 row was changed after it was done, and the change is not applied" in said
    assert "Responses!C2" in said
    assert office.asked("project_respond") == 1


def test_of_held_rows_of_one_project_none_is_decided_about_by_chance(office):
    office.person.write_settings("settle = 0.2\n")
    office.board.set("drop", "project_report", when="before")
    rows = [{"Project": "R-1", "Occasion": each} for each in ("March", "April")]
    office.do("reports", *rows, count=2, code=4)
    refused = office.did("resolve", "R-1", "--abandon", code=2)
    names = "R-1 (Reports!2 of reports), R-1 (Reports!3 of reports)"
    assert f"Name it as it stands in brackets: {names}." in refused
    office.did("resolve", "Reports!3 of reports", "--abandon")
    held = office.person.document("waiting")["held"]
    assert [(each["row"], each["there_before"]) for each in held] == [(2, [])]


def test_what_is_exported_of_a_batch_of_acts_is_their_projects(office):
    office.join("mere")
    office.do("closures", {"Project": "R-1"}, {"Project": "Ōtāhuhu culvert 2"}, count=2)
    said = office.did("export", "projects", "--batch", "closures", "-o", "closed")
    assert "In this export: 2 projects." in said
    words = ("export", "receipts", "--batch", "closures", "-o", "papers")
    assert "of closures; only sends have receipts" in office.did(*words, code=2)
    office.do("members", {"Person": "mere@example.org", "Org role": "Planner"}, count=1)
    words = ("export", "projects", "--batch", "members", "-o", "nobody")
    assert "is of members, and names no project" in office.did(*words, code=2)


def test_an_option_that_means_nothing_for_a_kind_is_said_to_change_nothing(office):
    office.join("mere")
    office.sheet("members", {"Person": "mere@example.org", "Org role": "Planner"})
    words = ("--role", "owner", "--accept", "addresses", "--files", ".")
    said = office.did("plan", "members.xlsx", "--update-drafts", *words)
    for each in ("--role", "--accept addresses", "--files", "--update-drafts"):
        assert f"Note: {each} changes nothing for a sheet of members." in said
    office.sheet("closures", {"Project": "R-1"})
    said = office.did("plan", "closures.xlsx", "--allow-owner")
    assert "Note: --allow-owner changes nothing for a sheet of closures." in said


def _meanwhile(office, kind):
    """Change in the portal what an act is about; give how it stands."""
    (invited,) = office.team["invitations"]
    (other,) = office.read("/organisations")
    project = f"/projects/{office.project(1)['id']}"
    with (
        office.client() as team,
        office.client(office.person.twin.address.iwi_key) as iwi,
    ):
        {
            "changes": lambda: in_the_portal(office.person, "R-1", name="Kōpū"),
            "resends": lambda: team.put(f"/user/invitation/{invited['id']}/expire"),
            "organisations": lambda: team.put(
                f"/organisations/{other['id']}", json={"city": "Rotorua"}
            ),
        }.get(kind, lambda: iwi.put(f"{project}/complete", json={}))()


def _stands(office):
    one, (invited,) = office.project(1), office.team["invitations"]
    cities = [each.get("city") for each in office.read("/organisations")]
    asked = [office.asked(f"project_{each}") for each in ("respond", "report")]
    return one["name"], one["status"], invited["status"], cities, asked


@pytest.mark.parametrize(
    ("kind", "row"),
    [
        ("changes", {"Project": "R-1", "Name": "Waipā"}),
        ("closures", {"Project": "R-1"}),
        ("responses", {"Project": "R-1", "Message": "Kia ora."}),
        ("reports", {"Project": "R-1"}),
        ("resends", {"Person": "hemi@example.org", "Do": "resend"}),
        ("organisations", {"Organisation": "Ngā Toa", "Delete": "Yes"}),
    ],
)
def test_what_stands_otherwise_than_it_was_shown_is_left_so(office, kind, row):
    office.invite("hemi")
    office.make_organisation("Ngā Toa")
    book = office.sheet(kind, row)
    office.did("plan", book, "-o", "plan.json")
    asked = Terminal(office.person, "submit", book)
    asked.wait_for("Type 1 to")
    _meanwhile(office, kind)
    now = _stands(office)
    asked.type("1\n")
    assert (asked.end(), _stands(office)) == (4, now)
    assert "It has changed since: it is “" in asked.screen
    office.take_another_computer()
    said = office.did("submit", "plan.json", *YES, code=2)
    assert ("The plan is stale" in said, _stands(office)) == (True, now)


def test_what_was_held_as_it_stood_otherwise_is_shown_anew_and_done(office):
    book = office.sheet("changes", {"Project": "R-1", "Name": "Waipā"})
    asked = Terminal(office.person, "submit", book)
    asked.wait_for("Type 1 to")
    in_the_portal(office.person, "R-1", name="Kōpū")
    asked.type("1\n")
    assert asked.end() == 4
    office.did("resolve", "R-1", "--retry")
    assert "“Kōpū” → “Waipā”." in office.submit("changes", 1)
    assert office.project(1)["name"] == "Waipā"


def test_whoever_leaves_gives_their_projects_to_another_in_one_sheet(office):
    people = office.join("hemi", "aroha")
    where = f"/projects/{office.project(1)['id']}/assign"
    with office.client() as client:
        client.put(where, json={"user_id": people["hemi@example.org"]["id"]})
    office.sheet(
        "acts",
        {"Do": "Remove member", "Person": "hemi@example.org"},
        {"Do": "Assign", "Project": "R-1", "Person": "aroha@example.org"},
    )
    office.submit("acts", 2)
    assert office.results("acts") == ["Done", "Done"]


def test_a_report_that_a_colleague_asked_for_is_asked_for_again_on_an_occasion(office):
    office.do("reports", {"Project": "R-1"}, count=1)
    # Reports are listed late.
    while not office.read(f"/team/{office.team['id']}/reports"):
        time.sleep(0.05)
    office.take_another_computer()
    row = {"Project": "Ōtāhuhu culvert 1"}
    said = office.do("reports", row, count=0, code=3)
    once = office.asked("project_report")
    said += office.do("reports", {**row, "Occasion": "June"}, count=1, code=3)
    said += office.did("submit", "reports.xlsx", "--accept", "repeats", *YES)
    assert said.count("There is a report on this project already, last on 20") == 3
    assert (once, office.asked("project_report")) == (1, 2)


def test_an_answer_of_another_journal_of_an_iwi_is_not_sent_again(office):
    office.be_iwi()
    office.do("responses", {"Project": "R-1", "Message": "Kia ora."}, count=1)
    office.take_another_computer()
    said = office.submit("responses", 0, code=3)
    assert "The same was said on this project already, last on 20" in said
    assert office.asked("project_respond") == 1


def test_an_answer_that_a_colleague_has_sent_is_not_sent_again(office):
    office.join("hemi", role="OWNER")
    office.do("responses", {"Project": "R-1", "Message": "Kia ora."}, count=1)
    address, owner = office.person.twin.address, "hemi@example.org"
    made = owner_does(address, "keys", account_id=team_of(address), owner=owner)
    office.person.key = made["key"]
    office.take_another_computer()
    said = office.submit("responses", 0, code=3)
    assert "The same was said on this project already, last on 20" in said
    assert office.asked("project_respond") == 1
