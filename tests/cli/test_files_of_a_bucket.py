"""Files of rows that lie in an S3-compatible bucket."""

import hashlib
import os
from pathlib import Path

import pytest

from doubles.answering import Answering, answering
from doubles.buckets import running_bucket
from doubles.command import HEADINGS, csv_row, write_csv

PDF = b"%PDF-1.7 " + b"culvert " * 4000
AGREES = ("--yes", "9", "--no-input", "--settle", "3")


@pytest.fixture(scope="module")
def server():
    with running_bucket() as running:
        yield running


@pytest.fixture
def bucket(server, tmp_path):
    made = server.fresh(tmp_path.name.replace("_", "-")[-60:].strip("-"))
    for key in ("plans/site.pdf", "plans/east.pdf", "site2.pdf"):
        made.put(key, PDF + key.encode())
    return made


@pytest.fixture
def person(person_with, bucket):
    someone = person_with(tokens=9)
    someone.write_settings(f'bucket = "{bucket.address}"')
    someone.environment.update(bucket.variables)
    return someone


def drop(person, *files):
    rows = [[*csv_row(n), each] for n, each in enumerate(files)]
    write_csv(person.folder / "monthly.csv", rows, headings=[*HEADINGS, "Files"])


def hashes_below(folder):
    return {digest(each.read_bytes()) for each in folder.rglob("*") if each.is_file()}


def digest(content):
    return hashlib.sha256(content).hexdigest()


def folder_of(person):
    return next((person.folder / "home" / "state").rglob("*.journal.files"))


def test_what_rows_name_is_brought_from_the_bucket_and_sent(person, tmp_path):
    drop(person, "plans/site.pdf", "plans/*.pdf")
    done = person.run("submit", "monthly.csv", *AGREES)
    named = {digest(PDF + each) for each in (b"plans/site.pdf", b"plans/east.pdf")}
    assert (done.returncode, person.sends()) == (0, 2)
    assert named <= hashes_below(tmp_path / "twin")
    # What no row names has its name and size here, and none of its content.
    other = PDF + b"site2.pdf"
    assert (folder_of(person) / "site2.pdf").read_bytes() == bytes(len(other))


def test_a_missing_file_is_told_with_the_names_that_are_near(person):
    drop(person, "site3.pdf")
    found = person.document("check", "monthly.csv")
    (finding,) = [each for each in found["findings"] if each["rule"] == "file-missing"]
    assert (found["exit_code"], "site2.pdf" in str(finding)) == (3, True)


def test_a_plan_of_files_that_changed_in_the_bucket_is_stale(person, bucket):
    drop(person, "plans/site.pdf")
    person.run("plan", "monthly.csv", "-o", "plan.json")
    bucket.put("plans/site.pdf", PDF + b"plans/othr.pdf")
    done = person.run("submit", "plan.json", *AGREES)
    assert (done.returncode, person.sends()) == (2, 0)
    assert "The plan is stale" in done.stderr


def test_a_folder_that_a_console_made_hides_no_file(person, bucket):
    for key in ("plans/", "plans"):
        bucket.put(key, b"")
    drop(person, "plans/site.pdf")
    assert person.run("submit", "monthly.csv", *AGREES).returncode == 0


def test_a_folder_that_was_named_counts_and_no_bucket(person):
    drop(person, "mine.pdf")
    (person.folder / "mine.pdf").write_bytes(PDF)
    assert person.document("check", "monthly.csv", "--files", ".")["exit_code"] == 0


def test_keys_that_are_no_plain_path_never_leave_the_folder(person, bucket):
    for key in ("c:/d.pdf", "e\\f.pdf", "site2.pdf/g.pdf"):
        bucket.put(key, PDF)
    drop(person, "site2.pdf")
    found = person.document("check", "monthly.csv")
    state = person.folder / "home" / "state"
    named = sorted(each.name for each in state.rglob("*.pdf"))
    assert (found["exit_code"], named) == (0, ["east.pdf", "site.pdf", "site2.pdf"])


@pytest.mark.parametrize(
    "key",
    ["../out.pdf", "plans//b.pdf", "plans/../b.pdf", "plans/h\x01.pdf", "h\x01.pdf"],
)
def test_a_key_that_no_store_lists_hides_no_other_file(person, bucket, key):
    bucket.put(key, PDF)
    bucket.put("plans/(1) + ā.pdf", PDF + b"(1)")
    drop(person, "plans/site.pdf", "plans/*.pdf")
    done = person.run("submit", "monthly.csv", *AGREES)
    kept = folder_of(person)
    found = {each.relative_to(kept) for each in kept.rglob("*") if each.is_file()}
    names = ("plans/site.pdf", "plans/east.pdf", "plans/(1) + ā.pdf", "site2.pdf")
    assert (done.returncode, person.sends()) == (0, 2)
    assert found == set(map(Path, names))


