"""The desk as a process: how it begins and ends, and what the log keeps of it."""

import json
import os
import signal

import pytest

from doubles.command import at_a_twin, csv_row, write_csv
from doubles.desk import SHOWN, Desk, read


@pytest.fixture(scope="module")
def workbook(person):
    return write_csv(person.folder / "monthly.csv", [csv_row(n) for n in range(2)])


def test_each_run_at_the_desk_has_its_own_records_in_the_log(desk, person, workbook):
    place = desk.place(desk.put_in("logged.csv", workbook.read_bytes()))
    desk.post(f"{place}/plan", sends="drafts")
    lines = (person.folder / "home/state/kawe/log/kawe.log").read_text("utf-8")
    told = [json.loads(line) for line in lines.splitlines()]
    begun = {each["run"]: each["command"] for each in told if "process" in each}
    ended = {each["run"]: each["exit_code"] for each in told if "exit_code" in each}
    assert {"desk", "desk check", "desk plan"} <= set(begun.values())
    inside = {run for run, name in begun.items() if name.startswith("desk ")}
    assert (set(ended) >= inside, {ended[run] for run in inside} <= {0, 130}) == (
        True,
        True,
    )


def test_the_desk_works_with_the_journal_that_it_is_given(tmp_path):
    with at_a_twin(tmp_path, tokens=3) as person:
        write_csv(person.folder / "other.csv", [csv_row(1)])
        given = ("--journal", str(person.folder / "other.journal"))
        person.run("submit", "other.csv", "--yes", "1", "--no-input", *given)
        with Desk(person, options=given) as desk:
            assert "1 sent" in desk.get("/batches")
        with Desk(person) as desk:
            assert "There is no batch yet." in desk.get("/batches")


def test_a_desk_whose_journal_cannot_be_used_does_not_open(person, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "text").write_text("no journal")
    places = (tmp_path / "pipe", tmp_path / "text", tmp_path, "postgresql://x@[::1]:9/")
    done = [person.run("desk", "--no-open", "--journal", str(e)) for e in places]
    assert [(each.returncode, each.stdout) for each in done] == [(6, "")] * 4


def test_the_desk_ends_as_asked_and_a_port_that_is_taken_is_named(person):
    with Desk(person) as first:
        port = str(first.client.base_url.port)
        second = person.run("desk", "--no-open", "--port", port)
        taken = f"kawe: Another program on this computer listens at port {port},"
        assert (second.returncode, taken in second.stderr) == (2, True)
        said = first.said.readline()
        first.process.send_signal(signal.SIGTERM)
        assert (first.process.wait(60), said) == (
            0,
            "The address works once. To end the desk, press Ctrl-C here.\n",
        )


def test_a_submit_stops_when_asked_and_goes_on_later(person, tmp_path):
    sheet = write_csv(tmp_path / "slow.csv", [csv_row(n) for n in range(500, 580)])
    for _ in range(2):
        person.twin.buy_tokens(50)
    person.environment = {"KAWE_WORKERS": "1"}
    with Desk(person) as desk:
        place = desk.place(desk.put_in("slow.csv", sheet.read_bytes()))
        (shown,) = SHOWN.findall(desk.post(f"{place}/plan", sends="all").text)
        form = {"form_token": desk.form_token(), "typed": "80", "sha256": shown}
        busy = desk.client.post(f"{place}/submit", data=form)
        assert "Stop after what is in flight" in read(busy.text)
        refused = desk.client.post(f"{place}/plan", data=form)
        assert "The desk is at work on something else." in read(refused.text)
        desk.client.post("/at-work/stop", data=form)
        stopped = read(desk.settled(f"{place}/result").text)
        assert "The run was stopped. Do the same again to go on." in stopped
        sent = person.sends()
        assert sent < 80
        left = desk.post(f"{place}/plan", sends="all")
        done = desk.agree(left, f"{place}/submit", typed=str(80 - sent))
        assert "80 sent" in read(done.text)
    assert person.sends() == 80
