"""Whatever the order, the names and what stands beside: a column is right or asked."""

from datetime import date, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from kawe.cases.kinds import KINDS
from kawe.domain.sheet.tables import How
from kawe.kinds.invitations import INVITATIONS
from kawe.kinds.projects import PROJECTS
from kawe.schemas.catalog import load_columns
from kawe.workbook.reading.assigning import mapped
from kawe.workbook.reading.headings import Grid, Recogniser
from kawe.workbook.reading.lines import Body

RECOGNISER = Recogniser({kind: load_columns(kind) for kind in KINDS})
BEGIN = date(2027, 3, 1)
DAYS = {"start_date": 0, "end_date": 90, "respond_by_date": -20}
VALUES = {
    "reference": lambda n: f"RC-{n:03}",
    "name": lambda n: f"Culvert {chr(65 + n)} renewal",
    "description": lambda n: f"The culvert below road {chr(65 + n)} is replaced whole.",
    "type": lambda n: ("Earthworks", "Water take consent")[n % 2],
    "latitude": lambda n: -36.8512 - n / 100,
    "longitude": lambda n: 174.7612 + n / 100,
    "send": lambda n: ("Yes", "No")[n % 2],
    "email": lambda n: f"person{n}@example.org",
    "role": lambda _: "Member",
    "files": lambda n: f"plan {n}.pdf",
}
NEEDED = {
    PROJECTS: (*DAYS, "name", "description", "type"),
    INVITATIONS: ("name", "email", "role"),
}
MORE = {PROJECTS: ("reference", "latitude", "longitude", "send", "files")}
NOISE = {
    "Budget": lambda n: 1000 * n,
    "Officer": lambda n: ("Aroha", "Mere", "Hēmi", "Rangi")[n],
    "Lodged": lambda n: BEGIN - timedelta(days=200 + n),
    "Ward": lambda _: "North",
    "Checked": lambda n: ("Yes", "No")[n % 2],
    "Map": lambda n: f"sheet {n}.pdf",
    "Notes on it": lambda n: f"Look at this once more before {n} is done.",
}
WORDS = ("works", "project", "site", "", "planned", "our", "new")


def value(field, n):
    if field in DAYS:
        return BEGIN + timedelta(days=DAYS[field] + n)
    return VALUES[field](n)


@st.composite
def sheets(draw, *, known):
    kind = draw(st.sampled_from([*NEEDED]))
    columns = {column.field: column for column in load_columns(kind)}
    more = draw(st.lists(st.sampled_from(MORE.get(kind, ("role",))), unique=True))
    fields = [*NEEDED[kind], *(e for e in more if e not in NEEDED[kind])]
    found = []
    for field in fields:
        name = draw(st.sampled_from((columns[field].title, *columns[field].synonyms)))
        if not known and draw(st.booleans()):
            name = f"{draw(st.sampled_from(WORDS))} {name}".strip()[:10]
        if draw(st.booleans()):
            name = name.upper()
        found.append((name, field))
    found += [
        (each, "") for each in draw(st.lists(st.sampled_from([*NOISE]), unique=True))
    ]
    return kind, draw(st.permutations(found))


def read(kind, columns):
    rows = [(1, tuple(name for name, _ in columns))]
    rows += [
        (2 + n, tuple(value(f, n) if f else NOISE[name](n) for name, f in columns))
        for n in range(4)
    ]
    grid = Grid(sheet="S", rows=rows)
    _, every = mapped(Body(grid=grid, headings=RECOGNISER.at(grid, 1, kind=kind)))
    return {each.column: each for each in every}


@given(sheets(known=True))
@settings(deadline=None)
def test_names_of_the_table_are_read_right_in_any_order(drawn):
    kind, columns = drawn
    found = read(kind, columns)
    wrong = [
        (name, each.means.field)
        for at, (name, field) in enumerate(columns, start=1)
        for each in (found[at],)
        if each.is_read and each.means.field != field
    ]
    unread = [
        name
        for at, (name, field) in enumerate(columns, start=1)
        if field and not found[at].is_read and not found[at].needs_answer
    ]
    assert (wrong, unread) == ([], [])


@given(sheets(known=False))
@settings(deadline=None)
def test_other_names_are_right_or_asked_and_days_are_never_turned(drawn):
    kind, columns = drawn
    found = read(kind, columns)
    said = {name: found[at] for at, (name, _) in enumerate(columns, start=1)}
    silent = [
        (name, said[name].means.field, field)
        for name, field in columns
        if said[name].how is How.NAME
        and field
        and said[name].means.field != field
        and said[name].means.reaches
        and not any(each.needs_answer for each in said.values())
    ]
    guessed = {
        field: said[name].means.field
        for name, field in columns
        if said[name].how is How.GUESS and field in {"start_date", "end_date"}
    }
    turned = {"start_date": "end_date", "end_date": "start_date"}
    assert silent == []
    assert guessed != turned
