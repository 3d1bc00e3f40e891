"""Builds a twin from its folder, which only its owner can read.

A new folder is seeded; at every start each account gets one more key.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from sqlite3 import Connection, Row
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from kawe.durable import make_folder
from kawe.twin.api.app import Api
from kawe.twin.api.counting import RequestCounts, RollingWindows
from kawe.twin.api.gate import Gate
from kawe.twin.api.owner import Owner
from kawe.twin.calls.call import Setup
from kawe.twin.faults.ledger import Ledger
from kawe.twin.faults.settings import FaultSettings
from kawe.twin.faults.switchboard import Switchboard
from kawe.twin.faults.wrapping import Faulted, api_name, storage_name
from kawe.twin.options import TwinAddress, TwinOptions
from kawe.twin.portal.app import Portal
from kawe.twin.portal.context import PortalContext
from kawe.twin.portal.sessions import Sessions
from kawe.twin.storage.app import StorageContext
from kawe.twin.storage.document_folder import DocumentFolder
from kawe.twin.storage.grants import Signer
from kawe.twin.store.accounts import keep_key, load_keys
from kawe.twin.store.database import Database
from kawe.twin.store.rows import first, found, insert
from kawe.twin.store.seed import seed
from kawe.twin.world.clock import Clock, instant_text
from kawe.twin.world.keys import ALL_SCOPES, KeyRing, new_key

_SIGNING: Final = "signing_secret"
_OWN_NAMES: Final = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """The ports of the two origins, and of the switchboard if there is one."""

    api: int
    storage: int
    switchboard: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Origins:
    """The two origins, and the switchboard if there is one."""

    api: ASGIApp
    storage: ASGIApp
    switchboard: ASGIApp | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembly:
    """A twin, not yet served."""

    origins: Origins
    database: Database
    clock: Clock
    address: TwinAddress
    live_team_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Start:
    """Ids and keys of one start."""

    is_new: bool
    ring: KeyRing
    signing_secret: bytes = field(repr=False)
    keys: dict[str, str] = field(repr=False)
    live_team_id: str


def assemble(options: TwinOptions, *, ports: Ports, clock: Clock) -> Assembly:
    """Open or make the folder, and build both applications over it.

    Raises:
        StoreUnusable: Another twin has the folder, or it is not a twin's.
    """
    make_folder(options.folder)
    document_folder = DocumentFolder(folder=options.folder)
    database = Database(options.folder / "twin.sqlite3")
    try:
        document_folder.prepare()
        start = database.submit(_opening(options, clock=clock)).result()
    except BaseException:
        database.close()
        raise
    address = _address(options, ports=ports, start=start)
    signer = Signer(secret=start.signing_secret)
    setup = Setup(
        database=database,
        ring=start.ring,
        clock=clock,
        api_url=address.api_url,
        storage_url=address.storage_url,
        signer=signer,
        document_folder=document_folder,
        grant_seconds=options.grant_seconds,
        link_seconds=options.link_seconds,
    )
    storage = StorageContext(
        database=database,
        signer=signer,
        document_folder=document_folder,
        clock=clock,
        part_seconds=options.body_seconds,
    )
    origins = Origins(
        api=_api(options, setup=setup, owner_secret=address.owner_secret),
        storage=storage.application(),
    )
    if ports.switchboard is not None:
        secret = address.switchboard_secret
        origins = _with_switchboard(origins, reach=setup, secret=secret)
    return Assembly(
        origins=_guarded(origins, ports=ports),
        database=database,
        clock=clock,
        address=address,
        live_team_id=start.live_team_id,
    )


def _with_switchboard(origins: Origins, *, reach: Setup, secret: str) -> Origins:
    """Give the same origins with faults around them and one ledger."""
    settings, ledger = FaultSettings(), Ledger()
    faulted = partial(Faulted, settings=settings, ledger=ledger, reach=reach)
    switchboard = Switchboard(settings=settings, ledger=ledger, secret=secret)
    return Origins(
        api=faulted(app=origins.api, naming=api_name),
        storage=faulted(app=origins.storage, naming=storage_name),
        switchboard=switchboard.application(),
    )


def _guarded(origins: Origins, *, ports: Ports) -> Origins:
    switchboard, port = origins.switchboard, ports.switchboard
    if switchboard is not None and port is not None:
        switchboard = HostGuarded(app=switchboard, port=port)
    return Origins(
        api=HostGuarded(app=origins.api, port=ports.api),
        storage=HostGuarded(app=origins.storage, port=ports.storage),
        switchboard=switchboard,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class HostGuarded:
    """Refuses foreign Host headers, which protects against DNS rebinding."""

    app: ASGIApp
    port: int

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it with 403."""
        host = Request(scope).headers.get("host", "").lower()
        if host in {f"{name}:{self.port}" for name in _OWN_NAMES}:
            await self.app(scope, receive, send)
            return
        answer = JSONResponse({"error": "Unknown host."}, status_code=403)
        await answer(scope, receive, send)


