"""A sheet with a council's own headings is read once the settings say what they are."""

import os

from click.testing import CliRunner

from kawe.cli.app import kawe

ROWS = (
    "Kaupapa whānui,Kōrero,Type,Start date,End date,Respond by\n"
    "Culvert,A culvert is replaced.,Earthworks,2030-03-01,2030-09-30,2030-04-01\n"
)
SETTINGS = '[columns.projects]\n"Kaupapa whānui" = "name"\n"Kōrero" = "Description"\n'


def test_check_reads_headings_of_the_settings_and_says_so(tmp_path, environment):
    (tmp_path / "rows.csv").write_text(ROWS, "utf-8")
    config = tmp_path / "kawe.toml"
    config.write_text(SETTINGS, "utf-8")
    done = CliRunner(env={**environment, "KAWE_CONFIG": os.fspath(config)}).invoke(
        kawe,
        ["check", os.fspath(tmp_path / "rows.csv"), "--offline", "--quiet"],
        standalone_mode=False,
        catch_exceptions=False,
    )
    assert done.return_value == 0
    assert [" ".join(line.split()) for line in done.stdout.splitlines()[2:5]] == [
        "1 Kaupapa whānui Culvert Name your settings say…",
        "2 Kōrero A culvert is repl… Description your settings say…",
        "And 4 columns under their own names.",
    ]
