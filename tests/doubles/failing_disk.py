"""Commands as real processes on a disk that fails when it is told to.

`tests/faults/io/io_shim.c` stands between the process and the C library. It
is compiled when it is first needed, and needs Linux and a compiler.
"""

from __future__ import annotations

import atexit
import csv
import errno
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from doubles.command import HEADINGS, Person, csv_row
from doubles.power import Kind
from kawe_twin.serving import TwinOptions, start_twin

_SHIM: Final = Path(__file__).parents[1] / "faults" / "io" / "io_shim.c"
_REPORT: Final = struct.Struct("=7Q3Q512s")
DIE: Final = -1
"""In place of an error: the process dies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What goes wrong: the n-th call of a kind, and perhaps all after it."""

    kind: Kind
    number: int
    error: int
    keeps_on: bool = False

    def __str__(self) -> str:
        name = "dies" if self.error == DIE else errno.errorcode[self.error]
        more = " and on" if self.keeps_on else ""
        return f"{self.kind.name.lower()} {self.number}{more}: {name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a command ended, and what its disk saw."""

    code: int
    out: str
    err: str
    calls: tuple[int, ...] = ()
    """How often each kind was called."""
    struck: int = 0
    """How many calls failed."""
    where: str = ""
    """The name of the file at which the first one failed."""
    acts_after: int = 0
    """Requests that change something which left after the first failure."""


def why_not() -> str | None:
    """Say why no disk can fail here, None where it can."""
    if sys.platform != "linux":
        return "only Linux lets a process's calls be stood in for"
    if shutil.which("cc") is None:
        return "there is no C compiler"
    # A shim that does not compile is no reason to skip: it is a fault of ours.
    shim()
    try:
        return _not_heard()
    except subprocess.CalledProcessError:
        return "the C library of this machine cannot be stood in for"


@cache
def shim() -> Path:
    """Compile the library that stands in for the disk."""
    folder = Path(tempfile.mkdtemp(prefix="kawe-disk-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    library = folder / "io_shim.so"
    flags = ("-shared", "-fPIC", "-O2", "-Wall", "-Wno-format-truncation")
    subprocess.run(["cc", *flags, "-o", library, _SHIM], check=True)
    return library


@cache
def _not_heard() -> str | None:
    """Say whether what SQLite asks of the disk passes by the shim."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        told = _disk(folder, fault=None, report=folder.parent / f"{folder.name}.report")
        words = (
            "import json, sqlite3, sys\n"
            "from doubles.forking import _arm\n"
            "_arm(json.loads(sys.argv[1]))\n"
            f"db = sqlite3.connect({str(folder / 'x')!r})\n"
            "db.execute('CREATE TABLE t (x)')\n"
        )
        subprocess.run(
            [sys.executable, "-c", words, json.dumps(told)],
            env=_preloaded(),
            check=True,
        )
        report = Path(told["report"])  # type: ignore[arg-type]
        calls = _REPORT.unpack(report.read_bytes())[:7]
        report.unlink()
    heard = calls[Kind.WRITE] and calls[Kind.FSYNC] and calls[Kind.UNLINK]
    return None if heard else "SQLite is not linked to the C library of this machine"


def _preloaded() -> dict[str, str]:
    path = [
        str(Path(__file__).parents[1]),
        *filter(None, [os.environ.get("PYTHONPATH")]),
    ]
    return {
        **os.environ,
        "LD_PRELOAD": str(shim()),
        "PYTHONPATH": os.pathsep.join(path),
    }


def _disk(
    folder: Path, *, fault: Fault | None, report: Path, log: Path | None = None
) -> dict[str, object]:
    return {
        "folder": str(folder),
        "report": str(report),
        "log": "" if log is None else str(log),
        "kind": -1 if fault is None else int(fault.kind),
        "number": 0 if fault is None else fault.number,
        "error": 0 if fault is None else fault.error,
        "keeps_on": fault is not None and fault.keeps_on,
    }


class Commands:
    """Gives birth to commands; one at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "doubles.forking"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=_preloaded(),
        )

    def load(self) -> None:
        """Carry out a command, so that all that follow have loaded what it needs."""
        with a_person(self._folder / "first", rows=1) as person:
            code = self._end_of(person, submitting(), {})
        assert code == 0, self._text("err")

    def run(
        self,
        person: Person,
        words: Sequence[str],
        *,
        fault: Fault | None = None,
        log: Path | None = None,
    ) -> Ended:
        """Run a command to its end, on a disk that fails as `fault` says."""
        report = self._folder / "report"
        report.unlink(missing_ok=True)
        disk = _disk(person.folder, fault=fault, report=report, log=log)
        code = self._end_of(person, words, {"disk": disk})
        *calls, struck, _, acts_after, where = _REPORT.unpack(report.read_bytes())
        return Ended(
            code=code,
            out=self._text("out"),
            err=self._text("err"),
            calls=tuple(calls),
            struck=struck,
            where=Path(os.fsdecode(where.rstrip(b"\0"))).name,
            acts_after=acts_after,
        )

    def _end_of(
        self, person: Person, words: Sequence[str], more: dict[str, object]
    ) -> int:
        told = {
            "folder": str(person.folder),
            "environment": person.surroundings(),
            "words": list(words),
            "out": str(self._folder / "out"),
            "err": str(self._folder / "err"),
            **more,
        }
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(told).encode() + b"\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def _text(self, name: str) -> str:
        return (self._folder / name).read_text(encoding="utf-8")

    def close(self) -> None:
        """End."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(timeout=60)
        self._process.stdout.close()


@contextmanager
def commands(folder: Path) -> Iterator[Commands]:
    """Have commands, all of kawe loaded, for as long as the block lasts."""
    with closing(Commands(folder)) as born:
        born.load()
        yield born


@contextmanager
def a_person(folder: Path, *, rows: int, attachment: bool = False) -> Iterator[Person]:
    """Have somebody with a workbook of so many rows, before a twin of their own."""
    folder.mkdir()
    home = (folder / "person").resolve()
    home.mkdir()
    _write_workbook(home, rows=rows, attachment=attachment)
    options = TwinOptions(folder=folder / "twin", tokens=rows + 9, rate_limit=1_000_000)
    with start_twin(options) as twin:
        # What the libraries put aside while they work counts too.
        aside = home / "aside"
        aside.mkdir()
        yield Person(folder=home, twin=twin, environment={"TMPDIR": str(aside)})


def _write_workbook(folder: Path, *, rows: int, attachment: bool) -> None:
    headings, lines = list(HEADINGS), [csv_row(number) for number in range(rows)]
    if attachment:
        (folder / "plan.pdf").write_bytes(b"%PDF-1.4\n%%EOF\n")
        headings, lines = [*headings, "Files"], [[*each, "plan.pdf"] for each in lines]
    with (folder / "monthly.csv").open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows([headings, *lines])


def submitting(*more: str) -> tuple[str, ...]:
    """Give the words of a submit that nobody watches."""
    return (
        *("submit", "monthly.csv", "--yes", "999", "--no-input", "--json"),
        *("--settle", "0.2", *more),
    )
