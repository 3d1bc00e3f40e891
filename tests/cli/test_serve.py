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


def test_a_port_that_is_taken_is_named_and_so_is_a_way_out(served, tmp_path):
    port = after(served(), "The service is running at ").split(":")[2].split("/")[0]
    again = subprocess.run(
        [
            *(sys.executable, "-m", "kawe", "serve", "--folder", tmp_path / "other"),
            *("--port", port, "--storage-port", "0"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (again.returncode, again.stderr.splitlines()) == (
        2,
        [
            (
                "kawe: Another program on this computer listens at one of the ports "
                f"{port} and 0. If it is kawe serve, use that one. Else choose free "
                "ports: kawe serve --port 0 --storage-port 0"
            )
        ],
    )
