"""How columns are read is asked in one table, kept for the shape of a sheet, shown."""

import json
import os
import signal
import time

import openpyxl
import pytest

from doubles.terminal import Terminal

HEAD = "Ref,Name,Description,Type,Start date,End date,Due for iwi,Latitude,Longitude"
ROW = "RC-1,Culvert,A culvert.,Earthworks,1/3/2030,30/9/2030,1/4/2030,-36.8500,174.7600"
OPEN = "Type yes if all is as it"


def write(person, *, head=HEAD, more="", values="", name="own.csv"):
    (person.folder / name).write_text(f"{head}{more}\n{ROW}{values}\n", "utf-8")


def kept(newcomer):
    path = newcomer.settings / "columns.json"
    if not path.exists():
        return []
    return [e["fields"] for e in json.loads(path.read_bytes())["kept"].values()]


def how(document):
    return {
        each["heading"]: (each["how"], each["field"])
        for each in document["reading"]["columns"]
    }


def test_one_word_takes_the_whole_table_and_nothing_is_asked_again(newcomer):
    write(newcomer, more=",Proceed?,Officer", values=",Yes,Aroha")
    first = Terminal(newcomer, "check", "own.csv", "--offline")
    first.answer(OPEN, "yes")
    codes = [first.end()]
    again = Terminal(newcomer, "check", "own.csv", "--offline")
    codes.append(again.end())
    assert (codes, kept(newcomer), OPEN in again.screen) == (
        [0, 0],
        [{"due for iwi": "respond_by_date", "proceed": None, "officer": None}],
        False,
    )
    assert "Columns as last time: 9 read, 2 not." in again.screen
    third = newcomer.run("check", "own.csv", "--offline", "--verbose").stdout
    (due,) = (line.split() for line in third.splitlines() if "Due for iwi" in line)
    assert due[-5:] == ["Respond", "by", "as", "you", "said"]


def test_enter_agrees_to_nothing_that_decides_what_reaches_people(newcomer):
    write(newcomer, more=",Proceed?", values=",Yes")
    terminal = Terminal(newcomer, "check", "own.csv", "--offline")
    terminal.answer(OPEN, "")
    assert (terminal.end(), kept(newcomer)) == (5, [])


def test_enter_takes_a_table_in_which_only_harmless_columns_are_guessed(newcomer):
    head = HEAD.replace("Due for iwi", "Respond by")
    write(newcomer, head=head, more=",Consnt phase", values=",Lodged")
    terminal = Terminal(newcomer, "check", "own.csv", "--offline")
    terminal.answer("Enter takes this", "")
    assert (terminal.end(), kept(newcomer)) == (0, [{"consnt phase": "phase"}])


def test_any_column_is_changed_by_its_number_to_any_field(newcomer):
    write(newcomer, more=",Proceed?,Standing", values=",Yes,Lodged")
    terminal = Terminal(newcomer, "check", "own.csv", "--offline")
    terminal.answer(OPEN, "99")
    terminal.wait_for("is no number of the table")
    terminal.answer(OPEN, "10 Sendd")
    terminal.wait_for("There is no column “Sendd”")
    terminal.answer(OPEN, "11")
    terminal.answer("Which is “Standing”?", "phase")
    terminal.answer(OPEN, "10 send; 1 -")
    terminal.answer(OPEN, "yes")
    assert (terminal.end(), kept(newcomer)) == (
        0,
        [
            {
                "ref": None,
                "due for iwi": "respond_by_date",
                "proceed": "send",
                "standing": "phase",
            }
        ],
    )


def test_who_stops_at_the_table_has_said_nothing(newcomer):
    write(newcomer)
    terminal = Terminal(newcomer, "check", "own.csv", "--offline")
    terminal.wait_for(OPEN)
    # A signal between the question and the wait for keys is heard with the next key.
    time.sleep(0.3)
    os.killpg(terminal.process.pid, signal.SIGINT)
    assert (terminal.end(), kept(newcomer)) == (130, [])


@pytest.mark.parametrize("words", [("--no-input",), ()])
def test_where_nobody_can_be_asked_the_table_is_shown_and_nothing_goes_on(
    newcomer, words
):
    write(newcomer)
    done = newcomer.run("check", "own.csv", "--offline", *words)
    assert (done.returncode, kept(newcomer)) == (5, [])
    assert "  7  Due for iwi" in done.stdout
    assert (
        "kawe is not sure what “Due for iwi” (Respond by?) is. It decides what reaches "
        "people, so nothing goes on before a person has said it. Say it here: kawe "
        "columns own.csv – or rename the headings."
    ) in done.stdout
    summary = openpyxl.load_workbook(newcomer.folder / "own.result.xlsx")["Summary"]
    said = [str(cell.value) for row in summary for cell in row if cell.value]
    assert any(
        "“Due for iwi” → not read; is it Respond by? (guess" in text for text in said
    )


def test_no_input_asks_nothing_at_a_terminal(newcomer):
    write(newcomer)
    terminal = Terminal(newcomer, "check", "own.csv", "--offline", "--no-input")
    assert (terminal.end(), kept(newcomer)) == (5, [])


