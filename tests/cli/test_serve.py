"""What `kawe serve` tells the person who starts it."""

import signal
import subprocess
import sys

import httpx
import pytest


@pytest.fixture
def served(tmp_path):
    """Give a function that starts `kawe serve`, and its words."""
    started = []

    def start(*options):
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "kawe", "serve", "--folder", str(tmp_path)),
                *("--port", "0", "--storage-port", "0", *options),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        started.append(process)
        said = ""
        # The secret of what was started comes last.
        last = "Its secret:" if "--faults" in options else "to sign in there:"
        while last not in said:
            line = process.stdout.readline()
            assert line, said
            said += line
        return said

    yield start
    for process in started:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)


def after(said, words):
    return said.partition(words)[2].split()[0]


def test_serve_tells_where_tokens_are_bought(served):
    said = served()
    portal = after(said, "buy tokens at ")
    assert portal == after(said, "The service is running at ") + "/portal/"
    assert said.splitlines()[0].endswith(portal)
    root = httpx.get(
        portal.removesuffix("portal/"), follow_redirects=True, verify=False
    )
    assert (root.status_code, str(root.url)) == (200, f"{portal}sign-in?next=/portal/")
    assert "switchboard" not in said


def test_serve_with_faults_tells_of_the_switchboard(served):
    said = served("--faults", "--switchboard-port", "0")
    headers = {"X-Switchboard-Secret": after(said, "Its secret:")}
    url = after(said, "The switchboard is at ")
    assert httpx.get(f"{url}/faults", headers=headers, verify=False).json() == []


@pytest.mark.parametrize(
    "case",
    [
        ("other --faults", 2, "at port {}, 0 or 8752, or the system keeps it. If it "),
        ("other", 2, "at port {} or 0, or the system keeps it. If it is kawe serve, "),
        (". --port 0", 5, "twin.sqlite3 cannot be used: a twin that is running has it"),
    ],
)
def test_a_port_or_a_folder_that_is_taken_is_named(served, tmp_path, case):
    words, code, said = case
    port = after(served(), "The service is running at ").split(":")[2].split("/")[0]
    folder, *more = words.split()
    at = ("serve", "--folder", tmp_path / folder, "--storage-port", "0", "--port", port)
    again = subprocess.run(
        [sys.executable, "-m", "kawe", *at, *more],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (again.returncode, said.format(port) in again.stderr) == (code, True)
