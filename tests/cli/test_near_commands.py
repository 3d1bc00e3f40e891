"""Whoever mistypes a command, an option or a name is told what is near."""

import pytest

from doubles.command import csv_row, write_csv
from kawe import __version__


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["sumbit", "a.csv"], "No such command 'sumbit'. Did you mean 'submit'?"),
        (["chek"], "No such command 'chek'. Did you mean 'check'?"),
        (["SUBMIT"], "No such command 'SUBMIT'. Did you mean 'submit'?"),
        (["send"], "No such command 'send'. Did you mean 'submit'?"),
        (
            ["report", "monthly"],
            (
                "kawe report is called kawe status --write now. Type: kawe status "
                "--write monthly"
            ),
        ),
        (["undo"], "is put back: kawe undo BATCH"),
        (["cancel", "closures"], "is put back: kawe undo BATCH"),
        (["fetch", "projects"], "Only these are fetched (--now)"),
        (["verify", "papers"], "There is no folder papers."),
        (["template"], "Name a kind, or a batch with --undo."),
        (["status", ""], "Invalid value for '[WHAT]': it is empty."),
        (["export", "projects", "-o", "x", "--batch="], "'--batch': it is empty."),
        (["check", "a.csv", "--files", "/dev/zero"], "/dev/zero is no folder."),
        (["serve", "--folder", "/dev/zero"], "/dev/zero is no folder."),
        (["journal", "hold", "--why", "so"], "Name a batch, a reference or a"),
        (["journal", "verify", "--kept", "x"], "the 64 letters and digits of a hash"),
        (["submit", "a.csv", "--yes", "all"], "'all' is not a valid whole number."),
        (["export", "verify", "nowhere"], "There is no folder nowhere."),
        (["held"], "kawe held is called kawe waiting now. Type: kawe waiting"),
        (
            ["a b.xlsx"],
            "No such command 'a b.xlsx'. To check this workbook: kawe check 'a b.xlsx'",
        ),
        (
            ["schedule", "print", "--for", "cron", "m.xlsx"],
            "'schedule'. What cron, systemd or Windows needs is on this page: https://",
        ),
        (["delete", "R-1"], "A send cannot be undone"),
        (["list"], "What became of a row"),
        (
            ["check", "council.sharepoint.com/:x:/r/works.xlsx"],
            "That is an address, and kawe reads files of this computer.",
        ),
        (
            ["check", "onedrive.live.com/edit"],
            "That is an address, and kawe reads files of this computer.",
        ),
        (
            ["check", "Client", "jobs.xlsx", "--offline"],
            "in quotation marks: kawe check 'Client jobs.xlsx' --offline",
        ),
        (["xyzzy"], "No such command 'xyzzy'. The commands are listed by: kawe help"),
        (["check", "a.csv", "--shet", "A"], "No such option '--shet'."),
        # What people look for and kawe has not.
        (["unsend"], "A send cannot be undone"),
        (["cancel"], "A send cannot be undone"),
        (["buy"], "Tokens are bought in the portal"),
        (["tokens"], "How many tokens the team has: kawe doctor."),
        (["find"], "What became of a row, found by its reference"),
        (["history"], "What became of a row, found by its reference"),
        (["log"], "Every run names its log in its last line."),
        (["teach"], "kawe teach is called kawe columns now."),
        # Words that name no workbook.
        (
            ["submit", "Client", "jobs.xlsx"],
            "stands in quotation marks: kawe submit 'Client jobs.xlsx'",
        ),
        (
            ["check", "--offline", "Client", "jobs.xlsx"],
            "stands in quotation marks: kawe check --offline 'Client jobs.xlsx'",
        ),
        (["check", "*.xlsx"], "'*.xlsx' names no file. kawe takes one workbook"),
        (["plan", "a.xlsx", "b.xlsx"], "one workbook at a time, and these are 2."),
        (["check", "https://x.sharepoint.com/a.xlsx"], "Download the workbook"),
        (["export", "reciepts"], "Did you mean 'receipts'"),
        (["journal", "verfy"], "Did you mean 'verify'?"),
    ],
)
def test_a_mistyped_command_is_guessed_and_leads_on(newcomer, words, said):
    for name in ("Client jobs.xlsx", "a.xlsx", "b.xlsx"):
        (newcomer.folder / name).write_bytes(b"")
    assert said in newcomer.stderr_of(*words, code=2)


@pytest.mark.parametrize("words", [["version"], ["-V"], ["--version"]])
def test_the_version_is_told_in_each_way_that_people_ask(newcomer, words):
    assert newcomer.stdout_of(*words) == f"kawe, version {__version__}\n"


