"""`kawe init`: wrong input first, then everything kept where it belongs."""

import json
import os
import re
import signal
import tomllib
from pathlib import Path

import pytest

from doubles.answering import Answering, answering, user_in
from doubles.terminal import Terminal
from kawe_twin.serving import TwinOptions, start_twin

CANARY = "kawe_live_canary7f3a9c21"
TESTS = str(Path(__file__).parents[1])


@pytest.fixture(scope="module")
def twin(tmp_path_factory):
    folder = tmp_path_factory.mktemp("twin")
    with start_twin(TwinOptions(folder=folder, tokens=9)) as running:
        yield running.address


def answered(terminal, *pairs):
    for question, text in pairs:
        terminal.answer(question, text)


def files(newcomer):
    """Give every file that was written, with its rights, but log and the like."""
    return {
        str(path.relative_to(newcomer.home)): f"{path.stat().st_mode:o}"
        for path in newcomer.home.rglob("*")
        if path.is_file() and "state" not in path.parts
    }


def settings(newcomer):
    return tomllib.loads((newcomer.settings / "kawe.toml").read_text("utf-8"))


ADDRESS, KEY, SURE = "Address of the service", "it is not shown", "want to use?"
KEPT_FILES = {
    ".config/kawe/kawe.toml": "100600",
    ".config/kawe/keys/default.json": "100600",
}


def test_what_is_typed_wrongly_is_asked_for_again(newcomer, twin):
    terminal = Terminal(newcomer, "init")
    answered(
        terminal,
        (ADDRESS, "service"),
        (ADDRESS, "http://service.example"),
        (ADDRESS, "http://127.0.0.1:9"),
        (ADDRESS, twin.api_url),
        (KEY, "two words"),
        (KEY, CANARY),
        (KEY, twin.live_key),
        (SURE, "y"),
    )
    code = terminal.end()
    said = [
        "no web address",
        "not encrypted",
        "Nothing listens there.",
        "That is no key.",
        "refused the key (401)",
        "A live key of Kaunihera o Tauira (twin)",
        "it has 9 tokens",
        "Next: kawe doctor",
    ]
    assert (code, [words for words in said if words not in terminal.screen]) == (0, [])
    assert (settings(newcomer), files(newcomer)) == (
        {"base_url": twin.api_url, "mode": "live", "key_store": "file"},
        KEPT_FILES,
    )
    assert [key for key in (CANARY, twin.live_key) if key in terminal.screen] == []


def test_a_key_typed_where_the_address_belongs_is_not_repeated_in_words(newcomer, twin):
    terminal = Terminal(newcomer, "init")
    terminal.answer(ADDRESS, CANARY)
    answered(terminal, (ADDRESS, twin.api_url), (KEY, twin.live_key), (SURE, ""))
    code = terminal.end()
    # Once, where the terminal itself showed what was typed.
    assert (code, terminal.screen.count(CANARY)) == (0, 1)


def test_the_wrong_mode_can_be_taken_back(newcomer, twin):
    terminal = Terminal(newcomer, "init", "--base-url", twin.api_url)
    answered(
        terminal,
        (KEY, twin.live_key),
        (SURE, "n"),
        (KEY, twin.sandbox_key),
        (SURE, "y"),
    )
    assert (terminal.end(), settings(newcomer)["mode"]) == (0, "sandbox")


def test_ctrl_c_keeps_nothing(newcomer, twin):
    terminal = Terminal(newcomer, "init", "--base-url", twin.api_url)
    terminal.wait_for(KEY)
    os.killpg(terminal.process.pid, signal.SIGINT)
    assert (terminal.end(), files(newcomer)) == (130, {})


def test_after_five_tries_it_ends(newcomer, twin):
    terminal = Terminal(newcomer, "init", "--base-url", twin.api_url)
    for _ in range(5):
        terminal.answer(KEY, "two words")
    assert (terminal.end(), files(newcomer)) == (2, {})


def test_the_team_is_asked_for_where_there_are_several(newcomer):
    said = Answering(body=user_in("Kaunihera", "Rūnanga ā-rohe"))
    with answering(said):
        terminal = Terminal(newcomer, "init", "--base-url", said.base_url)
        answered(terminal, (KEY, CANARY), ("Number of the team", "2"), (SURE, ""))
        code = terminal.end()
    assert (code, settings(newcomer)["team"]) == (0, "Rūnanga ā-rohe")


