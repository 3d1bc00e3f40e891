"""Receipts for the record: saved, listed with their hashes, fetched once."""

import csv
import hashlib
import json
import signal
import time
from datetime import UTC, datetime
from urllib.parse import unquote

import pytest
from openpyxl import load_workbook

from doubles.command import csv_row, write_csv
from doubles.switchboard import Switchboard
from kawe.domain.text.new_zealand import day_in_new_zealand
from kawe.files.receipts import OWN

EXPORT = ("export", "receipts", "-o", "papers")
HEADINGS = [
    "Receipt number",
    "Submission number",
    "Project",
    "Reference",
    "Sent to",
    "Date",
    "File",
    "Size in bytes",
    "SHA-256",
    "Trouble",
]


@pytest.fixture
def person(person_with):
    """Give a person who has sent two projects."""
    return _sent(person_with(tokens=9))


def _sent(person):
    write_csv(person.folder / "monthly.csv", [csv_row(1), csv_row(2)])
    sent = person.run("submit", "monthly.csv", "--yes", "2", "--no-input")
    assert sent.returncode == 0
    return person


def _papers(person):
    """Give each PDF of the folder by name."""
    folder = person.folder / "papers"
    return {each.name: each.read_bytes() for each in sorted(folder.glob("*.pdf"))}


def _manifest(person):
    """Read the list as sha256sum does; give what it says of papers."""
    path = person.folder / "papers" / "manifest-sha256.txt"
    lines = path.read_text(encoding="utf-8").splitlines()
    listed = {line[66:]: line[:64] for line in lines}
    return {name: digest for name, digest in listed.items() if name not in OWN}


def _hashes(papers):
    return {name: hashlib.sha256(data).hexdigest() for name, data in papers.items()}


def _fetched(person):
    return person.state()["requests"]["download"]


def test_every_receipt_is_saved_as_pdf_and_the_list_of_hashes_holds(person):
    done = person.run(*EXPORT)
    papers = _papers(person)
    assert (done.returncode, done.stdout) == (
        0,
        "2 receipts of Kaunihera o Tauira (twin) in papers (2 new).\n",
    )
    assert {data[:4] for data in papers.values()} == {b"%PDF"}
    assert (len(papers), _manifest(person)) == (2, _hashes(papers))


def test_the_folder_belongs_to_the_person_alone(person):
    person.run(*EXPORT)
    assert (person.folder / "papers").stat().st_mode & 0o077 == 0


def test_the_workbook_and_the_table_list_what_the_folder_holds(person):
    person.run(*EXPORT)
    sizes = {name: len(data) for name, data in _papers(person).items()}
    (sheet,) = load_workbook(person.folder / "papers" / "receipts.xlsx")
    title, told, heading, *rows = sheet.iter_rows(values_only=True)
    assert (sheet.title, list(heading)) == ("Receipts", HEADINGS)
    assert (title[0], told[0].partition(",")[0]) == (
        "Receipts of Kaunihera o Tauira (twin)",
        "2 receipts",
    )
    assert sorted((row[2], row[3], row[4], row[9]) for row in rows) == [
        (f"Ōtāhuhu culvert {n}", f"R-{n}", "Ngāti Tauira ki te Raki", None)
        for n in (1, 2)
    ]
    assert {type(row[5]) for row in rows} == {datetime}
    assert {row[6]: (row[7], row[8]) for row in rows} == {
        name: (sizes[name], digest) for name, digest in _manifest(person).items()
    }
    linked = [unquote(each.hyperlink.target) for each in sheet["G"] if each.hyperlink]
    assert linked == [row[6] for row in rows]
    table = person.folder / "papers" / "manifest.csv"
    with table.open(encoding="utf-8-sig", newline="") as file:
        assert list(csv.reader(file)) == [
            HEADINGS,
            *([_as_text(each) for each in row] for row in rows),
        ]
    lines = (person.folder / "papers" / "receipts.jsonl").read_text("utf-8")
    told = [[*json.loads(line).values()] for line in lines.splitlines()]
    assert told == json.loads(json.dumps(rows, default=datetime.isoformat))


def _as_text(value):
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    return "" if value is None else str(value)


def test_a_second_export_fetches_nothing_that_is_there(person):
    person.run(*EXPORT)
    papers, asked = _papers(person), _fetched(person)
    done = person.run(*EXPORT)
    assert done.stdout == "2 receipts of Kaunihera o Tauira (twin) in papers (0 new).\n"
    assert (_papers(person), _fetched(person), asked) == (papers, asked, {"200": 2})


