"""What a command may say about the state of rows, in every case of `CASES`.

Nine rows wait for tokens in the live journal; nothing waits in the sandbox journal,
where there is one. `SAID` is the table: a line for each command, a column for each
case, and in a cell the exit code with the words that must stand in the answer. No
cell may claim that nothing is there or that nothing waits, unless it says of which
journal.
"""

import json
import shutil

import pytest

from doubles.command import Person, at_a_twin

ALL = "--yes", "9", "--no-input"
ONLY = "This is the only journal that there is: live, "
LOST = "It was there before: its lock"
WAITS = "rows that wait: 9 deferred"
LIVE_WAITS = "9 rows wait for tokens"
ASK = "No key was given."
OWN = "The journal that was read: sandbox, "

CASES = {
    "no key": "the live journal, and no key",
    "other key": "the live journal, and a sandbox key",
    "other address": "the live journal, and another address",
    "lost": "the live journal is gone; its lock is left",
    "two, no key": "a live and a sandbox journal, and no key",
    "two, sandbox key": "a live and a sandbox journal, and the sandbox key",
    "two, live key": "a live and a sandbox journal, and the live key",
}
LISTED = (6, WAITS)
SAID = {
    # command: a cell for each case, in the order of CASES
    "status": (
        (4, ONLY),
        (4, ONLY),
        (4, ONLY),
        (6, LOST),
        LISTED,
        (4, WAITS),
        (4, "9 deferred"),
    ),
    "status monthly": (
        (4, ONLY),
        (4, ONLY),
        (4, ONLY),
        (6, LOST),
        LISTED,
        (4, WAITS),
        (4, "9 rows deferred"),
    ),
    "status --expect monthly": (
        (4, ONLY),
        (8, "MISSING: "),
        (8, "MISSING: "),
        (6, LOST),
        LISTED,
        (0, OWN),
        (4, "Here: "),
    ),
    "waiting": (
        (4, ONLY),
        (4, ONLY),
        (4, ONLY),
        (6, LOST),
        LISTED,
        (4, OWN),
        (4, LIVE_WAITS),
    ),
    "status --write": (
        (0, ONLY),
        (0, ONLY),
        (0, ONLY),
        (6, LOST),
        LISTED,
        (0, OWN),
        (0, "9 deferred: waiting to be sent"),
    ),
    "waiting --first R-1": (
        (0, "1 row goes before all others"),
        (6, WAITS),
        (6, WAITS),
        (6, LOST),
        LISTED,
        (2, "No row that waits for tokens is called R-1"),
        (0, "1 row goes before all others"),
    ),
    "release --no-input": (
        (2, ASK),
        (6, WAITS),
        (6, WAITS),
        (6, LOST),
        (2, ASK),
        (0, WAITS),
        (2, LIVE_WAITS),
    ),
    "resolve R-1 --retry": (
        (2, ASK),
        (6, WAITS),
        (6, WAITS),
        (6, LOST),
        (2, ASK),
        (2, WAITS),
        (2, "No held row is called"),
    ),
    "journal verify": (
        (0, ONLY),
        (0, ONLY),
        (0, ONLY),
        (6, LOST),
        LISTED,
        (0, OWN),
        (0, "The journal is whole"),
    ),
    "plan monthly.csv": (
        (2, ASK),
        (0, "SANDBOX: "),
        (7, "kawe: "),
        (0, "a lost journal"),
        (2, ASK),
        (0, "done already"),
        (0, "9 "),
    ),
    "check monthly.csv": (
        (2, ASK),
        (0, "9 sent to iwi"),
        (7, "kawe: "),
        (0, "a lost journal"),
        (2, ASK),
        (0, "9 sent to iwi"),
        (0, "9 "),
    ),
    "check monthly.csv --offline": (
        *[(0, "Not asked: ")] * len(CASES),
    ),
}  # fmt: skip
CLAIMS = ("No batch", "No row waits", "No row is held", "Nothing is left to do")


@pytest.fixture(scope="module")
def twin(tmp_path_factory):
    """Give a twin, and the state of somebody who used it with both keys."""
    home = tmp_path_factory.mktemp("claims")
    with at_a_twin(home, rows=range(1, 10)) as person:
        bound = ("--max-tokens", "0")
        assert person.run("submit", "monthly.csv", *ALL, *bound).returncode == 4
        live_alone = home / "live-alone"
        shutil.copytree(person.folder / "home", live_alone)
        person.key = person.twin.address.sandbox_key
        assert person.run("submit", "monthly.csv", "--no-input").returncode == 0
        yield person.twin, person.folder, live_alone


@pytest.fixture
def somebody(twin, tmp_path):
    """Give a function that sets one of `CASES` up in a folder of its own."""
    return lambda case: _somebody(twin, tmp_path / "person", case)


def _somebody(twin, folder, case):
    running, made, live_alone = twin
    shutil.copytree(made, folder)
    person = Person(folder=folder, twin=running)
    if not case.startswith("two"):
        shutil.rmtree(folder / "home")
        shutil.copytree(live_alone, folder / "home")
    if case.endswith("no key"):
        person.environment["KAWE_API_KEY"] = ""
    if case in {"other key", "two, sandbox key"}:
        person.key = running.address.sandbox_key
    if case == "other address":
        person.environment["KAWE_BASE_URL"] = "http://127.0.0.1:9"
    if case == "lost":
        next(folder.rglob("*-live.journal")).unlink()
    return person


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("command", SAID)
def test_what_is_said_about_the_state_is_true(somebody, command, case):
    done = somebody(case).run(*command.split(), "--quiet")
    code, words = SAID[command][list(CASES).index(case)]
    told = done.stdout + done.stderr
    assert (done.returncode, words in told) == (code, True), told
    claims = [each for each in CLAIMS if each in told]
    # The journal that the key names is the one that anybody expects.
    names_it = ONLY in told or OWN in told or case == "two, live key"
    assert not claims or names_it, told
    if code == 0 and ("No batch" in told or "No row waits" in told):
        assert WAITS in told


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("command", ["status", "waiting", "status --write"])
def test_a_program_learns_which_journal_was_read(somebody, command, case):
    done = somebody(case).run(*command.split(), "--json", "--quiet")
    code, words = SAID[command][list(CASES).index(case)]
    assert done.returncode == code
    if code == 6:
        assert (done.stdout, words in done.stderr) == ("", True)
        return
    document = json.loads(done.stdout)
    journals = [
        (each["mode"], each["is_read"], each["counts"].get("deferred", 0))
        for each in document.get("journals", [])
    ]
    assert (document["exit_code"], journals) == (
        code,
        {
            "two, live key": [],
            "two, sandbox key": [("sandbox", True, 0), ("live", False, 9)],
        }.get(case, [("live", True, 9)]),
    )
