"""Packed answers are unpacked in bounded pieces."""

import gzip
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kawe.service.transport.answers import PIECE_BYTES, Packed, Unpacker


def unpack(encoding, *chunks):
    unpacker = Unpacker(encoding)
    pieces = [piece for chunk in chunks for piece in unpacker.feed(chunk)]
    return b"".join(pieces), unpacker.is_whole


@pytest.mark.parametrize("encoding", ["", "identity", " Identity "])
def test_what_is_not_packed_is_given_as_it_is(encoding):
    assert unpack(encoding, b"ki", b"a ora") == (b"kia ora", True)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=500), st.integers(1, 40))
def test_packing_and_cutting_into_chunks_loses_nothing(data, size):
    for encoding, packed in (
        ("gzip", gzip.compress(data)),
        ("Deflate", zlib.compress(data)),
    ):
        chunks = [packed[i : i + size] for i in range(0, len(packed), size)]
        assert unpack(encoding, *chunks) == (data, True)


def test_what_was_cut_is_not_whole():
    assert unpack("gzip", gzip.compress(b"kia ora" * 99)[:-4])[1] is False


def test_bytes_after_the_end_are_ignored():
    assert unpack("gzip", gzip.compress(b"kia ora") + b"x" * 99) == (b"kia ora", True)


def test_a_bomb_comes_in_pieces_that_can_be_stopped():
    pieces = Unpacker("gzip").feed(gzip.compress(b" " * 10_000_000))
    assert len(next(pieces)) <= PIECE_BYTES


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip"])
def test_an_unknown_packing_is_refused(encoding):
    with pytest.raises(Packed):
        Unpacker(encoding)


def test_broken_packing_is_refused():
    with pytest.raises(Packed):
        unpack("gzip", b"not packed at all")
