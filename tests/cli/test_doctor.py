"""`kawe doctor`: a line for everything that could stand in the way of a run."""

import json
from contextlib import closing
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from doubles.answering import Answering, answering, user_in
from doubles.at_the_twin import new_key
from doubles.command import csv_row, write_csv
from kawe.journal.journal import StoreJournal
from kawe.journal.store.lock import WriterLock
from kawe_contract.enums import Scope

YES = ("--yes", "9", "--no-input")
CANARY = "kawe_live_canary7f3a9c21"
ASK = "Ask an owner of the team for a key with it, if you want to."


def signs(person, *words):
    """Give the exit code, and grade and words of every sign by what it is about."""
    done = person.run("doctor", "--json", *words)
    assert "Traceback" not in done.stdout + done.stderr
    found = {each["about"]: each for each in json.loads(done.stdout)["signs"]}
    return done.returncode, {
        about: (each["grade"], f"{each['words']} {each['advice']}".strip())
        for about, each in found.items()
    }


@pytest.fixture
def person(person_with):
    person = person_with(tokens=9)
    person.key = person.twin.address.live_key
    return person


def test_all_is_well_in_front_of_a_twin(person):
    code, found = signs(person)
    grades = {grade for grade, _ in found.values()} - {"warning"}
    assert (code, grades, found["mode"], found["balance"], found["clock"][0]) == (
        0,
        {"ok"},
        ("ok", "live: sends reach iwi and cost tokens"),
        ("ok", "9 tokens"),
        "ok",
    )


def test_nothing_is_changed_and_what_could_change_something_is_about_nothing(person):
    person.run("doctor")
    state = person.state()
    asked = {name for name, count in state["requests"].items() if count}
    harmless = {
        *("user_read", "team_read", "project_list", "group_list", "receipt_list"),
        *("invoice_list", "invitation_read", "iwi_count", "download"),
    }
    about_nothing = {
        name: state["requests"][name]
        for name in ("project_send", "note_delete", "upload_complete")
    }
    assert (asked - harmless - set(about_nothing), state["projects"]) == (set(), [])
    assert about_nothing == {
        "project_send": {"400": 1},
        "note_delete": {"404": 1},
        "upload_complete": {"400": 1},
    }


def test_a_newcomer_is_told_what_is_missing_with_code_2(newcomer):
    code, found = signs(newcomer)
    grades = found["address"][0], found["key"][0]
    assert (code, *grades, "team" in found) == (2, "trouble", "trouble", False)


def test_settings_that_cannot_be_used_leave_the_machine_to_be_looked_at(newcomer):
    newcomer.write_settings("wrokers = 3")
    code, found = signs(newcomer)
    assert (code, found["settings"][0], found["kawe"][0]) == (2, "trouble", "ok")


def test_a_wrong_key_is_code_7(person):
    person.key = CANARY
    code, found = signs(person)
    grade, words = found["account"]
    assert (code, grade, "401" in words) == (7, "trouble", True)


def test_a_service_that_is_not_there_is_code_7_and_gets_no_key(newcomer):
    to = "http://127.0.0.1:9"
    newcomer.environment = {"KAWE_BASE_URL": to, "KAWE_API_KEY": CANARY}
    code, found = signs(newcomer)
    assert (code, "Nothing listens there." in found["service"][1]) == (7, True)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (Answering(body="<html>Sign in</html>"), "does not speak as the service"),
        (
            Answering(http_status=301, headers={"Location": "https://else.nz/x?s=1"}),
            "leads elsewhere (301, to https://else.nz).",
        ),
    ],
)
def test_whoever_is_not_the_service_gets_no_key(newcomer, said, words):
    with answering(said):
        newcomer.environment = {"KAWE_BASE_URL": said.base_url, "KAWE_API_KEY": CANARY}
        code, found = signs(newcomer)
    keys = {key for _, _, key in said.asked}
    assert (code, words in found["service"][1], keys) == (7, True, {""})