def _api(options: TwinOptions, *, setup: Setup, owner_secret: str) -> ASGIApp:
    tally = RequestCounts()
    windows = RollingWindows(
        limit=options.rate_limit, window_seconds=options.rate_window_seconds
    )
    owner = Owner(setup=setup, tally=tally, secret=owner_secret)
    api = Api(
        gate=Gate(ring=setup.ring, windows=windows),
        setup=setup,
        tally=tally,
        latency_seconds=options.latency_ms / 1000,
        body_seconds=options.body_seconds,
    )
    context = PortalContext(setup=setup, sessions=Sessions(), owner_secret=owner_secret)
    more_routes = [*owner.routes(), *Portal(context=context).routes()]
    return api.application(more_routes=more_routes)


def _address(options: TwinOptions, *, ports: Ports, start: _Start) -> TwinAddress:
    host = "[::1]" if options.host == "::1" else options.host
    return TwinAddress(
        api_url=f"http://{host}:{ports.api}",
        storage_url=f"http://{host}:{ports.storage}",
        live_key=start.keys["live"],
        test_key=start.keys["test"],
        sandbox_key=start.keys["sandbox"],
        iwi_key=start.keys["iwi"],
        owner_secret=secrets.token_urlsafe(24),
        switchboard_url=(
            None if ports.switchboard is None else f"http://{host}:{ports.switchboard}"
        ),
        switchboard_secret=(
            "" if ports.switchboard is None else secrets.token_urlsafe(24)
        ),
        keys_are_new=start.is_new,
    )


def _opening(options: TwinOptions, *, clock: Clock) -> Callable[[Connection], _Start]:
    """Give the one transaction of a start."""

    def work(db: Connection) -> _Start:
        now = instant_text(clock())
        is_new = first(db, "SELECT 1 FROM account") is None
        if is_new:
            seed(db, tokens=options.tokens, now=now)
            insert(db, "setting", name=_SIGNING, value=secrets.token_hex(32))
        keys = {name: _one_more_key(db, name, now=now) for name in _HOLDERS}
        secret = found(db, "SELECT value FROM setting WHERE name = ?", (_SIGNING,))
        return _Start(
            is_new=is_new,
            ring=load_keys(db),
            signing_secret=bytes.fromhex(secret["value"]),
            keys=keys,
            live_team_id=_holder(db, "live")["id"],
        )

    return work


# The accounts that get keys; a team can be renamed, so the first of its kind counts.
_LIVE: Final = (
    "SELECT * FROM account WHERE kind = 'TEAM' AND sandbox = 0 ORDER BY rowid LIMIT 1"
)
_HOLDERS: Final = {
    "live": _LIVE,
    "test": _LIVE,
    "sandbox": "SELECT * FROM account WHERE kind = 'TEAM' AND sandbox = 1"
    " AND sandbox_of IS NULL ORDER BY rowid LIMIT 1",
    "iwi": "SELECT * FROM account WHERE kind = 'IWI' ORDER BY rowid LIMIT 1",
}


def _holder(db: Connection, name: str) -> Row:
    return found(db, _HOLDERS[name])


def _one_more_key(db: Connection, name: str, *, now: str) -> str:
    account = _holder(db, name)
    key = new_key(sandbox=name == "test" or bool(account["sandbox"]))
    keep_key(db, key, account=account, scopes=ALL_SCOPES, now=now)
    return key.secret
