"""What is known of the rate limit: the port, its implementations, their faults."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import given, settings
from hypothesis import strategies as st

from kawe.domain.windows import Share, Window
from kawe.journal import window_file
from kawe.journal.window_file import WindowFile
from kawe.service.pacing import OwnWindow

TESTS = Path(__file__).parents[1]
FULL = Path("/dev/full")
NOW = datetime.now(UTC)
KNOWN = Window(
    limit=300,
    length_seconds=900.0,
    left=41,
    refills_at=NOW + timedelta(seconds=77),
    opens_at=NOW + timedelta(seconds=78),
    tried_at=NOW,
    opened_at=NOW - timedelta(seconds=900),
    lowered_at=NOW - timedelta(seconds=1),
    refusals=2,
    shares={"a": Share(got=17, ended=9, at=NOW), "b": Share(got=0, ended=0, at=NOW)},
)
KEY = "kw_live_canary-7f3a9c21"


def of(folder, *, base_url="https://a.example", key=KEY):
    return WindowFile(folder / "windows", base_url=base_url, key=key)


def keep(shared, window):
    shared.change(lambda _: (window, None))


def known(shared):
    return shared.change(lambda window: (window, window))


def kept(folder):
    (path,) = (folder / "windows").glob("*.json")
    return path


@pytest.fixture(params=["own", "file"])
def shared(request, tmp_path):
    return OwnWindow() if request.param == "own" else of(tmp_path)


def test_nothing_is_known_at_first(shared):
    assert (shared.is_known(), known(shared)) == (False, Window())


def test_what_is_known_is_kept(shared):
    keep(shared, KNOWN)
    assert (shared.is_known(), known(shared)) == (True, KNOWN)


def test_a_change_gives_what_it_gives(shared):
    assert shared.change(lambda window: (replace(window, left=3), "three")) == "three"


def test_another_process_with_the_same_key_knows_it_too(tmp_path):
    keep(of(tmp_path), KNOWN)
    assert known(of(tmp_path)) == KNOWN


@pytest.mark.parametrize(
    "other", [{"key": "kw_live_other"}, {"base_url": "https://b.example"}]
)
def test_another_key_and_another_service_have_windows_of_their_own(tmp_path, other):
    keep(of(tmp_path), KNOWN)
    assert known(of(tmp_path, **other)) == Window()


def test_a_shorter_text_takes_the_place_of_a_longer_one(tmp_path):
    many = {f"process {n}": Share(got=n, ended=n, at=NOW) for n in range(100)}
    keep(of(tmp_path), replace(KNOWN, shares=many))
    keep(of(tmp_path), KNOWN)
    assert known(of(tmp_path)) == KNOWN


def test_the_key_is_in_no_name_and_no_byte(tmp_path):
    keep(of(tmp_path), KNOWN)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [p for p in files if KEY in p.name or KEY.encode() in p.read_bytes()] == []


def test_the_name_of_a_key_is_another_on_each_computer(tmp_path):
    for folder in ("mine", "yours"):
        keep(of(tmp_path / folder), KNOWN)
    assert kept(tmp_path / "mine").name != kept(tmp_path / "yours").name


@pytest.mark.skipif(os.name != "posix", reason="rights are asked for on POSIX")
def test_nobody_else_may_read_any_of_it(tmp_path):
    keep(of(tmp_path), KNOWN)
    folder = tmp_path / "windows"
    rights = {path.stat().st_mode & 0o077 for path in [folder, *folder.iterdir()]}
    assert rights == {0}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"limit": 1}',
        "\xff",
        "[" * 10_000,
        '{"limit": ' + "9" * 5000 + "}",
    ],
)
def test_a_damaged_file_is_begun_anew(tmp_path, text):
    shared = of(tmp_path)
    keep(shared, KNOWN)
    kept(tmp_path).write_text(text, "utf-8")
    found = known(shared)
    keep(shared, KNOWN)
    assert (found, known(of(tmp_path))) == (Window(), KNOWN)


@pytest.mark.parametrize(
    ("true", "odd"),
    [
        ('"limit": 300', '"limit": -1'),
        ('"limit": 300', '"limit": "300"'),
        ('"length_seconds": 900.0', '"length_seconds": NaN'),
        ('"length_seconds": 900.0', '"length_seconds": 1e9'),
        ('"left": 41', '"left": 4.5'),
        ('"refusals": 2', '"refusals": null'),
        ('"a": [17, 9,', '"a": [17,'),
        ('+00:00", "opens_at"', '", "opens_at"'),
        (str(NOW.year), "9999"),
    ],
)
def test_what_cannot_be_true_is_not_believed(tmp_path, true, odd):
    keep(of(tmp_path), KNOWN)
    text = kept(tmp_path).read_text("utf-8")
    kept(tmp_path).write_text(text.replace(true, odd), "utf-8")
    assert (text.replace(true, odd) != text, known(of(tmp_path))) == (True, Window())


@settings(max_examples=60)
@given(noise=st.binary(max_size=20), at=st.integers(0, 700))
def test_whatever_stands_in_the_file_stops_nobody(tmp_path_factory, noise, at):
    folder = tmp_path_factory.mktemp("odd")
    shared = of(folder)
    keep(shared, KNOWN)
    whole = kept(folder).read_bytes()
    kept(folder).write_bytes(whole[:at] + noise + whole[at + len(noise) :])
    keep(shared, KNOWN)
    assert known(of(folder)) == KNOWN


def test_without_a_folder_a_process_goes_on_by_itself(tmp_path):
    (tmp_path / "windows").write_text("A file where the folder should be.", "utf-8")
    shared = of(tmp_path)
    keep(shared, KNOWN)
    assert known(shared) == KNOWN


def test_a_file_that_cannot_be_written_leaves_a_process_by_itself(tmp_path):
    shared = of(tmp_path)
    keep(shared, KNOWN)
    kept(tmp_path).unlink()
    next((tmp_path / "windows").glob("*.lock")).with_suffix(".json").mkdir()
    keep(shared, replace(KNOWN, left=3))
    assert known(shared) == replace(KNOWN, left=3)


def test_windows_that_nobody_used_for_a_week_are_removed_with_the_next_new_one(
    tmp_path,
):
    keep(of(tmp_path, key="old"), KNOWN)
    for path in (tmp_path / "windows").iterdir():
        os.utime(path, (0, 0))
    keep(of(tmp_path), KNOWN)
    left = {path.name for path in (tmp_path / "windows").iterdir()}
    name = kept(tmp_path).stem
    assert left - {"salt.lock"} == {"salt", f"{name}.json", f"{name}.lock"}


@pytest.mark.skipif(not FULL.exists(), reason="a disk that is always full is Linux's")
def test_a_full_disk_leaves_a_process_by_itself(tmp_path):
    shared = of(tmp_path)
    keep(shared, KNOWN)
    path = kept(tmp_path)
    path.unlink()
    path.symlink_to(FULL)
    keep(shared, replace(KNOWN, left=3))
    assert known(shared).left == 3


def test_whoever_keeps_the_lock_for_ever_is_left_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(window_file, "_LOCK_SECONDS", 0.01)
    shared = of(tmp_path)
    keep(shared, KNOWN)
    lock = kept(tmp_path).with_suffix(".lock")
    with FileLock(lock):
        keep(shared, replace(KNOWN, left=3))
    assert (known(shared).left, known(of(tmp_path)).left) == (3, 41)


_COUNTING = """
import sys
from dataclasses import replace
from pathlib import Path
from kawe.journal.window_file import WindowFile
shared = WindowFile(Path(sys.argv[1]), base_url="https://a.example", key="k")
for _ in range(200):
    shared.change(lambda window: (replace(window, left=(window.left or 0) + 1), None))
"""


def test_no_change_of_several_processes_is_lost(tmp_path):
    command = [sys.executable, "-c", _COUNTING, str(tmp_path / "windows")]
    running = [subprocess.Popen(command) for _ in range(3)]
    codes = [process.wait() for process in running]
    assert (codes, known(of(tmp_path, key="k")).left) == ([0] * 3, 600)
