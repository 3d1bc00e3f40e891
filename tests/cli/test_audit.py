"""`kawe audit`: a clean month closes, and each thing that does not fit is named."""

import csv
import json
import re
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from openpyxl import load_workbook

from doubles.at_the_twin import buy
from doubles.command import at_a_twin, csv_row, write_csv
from doubles.consulted import Consulted
from doubles.journal_homes import tamper
from doubles.payloads import PAYLOADS, assert_folder_is_inert, assert_screen_is_inert
from kawe.domain.text.new_zealand import day_in_new_zealand, day_words

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "audit-a-period.md"
TODAY = day_in_new_zealand(datetime.now(UTC))
AHEAD = TODAY + timedelta(days=200)
AUDIT = ("audit", "--since", f"{TODAY - timedelta(days=20)}", "-o", "audit.xlsx")
NO_LOGS = '[service.paths]\nproject_logs = "GET /elsewhere/{id}"\n'
AGAIN = (
    "INSERT INTO activity SELECT NULL, 'again', action, resource, property, before,"
    " after, project_id, account_id, person_id, created_on, is_internal"
    " FROM activity WHERE action = 'SENT' AND project_id ="
)
OF = "(SELECT id FROM project WHERE reference = ?)"
IWI = "Ngāti Tauira ki te Raki"


def receipt_numbers(person):
    """Give name, number and reference of every receipt of a row, as the twin has it."""
    query = (
        "SELECT project_name, receipt_number, reference FROM receipt"
        " JOIN project ON project.id = project_id WHERE reference IS NOT NULL"
    )
    work = person.twin._assembly.database.submit(
        lambda db: [tuple(row) for row in db.execute(query)]
    )
    return work.result()


def on_twin(person, *statements):
    """Change what the twin remembers, as nobody should."""

    def work(db):
        for statement, values in statements:
            db.execute(statement, values)

    person.twin._assembly.database.submit(work).result()


def alter_journal(person, statement):
    (journal,) = person.folder.glob("home/state/kawe/default/*.journal")
    tamper(journal, statement)


def earlier(column, hours=3):
    return moved(column, f"-{hours} hours")


def moved(column, by):
    return f"{column} = strftime('%Y-%m-%dT%H:%M:%fZ', {column}, '{by}')"


def alike(*numbers):
    """Give rows of one name."""
    return [csv_row(n, Name="Alike", Latitude=f"-36.{n}") for n in numbers]


def month(person, *rows, late_seconds=0):
    """Send rows, two of them of one name some hours apart, and save the receipts.

    Others of one name are sent two seconds apart. The service shows their log when all
    are sent, and it may have written their receipts later than that says.
    """
    person.write_settings(NO_LOGS)
    buy(person.twin.address, 20)
    write_csv(
        person.folder / "monthly.csv",
        [
            *(csv_row(number) for number in (1, 2, 3, 4)),
            csv_row(7, Name="Weir", Latitude="-36.9500"),
            csv_row(8, Name="Weir", Latitude="-36.9000"),
            *rows,
        ],
    )
    sent = person.run("submit", "monthly.csv", "--yes", "9", "--no-input")
    assert sent.returncode == 0, sent.stdout + sent.stderr
    person.write_settings("")
    late = moved("created_on", f"+{late_seconds} seconds")
    on_twin(
        person,
        *(
            (
                f"UPDATE {table} SET {moved('created_on', by)} WHERE project_id = {OF}",
                (reference,),
            )
            for table in ("receipt", "activity")
            for reference, by in (("R-7", "-3 hours"), ("R-81", "-2 seconds"))
        ),
        (f"UPDATE receipt SET {late} WHERE project_name = 'Alike'", ()),
    )
    person.run("export", "receipts", "-o", "receipts")
    return person


