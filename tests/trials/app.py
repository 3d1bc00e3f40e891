"""Runs an application folder where there is no Python.

    PYTHONPATH=tests python -m trials.app dist/kawe-...-app-....tar.gz

As root on Linux it runs below a root of its own that has the folder, the C library and
zlib, and nothing else: no Python, no shell, no time zones. Elsewhere PATH is empty.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from trials.demo import demo_troubles

_ROOT: Final = Path(__file__).parents[2]
_SAMPLE: Final = _ROOT / "samples" / "bad" / "200-rows-20-mistakes"
_LINKER: Final = Path("/lib64/ld-linux-x86-64.so.2")
# To an address where nobody listens, and to one of a kind that nobody knows.
_NOTICE: Final = {
    "targets": ["json://127.0.0.1:9", "nonsense://nowhere"],
    "title": "Trial",
    "text": "Trial",
    "tone": "info",
    "within": 20,
}
_LIBRARIES: Final = ("c", "m", "dl", "pthread", "resolv", "rt", "util", "z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where the folder is tried."""

    kawe: Sequence[str]
    """The words that start it."""
    folder: Path
    """Where it runs and writes."""
    surroundings: Mapping[str, str]


def bare_root(archive: Path, root: Path) -> Place:
    """Make a root that has the folder and the C library alone (Linux, as root)."""
    for name in ("dev", "home", "lib64", "tmp", "usr/lib"):
        (root / name).mkdir(parents=True)
    (root / "lib").symlink_to("usr/lib")
    shutil.unpack_archive(archive, root, filter="tar")
    shutil.copy(_LINKER, root / "lib64")
    listed = subprocess.run(["/sbin/ldconfig", "-p"], check=True, capture_output=True)
    for line in listed.stdout.decode().splitlines():
        name, _, path = line.strip().partition(" => ")
        if "x86-64" in name and name.partition(".so")[0][3:] in _LIBRARIES:
            shutil.copy(path, root / "usr" / "lib" / name.partition(" ")[0])
    os.mknod(root / "dev" / "null", 0o020666, os.makedev(1, 3))
    words = ["/usr/sbin/chroot", str(root), "/kawe/kawe"]
    return Place(kawe=words, folder=root, surroundings={"HOME": "/home"})


def bare_path(archive: Path, folder: Path) -> Place:
    """Unpack the folder, and start it with nothing on PATH."""
    shutil.unpack_archive(archive, folder)
    kept = ("SYSTEMROOT", "TEMP", "TMP", "USERPROFILE", "LOCALAPPDATA", "HOME")
    usual = {name: os.environ[name] for name in kept if name in os.environ}
    program = shutil.which("kawe", path=str(folder / "kawe"))
    return Place(kawe=[str(program)], folder=folder, surroundings={**usual, "PATH": ""})


def troubles_of(place: Place) -> Iterator[str]:
    """Run what uses each part of the folder; give a line for all that is wrong."""
    yield from demo_troubles(place.kawe, place.folder, place.surroundings)
    shutil.copytree(_SAMPLE, place.folder / "sample")
    told = json.loads((_SAMPLE / "expected.json").read_text("utf-8"))
    check = ("check", f"sample/{told['workbook']}", "--offline")
    for words, code, says in (
        (check, told["exit_code"], "to correct"),
        (("template", "projects", "-o", "new.xlsx"), 0, "is ready to fill in"),
        (("status", "--journal", "postgresql://kawe@127.0.0.1:9/kawe"), 6, "refused"),
        # kawe starts itself for these two.
        (("doctor", "--as-scheduler"), 2, "No key was given"),
        (("-P", "-m", "kawe.notices.sender"), 0, "refused\nunknown\n"),
    ):
        ended = subprocess.run(
            [*place.kawe, *words],
            check=False,
            cwd=place.folder,
            env=place.surroundings,
            input=json.dumps(_NOTICE),
            text=True,
            encoding="utf-8",
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        if ended.returncode != code or says not in ended.stdout:
            what = f"kawe {' '.join(words)}"
            yield f"{what} ended with {ended.returncode}:\n{ended.stdout}"


def main() -> int:
    """Print what is wrong with an application folder."""
    archive = Path(sys.argv[1]).resolve()
    bare = sys.platform == "linux" and os.geteuid() == 0 and _LINKER.exists()
    with tempfile.TemporaryDirectory(prefix="kawe-app-") as work:
        make = bare_root if bare else bare_path
        wrong = list(troubles_of(make(archive, Path(work) / "root")))
    where = "below a root without Python" if bare else "with nothing on PATH"
    print("\n".join([*wrong, f"{archive.name}, {where}: {len(wrong)} troubles"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
