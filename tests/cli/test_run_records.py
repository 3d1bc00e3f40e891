"""Every command writes that it begins and that it ends, wherever the log goes."""

import json
import re
import shutil
import signal
import subprocess
import sys

import openpyxl
import pytest

from architecture.house import ROOT
from doubles.command import csv_row, write_csv
from doubles.log_month import log_of

BUG = """
from kawe.flows.submit import sending
async def _send(*words, **named):
    raise LookupError("what " + "a row says")
sending._send = _send
"""
YES = ("--yes", "9", "--no-input")
ID = re.compile(r"20\d{6}-\d{4}-[a-z2-9]{4}")
NUMBERS = {
    "timing": {"began_at", "seconds"},
    "requests": {"made", "lost", "retries", "sent_bytes", "received_bytes"},
    "limits": {"refused", "waited_seconds"},
}


@pytest.fixture
def person(person_with):
    return person_with(tokens=9, rows=(1, 2))


def _records(text):
    return [json.loads(line) for line in text.splitlines()]


def _told(person):
    """Say of each record of the log what it is, of which command, and its code."""
    return [
        (each["what"], each["command"], each.get("exit_code"))
        for each in _records(log_of(person).read_text("utf-8"))
        if each["what"].startswith("run.")
    ]


def test_each_command_has_a_begin_and_an_end_also_where_it_is_refused(person):
    words = (
        ("status",),
        ("doctor", "--settings"),
        ("check", "monthly.csv", "--offline"),
        ("submit", "missing.csv"),
        ("journal", "verify"),
        ("status", "--by", "3"),
        ("submit", "--nonsense"),
        ("sbumit",),
        ("doctor",),
        # These three do nothing, and say nothing.
        ("--help",),
        ("--version",),
        ("submit", "--help"),
    )
    ended = {each: person.run(*each).returncode for each in words}
    names = ["status", "doctor", "check", "submit", "journal verify", "status"]
    names += ["submit", "", "doctor"]
    assert _told(person) == [
        record
        for name, code in zip(names, ended.values(), strict=False)
        for record in (("run.begun", name, None), ("run.ended", name, code))
    ]


def test_a_run_that_is_stopped_has_an_end_too(person):
    write_csv(person.folder / "monthly.csv", [csv_row(n) for n in range(30)])
    process = person.start("submit", "monthly.csv", "--yes", "30", "--no-input")
    while process.poll() is None and not person.state()["projects"]:
        pass
    process.send_signal(signal.SIGINT)
    stopped = process.wait(60)
    last = _records(log_of(person).read_text("utf-8"))[-1]
    outcomes = last["batches"]["monthly"]
    assert (stopped, last["exit_code"], sum(outcomes.values())) == (130, 130, 30)


def test_a_run_that_breaks_has_an_end_and_its_trace_has_no_words_of_a_row(person):
    (person.folder / "sitecustomize.py").write_text(BUG)
    person.environment["PYTHONPATH"] = str(person.folder)
    broken = person.run("submit", "monthly.csv", *YES)
    *_, trace, end = _records(log_of(person).read_text("utf-8"))
    assert (broken.returncode, trace["what"], end["what"], end["exit_code"]) == (
        *(1, "unexpected"),
        *("run.ended", 1),
    )
    assert "LookupError" in trace["trace"]
    assert "what a row says" not in trace["trace"]


def test_what_a_run_took_is_in_its_answer_in_its_record_and_at_the_twin(person):
    answer = json.loads(person.run("submit", "monthly.csv", *YES, "--json").stdout)
    begun, *acts, ended = _records(log_of(person).read_text("utf-8"))
    run = answer["run"]
    assert {name: set(run[name]) for name in NUMBERS} == NUMBERS
    assert (ended["requests"], ended["limits"]) == (run["requests"], run["limits"])
    assert {each["run"] for each in (begun, *acts, ended)} == {run["id"]}
    assert (ended["mode"], ended["team"]) == ("live", "Kaunihera o Tauira (twin)")
    assert ended["acts"] == {"create done": 2, "send done": 2}
    assert all(run["requests"][name] for name in ("made", "sent_bytes"))


def test_the_id_is_the_last_line_and_stands_in_the_result(person):
    done = person.run("submit", "monthly.csv", *YES)
    quiet = person.run("submit", "monthly.csv", *YES, "--quiet")
    first, *_ = _records(log_of(person).read_text("utf-8"))
    result = openpyxl.load_workbook(person.folder / "monthly.result.xlsx")
    labels = dict(result["Summary"].iter_rows(max_col=2, values_only=True))
    kept = json.loads((person.folder / "monthly.result.json").read_text("utf-8"))
    last = f"Run {first['run']} · log: {log_of(person)}"
    assert ID.fullmatch(first["run"])
    assert (done.stderr.splitlines()[-1], quiet.stderr) == (last, "")
    # The second run wrote the result again.
    assert labels["Run"] == kept["run"] != first["run"]


