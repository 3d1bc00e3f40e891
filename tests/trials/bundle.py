"""Installs a bundle as its page says, with no registry to be reached.

    PYTHONPATH=tests python -m trials.bundle dist/kawe-...-bundle-....zip

The commands are those of the page in the bundle. Then a wheel is altered, and the same
commands must be refused.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path
from typing import Final

from trials.demo import demo_troubles

# Nothing listens there: a command that asks anything of a registry fails at once.
_NOWHERE: Final = "http://127.0.0.1:9"
_ALTERED: Final = ("httpx-", "kawe-")


def commands(page: str) -> list[str]:
    """Give the commands that the page of a bundle has for this system."""
    prompt = "py -" if os.name == "nt" else "python3."
    after = page[page.index(f"    {prompt}") :]
    return [line.strip() for line in re.findall(r"^    .+$", after, re.MULTILINE)[:2]]


def alone() -> dict[str, str]:
    """Give surroundings in which pip and kawe reach nothing."""
    kept = ("HOME", "PATH", "SYSTEMROOT", "TEMP", "TMP", "USERPROFILE", "LOCALAPPDATA")
    proxies = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
    return {
        **{name: os.environ[name] for name in kept if name in os.environ},
        **dict.fromkeys((*proxies, "PIP_INDEX_URL"), _NOWHERE),
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }


def typed(folder: Path) -> tuple[int, str]:
    """Type the commands of the page in its folder; give the code and what was said."""
    said = ""
    for line in commands((folder / "README.txt").read_text("utf-8")):
        ended = subprocess.run(
            line,
            check=False,
            shell=True,
            cwd=folder,
            env=alone(),
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        said += ended.stdout
        if ended.returncode:
            return ended.returncode, said
    return 0, said


def unpacked(archive: Path, folder: Path) -> Path:
    """Unpack a bundle into a new folder; give the one that is in it."""
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(folder)
    (within,) = folder.iterdir()
    return within


def troubles_of(archive: Path, work: Path) -> list[str]:
    """Install and run; give a line for all that is not as it should be."""
    begun = time.monotonic()
    bundle = unpacked(archive, work / "a folder")
    code, said = typed(bundle)
    if code:
        return [f"The commands of the page end with {code}:\n{said}"]
    print(f"installed in {time.monotonic() - begun:.0f} s")
    scripts = bundle / "kawe" / ("Scripts" if os.name == "nt" else "bin")
    wrong = demo_troubles([str(scripts / "kawe")], work, alone())
    for name in _ALTERED:
        bundle = unpacked(archive, work / f"altered {name}")
        (wheel,) = (bundle / "wheels").glob(f"{name}*.whl")
        with zipfile.ZipFile(wheel, "a") as packed:
            packed.writestr("somebody_else.py", "")
        code, said = typed(bundle)
        if code == 0 or "DO NOT MATCH THE HASHES" not in said:
            wrong.append(
                f"{wheel.name} was altered, and pip ended with {code}:\n{said}"
            )
    return wrong


def main() -> int:
    """Print what is wrong with a bundle, and how long it took."""
    with tempfile.TemporaryDirectory(prefix="kawe-bundle-") as folder:
        wrong = troubles_of(Path(sys.argv[1]).resolve(), Path(folder))
    print("\n".join([*wrong, f"{Path(sys.argv[1]).name}: {len(wrong)} troubles"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
