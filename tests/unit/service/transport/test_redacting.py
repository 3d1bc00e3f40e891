"""A key is taken out of an answer, however it is spelt, and nothing else is."""

import json
import random

import pytest

from kawe.service.transport.wire import Redactor

KEY = 'kawe_live_cAnary7F3a9c/21"x\\y'
REDACTOR = Redactor(KEY)


def _escaped(chance, digits):
    return "".join(
        f"\\u{ord(each):04{digits}}"
        if chance.random() < 0.7
        else json.dumps(each)[1:-1]
        for each in KEY
    )


@pytest.mark.parametrize(
    "spelt",
    [
        KEY,
        json.dumps(KEY)[1:-1],
        json.dumps(KEY)[1:-1].replace("/", "\\/"),
        *(_escaped(random.Random(seed), "x") for seed in range(5)),
        *(_escaped(random.Random(seed), "X") for seed in range(5)),
    ],
)
def test_every_way_in_which_json_can_spell_it_is_found(spelt):
    body = f'{{"message": "Bearer {spelt}!"}}'.encode()
    assert REDACTOR.without_key(body) == b'{"message": "Bearer [key]!"}'


@pytest.mark.parametrize("form", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_every_encoding_in_which_json_is_read_is_looked_through(form):
    body = f"Bearer {KEY}!".encode(form)
    assert REDACTOR.without_key(body) == "Bearer [key]!".encode(form)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b'{"name": "R\xc5\xabnanga"}',
        b'{"name": "R\\u016bnanga \\"x\\" \\u006b\\u0061"}',
        b"\0\1\2",
        KEY[:-1].encode(),
    ],
)
def test_any_other_body_is_given_back_as_it_is(body):
    assert REDACTOR.without_key(body) == body


def test_a_body_without_a_key_is_not_copied():
    body = b'{"name": "Mere"}'
    assert REDACTOR.without_key(body) is body
