"""Sample workbooks, written where a person wants to try kawe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from kawe.domain.text.texts import one_line
from kawe.durable import make_folder
from kawe.errors import ResultNotWritable, SettingsError

SAMPLES: Final = {
    "monthly": "good/monthly",
    "invitations": "good/invitations",
    "mistakes": "bad/200-rows-20-mistakes",
}
"""Each sample, and its folder among the samples of the project."""
# What the tests of kawe expect of the sample.
_NOT_FOR_PEOPLE: Final = "expected.json"


def write_sample(
    name: str, folder: Path, places: Sequence[Traversable] = ()
) -> list[Path]:
    """Write a sample's files into a folder, which is made; give their paths.

    Without `places`, the samples of the package are written, or those of a clone.

    Raises:
        ResultNotWritable: One of them is there already; nothing was written.
        OSError: The folder cannot be written.
        SettingsError: The samples did not come with this kawe.
    """
    # Of the files in an archive, only the bytes can be asked for.
    content = {
        folder / path: file for path, file in _files(_source(name, places), Path())
    }
    for path in content:
        if path.exists():
            raise ResultNotWritable(
                message=f"{one_line(str(path))} is there already. Nothing was written.",
                hint="Choose another folder; kawe writes over no file.",
            )
    for path, file in content.items():
        make_folder(path.parent)
        path.write_bytes(file.read_bytes())
    return list(content)


def _source(name: str, places: Sequence[Traversable]) -> Traversable:
    clone = Path(__file__).resolve().parents[4]
    for place in places or (files("kawe"), clone):
        folder = place.joinpath("samples", *SAMPLES[name].split("/"))
        if folder.is_dir():
            return folder
    raise SettingsError(
        message="The samples did not come with this kawe.", hint="Install kawe again."
    )


def _files(folder: Traversable, below: Path) -> Iterator[tuple[Path, Traversable]]:
    for each in sorted(folder.iterdir(), key=lambda found: found.name):
        path = below / each.name
        if each.is_dir():
            yield from _files(each, path)
        elif each.name != _NOT_FOR_PEOPLE:
            yield path, each
