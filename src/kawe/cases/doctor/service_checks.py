"""Checks of the service: that it answers, the key's account and scopes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from kawe.cases.doctor.checks import DoctorCheck, Grade, Said, check_of, looked, seen
from kawe.domain.service.service_words import Account
from kawe.domain.text.hosts import twin_words
from kawe.domain.text.next_steps import Next
from kawe.domain.text.texts import counted, one_line
from kawe.errors import ContractBroken, ScopeMissing, ServiceUnreachable
from kawe_contract.enums import Scope
from kawe_contract.operations import OPERATIONS

if TYPE_CHECKING:
    from kawe.service.probing import Greeted, Greeting, NoGreeting, Probe

_CLOCK_OFF: Final = timedelta(seconds=60)
# The operations that each purpose of a person needs.
NEEDS: Final[Mapping[str, tuple[str, ...]]] = {
    "check projects": ("iwi_count",),
    "submit projects": (
        "iwi_count",
        "project_list",
        "project_read",
        "project_create",
        "project_send",
        "organisation_list",
    ),
    "upload attachments": ("upload_presign", "upload_complete"),
    "change drafts": ("project_update", "project_read"),
    "release what waits": ("project_read", "project_send", "iwi_count"),
    "invite people": ("team_read", "user_invite_bulk"),
    "save receipts": ("receipt_list", "download"),
    "answer": ("project_read", "engagement_list", "project_respond"),
}
"""`user_read` needs no scope."""
_OF_IWI: Final = frozenset({"upload attachments", "answer"})
Found = Mapping[Scope, bool | None]

_OBSTACLES: Final = {
    "name": ("No machine of that name is found.", "Is the address written rightly?"),
    "certificate": (
        "Its certificate is not trusted by this computer ({detail}).",
        (
            "Where a proxy of your organisation looks into connections, its "
            "certificate must be in this computer's own store: ask IT. On Linux, "
            "SSL_CERT_FILE may name a file of certificates."
        ),
    ),
    "encryption": (
        "It does not speak TLS as it should.",
        "Is the address right to its end, and is it https that listens there?",
    ),
    "refused": (
        "Nothing listens there.",
        "Is the address right to its end, and does the service run?",
    ),
    "proxy": (
        "The proxy refused to lead there.",
        "Ask IT to let this machine through, or correct HTTPS_PROXY and NO_PROXY.",
    ),
    "login": (
        "The proxy wants a name and a password (407).",
        (
            "Write both into its address: "
            "HTTPS_PROXY=http://name:password@proxy:8080. If they stand there, correct "
            "them."
        ),
    ),
    "system_login": (
        "The proxy wants a login by {detail} (407), which kawe does not speak.",
        (
            "Ask IT to let this host pass without a login; or to set up a program on "
            "this computer that logs in to the proxy, such as px or cntlm, and set "
            "HTTPS_PROXY to that program's address."
        ),
    ),
    "silence": (
        "No answer came in time.",
        "Check the network, and whether a proxy is needed (HTTPS_PROXY).",
    ),
    "broken": ("The connection broke.", "Check the network, then try again."),
}


def greeting_checks(greeted: Greeted, *, url: str) -> Iterator[DoctorCheck]:
    """Check that the service answers, and this machine's clock."""
    from kawe.service.probing import Greeting  # noqa: PLC0415 (start-up)

    if not isinstance(greeted, Greeting):
        yield check_of("service", unreachable(greeted, url=url))
        return
    wrong = not_the_service(greeted, url=url)
    is_secure = url.startswith("https")
    how = " over TLS that this computer trusts" if is_secure else ", unencrypted"
    yield check_of("service", wrong) if wrong else seen("service", f"answers{how}")
    yield looked("clock", _clock, greeted.clock_off)


def unreachable(nobody: NoGreeting, *, url: str) -> ServiceUnreachable:
    """Say why nobody answered, and what to do."""
    words, hint = _OBSTACLES[nobody.obstacle]
    if nobody.obstacle == "refused":
        hint = twin_words(url) or hint
    said = words.format(detail=nobody.detail or "no reason is given")
    return ServiceUnreachable(message=f"{url} cannot be reached. {said}", hint=hint)


