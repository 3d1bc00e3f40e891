"""Settings: the nearest wins, keys hide, and what cannot be meant is refused."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from kawe.errors import GuardRefused, KeyMissing, SettingsError
from kawe.settings.loading import load_settings
from kawe.settings.values import Settings

CANARY = "kw_live_canary-7f3a9c21"
URL = "https://api.example.nz"


@dataclass
class Desk:
    """A folder of work, a home, and what a person gives."""

    folder: Path
    home: Path

    def near(self, text):
        (self.folder / "kawe.toml").write_text(text, encoding="utf-8")

    def user(self, text):
        path = self.home / "kawe" / "kawe.toml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def key_file(self, text=CANARY, *, mode=0o600):
        path = self.folder / "key"
        path.write_text(text, encoding="utf-8")
        path.chmod(mode)
        return path

    def load(self, environment=None, **flags):
        return load_settings(flags, environment=environment or {}, folder=self.folder)


@pytest.fixture
def desk(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    (tmp_path / "work").mkdir()
    return Desk(tmp_path / "work", tmp_path / "home")


def refused(desk, kind=SettingsError, environment=None, **flags):
    with pytest.raises(kind) as caught:
        desk.load(environment, **flags)
    assert CANARY not in str(caught.value) + repr(caught.value)
    return str(caught.value)


def test_nothing_given_is_a_whole_set_of_defaults(desk):
    assert desk.load() == Settings(base_url=None, key=None)


def test_the_nearest_wins(desk):
    desk.user('base_url = "https://user.nz"\nworkers = 2\nsettle = 60\nmode = "live"')
    desk.near('base_url = "https://near.nz"\nworkers = 1\nsettle = 70')
    environment = {"KAWE_BASE_URL": "https://env.nz", "KAWE_JOURNAL": "/j/env"}
    found = desk.load(environment, workers=4, journal=None)
    assert (found.base_url, found.workers, found.settle_seconds, found.mode) == (
        "https://env.nz",
        4,
        70.0,
        "live",
    )
    assert desk.load(environment, base_url="https://flag.nz").base_url == (
        "https://flag.nz"
    )


def test_the_key_of_the_environment_wins_over_the_key_file_of_a_settings_file(desk):
    desk.user(f'key_file = "{desk.key_file("kw_test_filed")}"')
    with_it, without = desk.load({"KAWE_API_KEY": CANARY}), desk.load()
    assert (with_it.key, without.key) == (CANARY, "kw_test_filed")


def test_the_key_file_of_a_flag_wins_over_the_environment(desk):
    path = desk.key_file("kw_test_filed\n")
    assert desk.load({"KAWE_API_KEY": CANARY}, key_file=path).key == "kw_test_filed"


def test_an_empty_variable_is_not_given(desk):
    desk.near(f'base_url = "{URL}"')
    found = desk.load({"KAWE_BASE_URL": "", "KAWE_API_KEY": " ", "KAWE_PROFILE": ""})
    assert (found.base_url, found.key, found.profile) == (URL, None, "default")


def test_a_profile_adds_to_its_file_and_is_chosen_by_flag_or_environment(desk):
    desk.user('workers = 3\nsettle = 9\n[profile.test]\nworkers = 5\nmode = "sandbox"')
    flag, variable = desk.load(profile="test"), desk.load({"KAWE_PROFILE": "test"})
    plain = desk.load()
    assert (flag == variable, flag.workers, flag.settle_seconds, flag.mode) == (
        True,
        5,
        9.0,
        "sandbox",
    )
    assert (plain.workers, plain.mode) == (3, None)


@pytest.mark.parametrize(
    "where",
    [
        "s3:/bucket/j.journal",
        '"postgresql://kawe:pw-7f3a@db/kawe"',
        "postgresql://kawe:pw-7f3a@[db/kawe",
        "postgresql:kawe:pw-7f3a@db/kawe",
        "postgresql//kawe:pw-7f3a@db/kawe",
        "db.example.nz:5432/kawe",
        "kawe:pw-7f3a@db/kawe",
        "host=db user=kawe password=pw-7f3a",
    ],
)
def test_a_journal_at_an_address_that_kawe_does_not_know_is_refused(desk, where):
    assert refused(desk, environment={"KAWE_JOURNAL": where}) == (
        f"The journal cannot be at {re.split('[:=]', where)[0]}: kawe keeps it in a "
        "file of this machine, or on a PostgreSQL server. Name a file, such as "
        "~/kawe/council.journal, or a database, such as "
        "postgresql://kawe@db.example.nz/kawe."
    )


@pytest.mark.parametrize(
    "where",
    [
        "kawe:pw-7f3a@db/kawe",
        "kawe:pw/7f3a@db/kawe",
        "kawe:pw#7f3a@db/kawe",
        "db/kawe?password=pw-7f3a",
        "db/kawe?sslkey=kawe.key&sslpassword=pw-7f3a",
    ],
)
def test_a_password_in_the_address_of_a_journal_is_refused_and_not_shown(desk, where):
    said = refused(desk, environment={"KAWE_JOURNAL": f" postgresql://{where}"})
    assert said == (
        "The address of the journal has a password in it. Take it out, and put it into "
        "~/.pgpass, which you alone may read, or PGPASSWORD."
    )


def test_each_profile_and_account_has_a_schema_of_its_own_on_a_server(desk):
    url = "postgresql://db.example.nz/kawe?sslmode=require"
    key = {"KAWE_JOURNAL": url, "KAWE_BASE_URL": URL, "KAWE_API_KEY": "k" * 30}
    desk.user(f"[profile.{'long' * 20}]\nworkers = 2\n[profile.'ōtaki']\nworkers = 3")
    plain, long = desk.load(key), desk.load({**key, "KAWE_PROFILE": "long" * 20})
    other = desk.load({**key, "KAWE_PROFILE": "ōtaki"})
    schemas = [each.journal_place().schema for each in (plain, other, long)]
    host = URL.partition("://")[2].partition("/")[0]
    assert schemas[:2] == [f"default {host}-any", f"ōtaki {host}-any"]
    assert (len(schemas[2].encode()), schemas[2][:16]) == (63, "long" * 4)
    assert str(plain.journal_place()) == (
        f"postgresql://db.example.nz/kawe (default {host}-any)"
    )


def test_a_profile_that_is_nowhere_is_named(desk):
    desk.near("workers = 3")
    assert "no profile 'test'" in refused(desk, profile="test")


def test_kawe_config_must_be_there(desk):
    assert "no file" in refused(desk, environment={"KAWE_CONFIG": "nowhere.toml"})


@pytest.mark.parametrize(
    "text",
    [
        "wrokers = 3",
        "limits = {settle = 1}",
        "workers = 3\nlimits = {workers = 3}",
        "limits = 3",
        'retention = {projects = "some years"}',
        "retention = {projects = 7}",
        'retention = {people = "7 years"}',
        "workers = true",
        'workers = "3"',
        "workers = 0",
        "workers = 65",
        "settle = nan",
        "settle = inf",
        "settle = -1",
        "settle = 0",
        "keep_reserve = -1",
        'machines = "two"',
        "machines = 2",
        'mode = "test"',
        "base_url = 7",
        'profile = "test"',
        "[profile]\nworkers = 3",
        "[profile.test]\nwrokers = 3",
        "service = 3",
        "[service]\nurl = 3",
        "[service]\npaths = 3",
        '[service.paths]\nproject_fly = "PUT /fly"',
        '[service.paths]\nupload_presign = "/files"',
        '[service.paths]\nupload_presign = "PUT files"',
        '[service.paths]\nupload_presign = "FETCH /files"',
        '[service.paths]\nupload_presign = "PUT /a b"',
        '[service.paths]\nproject_send = "PUT /projects/send"',
        '[service.paths]\nproject_send = "PUT /projects/{id}/{id}/send"',
        '[service.paths]\nproject_send = "PUT /projects/{project}/send"',
        "workers = ",
        "\x00",
    ],
)
def test_what_cannot_be_meant_is_refused(desk, text):
    desk.user(text)
    refused(desk)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('project_read = "PUT /projects/{id}/send"', "reads, and PUT would change"),
        ('project_list = "POST /projects"', "reads, and POST would change"),
        ('project_update = "PUT /projects/{id}/send"', "at the same place"),
        ('project_close = "PUT /projects/{id}"', "at the same place"),
        ('project_update = "PUT /projects/{id}/send/"', "cannot be used"),
        ('project_update = "PUT /projects/{id}//send"', "cannot be used"),
        ('project_update = "PUT /projects/{id}/./send"', "cannot be used"),
        ('project_update = "PUT /projects/{id}/%73end"', "cannot be used"),
        ('project_update = "PUT /projects/{id}/send?x"', "cannot be used"),
        ('project_update = "PUT /projects/{id}/send;x"', "cannot be used"),
    ],
)
def test_no_operation_can_be_taken_for_a_send(desk, line, said):
    desk.user(f"[service.paths]\n{line}")
    assert said in refused(desk)


def test_two_operations_may_change_places(desk):
    desk.user(
        "[service.paths]\n"
        'project_close = "PUT /projects/{id}/reopen"\n'
        'project_reopen = "PUT /projects/{id}/close"'
    )
    assert len(desk.load().paths) == 2


def test_a_file_that_is_no_text_is_refused(desk):
    (desk.folder / "kawe.toml").write_bytes(b"\xff\xfe\x00")
    assert "cannot be read" in refused(desk)


@pytest.mark.parametrize("name", ["key", "api_key"])
@pytest.mark.parametrize("section", ["", "[profile.test]\n", "[service]\n"])
def test_a_key_in_a_settings_file_is_refused_and_not_shown(desk, name, section):
    desk.near(f'{section}{name} = "{CANARY}"')
    assert "holds a key" in refused(desk, GuardRefused)


def test_a_key_in_place_of_a_key_file_is_refused_and_not_shown(desk):
    assert "looks like a key" in refused(desk, GuardRefused, key_file=CANARY)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o644, 0o777])
def test_a_key_file_that_others_can_reach_is_refused(desk, mode):
    assert "chmod 600" in refused(desk, GuardRefused, key_file=desk.key_file(mode=mode))


@pytest.mark.parametrize("mode", [0o600, 0o400])
def test_a_key_file_of_one_s_own_is_read(desk, mode):
    assert desk.load(key_file=desk.key_file(mode=mode)).key == CANARY


@pytest.mark.parametrize(
    "text", ["", " \n", "two words", f"{CANARY}\nsecond line", "kī_live_1", "a\x07b"]
)
def test_what_cannot_stand_in_a_header_is_no_key(desk, text):
    refused(desk, KeyMissing, key_file=desk.key_file(text))


def test_a_key_file_that_is_not_there_is_named(desk):
    assert "nowhere" in refused(desk, KeyMissing, key_file=desk.folder / "nowhere")


def test_a_name_with_a_key_s_mark_is_still_the_name_of_a_file(desk):
    named = desk.key_file().rename(desk.folder / "council_live_key")
    assert desk.load(key_file=named).key == CANARY


def test_a_path_of_the_service_is_read(desk):
    desk.user('[service.paths]\nproject_close = "POST  /v2/{id}/close"')
    assert desk.load().paths == {"project_close": ("POST", "/v2/{id}/close")}


def test_a_home_in_the_journal_s_name_is_meant(desk):
    desk.user('journal = "~/kawe.journal"')
    assert desk.load().journal == Path.home() / "kawe.journal"


def test_the_key_is_in_no_printed_form(desk):
    found = desk.load({"KAWE_API_KEY": CANARY})
    assert (found.key, CANARY in f"{found}{found!r}") == (CANARY, False)


def test_who_answers_is_free_text_on_one_line(tmp_path):
    (tmp_path / "kawe.toml").write_text('owner = " Hēmi\\n consents  desk "', "utf-8")
    settings = load_settings({}, environment={}, folder=tmp_path)
    assert settings.owner == "Hēmi consents desk"


def test_who_makes_plans_and_who_must_approve_them_can_be_set(desk):
    desk.user('approval = "second_person"\nauthor = "Mere"\n')
    settings = desk.load()
    assert (settings.approval, settings.author) == ("second_person", "Mere")


def test_an_approval_of_another_kind_is_refused(tmp_path):
    (tmp_path / "kawe.toml").write_text('approval = "always"\n')
    with pytest.raises(SettingsError, match="none or second_person, not always"):
        load_settings({}, environment={}, folder=tmp_path)


def test_a_key_in_the_home_of_nobody_is_refused(desk):
    desk.user('key_file = "~nobody-at-all/key"')
    assert "The key file ~nobody-at-all/key cannot be read" in refused(desk)
