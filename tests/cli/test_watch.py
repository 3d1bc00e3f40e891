"""`kawe watch`: who has answered, what comes near, and nothing twice."""

import json
import signal
import sys
from contextlib import closing
from datetime import datetime, timedelta

import pytest
from openpyxl import load_workbook

from doubles.command import Person, csv_row, write_csv
from doubles.consulted import Consulted
from doubles.hosts import wait_for
from doubles.listeners import Program
from doubles.payloads import PAYLOADS, assert_folder_is_inert, assert_screen_is_inert
from kawe.domain.text.new_zealand import NEW_ZEALAND, weekday_words
from kawe.flows.watch.telling import HEADINGS
from kawe_twin.serving import TwinOptions, start_twin

ONCE = ("watch", "--once")
ELSEWHERE = "Projects that were not sent from here as well: kawe export projects"
DATES = ("start_date", "end_date", "respond_by_date")


@pytest.fixture(scope="module")
def twin(tmp_path_factory):
    options = TwinOptions(
        folder=tmp_path_factory.mktemp("twin"), tokens=10_000, rate_limit=100_000
    )
    with start_twin(options) as running:
        yield running


@pytest.fixture
def iwi(twin):
    consulted = Consulted(twin)
    yield consulted
    consulted.close()


@pytest.fixture
def person(tmp_path, twin):
    (tmp_path / "person").mkdir()
    return Person(folder=tmp_path / "person", twin=twin)


def news_of(document):
    """Give what a round found, without the times of this minute."""
    return [
        {name: value for name, value in one.items() if name != "at"}
        for one in document["news"]
    ]


def workbooks(person):
    """Give the rows of every workbook, by its round."""
    found = {}
    for path in sorted(person.folder.glob("what-is-new/*.xlsx")):
        sheet = load_workbook(path).active
        rows = [list(row) for row in sheet.iter_rows(values_only=True)]
        found[path.stem.rpartition(" ")[2]] = rows
    return found


def test_a_round_says_who_answered_whose_turn_it_is_and_nothing_twice(person, iwi):
    first, second, quiet = iwi.send(3, reference="R-1")
    baseline = person.document(*ONCE)
    assert baseline["is_first"]
    assert (baseline["news"], baseline["workbook"]) == ([], None)
    iwi.respond(first, "Tēnā koe.\nWe would like to walk the site.")
    iwi.respond_as_team(second, "Did you get the plan?")
    iwi.respond_as_team(second, "Here it is again.")
    iwi.respond_as_team(second, "And the map.")
    iwi.complete(quiet)
    iwi.note(first)
    listener = Program(folder=person.folder)
    found = person.document(*ONCE, "--notify-cmd", listener.command)
    shown = {
        "reference": "R-1",
        "iwi": "Ngāti Tauira ki te Raki",
        "documents": [],
        "respond_by_on": "2030-04-01",
        "status_before": None,
        "days_over": None,
        "working_days_left": None,
    }
    own = {
        **shown,
        "kind": "own_response",
        "about": "Culvert 1",
        "project": second,
        "who": "Aroha Tauira",
        "status": "AWAITING_RESPONSE",
        "next_response": "probably_not",
    }
    assert news_of(found) == [
        {
            **shown,
            "kind": "response",
            "about": "Culvert 0",
            "project": first,
            "who": "Kaitiaki Tauira",
            "words": "Tēnā koe. We would like to walk the site.",
            "status": "IN_PROGRESS",
            "status_before": "NEW",
            "next_response": "probably_free",
        },
        {**own, "words": "Did you get the plan?"},
        {**own, "words": "Here it is again."},
        {**own, "words": "And the map.", "status_before": "NEW"},
        {
            **shown,
            "kind": "status",
            "about": "Culvert 2",
            "project": quiet,
            "who": None,
            "words": "",
            "status": "COMPLETE",
            "status_before": "NEW",
            "next_response": None,
        },
    ]
    (rows,) = workbooks(person).values()
    assert tuple(rows[0]) == HEADINGS
    assert [row[0] for row in rows[1:]] == [
        "Response",
        *["Response of your team"] * 3,
        "Status changed",
    ]
    (notice,) = listener.documents
    assert notice["counts"] == found["counts"]
    assert "walk the site" not in json.dumps(notice)
    assert person.run(*ONCE).stdout.endswith("nothing is new.\n")
    assert list(workbooks(person)) == ["2"]