def not_the_service(greeting: Greeting, *, url: str) -> ContractBroken | None:
    """Say why the answer is not the service's; None: it may be."""
    if greeting.leads_to:
        return ContractBroken(
            message=f"{url} leads elsewhere ({greeting.http_status}, to "
            f"{greeting.leads_to}).",
            hint="kawe follows nobody with a key. Set the address that the service "
            "itself has.",
        )
    if not greeting.speaks_the_interface:
        return ContractBroken(
            message=f"What answers at {url} ({greeting.http_status}) does not speak "
            "as the service does.",
            hint="Is the address right, to the end of its path? A sign-in page of the "
            "network could answer too.",
        )
    return None


def _clock(off: timedelta | None) -> Said:
    if off is None:
        advice = "Make sure yourself that this computer's clock is right."
        return "the service does not say what time it has", advice
    seconds = round(abs(off).total_seconds())
    if abs(off) <= _CLOCK_OFF:
        return f"within {counted(max(1, seconds), 'second')} of the service's"
    way = "ahead of" if off > timedelta() else "behind"
    advice = "Let the computer set its clock from the network: deadlines and waits "
    advice += "are reckoned by it."
    return (
        f"this computer's is {counted(seconds, 'second')} {way} the service's",
        advice,
    )


def account_checks(account: Account, *, mode: str) -> Iterator[DoctorCheck]:
    """Name the key's account and its balance."""
    yield seen("team", one_line(account.team_name))
    yield seen("mode", f"{mode}: {effect_of(account, mode=mode)}")
    yield looked("account", _account, account, mode)
    yield looked("balance", _balance, account, mode)


def _account(account: Account, mode: str) -> Said:
    if account.sandbox is None:
        return "the service does not say whether it is a sandbox"
    if account.sandbox and mode == "live":
        words = "the service calls it a sandbox, and the key is live: sends may "
        advice = 'Use the key that you mean; or write mode = "live" into your own '
        return f"{words}reach nobody", f"{advice}settings, and no run asks about it."
    word = "a sandbox" if account.sandbox else "live"
    return f"the service calls it {word}; the key decides"


def _balance(account: Account, mode: str) -> Said:
    if account.is_iwi:
        return "none is needed: an iwi spends no tokens"
    if mode == "live" and account.balance <= 0:
        words = "no tokens: projects become drafts and wait"
        return words, "Buy tokens in the portal before you send."
    return counted(account.balance, "token")


def effect_of(account: Account, *, mode: str) -> str:
    """Say what is done with a key."""
    if mode != "live":
        return "nothing reaches iwi and nothing is spent"
    if account.is_iwi:
        return "what you answer reaches teams, and no token is spent"
    return "sends reach iwi and cost tokens"


async def scope_checks(probe: Probe, *, account: Account) -> list[DoctorCheck]:
    """Check the scopes of the key."""
    from kawe.service.probing import QUESTIONS  # noqa: PLC0415 (start-up)

    found = {
        each.scope: await probe.has(each, team_id=account.team_id) for each in QUESTIONS
    }
    checks = [looked("scopes", _scopes, found)]
    if checks[0].grade is Grade.OK:
        checks += [
            looked(f"to {each}", _purpose, each, found)
            for each in NEEDS
            if each in _OF_IWI or not account.is_iwi
        ]
    return checks


def _scopes(found: Found) -> Said:
    has = [scope.value for scope, answer in found.items() if answer]
    lacks = [scope.value for scope, answer in found.items() if answer is False]
    if any(scope.endswith(":read") for scope in has):
        words = f"it has {', '.join(has)}"
        return f"{words}; not {', '.join(lacks)}" if lacks else words
    if lacks:
        raise ScopeMissing(
            message=f"The key may read nothing: it lacks {', '.join(lacks)}.",
            hint="Ask an owner of the team for a key with the scopes that you need.",
        )
    raise ServiceUnreachable(
        message="What the key may do could not be found out.",
        hint=f"Run {Next.DOCTOR} again in a few minutes.",
    )


def _purpose(purpose: str, found: Found) -> Said:
    names = NEEDS[purpose]
    scopes = dict.fromkeys(each for name in names for each in OPERATIONS[name].scopes)
    lacks = [scope.value for scope in scopes if found.get(scope) is False]
    unseen = [scope.value for scope in scopes if found.get(scope) is None]
    if lacks:
        advice = "Ask an owner of the team for a key with it, if you want to."
        return f"the key lacks {', '.join(lacks)}", advice
    if unseen:
        words = f"nothing seen against it; whether the key has {', '.join(unseen)}"
        return f"{words} shows only when it is used"
    return "the key has every scope for it"
