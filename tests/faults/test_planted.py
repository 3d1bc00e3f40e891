"""Known bugs, planted in copies of kawe: the tests that should notice them do."""

import ast

import pytest

from architecture.house import functions_in
from faults.planted.bugs import ROOT, Misfit, bug_of, bugs, spoilt
from faults.planted.planting import End, plant

PLANTED = {bug.name: bug for bug in bugs()}
UNNOTICED = """\
Breaks promise 1: nothing at all, since nobody reads a comment.

--- a/src/kawe/domain/service/states.py
+++ b/src/kawe/domain/service/states.py
@@ -1 +1,2 @@
 DEFAULT_SETTLE_SECONDS: Final = 180.0
+# A comment.
"""


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_bug_fits_the_code_of_today_and_is_code(name):
    texts = spoilt(PLANTED[name], root=ROOT)
    for path, text in texts.items():
        was = (ROOT / path).read_text("utf-8")
        assert ast.dump(ast.parse(text)) != ast.dump(ast.parse(was))


def test_every_test_that_is_to_catch_a_bug_exists():
    named = {test for bug in PLANTED.values() for test in bug.caught_by}
    missing = [
        test
        for test in sorted(named)
        if test.partition("::")[2] not in functions_in(test.partition("::")[0])
    ]
    assert missing == []


def test_there_are_bugs_against_each_promise():
    promises = {bug.promise for bug in PLANTED.values()}
    assert (promises, len(PLANTED) >= 25) == ({1, 2, 3, 4}, True)


@pytest.mark.parametrize(
    "patch",
    [
        "Breaks promise 9: nothing.\n",
        UNNOTICED.replace("180.0", "179.0"),
        UNNOTICED.replace("states", "no_such_module"),
        UNNOTICED.partition("@@")[0],
    ],
    ids=["no promise", "other code", "no file", "no change"],
)
def test_a_patch_that_does_not_fit_is_refused(patch):
    with pytest.raises(Misfit):
        spoilt(bug_of("misfit", patch, caught_by=()), root=ROOT)


@pytest.mark.parametrize(
    "name",
    [
        "send-before-its-intent",
        pytest.param("no-settle-window", marks=pytest.mark.short_campaign),
        pytest.param("a-5xx-is-not-done", marks=pytest.mark.short_campaign),
    ],
)
def test_a_planted_bug_is_caught_in_a_copy(name):
    bug = PLANTED[name]
    trial = plant(bug)
    caught_by = [test for test in bug.caught_by if trial.by.split("[")[0] in test]
    assert (trial.end, len(caught_by)) == (End.CAUGHT, 1)


@pytest.mark.short_campaign
@pytest.mark.parametrize(
    ("tests", "end"),
    [
        (("tests/unit/domain/service/test_settling.py",), End.MISSED),
        (("tests/unit/domain/no_such_test.py",), End.NOT_TRIED),
    ],
    ids=["passes", "no such test"],
)
def test_a_change_that_breaks_nothing_is_not_caught(tests, end):
    trial = plant(bug_of("harmless", UNNOTICED, caught_by=tests))
    assert trial.end is end
