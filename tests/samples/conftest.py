"""One twin for all samples that only the service can judge."""

import asyncio
import logging

import pytest

from doubles.machine import AskedToStop, Quiet
from kawe.cases.kit import Toolkit
from kawe.settings.values import Settings
from kawe_twin.serving import TwinOptions, start_twin


@pytest.fixture(scope="session")
def address(tmp_path_factory):
    """Give the address of a twin with nothing in it yet."""
    folder = tmp_path_factory.mktemp("samples") / "twin"
    with start_twin(TwinOptions(folder=folder, rate_limit=1_000_000)) as twin:
        yield twin.address


@pytest.fixture(scope="session")
def toolkit(address):
    settings = Settings(base_url=address.api_url, key=address.live_key)
    return Toolkit(settings=settings, progress=Quiet(), halt=AskedToStop())


@pytest.fixture(scope="session")
def account(toolkit):
    """Give the account that the twin's live key belongs to."""

    async def ask():
        async with toolkit.open_service() as service:
            return await service.lookups.account()

    return asyncio.run(ask())


@pytest.fixture
def environment(address, tmp_path):
    """Give a command the twin's address and a home that is nobody's."""
    yield {
        "KAWE_BASE_URL": address.api_url,
        "KAWE_API_KEY": address.live_key,
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
    }
    root = logging.getLogger("kawe")
    for each in list(root.handlers):
        root.removeHandler(each)
        each.close()
