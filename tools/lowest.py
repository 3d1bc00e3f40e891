"""Run kawe at the lowest versions that it declares: built wheel, no other tools.

`make lowest` asks for it. It needs the package registry, and makes its folder anew.
The demo does the main job; the samples that need no service must end as they say.
Warnings count as errors: what is going to break is no version to declare.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
SAMPLES: Final = ROOT / "samples"
_DECLARED: Final = re.compile(
    r"(?P<name>[\w.-]+)(?:\[\w+\])?>=(?P<lowest>[\w.]+)[^;]*(?P<when>;.*)?"
)


def declared(project: Mapping[str, Any]) -> Iterator[str]:
    """Give each requirement of a `[project]` table, those of its extras as well."""
    yield from project["dependencies"]
    for extra in project["optional-dependencies"].values():
        yield from (each for each in extra if not each.startswith("kawe["))


def lowest(project: Mapping[str, Any]) -> list[str]:
    """Give each requirement as the lowest version that it allows, exactly.

    Raises:
        ValueError: a requirement names no lowest version.
    """
    pinned = []
    for each in declared(project):
        found = _DECLARED.fullmatch(each)
        if found is None:
            raise ValueError(f"{each} names no lowest version.")
        pinned.append(f"{found['name']}=={found['lowest']}{found['when'] or ''}")
    return pinned


def install(folder: Path) -> Path:
    """Build the wheel and install it with every extra; give its Python."""
    shutil.rmtree(folder, ignore_errors=True)
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    pip = [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    _run([*pip, "wheel", "--no-deps", "--wheel-dir", str(folder), str(ROOT)])
    (wheel,) = folder.glob("kawe-*.whl")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    pins = folder / "lowest.txt"
    pins.write_text("\n".join(lowest(project)) + "\n", "utf-8")
    _run([*pip, "install", "--constraint", str(pins), f"{wheel}[all]"])
    _run([*pip, "check"])
    return python


def try_out(python: Path, folder: Path) -> list[str]:
    """Run the demo and check the samples; give a line for each that goes wrong."""
    own = {name: str(folder / name) for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME")}
    usual = {
        k: v for k, v in os.environ.items() if not k.startswith(("KAWE", "PYTHON"))
    }
    surroundings = {**usual, **own, "PYTHONWARNINGS": "error"}
    kawe = [str(python), "-P", "-m", "kawe"]
    _run([*kawe, "demo", "--output", "demo"], folder, surroundings)
    _run([*kawe, "template", "projects", "--output", "new.xlsx"], folder, surroundings)

    def ends(told: Path) -> str | None:
        sample = json.loads(told.read_text("utf-8"))
        case = told.parent
        result = folder / f"{case.parent.name}-{case.name}.xlsx"
        words = ["check", str(case / sample["workbook"]), "--offline", "--quiet"]
        ended = subprocess.run(
            [*kawe, *words, "--result", str(result)],
            check=False,
            capture_output=True,
            cwd=folder,
            env=surroundings,
        )
        if ended.returncode == sample["exit_code"]:
            return None
        return f"{case.name}: ended with {ended.returncode}, not {sample['exit_code']}"

    with ThreadPoolExecutor(os.cpu_count()) as several:
        return [each for each in several.map(ends, offline_samples()) if each]


def offline_samples() -> list[Path]:
    """Give what is expected of each sample that is checked without a service."""
    return [
        path
        for path in sorted(SAMPLES.glob("*/*/expected.json"))
        if not json.loads(path.read_text("utf-8"))["service"]
    ]


def _run(
    words: Sequence[str],
    folder: Path | None = None,
    surroundings: Mapping[str, str] | None = None,
) -> None:
    subprocess.run(words, check=True, cwd=folder, env=surroundings)


def main() -> int:
    """Say what goes wrong at the lowest versions; the exit code is 1 if anything."""
    folder = Path(sys.argv[1]).resolve()
    wrong = try_out(install(folder), folder)
    print("\n".join([*wrong, f"{len(offline_samples())} samples, {len(wrong)} wrong."]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