def test_the_one_line_that_is_named_settles_it(newcomer):
    write(newcomer)
    shown = newcomer.run("columns", "own.csv", "--no-input")
    assert "To take every guess: kawe columns own.csv --accept\n" in shown.stdout
    newcomer.run("columns", "own.csv", "--accept")
    assert newcomer.run("check", "own.csv", "--offline").returncode == 0


def test_the_document_says_how_each_column_is_read(newcomer):
    write(newcomer, more=",Proceed?,", values=",Yes,extra")
    document = newcomer.document("check", "own.csv", "--offline")
    columns = document["reading"]["columns"]
    assert [columns[at] for at in (0, 6, 9, 10)] == [
        column("A", "Ref", "name", "reference", values=["RC-1"]),
        column(
            "G",
            "Due for iwi",
            "guess",
            "respond_by_date",
            values=["1/4/2030 (1 Apr 2030)"],
        ),
        column("J", "Proceed?", "unread", None, may_be=["send"], values=["Yes"]),
        column("K", "", "unread", None, values=["extra"]),
    ]
    assert document["reading"]["needs_answer"] is True


def column(letters, heading, *read, may_be=(), values=()):
    how, field = read
    return {
        "column": letters,
        "heading": heading,
        "how": how,
        "field": field,
        "may_be": [*may_be],
        "values": [*values],
    }


@pytest.fixture
def person(person_with):
    person = person_with(tokens=9)
    write(person, more=",Proceed?", values=",Yes")
    return person


def test_submit_asks_before_anything_is_sent_and_sends_what_was_answered(person):
    terminal = Terminal(person, "submit", "own.csv")
    terminal.answer(OPEN, "10 Send")
    before = person.state()["projects"]
    terminal.answer(OPEN, "yes")
    terminal.answer("Type 1 to", "1")
    assert (before, terminal.end(), person.sends()) == ([], 0, 1)


@pytest.mark.parametrize("verb", ["plan", "submit"])
@pytest.mark.parametrize("words", [(), ("--json",), ("--strict",)])
def test_plan_and_submit_stop_where_a_column_may_be_the_send(person, verb, words):
    person.write_settings("[columns.projects]\n'Due for iwi' = 'respond_by_date'\n")
    done = person.run(verb, "own.csv", "--no-input", *words)
    assert done.returncode == 5
    assert "kawe is not sure what “Proceed?” (Send?) is." in done.stdout + done.stderr
    assert person.state()["projects"] == []


@pytest.mark.parametrize(
    "head",
    [
        (
            "Tohutoro: Reference,Ingoa kaupapa • Project name,Momo (Type),"
            "Whakaahuatanga | Description,Rā tīmata / Start date,"
            "Rā mutunga - End date,Whakautu hei te; Respond by,Ahopae : Latitude,"
            "Ahopou / Longitude"
        ),
        "Tohutoro,Ingoa,Momo,Whakaahuatanga,Tīmata,Mutunga,Whakautu,Ahopae,Ahopou",
        "TOHUTORO,INGOA,MOMO,WHAKAAHUATANGA,TIMATA,MUTUNGA,WHAKAUTU,AHOPAE,AHOPOU",
    ],
    ids=["two languages", "te reo", "without macrons"],
)
def test_headings_in_two_languages_are_known(newcomer, head):
    values = ROW.replace("A culvert.,Earthworks", "Earthworks,A culvert.")
    (newcomer.folder / "own.csv").write_text(f"{head}\n{values}\n", "utf-8")
    document = newcomer.document("check", "own.csv", "--offline")
    fields = [each["field"] for each in document["reading"]["columns"]]
    assert (document["exit_code"], fields) == (
        0,
        [
            *("reference", "name", "type", "description"),
            *("start_date", "end_date", "respond_by_date", "latitude", "longitude"),
        ],
    )


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("Period from", "Period to"),
        ("First day", "Last day"),
        ("Works begin", "Works complete"),
        ("Timing from", "Timing to"),
        ("Opening", "Closing"),
        ("Date A", "Date B"),
        ("To", "From"),
        ("Switch off", "Switch on"),
    ],
)
def test_guessed_days_are_never_turned_and_never_taken_by_enter(newcomer, first, last):
    head = HEAD.replace("Start date", first).replace("End date", last)
    write(newcomer, head=head.replace("Due for iwi", "Respond by"))
    document = newcomer.document("check", "own.csv", "--offline")
    assert (how(document)[first], how(document)[last]) == (
        ("guess", "start_date"),
        ("guess", "end_date"),
    )
    terminal = Terminal(newcomer, "check", "own.csv", "--offline")
    terminal.answer(OPEN, "")
    assert (terminal.end(), kept(newcomer)) == (5, [])


def test_another_shape_inherits_nothing(newcomer):
    write(newcomer)
    newcomer.run("columns", "own.csv", "--accept")
    write(newcomer, name="other.csv", more=",Note", values=",x")
    write(newcomer, name="same.csv")
    codes = [
        newcomer.run("check", name, "--offline").returncode
        for name in ("other.csv", "same.csv")
    ]
    assert codes == [5, 0]


