"""How this kawe was installed, and what a person types because of it."""

import importlib.util
import os
import shutil
import sys
import sysconfig
import tomllib
import zipfile
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final
from urllib.parse import urlsplit

from kawe.domain.text.shell import command_line
from kawe.errors import SettingsError
from kawe.system import is_windows

_PIPX: Final = "pipx_metadata.json"
_UV: Final = "uv-receipt.toml"
_RUN: Final = (
    "import runpy, sys; sys.path.insert(0, sys.argv.pop(1)); "
    "runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """What a running kawe knows of its place on this machine."""

    python: Path
    prefix: Path
    beside: Path
    """The folder of the package and of its libraries."""
    started_as: Path
    """What was typed, or the script that it named."""
    scripts: tuple[Path, ...]
    """Where its installer puts programs."""
    is_users: bool
    """Whether pip installed it for one person, with `--user`."""
    is_frozen: bool
    has_pip: bool
    search_path: str
    is_windows: bool
    is_cmd: bool
    """Whether the shell of Windows is cmd and not PowerShell."""

    @classmethod
    def here(cls) -> "Installation":
        """Look at the kawe that runs."""
        python, package = Path(sys.executable), Path(__file__).parents[1]
        user = sysconfig.get_paths(sysconfig.get_preferred_scheme("user"))
        is_users = package.is_relative_to(user["purelib"])
        scripts = user["scripts"] if is_users else sysconfig.get_path("scripts")
        return cls(
            python=python,
            prefix=Path(sys.prefix),
            beside=package.parent,
            started_as=Path(sys.argv[0]).absolute(),
            scripts=(Path(scripts), python.parent),
            is_users=is_users,
            is_frozen=bool(getattr(sys, "frozen", False)),
            has_pip=importlib.util.find_spec("pip") is not None,
            search_path=os.environ.get("PATH", ""),
            is_windows=is_windows(),
            is_cmd="PROMPT" in os.environ,
        )

    def to_add(self, extra: str) -> str:
        """Say how an extra of kawe is installed into this kawe."""
        if self.is_frozen:
            return (
                f"It is not in this kawe, which came with its own Python and takes "
                f"nothing more. Ask whoever gave it to you for one with {extra}."
            )
        if self.is_archive:
            return (
                "It is not in this kawe, which is one file, and pip puts nothing into "
                f'that. Make the file again from "kawe[{extra}]", or ask whoever made '
                "it."
            )
        return f"Install it with: {self._line(self._adding(extra))}"

    def _adding(self, extra: str) -> tuple[str, ...]:
        wanted = f"kawe[{extra}]"
        if (self.prefix / _PIPX).is_file():
            return ("pipx", "inject", self.prefix.name, wanted)
        if (self.prefix / _UV).is_file():
            return ("uv", "tool", "install", self._for_uv(extra))
        if not self.has_pip:
            return ("uv", "pip", "install", "--python", str(self.python), wanted)
        user = ("--user",) if self.is_users else ()
        return (str(self.python), "-m", "pip", "install", *user, wanted)

    def _for_uv(self, extra: str) -> str:
        """Name what uv installed, with its extras: what is not named again goes."""
        try:
            receipt = tomllib.loads((self.prefix / _UV).read_text("utf-8"))
            needs = receipt["tool"]["requirements"]
            own = next(each for each in needs if each["name"] == "kawe")
            extras = ",".join(sorted({extra, *own.get("extras", ())}))
            places = (
                own[key] for key in ("path", "directory", "editable") if key in own
            )
            place = next(places, None)
            link = _shown(own.get("url", "")) if place is None else Path(place).as_uri()
        except (OSError, ValueError, LookupError, TypeError, StopIteration):
            return f"kawe[{extra}]"
        return f"kawe[{extras}] @ {link}" if link else f"kawe[{extras}]"

    def command(self) -> str:
        """Give what a person types for this kawe: `kawe`, where that means it."""
        found = shutil.which("kawe", path=self.search_path)
        if found is not None and self.is_own(found):
            return "kawe"
        words = self.program()
        can_run = os.access(self.started_as, os.X_OK) and not self.is_windows
        return self._line(words[1:] if self.is_archive and can_run else words)

    def is_own(self, found: str) -> bool:
        """Say whether a program that was found is this kawe."""
        path = Path(found).resolve()
        # pipx and uv copy the program on Windows: what was started tells.
        own = (Path(self.program()[0]), self.started_as)
        folders = () if self.is_frozen or self.is_archive else self.scripts
        return path in {each.resolve() for each in own} or path.parent in {
            each.resolve() for each in folders
        }

    def program(self) -> tuple[str, ...]:
        """Give the words that start this kawe from anywhere."""
        if self.is_frozen:
            return (str(self.python),)
        if self.is_archive:
            return (str(self.python), str(self.started_as))
        places = [self.started_as.parent] if self.started_as.stem == "kawe" else []
        for folder in (*places, *self.scripts):
            for name in ("kawe", "kawe.exe"):
                if (folder / name).is_file():
                    return (str(folder / name),)
        return self.running("kawe")

    def running(self, module: str) -> tuple[str, ...]:
        """Give the words that run a module of this kawe in another process."""
        if not self.is_archive:
            # -P: Python imports no file that lies beside the workbook.
            return (str(self.python), "-P", "-m", module)
        # What unpacked the archive is not there to tell Python where kawe lies.
        return (str(self.python), "-P", "-c", _RUN, str(self.beside), module)

    @property
    def is_archive(self) -> bool:
        """Whether all of kawe is one file, such as shiv and zipapp make."""
        # The .exe that pip makes on Windows ends with an archive too.
        return self.started_as.suffix != ".exe" and zipfile.is_zipfile(self.started_as)

    def _line(self, words: tuple[str, ...]) -> str:
        return command_line(words, is_windows=self.is_windows, is_cmd=self.is_cmd)


def _shown(url: str) -> str:
    """Give an address without what may be a password or a token in it."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="").geturl()


def page_address(page: str) -> str:
    """Give the address of a page of the documentation, as kawe's metadata has it."""
    from importlib import metadata  # noqa: PLC0415 - few messages need it

    try:
        lines = metadata.metadata("kawe").get_all("Project-URL") or ()
    except metadata.PackageNotFoundError:
        lines = ()
    links = dict(line.split(", ", 1) for line in lines)
    return f"{links.get('Documentation', 'docs')}/{page}"


def load_extra(name: str, *, extra: str, called: str) -> ModuleType:
    """Import a module that needs an extra.

    Raises:
        SettingsError: It is not installed; the hint says how to add it.
    """
    try:
        return import_module(name)
    except ModuleNotFoundError as missing:
        if (missing.name or "").startswith("kawe"):
            raise
        raise SettingsError(
            message=f"{called} is not installed.",
            hint=Installation.here().to_add(extra),
        ) from missing
