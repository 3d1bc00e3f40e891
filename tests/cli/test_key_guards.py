"""A key that is not what was meant: refused with code 2, and nothing is sent."""

import pytest

from doubles.answering import Answering, answering, user_in
from doubles.command import csv_row, write_csv
from doubles.terminal import Terminal

YES = ("--yes", "9", "--no-input")
COMMANDS = {
    "check": ("check", "monthly.csv"),
    "plan": ("plan", "monthly.csv", "-o", "plan.json"),
    "submit": ("submit", "monthly.csv", *YES),
    "release": ("release", *YES),
    "export": ("export", "receipts", "-o", "receipts"),
}


@pytest.fixture
def said(newcomer):
    """Stand a service in front of a newcomer with a workbook."""
    write_csv(newcomer.folder / "monthly.csv", [csv_row(1)])
    with answering(Answering(body=user_in("Kaunihera"))) as answers:
        newcomer.environment["KAWE_BASE_URL"] = answers.base_url
        yield answers


@pytest.fixture(params=[("live", "sandbox"), ("test", "live")], ids="-".join)
def asked_for(request, newcomer, said):
    """Give a person a key; give what is asked with it, and its wrong mode."""
    mark, other = request.param
    newcomer.environment["KAWE_API_KEY"] = f"kawe_{mark}_canary7f3a9c21"
    newcomer.write_settings(f'mode = "{other}"')
    return said.asked, other


@pytest.mark.parametrize("name", COMMANDS)
def test_a_key_of_the_other_mode_asks_nothing_at_all(newcomer, asked_for, name):
    asked, mode = asked_for
    done = newcomer.run(*COMMANDS[name])
    assert (done.returncode, f"mode is {mode}" in done.stderr, asked) == (2, True, [])


@pytest.mark.parametrize("name", COMMANDS)
def test_http_to_another_host_is_refused(newcomer, said, name):
    newcomer.environment["KAWE_API_KEY"] = "kawe_live_canary7f3a9c21"
    newcomer.environment["KAWE_BASE_URL"] = "http://service.example"
    assert (
        "not encrypted" in newcomer.stderr_of(*COMMANDS[name], code=2),
        said.asked,
    ) == (True, [])


ODD = "the service calls the account of Kaunihera a sandbox"
YES_TO_IT = "Type yes to go on"


@pytest.fixture
def sandbox_account(newcomer, said):
    """Give a person a live key of an account that is called a sandbox."""
    said.body = user_in("Kaunihera", sandbox=True)
    newcomer.environment["KAWE_API_KEY"] = "kawe_live_canary7f3a9c21"
    return said


@pytest.mark.parametrize("name", ["submit", "release"])
def test_where_nobody_can_be_asked_a_live_key_does_nothing_in_a_sandbox_account(
    newcomer, sandbox_account, name
):
    done = newcomer.run(*COMMANDS[name])
    assert (
        done.returncode,
        ODD in done.stderr,
        'write mode = "live" into' in done.stderr,
        {(method, path) for method, path, _ in sandbox_account.asked},
    ) == (2, True, True, {("GET", "/user")})


@pytest.mark.parametrize("name", ["submit", "release"])
def test_a_person_who_wrote_live_down_is_not_asked(newcomer, sandbox_account, name):
    newcomer.write_settings('mode = "live"')
    done = newcomer.run(*COMMANDS[name])
    assert (ODD in done.stderr, YES_TO_IT in done.stdout) == (False, False)
    assert sandbox_account.asked


@pytest.mark.parametrize(("typed", "goes_on"), [("yes", True), ("y", False)])
def test_a_live_key_in_a_sandbox_account_takes_a_typed_yes(
    newcomer, sandbox_account, *, typed, goes_on
):
    terminal = Terminal(newcomer, "release")
    terminal.answer(YES_TO_IT, typed)
    code = terminal.end()
    said = " ".join(terminal.screen.split())
    assert (ODD in said, code, sandbox_account.asked[0][:2]) == (
        True,
        2,
        ("GET", "/user"),
    )
    assert ("holds no batch yet" in said) is goes_on


def test_a_sandbox_key_of_a_live_account_is_a_sandbox_key(newcomer, said):
    newcomer.environment["KAWE_API_KEY"] = "kawe_test_canary7f3a9c21"
    done = newcomer.run("release", "--no-input")
    state = newcomer.home / ".local/state/kawe/default"
    assert (
        "holds no batch yet" in done.stderr,
        [each.name.split("-")[-1] for each in state.glob("*.journal")],
        said.asked[0][:2],
    ) == (True, ["sandbox.journal"], ("GET", "/user"))


def test_a_journal_of_live_sends_is_not_one_for_a_sandbox_key(newcomer, said):
    newcomer.environment["KAWE_API_KEY"] = "kawe_live_canary7f3a9c21"
    newcomer.run("release", "--no-input", "--journal", "one.journal")
    newcomer.environment["KAWE_API_KEY"] = "kawe_test_canary7f3a9c21"
    done = newcomer.run("release", "--no-input", "--journal", "one.journal")
    assert (done.returncode, "(live), but the key is for" in done.stderr) == (6, True)
    assert said.asked


def test_the_key_of_an_iwi_sends_no_projects_and_is_asked_no_more(newcomer, said):
    said.body = {
        "id": "11111111-1111-4111-8111-111111111111",
        "teams": [],
        "iwi": [{"id": "22222222-2222-4222-8222-222222222222", "name": "Tauira"}],
    }
    newcomer.environment["KAWE_API_KEY"] = "kawe_live_canary7f3a9c21"
    done = newcomer.run(*COMMANDS["submit"])
    asked = {(method, path) for method, path, _ in said.asked}
    assert (done.returncode, "an iwi account" in done.stderr, asked) == (
        2,
        True,
        {("GET", "/user")},
    )
