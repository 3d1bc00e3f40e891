"""`kawe export projects` and other lists: complete while pages shift, inert, said."""

import csv
import json
import time
from collections import Counter
from urllib.parse import unquote

import pytest
from openpyxl import load_workbook

from doubles.at_the_twin import buy, with_key
from doubles.bodies import project_body
from doubles.command import HEADINGS, Person, csv_row
from doubles.payloads import (
    PAYLOADS,
    assert_folder_is_inert,
    assert_json_is_inert,
    assert_screen_is_inert,
)
from doubles.switchboard import Switchboard
from kawe_twin.rules.receipts import BUILD_SECONDS
from kawe_twin.serving import TwinOptions, start_twin

COMPLETE = "Complete: the service counts as many at the end as at the start."
PROJECT = project_body()
ORGANISATION = {"name": "Tauira", "address": "", "latitude": -36.0, "longitude": 174.0}
PROJECTS, NOTES = 103, 101


@pytest.fixture(scope="module")
def twin(tmp_path_factory):
    """Start a twin whose lists need two pages: projects, organisations, a thread."""
    folder = tmp_path_factory.mktemp("twin")
    options = TwinOptions(folder=folder, tokens=9, rate_limit=100_000, faults=True)
    with start_twin(options) as running:
        with with_key(running.address) as client:
            for number in range(PROJECTS):
                organisation = ORGANISATION | {"name": f"Tauira {number}"}
                text = {"reference": f"R-{number}", "organisation": organisation}
                client.post("/projects", json=PROJECT | text).raise_for_status()
            (first,) = client.get("/projects", params={"search": "R-102"}).json()[
                "response_object"
            ]["data"]
            for number in range(NOTES):
                note = {"content": f"Note {number}", "meeting_type": None}
                client.post(f"/projects/{first['id']}/notes", json=note)
        yield running


@pytest.fixture
def person(twin, tmp_path):
    folder = tmp_path / "person"
    folder.mkdir()
    yield Person(folder=folder, twin=twin)
    Switchboard(twin.address).clear()


