"""What is installed, what is tested and what pyproject.toml declares are in step."""

import os
import re
import subprocess
import tomllib
from collections.abc import Iterator
from itertools import chain

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

from architecture.house import ROOT, project
from build_version import VARIABLE, base, version
from docs_pages import read_pages
from lowest import declared, lowest
from release.changelog import fragments

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
        "optional-dependencies": {
            "one": ["httpx>=0.28.1,<0.29", "psycopg[binary]>=3.2.1"],
            "all": ["kawe[one]"],
        },
    }
    assert lowest(table) == [
        "click==8.3",
        "tzdata==2025.1; sys_platform == 'win32'",
        "httpx==0.28.1",
        "psycopg==3.2.1",
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
    assert told["tool"]["hatch"]["version"]["path"] == "tools/build_version.py"
    assert "version" not in OWN
    released = base().removesuffix(".dev0")
    assert set(re.findall(r"kawe-(\d[\w.]*)-py3", shown)) == {released}


def test_a_number_that_was_released_is_no_version_of_what_came_after():
    released = re.findall(
        r"^## (\d[\w.]*)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE
    )
    newer = fragments()
    assert released != []
    # Without fragments, this is the release itself, and stands in the changelog.
    assert (base() in released) is (newer == [])


def _commit(folder, subject, *, at):
    who = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org"}
    who |= {"GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org"}
    days = {"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at}
    for words in (("add", "--all"), ("commit", "--quiet", "-m", subject)):
        subprocess.run(
            ["git", *words], cwd=folder, check=True, env={**os.environ, **who, **days}
        )


def test_every_build_between_releases_has_a_version_of_its_own(tmp_path, monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    source = tmp_path / "src" / "kawe" / "__init__.py"
    source.parent.mkdir(parents=True)
    source.write_text('BASE = "0.2.0.dev0"\n', "utf-8")
    seen = [version(tmp_path)]
    subprocess.run(["git", "init", "--quiet", "."], cwd=tmp_path, check=True)
    for at in ("2026-11-27T12:00:00+13:00", "2026-11-27T00:30:00+00:00"):
        (tmp_path / at[:13]).write_text(at, "utf-8")
        _commit(tmp_path, "One more", at=at)
        seen.append(version(tmp_path))
    source.write_text('BASE = "0.2.0.dev0"\n# changed\n', "utf-8")
    seen.append(version(tmp_path))
    order = [Version(each) for each in seen]
    assert (seen[0], [each.dev for each in order], order, len({*order})) == (
        "0.2.0.dev0",
        [0, 20261126230000, 20261127003000, 20261127003000],
        sorted(order),
        4,
    )
    assert re.fullmatch(r"0\.2\.0\.dev\d{14}\+g[0-9a-f]{8}\.d[0-9a-f]{8}", seen[3])


def test_a_release_an_sdist_and_a_copy_without_git_say_their_version(
    tmp_path, monkeypatch
):
    monkeypatch.delenv(VARIABLE, raising=False)
    source = tmp_path / "src" / "kawe" / "__init__.py"
    source.parent.mkdir(parents=True)
    source.write_text('BASE = "0.2.0"\n', "utf-8")
    released = version(tmp_path)
    source.write_text('BASE = "0.3.0.dev0"\n', "utf-8")
    monkeypatch.setenv(VARIABLE, "0.3.0.dev7")
    copy = version(tmp_path)
    (tmp_path / "PKG-INFO").write_text("Name: kawe\nVersion: 0.3.0.dev9\n", "utf-8")
    assert (released, copy, version(tmp_path)) == ("0.2.0", "0.3.0.dev7", "0.3.0.dev9")


def test_what_builds_kawe_is_pinned_as_for_a_release():
    pins = {
        name: number
        for name, number, *_ in map(tuple, _pinned("constraints-release.txt"))
    }
    assert project()["build-system"]["requires"] == [f"hatchling=={pins['hatchling']}"]


def test_the_page_on_installing_names_every_extra():
    text = (ROOT / "docs" / "how-to" / "install.md").read_text("utf-8")
    (table,) = re.findall(r"\| extra \| for \|\n((?:\|.*\n)+)", text)
    extras = project()["project"]["optional-dependencies"]
    named = {f"kawe[{','.join(sorted({*extras} - {'all'}))}]"}
    assert set(re.findall(r"^\| `(\w+)`", table, re.MULTILINE)) == {*extras} - {"all"}
    assert set(extras["all"]) == named
