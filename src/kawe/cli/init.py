"""`kawe init`: asks for address and key, tries them, and keeps them."""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeVar

import click

from kawe.cases import setting_up
from kawe.cases.choices import make_sure_of_account
from kawe.cases.doctor.service_checks import effect_of
from kawe.cli.output import printing
from kawe.cli.output.log import keep_out
from kawe.cli.output.next_command import in_commands, suggested
from kawe.cli.shared.agreeing import is_at_terminal
from kawe.cli.shared.declaring import command, option, options_class
from kawe.domain.text.texts import counted, one_line
from kawe.errors import KaweError, KeyMissing, SettingsError
from kawe.settings import keeping
from kawe.settings.files import typed_path
from kawe.settings.loading import load_settings
from kawe.settings.values import Settings

T = TypeVar("T")
_TRIES: Final = 5


@options_class
class _InitOptions:
    profile: str = option(
        "--profile", default="default", help="Profile to keep it under."
    )
    base_url: str | None = option(
        "--base-url", help="Address of the service; asked for otherwise."
    )
    key_file: Path | None = option(
        "--key-file",
        help="File that holds the key; it is asked for otherwise, and not shown.",
    )
    team: str | None = option(
        "--team", help="Team, where the person behind the key is in several."
    )
    mode: str | None = option(
        "--mode",
        type=click.Choice(["live", "sandbox"]),
        help="What the key must be for; what it is otherwise.",
    )
    store: str | None = option(
        "--store",
        type=click.Choice([place.value for place in keeping.KeyPlace]),
        help="Where to keep the key; the system's keyring where there is one.",
    )
    no_input: bool = option("--no-input", help="Never ask anything.")
    as_json: bool = option("--json", help="Print one JSON document.")


@command(
    "kawe init · kawe init --profile sandbox · kawe init --no-input --base-url "
    "https://api.consultation.example --key-file key"
)
def init(options: _InitOptions) -> int:
    """Set kawe up: where the service is, and the key.

    Both are tried with questions that change nothing before anything is kept.
    The key goes into the system's keyring, or into a file that only you can
    read; the rest into your own kawe.toml, where nothing is overwritten.
    """
    own = _Setup(
        can_ask=not options.no_input and not options.as_json and is_at_terminal(),
        options=options,
    ).profile()
    kept = keeping.keep_own(own)
    return printing.answer(
        "init",
        lambda: {
            "profile": own.name,
            "base_url": own.base_url,
            "mode": own.mode,
            "team": own.team,
            "key_store": own.place.value,
            "settings_file": kept.settings_file,
            "remarks": _overridden(own),
        },
        as_json=options.as_json,
        lines=_lines(own, kept),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Setup:
    """Asks the person for address, key and team, and tries them."""

    can_ask: bool
    options: _InitOptions

    def _until_right(
        self, given: str | None, *, ask: Callable[[], str], use: Callable[[str], T]
    ) -> T:
        """Use what was given, or ask; ask again when it cannot be used."""
        text = given
        for tries in range(1, _TRIES + 1):
            try:
                return use(ask() if text is None else text)
            except KaweError as trouble:
                if not self.can_ask or tries == _TRIES:
                    raise
                click.echo(in_commands(f"  {trouble}"))
                text = None
        raise AssertionError("the last try returns or raises")

    def _say(self, sentence: str) -> None:
        if self.can_ask:
            click.echo(sentence)

    def profile(self) -> keeping.OwnProfile:
        """Ask for everything and try it."""
        self._say(
            "kawe needs the address of the service and your key. Nothing is kept "
            "before both were tried; Ctrl-C stops.\n"
        )
        url = self._until_right(
            self.options.base_url or os.environ.get("KAWE_BASE_URL") or None,
            ask=self._ask_address,
            use=setting_up.meet,
        )
        self._say("  It is there, and speaks as the service does.")
        found, mode = self._until_right(
            self._given_key(), ask=self._ask_key, use=lambda key: self._tried(url, key)
        )
        return keeping.OwnProfile(
            name=self.options.profile,
            base_url=url,
            key=found.service_key(),
            place=keeping.KeyPlace(self.options.store or setting_up.usual_place()),
            mode=mode,
            team=found.team,
        )

    def _ask_address(self) -> str:
        known = keeping.own_address(self.options.profile)
        if self.can_ask:
            return str(click.prompt("Address of the service", default=known)).strip()
        if known is None:
            raise SettingsError(
                message="No address of the service was given.",
                hint="Give --base-url, or set KAWE_BASE_URL.",
            )
        return known

    def _given_key(self) -> str | None:
        if (file := self.options.key_file) is not None:
            return keeping.key_in_file(typed_path(file))
        if not (key := os.environ.get("KAWE_API_KEY", "").strip()):
            return None
        if self.can_ask and not click.confirm(
            "Keep the key that is in KAWE_API_KEY?", default=True
        ):
            return None
        return key

    def _ask_key(self) -> str:
        if not self.can_ask:
            raise KeyMissing(
                message="No key was given.",
                hint="Name a file that holds it with --key-file, or set KAWE_API_KEY.",
            )
        words = "Key (paste it; it is not shown)"
        return str(click.prompt(words, hide_input=True)).strip()

    def _tried(self, url: str, key: str) -> tuple[Settings, str]:
        keep_out(setting_up.checked_key(key))
        settings = Settings(base_url=url, key=key, mode=self.options.mode)
        settings = replace(settings, team=self._team(settings))
        account, mode = setting_up.account_of(settings)
        effect = effect_of(account, mode=mode)
        if mode == "live" and not account.is_iwi:
            effect = f"{effect}; it has {counted(account.balance, 'token')}"
        self._say(f"  A {mode} key of {one_line(account.team_name)}: {effect}.")
        make_sure_of_account(settings, account, agree=self._may_go_on)
        if not self.options.mode and self.can_ask:
            is_meant = f"Is a {mode} key what you want to use?"
            if not click.confirm(is_meant, default=True):
                raise KeyMissing(message="Then give the other key.", hint="")
        return settings, mode

    def _may_go_on(self, odd: str) -> bool:
        # The next question asks whether they want to use this key.
        self._say(f"  {odd}")
        return self.can_ask

    def _team(self, settings: Settings) -> str | None:
        teams = setting_up.teams_of(settings)
        given = self.options.team
        if given is not None or len(teams) < 2 or not self.can_ask:
            return given
        click.echo("  The person behind the key is in several teams:")
        for number, name in enumerate(teams, 1):
            click.echo(f"  {number}  {name}")
        number = click.prompt(
            "Number of the team that the key belongs to",
            type=click.IntRange(1, len(teams)),
        )
        return teams[number - 1]


def _lines(own: keeping.OwnProfile, kept: keeping.Kept) -> list[str]:
    where = (
        f"the system's keyring ({keeping.keyring_name()})"
        if kept.key_file is None
        else f"{kept.key_file}, which only you can read"
    )
    verb = "are" if kept.is_changed else "were already"
    return [
        f"\nThe key is kept in {where}, for {own.base_url} alone.",
        f"The settings {verb} in {kept.settings_file}.",
        *_overridden(own),
        f"Next: {suggested('doctor', only=['profile'])}",
    ]


def _overridden(own: keeping.OwnProfile) -> list[str]:
    """Name the settings here that override what was just kept."""
    try:
        settings = load_settings(
            {"profile": own.name}, environment=os.environ, folder=Path.cwd()
        )
    except SettingsError as trouble:
        return [f"But here: {trouble}"]
    return setting_up.overridden(settings, base_url=own.base_url)
