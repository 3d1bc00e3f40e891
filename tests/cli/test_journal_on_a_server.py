"""One journal on a PostgreSQL server, and the machines that share it."""

import os
import signal
from collections import Counter

import pytest

from doubles.command import Person, csv_row, write_csv
from doubles.hosts import wait_for
from doubles.typed_commands import start_command

ROWS = 12
SUBMIT = ("submit", "monthly.csv", "--yes", "99", "--no-input", "--settle", "3")
ONCE = Counter({f"R-{n}": 1 for n in range(ROWS)})


@pytest.fixture
def machines(person_with, tmp_path, database):
    """Give two machines of one team, whose settings name the same journal."""
    one = person_with(tokens=99)
    folder = tmp_path / "second"
    folder.mkdir()
    other = Person(folder=folder, twin=one.twin)
    for each in (one, other):
        write_csv(each.folder / "monthly.csv", [csv_row(n) for n in range(ROWS)])
        each.write_settings(f'journal = "{database.url}"')
    return one, other


def begin(person, *words):
    errors = person.folder / "errors.txt"
    return start_command(
        (*SUBMIT, *words),
        folder=person.folder,
        environment=person.surroundings(),
        screen=os.devnull,
        errors=str(errors),
    ), errors


def wait_for_sends(person, number):
    wait_for(lambda: person.sends() >= number)


def counts(person):
    """Count the rows of all batches by their outcome."""
    total = Counter()
    for each in person.document("status")["batches"]:
        total.update(each["counts"])
    return +total


def test_what_one_machine_sent_another_knows_and_sends_nothing(machines):
    one, other = machines
    first = one.run(*SUBMIT)
    seen = counts(other)
    again = other.run(*SUBMIT)
    assert (first.returncode, again.returncode, seen) == (0, 0, {"sent": ROWS})
    assert one.sends_of_each() == ONCE
    assert list((other.folder / "home" / "state").rglob("*.journal")) == []


def test_where_no_journal_is_those_of_the_database_are_named(machines, database):
    one, other = machines
    one.run(*SUBMIT)
    other.write_settings("[profile.roads]\nworkers = 2")
    said = other.run("status", "--journal", database.url, "--profile", "roads")
    address = other.twin.address.api_url.removeprefix("http://").replace(":", "-")
    assert (
        f'(roads {address}-live). That database has: "default {address}-live".'
        in " ".join(f"{said.stdout} {said.stderr}".split())
    )


def test_another_machine_goes_on_where_one_was_killed(machines):
    one, other = machines
    process, _ = begin(one, "--workers", "2")
    wait_for_sends(one, 3)
    process.kill()
    process.wait()
    assert (other.run(*SUBMIT).returncode, one.sends_of_each(), counts(one)) == (
        0,
        ONCE,
        {"sent": ROWS},
    )


def test_a_machine_that_is_frozen_keeps_the_journal_and_goes_on_later(machines):
    one, other = machines
    process, _ = begin(one, "--workers", "2")
    wait_for_sends(one, 1)
    process.send_signal(signal.SIGSTOP)
    refused = other.run(*SUBMIT)
    process.send_signal(signal.SIGCONT)
    assert (refused.returncode, process.wait(120), one.sends_of_each()) == (6, 0, ONCE)
    assert "is in use by another kawe on " in refused.stderr
    assert f"(process {process.pid})" in refused.stderr


@pytest.mark.parametrize("happens", ["restart", "cut_connections"])
def test_a_run_that_loses_the_server_stops_and_the_next_sends_nothing_twice(
    machines, database, happens
):
    one, other = machines
    process, errors = begin(one, "--workers", "2")
    wait_for_sends(one, 2)
    getattr(database, happens)()
    code = process.wait(120)
    assert (code, other.run(*SUBMIT).returncode, one.sends_of_each()) == (6, 0, ONCE)
    assert "kawe: The journal postgresql://" in errors.read_text("utf-8")


def test_the_journal_is_verified_purged_and_looked_after_on_the_server(
    machines, database
):
    one, other = machines
    one.run(*SUBMIT)
    whole = other.document("journal", "verify")
    assert database.has("huhu culvert 3")
    purge = ("journal", "purge", "--older-than", "0")
    hold = ("journal", "hold", "monthly", "--why", "Hearing 114")
    held = one.document(*hold)["rows"], other.document(*purge)
    one.run(*hold, "--lift")
    purged = other.document(*purge)
    assert (held[0], held[1]["rows"], held[1]["held"]) == (ROWS, 0, ROWS)
    copied = other.run("journal", "backup", "copy.db")
    assert (whole["fault"], whole["rows"], purged["rows"]) == (None, ROWS, ROWS)
    assert not database.has("huhu culvert")
    assert (copied.returncode, "such as pg_dump." in copied.stderr) == (6, True)
    assert (one.run(*SUBMIT).returncode, one.sends_of_each()) == (0, ONCE)


