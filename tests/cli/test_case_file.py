"""`kawe export case`: all of one project in a folder, whole by its hashes."""

import hashlib
import json
import shutil
import signal
import subprocess
import time
from uuid import UUID

import pytest
from openpyxl import load_workbook

from doubles.at_the_twin import with_key
from doubles.bodies import project_body
from doubles.command import HEADINGS, csv_row, write_csv
from doubles.payloads import PAYLOADS, assert_folder_is_inert, assert_screen_is_inert
from doubles.switchboard import Switchboard

CASE = ("export", "case", "R-1", "-o", "case")
PLAN = b"%PDF-1.4 a plan\n%%EOF\n"
FILES = {
    "documents/R-1 KR-2026-000001.pdf",
    "documents/R-1 plan.pdf",
    "documents/manifest-sha256.txt",
    "project.jsonl",
    "project.sha256",
    "project.xlsx",
    "receipts/KR-2026-000001 Ōtāhuhu culvert 1.pdf",
    "receipts/manifest-sha256.txt",
}


@pytest.fixture
def person(person_with):
    """Give a person who has sent R-1 with a document, then R-2."""
    person = person_with(tokens=9, faults=True)
    (person.folder / "plan.pdf").write_bytes(PLAN)
    for number, files in ((1, "plan.pdf"), (2, "")):
        headings = (*HEADINGS, "Attachments")
        row = [*csv_row(number), files]
        write_csv(person.folder / f"sheet{number}.csv", [row], headings=headings)
        sent = person.run("submit", f"sheet{number}.csv", "--yes", "1", "--no-input")
        assert sent.returncode == 0, sent.stderr
    return person


def below(folder):
    paths = (each for each in folder.rglob("*") if each.is_file())
    return {each.relative_to(folder).as_posix(): each.read_bytes() for each in paths}


def listed(folder):
    text = (folder / "manifest-sha256.txt").read_text(encoding="utf-8")
    return {line[66:]: line[:64] for line in text.splitlines()}


def project_of(person):
    text = (person.folder / "case/project.jsonl").read_text(encoding="utf-8")
    return json.loads(text)


def test_a_case_file_has_all_of_its_project_and_its_list_has_every_file(person):
    done = person.run(*CASE)
    files, project = below(person.folder / "case"), project_of(person)
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    hashes.pop("manifest-sha256.txt")
    assert (done.returncode, "4 of 1" in done.stderr) == (0, False)
    assert done.stdout.startswith("Case file of R-1 Ōtāhuhu culvert 1\n1 of 1 project")
    assert (set(hashes), listed(person.folder / "case")) == (FILES, hashes)
    assert files["documents/R-1 plan.pdf"] == PLAN
    assert files["receipts/KR-2026-000001 Ōtāhuhu culvert 1.pdf"][:4] == b"%PDF"
    assert project["reference"] == "R-1"
    assert {"engagements", "documents", "logs"} <= project.keys()
    workbook = load_workbook(person.folder / "case/project.xlsx")
    assert workbook.sheetnames == ["Projects", "Thread", "Documents", "Log"]
    proven = person.run("export", "verify", "case")
    plain = subprocess.run(
        [shutil.which("sha256sum"), "-c", "--quiet", "manifest-sha256.txt"],
        cwd=person.folder / "case",
        check=False,
    )
    assert (proven.returncode, plain.returncode) == (0, 0), proven.stdout


def test_a_receipt_number_and_an_id_name_the_same_project(person):
    person.run(*CASE)
    project = project_of(person)["id"]
    for words in ("KR-2026-000001", project, " r-1 "):
        told = person.document("export", "case", words, "-o", "again")
        assert (told["project"]["id"], told["receipts"], told["exit_code"]) == (
            project,
            ["KR-2026-000001"],
            0,
        )


def test_a_project_of_the_portal_is_found_by_its_reference(person):
    with with_key(person.twin.address) as client:
        body = project_body() | {"reference": "../P-1"}
        client.post("/projects", json=body).raise_for_status()
    assert (
        person.stdout_of("export", "case", "../P-1", "-o", "case").splitlines()[-1]
        == "It has no receipt: the service lists none that is certainly its."
    )
    assert set(listed(person.folder / "case")) == {
        "project.jsonl",
        "project.sha256",
        "project.xlsx",
    }


