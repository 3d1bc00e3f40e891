"""A service opened for a test, with little patience."""

from __future__ import annotations

import random
from typing import Any

import httpx

from doubles.machine import AskedToStop, Quiet
from kawe.machine import SystemClock
from kawe.service.opening import ServiceSetup, open_service
from kawe.service.retrying import RetryPolicy
from kawe.service.transport.addresses import Addresses
from kawe.service.transport.pacing import Pacer
from kawe.service.transport.wire import Wire

IMPATIENT = RetryPolicy(
    attempts=2, total_seconds=10, first_wait_seconds=0.01, longest_wait_seconds=0.02
)
CANARY = "kw_live_canary-7f3a9c21"


def opened(base_url: str, *, key: str = CANARY, workers: int = 8) -> Any:
    """Open every adapter on `base_url`."""
    options = ServiceSetup(
        base_url=base_url, key=key, workers=workers, policy=IMPATIENT
    )
    return open_service(
        options, clock=SystemClock(), progress=Quiet(), halt=AskedToStop()
    )


def wire_to(
    base_url: str,
    *,
    key: str = CANARY,
    workers: int = 8,
    transport: httpx.AsyncBaseTransport | None = None,
) -> Wire:
    return Wire(
        addresses=Addresses(base_url=base_url),
        key=key,
        pacer=Pacer(
            clock=SystemClock(),
            progress=Quiet(),
            halt=AskedToStop(),
            chance=random.Random(1),
        ),
        workers=workers,
        user_agent="kawe-test",
        transport=transport,
    )