def test_a_journal_of_a_file_moves_to_the_server_and_back(machines, database):
    one, other = machines
    one.write_settings("")
    one.run(*SUBMIT)
    there = one.run("journal", "move", database.url)
    twice = one.run("journal", "move", database.url).stderr
    one.write_settings(f'journal = "{database.url}"')
    counted = counts(one), counts(other)
    again = other.run(*SUBMIT)
    back = one.run("journal", "move", "here")
    # As after a kill between the rename and the last word.
    repeated = " ".join(one.run("journal", "move", "here").stderr.split())
    (file,) = (one.folder / "here").glob("*.journal")
    one.environment["KAWE_JOURNAL"] = str(file)
    assert (there.returncode, again.returncode, back.returncode) == (0, 0, 0)
    assert f"There is one at {file}: it was moved already" in repeated
    assert 0 < twice.find("If it was moved") < twice.find("kawe journal restore")
    assert f'  journal = "{database.url}"' in there.stdout.splitlines()
    assert f'  journal = "{file}"' in back.stdout.splitlines()
    assert (counted, counts(one), one.sends_of_each()) == (
        ({"sent": ROWS}, {"sent": ROWS}),
        {"sent": ROWS},
        ONCE,
    )


def test_a_journal_that_left_the_server_is_not_taken_for_one_with_nothing(machines):
    one, other = machines
    one.run(*SUBMIT)
    one.run("journal", "move", "here")
    for asked in (["waiting"], ["status"], ["release", "--no-input"]):
        said = other.run(*asked)
        words = " ".join(said.stderr.split())
        assert (said.returncode, "before: that database keeps it as" in words) == (
            6,
            True,
        )


def test_doctor_says_where_the_journal_is_and_who_writes_it(machines, database):
    one, _ = machines
    one.run(*SUBMIT)
    checks = {each["about"]: each["words"] for each in one.document("doctor")["signs"]}
    there = database.url.partition("?")[0]
    assert checks["journal"].startswith(f"{there} (default ")
    assert checks["journal's lock"] == "free: no other kawe is writing"


def test_a_server_that_is_not_there_is_said_before_anything_is_sent(machines, database):
    one, _ = machines
    one.write_settings(f'journal = "{database.url}-gone"')
    done = one.run(*SUBMIT)
    assert (done.returncode, one.sends_of_each()) == (6, Counter())
    words = " ".join(done.stderr.split())
    assert "could not be reached" in words
    assert "Correct the address, or look after the server, then" in words


def test_the_settings_of_a_folder_name_no_server(machines, database):
    one, _ = machines
    one.write_settings("")
    (one.folder / "kawe.toml").write_text(f'journal = "{database.url}"', "utf-8")
    one.run(*SUBMIT)
    assert (
        database.ask("SELECT nspname FROM pg_namespace WHERE nspname ~ '^default'")
        == []
    )


def test_a_database_user_without_the_rights_is_told_what_to_run(machines, database):
    one, other = machines
    database.ask("CREATE ROLE clerk LOGIN")
    other.write_settings(f'journal = "{database.url.replace("kawe@", "clerk@")}"')

    def told():
        """Say what doctor and a submit say to run."""
        checks = {e["about"]: e["advice"] for e in other.document("doctor")["signs"]}
        words = checks["journal"], " ".join(other.run(*SUBMIT).stderr.split())
        return [each.partition("server run: ")[2] for each in words]

    may_not_make = told()
    one.run(*SUBMIT)
    status = other.run("status")
    may_not_look = told()
    database.ask("GRANT kawe TO clerk")
    again = other.run(*SUBMIT)
    database.ask("ALTER ROLE clerk SET default_transaction_read_only = on")
    advice = {e["about"]: e["advice"] for e in other.document("doctor")["signs"]}
    assert "It is a standby, or set to be read alone" in advice["journal"]
    grant = f"GRANT CREATE ON DATABASE {database.database} TO clerk;"
    assert (may_not_make, may_not_look) == ([grant] * 2, ["GRANT kawe TO clerk;"] * 2)
    assert (status.returncode, again.returncode, other.sends_of_each()) == (6, 0, ONCE)