@pytest.mark.parametrize("words", ["R", "R-3", f"{UUID(int=7, version=4)}"])
def test_what_names_no_project_exactly_is_refused(person, words):
    done = person.run("export", "case", words, "-o", "case")
    assert (done.returncode, (person.folder / "case").exists()) == (2, False)
    assert "The key sees no project with reference, receipt or id “" in done.stderr


def test_a_reference_of_two_projects_is_refused_with_the_id_of_each(person):
    with with_key(person.twin.address) as client:
        made = client.post("/projects", json=project_body() | {"reference": "R-1"})
        made.raise_for_status()
    done = person.run(*CASE)
    assert (done.returncode, (person.folder / "case").exists()) == (2, False)
    assert "“R-1” is 2 projects." in done.stderr
    assert made.json()["response_object"]["id"] in done.stderr


def test_a_folder_of_another_project_is_left_alone(person):
    person.run(*CASE)
    before = below(person.folder / "case")
    done = person.run("export", "case", "R-2", "-o", "case")
    assert (done.returncode, below(person.folder / "case")) == (2, before)
    assert "has the case file of another project" in done.stderr


@pytest.mark.parametrize("at", [1, 2, 3])
def test_a_kill_and_the_same_command_again_give_a_whole_case_file(person, at):
    Switchboard(person.twin.address).set(
        "slow", "storage_get", chunk_bytes=1, seconds=3600, nth=at
    )
    process = person.start(*CASE)
    while not list((person.folder / "case").rglob(".kawe-*")):
        assert process.poll() is None
        time.sleep(0.02)
    time.sleep(0.5)
    process.send_signal(signal.SIGKILL)
    process.wait(timeout=40)
    cut = person.run("export", "verify", "case")
    Switchboard(person.twin.address).clear()
    done, proven = person.run(*CASE), person.run("export", "verify", "case")
    assert (cut.returncode, done.returncode, proven.returncode) == (2, 0, 0)
    assert set(listed(person.folder / "case")) == FILES


def test_what_was_altered_since_is_said_and_comes_again(person):
    person.run(*CASE)
    folder = person.folder / "case"
    (folder / "documents/R-1 plan.pdf").write_bytes(b"another")
    assert person.run("export", "verify", "case").returncode == 9
    again = person.run(*CASE)
    proven = person.run("export", "verify", "case")
    assert (again.returncode, "ALTERED" in again.stdout) == (9, True)
    assert (folder / "documents/R-1 plan.pdf").read_bytes() == PLAN
    assert (proven.returncode, "kept aside" in proven.stdout) == (0, True)


def test_a_document_that_does_not_come_makes_the_case_incomplete(person):
    Switchboard(person.twin.address).set(
        "gateway_page", "storage_get", status_code=200, count=1
    )
    first, second = person.run(*CASE), person.run(*CASE)
    assert (first.returncode, "Not saved: KR-2026-000001" in first.stdout) == (7, True)
    assert first.stdout.endswith("Run the same command again to have it complete.\n")
    assert (second.returncode, set(listed(person.folder / "case"))) == (0, FILES)


def test_texts_that_mean_harm_are_inert_in_a_case_file_and_in_what_is_said(person):
    with with_key(person.twin.address) as client:
        taken = [
            made.json()["response_object"]["id"]
            for text in PAYLOADS
            if (made := client.post("/projects", content=harmful(text))).is_success
        ]
    several = person.run("export", "case", "HARM", "-o", "none")
    assert (several.returncode, " projects. Write the id: " in several.stderr) == (
        2,
        True,
    )
    said = several.stderr
    for number, project in enumerate(taken[::9]):
        done = person.run("export", "case", project, "-o", f"harm/{number}")
        assert done.returncode == 0
        said += done.stdout
    for text in PAYLOADS[::9]:
        none = person.run("export", "case", "-o", "none", "--", text)
        assert none.returncode == 2
        said += none.stderr
    assert_screen_is_inert(said)
    assert assert_folder_is_inert(person.folder / "harm") >= 3 * len(taken[::9])


def harmful(text):
    said = {"name": text, "description": text, "reference": "HARM"}
    return json.dumps(project_body() | said)
