"""What a release consists of says what is in it, and what is wrong with it."""

import json
import os
import sys

import pytest

from architecture.house import ROOT
from release.audit import judged
from release.bundle import README, needed, platform_tags, surroundings, without_wheels
from release.changelog import fragments, kinds, numbered
from release.dist import different
from release.sums import sums
from trials.bundle import commands

CONSTRAINTS = """\
click==8.5.1 \\
    --hash=sha256:aa \\
    --hash=sha256:bb
pyproj==3.7.2 ; python_full_version < '3.12' \\
    --hash=sha256:cc
pyproj==3.8.0 ; python_full_version >= '3.12' \\
    --hash=sha256:dd
secretstorage==3.5.0 ; sys_platform == 'linux' \\
    --hash=sha256:ee
tzdata==2026.6 ; sys_platform == 'win32' \\
    --hash=sha256:ff
"""


@pytest.mark.parametrize(
    ("platform", "python", "also"),
    [
        ("win_amd64", "3.12", ["pyproj==3.8.0", "tzdata==2026.6"]),
        ("manylinux_2_28_x86_64", "3.11", ["pyproj==3.7.2", "secretstorage==3.5.0"]),
        ("macosx_14_0_arm64", "3.14", ["pyproj==3.8.0"]),
    ],
)
def test_a_bundle_has_what_its_computer_needs_with_every_hash(platform, python, also):
    lines = list(needed(CONSTRAINTS, surroundings(platform, python)))
    assert lines[0] == "click==8.5.1 --hash=sha256:aa --hash=sha256:bb"
    assert [line.partition(" ")[0] for line in lines[1:]] == also


def test_a_bundle_for_here_has_what_was_installed_for_these_tests():
    text = (ROOT / "constraints.txt").read_text("utf-8")
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    names = {line.partition("==")[0] for line in needed(text, surroundings(None, here))}
    assert {"click", "httpx"} <= names
    assert ("tzdata" in names) is (os.name == "nt")


def test_a_bundle_builds_what_is_published_as_source_alone():
    assert without_wheels((ROOT / "uv.lock").read_text("utf-8")) == {"bagit"}
    constraints = (ROOT / "constraints.txt").read_text("utf-8")
    # People install nothing that is published as source alone.
    assert "bagit" not in constraints


@pytest.mark.parametrize(
    ("platform", "python", "says"),
    [
        ("solaris", "3.12", "--platform solaris: give one such as win_amd64"),
        ("win", "3.12", "--platform win: give one such as win_amd64"),
        ("win_amd64", "4", "--python 4: give two numbers, such as 3.12."),
    ],
)
def test_a_bundle_for_nowhere_is_refused_in_words(platform, python, says):
    with pytest.raises(SystemExit, match=says):
        surroundings(platform, python)


def test_a_newer_linux_may_use_what_was_made_for_an_older_one():
    assert platform_tags("manylinux_2_7_x86_64") == [
        "manylinux_2_7_x86_64",
        "manylinux_2_6_x86_64",
        "manylinux_2_5_x86_64",
    ]
    assert platform_tags("win_amd64") == ["win_amd64"]


@pytest.mark.skipif(os.name == "nt", reason="the page has other commands there")
def test_the_page_of_a_bundle_has_two_commands_that_ask_no_network():
    page = README.format(version="1.2.3", python="3.12", platform="Linux")
    pip = "kawe/bin/python -m pip install"
    assert commands(page) == [
        "python3.12 -m venv kawe",
        f"{pip} --no-index --find-links wheels --require-hashes -r requirements.txt",
    ]


def test_two_builds_that_differ_are_named(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "same").write_text("same")
        (tmp_path / name / "differs").write_text(name)
    (tmp_path / "two" / "more").touch()
    assert different(tmp_path / "one", tmp_path / "two") == ["differs", "more"]


def test_sums_are_those_of_every_other_file(tmp_path):
    for name in ("b.zip", "a.whl", "SHA256SUMS"):
        (tmp_path / name).write_text(name)
    assert sums(tmp_path).splitlines() == [
        "3131ceee9d4d18d43ebbeea1aebc37d4274f93182b284100c8f71ea8eff4bbfc  a.whl",
        "cf41e189cdc819769f648a9719d25ddfb16e0583d1a9f9391c31378831eb4523  b.zip",
    ]


WEAK = {"id": "GHSA-1", "fix_versions": ["8.5.2"], "aliases": [], "description": ""}


@pytest.mark.parametrize(
    ("weaknesses", "code", "line"),
    [
        ([], 0, "No known weakness in the locked versions."),
        ([WEAK], 1, "click 8.5.1: GHSA-1; mended in 8.5.2"),
    ],
)
def test_a_known_weakness_prevents_a_release(weaknesses, code, line):
    found = {"name": "click", "version": "8.5.1", "vulns": weaknesses}
    answer = json.dumps({"dependencies": [found], "fixes": []})
    for must in (True, False):
        assert judged(answer, must=must) == (code, [line])


def test_an_audit_without_an_answer_prevents_a_release_alone():
    words = "Nobody answered whether the locked versions have known weaknesses."
    assert judged("", must=True) == (1, [words])
    assert judged("", must=False) == (0, [f"Warning: {words}"])


def test_an_image_is_given_only_what_its_recipe_copies():
    recipe = (ROOT / "Dockerfile").read_text("utf-8").splitlines()
    given = [line.split()[1:-1] for line in recipe if line.startswith("COPY ")]
    copied = [name for names in given for name in names if names[0][:2] != "--"]
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    assert [line for line in ignored if line[:1] != "#"] == [
        "*",
        *(f"!{name}" for name in copied),
    ]


def test_fragments_that_towncrier_would_mix_up_get_numbers_of_their_own():
    names = ["15.added.wheel10.md", "2.fixed.md", "15.added.wheel2.md", "15.about.md"]
    assert numbered(names, ("about", "added", "fixed")) == {
        "2.fixed.md": "100000.fixed.md",
        "15.about.md": "100001.about.md",
        "15.added.wheel2.md": "100002.added.md",
        "15.added.wheel10.md": "100003.added.md",
    }


@pytest.mark.parametrize("name", ["15.addde.wheel1.md", "wheel.md", "15.added.a.b.md"])
def test_a_fragment_that_no_changelog_would_have_is_refused(name):
    with pytest.raises(SystemExit, match=f"changes/{name}: name it <issue>."):
        numbered([name], ("added",))


def test_every_fragment_comes_into_the_changelog():
    found = numbered(fragments(), kinds())
    assert sorted(found) == fragments()
    assert len(set(found.values())) == len(found)
