"""Every sample is checked, and finds exactly what its expected.json says."""

import asyncio
import json

import jsonschema_rs
import pytest
from click.testing import CliRunner

from doubles.memory_journal import MemoryJournal
from kawe.cli.app import kawe
from kawe.cli.output.next_command import in_commands
from kawe.domain.batch.exit_codes import code_of
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.batch.readings import Reading
from kawe.domain.sheet.content import ProjectContent
from kawe.errors import KaweError, WorkbookError
from kawe.flows.plan.planning import Source, make_plan
from samples.expecting import SAMPLES, samples
from write_result_schema import schema

RESULTS = jsonschema_rs.validator_for(schema(), validate_formats=True)
ALL = samples()
READ = [each for each in ALL if "refusal" not in each.expected]
REFUSED = [each for each in ALL if "refusal" in each.expected]
PLACES_AGREE_DEGREES = 0.0001


@pytest.fixture(scope="module")
def check(toolkit):
    """Give a function that checks a sample, each sample once for all tests."""
    done = {}

    def go(sample, **agreed):
        asked = str(sample), *agreed
        if asked not in done:
            done[asked] = asyncio.run(_check(toolkit, sample, **agreed))
        return done[asked]

    return go


async def _check(toolkit, sample, **agreed):
    reading = Reading(workbook=sample.workbook, **agreed)
    if not sample.expected["service"]:
        return await toolkit.check(reading, service=None, journal=None)
    async with toolkit.open_service() as service:
        return await toolkit.check(reading, service=service, journal=None)


def _contents(checked):
    return [row.content for row in checked.rows if row.is_valid]


@pytest.mark.parametrize("sample", READ, ids=str)
def test_exactly_the_expected_findings_are_found(check, sample):
    checked = check(sample)
    found = sorted((str(f.where), f.severity.value, f.rule) for f in checked.findings)
    assert (found, len(checked.rows)) == (sample.findings, sample.expected["rows"])


@pytest.mark.parametrize("sample", REFUSED, ids=str)
def test_what_is_no_workbook_is_refused_in_plain_words(check, sample):
    with pytest.raises(WorkbookError) as refused:
        check(sample)
    said = refused.value
    assert (sample.expected["refusal"] in said.message, bool(said.hint)) == (True, True)


@pytest.mark.parametrize("sample", ALL, ids=str)
def test_check_ends_with_the_expected_exit_code(sample, tmp_path, environment):
    result = tmp_path / "result.xlsx"
    words = ["check", str(sample.workbook), "--result", str(result), "--quiet"]
    if not sample.expected["service"]:
        words.append("--offline")
    done = CliRunner(env=environment).invoke(kawe, words, standalone_mode=False)
    code = done.return_value
    if isinstance(done.exception, KaweError):
        code = code_of(done.exception)
    elif done.exception is not None:
        raise done.exception
    if result.exists():
        RESULTS.validate(json.loads(result.with_suffix(".json").read_bytes()))
    # A result is written whenever the workbook could be read.
    assert (code, result.exists()) == (
        sample.expected["exit_code"],
        "refusal" not in sample.expected,
    )


@pytest.fixture(scope="module")
def plan(toolkit, account):
    """Give a function that plans a submit of what was checked."""

    def go(checked, workbook):
        source = Source(workbook=workbook, read_at=toolkit.clock.now())
        return asyncio.run(
            make_plan(checked, source=source, account=account, journal=MemoryJournal())
        ), toolkit.check_report(checked, workbook=workbook)

    return go


@pytest.mark.parametrize("sample", READ, ids=str)
def test_submit_leaves_out_exactly_the_rows_that_check_refuses(check, plan, sample):
    planned, report = plan(check(sample), sample.workbook)
    assert planned.invalid == report.counts()[Outcome.INVALID]


@pytest.mark.parametrize(
    "sample", [each for each in READ if "advice" in each.expected], ids=str
)
def test_the_advice_says_what_to_type(check, sample):
    found = check(sample).findings
    said = in_commands(" ".join(f"{each.message} {each.advice}" for each in found))
    assert [words for words in sample.expected["advice"] if words not in said] == []


@pytest.mark.parametrize(
    "sample", [each for each in READ if "sends" in each.expected], ids=str
)
def test_as_many_rows_can_be_sent_as_expected(check, sample):
    contents = _contents(check(sample))
    sends = [each.send for each in contents if isinstance(each, ProjectContent)]
    files = sum(len(each.files) for each in contents)
    expected = sample.expected
    assert (sends.count(True), sends.count(False), files) == (
        expected["sends"],
        expected["drafts"],
        expected.get("files", 0),
    )


@pytest.mark.parametrize(
    "sample", [each for each in READ if "accepted" in each.expected], ids=str
)
def test_with_agreement_each_row_lies_where_it_was_meant(check, sample):
    (plain,) = (each for each in samples("good") if each.folder.name == "short")
    meant = {each.reference: each for each in _contents(check(plain))}
    checked = check(sample, accepts_coordinates=True)
    contents = _contents(checked)
    found = sorted((str(f.where), f.severity.value, f.rule) for f in checked.findings)
    assert max(_apart(each, meant[each.reference]) for each in contents) < (
        PLACES_AGREE_DEGREES
    )
    assert (len(contents), found) == (
        sample.expected["rows"],
        [(where, "warning", rule) for where, _, rule in sample.findings],
    )


@pytest.mark.parametrize("sample", samples("odd"), ids=str)
def test_what_is_oddly_written_means_what_it_says_plainly(check, sample):
    (plain,) = (each for each in samples("good") if each.folder.name == "short")
    meant = {each.reference: each for each in _contents(check(plain))}
    contents = _contents(check(sample))
    assert [_gist(each) for each in contents] == [
        _gist(meant[each.reference]) for each in contents
    ]
    assert max(_apart(each, meant[each.reference]) for each in contents) < (
        PLACES_AGREE_DEGREES
    )


def _gist(content):
    """Give what a row says beside its place, files and whether it is sent."""
    return (
        *(content.reference, content.name, content.description, content.type),
        *(content.phase, content.start_on, content.end_on, content.respond_by_on),
        *(content.address, content.contact, content.message, content.priority_order),
    )


def _apart(one, other):
    return max(
        abs(one.place.latitude - other.place.latitude),
        abs(one.place.longitude - other.place.longitude),
    )


def test_the_service_takes_the_month_as_it_is_planned(check):
    (month,) = (each for each in ALL if each.folder.name == "monthly")
    slugs = [set(each.iwi) for each in _contents(check(month))]
    named = set().union(*slugs)
    assert (max(map(len, slugs)), len(named) > 3) == (2, True)


def test_every_folder_of_samples_says_what_is_expected_of_it():
    groups = [folder for folder in SAMPLES.iterdir() if folder.is_dir()]
    folders = {folder for group in groups for folder in group.iterdir()}
    assert {each.folder for each in ALL} == folders
