"""A message that does not arrive fails no run, and says nothing secret."""

import sys

import pytest

from doubles.command import csv_row, write_csv
from doubles.listeners import PASSWORD, Program, webhook
from kawe.cli.shared.notifying import HEADLINES
from kawe.domain.batch.exit_codes import ExitCode
from kawe.notices.notifier import _WHY, REFUSED, UNKNOWN

YES = ("--yes", "9", "--no-input")


@pytest.fixture
def person(person_with):
    return person_with(tokens=9, rows=(1,))


def _settings(person, text):
    path = person.folder / "own.toml"
    path.write_text(text)
    person.environment["KAWE_CONFIG"] = str(path)


def _submit(person, *words):
    """Submit; give the code and what was said of messages."""
    done = person.run("submit", "monthly.csv", *YES, "--quiet", *words)
    return done.returncode, done.stderr.splitlines()


def test_a_program_that_hangs_is_ended_and_the_run_is_done(person):
    _settings(person, "[notify]\nwithin = 1\n")
    nap = f"{sys.executable} -c 'import time; time.sleep(600)'"
    said = "The program of the notify command was ended: it took longer than 1 seconds."
    assert _submit(person, "--notify-cmd", nap) == (0, [f"kawe: {said}"])


def test_a_program_that_fails_is_quoted_clean_and_short(person):
    (person.folder / "shout.py").write_text(
        "import sys\nprint('\\x1b[31mno\\u202e mail' + '!' * 100_000)\nsys.exit(3)"
    )
    code, (line,) = _submit(person, "--notify-cmd", f"{sys.executable} shout.py")
    begin = "kawe: The program of the notify command ended with code 3, and said: "
    quoted = f"{begin}[31mno mail!"
    assert (code, line.startswith(quoted), len(line) < 300) == (0, True, True)


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("no-such-program-here", "there is no such program"),
        ("echo 'open", "a quotation mark is open in it, or it is empty"),
    ],
)
def test_a_program_that_cannot_be_run_is_told(person, command, why):
    said = f"kawe: The program of the notify command was not run: {why}."
    assert _submit(person, "--notify-cmd", command) == (0, [said])


def test_a_target_that_refuses_is_named_by_its_place_and_kind(person):
    with webhook(status=500) as (address, _):
        person.environment["KAWE_NOTIFY"] = f"{address} nonsense-{PASSWORD}"
        code, lines = _submit(person)
    assert (code, [line.removeprefix("kawe: Target ") for line in lines]) == (
        0,
        [
            f"1 (json) was not told: {_WHY[REFUSED]}.",
            f"2 (no address) was not told: {_WHY[UNKNOWN]}.",
        ],
    )


def test_no_password_of_a_target_is_written_anywhere(person):
    person.environment["KAWE_DEBUG"] = "1"
    with webhook(status=500) as (address, _):
        person.environment["KAWE_NOTIFY"] = address
        spoken = person.run("submit", "monthly.csv", *YES, "--notify-cmd", PASSWORD)
    files = [path for path in person.folder.rglob("*") if path.is_file()]
    holding = [path for path in files if PASSWORD.encode() in path.read_bytes()]
    assert (holding, PASSWORD in spoken.stdout + spoken.stderr) == ([], False)


def test_targets_may_stand_in_a_file_for_its_owner_alone(person):
    with webhook() as (address, heard):
        path = person.folder / "targets"
        path.write_text(f"# whom to tell\n{address}\n\n{address}\n")
        path.chmod(0o600)
        _settings(person, '[notify]\nfile = "targets"\n')
        assert (_submit(person), heard.titles) == (
            (0, []),
            ["kawe submit monthly: done"],
        )


def test_a_file_of_targets_that_others_can_read_is_not_used(person):
    path = person.folder / "targets"
    path.write_text("json://127.0.0.1:9\n")
    path.chmod(0o644)
    _settings(person, '[notify]\nfile = "targets"\n')
    code, (line,) = _submit(person)
    words = ("nobody will be told of this run", "chmod 600 targets")
    assert (code, [each in line for each in words]) == (0, [True, True])


