"""Nothing is imported before it is needed."""

import json
import os
import subprocess
import sys

import pytest

from doubles.programs import printed_by
from doubles.typed_commands import run_command
from kawe.cli.app import COMMANDS
from kawe.cli.output.exit import ExitCode

_HELP = """
import json, sys
before = set(sys.modules)
sys.argv = ["kawe", *sys.argv[1:]]
from kawe.__main__ import main
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
print(json.dumps(sorted(set(sys.modules) - before)))
"""
_HEAVY = {
    "asyncio",
    "httpx",
    "jsonschema",
    "jsonschema_rs",
    "openpyxl",
    "pyproj",
    "python_calamine",
}


def _loaded_by(code, *arguments):
    loaded = json.loads(printed_by(code, *arguments).splitlines()[-1])
    return {name.partition(".")[0] for name in loaded}


def test_help_imports_nothing_heavy():
    assert _loaded_by(_HELP, "--help") & (_HEAVY | {"logging", "pathlib"}) == set()


def test_help_imports_no_library_but_click():
    loaded = _loaded_by(_HELP, "--help") - sys.stdlib_module_names
    assert {name for name in loaded if not name.startswith("_")} <= {
        "click",
        "colorama",
        "kawe",
        "kawe_xlsx",
    }


def test_a_command_loads_what_it_may_not_use_when_it_is_used():
    later = {"email_validator", "holidays", "httpx", "keyring", "openpyxl", "tqdm"}
    assert _loaded_by(_HELP, "check", "--help") & later == set()


def test_the_version_imports_nothing_heavy():
    assert _loaded_by(_HELP, "--version") & _HEAVY == set()


def test_importing_kawe_imports_nothing_else_of_it():
    code = (
        "import json, sys; before = set(sys.modules); import kawe; "
        "print(json.dumps([n for n in sys.modules if n not in before]))"
    )
    found = {name for name in json.loads(printed_by(code)) if name.startswith("kawe")}
    assert found - {"kawe._version"} == {"kawe"}


def test_the_help_of_a_command_loads_nothing_that_it_works_with():
    works_with = {"asyncio", "python_calamine", "rapidfuzz", "sqlite3", "ssl"}
    works_with |= {"pickle", "socket", "subprocess", "zoneinfo"}
    assert _loaded_by(_HELP, "submit", "--help") & works_with == set()


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_is_the_same_where_imports_wait(command, tmp_path):
    words, surroundings = (command, "--help"), {"PATH": os.environ["PATH"]}
    code = "import sys; sys.argv[0] = 'kawe'; from kawe.cli.app import main; main()"
    waiting = printed_by(code, *words, env=surroundings)
    # In a process that has loaded every module.
    loaded = run_command(words, folder=tmp_path, environment=surroundings, typed="")
    assert waiting == loaded.stdout


def test_a_file_called_like_the_help_is_read(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "kawe", "check", "--offline", "--", "--help"],
        capture_output=True,
        check=False,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "HOME": str(tmp_path)},
    )
    assert (done.returncode, done.stdout) == (ExitCode.WORKBOOK, "")
    assert "“--help”" in done.stderr
