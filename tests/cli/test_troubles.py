"""What goes wrong at the command line: a clear sentence and the right code."""

import pytest

from doubles.command import csv_row, write_csv

YES = ("--yes", "9", "--no-input")


def _person(person_with, rows=3, **options):
    return person_with(**{"tokens": 9, **options}, rows=range(rows))


def _said(done):
    """Give the code and whether no traceback and no key was shown."""
    assert "Traceback" not in done.stderr + done.stdout
    return done.returncode


def test_a_wrong_key_is_refused_with_code_7(person_with):
    person = _person(person_with)
    person.key = "kawe_live_" + "0" * 40
    done = person.run("submit", "monthly.csv", *YES)
    assert (_said(done), "The service refused the key (401)." in done.stderr) == (
        7,
        True,
    )


def test_no_key_is_code_2_and_says_where_it_goes(person_with):
    person = _person(person_with)
    person.environment["KAWE_API_KEY"] = ""
    done = person.run("check", "monthly.csv")
    assert (_said(done), "KAWE_API_KEY" in done.stderr) == (2, True)


def test_an_unreachable_service_is_code_7(person_with):
    person = _person(person_with)
    person.environment["KAWE_BASE_URL"] = "http://127.0.0.1:9"
    done = person.run("submit", "monthly.csv", *YES)
    assert (_said(done), "cannot be reached" in done.stderr) == (7, True)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("nothing.xlsx", b""),
        ("page.xlsx", b"<html><body>Report</body></html>"),
        ("old.xls", bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 600),
        ("cut.xlsx", b"PK\x03\x04" + b"\0" * 80),
    ],
)
def test_a_workbook_that_is_none_is_code_5(person_with, name, content):
    person = _person(person_with)
    (person.folder / name).write_bytes(content)
    done = person.run("submit", name, *YES)
    assert (
        _said(done),
        done.stderr.startswith("kawe: "),
        person.state()["projects"],
    ) == (5, True, [])


def test_a_live_send_that_nobody_agreed_to_is_refused_with_code_2(person_with):
    person = _person(person_with)
    done = person.run("submit", "monthly.csv", "--no-input")
    assert (_said(done), "--yes 3" in done.stderr, person.state()["projects"]) == (
        2,
        True,
        [],
    )


def test_a_journal_that_is_a_folder_is_code_6(person_with):
    done = _person(person_with).run("submit", "monthly.csv", *YES, "--journal", ".")
    assert (_said(done), "is a folder. Name a file in it" in done.stderr) == (6, True)


def test_an_unknown_option_is_code_2(person_with):
    assert _said(_person(person_with).run("submit", "monthly.csv", "--fast")) == 2


def test_check_sends_nothing_and_names_every_problem_by_cell(person_with):
    person = _person(person_with)
    rows = [csv_row(1), csv_row(2, Type="Something"), csv_row(3, **{"End date": "x"})]
    write_csv(person.folder / "monthly.csv", rows)
    done = person.run("check", "monthly.csv")
    assert (
        _said(done),
        "monthly!D3" in done.stdout,
        "monthly!F4" in done.stdout,
        person.state()["projects"],
    ) == (3, True, True, [])


def test_the_key_is_in_no_byte_that_kawe_wrote(person_with):
    person = _person(person_with, tokens=1)
    person.environment["KAWE_DEBUG"] = "1"
    done = person.run("submit", "monthly.csv", *YES)
    key = person.twin.address.live_key.encode()
    files = [each for each in person.folder.rglob("*") if each.is_file()]
    assert [str(each) for each in files if key in each.read_bytes()] == []
    assert key.decode() not in done.stdout + done.stderr


def test_status_before_the_first_submit_says_so_with_code_0(person_with):
    done = _person(person_with).run("status")
    assert (_said(done), done.stdout) == (
        0,
        "No batch yet. Submit a workbook first: kawe submit WORKBOOK\n",
    )


def test_release_without_tokens_says_what_to_buy_with_code_4(person_with):
    person = _person(person_with, tokens=1)
    person.run("submit", "monthly.csv", *YES)
    done = person.run("release", *YES)
    assert (_said(done), done.stdout) == (
        4,
        (
            "Batch monthly: 2 rows wait for tokens. The team has 0; 1 pack of 5 would "
            "do, with 3 left over; so would 2 packs of 1. When the tokens are there, "
            "run: kawe release\n"
        ),
    )


def test_an_attachment_over_the_limit_is_named_by_cell_and_not_uploaded(person_with):
    person = _person(person_with)
    with (person.folder / "huge.pdf").open("wb") as file:
        file.truncate(104_857_601)
    path = write_csv(person.folder / "monthly.csv", [csv_row(1)])
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    path.write_text(f"{lines[0]},Files\n{lines[1]},huge.pdf\n", encoding="utf-8")
    done = person.run("submit", "monthly.csv", *YES)
    asked = person.state()["requests"].get("upload_presign")
    assert (_said(done), "monthly!K2" in done.stdout, asked) == (3, True, None)