def test_the_screen_says_each_of_the_news_on_a_line(person, iwi):
    today = datetime.now(NEW_ZEALAND).date()
    first, second = iwi.send(2, **dict.fromkeys(DATES, today.isoformat()))
    said = person.run(*ONCE).stdout.splitlines()
    iwi.complete(first)
    iwi.expire(iwi.invite("hone@tauira.example"))
    said += person.run(*ONCE).stdout.splitlines()
    # The twin is shared: for the others nothing may come near.
    iwi.complete(second)
    which = "(Ngāti Tauira ki te Raki)"
    left = f"0 working days left, {weekday_words(today)}"
    assert {
        f"  Status changed: Culvert 0 {which}: New → Complete",
        f"  Respond by is near, no answer: Culvert 1 {which}: {left}",
        "  Invitation has expired: Hone Tauira, hone@tauira.example",
    } <= set(said)


def test_a_round_that_was_killed_is_done_again_whole_and_says_each_thing_once(
    person, iwi
):
    (project,) = iwi.send(1)
    person.run(*ONCE)
    iwi.respond(project, "Before the kill.")
    # What is new is written by then, and not yet remembered.
    kills = f"{sys.executable} -c 'import os; os.kill(os.getppid(), 9)'"
    assert person.start(*ONCE, "--notify-cmd", kills).wait() == -signal.SIGKILL
    iwi.respond(project, "After the kill.")
    found = person.document(*ONCE)
    assert [one["words"] for one in found["news"]] == [
        "Before the kill.",
        "After the kill.",
    ]
    assert [row[6] for row in workbooks(person)["2"][1:]] == [
        one["words"] for one in found["news"]
    ]
    assert (found["round"], len(workbooks(person))) == (2, 1)
    assert person.document(*ONCE)["news"] == []


def test_a_second_watch_says_so_and_ctrl_c_ends_the_first(person, iwi):
    iwi.send(1)
    first = person.start("watch", "--quiet")
    try:
        memory = person.folder / "home/state/kawe/default"
        wait_for(lambda: list(memory.glob("*.watch")))
        second = person.run(*ONCE)
        first.send_signal(signal.SIGINT)
        assert first.wait(30) == 0
    finally:
        first.kill()
        first.wait()
    assert second.returncode == 6
    assert "The watch of this account is in use by another kawe on " in second.stderr
    assert person.run(*ONCE).returncode == 0


def test_nothing_that_iwi_write_becomes_active(person, iwi):
    projects = iwi.send(2, name=PAYLOADS[0])
    person.run(*ONCE)
    for number, words in enumerate(PAYLOADS):
        clean = words.encode("utf-8", "replace").decode().replace("\0", "")
        iwi.respond(projects[number % 2], clean)
    said = person.run(*ONCE)
    assert said.returncode == 0
    assert_screen_is_inert(said.stdout + said.stderr)
    assert assert_folder_is_inert(person.folder / "what-is-new") == 2


def test_a_key_that_may_not_read_the_team_says_what_it_cannot_tell(person, iwi):
    (project,) = iwi.send(1)
    person.key = iwi.new_key("projects:read")
    person.run(*ONCE)
    iwi.respond(project, "Kia ora.")
    found = person.document(*ONCE)
    assert [one["next_response"] for one in found["news"]] == ["unknown"]
    assert "team:read" in found["remarks"][0]


def test_since_says_in_the_first_round_what_is_new(person, iwi):
    (project,) = iwi.send(1)
    iwi.respond(project, "Kia ora.")
    found = person.document(*ONCE, "--since", "2026-01-01")
    assert "Kia ora." in [one["words"] for one in found["news"]]
    unread = person.run(*ONCE, "--since", "x").stderr
    assert "“x” is not a date. Type it as day/month/year" in unread
    refused = person.run(*ONCE, "--since", "1/1/2026")
    assert refused.returncode == 2
    assert "--since is for the first round, and the watch has done 1" in refused.stderr


@pytest.mark.parametrize("broken", ["", "{", '{"schema": "kawe.watch/1"}', "[]"])
def test_a_memory_that_cannot_be_read_is_no_first_round(person, iwi, broken):
    iwi.send(1)
    person.run(*ONCE)
    (memory,) = person.folder.glob("home/state/kawe/default/*.watch")
    memory.write_text(broken)
    refused = person.run(*ONCE)
    assert (refused.returncode, memory.read_text()) == (6, broken)
    assert "What the watch knows cannot be read" in refused.stderr
    assert "move it away" in refused.stderr


