"""The connection breaks at any byte of a create or a send: the table holds."""

import pytest

from doubles.hostile_server import always, answer, envelope, hostile_server
from doubles.opened import opened
from doubles.wire_cases import cuts, lengths, try_cuts
from kawe.domain.service.service_words import ProjectId
from kawe.domain.service.states import Step

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


def _let_pass(service, seconds):
    """Let every connection of the acts have been idle for so long."""
    for transport in service.acts._wire._transports:
        if transport._protocol is not None:
            transport._protocol._good_until -= seconds


@pytest.mark.parametrize(("idle_seconds", "connections"), [(3.0, 1), (5.1, 2)])
async def test_no_act_goes_over_a_connection_that_was_idle_for_five_seconds(
    idle_seconds, connections
):
    sent = always(answer(200, envelope(None)))
    async with hostile_server(sent) as server, opened(server.url) as service:
        await service.acts.send(ProjectId("one"), {"message": "x"})
        _let_pass(service, idle_seconds)
        await service.acts.send(ProjectId("one"), {"message": "x"})
        found = len(server.callers)
    assert found == connections
