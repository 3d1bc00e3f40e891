"""Every check, in the order of a run."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping

from kawe.domain.service.service_words import Account
from kawe.errors import KaweError, SettingsError
from kawe.toolkit.choices import agreed_mode
from kawe.toolkit.doctor.checks import DoctorCheck, Grade, check_of
from kawe.toolkit.doctor.machine_checks import journal_checks
from kawe.toolkit.doctor.network_checks import (
    certificates_check,
    proxy_check,
    storage_check,
)
from kawe.toolkit.doctor.service_checks import (
    account_checks,
    greeting_checks,
    scope_checks,
)
from kawe.toolkit.doctor.settings_checks import settings_checks
from kawe.toolkit.kit import Toolkit
from kawe.toolkit.reaching import open_probe


async def examine(
    toolkit: Toolkit, *, environment: Mapping[str, str]
) -> AsyncIterator[DoctorCheck]:
    """Check settings, service and journal; change nothing."""
    settings = toolkit.settings
    may_ask = True
    for check in settings_checks(settings):
        may_ask = may_ask and check.grade is not Grade.TROUBLE
        yield check
    account, mode = None, None
    if settings.base_url is not None:
        is_there = True
        async for check in _reaching(toolkit, environment=environment):
            is_there = is_there and check.grade is not Grade.TROUBLE
            yield check
        if may_ask and is_there:
            checks, account, mode = await _asking(toolkit)
            for check in checks:
                yield check
    for check in await journal_checks(settings, account=account, mode=mode):
        yield check


async def _reaching(
    toolkit: Toolkit, *, environment: Mapping[str, str]
) -> AsyncIterator[DoctorCheck]:
    from kawe.service.greeting import greet  # noqa: PLC0415 (start-up)

    proxy = proxy_check(toolkit.settings, environment)
    yield proxy
    yield certificates_check(environment)
    if proxy.grade is Grade.TROUBLE:
        return
    url = toolkit.settings.service_url()
    for check in greeting_checks(await greet(url, clock=toolkit.clock), url=url):
        yield check


async def _asking(
    toolkit: Toolkit,
) -> tuple[list[DoctorCheck], Account | None, str | None]:
    try:
        async with open_probe(
            toolkit.settings,
            clock=toolkit.clock,
            progress=toolkit.progress,
            halt=toolkit.halt,
        ) as probe:
            account = await probe.account(team_name=toolkit.settings.team)
            mode = agreed_mode(toolkit.settings, account)
            checks = list(account_checks(account, mode=mode))
            checks += [check async for check in scope_checks(probe, account=account)]
            checks.append(await storage_check(probe, team_id=account.team_id))
    except SettingsError as trouble:
        return [check_of("team and mode", trouble)], None, None
    except KaweError as trouble:
        return [check_of("account", trouble)], None, None
    return checks, account, mode
