"""The address of the service and the key: shown, tested, and kept anew."""

import os
from asyncio import to_thread
from contextlib import suppress
from dataclasses import replace
from typing import Final

from starlette.responses import Response

from kawe import errors
from kawe.cases.columns import kept_words, rule_words
from kawe.cases.kinds import KINDS
from kawe.cases.kit import Toolkit
from kawe.cases.session import open_session
from kawe.cases.setting_up import checked_key, keep_tried, overridden
from kawe.desk.pages.check import trouble_of
from kawe.desk.rendering import go_to
from kawe.desk.runs import Balance
from kawe.desk.visits import DeskVisit, FormRefused, about, done_at, shown_at
from kawe.domain.sheet.tables import NO_MEMORY
from kawe.domain.text.next_steps import Next
from kawe.settings import headings
from kawe.settings.notifying import load_notify
from kawe.settings.values import Settings, checked_url

TEST: Final = "settings"


@shown_at("/settings")
def show(visit: DeskVisit) -> Response:
    """Show what holds now, and what a try that led here said; never the key."""
    settings, memory, told = None, NO_MEMORY, ""
    profile = visit.around.profile
    last = visit.tried(TEST)
    if last is not None and last.typed and (why := last.trouble):
        visit = replace(visit, form=last.typed, refused=str(why), wrong=_field_of(why))
    try:
        settings = visit.around.settings()
        told = load_notify(command=None, profile=profile, environment=os.environ).words
        trouble: Exception | None = settings.refusal()
        memory = headings.column_memory(settings.headings)
    except errors.SettingsError as wrong:
        trouble = wrong
    return visit.page(
        "settings.html",
        settings=settings,
        lacks="" if trouble is None else str(trouble),
        profile=profile,
        told=told,
        last=last,
        typed=visit.form,
        failed="" if visit.refused else trouble_of(last),
        kept=[(shape, *kept_words(said)) for shape, said in memory.kept.items()],
        rules=[
            (rule_words(e), not isinstance(e, headings.OwnHeading) and e.heading)
            for e in memory.rules.values()
        ],
    )


def _field_of(why: errors.KaweError) -> str:
    """Say in which field stands what a try was refused for; empty: in none."""
    if isinstance(why, errors.ServiceUnreachable | errors.ContractBroken):
        return "base_url"
    if isinstance(why, errors.ServiceError | errors.GuardRefused):
        return "key"
    return "team" if str(Next.GIVE_TEAM) in why.hint else ""


@done_at("/settings/forget", on=show)
def forget(visit: DeskVisit) -> Response:
    """Take back what a person said of columns; what is gone already stays so."""
    if shape := visit.text("shape"):
        headings.forget_columns(shape)
    elif heading := visit.text("heading"):
        for kind in KINDS:
            headings.forget_rule(kind, heading)
    return go_to("/settings#columns")


@done_at("/settings/test", on=show)
def test(visit: DeskVisit) -> Response:
    """Ask the service whom the key speaks for; nothing is changed."""

    async def look(toolkit: Toolkit) -> str:
        async with open_session(toolkit, read_only=True) as session:
            visit.runs.balance = Balance.of(session)
            return f"The key works: {session.account_words}."

    return visit.begin(TEST, look)


@done_at("/settings/keep", on=show)
def keep(visit: DeskVisit) -> Response:
    """Try what was typed, and keep it once the service has taken it."""
    key, mode = visit.text("key"), visit.text("mode")
    visit.around.keep_out(key)
    with about("base_url"):
        url = checked_url(visit.text("base_url"))
    with about("key"):
        checked_key(key)
    if mode not in {"live", "sandbox"}:
        raise FormRefused("Say what the key is for. Nothing was kept.", field="mode")
    asked = Settings(base_url=url, key=key, mode=mode, team=visit.text("team") or None)
    with about("mode"):
        asked.service_key()

    def tried() -> str:
        account, kept = keep_tried(asked, profile=visit.around.profile)
        # What was known of tokens was of the account of before.
        visit.runs.balance = None
        where = kept.key_file or "the keyring of this computer"
        said = f"The {mode} key of {account.team_name} works, and is kept in {where}."
        with suppress(errors.SettingsError):
            said = " ".join((said, *overridden(visit.around.settings(), base_url=url)))
        return said

    async def keep_it(_: Toolkit) -> str:
        # It runs loops of its own, as the command does.
        return await to_thread(tried)

    return visit.begin(TEST, keep_it)
