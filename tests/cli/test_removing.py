"""Results, plans and logs of what was done long ago, and who may remove them."""

import asyncio
import os
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from doubles.command import Person, at_a_twin, csv_row, write_csv
from doubles.terminal import Terminal
from kawe.cases.care.removing import desk_folder, find_old_files
from kawe.errors import ResultNotWritable
from kawe.settings.values import Settings

ONE = ("--journal", "one.journal")
YES = ("--yes", "9", "--no-input")
PURGE = ("journal", "purge", "--older-than", "0", "--results", *ONE)
OURS = [
    *(f"monthly.result.{end}" for end in ("csv", "html", "json", "xlsx")),
    "plan.json",
]
ELSEWHERE = (
    "kawe does not look for receipts, backups, results of workbooks that were never "
    "submitted, and files that lie elsewhere: delete these yourself."
)


@pytest.fixture(scope="module")
def sent(tmp_path_factory):
    """Give somebody who has planned and sent three rows, and saved their receipts."""
    folder = tmp_path_factory.mktemp("removing")
    with at_a_twin(folder, tokens=9, rows=range(3)) as person:
        person.run("plan", "monthly.csv", "-o", "plan.json", *ONE)
        person.run("submit", "monthly.csv", *YES, *ONE)
        person.run("export", "receipts", "-o", "receipts", *ONE)
        shutil.copytree(person.folder, folder / "as it was")
        yield person


@pytest.fixture
def person(sent):
    """Give the same person again; the journal names where the workbook lies."""
    shutil.rmtree(sent.folder)
    shutil.copytree(sent.folder.with_name("as it was"), sent.folder)
    sent.key = None
    return sent


def names(person):
    here = {path.name for path in person.folder.iterdir() if path.is_file()}
    return sorted(here - {"one.journal", "one.journal.lock"})


def test_results_and_plans_go_and_what_is_a_persons_own_stays(person):
    (person.folder / "notes.json").write_text("{}", "utf-8")
    (person.folder / "monthly.result (2).csv").write_text("mine", "utf-8")
    before = names(person)
    done = person.document(*PURGE, "--yes", "5")
    removed = [Path(each).name for each in done["removed"]]
    kept = [(Path(each["what"]).name, each["why"]) for each in done["kept"]]
    left = ["monthly.csv", "monthly.result (2).csv", "notes.json"]
    assert (done["exit_code"], done["rows"], before, names(person), removed, kept) == (
        0,
        3,
        sorted([*OURS, *left]),
        left,
        OURS,
        [("monthly.result (2).csv", "kawe did not write it, or it was changed since")],
    )
    assert len(list((person.folder / "receipts").glob("*.pdf"))) == 3


def at_the_desk(person, work, *, put_in="monthly.csv"):
    """Put a copy of a workbook where the desk keeps it."""
    home = desk_folder(person.folder / "one.journal") / work
    (home / "workbook").mkdir(parents=True)
    (home / "files").mkdir()
    (home / "work.json").write_text("{}", "utf-8")
    (home / "files" / "map.pdf").write_bytes(b"%PDF-")
    shutil.copy(person.folder / put_in, home / "workbook" / "monthly.csv")
    return home


@pytest.fixture
def newcomer(tmp_path):
    """Give somebody with nine tokens who has submitted nothing yet."""
    with at_a_twin(tmp_path, tokens=9) as person:
        yield person


def test_what_was_put_into_the_desk_goes_when_its_rows_are_done_or_it_never_left(
    newcomer,
):
    write_csv(newcomer.folder / "monthly.csv", [csv_row(n) for n in range(3)])
    write_csv(newcomer.folder / "other.csv", [csv_row(n) for n in range(3, 16)])
    sent = at_the_desk(newcomer, "20260101-000000-aaaaaa")
    only_checked = at_the_desk(newcomer, "20260101-000000-bbbbbb")
    waits = at_the_desk(newcomer, "20260101-000000-cccccc", put_in="other.csv")
    for each in (sent, waits):
        workbook = str(each / "workbook" / "monthly.csv")
        newcomer.run("submit", workbook, "--yes", "99", "--no-input", *ONE)
    changed = sent / "workbook" / "monthly.result.csv"
    with changed.open("a") as file:
        file.write("mine\n")
    purge = ("journal", "purge", "--results", *ONE, "--yes", "99", "--no-input")
    young = newcomer.document(*purge, "--older-than", "1")
    done = newcomer.document(*purge, "--older-than", "0")
    desk = desk_folder(newcomer.folder / "one.journal")
    left = sorted(each.name for each in desk.iterdir())
    assert (young["removed"], left) == ([], [sent.name, waits.name])
    assert [each for each in sent.rglob("*") if each.is_file()] == [changed]
    gone = {Path(each).parent for each in done["removed"]}
    assert {only_checked, only_checked / "files", sent / "workbook"} <= gone
    assert (waits / "workbook" / "monthly.csv").is_file()


