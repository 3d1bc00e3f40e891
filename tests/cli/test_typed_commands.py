"""Commands that one process carries out, each as if it had one of its own."""

import json
import os

import pytest

from doubles.typed_commands import run_command

# No key is a word of the log: where it stays known as one, the word is left out.
_WORD = "JournalError"


@pytest.fixture
def troubles(tmp_path):
    """Give a function that runs a command that fails, and reads its own log."""

    def run(name, **more):
        home = tmp_path / name
        home.mkdir()
        surroundings = {"PATH": os.environ["PATH"], "HOME": str(home), **more}
        run_command(("status", name), folder=home, environment=surroundings, typed="")
        log = home / ".local" / "state" / "kawe" / "log" / "kawe.log"
        lines = map(json.loads, log.read_text(encoding="utf-8").splitlines())
        return [line.get("trouble") for line in lines]

    return run


def test_the_secret_of_a_command_is_none_of_the_next(troubles):
    with_key = troubles("first", KAWE_API_KEY=_WORD)
    assert (with_key, troubles("second")) == ([None, "[secret]"], [None, _WORD])
