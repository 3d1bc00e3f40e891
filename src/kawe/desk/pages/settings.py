"""The address of the service and the key: shown, tested, and kept anew."""

from asyncio import to_thread
from typing import Final

from starlette.responses import Response

from kawe.cases.columns import kept_words, rule_words
from kawe.cases.kinds import KINDS
from kawe.cases.kit import Toolkit
from kawe.cases.session import open_session
from kawe.cases.setting_up import keep_tried
from kawe.desk.pages.check import trouble_of
from kawe.desk.rendering import go_to
from kawe.desk.runs import Balance, DeskRun
from kawe.desk.visits import DeskVisit, done_at, shown_at
from kawe.domain.sheet.tables import NO_MEMORY
from kawe.errors import SettingsError
from kawe.settings.headings import (
    OwnHeading,
    column_memory,
    forget_columns,
    forget_rule,
)
from kawe.settings.values import Settings

TEST: Final = "settings"
_MODES: Final = ("live", "sandbox")


@shown_at("/settings")
def show(visit: DeskVisit) -> Response:
    """Show what holds now, and what the last test said; never the key."""
    settings, memory = None, NO_MEMORY
    last = visit.runs.last("", TEST)
    try:
        settings = visit.around.settings()
        trouble: Exception | None = settings.refusal()
        memory = column_memory(settings.headings)
    except SettingsError as wrong:
        trouble = wrong
    return visit.page(
        "settings.html",
        settings=settings,
        trouble="" if trouble is None else str(trouble),
        profile=visit.around.profile,
        last=last,
        failed=trouble_of(last),
        kept=[(shape, *kept_words(said)) for shape, said in memory.kept.items()],
        rules=[
            (rule_words(rule), not isinstance(rule, OwnHeading) and rule.heading)
            for rule in memory.rules.values()
        ],
    )


@done_at("/settings/forget", on=show)
def forget(visit: DeskVisit) -> Response:
    """Take back what a person said of columns; what is gone already stays so."""
    if shape := visit.text("shape"):
        forget_columns(shape)
    elif heading := visit.text("heading"):
        for kind in KINDS:
            forget_rule(kind, heading)
    return go_to("/settings#columns")


@done_at("/settings/test", on=show)
def test(visit: DeskVisit) -> Response:
    """Ask the service whom the key speaks for; nothing is changed."""

    async def look(toolkit: Toolkit, _: DeskRun) -> tuple[str, int]:
        async with open_session(toolkit, read_only=True) as session:
            visit.runs.balance = Balance.of(session)
            return f"The key works: {session.account_words}.", 0

    return visit.begin(TEST, look)


@done_at("/settings/keep", on=show)
def keep(visit: DeskVisit) -> Response:
    """Try what was typed, and keep it once the service has taken it."""
    key, mode = visit.text("key"), visit.text("mode")
    visit.around.keep_out(key)
    asked = Settings(
        base_url=visit.text("base_url"),
        key=key,
        mode=mode if mode in _MODES else None,
        team=visit.text("team") or None,
    )

    def tried() -> str:
        account, kept = keep_tried(asked, profile=visit.around.profile)
        where = kept.key_file or "the keyring of this computer"
        team = account.team_name
        return f"The {mode} key of {team} works, and is kept in {where}."

    async def keep_it(_: Toolkit, __: DeskRun) -> tuple[str, int]:
        # It runs loops of its own, as the command does.
        return await to_thread(tried), 0

    return visit.begin(TEST, keep_it)
