"""The address of each operation, with overrides from the settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote

from kawe.errors import SettingsError
from kawe_contract.operations import OPERATIONS, Operation


@dataclass(frozen=True, slots=True, kw_only=True)
class Addresses:
    """Base address and the paths that the settings override."""

    base_url: str
    overrides: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Operation name to (method, path), from `[service.paths]`."""

    def __post_init__(self) -> None:
        """Refuse a name that no operation has.

        Raises:
            SettingsError: The settings name an operation that does not exist.
        """
        unknown = sorted(set(self.overrides) - set(OPERATIONS))
        if unknown:
            raise SettingsError(
                message=f"[service.paths] names {unknown[0]!r}, which is no operation.",
                hint=f"Operations are: {', '.join(sorted(OPERATIONS))}.",
            )

    def of(
        self, name: str, *, path: Mapping[str, str] | None = None
    ) -> tuple[str, str]:
        """Give method and whole address of an operation.

        Raises:
            ValueError: A part of the path would change the path.
        """
        operation = OPERATIONS[name]
        method, template = self.overrides.get(name, (operation.method, operation.path))
        filled = template
        for part, value in (path or {}).items():
            if value in {"", ".", ".."}:
                raise ValueError(f"{value!r} is no {part}")
            filled = filled.replace("{" + part + "}", quote(value, safe=""))
        return method, self.base_url.rstrip("/") + filled

    def operation(self, name: str) -> Operation:
        return OPERATIONS[name]

    def missing(self, name: str) -> str:
        """Say that the service does not know an operation."""
        method, address = self.of(name)
        words = f"The service does not know {method} {address} (404)."
        if OPERATIONS[name].shown:
            return f"{words} Is the base address right?"
        return (
            f"{words} kawe assumes this path; ask the service's support for the "
            f"right one and set it in kawe.toml under [service.paths]: {name}."
        )
