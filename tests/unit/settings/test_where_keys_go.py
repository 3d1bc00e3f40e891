"""A key goes only to an address that its owner named."""

import pytest

from kawe.domain.text.next_steps import Next
from kawe.errors import GuardRefused, KeyMissing, SettingsError
from kawe.settings.keeping import KeptKey, KeyPlace, keep_key
from kawe.settings.loading import load_settings

MINE, OTHER = "https://api.example.nz", "https://elsewhere.example.nz"
KEY = "kw_live_canary-7f3a9c21"


@pytest.fixture
def desk(desk):
    """Give the environment of somebody with a key."""
    desk.environment = {"KAWE_API_KEY": KEY}
    return desk


def base(url):
    return f'base_url = "{url}"\n'


def goes(settings):
    """Say whether the key would go, or why not."""
    try:
        return settings.service_key() == KEY
    except GuardRefused as refused:
        return str(refused)


def test_an_address_of_the_folder_alone_gets_no_key(desk):
    assert goes(desk.load(near=base(OTHER))) == (
        f"The address {OTHER} stands in this folder's kawe.toml alone, and your key "
        "does not go to an address that you have not named yourself. Nothing was "
        f"sent. If it is the right one, {Next.OWN_ADDRESS(desk.home / 'kawe.toml')}"
    )


def test_an_address_of_the_folder_that_differs_from_one_s_own_gets_no_key(desk):
    assert goes(desk.load(near=base(OTHER), user=base(MINE))) is not True


@pytest.mark.parametrize("section", ["", "[profile.test]\n"])
def test_a_profile_of_the_folder_does_not_help(desk, section):
    near = f"{section}{base(OTHER)}"
    user = f"{base(MINE)}[profile.test]\n{base(MINE)}"
    assert goes(desk.load(near=near, user=user, profile="test")) is not True


def test_an_address_of_another_profile_of_one_s_own_is_not_meant(desk):
    user = f"{base(MINE)}[profile.test]\n{base(OTHER)}"
    assert goes(desk.load(near=base(OTHER), user=user)) is not True


@pytest.mark.parametrize("url", [MINE, f"{MINE}/", f" {MINE} "])
def test_the_folder_may_repeat_one_s_own_address(desk, url):
    assert goes(desk.load(near=base(url), user=base(MINE))) is True


def test_an_address_of_one_s_own_settings_gets_the_key(desk):
    assert goes(desk.load(user=base(MINE))) is True


def test_an_address_given_by_flag_or_variable_gets_the_key(desk):
    environment = {"KAWE_API_KEY": KEY, "KAWE_BASE_URL": OTHER}
    by_flag = desk.load(near=base(MINE), base_url=OTHER)
    by_variable = desk.load(near=base(MINE), environment=environment)
    assert (goes(by_flag), goes(by_variable)) == (True, True)


def test_a_variable_that_repeats_the_folder_s_address_vouches_for_it(desk):
    environment = {"KAWE_API_KEY": KEY, "KAWE_BASE_URL": OTHER}
    assert goes(desk.load(near=base(OTHER), environment=environment)) is True


def test_a_file_that_the_environment_names_is_one_s_own(desk):
    chosen = desk.folder / "chosen.toml"
    chosen.write_text(base(OTHER), "utf-8")
    environment = {"KAWE_API_KEY": KEY, "KAWE_CONFIG": str(chosen)}
    assert goes(desk.load(environment=environment)) is True


def test_work_in_the_folder_of_one_s_own_settings_is_no_trouble(desk):
    desk.folder = desk.home
    (desk.home / "kawe.toml").write_text(base(MINE), "utf-8")
    found = load_settings({}, environment={"KAWE_API_KEY": KEY}, folder=desk.home)
    assert goes(found) is True


def test_what_needs_no_service_works_in_any_folder(desk):
    found = desk.load(near=f"{base(OTHER)}workers = 3")
    assert (found.base_url, found.workers) == (OTHER, 3)


@pytest.fixture
def kept(desk):
    keep_key(KeptKey(base_url=MINE, key=KEY), profile="default", place=KeyPlace.FILE)
    return desk


STORED = 'key_store = "file"\n'


def test_a_kept_key_goes_to_its_address(kept):
    assert goes(kept.load(user=base(MINE) + STORED, environment={})) is True