def test_a_copy_at_the_desk_that_waits_stays_under_whatever_path_it_is_known(newcomer):
    write_csv(newcomer.folder / "monthly.csv", [csv_row(n) for n in range(13)])
    waits = at_the_desk(newcomer, "20260101-000000-aaaaaa")
    workbook = str(waits / "workbook" / "monthly.csv")
    newcomer.run("submit", workbook, "--yes", "99", "--no-input", *ONE)
    moved = newcomer.folder.with_name("moved")
    newcomer.folder.rename(moved)
    here = Person(folder=moved, twin=newcomer.twin)
    purge = ("journal", "purge", "--results", *ONE, "--yes", "99", "--no-input")
    done = here.document(*purge, "--older-than", "0")
    copy = desk_folder(moved / "one.journal") / waits.name / "workbook" / "monthly.csv"
    assert (done["removed"], copy.is_file()) == ([], True)


def test_what_was_changed_stays_and_is_named(person):
    with (person.folder / "monthly.result.csv").open("a") as file:
        file.write("mine\n")
    plan = (person.folder / "plan.json").read_text("utf-8")
    edited = plan.replace('"author": "', '"author": "not ')
    (person.folder / "plan.json").write_text(edited, "utf-8")
    done = person.document(*PURGE, *YES)
    kept = [Path(each["what"]).name for each in done["kept"]]
    assert (names(person), kept) == (
        ["monthly.csv", "monthly.result.csv", "plan.json"],
        ["monthly.result.csv", "plan.json"],
    )


def test_while_rows_are_at_work_their_results_stay(person):
    rows = [csv_row(n) for n in range(3)]
    write_csv(person.folder / "monthly.csv", [*rows, csv_row(4)])
    person.run("submit", "monthly.csv", "--drafts-only", *YES, *ONE)
    before = names(person)
    done = person.document(*PURGE, *YES)
    assert (done["removed"], done["kept"], names(person)) == (
        [],
        [
            {
                "what": "results and plans of the batch monthly",
                "why": "1 row is not done, or not long enough",
            }
        ],
        before,
    )


def test_results_of_another_mode_stay(person):
    person.key = person.twin.address.test_key
    person.run("submit", "monthly.csv", *YES, "--journal", "two.journal")
    person.key = None
    done = person.document(*PURGE, *YES)
    assert [Path(each).name for each in done["removed"]] == ["plan.json"]
    assert {each["why"] for each in done["kept"]} == {
        "it is of another team, mode or service"
    }


def test_a_person_is_asked_and_another_answer_changes_nothing(person):
    before = names(person), (person.folder / "one.journal").read_bytes()
    terminal = Terminal(person, *PURGE)
    terminal.answer("Type 5 to remove 5 files, anything else to stop", "3")
    code = terminal.end()
    after = names(person), (person.folder / "one.journal").read_bytes()
    screen = " ".join(terminal.screen.split())
    assert (code, after == before, ELSEWHERE in screen) == (2, True, True)
    assert all(name in screen for name in OURS)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--no-input",), "would remove 5 files and nobody can be asked."),
        (("--yes", "4"), "would remove 5 files, and 4 were agreed to."),
    ],
)
def test_nobody_agrees_and_nothing_is_removed(person, words, said):
    before = names(person), (person.folder / "one.journal").read_bytes()
    done = person.run(*PURGE, *words)
    after = names(person), (person.folder / "one.journal").read_bytes()
    assert (done.returncode, said in " ".join(done.stderr.split())) == (2, True)
    assert after == before


def test_without_results_there_is_nothing_to_agree_to(person):
    done = person.run("journal", "purge", "--older-than", "0", "--yes", "1", *ONE)
    assert (done.returncode, "--yes is for --results" in done.stderr) == (2, True)


def test_a_file_that_is_open_in_excel_stays_and_is_named(person):
    """Windows removes no open file; here the function that removes refuses."""
    settings = Settings(base_url=None, key=None, journal=person.folder / "one.journal")
    old = asyncio.run(find_old_files(settings, done_before=datetime.now(UTC)))
    (person.folder / "monthly.result.json").unlink()
    (person.folder / "plan.json").write_text("mine", "utf-8")

    def refuses_workbooks(path):
        if path.suffix == ".xlsx":
            raise PermissionError(13, "in use")
        path.unlink()

    with pytest.raises(ResultNotWritable) as caught:
        old.remove(unlink=refuses_workbooks)
    workbook = person.folder / "monthly.result.xlsx"
    assert (caught.value.message, names(person)) == (
        f"1 file could not be removed: {workbook}.",
        ["monthly.csv", "monthly.result.xlsx", "plan.json"],
    )


def test_old_logs_go_and_the_log_in_use_stays(person):
    folder = person.folder / "home" / "state" / "kawe" / "log"
    old, young = folder / "kawe.log.2", folder / "kawe.log.1"
    for path in (old, young):
        path.write_text("{}\n", "utf-8")
    os.utime(old, (0, 0))
    words = ("journal", "purge", "--older-than", "7", "--results", *ONE)
    done = person.document(*words, "--yes", "1")
    there = sorted(path.name for path in folder.iterdir())
    assert (done["removed"], there) == ([str(old)], ["kawe.log", "kawe.log.1"])
