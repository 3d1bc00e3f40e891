"""`kawe demo`: everything once, against a service on this machine."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from kawe.cases.kit import NoProgress, Toolkit
from kawe.cases.python import export_receipts, plan, release, submit
from kawe.cli.output.exit import Stopping
from kawe.cli.output.next_command import suggested, typed_flag
from kawe.cli.shared.declaring import command, load_twin, option, options_class, output
from kawe.domain.batch.agreements import packs_covering
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.batch.readings import Reading
from kawe.domain.batch.saved_plans import Action
from kawe.domain.service.states import Step
from kawe.domain.text.texts import counted, one_line
from kawe.durable import make_folder
from kawe.errors import SettingsError
from kawe.settings.values import Settings

if TYPE_CHECKING:
    from kawe_twin.serving import RunningTwin

SAMPLES: Final = {
    "monthly": "good/monthly",
    "invitations": "good/invitations",
    "mistakes": "bad/200-rows-20-mistakes",
}
"""Each sample, and its folder among the samples of the project."""
# What the tests of kawe expect of the sample.
_NOT_FOR_PEOPLE: Final = "expected.json"
TOKENS: Final = 30
"""Fewer than the sample's projects, so that some must wait."""
_MARK: Final = ".made-by-kawe-demo"


@options_class
class _DemoOptions:
    folder: Path = output(
        "Folder to leave the workbooks in; a demo's own folder is made anew.",
        is_folder=True,
        default=Path("kawe-demo"),
    )
    samples: Path | None = option(
        "--samples",
        is_folder=True,
        metavar="DIR",
        help="Only write the sample workbooks and their files into this folder: a "
        "month of projects, people to invite, 200 rows of which 20 have a mistake. No "
        "file is written over.",
    )


@command("kawe demo · kawe demo --samples try-kawe")
def demo(options: _DemoOptions) -> int:
    """Carry sample workbooks through everything, on this machine alone.

    A month of projects and a list of people are checked, uploaded and sent
    to the twin's made-up iwi. Tokens run out, are bought, and the rest is
    released. The workbooks and receipts stay in the folder.
    """
    if options.samples is not None:
        if flag := typed_flag({"folder"}):
            raise click.UsageError(f"With --samples DIR, {flag} has no use.")
        return _write_samples(options.samples)
    folder = options.folder
    make_empty(folder)
    for name in ("monthly", "invitations"):
        write_sample(name, folder)
    serving = load_twin()
    with serving.start_twin(
        serving.TwinOptions(folder=folder / "twin", tokens=TOKENS)
    ) as twin:
        toolkit = Toolkit(
            settings=Settings(
                base_url=twin.address.api_url,
                key=twin.address.live_key,
                journal=folder / "journal" / "demo.journal",
                author="kawe demo",
            ),
            progress=NoProgress(),
            halt=Stopping(),
        )
        asyncio.run(Demo(folder=folder, twin=twin, toolkit=toolkit).run())
    return ExitCode.DONE


def _write_samples(folder: Path) -> int:
    """Leave the sample workbooks in a folder."""
    was_there = set(folder.glob("*.xlsx"))
    written = [path for name in SAMPLES for path in write_sample(name, folder)]
    books = [path for path in written if path.suffix == ".xlsx"]
    for path in books:
        left = " is there already, and left as it is" if path in was_there else ""
        click.echo(f"{one_line(str(path))}{left}")
    click.echo(f"Next: {suggested('check', books[0], only=())}")
    return ExitCode.DONE


def write_sample(
    name: str, folder: Path, places: Sequence[Traversable] = ()
) -> list[Path]:
    """Write a sample's files into a folder, which is made; give their paths.

    Without `places`, the samples of the package are written, or those of a clone. A
    file that is there already is left as it is.

    Raises:
        OSError: The folder cannot be written.
        SettingsError: The samples did not come with this kawe.
    """
    # Of the files in an archive, only the bytes can be asked for.
    content = {
        folder / path: file for path, file in _files(_source(name, places), Path())
    }
    for path, file in content.items():
        if not path.exists():
            make_folder(path.parent)
            path.write_bytes(file.read_bytes())
    return list(content)


def _source(name: str, places: Sequence[Traversable]) -> Traversable:
    clone = Path(__file__).resolve().parents[3]
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