@pytest.mark.parametrize(
    ("ahead", "words"),
    [(timedelta(minutes=-3), "ahead of"), (timedelta(minutes=3), "behind")],
)
def test_a_clock_that_is_off_deserves_a_look(newcomer, ahead, words):
    date = format_datetime(datetime.now(UTC) + ahead, usegmt=True)
    body = user_in("Kaunihera")
    with answering(Answering(body=body, headers={"Date": date})) as said:
        newcomer.environment = {"KAWE_BASE_URL": said.base_url, "KAWE_API_KEY": CANARY}
        _, found = signs(newcomer)
    grade, sentence = found["clock"]
    assert (grade, words in sentence) == ("warning", True)


def test_a_key_of_the_other_mode_is_code_2_and_the_key_stays_here(person):
    person.write_settings('mode = "sandbox"')
    before = person.state()["requests"]
    code, found = signs(person)
    assert (code, found["key"][0], "team" in found) == (2, "ok", False)
    asked = {
        name
        for name, count in person.state()["requests"].items()
        if count != before.get(name, 0)
    }
    assert asked <= {"user_read"}


def test_what_a_key_lacks_is_named_with_what_it_was_for(person):
    person.key = new_key(person.twin.address, Scope.PROJECTS_READ, Scope.IWI_READ)
    code, found = signs(person)
    assert (
        code,
        found["to check projects"],
        found["to save receipts"],
        found["scopes"],
    ) == (
        0,
        ("ok", "the key has every scope for it"),
        (
            "warning",
            f"the key lacks team:read, files:read {ASK}",
        ),
        (
            "ok",
            (
                "it has projects:read, iwi:read; not projects:write, projects:send, "
                "team:read, files:write, files:read, users:invite, billing:read, "
                "groups:read"
            ),
        ),
    )


def test_a_key_that_may_not_send_is_found_out_without_a_send(person):
    scopes = set(Scope) - {Scope.PROJECTS_SEND, Scope.FILES_WRITE}
    person.key = new_key(person.twin.address, *scopes)
    _, found = signs(person)
    assert (
        found["to submit projects"],
        found["to upload attachments"],
        found["to release what waits"][0],
        found["to change drafts"],
    ) == (
        ("warning", f"the key lacks projects:send {ASK}"),
        ("warning", f"the key lacks files:write {ASK}"),
        "warning",
        (
            "ok",
            (
                "nothing seen against it; whether the key has projects:write shows "
                "only when it is used"
            ),
        ),
    )


def test_a_key_that_may_read_nothing_is_code_7(person):
    person.key = new_key(person.twin.address, Scope.PROJECTS_SEND)
    code, found = signs(person)
    assert (code, found["scopes"][0]) == (7, "trouble")


def test_no_tokens_deserve_a_look(person_with):
    _, found = signs(person_with(tokens=0))
    assert found["balance"][0] == "warning"


def test_the_journal_of_the_same_account_is_known(person):
    write_csv(person.folder / "monthly.csv", [csv_row(1)])
    person.run("submit", "monthly.csv", *YES)
    _, found = signs(person)
    assert (
        found["journal"][0],
        "1 batch, readable, of this same account" in found["journal"][1],
        found["journal's lock"],
    ) == ("ok", True, ("ok", "free: no other kawe is writing"))


def test_a_journal_that_another_kawe_is_writing_deserves_a_look(person):
    path = person.folder / "one.journal"
    StoreJournal.open(path, read_only=False)._store._lock.close()
    with closing(WriterLock(path)):
        code, found = signs(person, "--journal", "one.journal")
    grade, words = found["journal's lock"]
    assert (code, grade, "in use by another kawe" in words) == (0, "warning", True)


def test_the_journal_of_another_account_is_code_6(person):
    write_csv(person.folder / "monthly.csv", [csv_row(1)])
    person.run("submit", "monthly.csv", *YES, "--journal", "one.journal")
    person.key = person.twin.address.sandbox_key
    code, found = signs(person, "--journal", "one.journal")
    assert (code, "not to the account of this key" in found["journal"][1]) == (6, True)
    assert f"free in {person.folder}" in found["disk of the journal"][1]


