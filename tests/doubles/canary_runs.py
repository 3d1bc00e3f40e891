"""A campaign of runs with keys that must appear in no byte written anywhere.

One person goes through a month of kawe, with debugging on: every command, wrong
keys, no tokens, kills, crashes, a service that says the key back. What each run
says is kept, what its disk is asked to write is recorded where that is possible,
and everything is looked through at the end.
"""

from __future__ import annotations

import json
import os
import random
import re
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from doubles.answering import Answering, answering
from doubles.canary import Hunt
from doubles.command import Person, csv_row, write_csv
from doubles.failing_disk import Commands
from doubles.planting import PLACES
from doubles.power import Kind, read_log
from kawe_twin.serving import RunningTwin

YES: Final = ("--yes", "99", "--no-input", "--settle", "0.2")
ROWS: Final = 5
_SAYS_ALL: Final = (
    "import os, sys; sys.stdout.write(sys.stdin.read() + str(os.environ))"
)
_ECHOES: Final = (
    "Bearer {key} is not known here",
    '{{"error": "no such key: {key}"}}',
    '{{"success": false, "message": "{escaped}", "status_code": 400}}',
)


@dataclass(slots=True, kw_only=True)
class Month:
    """A person's month, and everything that was written in it."""

    person: Person
    hunt: Hunt = field(default_factory=Hunt)
    born: Commands | None = None
    """Records what the disk is asked, where that is possible."""
    runs: int = 0
    faults: int = 0
    codes: list[int] = field(default_factory=list)
    spared: set[Path] = field(default_factory=set)
    """Files that are there to hold a key."""
    complaints: list[str] = field(default_factory=list)
    projects: list[dict[str, Any]] = field(default_factory=list)
    """What the service has at the end."""

    def run(self, *words: str) -> int:
        """Run a command and look through all that it said and wrote."""
        self.runs += 1
        name = " ".join(words)
        if self.born is None:
            done = self.person.run(*words)
            self._said(name, done.stdout.encode() + done.stderr.encode())
            code = done.returncode
        else:
            log = self.person.folder.parent / "asked.log"
            log.unlink(missing_ok=True)
            ended = self.born.run(self.person, words, log=log)
            self._said(name, f"{ended.out}{ended.err}".encode())
            self._asked(name, log)
            code = ended.code
        self.codes.append(code)
        return code

    def _said(self, name: str, said: bytes) -> None:
        self.hunt.look(f"what was said by kawe {name}", said)

    def _asked(self, name: str, log: Path) -> None:
        """Look through what the disk was asked, what was deleted again too."""
        written: dict[str, bytearray] = {}
        for record in read_log(log):
            if record.asked is Kind.SEND:
                continue
            data = written.setdefault(record.path, bytearray())
            data += record.data
        for path, data in written.items():
            where = f"what kawe {name} wrote into {path}"
            self.hunt.look(f"the name of {path}", path.encode())
            if not _is_for_keys(Path(path)):
                self.hunt.look(where, bytes(data))

    def process(
        self, words: Sequence[str], *, planted: str | None = None
    ) -> subprocess.Popen[bytes]:
        """Start a command as a process of its own, whose memory may be dumped."""
        self.runs += 1
        self.faults += 1
        module = "kawe" if planted is None else "doubles.planting"
        program = [sys.executable, "-m", module, *filter(None, [planted]), *words]
        tests = str(Path(__file__).parents[1])
        return subprocess.Popen(
            # A shell sets the limit, so that nothing runs between fork and exec.
            ["/bin/sh", "-c", 'ulimit -c unlimited; exec "$@"', "sh", *program],
            cwd=self.person.folder,
            env={**self.person.surroundings(), "PYTHONPATH": tests},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    def crash(self, where: str, *words: str) -> None:
        """Run a command that breaks at a planted place."""
        process = self.process(words, planted=where)
        said, _ = process.communicate(timeout=120)
        self.codes.append(process.returncode)
        self._said(f"{' '.join(words)} with a fault at {where}", said)

    def end_early(self, number: signal.Signals, *, after: float, words: str) -> None:
        """Run a command and send it a signal at some moment."""
        process = self.process(words.split())
        _until_begun(process)
        time.sleep(after)
        if process.poll() is None:
            process.send_signal(number)
        said, _ = process.communicate(timeout=120)
        self.codes.append(process.returncode)
        self._said(f"{words} ended by {number.name}", said)

    def look_everywhere(self) -> None:
        """Look through every file that is there, and at those that hold a key."""
        folder = self.person.folder
        keys = {path for path in folder.rglob("*") if _is_for_keys(path)}
        for path in sorted(keys | self.spared):
            rights = stat.S_IMODE(path.stat().st_mode)
            if rights != 0o600:
                self.complaints.append(f"{path} has the rights {rights:o}")
        self.hunt.look_below(folder, sparing=keys | self.spared)
        self.complaints += [
            f"{path} is what was in memory"
            for path in folder.rglob("*")
            if path.name.startswith("core")
        ]


def _until_begun(process: subprocess.Popen[bytes]) -> None:
    """Wait for kawe's first line: before it, the process is not kawe's to guard."""
    limits = Path("/proc") / str(process.pid) / "limits"
    deadline = time.monotonic() + 30
    while limits.exists() and process.poll() is None and time.monotonic() < deadline:
        if re.search(r"Max core file size\s+0\s", limits.read_text("utf-8")):
            return
        time.sleep(0.005)


def _is_for_keys(path: Path) -> bool:
    parent = path.parent
    is_there = parent.name == "keys" and parent.parent.name == "kawe"
    return is_there and not path.is_dir()


def a_month(
    folder: Path, *, twin: RunningTwin, born: Commands | None, hunt: Hunt
) -> Month:
    """Sit a person down with a workbook, debugging on, and the twin's key."""
    home = folder.resolve()
    (home / "aside").mkdir(parents=True)
    write_csv(home / "monthly.csv", [csv_row(number) for number in range(ROWS)])
    teller = f"{sys.executable} -c '{_SAYS_ALL}'"
    person = Person(
        folder=home,
        twin=twin,
        key=twin.address.live_key,
        environment={
            "KAWE_DEBUG": "1",
            "TMPDIR": str(home / "aside"),
            "PYTHONFAULTHANDLER": "1",
            "PYTHONDEVMODE": "1",
        },
    )
    own = home / "home" / "config" / "kawe"
    own.mkdir(parents=True)
    text = f"[notify]\ncommand = {json.dumps(teller)}\n"
    (own / "kawe.toml").write_text(text, encoding="utf-8")
    for key in (twin.address.live_key, twin.address.sandbox_key):
        hunt.watch(key)
    return Month(person=person, born=born, hunt=hunt)


def ordinary(month: Month) -> None:
    """Go through what a person does when nothing goes wrong but the tokens."""
    for words in (
        ("doctor", "--settings"),
        ("doctor",),
        ("doctor", "--json", "--as-scheduler"),
        ("check", "monthly.csv"),
        ("plan", "monthly.csv", "-o", "plan.json"),
        ("submit", "plan.json", *YES),
        ("status", "--json"),
        ("waiting",),
    ):
        month.run(*words)
    month.person.twin.buy_tokens(5)
    for words in (
        ("release", *YES, "--json"),
        ("submit", "monthly.csv", *YES),
        ("status", "--write", "--json"),
        ("export", "receipts", "-o", "receipts"),
        ("journal", "verify"),
    ):
        month.run(*words)


def mistaken(month: Month, *, chance: random.Random) -> None:
    """Use wrong keys, wrong modes, wrong addresses, and files that others read."""
    person, right = month.person, month.person.key
    letters = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"
    person.key = "kawe_live_" + "".join(chance.choices(letters, k=32))
    month.hunt.watch(person.key)
    month.run("submit", "monthly.csv", *YES)
    month.run("doctor")
    month.run("init", "--no-input")
    person.key = right
    key = person.folder / "open.key"
    key.write_text(str(right), encoding="utf-8")
    key.chmod(0o600)
    month.spared.add(key)
    month.run("check", "monthly.csv", "--base-url", "http://service.example")
    near, chosen = person.folder / "kawe.toml", person.folder / "chosen.toml"
    for text in (
        'mode = "sandbox"',
        f'key_file = "{key}"\nmode = "live"',
        'settle = "x"',
    ):
        near.write_text(text, encoding="utf-8")
        month.run("release", *YES)
        near.rename(chosen)
        person.environment["KAWE_CONFIG"] = str(chosen)
        month.run("release", *YES)
        del person.environment["KAWE_CONFIG"]
        chosen.unlink()


def kept(month: Month) -> None:
    """Let kawe keep the key, and work with what it keeps."""
    person, key = month.person, month.person.folder / "open.key"
    month.run("init", "--no-input", "--key-file", str(key))
    person.environment["KAWE_API_KEY"] = ""
    for words in (("doctor", "--settings"), ("doctor", "--json"), ("release", *YES)):
        month.run(*words)
    month.crash("account", "doctor")
    with answering(Answering()) as said:
        month.run("release", *YES, "--base-url", said.base_url)
    del person.environment["KAWE_API_KEY"]


def echoed(month: Month, *, statuses: Sequence[int]) -> None:
    """Ask a service that says the key back, in its words and in escapes."""
    person = month.person
    key = str(person.key)
    escaped = "".join(f"\\u{ord(each):04x}" for each in key)
    for number, form in enumerate(_ECHOES):
        body = form.format(key=key, escaped=escaped)
        for http_status in statuses:
            said = Answering(http_status=http_status, body=body)
            with answering(said):
                person.environment["KAWE_BASE_URL"] = said.base_url
                words = ("check", "monthly.csv", "--result", f"echo{number}.xlsx")
                # What the service says may pass is asked again for a while.
                if http_status in {400, 401, 403}:
                    month.run(*words)
                month.run("doctor")
    del person.environment["KAWE_BASE_URL"]


def broken(month: Month, *, places: Sequence[str]) -> None:
    """Crash submits of new rows at planted places, then let them go on."""
    for number, where in enumerate(places):
        name = f"broken{number}.csv"
        rows = [csv_row(100 * (number + 1) + each) for each in range(2)]
        write_csv(month.person.folder / name, rows)
        month.person.twin.buy_tokens(5)
        month.crash(where, "submit", name, *YES)
        month.run("submit", name, *YES)


def ended(
    month: Month, *, chance: random.Random, signals: Sequence[signal.Signals]
) -> None:
    """End submits of new rows at any moment, then let them go on."""
    for number, each in enumerate(signals):
        name = f"ended{number}.csv"
        rows = [csv_row(5000 + 100 * number + row) for row in range(ROWS)]
        write_csv(month.person.folder / name, rows)
        month.person.twin.buy_tokens(5)
        words = " ".join(("submit", name, *YES))
        month.end_early(each, after=chance.uniform(0.0, 2.5), words=words)
        month.run("submit", name, *YES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much of everything there is."""

    statuses: tuple[int, ...] = (200, 400, 401, 403, 500)
    places: tuple[str, ...] = (*PLACES, "abort")
    signals: tuple[signal.Signals, ...] = (
        signal.SIGKILL,
        signal.SIGABRT,
        signal.SIGINT,
        signal.SIGTERM,
    )


SHORT: Final = Size(statuses=(403,), places=("wire",), signals=(signal.SIGKILL,))


def go_through(month: Month, *, chance: random.Random, size: Size) -> None:
    """Go through everything, then look everywhere."""
    ordinary(month)
    mistaken(month, chance=chance)
    echoed(month, statuses=size.statuses)
    broken(month, places=size.places)
    ended(month, chance=chance, signals=size.signals)
    kept(month)
    month.look_everywhere()
    month.projects = month.person.state()["projects"]
    if os.environ.get("KAWE_API_KEY"):
        month.complaints.append("the tests themselves were given a key")