def make_empty(folder: Path) -> None:
    """Make an empty folder; one that an earlier demo made is emptied."""
    if folder.exists() and any(folder.iterdir()):
        if not (folder / _MARK).exists():
            raise SettingsError(
                message=f"The folder {one_line(str(folder))} is not empty.",
                hint="Choose another one with --output.",
            )
        shutil.rmtree(folder)
    make_folder(folder)
    (folder / _MARK).touch()


@dataclass(frozen=True, slots=True, kw_only=True)
class Demo:
    """The demo, step by step, as a Python program would take them."""

    folder: Path
    twin: RunningTwin
    toolkit: Toolkit

    async def run(self) -> None:
        """Run every step and explain it."""
        click.echo(
            "kawe starts the consultation service on this machine: made-up iwi, real "
            f"rules.\nThe team has {TOKENS} tokens."
        )
        waits = await self._submit(Reading(workbook=self.folder / "monthly.xlsx"))
        await self._release(waits)
        done = await export_receipts(self.toolkit, self.folder / "receipts")
        saved = len(done.receipts) - len(done.missing)
        click.echo(f"5. {saved} receipts saved as PDF, with a list of their hashes.")
        await self._invite(Reading(workbook=self.folder / "invitations.xlsx"))
        self._where()

    async def _submit(self, reading: Reading) -> int:
        """Plan and submit the month; say how many rows wait for tokens."""
        planned = await plan(self.toolkit, reading)
        done = [row.action for row in planned.rows]
        click.echo(
            f"\n1. {reading.workbook.name}: {len(done)} rows checked, "
            f"{planned.counts[Action.CORRECT]} to correct, "
            f"{counted(sum(map(len, planned.warned)), 'warning')}. "
            f"{sum(each.sends or each.waits for each in done)} are to be sent to iwi."
        )
        closing = await submit(self.toolkit, reading, agreed=planned.acts)
        counts = closing.report.counts()
        click.echo(
            f"2. {planned.totals['upload_files']} files uploaded, "
            f"{sum(Step.CREATE in each.steps for each in done)} drafts made, "
            f"{counts[Outcome.SENT]} projects sent, {counts[Outcome.DRAFTED]} "
            f"drafted, as the workbook says.\n   {counts[Outcome.DEFERRED]} projects "
            "wait for tokens, the least urgent ones; their drafts are kept."
        )
        return counts[Outcome.DEFERRED]

    async def _release(self, waits: int) -> None:
        packs = packs_covering(waits)
        for pack in packs:
            balance = self.twin.buy_tokens(pack)
        click.echo(
            f"3. A person buys tokens in the portal: {' + '.join(map(str, packs))}. "
            f"The team has {balance}. (kawe itself never buys.)"
        )
        (closing,) = await release(self.toolkit, agreed=waits)
        counts, sends = closing.report.counts(), self.twin.sends_by_project()
        once, more = sends.count(1), sum(number > 1 for number in sends)
        click.echo(
            f"4. {waits - counts[Outcome.DEFERRED]} projects released. In all "
            f"{counts[Outcome.SENT]} sent + {counts[Outcome.DRAFTED]} drafts = "
            f"{counts.total()} rows of the workbook.\n   The service itself counts: "
            f"{once} projects sent once, {more or 'none'} sent more than once."
        )

    async def _invite(self, reading: Reading) -> None:
        planned = await plan(self.toolkit, reading)
        closing = await submit(self.toolkit, reading, agreed=planned.acts)
        counts = closing.report.counts()
        # One of them has another role there than the sheet says.
        there = counts[Outcome.ALREADY_THERE] + counts[Outcome.NOT_AS_ASKED]
        click.echo(
            f"6. {reading.workbook.name}: {counts.total()} people, "
            f"{counts[Outcome.INVITED]} invited, {there} were in the team already."
        )

    def _where(self) -> None:
        folder = one_line(str(self.folder.resolve()), limit=400)
        click.echo(
            f"""
Everything lies in {folder}
   monthly.xlsx, invitations.xlsx                what went in
   monthly.result.xlsx, invitations.result.xlsx  how every row stands
   receipts/                                     the PDFs and receipts.xlsx
Next: the tutorial takes you through it by hand: docs/tutorial.md of a clone, or type
kawe help tutorial."""
        )
