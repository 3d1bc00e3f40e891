"""The page for IT, typed as it stands: its commands, its recipes and their codes."""

import re
import shlex
import sys
from pathlib import Path
from types import ModuleType

import pytest
import yaml

from architecture.house import ROOT
from doubles.command import Person, csv_row, write_csv
from kawe_twin.serving import TwinOptions, start_twin

PAGE = (ROOT / "docs" / "how-to" / "for-it.md").read_text("utf-8")
OF_JOURNALS = (ROOT / "docs" / "journal.md").read_text("utf-8")

BACKUP = "journal-backup.db"
# They run on, or ask, or are names of commands that need more words.
LEFT_OUT = {
    *("kawe serve", "kawe demo", "kawe desk", "kawe init --store file", "kawe submit"),
    "kawe work",
    *("kawe export receipts", "kawe journal backup", "kawe journal restore"),
}


def block(language):
    (text,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return text


def commands():
    """Give every whole command of the page, and of that about the journal.

    The one that moves comes last.
    """
    both = OF_JOURNALS + PAGE
    blocks = re.findall(r"```sh\n(.*?)```", both, re.DOTALL)
    fenced = [line for block in blocks for line in block.splitlines()]
    whole = {*fenced, *re.findall(r"`(kawe [a-z]+[^`]*)`", PAGE)} - LEFT_OUT
    return sorted(whole, key=lambda each: ("journal move" in each, both.index(each)))


@pytest.fixture(scope="module")
def twin(tmp_path_factory):
    options = {"folder": tmp_path_factory.mktemp("it"), "tokens": 99}
    with start_twin(TwinOptions(rate_limit=100_000, **options)) as running:
        yield running


@pytest.fixture
def person(twin, tmp_path):
    """Give an account with the folders of the recipes, under a root of its own."""
    person = Person(folder=tmp_path / "srv" / "kawe" / "uploads", twin=twin)
    person.folder.mkdir(parents=True)
    write_csv(person.folder / "monthly.csv", [csv_row(1)])
    return person


def test_every_command_of_the_page_does_what_it_says(person, tmp_path):
    ended = {}
    person.run("submit", "monthly.csv", "--yes", "9", "--no-input")
    for command in commands():
        typed = command.replace("FILE", BACKUP).replace("/srv", f"{tmp_path}/srv")
        done = person.run(*shlex.split(typed.replace(".xlsx", ".csv"))[1:])
        assert "Traceback" not in done.stdout + done.stderr
        ended[command] = done.returncode
    assert ended == {
        "kawe doctor": 0,
        "kawe export receipts -o receipts": 0,
        "kawe journal purge --older-than 365": 0,
        'kawe journal hold monthly --why "Hearing 114"': 0,
        'kawe journal hold monthly --lift --why "Hearing 114 is over"': 0,
        "kawe journal hold": 0,
        "kawe journal purge --older-than 365 --results": 0,
        f"kawe journal backup {BACKUP}": 0,
        f"kawe journal restore {BACKUP}": 0,
        "kawe journal verify --journal FILE": 0,
        "kawe status": 0,
        # The key of this person is in a variable, which no scheduler has.
        "kawe doctor --as-scheduler": 2,
        "kawe journal move /srv/kawe": 0,
    }


@pytest.fixture
def cron_job():
    """Give the recipe for Kubernetes, and its one container."""
    (document,) = yaml.safe_load_all(block("yaml"))
    pod = document["spec"]["jobTemplate"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    return document, pod, container


def test_the_recipe_for_kubernetes_lets_one_pod_go_on_and_no_other(cron_job):
    document, pod, container = cron_job
    (rule,) = document["spec"]["jobTemplate"]["spec"]["podFailurePolicy"]["rules"]
    assert (
        (document["apiVersion"], document["kind"]),
        document["spec"]["concurrencyPolicy"],
        pod["restartPolicy"],
        (rule["action"], rule["onExitCodes"]),
        {each["name"] for each in pod["volumes"]},
    ) == (
        ("batch/v1", "CronJob"),
        "Forbid",
        "Never",
        ("FailJob", {"operator": "NotIn", "values": [7, 130]}),
        {each["name"] for each in container["volumeMounts"]},
    )


def test_the_command_of_kubernetes_sends_with_its_variables_alone(
    cron_job, person, tmp_path
):
    container = cron_job[2]
    write_csv(person.folder / "monthly.csv", [csv_row(2)])
    (tmp_path / "etc" / "kawe").mkdir(parents=True)
    settings = f'base_url = "{person.twin.address.api_url}"\nmode = "live"\n'
    (tmp_path / "etc" / "kawe" / "kawe.toml").write_text(settings, "utf-8")
    place = re.compile(r"^/(?=srv|etc)")
    person.environment = {"KAWE_BASE_URL": "", "XDG_CONFIG_HOME": ""} | {
        each["name"]: place.sub(f"{tmp_path}/", each["value"])
        for each in container["env"]
        if "value" in each
    }
    assert {each["name"] for each in container["env"]} == {
        *("HOME", "XDG_STATE_HOME", "KAWE_CONFIG", "KAWE_API_KEY")
    }
    assert container["workingDir"] == "/srv/kawe/uploads"
    words = [each.replace(".xlsx", ".csv") for each in container["command"][1:]]
    done = [person.run(*words).returncode for _ in range(2)]
    (journal,) = (tmp_path / "srv" / "kawe" / "state").rglob("*.journal")
    assert (done, journal.parent.name) == ([0, 0], "default")


def airflow(monkeypatch):
    """Let the names of Airflow that the recipe takes be there, and do nothing."""
    errors = type("AirflowException", (Exception,), {})
    fails = type("AirflowFailException", (errors,), {})
    for name, members in {
        "airflow": {},
        "airflow.decorators": {
            "dag": lambda **_: lambda function: function,
            "task": lambda **_: lambda function: function,
        },
        "airflow.exceptions": {
            "AirflowException": errors,
            "AirflowFailException": fails,
        },
    }.items():
        module = ModuleType(name)
        module.__dict__.update(members)
        monkeypatch.setitem(sys.modules, name, module)
    return errors, fails


def test_the_recipe_for_airflow_runs_again_only_what_can_go_on(
    person, tmp_path, monkeypatch
):
    again, fails = airflow(monkeypatch)
    write_csv(person.folder / "monthly.csv", [csv_row(3)])
    for name, value in person.surroundings().items():
        monkeypatch.setenv(name, value)
    kawe = Path(sys.executable).with_name("kawe")
    source = block("python").replace("/srv", f"{tmp_path}/srv")
    source = source.replace(".xlsx", ".csv").replace('"kawe",', f'"{kawe}",', 1)
    # The last line runs what the DAG has.
    code = compile(source, "for-it.md", "exec")
    exec(code, {})
    sent = person.sends()
    monkeypatch.setenv("KAWE_BASE_URL", "http://127.0.0.1:9")
    with pytest.raises(again) as unreachable:
        exec(code, {})
    monkeypatch.setenv("KAWE_API_KEY", "")
    with pytest.raises(fails):
        exec(code, {})
    assert (sent, type(unreachable.value)) == (person.sends(), again)


def test_every_file_that_kawe_keeps_stands_on_the_page(twin, tmp_path):
    person = Person(folder=tmp_path / "person", twin=twin)
    person.folder.mkdir()
    write_csv(person.folder / "monthly.csv", [csv_row(2)])
    person.run("columns", "--always", "Lodged=Reference", "--kind", "projects")
    person.run("submit", "monthly.csv", "--yes", "9", "--no-input")
    person.run("watch", "--once", "--quiet")
    person.run("export", "receipts", "-o", "receipts")
    (table,) = re.findall(r"\| what \| where .*\n((?:\|.*\n)+)", PAGE)
    named = {
        part for span in re.findall(r"`([^`]+)`", table) for part in span.split("/")
    }
    named |= {part.removeprefix("NAME") for part in named}
    kept = [path.name for path in (person.folder / "home").rglob("*") if path.is_file()]
    unnamed = [
        name for name in kept if not any(each and name.endswith(each) for each in named)
    ]
    assert (len(kept) >= 4, unnamed) == (True, [])
