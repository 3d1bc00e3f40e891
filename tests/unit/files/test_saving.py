import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pathvalidate import is_valid_filename

from kawe.errors import ResultNotWritable
from kawe.files.saving import safe_name, save_named


def test_what_is_saved_is_there_whole_and_an_earlier_file_gives_way(tmp_path):
    path = tmp_path / "plan.json"
    path.write_bytes(b"old")

    save_named(path, b"new", called="plan")

    assert (path.read_bytes(), list(tmp_path.iterdir())) == (b"new", [path])


def test_what_a_killed_run_left_goes_with_the_next_file(tmp_path):
    (tmp_path / ".kawe-old.tmp").write_bytes(b"half")
    os.utime(tmp_path / ".kawe-old.tmp", (0, 0))

    save_named(tmp_path / "plan.json", b"new", called="plan")

    assert [each.name for each in tmp_path.iterdir()] == ["plan.json"]


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ResultNotWritable, match=r"The plan cannot be written to .*/x"):
        save_named(tmp_path / "gone" / "x", b"", called="plan")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Receipt 12 – Tūhoe.pdf", "Receipt 12 – Tūhoe.pdf"),
        ("a/b\\c:d.pdf", "a_b_c_d.pdf"),
        ("../../etc/passwd", "_.._etc_passwd"),
        ("CON", "CON_"),
        ("  .hidden ", "hidden"),
        ("-rf.pdf", "rf.pdf"),
        ("name. . ", "name"),
        ("a\x1b[31m\u202eb\nc", "a[31mb c"),
        ("", "fallback"),
        ("...", "fallback"),
        ("\x00\u200b", "fallback"),
    ],
)
def test_foreign_text_becomes_a_name_that_holds_anywhere(text, name):
    assert safe_name(text, "fallback") == name


def test_a_long_name_keeps_its_ending():
    name = safe_name("ā" * 300 + ".pdf", "fallback")

    assert len(name.encode()) <= 150
    assert name.endswith("ā.pdf")


@given(st.text(max_size=300))
def test_every_text_gives_a_valid_name_whose_name_it_is(text):
    name = safe_name(text, "fallback")

    assert is_valid_filename(name, platform="universal")
    assert Path(name).name == name
    assert safe_name(name, "fallback") == name
    assert len(name.encode()) <= 150
