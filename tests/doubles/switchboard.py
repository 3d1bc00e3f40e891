"""The switchboard of a running twin, as tests work it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import httpx

from kawe_twin.options import TwinAddress


@dataclass(frozen=True, slots=True)
class Switchboard:
    """Sets and clears faults, and reads what really happened.

    `docs/reference/switchboard.md` lists the kinds and their fields.
    """

    address: TwinAddress = field(repr=False)

    def set(self, kind: str, *operations: str, **fields: Any) -> int:
        """Set a fault for some operations, or for all; give its id."""
        told = {"kind": kind, "operations": list(operations), **fields}
        return int(self._ask("POST", "/faults", json=told)["id"])

    def faults(self) -> list[dict[str, Any]]:
        """List the faults that are set, with how often each has happened."""
        listed: list[dict[str, Any]] = self._ask("GET", "/faults")
        return listed

    def happened(self, fault_id: int) -> int:
        """Tell how often a fault has happened."""
        (count,) = [one["happened"] for one in self.faults() if one["id"] == fault_id]
        return int(count)

    def take_away(self, fault_id: int) -> None:
        self._ask("DELETE", f"/faults/{fault_id}")

    def clear(self) -> None:
        """Take every fault away; the ledger stays."""
        self._ask("DELETE", "/faults")

    def ledger(self, *, operation: str = "", after: int = 0) -> list[dict[str, Any]]:
        """Read the lines of an operation, or of all, oldest first."""
        query: dict[str, str | int] = {"operation": operation, "after": after}
        lines: list[dict[str, Any]] = self._ask("GET", "/ledger", params=query)
        return lines

    def forget(self) -> None:
        self._ask("DELETE", "/ledger")

    def _ask(self, method: str, path: str, **how: Any) -> Any:
        answer = httpx.request(
            method,
            f"{self.address.switchboard_url}{path}",
            headers={"X-Switchboard-Secret": str(self.address.switchboard_secret)},
            verify=False,
            trust_env=False,
            timeout=30,
            **how,
        )
        if answer.is_error:
            raise AssertionError(f"{answer.status_code} {answer.text}")
        return answer.json()
