"""A key that is not what was meant: refused with code 2, and nothing is sent."""

from __future__ import annotations

import pytest

from doubles.answering import Answering, answering, user_in
from doubles.command import csv_row, write_csv

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
    done = newcomer.run(*COMMANDS[name])
    assert (done.returncode, "not encrypted" in done.stderr, said.asked) == (
        2,
        True,
        [],
    )


@pytest.mark.parametrize("mark", ["live", "test"])
def test_an_account_of_the_other_mode_is_asked_who_it_is_and_no_more(
    newcomer, said, mark
):
    said.body = user_in("Kaunihera", sandbox=mark == "live")
    newcomer.environment["KAWE_API_KEY"] = f"kawe_{mark}_canary7f3a9c21"
    done = newcomer.run(*COMMANDS["submit"])
    asked = {(method, path) for method, path, _ in said.asked}
    assert (done.returncode, "not clear" in done.stderr, asked) == (
        2,
        True,
        {("GET", "/user")},
    )


def test_the_key_of_an_iwi_is_asked_who_it_is_and_no_more(newcomer, said):
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
