"""Builds a twin from its folder, which only its owner can read.

A new folder is seeded; at every start each account gets one more key.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from sqlite3 import Connection
from typing import Final, Literal, TypeAlias

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from kawe_contract.enums import UserRole
from kawe_twin.api.app import Api, Owner
from kawe_twin.api.envelope import bare
from kawe_twin.api.gate import Gate, RequestCounts, RollingWindows
from kawe_twin.calls.call import Setup
from kawe_twin.faults.ledger import Ledger
from kawe_twin.faults.switchboard import Switchboard
from kawe_twin.faults.wrapping import Faulted, SetFault, api_name, storage_name
from kawe_twin.options import TwinAddress, TwinOptions
from kawe_twin.portal.app import Portal
from kawe_twin.portal.context import PortalContext, Sessions
from kawe_twin.storage.app import StorageContext
from kawe_twin.storage.document_folder import DocumentFolder, make_folder
from kawe_twin.storage.grants import Signer
from kawe_twin.store.accounts import (
    create_person,
    issue_key,
    join,
    load_keys,
    note_tokens,
)
from kawe_twin.store.database import Database, create, first, found, insert
from kawe_twin.world.answers import Refusal
from kawe_twin.world.clock import Clock, instant_text
from kawe_twin.world.iwi_areas import IWI, Iwi
from kawe_twin.world.keys import ALL_SCOPES, KeyRing

_SIGNING: Final = "signing_secret"
_OWN_NAMES: Final = ("127.0.0.1", "localhost", "[::1]")


Origin: TypeAlias = Literal["api", "storage", "switchboard"]
"""The two origins, and the switchboard if there is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembly:
    """A twin, not yet served."""

    origins: Mapping[Origin, ASGIApp]
    database: Database
    clock: Clock
    address: TwinAddress
    live_team_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Start:
    """Ids and keys of one start."""

    ring: KeyRing
    signing_secret: bytes = field(repr=False)
    keys: dict[str, str] = field(repr=False)
    live_team_id: str


def assemble(
    options: TwinOptions, *, ports: Mapping[Origin, int], clock: Clock
) -> Assembly:
    """Open or make the folder, and build both applications over it.

    One that another twin has, or that is not a twin's, is `StoreUnusable`.
    """
    make_folder(options.folder)
    document_folder = DocumentFolder(folder=options.folder)
    database = Database(options.folder / "twin.sqlite3")
    try:
        document_folder.prepare()
        opening = partial(_open, options=options, now=instant_text(clock()))
        start = database.submit(opening).result()
    except BaseException:
        database.close()
        raise
    address = _address(options, ports=ports, start=start)
    setup = Setup(
        database=database,
        ring=start.ring,
        clock=clock,
        api_url=address.api_url,
        storage_url=address.storage_url,
        signer=Signer(secret=start.signing_secret),
        document_folder=document_folder,
        grant_seconds=options.grant_seconds,
        link_seconds=options.link_seconds,
    )
    storage = StorageContext(setup=setup, part_seconds=options.body_seconds)
    apps: dict[Origin, ASGIApp] = {
        "api": _api(options, setup=setup, owner_secret=address.owner_secret),
        "storage": storage.application(),
    }
    if "switchboard" in ports:
        apps = _with_switchboard(apps, reach=setup, secret=address.switchboard_secret)
    return Assembly(
        origins={at: _host_guarded(app, port=ports[at]) for at, app in apps.items()},
        database=database,
        clock=clock,
        address=address,
        live_team_id=start.live_team_id,
    )


def _with_switchboard(
    apps: Mapping[Origin, ASGIApp], *, reach: Setup, secret: str
) -> dict[Origin, ASGIApp]:
    """Give the same origins with faults around them and one ledger."""
    faults, ledger = list[SetFault](), Ledger()
    faulted = partial(Faulted, faults=faults, ledger=ledger, reach=reach)
    switchboard = Switchboard(faults=faults, ledger=ledger, secret=secret)
    return {
        "api": faulted(app=apps["api"], naming=api_name),
        "storage": faulted(app=apps["storage"], naming=storage_name),
        "switchboard": switchboard.application(),
    }


def _host_guarded(app: ASGIApp, *, port: int) -> ASGIApp:
    """Refuse foreign Host headers with 403, which protects against DNS rebinding."""

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        host = Request(scope).headers.get("host", "").lower()
        is_own = host in {f"{name}:{port}" for name in _OWN_NAMES}
        answer = app if is_own else bare(Refusal(403, "Unknown host."))
        await answer(scope, receive, send)

    return guarded


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


