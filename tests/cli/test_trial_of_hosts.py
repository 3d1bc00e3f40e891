"""The trial of `compose.yaml`: its commands are run as they are, without Docker.

What differs is said here: processes of this machine for containers, a socket for the
address of the database, free ports for the twin, and a folder of the test for /srv.
"""

import re
import signal
import tomllib
from collections import Counter

import pytest
import yaml

from architecture.house import ROOT
from doubles.command import Person, csv_row, write_csv
from doubles.hosts import wait_for
from doubles.postgres import running_postgres
from doubles.typed_commands import run_command, start_command
from kawe_twin.serving import TwinOptions, start_twin

SERVICES = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))["services"]
PAGE = (ROOT / "docs/how-to/run-in-a-container.md").read_text("utf-8")
DATABASE = "postgresql://kawe@127.0.0.1/kawe"


@pytest.fixture
def trial(tmp_path):
    """Give a function that puts this machine's places for those of the containers."""
    options = TwinOptions(folder=tmp_path / "twin", rate_limit=10_000, tokens=20)
    with running_postgres() as server, start_twin(options) as twin:
        places = {
            DATABASE: server.fresh().url,
            "http://127.0.0.1:8750": twin.address.api_url,
            "/srv/kawe": str(tmp_path / "trial"),
        }

        def here(said):
            for theirs, ours in places.items():
                said = said.replace(theirs, ours)
            return said

        yield Person(folder=tmp_path / "trial", twin=twin), here


def environment_of(person, here, service):
    surroundings = person.surroundings()
    for name in ("KAWE_BASE_URL", "KAWE_API_KEY"):
        del surroundings[name]
    said = SERVICES[service]["environment"]
    surroundings["HOME"] = str(person.folder)
    return surroundings | {name: here(value) for name, value in said.items()}


def typed_on_the_page():
    """Give what `docker compose run` of the page hands to kawe in a worker."""
    lines = re.findall(r"^docker compose run --rm (\S+) (.+)$", PAGE, re.MULTILINE)
    return [(service, words.split()) for service, words in lines]


def test_a_workbook_is_agreed_to_and_carried_out_by_one_of_two_workers(trial):
    person, here = trial
    (person.folder / "inbox").mkdir(parents=True)
    write_csv(person.folder / "monthly.csv", [csv_row(n) for n in range(3)])
    key = person.folder / "key"
    key.write_text(person.twin.address.live_key)
    key.chmod(0o600)
    (settings,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    (person.folder / "kawe.toml").write_text(here(settings), "utf-8")
    started = [
        start_command(
            [here(word) for word in SERVICES[name]["command"]],
            folder=person.folder,
            environment=environment_of(person, here, name),
            screen=str(person.folder / f"{name}.txt"),
            errors=str(person.folder / f"{name}.errors.txt"),
        )
        for name in ("worker-1", "worker-2")
    ]

    def type_(service, words):
        # The page has a workbook of Excel, and its question is answered here.
        words = [each.replace("monthly.xlsx", "monthly.csv") for each in words]
        if "submit" in words:
            words += ["--yes", "3", "--no-input"]
        environment = environment_of(person, here, service)
        return run_command(
            words, folder=person.folder, environment=environment, typed=""
        )

    (put, status) = typed_on_the_page()
    assert type_(*put).returncode == 0
    ended = "ended with code 0"
    wait_for(lambda: ended in type_(*status).stdout.replace("\n", " "))
    for each in started:
        each.send_signal(signal.SIGTERM)
    assert [each.wait(300) for each in started] == [0, 0]
    assert person.sends_of_each() == Counter({"R-0": 1, "R-1": 1, "R-2": 1})


def test_what_is_started_is_what_the_page_and_the_settings_name():
    (settings,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    said = tomllib.loads(settings)
    workers = [SERVICES[f"worker-{n}"] for n in (1, 2)]
    assert [each["command"][2] for each in workers] == [said["journal"]] * 2
    assert said["journal"] == DATABASE
    assert {each["network_mode"] for each in workers} == {"service:twin"}
    assert [service for service, _ in typed_on_the_page()] == ["worker-1"] * 2
