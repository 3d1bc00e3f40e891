"""Putting the faults around both origins, and the switchboard beside them."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.types import ASGIApp

from kawe.twin.faults.board import Board
from kawe.twin.faults.exchange import FaultContext
from kawe.twin.faults.ledger import Ledger
from kawe.twin.faults.switchboard import Switchboard
from kawe.twin.faults.wrapping import Faulted, api_name, storage_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Origins:
    """What is served: two origins, and the switchboard if it was asked for."""

    api: ASGIApp
    storage: ASGIApp
    switchboard: ASGIApp | None = None


def with_switchboard(origins: Origins, *, reach: FaultContext, secret: str) -> Origins:
    """Give the same origins under one board and one ledger."""
    board, ledger = Board(), Ledger()
    return Origins(
        api=Faulted(
            app=origins.api, naming=api_name, board=board, ledger=ledger, reach=reach
        ),
        storage=Faulted(
            app=origins.storage,
            naming=storage_name,
            board=board,
            ledger=ledger,
            reach=reach,
        ),
        switchboard=Switchboard(
            board=board, ledger=ledger, secret=secret
        ).application(),
    )