def test_the_log_has_nothing_that_rows_say_and_no_address(person):
    (person.folder / "people.csv").write_text(
        "First name,Last name,Email,Role\nMere,Tūī,mere@council.example,Member\n",
        encoding="utf-8",
    )
    person.run("submit", "monthly.csv", *YES)
    person.run("submit", "people.csv", *YES)
    text = log_of(person).read_text("utf-8")
    acts = [each["row"] for each in _records(text) if each["what"] == "row.act"]
    said = ("mere@council.example", "Tūī", "culvert", person.twin.address.live_key)
    assert [word for word in said if word in text] == []
    assert [each for each in acts if not each.startswith("ref:")] == [
        each for each in acts if re.fullmatch("gone:[0-9a-f]{64}", each)
    ]
    assert len(acts) == 5


@pytest.mark.parametrize("words", [(), ("--json",), ("--nonsense",)])
def test_on_standard_error_every_line_is_a_record(person, words):
    person.write_settings('[log]\nto = "stderr"\n')
    done = person.run("submit", "monthly.csv", *YES, *words)
    records = _records(done.stderr)
    is_refused = "--nonsense" in words
    assert (records[0]["what"], records[-1]["what"]) == ("run.begun", "run.ended")
    assert (len(records), log_of(person).exists()) == (2 if is_refused else 8, False)
    if "--json" in words:
        assert json.loads(done.stdout)["run"]["id"] == records[0]["run"]
    else:
        words = "No such option" if is_refused else "2 sent to iwi"
        assert words in done.stdout


def test_a_variable_sends_one_command_s_log_to_standard_error(person):
    person.environment["KAWE_LOG"] = "stderr"
    done = person.run("status")
    assert [each["what"] for each in _records(done.stderr)] == [
        "run.begun",
        "run.ended",
    ]


def test_another_place_for_the_log_is_refused_by_file_and_key(person):
    path = person.write_settings('[log]\nto = "syslog"\n')
    said = person.run("status").stderr
    person.write_settings('[log]\nfile = "x"\n')
    assert (said, person.run("status").stderr) == (
        (
            f"kawe: {path}: [log] to is 'syslog', which is no place for a log. Write "
            'to = "file" or to = "stderr".\n'
        ),
        f"kawe: {path}: [log] cannot hold 'file'. It holds to alone.\n",
    )


def test_a_folder_of_workbooks_cannot_send_the_log_elsewhere(person):
    near = person.folder / "kawe.toml"
    near.write_text('[log]\nto = "stderr"\n', encoding="utf-8")
    done = person.run("status")
    said = (
        f"kawe: {near} says where the log goes ([log]), and it lies beside workbooks."
    )
    assert (done.returncode, done.stderr.startswith(said)) == (2, True)


def test_the_settings_show_where_the_log_goes(person):
    path = person.write_settings('[log]\nto = "stderr"\n')
    shown = person.document("doctor", "--settings")["settings"]
    (log,) = [each for each in shown if each["name"] == "[log] to"]
    (settings,) = [
        each
        for each in person.document("doctor")["signs"]
        if each["about"] == "settings"
    ]
    assert (log["value"], log["from"]) == ("stderr", str(path))
    assert settings["words"].endswith("; the log goes to standard error")


def test_a_log_that_cannot_be_written_is_named_once_and_the_run_goes_on(person):
    person.run("status")
    shutil.rmtree(log_of(person).parent)
    log_of(person).parent.write_text("in the way", encoding="utf-8")
    done = person.run("submit", "monthly.csv", *YES)
    assert (done.returncode, done.stderr.splitlines()[-1], person.sends()) == (
        0,
        (
            f"kawe: The log {log_of(person)} cannot be written: file exists. The "
            "command went on without it."
        ),
        2,
    )


def test_the_snippet_of_the_page_hands_the_numbers_to_prometheus(person, tmp_path):
    page = (ROOT / "docs/how-to/run-unattended.md").read_text("utf-8")
    (snippet,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    program, answer = tmp_path / "kawe_numbers.py", tmp_path / "monthly.json"
    program.write_text(snippet, encoding="utf-8")
    document = person.run("submit", "monthly.csv", *YES, "--json").stdout
    answer.write_text(document, encoding="utf-8")
    place = tmp_path / "kawe.prom"
    subprocess.run([sys.executable, program, answer, place], check=True)
    lines = place.read_text("utf-8").splitlines()
    assert all(
        re.fullmatch(r'[a-z_]+(\{[a-z]+="[a-z ]+"\})? [\d.]+', each) for each in lines
    )
    made = json.loads(document)["run"]["requests"]["made"]
    assert {"kawe_exit_code 0", 'kawe_rows{outcome="sent"} 2'} <= set(lines)
    assert f"kawe_requests_made {made}" in lines
