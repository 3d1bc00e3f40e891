"""The rule of each operation, by name."""

from typing import Final

from kawe_twin.calls.call import Rule
from kawe_twin.rules import (
    assigning,
    invitations,
    iwi,
    organisations,
    project_send,
    project_states,
    projects,
    receipts,
    teams,
    threads,
    tokens,
    uploads,
)

RULES: Final[dict[str, Rule]] = {
    **assigning.RULES,
    **invitations.RULES,
    **iwi.RULES,
    **organisations.RULES,
    **project_send.RULES,
    **project_states.RULES,
    **projects.RULES,
    **receipts.RULES,
    **teams.RULES,
    **threads.RULES,
    **tokens.RULES,
    **uploads.RULES,
}
