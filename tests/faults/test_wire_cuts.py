"""The connection breaks at any byte of a create or a send: the table holds."""

from __future__ import annotations

import pytest

from doubles.wire_cases import cuts, lengths, try_cuts
from kawe.domain.verdicts import Step

EVERY = 64


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    return lengths(tmp_path_factory.mktemp("wire"))


@pytest.mark.parametrize("resets", [False, True], ids=["closed", "reset"])
def test_a_cut_at_any_byte_is_a_doubt_until_the_answer_is_whole_and_sends_once(
    measured, tmp_path, resets
):
    creates, sends = (
        cuts(measured, step, every=EVERY, resets=resets)
        for step in (Step.CREATE, Step.SEND)
    )
    found = try_cuts(tmp_path, creates=creates, sends=sends)
    assert (found.complaints, found.doubled, found.lost, found.acts > 60) == (
        [],
        0,
        0,
        True,
    )
