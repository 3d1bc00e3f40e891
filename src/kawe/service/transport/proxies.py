"""Which proxy leads to the service, as this machine says.

A run asks one address, so this is decided once. The environment counts
(`HTTPS_PROXY`, `ALL_PROXY`, `NO_PROXY`), and what the system's own settings say
where it has such; see `urllib.request.getproxies`.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx

from kawe.domain.text.hosts import is_loopback
from kawe.errors import SettingsError

_NEEDS_MORE: Final = (
    "Correct HTTPS_PROXY, HTTP_PROXY or ALL_PROXY in the environment; kawe speaks to "
    "proxies at http:// and https:// addresses."
)


def proxy_for(url: str) -> httpx.Proxy | None:
    """Give the proxy that leads to `url`, None where the way is straight.

    The loopback twin is always asked directly.

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
        # The address may hold a password, so it is not shown.
        raise SettingsError(
            message="The proxy that this computer names cannot be used.",
            hint=_NEEDS_MORE,
        )
    return proxy