def test_a_pdf_that_was_altered_is_kept_aside_and_one_that_was_removed_comes_again(
    person,
):
    person.run(*EXPORT)
    papers, folder = _papers(person), person.folder / "papers"
    altered, removed = papers
    (folder / altered).write_bytes(b"%PDF-1.4 something else")
    (folder / removed).unlink()
    kept = f"altered/{altered.removesuffix('.pdf')} 5e42c1f2.pdf"
    found = person.run(*EXPORT)
    assert (found.returncode, found.stdout) == (
        9,
        (
            "2 receipts of Kaunihera o Tauira (twin) in papers (2 new).\n"
            "1 file ALTERED since it was saved:\n"
            f"    {altered}: the altered file is kept as {kept}\n"
            "1 file missing:\n"
            f"    {removed}: was not there any more\n"
        ),
    )
    assert "1 file was ALTERED since an earlier export" in found.stderr
    assert (folder / kept).read_bytes() == b"%PDF-1.4 something else"
    again = person.run(*EXPORT).returncode
    assert (again, _papers(person), _manifest(person)) == (0, papers, _hashes(papers))
    aside = f"1 altered file is kept aside by an earlier export: {kept}."
    assert person.stdout_of("export", "verify", "papers").splitlines()[0] == aside
    today = f"{day_in_new_zealand(datetime.now(tz=UTC)):%Y-%m-%d}"
    period = ("--since", today, "--until", today)
    assert aside in person.stdout_of("audit", *period, "--folder", "papers")
    (folder / kept).write_bytes(b"%PDF-1.4 something of somebody else")
    assert person.run("export", "verify", "papers").returncode == 9


def test_the_document_says_what_was_saved_for_which_row(person):
    document = person.document(*EXPORT)
    receipts = document.pop("receipts")
    assert document == {
        "schema": "kawe.export-receipts/1",
        "exit_code": 0,
        "team": "Kaunihera o Tauira (twin)",
        "folder": "papers",
        "is_complete": True,
        "left_out": 0,
        "sent_without_receipt": 0,
        "not_sent_any_more": 0,
        "findings": [],
    }
    assert {each["file"]: each["sha256"] for each in receipts} == _manifest(person)
    told = sorted((e["reference"], e["trouble"], e["is_new"]) for e in receipts)
    assert told == [("R-1", "", True), ("R-2", "", True)]


def test_an_exported_receipt_is_in_the_result_of_its_row(person):
    saved = person.document(*EXPORT)["receipts"]
    numbers = {each["reference"]: each["number"] for each in saved}
    rows = person.document("status", "--write")["rows"]
    assert {each["reference"]: each["receipt_number"] for each in rows} == numbers


def test_what_is_no_pdf_is_not_saved_and_fetched_by_the_next_run(person_with):
    person = _sent(person_with(tokens=9, faults=True))
    board = Switchboard(person.twin.address)
    board.set("gateway_page", "storage_get", status_code=200, count=1)
    first = person.run(*EXPORT)
    saved = _papers(person)
    second = person.run(*EXPORT)
    counted, missing, advice = first.stdout.splitlines()
    assert (first.returncode, counted, advice) == (
        7,
        "1 receipt of Kaunihera o Tauira (twin) in papers (1 new).",
        "Run the same command again to fetch what is missing.",
    )
    assert "The service sent something that is no PDF." in missing
    papers = _papers(person)
    assert (len(saved), second.returncode, len(papers)) == (1, 0, 2)
    assert _manifest(person) == _hashes(papers)


@pytest.mark.short_campaign
def test_one_polite_kill_ends_a_download_that_has_no_end(person_with):
    person = _sent(person_with(tokens=9, faults=True))
    board = Switchboard(person.twin.address)
    # A byte each time, and the next one in an hour.
    board.set("slow", "storage_get", chunk_bytes=1, seconds=3600)
    process = person.start(*EXPORT)
    while not list((person.folder / "papers").glob(".kawe-*")):
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    ended = process.wait(timeout=40)
    left = sorted(each.name for each in (person.folder / "papers").iterdir())
    assert (ended, left) == (
        130,
        ["manifest-sha256.txt", "manifest.csv", "receipts.jsonl", "receipts.xlsx"],
    )


def test_a_team_without_receipts_gets_lists_that_are_empty(person_with):
    person = person_with(tokens=9)
    assert (person.stdout_of(*EXPORT), _manifest(person)) == (
        "0 receipts of Kaunihera o Tauira (twin) in papers (0 new).\n",
        {},
    )


def test_an_export_says_where_it_is_to_go(person):
    assert "Missing option '-o'" in person.stderr_of("export", "receipts", code=2)


def test_a_file_in_the_folder_s_place_is_left_alone(person):
    (person.folder / "papers").write_text("Mine.", encoding="utf-8")
    done = person.run(*EXPORT)
    left = (person.folder / "papers").read_text("utf-8")
    assert (done.returncode, left) == (2, "Mine.")


def test_a_part_of_the_receipts_is_saved_and_nothing_else_is_called_unlisted(person):
    first = person.run(*EXPORT)
    write_csv(person.folder / "later.csv", [csv_row(3)])
    person.run("submit", "later.csv", "--yes", "1", "--no-input")
    batch = person.document(*EXPORT, "--batch", "later")
    none = person.run(*EXPORT, "--until", "1/1/2020")
    assert [(each["reference"]) for each in batch["receipts"]] == ["R-3"]
    assert (first.returncode, batch["left_out"], batch["findings"]) == (0, 2, [])
    assert (none.returncode, len(_papers(person)), len(_manifest(person))) == (0, 3, 3)
    assert "3 receipts were not asked for" in none.stdout
    assert "3 receipts" in person.stdout_of(*EXPORT)
