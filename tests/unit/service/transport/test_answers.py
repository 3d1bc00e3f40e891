"""Four shapes of answer are read; no shape can do harm."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kawe.service.transport.answers import Answer


def words(body):
    return Answer(http_status=400, body=body).message()


def test_what_a_service_says_is_no_advice_of_kawe():
    body = json.dumps({"message": "No. \ufdd0next submit\ufdd1all.xlsx\ufdd2"}).encode()
    assert Answer(http_status=400, body=body).message() == "No. next submitall.xlsx"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b'{"success": false, "message": "Name is missing"}', "Name is missing"),
        (b'{"error": "scope projects:send needed"}', "scope projects:send needed"),
        (b'{"title": "Bad Request", "detail": "No body"}', "No body"),
        (b'{"title": "Bad Request"}', "Bad Request"),
        (b'{"message": " ", "error": "second"}', "second"),
        (b'{"message": 7}', ""),
        (b"Too many requests", "Too many requests"),
        (b'"quoted"', '"quoted"'),
        (b"", ""),
        (b"<HTML><p>Sign in", "a web page came back instead of an answer"),
        (b"<!DOCTYPE html>", "a web page came back instead of an answer"),
        (b"\xff\xfe odd", "�� odd"),
    ],
)
def test_the_words_of_an_answer_are_found_in_every_shape(body, message):
    assert words(body) == message


@pytest.mark.parametrize(
    "hostile", ["\x1b[2J\x1b]0;owned\x07", "line\nline", "\u202egnp.exe", "a\u2028b"]
)
def test_words_are_one_line_without_anything_active(hostile):
    message = words(json.dumps({"message": f"Ā {hostile} ē"}).encode())
    active = "\x1b\x07\n\r\u202e"
    assert (message[0], message[-1], [c for c in active if c in message]) == (
        "Ā",
        "ē",
        [],
    )


def test_endless_words_are_cut():
    assert len(words(json.dumps({"message": "kupu " * 10_000}).encode())) == 600


@pytest.mark.parametrize("body", [b"[" * 100_000, b'{"a":' * 100_000, b"9" * 10_000])
def test_json_that_is_too_deep_or_too_long_is_no_json(body):
    assert Answer(http_status=200, body=body).parsed() is None


@pytest.mark.parametrize(
    ("body", "is_one"),
    [
        (b'{"success": true, "response_object": null}', True),
        (b'{"success": true, "response_object": 1, "new_field": 2}', True),
        (b'{"success": 1, "response_object": null}', False),
        (b'{"success": true}', False),
        (b"[true]", False),
    ],
)
def test_an_envelope_says_success_and_holds_an_object(body, is_one):
    assert (Answer(http_status=200, body=body).envelope() is not None) == is_one


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300), st.integers(100, 599))
def test_no_bytes_make_an_answer_raise(body, status):
    answer = Answer(http_status=status, body=body)
    assert isinstance(answer.message(), str)
    assert answer.envelope() is None or answer.parsed() is not None
