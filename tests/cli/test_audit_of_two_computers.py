"""`kawe audit` knows all computers of a team, with their journals and without."""

import json
import re
import shutil
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from cli.test_audit import checked_by_the_recipe, on_twin
from doubles.command import Person, csv_row, write_csv
from doubles.consulted import Consulted
from kawe.domain.text.new_zealand import day_in_new_zealand

TODAY = day_in_new_zealand(datetime.now(UTC))
AUDIT = ("audit", "--since", f"{TODAY - timedelta(days=20)}", "-o", "audit.xlsx")
AGREED = ("--yes", "9", "--no-input", "--settle", "2", "--workers", "1")
MADE = "KW7F3A9C21QX4M"


def journal(person):
    (found,) = person.folder.glob("home/state/kawe/default/*.journal")
    return found


def submit(person, name, *rows):
    write_csv(person.folder / f"{name}.csv", rows)
    done = person.run("submit", f"{name}.csv", *AGREED)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def colleagues(person_with):
    """Give two people of one team, each of whom sent three projects, one together."""
    one = person_with(tokens=20)
    other = replace(one, folder=one.folder.parent / "other")
    other.folder.mkdir()
    submit(one, "one", *(csv_row(number) for number in (1, 2, 9)))
    submit(other, "other", *(csv_row(n) for n in (3, 4, 9)))
    return one, other


def test_with_the_journals_of_both_computers_each_send_counts_once(colleagues):
    one, other = colleagues
    names = [str(journal(each)) for each in colleagues]
    words = [word for name in names for word in ("--journal", name)]
    # The same one again changes nothing.
    done = one.run(*AUDIT, *words, "--journal", names[1])
    said = json.loads((one.folder / "audit.json").read_text("ascii"))

    assert done.returncode == 0, done.stdout + done.stderr
    told = " ".join(done.stdout.split())
    assert (
        "5 sent, as the journals have it = 5 sent, as the service has it = 5 receipts "
        "= 5 tokens used by sends. The statement closes."
    ) in told
    assert said["schema"] == "kawe.audit-statement/3"
    assert [each["journal"] for each in said["journals"]] == names
    assert all(each["in_journal"] and not each["of_team"] for each in said["sent"])
    assert re.findall(r"The journal (\S+) ends with event \d+, hash", told) == names
    page = (one.folder / "audit.html").read_text("utf-8")
    assert all(name in page for name in names)
    # Nothing was written into either.
    assert [each.run("journal", "verify").returncode for each in (one, other)] == [0, 0]
    lines = checked_by_the_recipe(one).splitlines()
    assert [line.split(", the last hash is ")[1] for line in lines] == [
        each["head"]["hash"] for each in said["journals"]
    ]


def test_without_the_colleague_s_journal_her_sends_are_named_and_it_closes(colleagues):
    one, _ = colleagues
    done = one.document(*AUDIT)
    assert (done["exit_code"], done["exceptions"], done["closes"]) == (0, [], True)
    assert (
        "5 sent, as the journal has it or by somebody else of the team = 5 sent, as "
        "the service has it"
    ) in done["equation"]
    assert [
        (each["reference"], each["sent_by"]) for each in done["sent"] if each["of_team"]
    ] == [("R-3", "Aroha Tauira"), ("R-4", "Aroha Tauira")]
    (remark,) = (each for each in done["remarks"] if "somebody else" in each)
    assert remark == (
        "2 projects were sent by somebody else of the team: no journal that was read "
        "has them, and receipts and logs agree: Ōtāhuhu culvert 3 (R-3), by Aroha "
        "Tauira; Ōtāhuhu culvert 4 (R-4), by Aroha Tauira."
    )


STRANGER = (
    "UPDATE activity SET person_id = (SELECT id FROM person WHERE id NOT IN"
    " (SELECT person_id FROM membership JOIN account ON account.id = account_id"
    "  WHERE account.kind = 'TEAM')) WHERE action = 'SENT' AND project_id ="
    " (SELECT id FROM project WHERE reference = ?)"
)
"""The log of a project names somebody who is not in the team."""


@pytest.mark.parametrize(
    ("reference", "troubles"), [("By hand", ["sent outside kawe"]), (MADE, [])]
)
def test_what_no_member_sent_is_the_team_s_only_by_kawe_s_marker(
    person, reference, troubles
):
    submit(person, "one", csv_row(1))
    colleague = Consulted(person.twin)
    colleague.send(1, name="Culvert", reference=reference)
    colleague.close()
    on_twin(person, (STRANGER, (reference,)))
    done = person.document(*AUDIT)
    found = [each["trouble"] for each in done["exceptions"]]
    assert (done["exit_code"], found) == (4 if troubles else 0, troubles)


def test_what_a_member_sent_in_the_portal_is_named_unless_its_receipt_is_missing(
    person,
):
    submit(person, "one", csv_row(1))
    colleague = Consulted(person.twin)
    colleague.send(1, name="By hand")
    colleague.close()
    fits = person.document(*AUDIT)
    on_twin(person, ("DELETE FROM receipt WHERE project_name = 'By hand'", ()))
    lacks = person.document(*AUDIT)
    assert (fits["exit_code"], fits["exceptions"]) == (0, [])
    assert any("By hand, by Aroha Tauira." in each for each in fits["remarks"])
    assert lacks["exit_code"] == 4
    assert [(each["trouble"], each["about"]) for each in lacks["exceptions"]] == [
        ("sent outside kawe", "By hand"),
        ("sent without a receipt", "By hand"),
    ]
    assert (
        " by Aroha Tauira; no journal that was read knows it."
        in (lacks["exceptions"][0]["what"])
    )


def test_an_exception_names_the_journal_that_knows_the_project(colleagues):
    one, _ = colleagues
    names = [str(journal(each)) for each in colleagues]
    on_twin(one, ("UPDATE project SET status = 'DRAFT' WHERE reference = 'R-3'", ()))
    words = [word for name in names for word in ("--journal", name)]
    (found,) = one.document(*AUDIT, *words)["exceptions"]
    assert (found["trouble"], found["about"]) == (
        "not sent, as the service says",
        "Ōtāhuhu culvert 3 (R-3)",
    )
    assert found["what"].startswith(f"The journal {names[1]} has it as sent at ")


def test_the_journal_of_another_account_is_refused_with_its_name(colleagues, tmp_path):
    one, _ = colleagues
    other = Person(folder=tmp_path / "sandbox", twin=one.twin)
    other.folder.mkdir()
    other.key = one.twin.address.sandbox_key
    submit(other, "own", csv_row(1))
    foreign = tmp_path / "colleague.journal"
    shutil.copy(journal(other), foreign)
    words = ("--journal", str(foreign), "--journal", str(journal(one)))
    done = one.run(*AUDIT, *words)
    assert (done.returncode, done.stdout) == (6, "")
    assert f"{foreign}: This journal belongs to " in " ".join(done.stderr.split())
    missing = one.run(*AUDIT, "--journal", "none", "--journal", str(journal(one)))
    assert (missing.returncode, "There is no journal at" in missing.stderr) == (6, True)
    assert not list(one.folder.glob("audit*"))
