"""Checks of the way to the service: proxy, certificates, storage of files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kawe.domain.text.hosts import is_loopback
from kawe.domain.text.texts import one_line
from kawe.errors import ContractBroken, KaweError
from kawe.settings import Settings
from kawe.system import is_macos, is_windows
from kawe.toolkit.doctor.auto_proxy import proxy_file
from kawe.toolkit.doctor.checks import DoctorCheck, check_of, doubtful, fine
from kawe.toolkit.doctor.service_checks import unreachable

if TYPE_CHECKING:
    from kawe.service.probing import Probe

_PROXIES: Final = ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "NO_PROXY")
_CERTIFICATES: Final = ("SSL_CERT_FILE", "SSL_CERT_DIR")
_ASK_IT: Final = (
    "If the service cannot be reached, ask IT which proxy that file gives for it, and "
    "set HTTPS_PROXY to the proxy's address."
)


def proxy_check(
    settings: Settings,
    environment: Mapping[str, str],
    *,
    look: Callable[[Mapping[str, str]], str | None] = proxy_file,
) -> DoctorCheck:
    """Name the proxy without its password, and a proxy file, which is not read."""
    from kawe.service.transport.proxies import proxy_for  # noqa: PLC0415 (start-up)

    url = settings.service_url()
    seen = [
        name
        for each in _PROXIES
        for name in (each, each.lower())
        if environment.get(name)
    ]
    named = f"variables set: {', '.join(seen)}" if seen else "no variable names one"
    try:
        proxy = proxy_for(url)
    except KaweError as trouble:
        return check_of("proxy", trouble)
    if proxy is not None:
        where = f"{proxy.url.host}:{proxy.url.port or 80}"
        return fine("proxy", f"{where} leads to the service; {named}")
    words = f"none on the way to the service; {named}"
    file = None if is_loopback(url) else look(environment)
    if file is None:
        return fine("proxy", words)
    return doubtful(
        "proxy",
        f"{words}; this computer has a proxy file (PAC) from {file}, which kawe does "
        "not read",
        advice=_ASK_IT,
    )


def certificates_check(environment: Mapping[str, str]) -> DoctorCheck:
    """Say whose certificates count."""
    named = {name: environment[name] for name in _CERTIFICATES if environment.get(name)}
    words = "those that this computer trusts"
    if not named:
        return fine("certificates", words)
    both = " and ".join(f"{name} ({one_line(at)})" for name, at in named.items())
    if is_windows() or is_macos():
        return doubtful(
            "certificates",
            f"{words}; {both} has no effect on this system",
            advice="Put a certificate of your organisation into the computer's store.",
        )
    missing = [one_line(at) for at in named.values() if not Path(at).exists()]
    if missing:
        return doubtful(
            "certificates",
            f"{both} is set, and {' and '.join(missing)} is not there",
            advice="Correct the variable, or take it away.",
        )
    return fine("certificates", f"{words}, and those of {both}")


async def storage_check(probe: Probe, *, team_id: str) -> DoctorCheck:
    """Check that the storage of files can be reached, if the service names it."""
    try:
        origin = await probe.storage(team_id=team_id)
        if origin is not None:
            return await reached(origin, api_url=probe.wire.addresses.base_url)
    except ContractBroken as trouble:
        return check_of("storage", trouble)
    except KaweError:
        # Why the service names none is said in another line.
        pass
    words = "its address is not known: the service names it with the first receipt"
    return fine("storage", words)


async def reached(origin: str, *, api_url: str) -> DoctorCheck:
    """Check that a storage answers.

    Raises:
        ContractBroken: It is nearer to this machine than the service.
        SettingsError: The proxy that leads there cannot be used.
    """
    from kawe.service.greeting import meet_storage  # noqa: PLC0415 (start-up)

    nobody = await meet_storage(origin, api_url=api_url)
    if nobody is None:
        secure = " over TLS that this computer trusts"
        is_secure = origin.startswith("https")
        return fine("storage", f"{origin} answers{secure if is_secure else ''}")
    why = unreachable(nobody, url=origin)
    return doubtful(
        "storage",
        why.message,
        advice=f"{why.hint} Until then, rows with files stop, and receipts are not "
        "saved; other rows go on.",
    )
