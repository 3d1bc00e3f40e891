"""What a person perhaps meant who typed what kawe does not take."""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path, PurePath
from typing import Final

import click

from kawe.domain.text.shell import quoted
from kawe.domain.text.texts import RESULT_MARK, one_line, some_of

_OTHER_WORDS: Final = {
    "configure": "init",
    "invite": "submit",
    "late": "watch",
    "login": "init",
    "overdue": "watch",
    "queue": "waiting",
    "receipts": "export receipts",
    "resume": "submit",
    "send": "submit",
    "setup": "init",
    "start": "serve",
    "twin": "serve",
    "upload": "submit",
    "validate": "check",
}
NO_WAY: Final = {
    "undo": "A send cannot be undone: iwi have it. Write to them in the portal, or put "
    "the project on hold there. A draft that was not sent is deleted in the portal. "
    "What a sheet of acts did, such as closures, is put back: kawe undo "
    "BATCH. What was done: kawe status",
    "buy": "Tokens are bought in the portal, by an owner of the team. How many are "
    "missing, and which packs hold them: kawe waiting. Then: kawe release",
    "tokens": "How many tokens the team has: kawe doctor. How many are missing: kawe "
    "waiting. They are bought in the portal.",
    "find": "What became of a row, found by its reference, name, receipt or number: "
    "kawe status RD-103. It stands in the result beside your workbook too.",
    "log": "Every run names its log in its last line. What was done: kawe status; "
    "whether the journal is as kawe left it: kawe journal verify",
    "completion": "Your shell completes commands by click's own script: "
    "_KAWE_COMPLETE=bash_source kawe. The page is opened by: kawe help complete",
}
_CALLED_NOW: Final = {
    "deferred": "waiting",
    "docs": "help",
    "held": "waiting",
    "notify": "doctor --notify",
    "report": "status --write",
    "samples": "demo --samples FOLDER",
    "teach": "columns",
}
"""Names of before."""
_AS_TYPED: Final = frozenset({"docs", "report"})
"""Those after which the same words are typed."""
_ALSO_SAID: Final = {
    **dict.fromkeys(("cancel", "unsend", "recall", "withdraw", "revoke"), "undo"),
    **dict.fromkeys(("delete", "remove", "rollback"), "undo"),
    **dict.fromkeys(("purchase", "pay"), "buy"),
    **dict.fromkeys(("balance", "credits"), "tokens"),
    **dict.fromkeys(("search", "history", "show", "lookup", "list"), "find"),
    "logs": "log",
    "learn": "teach",
}
_TAKES_A_WORKBOOK: Final = frozenset({"check", "plan", "submit", "columns"})
# "monthly.result (2).xlsx"; "~$monthly.xlsx" is there while Excel has it open.
_BESIDE: Final = re.compile(rf"{RESULT_MARK}\.\w+$|(?:^|[/\\])~\$")
_ADDRESS: Final = re.compile(
    r"(?:https?|file)://|[\w-]+(?:\.[\w-]+)*\.(?:com|ms|net|nz|org)/", re.IGNORECASE
)
ENDINGS: Final = frozenset({".xlsx", ".xlsm", ".xls", ".csv"})


def meant(typed: str, *words: str, among: Sequence[str]) -> str:
    """Say that there is no command of that name, and which one was perhaps meant."""
    said = f"No such command {one_line(typed, limit=60)!r}."
    for at in range(len(words) + 1):
        whole = " ".join([typed, *words[:at]])
        if _is_book(whole) and (at == 0 or _is_file(whole)):
            return f"{said} To check this workbook: kawe check {quoted(whole)}"
    known = typed.casefold()
    if known == "schedule":
        from kawe.machine.installation import page_address  # noqa: PLC0415 - slow

        page = page_address("how-to/run-unattended.md")
        return f"{said} What cron, systemd or Windows needs is on this page: {page}"
    if known in _CALLED_NOW:
        now = f"kawe {_CALLED_NOW[known]}"
        rest = " ".join(map(quoted, words)) if known in _AS_TYPED else ""
        return f"kawe {known} is called {now} now. Type: {now} {rest}".rstrip()
    if (told := NO_WAY.get(_ALSO_SAID.get(known, known))) is not None:
        return told if typed in among else f"{said} {told}"
    near = [_OTHER_WORDS[known]] if known in _OTHER_WORDS else []
    near = near or get_close_matches(known, [*among, "help", "version"])
    if not near:
        return f"{said} The commands are listed by: kawe help"
    return f"{said} Did you mean {' or '.join(map(repr, near))}?"


