"""What tests ask a running twin, as its owner or with a key of its team.

Nothing here speaks TLS: a client that prepares for it takes 22 ms.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import Any

import httpx

from kawe_twin.serving import TwinAddress

_ending: list[Thread] = []


def end_meanwhile(end: Callable[[], None]) -> None:
    """End a twin while the next test begins: it looks ten times a second, twice."""
    _ending.append(Thread(target=end))
    _ending[-1].start()


def wait_for_ends() -> None:
    """Wait for all that were to end: at exit, a pool takes nothing more."""
    for each in _ending:
        each.join()


def with_key(address: TwinAddress, key: str | None = None) -> httpx.Client:
    """Give a client that has a key; the live one, unless another is given."""
    bearer = {"Authorization": f"Bearer {key or address.live_key}"}
    return _client(address, bearer)


def as_owner(address: TwinAddress) -> httpx.Client:
    """Give a client that may do what the owner of the twin may."""
    return _client(address, {"X-Twin-Secret": address.owner_secret})


def state_of(address: TwinAddress) -> dict[str, Any]:
    """Ask what really happened."""
    with as_owner(address) as owner:
        value: dict[str, Any] = owner.get("/_twin/state").json()
    return value


def owner_does(address: TwinAddress, what: str, **words: Any) -> Any:
    """Do something as the owner; give the answer."""
    with as_owner(address) as owner:
        done = owner.post(f"/_twin/{what}", json=words)
    return done.raise_for_status().json()


def projects_of(address: TwinAddress) -> list[Any]:
    """Give the first page of the team's projects, as the service shows them."""
    return _response(address, "/projects")["data"]  # type: ignore[no-any-return]


def team_of(address: TwinAddress) -> str:
    """Give the id of the team whose key is the live one."""
    return str(_response(address, "/user")["teams"][0]["id"])


def new_key(address: TwinAddress, *scopes: str) -> str:
    """Make a key of the team; with these scopes alone, if any are given."""
    limits = {"scopes": scopes} if scopes else {}
    made = owner_does(address, "keys", account_id=team_of(address), **limits)
    return str(made["key"])


def buy(address: TwinAddress, quantity: int) -> None:
    owner_does(address, "tokens", team_id=team_of(address), quantity=quantity)


def _response(address: TwinAddress, path: str) -> Any:
    with with_key(address) as client:
        return client.get(path).json()["response_object"]


def _client(address: TwinAddress, headers: dict[str, str]) -> httpx.Client:
    return httpx.Client(
        base_url=address.api_url,
        headers=headers,
        timeout=30,
        trust_env=False,
        verify=False,
    )
