"""What is installed, what is tested and what pyproject.toml declares are in step."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from itertools import chain

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from architecture.house import ROOT, project
from docs_pages import read_pages
from kawe import __version__
from lowest import declared, lowest

LOCKED = tomllib.loads((ROOT / "uv.lock").read_text("utf-8"))["package"]
OWN = next(each for each in LOCKED if each["name"] == "kawe")
OTHERS = [each for each in LOCKED if each["name"] != "kawe"]
GROUPS = project()["dependency-groups"]


def _declared():
    for each in (
        *declared(project()["project"]),
        *chain.from_iterable(GROUPS.values()),
    ):
        read = Requirement(each)
        yield canonicalize_name(read.name), read.specifier


def _hashes(package) -> frozenset[str]:
    files = [*package.get("wheels", ()), package.get("sdist", {})]
    return frozenset(file["hash"] for file in files if file)


def _pinned(name) -> dict[tuple[str, str], frozenset[str]]:
    text = (ROOT / name).read_text("utf-8").replace("\\\n", "")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return {
        tuple(re.split("==|[ ;]", line)[:2]): frozenset(
            re.findall(r"--hash=(\S+)", line)
        )
        for line in lines
    }


def _needed(package, *, extras=()) -> Iterator[dict]:
    yield from package.get("dependencies", ())
    for extra in extras:
        yield from package.get("optional-dependencies", {}).get(extra, ())


def _names_for(*groups):
    """Give the names of all that kawe with every extra needs, and those groups."""
    extras = OWN["optional-dependencies"]
    found, ahead = set(), list(_needed(OWN, extras=extras))
    for group in groups:
        ahead += OWN["dev-dependencies"][group]
    while ahead:
        need = ahead.pop()
        asked = (need["name"], *need.get("extra", ()))
        if asked not in found:
            found.add(asked)
            for package in OTHERS:
                if package["name"] == need["name"]:
                    ahead += _needed(package, extras=need.get("extra", ()))
    return {name for name, *_ in found}


def test_uv_lock_knows_every_requirement_as_it_is_declared():
    told = OWN["metadata"]
    known = [*told["requires-dist"], *chain(*told["requires-dev"].values())]
    read = {
        (each["name"], SpecifierSet(each.get("specifier", "")))
        for each in known
        if each["name"] != "kawe"
    }
    assert read == set(_declared()), "run: make lock"


def test_every_locked_version_is_allowed():
    allowed = list(_declared())
    assert [
        (package["name"], package["version"])
        for package in OTHERS
        for name, versions in allowed
        if name == package["name"] and package["version"] not in versions
    ] == []


@pytest.mark.parametrize(
    ("file", "groups"),
    [
        pytest.param("constraints.txt", (), id="people have no tools of developers"),
        pytest.param("constraints-dev.txt", ("dev",), id="tests"),
        pytest.param("constraints-release.txt", ("release",), id="a release"),
    ],
)
def test_what_is_installed_is_exactly_what_is_locked(file, groups):
    names = _names_for(*groups)
    assert _pinned(file) == {
        (each["name"], each["version"]): _hashes(each)
        for each in OTHERS
        if each["name"] in names
    }, "run: make lock"


def test_each_requirement_is_tried_at_its_lowest_version():
    table = {
        "dependencies": ["click>=8.3", "tzdata>=2025.1; sys_platform == 'win32'"],
        "optional-dependencies": {"one": ["httpx>=0.28.1,<0.29"], "all": ["kawe[one]"]},
    }
    assert lowest(table) == [
        "click==8.3",
        "tzdata==2025.1; sys_platform == 'win32'",
        "httpx==0.28.1",
    ]


@pytest.mark.parametrize("vague", ["click", "click<9", "click!=8.2"])
def test_a_requirement_without_a_lowest_version_is_refused(vague):
    with pytest.raises(ValueError, match="names no lowest version"):
        lowest({"dependencies": [vague], "optional-dependencies": {}})


def test_every_requirement_of_kawe_has_a_lowest_version():
    table = project()["project"]
    assert len(lowest(table)) == len(list(declared(table)))


def test_the_version_of_kawe_stands_once_and_pages_name_its_wheel():
    told = project()
    shown = "".join(page.text for page in read_pages(ROOT))
    assert told["project"]["dynamic"] == ["version"]
    assert told["tool"]["hatch"]["version"] == {"path": "src/kawe/__init__.py"}
    assert "version" not in OWN
    assert set(re.findall(r"kawe-(\d[\w.]*)-py3", shown)) == {__version__}