@pytest.mark.parametrize(
    "journal", ["OneDrive/one.journal", "bad.journal", "bad.journal/x", "read.journal"]
)
def test_a_journal_in_a_synced_folder_or_that_is_none_is_code_6(person, journal):
    (person.folder / "bad.journal").write_bytes(b"x" * 5000)
    # Not even root may write it, wherever Linux runs.
    (person.folder / "read.journal").symlink_to("/proc/sys/kernel/version")
    code, found = signs(person, "--journal", journal)
    grade, words = found["journal"]
    assert (code, grade, journal.split("/")[0] in words) == (6, "trouble", True)


def test_assumed_paths_say_their_names_and_what_they_are_now(person):
    text = '[service.paths]\nupload_presign = "POST /v2/files"'
    (person.folder / "own.toml").write_text(text, "utf-8")
    person.environment["KAWE_CONFIG"] = str(person.folder / "own.toml")
    _, found = signs(person)
    words = found["assumed paths"][1]
    assert (
        "upload_presign POST /v2/files;" in words,
        "project_update PUT /projects/{id}" in words,
        words.endswith("has changed upload_presign"),
    ) == (True, True, True)


def test_a_proxy_is_named_without_its_password(newcomer):
    newcomer.environment = {
        "KAWE_BASE_URL": "https://service.example",
        "HTTPS_PROXY": "http://mere:secret-word@127.0.0.1:9",
    }
    done = newcomer.run("doctor", "--json")
    found = {each["about"]: each["words"] for each in json.loads(done.stdout)["signs"]}
    assert (found["proxy"], "secret-word" in done.stdout + done.stderr) == (
        "127.0.0.1:9 leads to the service; variables set: HTTPS_PROXY",
        False,
    )


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:9", "http://", "::::"])
def test_a_proxy_that_cannot_be_used_is_code_2(newcomer, proxy):
    newcomer.environment = {
        "KAWE_BASE_URL": "https://service.example",
        "KAWE_API_KEY": CANARY,
        "HTTPS_PROXY": proxy,
    }
    code, found = signs(newcomer)
    assert (code, found["proxy"][0]) == (2, "trouble")


def test_what_a_scheduler_does_not_see_is_named_without_its_value(person):
    code, found = signs(person, "--as-scheduler")
    assert (code, found["address"][0], found["key"][0]) == (2, "trouble", "trouble")
    said = person.stdout_of("doctor", "--as-scheduler", code=2)
    without = "KAWE_API_KEY, KAWE_BASE_URL, XDG_CONFIG_HOME, XDG_STATE_HOME"
    assert (said.splitlines()[0], person.key in said) == (
        f"As a scheduler would find it in this folder, without your {without}:",
        False,
    )


def test_what_is_kept_is_there_for_a_scheduler_too(person):
    home = person.folder / "home"
    person.environment = {"XDG_CONFIG_HOME": "", "XDG_STATE_HOME": ""}
    settings = home / ".config" / "kawe"
    settings.mkdir(parents=True)
    key = settings / "live.key"
    key.write_text(person.key, "utf-8")
    key.chmod(0o600)
    (settings / "kawe.toml").write_text(
        f'base_url = "{person.twin.address.api_url}"\nkey_file = "{key}"', "utf-8"
    )
    code, found = signs(person, "--as-scheduler")
    is_told = "nobody can be asked" in found["terminal"][1]
    assert (code, found["team"][0], is_told) == (0, "ok", True)


def test_the_lines_end_with_a_sum(newcomer):
    done = newcomer.run("doctor")
    lines = done.stdout.splitlines()
    first = {line.split()[0] for line in lines[:-1]}
    assert (done.returncode, first <= {"ok", "warning", "trouble"}, lines[-1]) == (
        2,
        True,
        "2 things stand in the way of a run.",
    )


def test_the_key_is_in_no_line(person):
    for words in ((), ("--json",)):
        done = person.run("doctor", *words)
        assert person.key not in done.stdout + done.stderr
