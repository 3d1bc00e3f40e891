"""Builds the application folder, which needs no Python, and packs it into `dist/`."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from pathlib import Path

from release.places import BUILD, DIST, run, version, wheel


def main() -> None:
    """Build for the system that this runs on: PyInstaller makes no other."""
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    run([*pip, "install", "--force-reinstall", "--no-deps", wheel()])
    folder = BUILD / "app"
    words = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR"]
    words += ["--distpath", str(folder), "--workpath", str(BUILD / "app-work")]
    run([*words, Path(__file__).with_name("kawe.spec")])
    system = sysconfig.get_platform().replace("-", "_")
    # A zip keeps no right to run a program.
    kind = "zip" if os.name == "nt" else "gztar"
    name = f"kawe-{version()}-app-{system}"
    path = Path(shutil.make_archive(str(DIST / name), kind, folder, "kawe"))
    print(f"{path.name}: {path.stat().st_size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
