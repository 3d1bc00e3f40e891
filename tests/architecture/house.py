"""The house as it stands: its modules as syntax trees, its settings as values."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

Kinds: TypeAlias = type[ast.AST] | tuple[type[ast.AST], ...]

ROOT: Final = Path(__file__).resolve().parents[2]
SOURCE: Final = ROOT / "src" / "kawe"
BESIDE: Final = ("kawe_contract", "kawe_places", "kawe_twin", "kawe_xlsx")
"""The buildings that know nothing of `kawe`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """One Python file."""

    path: Path
    text: str

    @property
    def tree(self) -> ast.Module:
        """Give its syntax tree; it is read once, when it is first asked for."""
        return _tree(self)

    @property
    def name(self) -> str:
        """Give its path below the project's folder."""
        return self.path.relative_to(ROOT).as_posix()

    @property
    def room(self) -> str:
        """Name its room in kawe, or the building beside it."""
        building, *rooms = self.path.relative_to(SOURCE.parent).parts
        return rooms[0].removesuffix(".py") if building == SOURCE.name else building

    def functions(self) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
        """Give every function and method."""
        for node in ast.walk(self.tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield node


@cache
def _tree(module: Module) -> ast.Module:
    return ast.parse(module.text)


@cache
def modules_in(folder: str) -> tuple[Module, ...]:
    """Read every module below `folder` of the project."""
    found = tuple(
        Module(path=path, text=path.read_text("utf-8"))
        for path in sorted((ROOT / folder).rglob("*.py"))
        # A build writes it.
        if path.name != "_version.py"
    )
    assert found, f"nothing was read below {folder}"
    return found


def source() -> tuple[Module, ...]:
    """Read all buildings."""
    return modules_in("src")


def nodes(
    folder: str, *words: str, kind: Kinds = ast.Call
) -> Iterator[tuple[str, Any]]:
    """Give the nodes of a kind with their places, where a module has one of `words`."""
    for module in modules_in(folder):
        if any(word in module.text for word in words):
            for node in ast.walk(module.tree):
                if isinstance(node, kind):
                    yield f"{module.name}:{getattr(node, 'lineno', 0)}", node


@cache
def functions_in(path: str) -> set[str]:
    """Name the functions of a module, such as the tests of one."""
    kinds = ast.FunctionDef, ast.AsyncFunctionDef
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, kinds)}


@cache
def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def tops_imported(tree: ast.Module) -> set[str]:
    """Name the top packages that a module imports, anywhere in it."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found
