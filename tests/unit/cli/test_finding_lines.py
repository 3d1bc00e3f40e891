"""Findings on a terminal: few, wrapped between words, and in colour."""

import click
import pytest

from kawe.cli.output.printing import print_lines, print_problems
from kawe.cli.output.wrapping import wrapped
from kawe.domain.sheet.findings import PERSON_KNOWN, Finding, RowRef, Severity, grouped

REST = "in Problems"
RED, YELLOW, PLAIN = "\x1b[31m\x1b[1m", "\x1b[33m\x1b[1m", "\x1b[0m"


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch):
    for name in ("NO_COLOR", "COLUMNS", "TERM"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def screen(monkeypatch, capsys):
    """Give what a terminal of 60 columns shows."""
    monkeypatch.setenv("COLUMNS", "60")
    with click.Context(click.Command("check"), color=True):
        yield lambda: capsys.readouterr().out


def _finding(row, *, rule="odd", severity=Severity.ERROR, message=None):
    return Finding(
        where=RowRef(sheet="Projects", row=row).cell(3),
        severity=severity,
        rule=rule,
        heading="Applicant",
        value="tbc",
        message=message or f"Problem {row} is one that takes some words to say.",
        advice="Correct it.",
    )


def _print(findings, *, least=Severity.ERROR, **options):
    print_problems(grouped(findings), least=least, rest=REST, **options)


def test_a_pipe_gets_whole_lines_without_colour(capsys):
    _print([_finding(6), _finding(7, message=_finding(6).message)])
    assert capsys.readouterr().out == (
        "Projects!C6 [error] Applicant “tbc” (rows 6 and 7): Problem 6 is one that "
        "takes some words to say. Correct it.\n"
    )


def test_a_terminal_gets_lines_of_its_width_and_the_weight_in_colour(screen):
    _print([_finding(6), _finding(7, severity=Severity.WARNING)], least=Severity.NOTE)
    assert screen() == (
        "Found: 1 error on 1 row; 1 warning on 1 row.\n"
        f"Projects!C6 {RED}[error]{PLAIN} Applicant “tbc”: Problem 6 is one that\n"
        "    takes some words to say. Correct it.\n"
        f"Projects!C7 {YELLOW}[warning]{PLAIN} Applicant “tbc”: Problem 7 is one that\n"
        "    takes some words to say. Correct it.\n"
    )


@pytest.mark.parametrize("wish", [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_who_wants_no_colour_gets_none(screen, monkeypatch, wish):
    monkeypatch.setenv(*wish)
    _print([_finding(6)])
    shown = screen()
    assert ("[error]" in shown, "\x1b" in shown) == (True, False)


def test_a_command_without_colour_has_none(screen):
    with click.Context(click.Command("check"), color=False):
        _print([_finding(6)])
    shown = screen()
    assert ("[error]" in shown, "\x1b" in shown) == (True, False)


def test_of_three_alike_one_is_told_and_the_others_are_named(capsys):
    _print([_finding(row) for row in (6, 7)], least=Severity.NOTE)
    assert len(capsys.readouterr().out.splitlines()) == 3
    _print([_finding(row) for row in range(6, 12)])
    assert capsys.readouterr().out.splitlines()[1:] == [
        (
            "Projects!C6 [error] Applicant “tbc” (likewise C7, C8, C9 and 2 more): "
            "Problem 6 is one that takes some words to say. Correct it."
        ),
        "… and 5 more in Problems.",
    ]


def test_fifteen_are_shown_and_the_others_are_counted(capsys):
    _print([_finding(row, rule=f"odd-{row}") for row in range(2, 22)])
    lines = capsys.readouterr().out.splitlines()
    assert (lines[0], len(lines), lines[-1]) == (
        "Found: 20 errors on 20 rows.",
        17,
        "… and 5 more in Problems.",
    )


def test_a_narrow_terminal_shows_fewer_so_that_all_fits(screen):
    _print([_finding(row, message="wide words " * 20) for row in range(2, 3)])
    wide = [(row, f"{row} wide words" * 20) for row in range(2, 22)]
    _print([_finding(n, message=said, rule=f"odd-{n}") for n, said in wide])
    assert len(screen().splitlines()) < 45


def test_verbose_shows_all_whatever_they_weigh(capsys):
    findings = [_finding(row, severity=Severity.NOTE) for row in range(2, 22)]
    _print(findings, verbose=True)
    assert len(capsys.readouterr().out.splitlines()) == 21


def test_what_must_be_seen_is_seen_after_however_many_errors(capsys):
    known = _finding(90, rule=PERSON_KNOWN, severity=Severity.WARNING)
    _print([*(_finding(row, rule=f"odd-{row}") for row in range(2, 42)), known])
    lines = capsys.readouterr().out.splitlines()
    assert (lines[-2].startswith("Projects!C90 [warning]"), lines[-1]) == (
        True,
        "… and 26 more in Problems.",
    )


def test_what_weighs_less_is_not_shown_but_for_named_rules(capsys):
    light = [_finding(2, severity=Severity.NOTE), _finding(3, severity=Severity.NOTE)]
    _print(light, least=Severity.WARNING)
    silent = capsys.readouterr().out
    _print(light, least=Severity.WARNING, also={"odd"})
    assert (silent, len(capsys.readouterr().out.splitlines())) == ("", 3)


def test_a_hostile_text_does_nothing_on_the_screen(screen):
    _print([_finding(6, message="\x1b[2J\u202eevil")])
    shown = screen()
    assert [each for each in ("\x1b[2J", "\u202e") if each in shown] == []


@pytest.mark.parametrize(
    ("line", "width", "lines"),
    [
        ("as it is", None, ["as it is"]),
        ("one two three four", 10, ["one two", "    three", "    four"]),
        ("  deep words wrap", 12, ["  deep words", "      wrap"]),
        ("/a/very/long/path/of/words", 10, ["/a/very/long/path/of/words"]),
        (
            "When they are bought, run: kawe release --yes 20 --no-input",
            26,
            ["When they are bought, run:", "    kawe release --yes 20 --no-input"],
        ),
        (
            "kawe: kawe found no headings that it knows.",
            26,
            ["kawe: kawe found no", "    headings that it", "    knows."],
        ),
    ],
)
def test_lines_break_between_words_and_never_in_a_command(line, width, lines):
    assert wrapped(line, width=width) == lines


def test_every_line_of_a_text_is_wrapped(screen):
    print_lines(["short", f"{'word ' * 13}\nnext"])
    assert screen().splitlines() == [
        "short",
        "word word word word word word word word word word word word",
        "    word",
        "next",
    ]
