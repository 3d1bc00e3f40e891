"""One table of every operation of the service, by name.

The two operations that need a second scope in some cases say so in their
summary.
"""

from __future__ import annotations

from typing import Final

from kawe.contract.operation import Operation
from kawe.contract.project_operations import PROJECT_OPERATIONS
from kawe.contract.team_operations import TEAM_OPERATIONS

OPERATIONS: Final[dict[str, Operation]] = {
    operation.name: operation for operation in (*PROJECT_OPERATIONS, *TEAM_OPERATIONS)
}
