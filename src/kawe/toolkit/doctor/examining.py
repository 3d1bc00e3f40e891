"""Every sign, in the order in which a run would meet its trouble."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping

from kawe.domain.service.service_words import Account
from kawe.errors import KaweError, SettingsError
from kawe.toolkit.choices import agreed_mode
from kawe.toolkit.doctor.machine_signs import journal_signs
from kawe.toolkit.doctor.service_signs import (
    account_signs,
    greeting_signs,
    proxy_sign,
    scope_signs,
)
from kawe.toolkit.doctor.settings_signs import settings_signs
from kawe.toolkit.doctor.signs import Grade, Sign, sign_of
from kawe.toolkit.kit import Toolkit
from kawe.toolkit.reaching import open_probe


async def examine(
    toolkit: Toolkit, *, environment: Mapping[str, str]
) -> AsyncIterator[Sign]:
    """Look at settings, service and journal; change nothing."""
    settings = toolkit.settings
    may_ask = True
    for sign in settings_signs(settings):
        may_ask = may_ask and sign.grade is not Grade.TROUBLE
        yield sign
    account, mode = None, None
    if settings.base_url is not None:
        is_there = True
        async for sign in _reaching(toolkit, environment=environment):
            is_there = is_there and sign.grade is not Grade.TROUBLE
            yield sign
        if may_ask and is_there:
            signs, account, mode = await _asking(toolkit)
            for sign in signs:
                yield sign
    for sign in await journal_signs(settings, account=account, mode=mode):
        yield sign


async def _reaching(
    toolkit: Toolkit, *, environment: Mapping[str, str]
) -> AsyncIterator[Sign]:
    from kawe.service.greeting import greet  # noqa: PLC0415 (start-up)

    proxy = proxy_sign(toolkit.settings, environment)
    yield proxy
    if proxy.grade is Grade.TROUBLE:
        return
    url = toolkit.settings.service_url()
    for sign in greeting_signs(await greet(url, clock=toolkit.clock), url=url):
        yield sign


async def _asking(toolkit: Toolkit) -> tuple[list[Sign], Account | None, str | None]:
    try:
        async with open_probe(
            toolkit.settings,
            clock=toolkit.clock,
            progress=toolkit.progress,
            halt=toolkit.halt,
        ) as probe:
            account = await probe.account(team_name=toolkit.settings.team)
            mode = agreed_mode(toolkit.settings, account)
            signs = list(account_signs(account, mode=mode))
            signs += [sign async for sign in scope_signs(probe, account=account)]
    except SettingsError as trouble:
        return [sign_of("team and mode", trouble)], None, None
    except KaweError as trouble:
        return [sign_of("account", trouble)], None, None
    return signs, account, mode
