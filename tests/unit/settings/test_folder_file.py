"""A `kawe.toml` beside workbooks makes a run stricter, and nothing else."""

import pytest

from kawe.errors import SettingsError


@pytest.mark.parametrize("section", ["", "[profile.test]\n"])
@pytest.mark.parametrize(
    "line",
    [
        'key_file = "attacker.key"',
        'key_store = "file"',
        'journal = "seed.journal"',
        'author = "Somebody Else"',
        'mode = "live"',
        'mode = "sandbox"',
        'team = "Another team"',
        'project_link = "https://elsewhere.example/{id}"',
        '[notify]\ncommand = "run-me"',
        '[retention]\nprojects = "0 days"',
        '[service.paths]\nupload_presign = "POST /v2/files"',
    ],
)
def test_what_is_the_person_s_to_say_is_refused_with_where_it_belongs(
    desk, section, line
):
    if section and line.startswith("["):
        line = line.replace("[", "[profile.test.", 1)
        section = ""
    said = desk.refused(
        near=section + line, user="[profile.test]\nworkers = 8", profile="test"
    )
    name = line.partition(" =")[0].partition("]")[0].removeprefix("[profile.test.")
    assert (
        name.removeprefix("[") in said,
        f"{desk.folder / 'kawe.toml'}" in said,
        f"Move {name}" in said or f"Move [{name.removeprefix('[')}]" in said,
        str(desk.home / "kawe.toml") in said,
    ) == (True, True, True, True)


@pytest.mark.parametrize(
    ("near", "user"),
    [
        ('approval = "none"', 'approval = "second_person"'),
        ('machines = "one"', 'machines = "several"'),
        ("settle = 0.1", ""),
        ("settle = 179", ""),
        ("settle = nan", ""),
        ("settle = 200", "settle = 300"),
        ("keep_reserve = 4", "keep_reserve = 5"),
        ("workers = 9", ""),
        ("workers = 3", "workers = 2"),
        ("[profile.test]\nsettle = 10", "settle = 20"),
        ("settle = 20", "[profile.test]\nsettle = 30"),
    ],
)
def test_what_loosens_the_person_s_own_settings_is_refused(desk, near, user):
    user = user if "[profile.test]" in user else f"{user}\n[profile.test]\n"
    name = near.partition("]\n")[2].partition(" =")[0] or near.partition(" =")[0]
    said = desk.refused(near=near, user=user, profile="test")
    assert (
        f"sets {name} to" in said,
        str(desk.folder / "kawe.toml") in said,
        str(desk.home / "kawe.toml") in said,
    ) == (True, True, True)


@pytest.mark.parametrize(
    ("near", "user", "counts"),
    [
        ('approval = "second_person"', "", ("approval", "second_person")),
        ('approval = "none"', "", ("approval", "none")),
        ('machines = "several"', "", ("machines", "several")),
        ("settle = 180", "", ("settle_seconds", 180.0)),
        ("settle = 300", "settle = 200", ("settle_seconds", 300.0)),
        ("settle = 12", "settle = 5", ("settle_seconds", 12.0)),
        ("keep_reserve = 3", "", ("keep_reserve", 3)),
        ("workers = 2", "workers = 4", ("workers", 2)),
        ('owner = "Aroha, consents"', "", ("owner", "Aroha, consents")),
    ],
)
def test_what_is_as_strict_or_stricter_counts(desk, *, near, user, counts):
    name, value = counts
    assert getattr(desk.load(near=near, user=user), name) == value


def test_headings_of_a_folder_s_sheets_may_be_taught_there(desk):
    found = desk.load(near='[columns.projects]\n"Kaupapa" = "description"')
    assert [(e.heading, e.field, e.by) for e in found.headings] == [
        ("Kaupapa", "description", "this folder's kawe.toml says so")
    ]


def test_a_flag_of_the_person_wins_over_what_the_folder_made_stricter(desk):
    found = desk.load(near="settle = 300\nkeep_reserve = 9", settle=5, keep_reserve=0)
    assert (found.settle_seconds, found.keep_reserve) == (5.0, 0)


def test_a_variable_of_the_person_wins_over_the_folder_s_address(desk):
    environment = {"KAWE_BASE_URL": "https://mine.example.nz"}
    near = 'base_url = "https://theirs.example.nz"'
    found = desk.load(near=near, environment=environment)
    assert found.base_url == "https://mine.example.nz"


def test_a_file_that_the_person_names_may_say_everything(desk):
    chosen = desk.folder / "chosen.toml"
    chosen.write_text('author = "Mere"\nsettle = 1\nmode = "live"', "utf-8")
    found = desk.load(
        near='author = "Somebody Else"',
        environment={"KAWE_CONFIG": str(chosen)},
        user="settle = 300",
    )
    assert (found.author, found.settle_seconds, found.mode) == ("Mere", 1.0, "live")


def test_a_folder_makes_no_profile_that_the_person_has_not(desk):
    """With a sandbox profile of the folder's a live key would be taken for it."""
    with pytest.raises(SettingsError, match="no profile 'sandbox' in your settings"):
        desk.load(near="[profile.sandbox]\nworkers = 2", profile="sandbox")
