"""Opens the service with every adapter of this room."""

import random
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import httpx

from kawe.ports import Acts, Clock, Downloads, Halt, Lookups, Pace, Progress, Uploads
from kawe.service.acts import HttpActs
from kawe.service.downloads import LinkedDownloads
from kawe.service.lookups import HttpLookups
from kawe.service.probing import Probe
from kawe.service.retrying import Retries, RetryBudget, RetryPolicy
from kawe.service.storage import PresignedUploads, Storage
from kawe.service.transport.addresses import Addresses
from kawe.service.transport.pacing import Pacer
from kawe.service.transport.wire import Wire


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceSetup:
    """The setup of a connection to a service."""

    base_url: str
    key: str = field(repr=False)
    paths: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    team_name: str | None = None
    """Needed when the person of the key is in several teams."""
    workers: int = 8
    user_agent: str = "kawe"
    policy: RetryPolicy = field(default_factory=RetryPolicy)


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """The five ports of one service, and the probe."""

    acts: Acts
    lookups: Lookups
    uploads: Uploads
    downloads: Downloads
    pace: Pace
    probe: Probe


@asynccontextmanager
async def open_service(
    options: ServiceSetup,
    *,
    clock: Clock,
    progress: Progress,
    halt: Halt,
    chance: random.Random | None = None,
    transport: httpx.AsyncBaseTransport | None = None,
) -> AsyncIterator[Service]:
    """Open the service for a run; equal `chance` and `transport` repeat it exactly."""
    addresses = Addresses(base_url=options.base_url, overrides=options.paths)
    chance = chance or random.Random()  # noqa: S311 - spreads waits, guards nothing
    pacer = Pacer(clock=clock, progress=progress, halt=halt, chance=chance)
    progress.follow(pacer)
    async with (
        Wire(
            addresses=addresses,
            key=options.key,
            pacer=pacer,
            workers=options.workers,
            user_agent=options.user_agent,
            transport=transport,
        ) as wire,
        Storage(
            api_url=options.base_url, workers=options.workers, transport=transport
        ) as storage,
    ):
        yield stacked(wire=wire, storage=storage, pacer=pacer, options=options)


def stacked(
    *, wire: Wire, storage: Storage, pacer: Pacer, options: ServiceSetup
) -> Service:
    """Build the adapters of this room over one wire."""
    # Enough for one full series of retries of everything in flight.
    budget = RetryBudget(most=max(20, options.workers * options.policy.attempts))
    retries = Retries(pace=pacer, policy=options.policy, budget=budget, halt=pacer.halt)
    return Service(
        acts=HttpActs(wire=wire),
        lookups=HttpLookups(wire=wire, team_name=options.team_name, retries=retries),
        uploads=PresignedUploads(wire=wire, storage=storage, retries=retries),
        downloads=LinkedDownloads(wire=wire, storage=storage, retries=retries),
        pace=pacer,
        probe=Probe(wire=wire),
    )