def test_a_list_of_a_bucket_that_never_ends_is_refused(person):
    page = (
        "<R><IsTruncated>true</IsTruncated><NextContinuationToken>t"
        "</NextContinuationToken><Contents><Key>../a</Key><Size>1</Size><ETag>e</ETag>"
        "<LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents></R>"
    )
    drop(person, "site2.pdf")
    with answering(Answering(body=page)) as said:
        address = f"s3://files?endpoint={said.base_url}&region=us-east-1"
        person.write_settings(f'bucket = "{address}"')
        done = person.run("check", "monthly.csv")
    assert (done.returncode, "its list does not go on" in done.stderr) == (7, True)


def test_a_bucket_that_cannot_be_read_stops_before_anything_is_sent(person, bucket):
    gone = bucket.address.replace(bucket.name, "no-such-bucket")
    person.write_settings(f'bucket = "{gone}"')
    drop(person, "plans/site.pdf")
    done = person.run("submit", "monthly.csv", *AGREES)
    assert (done.returncode, person.sends()) == (7, 0)
    assert "The bucket of files cannot be listed: " in done.stderr
    assert bucket.variables["AWS_SECRET_ACCESS_KEY"] not in done.stderr


@pytest.mark.parametrize(
    "address",
    [
        "https://files.example.nz",
        "s3://",
        "s3://key:pw-7f3a@files",
        "s3://a?endpoint=http://far.example.nz",
        "s3://a/../b",
    ],
)
def test_an_address_that_is_no_safe_bucket_is_refused(person, address):
    person.write_settings(f'bucket = "{address}"')
    drop(person, "plans/site.pdf")
    done = person.run("check", "monthly.csv", "--offline")
    assert done.returncode == 2
    assert "is not the address of a bucket" in done.stderr
    assert "pw-7f3a" not in done.stdout + done.stderr


def test_the_settings_of_a_folder_name_no_bucket(person, bucket):
    person.write_settings("")
    (person.folder / "kawe.toml").write_text(f'bucket = "{bucket.address}"', "utf-8")
    drop(person, "plans/site.pdf")
    done = person.run("check", "monthly.csv", "--offline")
    assert (done.returncode, "where files come from" in done.stderr) == (2, True)


def test_copies_of_what_came_long_ago_are_purged_and_fetched_again(person):
    drop(person, "plans/site.pdf")
    person.run("submit", "monthly.csv", *AGREES)
    folder = folder_of(person)
    purge = ("journal", "purge", "--results", "--yes", "99", "--no-input")
    young = person.document(*purge, "--older-than", "1")
    there = {each for each in folder.rglob("*") if each.is_file()}
    done = person.document(*purge, "--older-than", "0")
    gone = {Path(each) for each in done["removed"]}
    assert (young["removed"], there <= gone, len(there)) == ([], True, 3)
    assert list(folder.iterdir()) == []
    drop(person, "plans/site.pdf", "plans/east.pdf")
    again = person.run("submit", "monthly.csv", *AGREES)
    assert (again.returncode, person.sends()) == (0, 2)


def test_work_takes_files_from_the_bucket_too(person, bucket):
    inbox = person.folder / "in"
    inbox.mkdir()
    person.write_settings(
        f'bucket = "{bucket.address}"\nwork = {{ folder = "{inbox}", yes = 3 }}'
    )
    drop(person, "plans/site.pdf")
    os.utime((person.folder / "monthly.csv").rename(inbox / "monthly.csv"), (1, 1))
    # Without a profile's own address, the environment would name one for all.
    settings = person.folder / "home" / "config" / "kawe" / "kawe.toml"
    key = person.folder / "key"
    key.write_text(person.twin.address.live_key)
    key.chmod(0o600)
    named = f'base_url = "{person.twin.address.api_url}"\nkey_file = "{key}"\n'
    settings.write_text(named + settings.read_text())
    person.environment.update(KAWE_API_KEY="", KAWE_BASE_URL="")
    assert (person.run("work", "--once").returncode, person.sends()) == (0, 1)
