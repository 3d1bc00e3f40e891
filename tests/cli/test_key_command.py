"""A key that a program gives, such as that of a vault, and how old a kept key is."""

import json
import os
import shlex
import sys
from datetime import datetime, timedelta

import pytest

from kawe.domain.text.new_zealand import NEW_ZEALAND
from kawe.errors import KeyMissing
from kawe.settings.keeping import find_key
from kawe.settings.table import Giver, Layer, Origin

CANARY = "canary7f3a9c21"


@pytest.fixture
def person(person_with):
    return person_with(tokens=5)


@pytest.fixture
def vault(person):
    """Let a person's key come from a program; give what makes it say something."""
    person.environment["KAWE_API_KEY"] = ""

    def says(program):
        line = shlex.join([sys.executable, "-c", program])
        person.write_settings(f"key_command = {json.dumps(line)}\n")

    return says


def doctor(person):
    """Give what the doctor says of the key: the grade, by what it is about."""
    signs = person.document("doctor")["signs"]
    return {each["about"]: each for each in signs if "key" in each["about"]}


def test_a_program_gives_the_key(person, vault):
    vault(f"print({person.twin.address.live_key!r})")
    assert person.run("export", "team", "-o", "team.xlsx").returncode == 0
    said = doctor(person)["key"]
    assert said["grade"] == "ok"
    assert "a program, which key_command names" in said["words"]


REFUSED = {
    "print('not a key')": "does not hold a key",
    "pass": "does not hold a key",
    "raise SystemExit(canary)": "ended with code 1",
    "import sys; print(canary); sys.exit(3)": "ended with code 3",
}


@pytest.mark.parametrize("program", REFUSED)
def test_what_is_no_key_is_refused_and_shown_nowhere(person, vault, program):
    vault(f"canary = {CANARY!r}; {program}")
    done = person.run("status")
    assert done.returncode == 2
    assert REFUSED[program] in " ".join(done.stderr.split())
    kept = [each.read_bytes() for each in person.folder.rglob("*.log")]
    shown = [done.stdout.encode(), done.stderr.encode(), *kept]
    assert not any(CANARY.encode() in each for each in shown)


def test_a_word_that_the_service_refuses_is_said_to_look_like_no_key(person, vault):
    vault("print('locked')")
    done = person.run("export", "team", "-o", "team.xlsx")
    says = "Keys have _live_ or _test_ in them, and this has not" in done.stderr
    assert (done.returncode, says, "locked" in done.stderr) == (7, True, False)


def test_a_program_that_never_ends_is_ended(monkeypatch):
    monkeypatch.setattr("kawe.settings.keeping._COMMAND_SECONDS", 0.5)
    line = shlex.join([sys.executable, "-c", "while True: print('x' * 999)"])
    layer = Layer(origin=Origin(giver=Giver.USER_FILE), values={"key_command": line})
    with pytest.raises(KeyMissing, match="took longer"):
        find_key([layer], environment=os.environ)


def test_a_program_that_there_is_not_is_code_2(person):
    person.environment["KAWE_API_KEY"] = ""
    for line in (f"no-such-vault {CANARY}", "'", ""):
        person.write_settings(f'key_command = "{line}"\n')
        done = person.run("status")
        assert done.returncode == 2
        assert "could not be started" in " ".join(done.stderr.split())
        assert CANARY not in done.stderr


def test_no_folder_may_name_the_program(person, vault):
    vault(f"print({person.twin.address.live_key!r})")
    marker = person.folder / "was-run"
    (person.folder / "kawe.toml").write_text(f"key_command = 'touch {marker}'\n")
    done = person.run("status")
    assert done.returncode == 2
    assert "which key is used" in " ".join(done.stderr.split())
    assert not marker.exists()


@pytest.mark.parametrize(("days", "grade"), [(30, "ok"), (400, "warning")])
def test_the_doctor_says_how_long_a_key_lies_in_its_file(person, days, grade):
    file = person.folder / "live.key"
    file.write_text(person.twin.address.live_key)
    file.chmod(0o600)
    at = datetime.now(NEW_ZEALAND).replace(hour=0) - timedelta(days)
    os.utime(file, (at.timestamp(), at.timestamp()))
    person.environment["KAWE_API_KEY"] = ""
    person.write_settings(f"key_file = '{file}'\n")
    age = doctor(person)["age of the key"]
    assert age["grade"] == grade
    assert f"{days} days ago" in age["words"]


def test_the_doctor_says_how_long_a_key_is_kept(newcomer, person):
    newcomer.environment["KAWE_BASE_URL"] = person.twin.address.api_url
    file = newcomer.folder / "live.key"
    file.write_text(person.twin.address.live_key)
    file.chmod(0o600)
    url = person.twin.address.api_url
    words = "--base-url", url, "--key-file", str(file), "--store", "file", "--no-input"
    assert newcomer.run("init", *words).returncode == 0
    said = " ".join(newcomer.run("doctor").stdout.split())
    assert "age of the key: it was put there 0 days ago" in said


def test_the_doctor_says_how_long_a_program_gives_the_same_key(person, vault):
    vault(f"print({person.twin.address.live_key!r})")
    first = doctor(person)["age of the key"]["words"]
    assert first.startswith("the same was first given here 0 days ago")
    kept = person.folder / "home" / "config" / "kawe" / "keys-seen.json"
    salt, digest, since = json.loads(kept.read_text("utf-8"))["default"]
    assert (len(digest), person.twin.address.live_key in kept.read_text("utf-8")) == (
        4,
        False,
    )
    kept.write_text(json.dumps({"default": [salt, digest, "2020-01-01"]}), "utf-8")
    again = doctor(person)["age of the key"]
    assert (again["grade"], "on 1 January 2020" in again["words"]) == ("warning", True)
    vault(f"print({person.twin.address.sandbox_key!r})")
    new = doctor(person)["age of the key"]["words"]
    assert (since in kept.read_text("utf-8"), " 0 days ago" in new) == (True, True)
