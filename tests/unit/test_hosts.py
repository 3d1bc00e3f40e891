"""Work that several hosts share, without a database."""

import asyncio
from types import SimpleNamespace

import procrastinate
import pytest
from procrastinate.exceptions import ConnectorException
from procrastinate.testing import InMemoryConnector

from kawe.domain.batch.runs import WorkPlace
from kawe.hosts import HostTurns


@pytest.fixture
def app():
    """Give an application to which a host that is stopped at once said what it does."""
    app = procrastinate.App(connector=InMemoryConnector())
    nobody = SimpleNamespace(look=None, watch=None, carry_out=None)

    async def begin():
        async with app.open_async():
            await HostTurns(app).work(
                nobody,
                [WorkPlace(profile="hurunui", account="hurunui live")],
                accounts=1,
                every_seconds=5,
                halt=SimpleNamespace(asked=True),
            )

    asyncio.run(begin())
    return app


def test_a_run_whose_end_could_not_be_kept_is_tried_again(app):
    job = SimpleNamespace(attempts=0)
    tried = [
        app.tasks["kawe:agreed"].get_retry_exception(trouble, job=job) is not None
        for trouble in (ConnectorException(), ValueError())
    ]
    assert tried == [True, False]


def test_what_a_gone_host_had_is_given_on_before_any_folder_is_looked_at(app):
    repeated = app.periodic_registry.periodic_tasks.values()
    order = sorted(repeated, key=lambda each: -each.configure_kwargs.get("priority", 0))
    assert [each.task.name for each in order] == ["kawe:stalled", "kawe:look"]
    assert order[0].configure_kwargs["priority"] > 1