def test_a_rule_for_every_sheet_is_an_act_of_its_own_and_is_taken_back(newcomer):
    write(newcomer, more=",Proceed?", values=",Yes")
    done = newcomer.run(
        "columns", "--always", "Proceed?=", "--always", "Due for iwi=Respond by"
    )
    assert (done.returncode, done.stdout.count("Warning: it decides what")) == (0, 1)
    document = newcomer.document("check", "own.csv", "--offline")
    assert (how(document)["Proceed?"], how(document)["Due for iwi"]) == (
        ("rule", None),
        ("rule", "respond_by_date"),
    )
    listed = newcomer.run("columns").stdout
    assert "“Proceed?” → not read (as you said of every sheet)" in listed
    newcomer.run("columns", "--no-longer", "proceed?")
    assert newcomer.run("check", "own.csv", "--offline").returncode == 5


def test_a_name_that_kawe_knows_comes_before_every_rule(newcomer):
    write(newcomer, head=HEAD.replace("Due for iwi", "Due"))
    newcomer.settings.mkdir(parents=True, exist_ok=True)
    (newcomer.settings / "kawe.toml").write_text(
        '[columns.projects]\n"Due" = "end_date"\n', "utf-8"
    )
    for words in (("check", "--offline"), ("columns",)):
        document = newcomer.document(*words, "own.csv")
        assert how(document)["Due"] == ("name", "respond_by_date")
    assert "; but kawe reads it as Respond by)" in newcomer.run("columns").stdout
    assert "kawe reads “Due” as Respond by" in newcomer.stderr_of(
        "columns", "--always", "Due=End date", code=2
    )


def test_a_folder_s_file_makes_no_column_send_and_overrules_nobody(newcomer):
    write(newcomer, more=",Lodged,Site name", values=",Yes,Weir")
    newcomer.run("columns", "--always", "Lodged=")
    beside = newcomer.folder / "kawe.toml"
    beside.write_text('[columns.projects]\n"Lodged" = "send"\n', "utf-8")
    refused = newcomer.run("check", "own.csv", "--offline")
    beside.write_text(
        '[columns.projects]\n"Lodged" = "reference"\n"Site name" = "address"\n', "utf-8"
    )
    document = newcomer.document("check", "own.csv", "--offline")
    assert (refused.returncode, "which decides what reaches" in refused.stderr) == (
        2,
        True,
    )
    assert (how(document)["Lodged"], how(document)["Site name"]) == (
        ("rule", None),
        ("rule", "address"),
    )


def test_what_is_kept_is_listed_and_forgotten_by_number_or_workbook(newcomer):
    write(newcomer)
    newcomer.run("columns", "own.csv", "--set", "Due for iwi=Respond by")
    listed = newcomer.run("columns").stdout.splitlines()
    document = newcomer.document("columns")
    assert listed[0].startswith("1  sheets like own.csv, a list of projects (said on ")
    assert listed[1] == "     “due for iwi” → Respond by"
    assert [(e["workbook"], e["fields"]) for e in document["kept"]] == [
        ("own.csv", {"due for iwi": "respond_by_date"})
    ]
    gone = newcomer.run("columns", "--no-longer", "1")
    again = newcomer.run("columns", "own.csv", "--forget")
    assert (gone.stdout, again.stdout.splitlines()[-3]) == (
        "Forgotten: what was kept for sheets like own.csv.\n",
        "Nothing was kept for these headings.",
    )
    assert newcomer.run("columns").stdout.startswith("Nothing is kept yet.")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--set", "a=b"), "--set needs a workbook"),
        (("--forget",), "--forget needs a workbook"),
        (("own.csv", "--always", "a=Name"), "--always speaks of every sheet"),
        (("own.csv", "--forget", "--accept"), "contradict each other"),
        (("own.csv", "--set", "Nobody=Name"), "has no column “Nobody”"),
        (("own.csv", "--set", "Due for iwi=Nmae"), "Did you mean Name?"),
        (("own.csv", "--set", "Ref="), "It is still open what “Due for iwi” is."),
        (("--always", "Lodged"), "names no heading"),
        (("--always", "Lodged=Nmae"), "There is no column “Nmae”"),
        (("--always", "Lodged=Name"), "Lists of projects and of invitations have"),
        (("--no-longer", "Lodged"), "Nothing is kept of “Lodged”."),
        (("--no-longer", "3"), "Nothing is kept of “3”."),
    ],
)
def test_what_cannot_be_meant_is_said_and_nothing_is_kept(newcomer, words, said):
    write(newcomer)
    done = newcomer.run("columns", *words)
    assert (done.returncode, said in done.stderr, kept(newcomer)) == (2, True, [])


def test_a_broken_file_of_answers_is_named(newcomer):
    write(newcomer)
    newcomer.settings.mkdir(parents=True, exist_ok=True)
    (newcomer.settings / "columns.json").write_text("{", "utf-8")
    assert "columns.json is not what kawe kept" in newcomer.stderr_of(
        "check", "own.csv", "--offline", code=2
    )