def _address(
    options: TwinOptions, *, ports: Mapping[Origin, int], start: _Start
) -> TwinAddress:
    host = "[::1]" if options.host == "::1" else options.host
    urls = {origin: f"http://{host}:{port}" for origin, port in ports.items()}
    return TwinAddress(
        api_url=urls["api"],
        storage_url=urls["storage"],
        **{f"{name}_key": key for name, key in start.keys.items()},
        owner_secret=secrets.token_urlsafe(24),
        switchboard_url=urls.get("switchboard"),
        switchboard_secret=secrets.token_urlsafe(24) if "switchboard" in urls else "",
    )


def _open(db: Connection, *, options: TwinOptions, now: str) -> _Start:
    """Do the one transaction of a start."""
    if first(db, "SELECT 1 FROM account") is None:
        seed(db, tokens=options.tokens, now=now)
        insert(db, "setting", name=_SIGNING, value=secrets.token_hex(32))
    ids = {name: found(db, account)["id"] for name, account in _HOLDERS.items()}
    more = partial(issue_key, db, scopes=ALL_SCOPES, now=now)
    made = {name: more(account_id=ids[name], sandbox=name == "test") for name in ids}
    secret = found(db, "SELECT value FROM setting WHERE name = ?", (_SIGNING,))
    return _Start(
        ring=load_keys(db),
        signing_secret=bytes.fromhex(secret["value"]),
        keys={name: key.secret for name, (key, _) in made.items()},
        live_team_id=ids["live"],
    )


# The accounts that get keys; a team can be renamed, so the first of its kind counts.
_LIVE: Final = (
    "SELECT id FROM account WHERE kind = 'TEAM' AND sandbox = 0 ORDER BY rowid LIMIT 1"
)
_HOLDERS: Final = {
    "live": _LIVE,
    "test": _LIVE,
    "sandbox": "SELECT id FROM account WHERE kind = 'TEAM' AND sandbox = 1"
    " AND sandbox_of IS NULL ORDER BY rowid LIMIT 1",
    "iwi": "SELECT id FROM account WHERE kind = 'IWI' ORDER BY rowid LIMIT 1",
}


LIVE_TEAM: Final = "Kaunihera o Tauira (twin)"
SANDBOX_TEAM: Final = "Kaunihera o Tauira (twin, sandbox)"
OTHER_TEAM: Final = "Te Rōpū Tauira Tuarua (twin)"


_MEMBERS: Final = {
    "aroha@tauira.example": ("Aroha", UserRole.OWNER),
    "wiremu@tauira.example": ("Wiremu", UserRole.MEMBER),
    "marama@tauira.example": ("Mārama", UserRole.MEMBER),
}
_OTHERS: Final = {"hana@tuarua.example": ("Hana", UserRole.OWNER)}


def seed(db: Connection, *, tokens: int, now: str) -> None:
    """Fill a new twin; the live team starts with `tokens`."""
    add_person = partial(create_person, db, last_name="Tauira", now=now)
    every = (_MEMBERS | _OTHERS).items()
    ids = {email: add_person(email, first_name=name) for email, (name, _) in every}
    council: dict[str, object] = {"local_authority": "Tauira District"}
    for people, said in (
        (_MEMBERS, council | {"name": LIVE_TEAM, "balance": tokens}),
        (_MEMBERS, council | {"name": SANDBOX_TEAM, "sandbox": True}),
        (_OTHERS, {"name": OTHER_TEAM}),
    ):
        account_id = _add_team(db, now=now, **said)
        for email, (_, role) in people.items():
            join(db, account_id, ids[email], role=role, now=now)
    if tokens:
        live_id = found(db, _LIVE)["id"]
        note_tokens(db, live_id, tokens, reason="START", created_on=now)
    for iwi in IWI:
        account_id = _add_iwi(db, iwi, now=now)
        person_id = add_person(f"{iwi.slug}@iwi.example", first_name="Kaitiaki")
        join(db, account_id, person_id, role=UserRole.OWNER, now=now)


def _add_team(db: Connection, *, now: str, **said: object) -> str:
    return create(
        db,
        "account",
        kind="TEAM",
        region="Tauira",
        organisation_type="Local authority",
        national=False,
        created_on=now,
        **said,
    )


def _add_iwi(db: Connection, iwi: Iwi, *, now: str) -> str:
    return create(
        db,
        "account",
        kind="IWI",
        name=iwi.name,
        slug=iwi.slug,
        primary_colour=iwi.colour,
        created_on=now,
    )