def test_a_memory_of_another_account_is_left_alone(person, iwi, twin):
    iwi.send(1)
    person.run(*ONCE, "--journal", "team.journal")
    before = (person.folder / "team.journal.watch").read_bytes()
    person.key = twin.address.sandbox_key
    refused = person.run(*ONCE, "--journal", "team.journal")
    assert (
        refused.returncode,
        (person.folder / "team.journal.watch").read_bytes(),
    ) == (6, before)
    assert "of another account" in refused.stderr


def test_news_that_cannot_be_written_are_not_remembered(person, iwi):
    (project,) = iwi.send(1)
    person.run(*ONCE)
    iwi.respond(project, "Kia ora.")
    (person.folder / "in-the-way").write_text("a file")
    refused = person.run(*ONCE, "-o", "in-the-way/news")
    assert refused.returncode == 5
    assert "The folder in-the-way/news cannot be written" in refused.stderr
    assert [one["words"] for one in person.document(*ONCE)["news"]] == ["Kia ora."]


def test_what_a_watch_knows_moves_with_the_journal(person):
    write_csv(person.folder / "m.csv", [csv_row(77)])
    person.run("submit", "m.csv", "--yes", "1", "--no-input")
    person.run(*ONCE)
    assert person.run("journal", "move", "elsewhere").returncode == 0
    (journal,) = person.folder.glob("elsewhere/*.journal")
    moved = person.document(*ONCE, "--journal", str(journal))
    assert (moved["is_first"], moved["round"]) == (False, 2)


def test_json_is_for_one_round(person):
    assert "--json belongs to --once." in person.stderr_of("watch", "--json", code=2)


def test_the_status_names_whoever_is_late_or_soon_will_be(person_with):
    # What is late is news of every watch of a twin, so this one has its own.
    person = person_with(tokens=9)
    today = datetime.now(NEW_ZEALAND).date()
    ours = {"Respond by": today.isoformat(), "Description": "A jetty is built."}
    write_csv(person.folder / "monthly.csv", [csv_row(n, **ours) for n in (901, 902)])
    done = person.run("submit", "monthly.csv", "--yes", "2", "--no-input", "--send")
    assert done.returncode == 0, done.stdout + done.stderr
    for _ in range(2):
        assert person.run(*ONCE).returncode == 0
    before = person.document("status")["without_answer"]
    # A fortnight goes by: in a test, on the memory of the watch.
    (path,) = person.folder.glob("home/state/kawe/default/*.watch")
    late = today - timedelta(days=14)
    first = before[0]["project"]
    memory = json.loads(path.read_text("utf-8"))
    memory["projects"][first][-1] = late.isoformat()
    path.write_text(json.dumps(memory), "utf-8")
    said = person.run("status", "monthly").stdout
    after = person.document("status")["without_answer"]

    assert [e["reference"] for e in before] == [e["reference"] for e in after]
    assert [(e["days_over"], e["working_days_left"]) for e in before + after] == [
        (None, 0),
        (None, 0),
        (14, None),
        (None, 0),
    ]
    assert "2 projects have no answer, as kawe watch saw last:" in said
    asked = person.run("status", "late")
    lines = said.splitlines()
    first_line = next(n for n, each in enumerate(lines) if "have no answer" in each)
    header, *named = lines[first_line : first_line + 3]
    assert (asked.returncode, asked.stdout.splitlines()) == (
        0,
        [header, f"{after[0]['iwi']}: 2 answers", *named, ELSEWHERE],
    )
    assert person.document("status", "late")["by_iwi"] == [
        {"iwi": after[0]["iwi"], "projects": [each["project"] for each in after]}
    ]
    name, iwi_of_it = after[0]["about"], after[0]["iwi"]
    assert (
        f"    Late, no answer: {name} ({iwi_of_it}): 14 days over, "
        f"{weekday_words(late)}" in said
    )
    with closing(Consulted(person.twin)) as iwi:
        iwi.respond(first, "Kia ora.")
    person.run(*ONCE)
    assert person.run("journal", "purge", "--older-than", "0").returncode == 0
    (left,) = person.document("status")["without_answer"]
    assert (left["project"], left["about"]) == (after[1]["project"], left["reference"])