@pytest.mark.parametrize("how", ["flag", "variable", "near", "user"])
def test_a_kept_key_goes_to_no_other_address_whoever_names_it(kept, how):
    user = base(OTHER if how == "user" else MINE) + STORED
    found = kept.load(
        near=base(OTHER) if how == "near" else "",
        user=user,
        environment={"KAWE_BASE_URL": OTHER} if how == "variable" else {},
        base_url=OTHER if how == "flag" else None,
    )
    assert goes(found) == (
        f"The key is kept for {MINE}, and this run would go to {OTHER}. Nothing was "
        "sent. Correct the address, or keep a key for that one in a profile of its "
        f"own: {Next.OWN_PROFILE('NAME')}"
    )


def test_a_kept_key_vouches_for_the_address_that_it_was_kept_for(kept):
    assert goes(kept.load(near=base(MINE), user=STORED, environment={})) is True


def test_a_profile_without_a_key_of_its_own_takes_that_of_the_file_around_it(kept):
    user = f'{base(MINE)}{STORED}[profile.test]\nmode = "live"'
    assert goes(kept.load(user=user, environment={}, profile="test")) is True


def test_a_profile_with_a_kept_key_has_its_own(kept):
    keep_key(
        KeptKey(base_url=MINE, key="kw_test_1"), profile="test", place=KeyPlace.FILE
    )
    user = f"{base(MINE)}{STORED}[profile.test]\n{STORED}"
    found = kept.load(user=user, environment={}, profile="test")
    assert (found.key, found.found_key.file.name) == ("kw_test_1", "test.json")


def test_the_key_of_the_environment_wins_over_a_kept_one(kept):
    environment = {"KAWE_API_KEY": "kw_test_1"}
    found = kept.load(user=base(MINE) + STORED, environment=environment)
    assert (found.service_key(), str(found.found_key)) == ("kw_test_1", "KAWE_API_KEY")


def test_a_key_file_and_a_kept_key_are_one_choice_and_the_nearer_wins(kept):
    path = kept.folder / "key"
    path.write_text("kw_test_1", "utf-8")
    path.chmod(0o600)
    user = f'{base(MINE)}{STORED}[profile.test]\nkey_file = "{path}"\n'
    assert kept.load(user=user, environment={}, profile="test").key == "kw_test_1"


def test_a_key_store_that_there_is_not_is_refused(kept):
    with pytest.raises(SettingsError, match="keyring or file"):
        kept.load(user='key_store = "pocket"', environment={})


def test_a_key_that_is_not_kept_is_missed(desk):
    with pytest.raises(KeyMissing):
        desk.load(user=base(MINE) + STORED, environment={})


@pytest.mark.parametrize(
    ("key", "mode"), [("kw_live_1", "sandbox"), ("kw_test_1", "live")]
)
def test_a_key_of_the_other_mode_goes_nowhere(desk, key, mode):
    user = f'{base(MINE)}mode = "{mode}"'
    found = desk.load(user=user, environment={"KAWE_API_KEY": key})
    with pytest.raises(GuardRefused, match=f"mode is {mode}. Nothing was sent"):
        found.service_key()


def test_a_key_that_does_not_tell_its_mode_may_go(desk):
    user = f'{base(MINE)}mode = "sandbox"'
    assert desk.load(user=user, environment={"KAWE_API_KEY": "k"}).service_key() == "k"


def test_where_the_key_is_from_is_said_without_the_key(kept):
    path = kept.folder / "key"
    path.write_text(KEY, "utf-8")
    path.chmod(0o600)
    said = [
        str(kept.load(user=base(MINE) + STORED, environment={}).found_key),
        str(kept.load(environment={}, key_file=path).found_key),
        str(kept.load(user=f'key_file = "{path}"', environment={}).found_key),
    ]
    file = kept.home / "keys" / "default.json"
    assert said == [
        f"{file}, kept by {Next.INIT} for {MINE}",
        f"{path}, named by --key-file",
        f"{path}, named by {kept.home / 'kawe.toml'}",
    ]


def test_every_setting_says_where_it_comes_from(desk):
    found = desk.load(
        user='workers = 4\nsettle = 9\n[profile.test]\nmode = "live"',
        near="workers = 3",
        environment={"KAWE_JOURNAL": "/j"},
        profile="test",
        keep_reserve=4,
    )
    names = ("workers", "settle", "mode", "journal", "keep_reserve", "machines")
    assert [str(found.origin(name)) for name in names] == [
        str(desk.folder / "kawe.toml"),
        str(desk.home / "kawe.toml"),
        f"{desk.home / 'kawe.toml'} [profile.test]",
        "KAWE_JOURNAL",
        "--keep-reserve",
        "kawe's own value",
    ]