def lines_of(person, name):
    text = (person.folder / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize(
    ("name", "operation", "rows"),
    [("projects", "project_list", -1), ("organisations", "organisation_list", 1)],
)
def test_a_list_that_shifts_once_is_read_again_and_every_record_comes_once(
    person, name, operation, *, rows
):
    Switchboard(person.twin.address).set("shift", operation, rows=rows, nth=2, count=1)
    done = person.run("export", name, "-o", "lists")
    ids = [each["id"] for each in lines_of(person, f"lists/{name}.jsonl")]
    assert (done.returncode, len(ids), len(set(ids))) == (0, PROJECTS, PROJECTS)
    assert done.stdout.startswith(f"{PROJECTS} of {PROJECTS} {name}")
    assert COMPLETE in done.stdout


def test_a_list_that_always_shifts_is_written_and_not_called_complete(person):
    Switchboard(person.twin.address).set("shift", "project_list", rows=1)
    done = person.run("export", "projects", "-o", "projects.csv")
    assert done.returncode == 7
    assert "102 of 103 projects" in done.stdout
    assert "NOT proven to be complete" in done.stdout
    assert "Run the same command again to have it complete." in done.stdout
    assert (person.folder / "projects.csv").exists()


def test_threads_come_whole_through_faults_and_only_once(person):
    switches = Switchboard(person.twin.address)
    switches.set("shift", "engagement_list", rows=-1, count=1)
    switches.set("server_error", probability=0.05, seed=3)
    words = ("--with", "thread", "--with", "log", "-o", "all", "--search", "R-10")
    first = person.document("export", "projects", *words)
    switches.clear()
    before = Counter(each["operation"] for each in switches.ledger())
    again = person.document("export", "projects", *words)
    asked = Counter(each["operation"] for each in switches.ledger()) - before
    threads = {
        each["reference"]: {entry["id"] for entry in each["engagements"]}
        for each in lines_of(person, "all/projects.jsonl")
    }
    #
    assert (len(threads), len(threads["R-102"])) == (4, NOTES)
    assert (first["is_complete"], first["new"], again["unchanged"]) == (True, 4, 4)
    assert (again["not_asked_again"], asked["engagement_list"]) == (4, 0)
    sheets = load_workbook(person.folder / "all" / "projects.xlsx").worksheets
    assert [sheet.title for sheet in sheets] == ["Projects", "Thread", "Log"]


def test_filters_are_written_as_people_do_and_the_service_is_asked_for_them(person):
    done = person.document(
        *("export", "projects", "-o", "few.jsonl", "--type", "earthworks"),
        *("--status", "draft", "--organisation", "Tauira 7", "--since", "1/1/2020"),
    )
    (project,) = lines_of(person, "few.jsonl")
    assert (project["reference"], done["total"], done["exported"]) == ("R-7", 1, 1)
    assert done["asked_for"] == (
        "type Earthworks; status Draft; organisation Tauira 7; created on or after "
        "1 January 2020"
    )
    nobody = person.document(
        *("export", "projects", "-o", "no.jsonl", "--assigned-to", "aroha tauira")
    )
    assert (nobody["listed"], nobody["asked_for"]) == (0, "assigned to Aroha Tauira")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("projects", "--type", "erthworks"), "--type: “erthworks” is not one of the"),
        (("projects", "--assigned-to", "Hana"), "nobody of the team. Members are:"),
        (("projects", "--batch", "monthly"), "The journal holds no batch yet."),
        (("team", "--since", "1/1/2026"), "--since does not apply here, but to:"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_written(person, words, said):
    done = person.run("export", *words, "-o", "lists")
    assert (done.returncode, (person.folder / "lists").exists()) == (2, False)
    assert said in " ".join(done.stderr.split())


def test_a_service_that_does_not_know_the_logs_is_told_of_and_the_rest_comes(person):
    person.write_settings('[service.paths]\nproject_logs = "GET /elsewhere/{id}"\n')
    words = ("--with", "log", "--with", "thread", "--search", "R-102")
    (trouble,) = person.document("export", "projects", *words, "-o", "all")["troubles"]
    assert trouble.startswith("The export has no log of projects. The service does not")
    assert "[service.paths]: project_logs" in trouble
    (project,) = lines_of(person, "all/projects.jsonl")
    assert (len(project["engagements"]), "logs" in project) == (NOTES, False)


def test_the_team_and_its_groups_are_exported_with_names(person):
    with with_key(person.twin.address) as client:
        user = client.get("/user").json()["response_object"]
        team = client.get(f"/team/{user['teams'][0]['id']}").json()["response_object"]
        ids = [each["id"] for each in team["users"] if each["first_name"] != "Mārama"]
        group = {"name": "Planners", "colour": "#2C5F52", "memberIds": ids}
        client.post("/groups", json=group).raise_for_status()
    assert (
        "Members: 3. Invitations: 0." in person.run("export", "team", "-o", "t").stdout
    )
    person.run("export", "groups", "-o", "groups.csv")
    with (person.folder / "groups.csv").open(encoding="utf-8-sig", newline="") as file:
        (row,) = csv.DictReader(file)
    names = sorted(row["Members"].split("; "))
    assert (row["Name"], names) == ("Planners", ["Aroha Tauira", "Wiremu Tauira"])


def test_purchases_are_added_up(person):
    for quantity in (5, 10):
        buy(person.twin.address, quantity)
    done = person.document("export", "invoices", "-o", "invoices.xlsx")
    assert (done["listed"], done["sums"]["tokens"]) == (2, 15)


def test_texts_that_mean_harm_are_inert_in_every_format(person):
    person.key = person.twin.address.sandbox_key
    with with_key(person.twin.address, person.key) as client:
        taken = [
            client.post(
                "/projects",
                content=json.dumps(
                    PROJECT
                    | {"name": text, "description": text, "reference": f"HARM-{number}"}
                    | {"organisation": ORGANISATION | {"name": text}}
                ),
            ).is_success
            for number, text in enumerate(PAYLOADS)
        ]
    words = ("--with", "thread", "--with", "log", "-o", "harm")
    done = person.run("export", "projects", *words)
    assert (done.returncode, sum(taken) > len(PAYLOADS) // 2) == (0, True)
    assert_screen_is_inert(done.stdout + done.stderr)
    folder = person.folder / "harm"
    document = assert_json_is_inert((folder / "projects.geojson").read_bytes())
    assert len(document["features"]) == sum(taken)
    assert_folder_is_inert(folder)


def test_a_report_that_a_sheet_of_acts_asked_for_is_saved_with_its_list(person):
    (person.folder / "reports.csv").write_text(
        "Project,Do,All\nR-102,Report on,No\n", "utf-8"
    )
    asked = person.run(
        *("submit", "reports.csv", "--kind", "reports", "--yes", "1", "--no-input")
    )
    words = ("export", "reports", "-o", "reports")
    assert asked.returncode == 0, asked.stdout + asked.stderr
    time.sleep(BUILD_SECONDS)
    assert person.run(*words).returncode == 0
    (pdf,) = (person.folder / "reports" / "pdf").glob("R-102*.pdf")
    sheet = load_workbook(person.folder / "reports" / "reports.xlsx").active
    (link,) = [cell.hyperlink.target for row in sheet for cell in row if cell.hyperlink]
    assert (unquote(link), pdf.read_bytes()[:4]) == (f"pdf/{pdf.name}", b"%PDF")
    pdf.write_bytes(b"%PDF altered")
    assert "1 file ALTERED" in person.stdout_of(*words, code=9)


@pytest.fixture
def with_documents(person_with):
    """Give a person whose project has a PDF and a text."""
    person = person_with(tokens=9)
    (person.folder / "plan.pdf").write_bytes(b"%PDF-1.4 a plan\n%%EOF\n")
    (person.folder / "notes.csv").write_bytes(b"a,b\n1,2\n")
    rows = [[*HEADINGS, "Files"], [*csv_row(1), "plan.pdf; notes.csv"]]
    text = "\n".join(",".join(cells) for cells in rows)
    (person.folder / "monthly.csv").write_text(text, "utf-8")
    sent = person.run("submit", "monthly.csv", "--yes", "1", "--no-input")
    assert sent.returncode == 0, sent.stderr
    return person


def test_documents_of_projects_are_saved_once_and_an_altered_one_is_kept_aside(
    with_documents,
):
    person = with_documents
    words = ("export", "projects", "--save-documents", "-o", "lists")
    first, again = person.run(*words), person.run(*words)
    folder = person.folder / "lists" / "documents"
    saved = {each.name: each.read_bytes() for each in folder.glob("R-1 *")}
    # The service lists the receipt of a project among its documents.
    receipt = saved.pop("R-1 KR-2026-000001.pdf")
    assert receipt.startswith(b"%PDF")
    assert (first.returncode, again.returncode, saved) == (
        0,
        0,
        {"R-1 plan.pdf": b"%PDF-1.4 a plan\n%%EOF\n", "R-1 notes.csv": b"a,b\n1,2\n"},
    )
    assert ("New: 3 papers." in first.stdout, "New:" in again.stdout) == (True, False)
    (project,) = lines_of(person, "lists/projects.jsonl")
    assert {each["file"] for each in project["documents"]} == {
        "documents/R-1 plan.pdf",
        "documents/R-1 notes.csv",
        "documents/R-1 KR-2026-000001.pdf",
    }
    (folder / "R-1 plan.pdf").write_bytes(b"%PDF-1.4 another\n%%EOF\n")
    assert "ALTERED" in person.stdout_of(*words, code=9)
    assert (folder / "R-1 plan.pdf").read_bytes() == saved["R-1 plan.pdf"]


def test_documents_need_a_folder(person):
    done = person.run("export", "projects", "--save-documents", "-o", "projects.csv")
    assert (done.returncode, "needs a folder" in done.stderr) == (2, True)
