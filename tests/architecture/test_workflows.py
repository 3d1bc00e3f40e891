"""The workflows ask for what is there, and for no more rights than they need."""

import re

import pytest
import yaml

from architecture.house import ROOT, project

FOLDER = ROOT / ".github" / "workflows"
TEXTS = {path.stem: path.read_text("utf-8") for path in sorted(FOLDER.iterdir())}
WORKFLOWS = {name: yaml.safe_load(text) for name, text in TEXTS.items()}
JOBS = [
    pytest.param(job, id=f"{name}-{job_name}")
    for name, workflow in WORKFLOWS.items()
    for job_name, job in workflow["jobs"].items()
]
# What a program or a tool other than make reads.
_MODULE = re.compile(r"python -m ((?:release|trials)\.\w+)")
_PATH = re.compile(r"(?<![\w/*-])(?:tests|docs|constraints)[\w./-]*\w")


def _every_job():
    for workflow in WORKFLOWS.values():
        yield from workflow["jobs"].values()


def _commands(job) -> str:
    return "\n".join(step.get("run", "") for step in job["steps"])


@pytest.mark.parametrize("job", JOBS)
def test_what_a_job_runs_is_there(job):
    said = _commands(job)
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    asked = " ".join(re.findall(r"^make (.+)", said, re.MULTILINE)).split()
    assert {each for each in asked if "=" not in each} - targets == set()
    for name in _MODULE.findall(said):
        folder = "tests" if name.startswith("trials") else "tools"
        assert (ROOT / folder / name.replace(".", "/")).with_suffix(".py").is_file()
    assert [name for name in _PATH.findall(said) if not (ROOT / name).exists()] == []


def test_all_tests_run_on_each_python_that_the_package_names():
    told = (each.rsplit(" ", 1)[-1] for each in project()["project"]["classifiers"])
    pythons = WORKFLOWS["ci"]["jobs"]["test"]["strategy"]["matrix"]["python"]
    assert pythons == [each for each in told if re.fullmatch(r"3\.\d+", each)]


@pytest.mark.parametrize("job", JOBS)
def test_a_job_ends_and_leaves_no_credentials_behind(job):
    assert job["timeout-minutes"] <= 350
    checkouts = [each for each in job["steps"] if "checkout@" in each.get("uses", "")]
    assert [each["with"] for each in checkouts] == [{"persist-credentials": False}]


def test_only_what_publishes_may_write():
    assert {name: each["permissions"] for name, each in WORKFLOWS.items()} == {
        name: {"contents": "read"} for name in ("ci", "nightly", "release")
    }
    assert [job["permissions"] for job in _every_job() if "permissions" in job] == [
        {"contents": "write", "id-token": "write", "attestations": "write"}
    ]


def test_every_action_is_named_by_its_commit_and_its_version():
    used = [line for text in TEXTS.values() for line in text.splitlines()]
    used = [line.strip("- ") for line in used if "uses:" in line]
    exact = re.compile(r"uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")
    assert [line for line in used if exact.fullmatch(line) is None] == []
    by_action = {line.partition("@")[0] for line in used}
    assert len(by_action) == len(set(used)), "one action, two versions"
