"""Whether kawe's twin answers at an address, or somebody else on this machine."""

import asyncio

import pytest

from doubles.hostile_server import always, answer, hostile_server
from kawe.service.probing import is_twin
from kawe_twin.serving import TwinOptions, start_twin


def test_the_twin_is_known_by_its_own_address(tmp_path):
    with start_twin(TwinOptions(folder=tmp_path)) as twin:
        url = twin.address.api_url
        found = [is_twin(url), is_twin("https://council.example.nz")]
    assert (found, is_twin(url), is_twin("")) == ([True, False], False, False)


@pytest.mark.parametrize(
    "said",
    [
        answer(404, b'{"error": "There is no such path."}'),
        answer(403, b'{"error": "This key may not do this."}'),
        answer(403, b'{"error": null}'),
        answer(200, b"owner secret"),
        b"not HTTP",
    ],
    ids=["404", "403", "null", "200", "odd"],
)
async def test_a_relay_on_this_machine_is_not_taken_for_the_twin(said):
    async with hostile_server(always(said)) as server:
        found = await asyncio.to_thread(is_twin, server.url)
    assert found is False