def recipe():
    """Give the short program of the page, which needs no kawe."""
    (program,) = re.findall("```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    return program


def checked_by_the_recipe(person):
    done = subprocess.run(
        [sys.executable, "-P", "-I", "-c", recipe(), "audit.json"],
        check=False,
        cwd=person.folder,
        capture_output=True,
        text=True,
    )
    return done.stdout + done.stderr


def verified_by_openssl(person, name):
    words = ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", f"{name}.pem"]
    words += ["-rawin", "-in", name, "-sigfile", f"{name}.sig"]
    done = subprocess.run(words, check=False, cwd=person.folder, capture_output=True)
    return done.returncode


def conversations(person):
    """Let team and iwi respond: of nine responses of the team, three use a token."""
    colleague = Consulted(person.twin)
    (five, two) = (project_of(person, each) for each in ("R-1", "R-2"))
    theirs = colleague.receive("Pou on the shore")
    for project, many in ((five, 5), (two, 1), (theirs, 3)):
        colleague.respond(project, "From the iwi")
        for number in range(many):
            colleague.respond_as_team(project, f"Response {number + 1}")
    colleague.respond(two, "Again from the iwi")
    colleague.close()


def project_of(person, reference):
    query = "SELECT id FROM project WHERE reference = ?"
    work = person.twin._assembly.database.submit(
        lambda db: db.execute(query, (reference,)).fetchone()[0]
    )
    return work.result()


def test_a_clean_month_closes_and_an_outsider_can_check_it(person_with):
    person = month(person_with(tokens=0), *alike(81, 82))
    conversations(person)
    words = ("--folder", "receipts", "--opening", "0", "--sign")
    done = person.run(*AUDIT, *words)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (
        "8 sent, as the journal has it = 8 sent, as the service has it = 8 receipts = "
        "8 tokens used by sends. The statement closes. Responses used 3 tokens: 11 in "
        "all."
    ) in " ".join(done.stdout.split())
    statement = json.loads((person.folder / "audit.json").read_text("ascii"))
    assert {
        (each["name"], each["receipt_number"], each["reference"])
        for each in statement["sent"]
    } == set(receipt_numbers(person))
    # Those of one name, too, are the same in what the export has saved.
    with (person.folder / "receipts" / "manifest.csv").open(encoding="utf-8-sig") as f:
        saved = [tuple(each.values()) for each in csv.DictReader(f)]
    assert all(
        sum({name, number, reference} <= set(row) for row in saved) == 1
        for name, number, reference in receipt_numbers(person)
    )
    assert {(each["tokens"], each["iwi"][0]["name"]) for each in statement["sent"]} == {
        (1, IWI)
    }
    # Two of R-1, and one of a project that iwi sent to the team, which is no send.
    assert [
        (each["reference"], each["name"], each["number"], each["in_period"])
        for each in statement["responses"]
    ] == [
        ("R-1", "Ōtāhuhu culvert 1", 2, True),
        ("R-1", "Ōtāhuhu culvert 1", 4, True),
        (None, "Pou on the shore", 2, True),
    ]
    assert {each["who"] for each in statement["responses"]} == {"Aroha Tauira"}
    assert statement["schema"] == "kawe.audit-statement/3"
    assert statement["remarks"][1] == "The balance of tokens agrees with that."
    counted = {each["what"]: each["number"] for each in statement["statement"]}
    assert {
        what: number for what, number in counted.items() if "oken" in what and number
    } == {
        "Tokens used by sends": 8,
        "Tokens used by responses": 3,
        "Tokens used by sends and responses": 11,
        "Tokens bought, of all time, by invoices": 20,
        "Tokens used by sends, of all time": 8,
        "Tokens used by responses, of all time": 3,
        "Balance of tokens now": 9,
    }
    said = checked_by_the_recipe(person)
    (journal,) = statement["journals"]
    head = journal["head"]
    assert said == f"{head['seq']} events, the last hash is {head['hash']}\n"
    assert verified_by_openssl(person, "audit.json") == 0
    book = load_workbook(person.folder / "audit.xlsx")
    assert book.sheetnames == [*("Statement", "Sent", "Paid responses", "Exceptions")]
    assert book["Sent"].max_row == 10
    # Tokens of all time: the log is asked of what changed since its receipt, and of
    # those of one name. Nobody responded to.
    words = ("--until", "31/1/2020", "--opening", "0", "-o", "past.xlsx")
    past = person.run("audit", "--since", "1/1/2020", *words)
    stated = json.loads((person.folder / "past.json").read_text("ascii"))
    assert "Reading logs: 7 of 7" in past.stderr
    assert [each["in_period"] for each in stated["responses"]] == [False] * 3
    assert (stated["equation"], stated["closes"]) == (
        "Nothing was sent in this period. The statement closes.",
        True,
    )
    # An earlier statement stays, and what is altered in one is named.
    person.run("export", "receipts", "--bag", "bag")
    again = person.run(*AUDIT, "--quiet", "--folder", "bag")
    assert (again.returncode, (person.folder / "audit (2).json").exists()) == (0, True)
    text = (person.folder / "audit.json").read_text()
    (person.folder / "audit.json").write_text(text.replace("SEND_INTENT", "SENT", 1))
    assert re.match(r"ALTERED: event \d+\n", checked_by_the_recipe(person))
    assert verified_by_openssl(person, "audit.json") != 0


def test_whatever_does_not_fit_is_named_once(person_with):
    person = month(person_with(tokens=0), *alike(81, 82), late_seconds=1)
    colleague = Consulted(person.twin)
    colleague.send(1, name="By hand")
    old = colleague.draft(name="Old draft")
    colleague.close()
    pdfs = person.folder / "receipts"
    (flipped,) = pdfs.glob("*culvert 2.pdf")
    data = bytearray(flipped.read_bytes())
    data[100] ^= 1
    flipped.write_bytes(data)
    (removed,) = pdfs.glob("*culvert 3.pdf")
    removed.unlink()
    (pdfs / "added.pdf").write_bytes(b"%PDF")
    on_twin(
        person,
        (f"DELETE FROM receipt WHERE project_id = {OF}", ("R-1",)),
        ("UPDATE project SET iwi_name = 'Ngāti Kē' WHERE reference = ?", ("R-4",)),
        ("UPDATE project SET status = 'DRAFT' WHERE reference = ?", ("R-8",)),
        (f"UPDATE project SET {earlier('created_on', 960)} WHERE id = ?", (old,)),
        (
            "UPDATE receipt SET project_name = 'Nobody' WHERE project_name = 'By hand'",
            (),
        ),
        (f"{AGAIN} {OF}", ("R-2",)),
        ("UPDATE account SET balance = balance - 2 WHERE balance > 2", ()),
    )
    alter_journal(person, "UPDATE event SET detail = 'never' WHERE seq = 4")
    done = person.document(*AUDIT, "--folder", "receipts", "--opening", "0")
    found = [(each["trouble"], each["about"]) for each in done["exceptions"]]
    assert (done["exit_code"], found) == (
        4,
        [
            ("altered journal", "Event 4"),
            ("sent outside kawe", "By hand"),
            ("not sent, as the service says", "Weir (R-8)"),
            ("sent without a receipt", "By hand"),
            ("sent without a receipt", "Ōtāhuhu culvert 1 (R-1)"),
            ("receipt without a project", "Nobody"),
            ("ambiguous name", "Alike"),
            ("other iwi", "Ōtāhuhu culvert 4 (R-4)"),
            ("more than one token", "Ōtāhuhu culvert 2 (R-2)"),
            ("unexplained tokens", "Balance"),
            ("old draft", "Old draft (no reference)"),
            ("missing document", removed.name),
            ("missing document", "KR-2026-000009 Nobody.pdf"),
            ("altered document", flipped.name),
            ("other file", "added.pdf"),
        ],
    )
    said = {each["trouble"]: each["what"] for each in done["exceptions"]}
    assert said["other iwi"] == (
        f"It went to Ngāti Kē, as the service says; the journal has {IWI}."
    )
    assert said["unexplained tokens"] == (
        "1 token is gone; no send and no response explains that."
    )
    # Both candidates are named, with number, submission and time.
    assert re.fullmatch(
        r"Receipts: KR-\d{4}-\d{6} \(KS-\d{6}\), .*; KR-.*\. "
        r"Projects: Alike \(R-8[12]\), .*; Alike \(R-8[12]\), .*\.",
        said["ambiguous name"],
    )
    assert "ALTERED: event 4\n" in checked_by_the_recipe(person)


def test_a_second_receipt_and_one_that_is_listed_no_more_are_named_as_such(person_with):
    person = month(person_with(tokens=0))
    numbers = {name: number for name, number, _ in receipt_numbers(person)}
    first, gone = (numbers[f"Ōtāhuhu culvert {each}"] for each in (1, 2))
    colleague = Consulted(person.twin)
    colleague.send(1, name="By hand")
    colleague.close()
    rename = "UPDATE receipt SET project_name = ? WHERE project_name = 'By hand'"
    on_twin(
        person,
        (rename, ("Ōtāhuhu culvert 1",)),
        (f"DELETE FROM receipt WHERE project_id = {OF}", ("R-2",)),
    )
    done = person.document(*AUDIT, "--folder", "receipts")
    said = {(e["trouble"], e["about"]): e["what"] for e in done["exceptions"]}
    assert "receipt without a project" not in {trouble for trouble, _ in said}
    assert re.fullmatch(
        rf"It was sent, and has the receipt {first} .*; there is also KR-.*\.",
        said["more than one receipt", "Ōtāhuhu culvert 1 (R-1)"],
    )
    assert said["sent without a receipt", "Ōtāhuhu culvert 2 (R-2)"].endswith(
        f"no receipt has its name. The receipt {gone} was listed once, is saved as "
        f"{gone} Ōtāhuhu culvert 2.pdf, and is listed no more."
    )


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 2, "Say from which day: --since DAY"),
        (("--since", "yesterdya"), 2, "--since: "),
        (("--since", f"{AHEAD}"), 2, f"({day_words(AHEAD)}) is after today"),
        (("--since", "2/11/2020", "--until", "1/11/2020"), 2, "is before --since"),
        (("--since", "1/11/2020", "--folder", "."), 2, "has no list of hashes"),
        (("--since", "1/11/2020", "-o", "audit.pdf"), 5, "does not end in .xlsx"),
        (("--since", "1/11/2020", "--journal", "none"), 6, "There is no journal"),
    ],
)
def test_what_cannot_be_audited_is_said(quiet, words, *, code, said):
    done = quiet.run("audit", *words)
    assert (done.returncode, said in done.stdout + done.stderr) == (code, True)
    assert not list(quiet.folder.glob("audit*"))