@pytest.mark.parametrize(
    "section",
    ['command = "touch ran"', 'to = ["json://127.0.0.1:9"]', 'file = "targets"'],
)
def test_a_settings_file_beside_workbooks_may_not_say_who_is_told(person, section):
    (person.folder / "kawe.toml").write_text(f"[notify]\n{section}\n")
    code, (line,) = _submit(person)
    assert (code, "lies beside workbooks" in line, person.sends()) == (2, True, 0)


def test_a_program_sees_no_key_and_no_targets(person):
    program = Program(folder=person.folder)
    with webhook() as (address, _):
        person.environment["KAWE_NOTIFY"] = address
        _submit(person, "--notify-cmd", program.command)
    (seen,) = program.environments
    assert seen == {
        "KAWE_BASE_URL": person.twin.address.api_url,
        "KAWE_NOTICE_KIND": "closing",
        "KAWE_NOTICE_TITLE": "kawe submit monthly: done",
        "KAWE_NOTICE_BATCH": "monthly",
        "KAWE_NOTICE_EXIT_CODE": "0",
    }


def test_a_command_line_that_cannot_be_used_is_told_too(person):
    with webhook() as (address, heard):
        person.environment["KAWE_NOTIFY"] = address
        code, _ = _submit(person, "--fast")
    assert (code, heard.titles) == (2, ["kawe submit: did not begin"])


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--yes", "0"), ExitCode.USAGE),
        (("--key-file", "none"), ExitCode.USAGE),
        (("--base-url", "http://127.0.0.1:9/x y"), ExitCode.USAGE),
        (("--sheet", "Other"), ExitCode.WORKBOOK),
        (("--journal", "monthly.csv"), ExitCode.JOURNAL),
    ],
)
def test_a_run_that_does_not_begin_is_told(person, words, code):
    program = Program(folder=person.folder)
    done, _ = _submit(person, *words, "--notify-cmd", program.command)
    said = [f"kawe submit monthly: {HEADLINES[code]}"]
    assert (done, program.heard().titles) == (code, said)


def test_a_refused_key_is_told(person):
    person.key = "kawe_live_" + "0" * 40
    program = Program(folder=person.folder)
    code, _ = _submit(person, "--notify-cmd", program.command)
    ((title, text),) = program.heard().messages
    assert (code, title, text.startswith("The service refused the key")) == (
        7,
        "kawe submit monthly: the service could not be worked with",
        True,
    )


def test_rows_to_correct_are_told(person):
    write_csv(person.folder / "monthly.csv", [csv_row(1), csv_row(2, Type="Something")])
    program = Program(folder=person.folder)
    code, _ = _submit(person, "--notify-cmd", program.command)
    assert (code, program.heard().titles) == (3, ["kawe submit monthly: 1 to correct"])


def test_the_end_of_a_release_is_told(person):
    person.run("submit", "monthly.csv", *YES, "--max-tokens", "0")
    program = Program(folder=person.folder)
    person.run("release", *YES, "--notify-cmd", program.command)
    (document,) = program.documents
    assert {name: document[name] for name in ("schema", "kind", "title", "counts")} == {
        "schema": "kawe.notice/1",
        "kind": "closing",
        "title": "kawe release monthly: done",
        "counts": {"sent": 1},
    }


def test_the_end_of_invitations_is_told(person):
    (person.folder / "people.csv").write_text(
        "Name,Email,Role\nAroha Tua,aroha@example.nz,MEMBER\n"
    )
    program = Program(folder=person.folder)
    person.run("submit", "people.csv", *YES, "--notify-cmd", program.command)
    (document,) = program.documents
    told = (document["title"], document["counts"], "roha" in str(document))
    assert told == ("kawe submit people: done", {"invited": 1}, False)


def test_a_release_that_can_send_nothing_says_how_many_wait(person):
    person.run("submit", "monthly.csv", *YES, "--max-tokens", "0")
    program = Program(folder=person.folder)
    words = ("--keep-reserve", "9", "--notify-cmd", program.command)
    assert (person.run("release", *YES, *words).returncode, program.heard().titles) == (
        4,
        ["kawe release monthly: 1 deferred"],
    )
