"""`kawe export verify`: whether saved papers are as they were saved."""

from collections.abc import Iterator
from pathlib import Path

from kawe.cases.records.exporting import verify_papers
from kawe.cli.output import printing
from kawe.cli.shared.declaring import argument, command, option, options_class
from kawe.cli.shared.options import OutputOptions
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.service.papers import FolderCheck
from kawe.domain.text.texts import counted, one_line


@options_class
class _VerifyOptions:
    folder: Path = argument(is_folder=True)
    result: Path | None = option(
        "-o", "--result", is_folder=False, help="Workbook to write, of what was found."
    )
    output: OutputOptions


@command("kawe export verify receipts-2026")
def verify(options: _VerifyOptions) -> int:
    """Say which files of FOLDER are missing, altered or extra.

    FOLDER is what kawe export saved, or a bag of BagIt 1.0. kawe compares each
    file with the lists of hashes that lie there; it asks no service and needs
    no key. Whoever rewrites files and lists together is not found out: keep
    the hash of the list elsewhere.
    """
    found = verify_papers(options.folder, result=options.result)
    return printing.answer(
        "verify",
        lambda: {
            "folder": options.folder,
            "is_bag": found.is_bag,
            "files": found.files,
            "size_bytes": found.size_bytes,
            "findings": found.findings,
            "kept_aside": found.aside,
        },
        code=ExitCode.NOT_AS_SAVED if found.findings else ExitCode.DONE,
        as_json=options.output.as_json,
        lines=_lines(found, options=options),
    )


def _lines(found: FolderCheck, *, options: _VerifyOptions) -> Iterator[str]:
    what = "bag" if found.is_bag else "folder"
    place = f"The {what} {one_line(str(options.folder), limit=1000)}"
    yield from found.aside_words()
    if not found.findings:
        yield f"{place} is as it was saved: {counted(found.files, 'file')}."
        return
    files = counted(len({each.file for each in found.findings}), "file is", "files are")
    yield f"{place} is not as it was saved: {files} not right."
    yield from printing.finding_lines(
        found.findings,
        is_verbose=options.output.verbose,
        rest=": kawe export verify --verbose names them.",
    )
