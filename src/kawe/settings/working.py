"""All profiles of a person: their names, and the folders that `kawe work` looks into.

Only the person's own files count: a folder's `kawe.toml` could make anything leave.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kawe.domain.text.next_steps import Given
from kawe.domain.text.texts import one_line
from kawe.errors import SettingsError
from kawe.settings.files import read_own_file, typed_path
from kawe.settings.keeping import own_files, user_file
from kawe.settings.table import refuse_unknown
from kawe.settings.values import Settings

KEPT: Final = ("agreed", "done", "not-read", "what-is-new")
AGREED, DONE, NOT_READ, NEWS = KEPT
"""What kawe keeps in a folder of work."""
_NAMES: Final = ("folder", "yes", "watch")
_ONE_ACCOUNT: Final = ("KAWE_API_KEY", "KAWE_BASE_URL", "KAWE_JOURNAL", "KAWE_PROFILE")


@dataclass(frozen=True, slots=True, kw_only=True)
class Inbox:
    """A folder whose workbooks become runs of a profile."""

    profile: str
    folder: Path
    yes: int
    """So many live sends or invitations of one workbook are agreed to, at most."""
    watch: int = 0
    """Minutes between two looks at who has answered; 0: nobody looks."""


class WorkedProfiles:
    """The profiles that one process works for: those of an account share a journal."""

    def __init__(self) -> None:
        self._first: Final[dict[object, Settings]] = {}

    def check(self, settings: Settings, account: object) -> None:
        """Raise `SettingsError` for a second journal of a key or of a team.

        It does not know what the first one did. A profile may get another key.
        """
        for each, kept in [*self._first.items()]:
            # A key is another sort of account than a team.
            if kept.profile == settings.profile and type(each) is type(account):
                del self._first[each]
        first = self._first.setdefault(account, settings)
        place, other = first.journal_place(), one_line(first.profile)
        if settings.journal_place() != place:
            shared = one_line(str(place if isinstance(place, Path) else place.address))
            raise SettingsError(
                message=f"The profile {one_line(settings.profile)} is of the account "
                f"of the profile {other}, and has a journal of its own, which does not "
                "know what that one did.",
                hint="Nothing is sent for it. Put its workbooks into the folder of "
                f'{other}, or write journal = "{shared}" into both.',
            )


def load_inboxes(*, environment: Mapping[str, str]) -> tuple[Inbox, ...]:
    """Give the inbox of each profile that has a section `work`, by name.

    No two share a folder, none lies in what kawe keeps in that of another, and the
    environment names no account for all.
    """
    own = _own_profiles(environment)
    sections = {at: each["work"] for at, each in own if "work" in each}
    inboxes = tuple(_inbox(at, section) for at, section in sorted(sections.items()))
    if not inboxes:
        raise SettingsError(
            message="No profile of your settings has a folder of work.",
            hint="Write [profile.NAME.work] with folder = and yes = into "
            f"{one_line(str(user_file()))}.",
        )
    folders = Counter(each.folder.resolve() for each in inboxes)
    kept = {folder / name for folder in folders for name in KEPT}
    for each in inboxes:
        folder, shown = each.folder.resolve(), one_line(str(each.folder))
        why = f"Two profiles have the folder {shown}." if folders[folder] > 1 else ""
        for place in kept.intersection({folder, *folder.parents}):
            why = (
                f"The folder {shown} of the profile {one_line(each.profile)} lies in "
                f"{place.name} of another profile, where kawe keeps what is not to be "
                "submitted."
            )
        if why:
            raise SettingsError(message=why, hint="Give each a folder of its own.")
    return inboxes


def profiles_of(*, environment: Mapping[str, str]) -> list[str]:
    """Name the profiles of the person's own settings.

    What stands above all sections is one too if it names an address.
    """
    own = _own_profiles(environment)
    names = {at for at, each in own if at != "default" or "base_url" in each}
    if not names:
        raise SettingsError(
            message="Your settings have no profile.",
            hint=f"Write [profile.NAME] into {one_line(str(user_file()))}.",
        )
    return sorted(names)


def _own_profiles(
    environment: Mapping[str, str],
) -> list[tuple[str, Mapping[str, Any]]]:
    """Give what each of the person's own files says of each profile."""
    for name in _ONE_ACCOUNT:
        if environment.get(name):
            raise SettingsError(
                message=f"{name} would hold for the accounts of all profiles.",
                hint="Take it out of the environment: each profile has its own.",
            )
    return [
        named
        for values in map(read_own_file, own_files(environment))
        for named in {"default": values, **values.get("profile", {})}.items()
    ]


def _inbox(profile: str, section: Mapping[str, Any]) -> Inbox:
    about = f"profile.{profile}.work"
    refuse_unknown(about, section, names=_NAMES)
    folder = section.get("folder")
    if not isinstance(folder, str) or not typed_path(folder).is_absolute():
        raise SettingsError(
            message=f"[{one_line(about)}] has no folder with its whole path.",
            hint='Write folder = "/srv/kawe/inbox".',
        )
    numbers = {name: section.get(name, 0) for name in ("yes", "watch")}
    for name, number in numbers.items():
        if isinstance(number, bool) or not isinstance(number, int) or number < 0:
            raise SettingsError(
                message=f"[{one_line(about)}] {name} is a number of 0 or more.",
                hint=f"yes holds for one workbook, as {Given.YES} does; watch is in "
                "minutes.",
            )
    return Inbox(profile=profile, folder=typed_path(folder), **numbers)


def inbox_of(profile: str, *, environment: Mapping[str, str]) -> Inbox:
    """Give the inbox of one profile, which has one."""
    for each in load_inboxes(environment=environment):
        if each.profile == profile:
            return each
    raise SettingsError(
        message=f"The profile {one_line(profile)} has no folder of work.",
        hint=f"Write work = {{ folder = … }} into it, in {one_line(str(user_file()))}.",
    )
