"""Which mode a run is in, and which batch a person means."""

from collections.abc import Callable, Sequence
from pathlib import Path

from kawe.domain.rows.entries import Batch
from kawe.domain.service.service_words import Account
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.text.next_steps import Next
from kawe.domain.text.texts import fold, one_line
from kawe.errors import GuardRefused, SettingsError
from kawe.machine import account_name
from kawe.settings.keeping import user_file
from kawe.settings.values import Settings
from kawe.workbook.identify import ENDINGS


def agreed_mode(settings: Settings, account: Account) -> str:
    """Say live or sandbox: the key decides, and the settings must agree.

    A sandbox key of a live team is a sandbox key. Where the key does not tell,
    account and settings must not contradict each other.

    Raises:
        GuardRefused: They disagree.
    """
    said = {"the key": settings.key_mode, "the settings": settings.mode}
    if settings.key_mode is None and account.sandbox is not None:
        said["the account"] = "sandbox" if account.sandbox else "live"
    voices = {who: mode for who, mode in said.items() if mode is not None}
    if len(set(voices.values())) > 1:
        words = ", ".join(f"{who} says {mode}" for who, mode in voices.items())
        raise GuardRefused(
            message=f"It is not clear whether this is live or sandbox: {words}.",
            hint="Use the key that you mean, or correct mode in the settings. "
            "Nothing was sent.",
        )
    # Without any information, sends are real.
    return next(iter(voices.values()), "live")


def make_sure_of_side(kind: SheetKind, account: Account, *, or_else: str = "") -> None:
    """Refuse a sheet that the side of a key has no acts for.

    Raises:
        GuardRefused: It is a sheet of teams, and the key is an iwi's.
    """
    if account.is_iwi and not kind.is_for_iwi:
        ours = [str(each) for each in SheetKind.declared() if each.is_for_iwi]
        raise GuardRefused(
            message=f"The key belongs to {one_line(account.team_name)}, an iwi "
            f"account, and a sheet of {kind} is for a team.",
            hint=f"An iwi can submit {', '.join(ours)}. {or_else}"
            "Nothing was asked for.",
        )


def make_sure_of_account(
    settings: Settings, account: Account, *, agree: Callable[[str], bool]
) -> None:
    """Ask the person when a live key belongs to a sandbox account.

    Its sends may reach nobody although kawe reports them as sent.

    Raises:
        GuardRefused: They do not agree, or nobody can be asked.
    """
    is_odd = settings.key_mode == "live" and account.sandbox is True
    # A mode in the settings is an agreement.
    if not is_odd or settings.mode == "live":
        return
    odd = (
        f"The key is a live key, and the service calls the account of "
        f"{one_line(account.team_name)} a sandbox: what is sent may reach nobody."
    )
    if not agree(odd):
        raise GuardRefused(
            message=odd,
            hint="Nothing was sent. Use the key that you mean; or, where it is right, "
            f'write mode = "live" into {user_file()}.',
        )


def batches_called(batches: Sequence[Batch], name: str) -> Sequence[Batch]:
    """Give those of this name, or that begin so, or are of a workbook, or once were."""
    path = Path(name)
    stem = "-".join(fold(path.stem).split()) if path.suffix in ENDINGS else name
    return (
        [each for each in batches if each.name == name]
        or [each for each in batches if each.name.startswith(name)]
        or [each for each in batches if Path(each.workbook).name == path.name]
        or [each for each in batches if f"{each.name}-".startswith(f"{stem}-")]
    )


def find_batch(batches: Sequence[Batch], *, name: str | None) -> Batch:
    """Find a batch by its name or workbook; without one, the latest."""
    if not batches:
        raise SettingsError(
            message="The journal holds no batch yet.",
            hint=f"Submit a workbook first: {Next.SUBMIT('WORKBOOK')}",
        )
    if name is None:
        return batches[-1]
    found = batches_called(batches, name)
    if len(found) == 1:
        return found[0]
    names = ", ".join(each.name for each in found or batches)
    raise SettingsError(
        message=f"{name!r} is {'not the name of a' if not found else 'more than one'} "
        "batch of this journal.",
        hint=f"Batches are: {names}.",
    )


def nobody() -> str:
    """Name this computer's account, where nobody else was named."""
    name = one_line(account_name(), limit=60)
    return f"nobody is named; this computer's account is {name}" if name else ""


def author_of(settings: Settings) -> str:
    """Name the author: the setting, or this computer's account."""
    if not (name := settings.author or account_name()):
        raise SettingsError(
            message="It is not known who you are.",
            hint=f'Write author = "your name" into {user_file()}.',
        )
    return name
