"""Paths of the contract, and those of the settings in their place."""

import pytest

from kawe.errors import SettingsError
from kawe.service.transport.addresses import Addresses


def at(**overrides):
    return Addresses(base_url="https://api.example.nz/v1/", overrides=overrides)


def test_a_prefix_of_the_base_address_is_kept():
    assert at().of("project_send", path={"id": "7"}) == (
        "PUT",
        "https://api.example.nz/v1/projects/7/send",
    )


def test_a_path_of_the_settings_takes_the_place_of_the_assumed_one():
    assert at(upload_presign=("PUT", "/files")).of("upload_presign") == (
        "PUT",
        "https://api.example.nz/v1/files",
    )


@pytest.mark.parametrize("odd", ["../user", "7?x=1", "7#", "a b", "{id}", "ā"])
def test_a_part_can_never_become_another_path(odd):
    _, address = at().of("project_read", path={"id": odd})
    part = address.removeprefix("https://api.example.nz/v1/projects/")
    assert set(part) <= set("0123456789ABCDEFabcdefxuseridb.%=")


def test_an_operation_that_does_not_exist_is_named():
    with pytest.raises(SettingsError, match="project_fly"):
        at(project_fly=("PUT", "/fly"))


def test_a_missing_path_that_the_interface_shows_blames_the_base_address():
    assert "base address" in at().missing("project_create")


def test_a_missing_path_that_is_assumed_names_its_setting():
    words = at().missing("upload_presign")
    assert ("[service.paths]: upload_presign" in words, "assumes" in words) == (
        True,
        True,
    )


def test_the_contract_s_entry_is_given():
    assert at().operation("project_send").name == "project_send"


@pytest.mark.parametrize("odd", ["", ".", ".."])
def test_a_part_that_climbs_is_refused(odd):
    with pytest.raises(ValueError, match="is no id"):
        at().of("project_send", path={"id": odd})
