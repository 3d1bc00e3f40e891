"""Tab in a real bash completes commands, workbooks and batches."""

import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path
from select import select

import pytest

from doubles.command import csv_row, write_csv

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
# Completion runs the real program; what is entered then only shows its words.
_SECONDS = 30
_SHOW = """\
kawe() { printf '<%s>' "$@"; echo; }
bind 'set bell-style none'
bind 'set enable-bracketed-paste off'
PS1=
echo re''ady
"""


@pytest.fixture
def bash(person_with, tmp_path):
    """Give a function that enters lines in a bash, and gives the words that it ran."""
    person = person_with(tokens=1)
    write_csv(person.folder / "my month.csv", [csv_row(n) for n in range(2)])
    assert person.run("submit", "my month.csv", "--yes", "2").returncode == 4
    script = tmp_path / "completion.bash"
    script.write_text(_source(person), "utf-8")

    def entered(*lines):
        return _typed(person, [f". {script}", *_SHOW.splitlines()], lines)

    entered.folder = person.folder
    return entered


def _source(person):
    asked = {**person.surroundings(), "_KAWE_COMPLETE": "bash_source"}
    program = Path(sys.executable).with_name("kawe")
    done = subprocess.run([program], env=asked, capture_output=True, check=True)
    return done.stdout.decode()


def _typed(person, before, lines):
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        ["bash", "--norc", "--noprofile", "-i"],
        cwd=person.folder,
        env={
            **person.surroundings(),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "TERM": "dumb",
        },
        stdin=theirs,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    os.close(theirs)
    os.write(ours, "\n".join([*before, ""]).encode())
    # What is typed is shown too, and is not this word.
    said = _until(ours, "ready")
    for line in lines:
        os.write(ours, f"{line}\n".encode())
        said += _until(ours, ">\r\n")
    os.write(ours, b"exit\n")
    process.wait(timeout=60)
    os.close(ours)
    return [each for each in said.splitlines() if each.startswith("<")]


def _until(ours, words):
    said = ""
    while words not in said and select([ours], [], [], _SECONDS)[0]:
        said += os.read(ours, 65536).decode("utf-8", "replace")
    return said


def test_tab_completes_commands_options_files_and_batches(bash):
    (bash.folder / "attachments").mkdir()
    (bash.folder / "attachments" / "next.xlsx").touch()
    (bash.folder / "my notes.xlsx").touch()
    assert bash(
        "kawe subm\t --upd\t",
        "kawe submit my\\ n\t",
        "kawe submit 'my n\t",
        "kawe check att\tn\t",
        "kawe status my\t",
        # Another journal has no such batch.
        "kawe status --journal none my\t",
    ) == [
        "<submit><--update-drafts>",
        "<submit><my notes.xlsx>",
        "<submit><my notes.xlsx>",
        "<check><attachments/next.xlsx>",
        "<status><my-month>",
        "<status><--journal><none><my>",
    ]
