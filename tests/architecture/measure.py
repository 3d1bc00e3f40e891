"""Measure the house: `PYTHONPATH=tests python -m architecture.measure [FOLDER ...]`.

Prints one column for each checkout, this one unless folders are given; an older
state is measured from its own checkout (`git worktree add ../before COMMIT`).
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

_KINDS: Final = {
    "InvitationContent",
    "ProjectContent",
    "SheetKind.INVITATIONS",
    "SheetKind.PROJECTS",
    "invitations_among",
    "project_of",
    "projects_among",
}


@dataclass(frozen=True, kw_only=True)
class Checkout:
    """The Python files of one checkout of the project."""

    root: Path

    def files(self, folder: str) -> Iterator[Path]:
        """Give every Python file below a folder."""
        return (self.root / folder).rglob("*.py")

    def lines(self, folder: str) -> int:
        """Count the lines of a folder's Python files."""
        return sum(
            len(path.read_text("utf-8").splitlines()) for path in self.files(folder)
        )

    @cached_property
    def modules(self) -> dict[str, ast.Module]:
        """Give the syntax tree of each module of the package by its dotted name."""
        return {
            _dotted(path.relative_to(self.root / "src")): ast.parse(
                path.read_text("utf-8")
            )
            for path in sorted(self.files("src"))
        }

    @cached_property
    def arrows(self) -> dict[str, set[str]]:
        """Give the modules of the package that each module imports."""
        return {
            name: set(_imported(tree, self.modules)) - {name}
            for name, tree in self.modules.items()
        }

    def import_lines(self) -> int:
        """Count the lines of import statements of the package."""
        return sum(
            (node.end_lineno or node.lineno) - node.lineno + 1
            for tree in self.modules.values()
            for node in ast.walk(tree)
            if isinstance(node, (ast.Import, ast.ImportFrom))
        )

    def used_once(self) -> int:
        """Count the modules that exactly one other imports."""
        users = Counter(used for arrows in self.arrows.values() for used in arrows)
        return sum(count == 1 for count in users.values())

    def know_a_kind(self) -> int:
        """Count the modules outside `kinds` that name a kind of sheet."""
        return sum(
            not name.startswith("kawe.kinds") and not _KINDS.isdisjoint(_names(tree))
            for name, tree in self.modules.items()
        )

    def journal_declarations(self) -> int:
        """Count the files that declare the journal's method declared most often.

        `close` does not count: stores, locks and writers have one, too.
        """
        port = next(
            node
            for node in self.modules["kawe.ports.memory"].body
            if isinstance(node, ast.ClassDef) and node.name == "Journal"
        )
        declared = {each.name for each in port.body if isinstance(each, _FUNCTIONS)}
        files = Counter(
            method
            for name, tree in self.modules.items()
            if name.startswith(("kawe.journal", "kawe.ports.memory"))
            for method in (declared & _methods(tree)) - {"close"}
        )
        return max(files.values())

    def names_twice(self) -> int:
        """Count the public classes whose name another class has, too."""
        names = Counter(
            node.name
            for tree in self.modules.values()
            for node in ast.walk(tree)
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
        )
        return sum(count > 1 for count in names.values())

    def deepest(self, room: str) -> int:
        """Count the modules of the longest chain of imports inside a room."""
        depths: dict[str, int] = {}

        def depth(name: str) -> int:
            if name not in depths:
                depths[name] = 0
                below = [each for each in self.arrows[name] if _in(each, room)]
                depths[name] = 1 + max(map(depth, below), default=0)
            return depths[name]

        return max(depth(name) for name in self.modules if _in(name, room))

    def largest_folder(self) -> str:
        """Name the folder with the most modules, and how many it has."""
        folders = Counter(
            path.parent.relative_to(self.root / "src").as_posix()
            for path in self.files("src")
        )
        name, count = folders.most_common(1)[0]
        return f"{count} ({name})"


_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)


def _dotted(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def _in(name: str, room: str) -> bool:
    return name.startswith(f"kawe.{room}.")


def _imported(tree: ast.Module, known: dict[str, ast.Module]) -> Iterator[str]:
    """Give the modules that a module imports; a name of a package is one of them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names if each.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module in known:
            below = {f"{node.module}.{each.name}" for each in node.names} & known.keys()
            yield from below or {node.module}


def _names(tree: ast.Module) -> set[str]:
    """Give the names that a module uses; a member as `SheetKind.PROJECTS`."""
    found = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.alias(name=name):
                found.add(name)
            case ast.Attribute(value=ast.Name(id=owner), attr=member):
                found.add(f"{owner}.{member}")
    return found


def _methods(tree: ast.Module) -> set[str]:
    return {
        each.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for each in node.body
        if isinstance(each, _FUNCTIONS)
    }


FIGURES: Final[dict[str, Callable[[Checkout], object]]] = {
    "lines of src": lambda house: house.lines("src"),
    "lines of tests": lambda house: house.lines("tests"),
    "lines of tools": lambda house: house.lines("tools"),
    "files of src": lambda house: len(house.modules),
    "files of tests": lambda house: sum(1 for _ in house.files("tests")),
    "files of tools": lambda house: sum(1 for _ in house.files("tools")),
    "import lines of src, %": lambda house: round(
        100 * house.import_lines() / house.lines("src"), 1
    ),
    "modules used by exactly one other": Checkout.used_once,
    "files outside kinds/ that know a kind": Checkout.know_a_kind,
    "files that declare one journal method": Checkout.journal_declarations,
    "class names that stand twice": Checkout.names_twice,
    "longest chain of imports in flows": lambda house: house.deepest("flows"),
    "longest chain of imports in workbook": lambda house: house.deepest("workbook"),
    "modules in the largest folder": Checkout.largest_folder,
}


def main() -> None:
    """Print the figures of each checkout side by side."""
    here = Path(__file__).resolve().parents[2]
    houses = [Checkout(root=Path(each)) for each in sys.argv[1:] or [here]]
    for name, figure in FIGURES.items():
        print(f"{name:<40}", *(f"{figure(house)!s:>18}" for house in houses))  # noqa: T201 - it is a program


if __name__ == "__main__":
    main()
