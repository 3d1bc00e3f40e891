"""A saved plan of people ends as its workbook would: every row stands somewhere."""

import re
import shutil

from architecture.house import ROOT

SAMPLE = ROOT / "samples/good/invitations/invitations.xlsx"
YES = ("--yes", "300", "--no-input")


def _ended(person, *words):
    done = person.run(*words)
    return done.returncode, "unfinished" in done.stdout


def test_rows_that_a_plan_leaves_alone_as_done_end_finished(person_with):
    person = person_with(tokens=0)
    shutil.copy(SAMPLE, person.folder)
    elsewhere = ("--journal", "other.journal")
    person.run("submit", "invitations.xlsx", "--only", "2-3", *elsewhere, *YES)
    shown = person.run("plan", "invitations.xlsx", "-o", "plan.json").stdout
    assert re.search(r"\d will be left alone: done already, or nothing to do", shown)
    # 4: one of them has another role than the sheet says.
    for _ in range(2):
        assert _ended(person, "submit", "plan.json", *YES) == (4, False)
    assert _ended(person, "status") == (4, False)


def test_somebody_who_left_after_a_plan_is_not_invited_by_it(person_with):
    person = person_with(tokens=0)
    rows = ["Name,Email,Role", "Hēmi Aa,hemi@example.org,Member"]
    (person.folder / "a.csv").write_text("\n".join(rows), "utf-8")
    rows.append("Mere Bb,mere@example.org,Member")
    (person.folder / "b.csv").write_text("\n".join(rows), "utf-8")
    person.run("submit", "a.csv", "--journal", "other.journal", *YES)
    person.run("plan", "b.csv", "-o", "plan.json")
    forget = "DELETE FROM invitation WHERE email = 'hemi@example.org'"
    person.twin._assembly.database.submit(lambda db: db.execute(forget)).result()
    person.run("submit", "plan.json", *YES)
    assert person.invited() == ["mere@example.org"]
