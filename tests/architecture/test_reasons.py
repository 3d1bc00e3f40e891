"""Every exception to a rule says why."""

import re

from architecture.house import ROOT, modules_in, project

_PYPROJECT = (ROOT / "pyproject.toml").read_text("utf-8").splitlines()
_NOQA = re.compile(r"#\s*noqa(?P<codes>: [A-Z]+[0-9]+(?:, [A-Z]+[0-9]+)*)?(?P<rest>.*)")
_TYPE_IGNORE = re.compile(r"#\s*type: ignore(?P<codes>\[[a-z-, ]+\])?")


def _everything():
    return (*modules_in("src"), *modules_in("tests"), *modules_in("tools"))


def test_every_ruff_rule_that_is_off_says_why():
    lint = project()["tool"]["ruff"]["lint"]
    silent = {
        code
        for code in set(lint["ignore"]).union(*lint["per-file-ignores"].values())
        if not any(re.match(rf'.*"{code}".*#\s*\w+', line) for line in _PYPROJECT)
    }
    assert silent == set()


def test_every_noqa_names_its_rule_and_its_reason():
    bare = [
        f"{module.name}:{number}"
        for module in _everything()
        for number, line in enumerate(module.text.splitlines(), start=1)
        for found in [_NOQA.search(line)]
        if found and "_NOQA" not in line
        if not found["codes"] or not re.match(r"\s*(?:-|\()\s*\w+", found["rest"])
    ]
    assert bare == []


def test_every_type_ignore_names_its_code():
    bare = [
        f"{module.name}:{number}"
        for module in _everything()
        for number, line in enumerate(module.text.splitlines(), start=1)
        for found in [_TYPE_IGNORE.search(line)]
        if found and not found["codes"] and "_TYPE_IGNORE" not in line
    ]
    assert bare == []


def test_ruff_and_mypy_judge_everything():
    assert project()["tool"]["ruff"]["lint"]["select"] == ["ALL"]
    assert project()["tool"]["mypy"]["strict"] is True


def test_warnings_are_errors_in_tests():
    assert project()["tool"]["pytest"]["ini_options"]["filterwarnings"][0] == "error"