def test_without_a_terminal_everything_is_given(newcomer, twin):
    newcomer.environment["KAWE_API_KEY"] = twin.sandbox_key
    document = newcomer.document(
        "init", "--base-url", twin.api_url, "--profile", "sandbox", "--no-input"
    )
    assert (document, settings(newcomer)) == (
        {
            "schema": "kawe.init/1",
            "exit_code": 0,
            "profile": "sandbox",
            "base_url": twin.api_url,
            "mode": "sandbox",
            "team": None,
            "key_store": "file",
            "settings_file": str(newcomer.settings / "kawe.toml"),
            "remarks": [
                "But here the key is taken from KAWE_API_KEY, which comes first."
            ],
        },
        {
            "profile": {
                "sandbox": {
                    "base_url": twin.api_url,
                    "mode": "sandbox",
                    "key_store": "file",
                }
            }
        },
    )


def keep(newcomer, address, *words, key=None):
    return newcomer.run(
        "init",
        "--no-input",
        "--base-url",
        address.api_url,
        "--key-file",
        str(newcomer.write_key(key or address.live_key)),
        *words,
    )


def test_what_was_kept_is_used(newcomer, twin):
    keep(newcomer, twin)
    newcomer.write_key("gone")
    document = newcomer.document("doctor")
    teams = [each["words"] for each in document["signs"] if each["about"] == "team"]
    assert (document["exit_code"], teams) == (0, ["Kaunihera o Tauira (twin)"])


def test_doing_it_again_with_a_new_key_changes_the_key_alone(newcomer, twin):
    keep(newcomer, twin)
    own = newcomer.settings / "kawe.toml"
    own.write_text(f"# mine\n{own.read_text('utf-8')}", "utf-8")
    before = own.read_text("utf-8")
    path = newcomer.settings / "keys" / "default.json"
    path.write_text(json.dumps({"base_url": twin.api_url, "key": "old"}), "utf-8")
    done = keep(newcomer, twin)
    kept = json.loads(path.read_text("utf-8"))
    assert (done.returncode, own.read_text("utf-8"), kept["key"] == twin.live_key) == (
        0,
        before,
        True,
    )


def test_settings_that_say_otherwise_are_left_and_no_key_is_kept(newcomer, twin):
    own = newcomer.write_settings('# mine\nbase_url = "https://other.example.nz"\n')
    before = own.read_text("utf-8")
    done = keep(newcomer, twin)
    assert (
        done.returncode,
        "says something else already: base_url" in done.stderr,
        own.read_text("utf-8"),
        (newcomer.settings / "keys").exists(),
    ) == (2, True, before, False)


def with_keyring(newcomer, kind):
    newcomer.environment |= {
        "PYTHON_KEYRING_BACKEND": f"doubles.keyrings.{kind}",
        "PYTHONPATH": TESTS,
        "KAWE_TEST_KEYRING": str(newcomer.home / "keyring"),
    }


def test_a_keyring_keeps_the_key_where_there_is_one(newcomer, twin):
    with_keyring(newcomer, "FolderKeyring")
    done = keep(newcomer, twin)
    (newcomer.home / "service.key").unlink()
    document = newcomer.document("doctor")
    written = (newcomer.settings / "kawe.toml").read_text("utf-8")
    assert (
        done.returncode,
        "keyring (Test Keyring)" in done.stdout,
        document["exit_code"],
        sorted(files(newcomer)),
        twin.live_key in written,
    ) == (0, True, 0, [".config/kawe/kawe.toml", "keyring"], False)


def test_a_file_can_be_chosen_although_there_is_a_keyring(newcomer, twin):
    with_keyring(newcomer, "FolderKeyring")
    done = keep(newcomer, twin, "--store", "file")
    assert (done.returncode, settings(newcomer)["key_store"]) == (0, "file")


@pytest.mark.parametrize("kind", ["LockedKeyring", "ForgetfulKeyring"])
def test_a_keyring_that_keeps_nothing_is_code_2_and_nothing_is_written(
    newcomer, twin, kind
):
    with_keyring(newcomer, kind)
    done = keep(newcomer, twin)
    (newcomer.home / "service.key").unlink()
    assert (done.returncode, files(newcomer), twin.live_key in done.stderr) == (
        2,
        {},
        False,
    )