def workbook_trouble(command: str, words: Sequence[str]) -> str | None:
    """Say what is wrong with the words that should name one workbook; None: nothing."""
    if command not in _TAKES_A_WORKBOOK:
        return None
    plain = [words[at] for at in _plain(words)]
    return (
        _address_or_pattern(command, plain)
        or _in_pieces(command, words)
        or _several(command, plain)
    )


def without_results(command: str, words: Sequence[str]) -> tuple[list[str], str]:
    """Leave out what `*.xlsx` gives beside workbooks, and say so.

    That are kawe's results and the locks of Excel; one alone is meant.
    """
    books = [at for at in _plain(words) if _is_book(words[at]) and _is_file(words[at])]
    ours = [at for at in books if _BESIDE.search(words[at])]
    if command not in _TAKES_A_WORKBOOK or not ours or len(ours) == len(books):
        return [*words], ""
    names = some_of([one_line(words[at], limit=60) for at in ours], shown=3)
    said = f"Left out, as results of kawe or locks of Excel: {names}"
    return [word for at, word in enumerate(words) if at not in ours], said


def _plain(words: Sequence[str]) -> list[int]:
    """Give where words stand that are no options, nor perhaps values of them."""
    pairs = enumerate(zip(("", *words), words, strict=False))
    return [at for at, both in pairs if not any(e.startswith("-") for e in both)]


def _address_or_pattern(command: str, words: Sequence[str]) -> str | None:
    for word in words:
        if _ADDRESS.match(word) and not _is_file(word):
            return (
                "That is an address, and kawe reads files of this computer. Download "
                "the workbook, or sync its folder, and name the file: kawe "
                f"{command} monthly.xlsx"
            )
        if set("*?") & set(word) and _is_book(word) and not _is_file(word):
            return (
                f"{one_line(word, limit=60)!r} names no file. kawe takes one workbook "
                f"at a time; type its name: kawe {command} monthly.xlsx"
            )
    return None


def _in_pieces(command: str, words: Sequence[str]) -> str | None:
    """Find words that are the name of a file together."""
    pieces = ((a, b) for a in range(len(words)) for b in range(a + 2, len(words) + 1))
    for first, last in pieces:
        whole = " ".join(words[first:last])
        before = words[: last - 1]
        # Perhaps it is misspelt too; that is said once it is in quotation marks.
        is_all = not first and not any(e[0] == "-" or _is_book(e) for e in before if e)
        is_one = _is_file(whole) or (is_all and _is_book(whole))
        if not _is_file(words[first]) and is_one:
            rest = [*words[:first], whole, *words[last:]]
            right = " ".join(["kawe", command, *map(quoted, rest)])
            return f"A name with spaces stands in quotation marks: {right}"
    return None


def _several(command: str, words: Sequence[str]) -> str | None:
    books = [word for word in words if _is_book(word) and _is_file(word)]
    if len(books) < 2:
        return None
    return (
        f"kawe takes one workbook at a time, and these are {len(books)}. Type: kawe "
        f"{command} {quoted(books[0])}; then the next one."
    )


class NearGroup(click.Group):
    """A group of commands that names the likeliest one where none is meant."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command, or say which one was perhaps meant."""
        if args[0] in self.commands or args[0].startswith("-"):
            return super().resolve_command(ctx, args)
        near = get_close_matches(args[0].casefold(), list(self.commands), cutoff=0.5)
        said = f"No such command {one_line(args[0], limit=60)!r}."
        guess = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
        raise click.UsageError(f"{said}{guess}", ctx)


def _is_book(word: str) -> bool:
    return PurePath(word).suffix.casefold() in ENDINGS


def _is_file(word: str) -> bool:
    try:
        return Path(word).is_file()
    except (OSError, ValueError):
        return False