@pytest.fixture(scope="module")
def quiet(tmp_path_factory):
    """Give a person with a journal in which nothing was sent."""
    with at_a_twin(tmp_path_factory.mktemp("quiet"), tokens=0, rows=(1,)) as person:
        person.run("submit", "monthly.csv", "--drafts-only", "--no-input")
        yield person


def test_a_period_without_a_send_says_so_and_closes(quiet):
    assert quiet.stdout_of(
        "audit", "--since", "1/1/2020", "--until", "31/1/2020"
    ).splitlines()[:2] == [
        "1 January 2020 to 31 January 2020, Kaunihera o Tauira (twin), live:",
        "Nothing was sent in this period. The statement closes.",
    ]
    ahead = quiet.document("audit", "--since", "1/1/2020", "--until", f"{AHEAD}")
    assert [re.split("[:,]", each)[0] for each in ahead["remarks"][:2]] == [
        "The journal has no project as sent",
        "The period is not over",
    ]
    for path in quiet.folder.glob("kawe audit*"):
        path.unlink()


def test_what_the_key_may_not_read_is_left_out_and_said(quiet):
    colleague = Consulted(quiet.twin)
    key = colleague.new_key("projects:read", "team:read")
    colleague.close()
    person = replace(quiet, key=key)
    person.write_settings(NO_LOGS)
    (journal,) = quiet.folder.glob("home/state/kawe/default/*.journal")
    on_twin(quiet, ("UPDATE project SET status = 'NEW'", ()))
    done = person.document(
        "audit", "--since", "1/1/2020", "-o", "less.xlsx", "--journal", str(journal)
    )
    on_twin(quiet, ("UPDATE project SET status = 'DRAFT'", ()))
    person.write_settings("")
    assert ["billing:read" in each for each in done["remarks"]] == [False, True, False]
    assert done["remarks"][2].startswith("The service does not show the logs")
    # When a draft was sent by hand, nobody says.
    assert [(each["trouble"], each["what"]) for each in done["exceptions"]] == [
        (
            "sent outside kawe",
            "The service has it as sent; no log and no receipt say when.",
        )
    ]


def test_a_sandbox_uses_no_tokens_and_what_means_harm_stays_text(quiet, tmp_path):
    person = replace(quiet, key=quiet.twin.address.sandbox_key, folder=tmp_path)
    write_csv(person.folder / "own.csv", [csv_row(5)])
    person.run("submit", "own.csv", "--no-input")
    colleague = Consulted(person.twin)
    for text in PAYLOADS:
        clean = text.encode("utf-8", "replace").decode().replace("\0", "")
        body = {"name": clean, "reference": clean[:40]}
        with suppress(AssertionError):
            colleague.send(1, key=person.key, **body)
    colleague.close()
    # Half of them fit, and are named as sent by the team; half are exceptions.
    on_twin(person, ("DELETE FROM receipt WHERE rowid % 2", ()))
    (person.folder / "harm").mkdir()
    done = person.run("audit", "--since", "1/1/2020", "-o", "harm/audit.xlsx", "-v")
    assert done.returncode == 4, done.stderr
    assert_screen_is_inert(done.stdout + done.stderr)
    assert assert_folder_is_inert(person.folder / "harm") == 3
    assert "sent by somebody else of the team" in done.stdout
