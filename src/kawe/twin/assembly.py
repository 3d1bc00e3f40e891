"""Putting a twin together from its folder.

The folder holds the database and the documents, readable by nobody else. A new
folder is seeded; in every start each account gets one more key.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from sqlite3 import Connection, Row
from typing import Final

from starlette.types import ASGIApp

from kawe.durable import make_folder
from kawe.twin.app import Api
from kawe.twin.call import Setup
from kawe.twin.clock import Clock, instant_text
from kawe.twin.counting import RequestCounts
from kawe.twin.faults.exchange import FaultContext
from kawe.twin.faults.installing import Origins, with_switchboard
from kawe.twin.gate import Gate
from kawe.twin.grants import Signer
from kawe.twin.hosts import HostGuarded, own_names
from kawe.twin.keys import ALL_SCOPES, KeyRing, new_key
from kawe.twin.options import TwinAddress, TwinOptions
from kawe.twin.owner import Owner
from kawe.twin.portal.app import Portal
from kawe.twin.portal.desk import PortalContext
from kawe.twin.portal.sessions import Sessions
from kawe.twin.rate import RollingWindows
from kawe.twin.seed import seed
from kawe.twin.shelf import DocumentFolder
from kawe.twin.storage import StorageContext
from kawe.twin.store.accounts import keep_key, load_keys
from kawe.twin.store.database import Database

_SIGNING: Final = "signing_secret"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """The ports of the two origins, and of the switchboard if there is one."""

    api: int
    storage: int
    switchboard: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembly:
    """A twin put together, not yet served."""

    origins: Origins
    database: Database
    clock: Clock
    address: TwinAddress
    live_team_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Start:
    """What one start finds or makes in the database."""

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
    shelf = DocumentFolder(folder=options.folder)
    database = Database(options.folder / "twin.sqlite3")
    try:
        shelf.prepare()
        start = database.submit(_opening(options, clock=clock)).result()
    except BaseException:
        database.close()
        raise
    address = _address(options, ports=ports, start=start)
    signer = Signer(secret=start.signing_secret)
    setup = Setup(
        api_url=address.api_url,
        storage_url=address.storage_url,
        signer=signer,
        shelf=shelf,
        grant_seconds=options.grant_seconds,
        link_seconds=options.link_seconds,
    )
    storage = StorageContext(
        database=database,
        signer=signer,
        shelf=shelf,
        clock=clock,
        part_seconds=options.body_seconds,
    )
    origins = Origins(
        api=_api(
            options,
            database=database,
            setup=setup,
            start=start,
            clock=clock,
            owner_secret=address.owner_secret,
        ),
        storage=storage.application(),
    )
    if ports.switchboard is not None:
        origins = with_switchboard(
            origins,
            reach=FaultContext(database=database, ring=start.ring, clock=clock),
            secret=address.switchboard_secret,
        )
    return Assembly(
        origins=_guarded(origins, ports=ports),
        database=database,
        clock=clock,
        address=address,
        live_team_id=start.live_team_id,
    )


def _guarded(origins: Origins, *, ports: Ports) -> Origins:
    def guarded(app: ASGIApp, *, port: int) -> ASGIApp:
        return HostGuarded(app=app, names=own_names(port))

    switchboard, port = origins.switchboard, ports.switchboard
    return Origins(
        api=guarded(origins.api, port=ports.api),
        storage=guarded(origins.storage, port=ports.storage),
        switchboard=(
            None
            if switchboard is None or port is None
            else guarded(switchboard, port=port)
        ),
    )


def _api(
    options: TwinOptions,
    *,
    database: Database,
    setup: Setup,
    start: _Start,
    clock: Clock,
    owner_secret: str,
) -> ASGIApp:
    tally = RequestCounts()
    windows = RollingWindows(
        limit=options.rate_limit, window_seconds=options.rate_window_seconds
    )
    owner = Owner(
        database=database,
        ring=start.ring,
        tally=tally,
        clock=clock,
        secret=owner_secret,
    )
    api = Api(
        database=database,
        gate=Gate(ring=start.ring, windows=windows),
        setup=setup,
        clock=clock,
        tally=tally,
        latency_seconds=options.latency_ms / 1000,
        body_seconds=options.body_seconds,
    )
    portal = Portal(
        desk=PortalContext(
            database=database,
            ring=start.ring,
            setup=setup,
            clock=clock,
            sessions=Sessions(),
            owner_secret=owner_secret,
        )
    )
    return api.application(more_routes=[*owner.routes(), *portal.routes()])


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
        is_new = db.execute("SELECT 1 FROM account").fetchone() is None
        if is_new:
            seed(db, tokens=options.tokens, now=now)
            db.execute(
                "INSERT INTO setting (name, value) VALUES (?, ?)",
                (_SIGNING, secrets.token_hex(32)),
            )
        keys = {name: _one_more_key(db, name, now=now) for name in _HOLDERS}
        secret = db.execute(
            "SELECT value FROM setting WHERE name = ?", (_SIGNING,)
        ).fetchone()
        return _Start(
            is_new=is_new,
            ring=load_keys(db),
            signing_secret=bytes.fromhex(secret["value"]),
            keys=keys,
            live_team_id=_holder(db, "live")["id"],
        )

    return work


# Whose keys a start makes, and how their account is found: a team can be
# renamed, so it is known by being the first of its kind.
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
    row: Row = db.execute(_HOLDERS[name]).fetchone()
    return row


def _one_more_key(db: Connection, name: str, *, now: str) -> str:
    account = _holder(db, name)
    key = new_key(sandbox=name == "test" or bool(account["sandbox"]))
    keep_key(db, key, account=account, scopes=ALL_SCOPES, now=now)
    return key.secret
