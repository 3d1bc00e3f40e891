"""Runs the lines of the Dockerfile that install kawe, without Docker.

    PYTHONPATH=tests:tools python -m trials.image build/image

The folders of the image lie below the named one. The Python is that of the image where
this machine has it, else this one. What comes out must run the demo.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from other_pythons import program_of
from trials.demo import demo_troubles

ROOT: Final = Path(__file__).resolve().parents[2]


def install_line(dockerfile: str) -> str:
    """Give the command of the first RUN, which installs."""
    line = str(re.findall(r"^RUN ((?:.*\\\n)*.*)$", dockerfile, re.MULTILINE)[0])
    return line.replace("\\\n", " ")


def image_version(dockerfile: str) -> str:
    """Name the Python of the image, such as 3.13."""
    (version, *_) = re.findall(r"^FROM python:(\d+\.\d+)", dockerfile, re.MULTILINE)
    return str(version)


def main() -> int:
    """Build a wheel, install it as the image does, and run the demo."""
    folder = Path(sys.argv[1]).resolve()
    shutil.rmtree(folder, ignore_errors=True)
    given = folder / "tmp" / "kawe"
    given.mkdir(parents=True)
    shutil.copy(ROOT / "constraints.txt", given)
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
    subprocess.run([*build, "--wheel-dir", given, "."], check=True, cwd=ROOT)
    dockerfile = (ROOT / "Dockerfile").read_text("utf-8")
    python = program_of(image_version(dockerfile)) or sys.executable
    line = install_line(dockerfile)
    line = re.sub(r"(?<![\w/])/(opt|tmp)/kawe", rf"{folder}/\1/kawe", line)
    line = re.sub(r"\bpython (?=-m )", f"{python} ", line)
    print(f"{python}: {line}", flush=True)
    subprocess.run(["sh", "-ec", line], check=True, cwd=folder)
    kawe = folder / "opt" / "kawe" / "bin" / "kawe"
    troubles = demo_troubles([str(kawe)], folder, {**os.environ, "HOME": str(folder)})
    print(*troubles or ["What the image installs runs the demo."], sep="\n")
    return len(troubles)


if __name__ == "__main__":
    sys.exit(main())
