from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pathvalidate import is_valid_filename

from kawe.files.saving import safe_name, save_atomically


def test_what_is_saved_is_there_whole_with_its_size_and_hash(tmp_path):
    path = tmp_path / "receipt.pdf"

    saved = save_atomically(path, [b"%PDF-", b"1.7"])

    assert saved == (8, hashlib.sha256(b"%PDF-1.7").hexdigest())
    assert path.read_bytes() == b"%PDF-1.7"
    assert list(tmp_path.iterdir()) == [path]


def test_bytes_are_one_chunk(tmp_path):
    assert save_atomically(tmp_path / "x", b"abc")[0] == 3


def test_an_earlier_file_gives_way(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"old")

    save_atomically(path, b"new")

    assert path.read_bytes() == b"new"


def test_when_writing_fails_the_earlier_file_stays_and_nothing_is_left(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"old")

    def chunks():
        yield b"half"
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        save_atomically(path, chunks())

    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_not_there_is_an_os_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        save_atomically(tmp_path / "gone" / "x", b"")


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
