"""Builds sdist and wheel into `dist/`: twice, in two folders, equal byte for byte.

What git does not know is in neither: a file that somebody left in the project's
folder is not published. The one exception is the site, which `make docs` makes anew.
"""

from __future__ import annotations

import filecmp
import shutil
import sys
from pathlib import Path
from typing import Final

from build_version import VARIABLE, version
from release.places import BUILD, DIST, ROOT, run, tracked

SITE: Final = ROOT / "src" / "kawe" / "pages"


def built(folder: Path) -> Path:
    """Copy what git knows, and the site, into a new `folder`; build there.

    Gives the folder of the results.
    """
    site = [path for path in SITE.glob("**/*") if path.is_file()]
    for name in [*tracked(), *(path.relative_to(ROOT) for path in site)]:
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    # The tools are those of constraints-release.txt, not the newest of the day.
    words = [sys.executable, "-m", "build", "--no-isolation", "."]
    run(words, folder=folder, more={VARIABLE: version()})
    return folder / "dist"


def different(one: Path, other: Path) -> list[str]:
    """Name the files of two folders that are not the same in both."""
    names = {path.name for folder in (one, other) for path in folder.iterdir()}
    _, unlike, missing = filecmp.cmpfiles(one, other, names, shallow=False)
    return sorted([*unlike, *missing])


def main() -> None:
    """Build; end in words if two builds differ."""
    shutil.rmtree(BUILD / "dist", ignore_errors=True)
    first = built(BUILD / "dist" / "first")
    wrong = different(first, built(BUILD / "dist" / "a second" / "time"))
    if wrong:
        raise SystemExit(f"Two builds differ: {', '.join(wrong)}.")
    for old in DIST.glob("kawe-*.whl"):
        old.unlink()
    shutil.copytree(first, DIST, dirs_exist_ok=True)
    print("Two builds are equal:", *sorted(path.name for path in first.iterdir()))


if __name__ == "__main__":
    main()
