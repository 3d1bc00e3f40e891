"""Finds the proxy for the service in the environment or the system's settings.

See `urllib.request.getproxies`: `HTTPS_PROXY`, `ALL_PROXY`, `NO_PROXY`.
"""

from __future__ import annotations

import ssl
from typing import Final
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx

from kawe.domain.text.hosts import is_loopback
from kawe.errors import SettingsError

_STRAIGHT: Final = ""
_NEEDS_MORE: Final = (
    "Correct HTTPS_PROXY, HTTP_PROXY or ALL_PROXY in the environment; kawe speaks to "
    "proxies at http:// and https:// addresses."
)


def proxy_for(url: str) -> httpx.Proxy | None:
    """Give the proxy for `url`, if any; loopback addresses have none.

    Raises:
        SettingsError: A proxy is named that cannot be used.
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    if is_loopback(url) or proxy_bypass(host):
        return None
    known = getproxies()
    address = known.get(parts.scheme) or known.get("all")
    if not address:
        return None
    try:
        proxy = httpx.Proxy(address if "://" in address else f"http://{address}")
        usable = proxy.url.scheme in {"http", "https"} and bool(proxy.url.host)
    except (httpx.InvalidURL, ValueError):
        usable = False
    if not usable:
        # The address may hold a password.
        raise SettingsError(
            message="The proxy that this computer names cannot be used.",
            hint=_NEEDS_MORE,
        )
    return proxy


class ByProxy(httpx.AsyncBaseTransport):
    """Takes for each address the proxy that leads there, as the API's client does."""

    def __init__(self, *, verify: ssl.SSLContext, limits: httpx.Limits) -> None:
        self._verify = verify
        self._limits = limits
        self._transports: dict[str, httpx.AsyncHTTPTransport] = {}

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Make one request.

        Raises:
            SettingsError: A proxy is named that cannot be used.
        """
        proxy = proxy_for(str(request.url))
        way = _STRAIGHT if proxy is None else str(proxy.url)
        if way not in self._transports:
            self._transports[way] = httpx.AsyncHTTPTransport(
                verify=self._verify, trust_env=False, proxy=proxy, limits=self._limits
            )
        return await self._transports[way].handle_async_request(request)

    async def aclose(self) -> None:
        """Close every connection."""
        for each in self._transports.values():
            await each.aclose()