def test_a_keyring_that_there_is_not_is_code_2(newcomer, twin):
    done = keep(newcomer, twin, "--store", "keyring")
    assert (done.returncode, "no keyring" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    "refusal",
    [
        (("--base-url", "service"), 2, "no web address"),
        (("--base-url", "http://service.example"), 2, "not encrypted"),
        (("--base-url", "http://127.0.0.1:9"), 7, "Nothing listens there."),
        (("--base-url", CANARY), 2, "looks like a key"),
        (("--profile", "a b"), 2, "no name for a profile"),
        (("--mode", "sandbox"), 2, "is a live key, and the settings say mode"),
        (("--team", "Another"), 2, "not in a team called Another"),
    ],
    ids=lambda refusal: refusal[2],
)
def test_what_cannot_be_used_is_refused_and_nothing_is_kept(newcomer, twin, refusal):
    words, code, said = refusal
    done = keep(newcomer, twin, *words)
    (newcomer.home / "service.key").unlink()
    assert (done.returncode, said in done.stderr, files(newcomer)) == (code, True, {})
    assert CANARY not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("words", "code", "kept"),
    [((), 2, False), (("--mode", "live"), 0, True)],
    ids=["unsaid", "said"],
)
def test_a_live_key_of_a_sandbox_account_is_kept_when_live_is_said(
    newcomer, *, words, code, kept
):
    newcomer.environment["KAWE_API_KEY"] = CANARY
    with answering(Answering(body=user_in("Kaunihera", sandbox=True))) as said:
        url = ("--base-url", said.base_url)
        done = newcomer.run("init", "--no-input", "--store", "file", *url, *words)
    assert (
        done.returncode,
        "the service calls the account of Kaunihera a sandbox" in done.stderr,
        (newcomer.settings / "kawe.toml").exists(),
    ) == (code, not kept, kept)


def test_at_a_terminal_an_odd_account_is_said_before_the_key_is_agreed_to(newcomer):
    with answering(Answering(body=user_in("Kaunihera", sandbox=True))) as said:
        terminal = Terminal(newcomer, "init", "--base-url", said.base_url)
        answered(terminal, (KEY, "kawe_live_1"), (SURE, "y"))
        code = terminal.end()
    words = " ".join(terminal.screen.split())
    assert (code, words.index("a sandbox: what is sent") < words.index(SURE)) == (
        0,
        True,
    )


def test_a_wrong_key_is_not_kept(newcomer, twin):
    done = keep(newcomer, twin, key=CANARY)
    (newcomer.home / "service.key").unlink()
    assert (done.returncode, "(401)" in done.stderr, files(newcomer)) == (7, True, {})


def test_the_key_of_an_iwi_is_kept(newcomer, twin):
    done = keep(newcomer, twin, key=twin.iwi_key)
    (newcomer.home / "service.key").unlink()
    assert (done.returncode, files(newcomer)) == (0, KEPT_FILES)


def test_with_nothing_given_and_nobody_to_ask_it_says_what_is_needed(newcomer):
    done = newcomer.run("init")
    said = "No address of the service was given. Give --base-url, or set KAWE_BASE_URL."
    assert (done.returncode, done.stderr) == (2, f"kawe: {said}\n")


def test_a_kept_key_is_refused_for_another_address_with_code_2(newcomer, twin):
    keep(newcomer, twin)
    with answering(Answering(body=user_in("Elsewhere"))) as said:
        done = newcomer.run("release", "--no-input", "--base-url", said.base_url)
    assert (done.returncode, "is kept for" in done.stderr, said.asked) == (2, True, [])


def test_a_folder_cannot_lead_the_key_elsewhere(newcomer, twin):
    newcomer.environment["KAWE_API_KEY"] = twin.live_key
    with answering(Answering(body=user_in("Elsewhere"))) as said:
        text = f'base_url = "{said.base_url}"'
        (newcomer.folder / "kawe.toml").write_text(text, "utf-8")
        done = newcomer.run("release", "--no-input")
    assert (done.returncode, "not named yourself" in done.stderr, said.asked) == (
        2,
        True,
        [],
    )


def test_the_words_of_the_end_say_where_everything_is(newcomer, twin):
    done = keep(newcomer, twin)
    lines = re.sub(re.escape(str(newcomer.home)), "~", done.stdout).splitlines()
    file, url = "~/.config/kawe/keys/default.json", twin.api_url
    assert lines == [
        "",
        f"The key is kept in {file}, which only you can read, for {url} alone.",
        "The settings are in ~/.config/kawe/kawe.toml.",
        "Next: kawe doctor",
    ]
