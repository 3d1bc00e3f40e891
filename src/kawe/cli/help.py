"""`kawe help`: the pages of this documentation, as they were installed."""

from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Final

import click

from kawe.cli.shared.declaring import argument, command, option, options_class
from kawe.cli.shared.running import open_file
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.text.texts import one_line
from kawe.errors import SettingsError

PAGES: Final = Path(__file__).parents[1] / "pages"
"""Where `make docs` puts the site; a wheel that was made afterwards has it."""
_OVERVIEW: Final = "index"
_SHOWN: Final = 4


@options_class
class _HelpOptions:
    topic: str | None = argument()
    only_path: bool = option("--path", help="Print where the page lies; open nothing.")


@command("kawe help · kawe help tokens · kawe help --path", name="help")
def help_command(options: _HelpOptions) -> int:
    """Open the documentation of this version in the browser.

    TOPIC is the name of a page or a part of it, or the name of a command. No network
    is needed: the pages were installed with kawe.
    """
    page = page_about(options.topic or _OVERVIEW, pages_in(PAGES))
    (click.echo if options.only_path else show)(page)
    return ExitCode.DONE


def show(page: Path) -> None:
    """Open a page; say where it lies, also where nothing can open it."""
    click.echo(f"The page lies at {page}")
    if trouble := open_file(page):
        click.echo(f"It could not be opened here: {trouble}", err=True)
        click.echo("Open this file with a browser.", err=True)


def pages_in(folder: Path) -> dict[str, Path]:
    """Find the pages of the site, by the part of the file name before `.html`."""
    found = {
        path.stem.casefold(): path
        # Of two pages with one name, the last counts.
        for where in ("*.html", "docs/*/**/*.html", "docs/*.html")
        for path in folder.glob(where)
        if path.stem not in {"genindex", "search"}
    }
    if _OVERVIEW in found:
        return found
    raise SettingsError(
        message="The pages of the documentation are not here.",
        hint="In a clone of kawe, make docs makes them; the same pages as text are in "
        "its folder docs. A released kawe has them.",
    )


def page_about(topic: str, pages: Mapping[str, Path]) -> Path:
    """Give the page of a name, of a part of it, or of a command."""
    from kawe.cli.app import COMMANDS  # noqa: PLC0415 - it imports this module

    wanted = "-".join(topic.casefold().split())
    if wanted in pages:
        return pages[wanted]
    if wanted in COMMANDS:
        return pages["commands"]
    names = sorted(pages)
    near = (
        [name for name in names if wanted in name.split("-")]
        or [name for name in names if wanted and wanted in name]
        or get_close_matches(wanted, names)
    )
    if len(near) == 1:
        return pages[near[0]]
    raise SettingsError(
        message=f"No page is called {one_line(topic, limit=60)!r}.",
        hint=f"Perhaps one of these: {', '.join(near[:_SHOWN])}."
        if near
        else "kawe help opens the overview.",
    )
