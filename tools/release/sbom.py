"""Writes what kawe consists of on this platform, as CycloneDX.

The list is that of an environment with what `constraints.txt` names and the wheel,
and with nothing else; it is compared with `constraints.txt`, and with its schema.
"""

from __future__ import annotations

import json
import shutil
import sys
import sysconfig
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from lowest import declared
from release.bundle import needed, surroundings
from release.places import BUILD, CONSTRAINTS, DIST, ROOT, run, version, wheel


def installed(folder: Path) -> Path:
    """Install kawe and all that it needs into a new environment; give the folder."""
    shutil.rmtree(folder, ignore_errors=True)
    run([sys.executable, "-m", "venv", "--without-pip", folder])
    into: list[str | Path] = [sys.executable, "-m", "pip", "--python", folder]
    into += ["--quiet", "--disable-pip-version-check", "install"]
    run([*into, "--require-hashes", "-r", CONSTRAINTS])
    run([*into, "--no-deps", wheel()])
    return folder


def described() -> str:
    """Describe kawe itself, as the tool reads it: with a version, and all extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    told = {
        "name": project["name"],
        "version": version(),
        "description": project["description"],
        "license": project["license"],
        "dependencies": sorted(declared(project)),
    }
    # A text or a list in JSON is one in TOML.
    lines = (f"{name} = {json.dumps(value)}\n" for name, value in told.items())
    return "[project]\n" + "".join(lines)


def mistakes(text: str) -> list[str]:
    """Say in which parts a list and what is locked differ."""
    told = json.loads(text)
    main = told["metadata"]["component"]
    parts = told["components"]
    has = {(canonicalize_name(each["name"]), each["version"]) for each in parts}
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    lines = needed(CONSTRAINTS.read_text("utf-8"), surroundings(None, python))
    pins = (Requirement(line.partition(" ")[0]) for line in lines)
    locked = {
        (canonicalize_name(pin.name), str(pin.specifier).removeprefix("=="))
        for pin in pins
    }
    own = (main["name"], main.get("version")) == ("kawe", version())
    return [
        *(f"{name} {number} is in one alone." for name, number in sorted(has ^ locked)),
        *(["It does not say which kawe it is of."] if not own else []),
    ]


def main() -> None:
    """Write the list into `dist/`; end in words if it is wrong."""
    environment = installed(BUILD / "sbom")
    raw = BUILD / "sbom.json"
    about = BUILD / "sbom.toml"
    about.write_text(described(), "utf-8")
    words: list[str | Path] = [sys.executable, "-m", "cyclonedx_py", "environment"]
    words += [environment, "--pyproject", about, "--output-reproducible"]
    # It compares what it wrote with the schema, and fails if it cannot.
    run([*words, "--spec-version", "1.6", "--validate", "--output-file", raw])
    text = raw.read_text("utf-8")
    wrong = mistakes(text)
    if wrong:
        raise SystemExit("The list of parts is wrong.\n" + "\n".join(wrong))
    tag = sysconfig.get_platform().replace("-", "_")
    path = DIST / f"kawe-{version()}-sbom-{tag}.cdx.json"
    path.write_text(text, "utf-8")
    print(f"{path.name}: {len(json.loads(text)['components'])} parts, as locked")


if __name__ == "__main__":
    main()
