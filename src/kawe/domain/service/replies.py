"""Which responses of a team use a token (interface, Limits, token rule 2).

The service names who responded, and not for which side: the team's own responses are
told by the names of its people.
"""

from __future__ import annotations

from kawe.domain.service.service_words import Account, TeamRoll
from kawe.domain.text.texts import fold_name


def uses_token(number: int) -> bool:
    """Say whether a team's response to a project uses a token; the first is 1.

    A send comes with a free reply; each second response spends a token and restores it.
    """
    return number % 2 == 0


def own_names(account: Account, roll: TeamRoll | None) -> frozenset[str]:
    """Give the names of the team's people, folded; None: the team is not shown."""
    person = account.person
    own = set() if person is None else {fold_name(person.name)}
    own |= set() if roll is None else roll.member_names
    return frozenset(own - {""})
