"""What kawe writes into a settings file: nothing that was there is lost."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kawe.errors import SettingsError
from kawe.settings.files import (
    checked_profile,
    with_settings,
    without_others,
    write_whole,
)

WANTED = {"base_url": "https://a.nz", "mode": "live"}
COMMENTED = 'base_url = "https://a.nz" # x\n[columns.projects]\na = "name"\n'
LINES = 'base_url = "https://a.nz"\nmode = "live"\n'


@pytest.mark.parametrize(
    ("before", "profile", "after"),
    [
        ("", "default", LINES),
        ("", "test", f"[profile.test]\n{LINES}"),
        ("# mine\nworkers = 3", "default", f"{LINES}\n# mine\nworkers = 3"),
        (
            "# mine\nworkers = 3",
            "test",
            f"# mine\nworkers = 3\n\n[profile.test]\n{LINES}",
        ),
        (COMMENTED, "default", f'mode = "live"\n\n{COMMENTED}'),
        (
            f"{LINES}[profile.old]\nworkers = 1\n",
            "test",
            f"{LINES}[profile.old]\nworkers = 1\n\n[profile.test]\n{LINES}",
        ),
        (LINES, "default", LINES),
        (f"[profile.default]\n{LINES}", "default", f"[profile.default]\n{LINES}"),
        (f"[profile.test]\n{LINES}#\n", "test", f"[profile.test]\n{LINES}#\n"),
        (
            "workers = 3\r\n",
            "default",
            'base_url = "https://a.nz"\r\nmode = "live"\r\n\r\nworkers = 3\r\n',
        ),
    ],
)
def test_what_is_missing_is_added_and_the_rest_stays(before, profile, after):
    assert with_settings(before, WANTED, profile=profile) == after


@pytest.mark.parametrize(
    ("before", "profile", "named"),
    [
        ('base_url = "https://b.nz"', "default", "base_url"),
        ('key_file = "k"', "default", "key_file"),
        ('[profile.test]\nmode = "sandbox"', "test", "mode"),
        ("[profile.test]\nworkers = 3", "test", "base_url, mode"),
        ('[profile.default]\nmode = "sandbox"', "default", "mode"),
    ],
)
def test_what_says_otherwise_is_named_and_left(before, profile, named):
    with pytest.raises(SettingsError) as caught:
        with_settings(before, WANTED, profile=profile)
    assert (
        caught.value.message,
        'base_url = "https://a.nz"' in caught.value.hint,
        "key_file" in caught.value.hint,
    ) == (
        f"Your settings file says something else already: {named}.",
        "base_url" in named or "https://b.nz" not in before,
        "key_file" in named,
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (LINES, LINES),
        (
            f'# mine\n{LINES}team = "A"\nkey_command = ["a", "b"]\nworkers = 3\n',
            f"# mine\n{LINES}workers = 3\n",
        ),
        ('mode="sandbox" # first\n[log]\nto = "file"', '[log]\nto = "file"'),
        *[(same, same) for same in ('"mode" = "sandbox"', 'team = """\nA"""')],
        ('[profile.default]\nmode = "sandbox"', '[profile.default]\nmode = "sandbox"'),
    ],
)
def test_only_what_is_of_another_key_is_taken_out_or_nothing(before, after):
    assert without_others(before, WANTED, profile="default") == after


def test_a_file_that_cannot_be_added_to_is_left_with_the_lines_to_write():
    inline = "profile = {old = {workers = 3}}"
    with pytest.raises(SettingsError, match='mode = "live"'):
        with_settings(inline, WANTED, profile="test")


@given(st.text(min_size=1).filter(lambda text: text.isprintable()))
def test_any_name_of_a_team_can_be_written(team):
    after = with_settings("", {"team": team}, profile="default")
    assert tomllib.loads(after) == {"team": team}


@pytest.mark.parametrize("name", ["default", "test-2", "A_b"])
def test_a_plain_word_is_the_name_of_a_profile(name):
    assert checked_profile(name) == name


@pytest.mark.parametrize("name", ["", "a b", "../x", "a.b", 'a"', "ā", "a\n", "x" * 65])
def test_anything_else_is_no_name_of_a_profile(name):
    with pytest.raises(SettingsError):
        checked_profile(name)


def test_a_new_file_is_its_owner_s_alone(tmp_path):
    path = tmp_path / "new" / "kawe.toml"
    write_whole(path, LINES, keeps_rights=True)
    found = (
        path.read_text(),
        f"{path.stat().st_mode:o}",
        len(list(path.parent.iterdir())),
    )
    assert found == (LINES, "100600", 1)


def test_a_file_keeps_its_rights_and_a_link_its_place(tmp_path):
    real = tmp_path / "real.toml"
    real.write_text("workers = 3")
    real.chmod(0o640)
    link = tmp_path / "kawe.toml"
    link.symlink_to(real)
    write_whole(link, LINES, keeps_rights=True)
    assert (link.is_symlink(), real.read_text(), f"{real.stat().st_mode:o}") == (
        True,
        LINES,
        "100640",
    )


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingsError, match="cannot be written"):
        write_whole(tmp_path / "file" / "kawe.toml", LINES, keeps_rights=True)
