"""Writes the bundle: kawe and all it needs, to install without a registry.

    python -m release.bundle [--platform win_amd64] [--python 3.12]

Without options it is for this computer. The wheels are those of `constraints.txt`,
and pip compares their hashes when they are fetched and when they are installed.
"""

from __future__ import annotations

import argparse
import hashlib
import platform as here
import re
import shutil
import sys
import sysconfig
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from packaging.markers import default_environment
from packaging.requirements import Requirement

from release.places import BUILD, CONSTRAINTS, DIST, LOCK, run, version, wheel

_SYSTEMS: Final = {
    "win": ("nt", "win32", "Windows"),
    "macosx": ("posix", "darwin", "Darwin"),
    "manylinux": ("posix", "linux", "Linux"),
}
# glibc 2.5 is the oldest for which wheels were ever made.
_OLDEST_GLIBC: Final = 5
_OPTIONS: Final = "--no-index --find-links wheels --require-hashes -r requirements.txt"
README: Final = f"""\
kawe {{version}}, to install without a registry of packages

For Python {{python}} on {{platform}}. Type both commands in this folder. pip asks no
network, and refuses each file whose hash is not in requirements.txt.

Windows, in PowerShell:

    py -{{python}} -m venv kawe
    kawe\\Scripts\\python -m pip install {_OPTIONS}

Linux and macOS, in a terminal:

    python{{python}} -m venv kawe
    kawe/bin/python -m pip install {_OPTIONS}

To see what kawe does, on this computer alone: kawe\\Scripts\\kawe demo on Windows,
kawe/bin/kawe demo elsewhere. The folder kawe is all that is installed: to use another
place, write its path for kawe in both commands; to uninstall, delete it.
"""


def needed(constraints: str, where: Mapping[str, str]) -> Iterator[str]:
    """Give the lines of `constraints.txt` that count where markers read `where`.

    Each line has its hashes, and no marker: pip reads markers for the computer on
    which it runs, and not for the one that a bundle is for.
    """
    for line in constraints.replace("\\\n", "").splitlines():
        what, *hashes = line.split(" --hash=")
        asked = Requirement(what)
        if asked.marker is None or asked.marker.evaluate(dict(where)):
            pin = f"{asked.name}{asked.specifier}"
            yield " ".join([pin, *(f"--hash={each.strip()}" for each in hashes)])


def surroundings(platform: str | None, python: str) -> dict[str, str]:
    """Give what markers read on a platform, such as `win_amd64`; None is here.

    Raises:
        SystemExit: kawe knows no such platform, or this is no version of Python.
    """
    if re.fullmatch(r"3\.\d+", python) is None:
        raise SystemExit(f"--python {python}: give two numbers, such as 3.12.")
    told: dict[str, str] = {
        name: str(is_) for name, is_ in default_environment().items()
    }
    if python != _python_here():
        told |= {"python_version": python, "python_full_version": f"{python}.0"}
    if platform is None:
        return told
    name, _, machine = re.sub(r"_[\d_]+_", "_", platform).partition("_")
    if name not in _SYSTEMS or not machine:
        raise SystemExit(
            f"--platform {platform}: give one such as win_amd64, "
            "macosx_14_0_arm64 or manylinux_2_28_x86_64."
        )
    os_name, sys_platform, system = _SYSTEMS[name]
    return told | {
        "os_name": os_name,
        "sys_platform": sys_platform,
        "platform_system": system,
        "platform_machine": machine.upper() if name == "win" else machine,
    }


def platform_tags(platform: str) -> list[str]:
    """Name every tag of wheels that run on a platform.

    pip does so by itself, but for Linux: who has glibc 2.28 can use what was made
    for 2.17, of which pip is to be told.
    """
    found = re.fullmatch(r"manylinux_2_(\d+)_(\w+)", platform)
    if found is None:
        return [platform]
    newest, machine = int(found[1]), found[2]
    older = range(newest, _OLDEST_GLIBC - 1, -1)
    return [f"manylinux_2_{number}_{machine}" for number in older]


def without_wheels(lock: str) -> set[str]:
    """Name the packages that are published as source alone, by `uv.lock`."""
    packages = tomllib.loads(lock)["package"]
    return {each["name"] for each in packages if "sdist" in each} - {
        each["name"] for each in packages if "wheels" in each
    }


def build(lines: Iterable[str], wheels: Path) -> Iterator[str]:
    """Make wheels of sources whose hashes hold; give their lines with new hashes.

    Raises:
        SystemExit: One of them is for this computer alone.
    """
    for line in lines:
        asked, before = wheels.with_name("source.txt"), {*wheels.iterdir()}
        asked.write_text(line + "\n", "utf-8")
        words: list[str | Path] = [sys.executable, "-m", "pip", "wheel", "--quiet"]
        words += ["--disable-pip-version-check", "--no-deps", "--require-hashes"]
        run([*words, "-r", asked, "--wheel-dir", wheels])
        asked.unlink()
        (made,) = {*wheels.iterdir()} - before
        pin = line.partition(" ")[0]
        if not made.name.endswith("-none-any.whl"):
            raise SystemExit(f"{pin} has no wheel, and its own is for one system.")
        yield f"{pin} --hash=sha256:{hashlib.sha256(made.read_bytes()).hexdigest()}"


def fetch(folder: Path, *, platform: str | None, python: str) -> None:
    """Fill a new folder with wheels, the list of their hashes and the page."""
    lines = list(needed(CONSTRAINTS.read_text("utf-8"), surroundings(platform, python)))
    wheels, listed = folder / "wheels", folder / "requirements.txt"
    wheels.mkdir(parents=True)
    sources = without_wheels(LOCK.read_text("utf-8"))
    built = [line for line in lines if line.partition("==")[0] in sources]
    lines = [line for line in lines if line not in built]
    listed.write_text("\n".join(lines) + "\n", "utf-8")
    words: list[str | Path] = [sys.executable, "-m", "pip", "download", "--quiet"]
    words += ["--disable-pip-version-check", "--no-deps", "--only-binary=:all:"]
    words += ["--require-hashes", "-r", listed, "--dest", wheels]
    words += ["--python-version", python, "--implementation", "cp"]
    for tag in platform_tags(platform) if platform else ():
        words += ["--platform", tag]
    run(words)
    made = list(build(built, wheels))
    shutil.copy(wheel(), wheels)
    own = hashlib.sha256(wheel().read_bytes()).hexdigest()
    with listed.open("a", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in made)
        file.write(f"kawe=={version()} --hash=sha256:{own}\n")
    page = README.format(
        version=version(), python=python, platform=platform or here.platform()
    )
    (folder / "README.txt").write_text(page, "utf-8")


def _python_here() -> str:
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def main() -> None:
    """Write the bundle into `dist/`, beside the wheel that is in it."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--platform", type=lambda given: given or None)
    options.add_argument(
        "--python", type=lambda given: given or _python_here(), default=_python_here()
    )
    asked = options.parse_args()
    tag = asked.platform or sysconfig.get_platform().replace("-", "_")
    name = f"kawe-{version()}-bundle-{tag}-python{asked.python}"
    folder = BUILD / "bundle" / name
    shutil.rmtree(folder, ignore_errors=True)
    fetch(folder, platform=asked.platform, python=asked.python)
    path = shutil.make_archive(str(DIST / name), "zip", folder.parent, name)
    count, size = len(list((folder / "wheels").iterdir())), Path(path).stat().st_size
    print(f"{Path(path).name}: {count} wheels, {size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