@pytest.mark.parametrize(
    ("words", "same"),
    [
        (["help"], ["--help"]),
        (["help", "check"], ["check", "--help"]),
        (["help", "export", "receipts"], ["export", "receipts", "--help"]),
        (["help", "fetch"], ["template", "--help"]),
        (["undo", "--help"], ["template", "--help"]),
        (["verify", "-h"], ["export", "verify", "-h"]),
        (["config", "show", "--origin"], ["doctor", "--settings"]),
    ],
)
def test_help_and_short_names_are_commands_too(newcomer, words, same):
    assert newcomer.run(*words).stdout == newcomer.run(*same).stdout


def test_a_workbook_that_is_not_there_is_looked_for_beside(person):
    write_csv(person.folder / "Consents Nov 2026.csv", [csv_row(1)])
    asked = ("submit", "Consents Nov 2025.csv", "--no-input")
    assert person.stderr_of(*asked, code=5) == (
        "kawe: There is no file “Consents Nov 2025.csv”. kawe looked in "
        f"{person.folder}. Did you mean “Consents Nov 2026.csv”?\n"
    )


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("monthly", "Did you mean “monthly.csv”?"),
        ("MONTHLY.XLSX", "Did you mean “monthly.csv”?"),
        ("Mōnthly.csv", "Did you mean “monthly.csv”?"),
        ("quarter.csv", "The workbooks there: “monthly.csv”."),
        ("empty/monthly.csv", "where no workbook lies."),
        ("new.xlsx", "LibreOffice has it open, and it was perhaps never saved"),
    ],
)
def test_what_lies_in_the_folder_is_named_in_place_of_a_file(person, name, near):
    write_csv(person.folder / "monthly.csv", [csv_row(1)])
    (person.folder / "monthly.result.xlsx").touch()
    (person.folder / "empty").mkdir()
    (person.folder / ".~lock.new.xlsx#").touch()
    assert near in person.stderr_of("plan", name, code=5)


def test_a_folder_that_is_not_there_is_named(person):
    assert person.stderr_of("check", "nowhere/monthly.csv", code=5) == (
        "kawe: There is no file “nowhere/monthly.csv”. There is no folder "
        f"{person.folder}/nowhere that kawe can read. Check its name.\n"
    )


@pytest.mark.parametrize(
    ("lock", "program"),
    [("~$monthly.csv", "Excel"), (".~lock.monthly.csv#", "LibreOffice")],
)
def test_who_has_the_workbook_open_is_reminded_to_save(person, lock, program):
    write_csv(person.folder / "monthly.csv", [csv_row(1)])
    (person.folder / lock).touch()
    done = person.run("check", "monthly.csv")
    reminder = f"remember to save in {program}.\n"
    assert (done.returncode, reminder in done.stderr) == (0, True), done.stderr


def test_a_twin_that_is_not_running_is_named_at_once(person):
    write_csv(person.folder / "monthly.csv", [csv_row(1)])
    person.environment["KAWE_BASE_URL"] = "http://127.0.0.1:9"
    assert person.stderr_of("check", "monthly.csv", code=7) == (
        "kawe: The service cannot be reached: no connection. The twin is not "
        "running: start it with kawe serve --port 9.\n"
    )


def test_the_value_of_an_option_is_no_second_workbook(newcomer):
    for name in ("a.xlsx", "b.xlsx"):
        (newcomer.folder / name).write_bytes(b"")
    done = newcomer.run("check", "a.xlsx", "--result", "b.xlsx", "--offline")
    assert "one workbook at a time" not in done.stderr


def test_results_and_locks_that_a_shell_names_beside_a_workbook_are_left_out(person):
    names = ["m.csv", "m.result (2).xlsx", "m.result.xlsx", "~$m.xlsx"]
    for name in names:
        write_csv(person.folder / name, [csv_row(1)])
    done = person.run("check", *names, "--offline")
    assert (done.returncode, "PROJECTS: 1 row of “m.csv”" in done.stdout) == (0, True)
    assert (
        "Note: Left out, as results of kawe or locks of Excel: m.result (2).xlsx, "
        "m.result.xlsx, ~$m.xlsx"
    ) in done.stderr


def test_of_two_workbooks_and_a_result_the_first_workbook_is_named(person):
    names = ["a.result.csv", "b.csv", "c.csv"]
    for name in names:
        write_csv(person.folder / name, [csv_row(1)])
    said = "these are 2. Type: kawe check b.csv; then the next one."
    assert said in person.stderr_of("check", *names, code=2)


def test_a_result_alone_is_meant(person):
    write_csv(person.folder / "a.result.csv", [csv_row(1)])
    assert person.stderr_of("check", "a.result.csv", "--offline").count("Left out") == 0


def test_a_workbook_with_spaces_and_no_command_is_found(person):
    write_csv(person.folder / "Client jobs 2026.csv", [csv_row(1)])
    said = "To check this workbook: kawe check 'Client jobs 2026.csv'"
    assert said in person.stderr_of("Client", "jobs", "2026.csv", code=2)
