"""One round of a watch, over a service in memory whose lists shift."""

import asyncio
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta

import pytest

from doubles.clock import StillClock
from doubles.machine import AskedToStop, quiet_tools
from doubles.threads import Threads
from kawe.days import NewZealandDays
from kawe.domain.service.service_words import Account, Person, TeamInvitation
from kawe.domain.service.watching import NewsKind, NextReply, WatchMemory
from kawe.errors import ContractBroken, ServiceUnreachable
from kawe.flows.watch.looking import Watcher, look

# A Monday at noon in New Zealand.
NOON = datetime(2026, 11, 2, 23, 0, tzinfo=UTC)
NEAR = "2026-11-09T00:00:00Z"
FAR = "2026-11-11T00:00:00Z"


@dataclass
class Watch:
    """Rounds one after another, each with what the one before remembered."""

    service: Threads = field(default_factory=Threads)
    clock: StillClock = field(default_factory=lambda: StillClock(NOON))
    halt: AskedToStop = field(default_factory=AskedToStop)
    person: Person | None = None
    memory: WatchMemory = field(default_factory=WatchMemory)

    def round(self, *, since=None):
        watcher = Watcher(
            tools=quiet_tools(self.service, clock=self.clock, halt=self.halt),
            days=NewZealandDays(holidays=dict),
            account=Account(
                team_id="t", team_name="T", balance=1, sandbox=None, person=self.person
            ),
            near_days=5,
        )
        self.service.asked.clear()
        found = asyncio.run(look(watcher, self.memory, since=since))
        if found is not None:
            self.memory = found.memory
        return found

    def news(self):
        """Do a round; give the kind of each of its news, and what it is about."""
        return [(one.kind, one.about) for one in self.round().news]


@pytest.fixture
def watch():
    made = Watch()
    for name in ("a", "b", "c", "d"):
        made.service.add(name)
    return made


def test_the_first_round_learns_and_says_nothing_and_the_next_reads_what_changed(watch):
    watch.service.respond("a", "Long ago.")
    first = watch.round()
    told = first.news, first.is_first, first.projects, first.threads
    assert told == ((), True, 4, 0)
    assert watch.service.asked == {"project_list": 3, "team_read": 1}
    watch.service.respond("a", "Kia ora.")
    watch.service.note("b")
    assert [one.words for one in watch.round().news] == ["Kia ora."]
    # Two pages, the first page again, and a thread for each that changed.
    assert watch.service.asked == {
        "project_list": 3,
        "team_read": 1,
        "engagement_list": 2,
    }
    assert watch.round().news == ()
    assert watch.service.asked == {"project_list": 3}


def shifting(service):
    """Have a project come in before each page but the first."""
    return lambda page: page > 1 and service.add(f"new {len(service.projects)}")


def test_a_list_that_shifts_while_the_first_round_reads_it_is_no_baseline(watch):
    watch.service.before_page = shifting(watch.service)
    with pytest.raises(ServiceUnreachable, match="kept changing"):
        watch.round()
    assert watch.memory == WatchMemory()


def test_what_shifting_pages_hide_in_one_round_the_next_one_says_once(watch):
    watch.round()
    watch.service.respond("a", "Kia ora.")

    def shift(page):
        if page == 2:
            # The first page loses one, so the second begins one too late.
            watch.service.set("d", status="CLOSED")

    watch.service.before_page = shift
    found = [*watch.news(), *watch.news(), *watch.news()]
    assert sorted(found) == [(NewsKind.RESPONSE, "a"), (NewsKind.STATUS, "d")]


def test_projects_that_leave_the_active_list_are_asked_for_one_by_one(watch):
    watch.service.add("draft", status="DRAFT")
    watch.round()
    watch.service.respond("a", "Goodbye.")
    watch.service.set("a", status="COMPLETE")
    del watch.service.projects["draft"]
    assert watch.news() == [(NewsKind.RESPONSE, "a")]
    assert watch.service.asked["project_read"] == 2
    assert watch.news() == []
    assert watch.service.asked["project_read"] == 0


def test_many_that_leave_at_once_are_read_in_one_list(watch):
    for number in range(21):
        watch.service.add(f"x{number}")
    watch.round()
    for number in range(21):
        watch.service.set(f"x{number}", status="CLOSED")
    assert [kind for kind, _ in watch.news()] == [NewsKind.STATUS] * 21
    assert watch.service.asked["project_read"] == 0


def test_closed_projects_are_read_once_a_night_and_after_the_clock_was_set(watch):
    watch.service.set("a", status="CLOSED")
    watch.round()
    watch.service.respond("a", "One more thing.")
    again = watch.round()
    # It is watched all the same.
    assert (again.news, again.projects) == ((), 4)
    watch.clock.jump(24 * 3600)
    assert watch.news() == [(NewsKind.RESPONSE, "a")]
    watch.clock.jump(-48 * 3600)
    assert watch.news() == []
    assert watch.service.asked["team_read"] == 1
    del watch.service.projects["a"]
    watch.clock.jump(48 * 3600)
    watch.round()
    assert "a" not in watch.memory.projects


def test_a_project_that_appears_later_brings_its_responses_and_no_change_of_status(
    watch,
):
    watch.service.add("draft", status="DRAFT")
    watch.round()
    watch.service.respond("draft", "The message of the send.", by="Aroha Tauira")
    watch.service.set("draft", status="NEW")
    watch.service.add("new")
    watch.service.respond("new", "The message of the send.", by="Aroha Tauira")
    watch.service.respond("new", "Kia ora.")
    found = watch.round()
    assert [(one.about, one.words) for one in found.news] == [("new", "Kia ora.")]
    assert found.news[0].reply is NextReply.PROBABLY_FREE
    assert watch.news() == []


@pytest.mark.parametrize("opens", [True, False])
def test_the_teams_responses_are_free_and_cost_a_token_in_turn(watch, opens):
    if opens:
        watch.service.respond("a", "The message of the send.", by="Aroha Tauira")
    watch.round()
    watch.service.set("a")
    replies = []
    for turn in range(4):
        if not opens or turn:
            watch.service.respond("a", "Us.", by="Āroha Tauira")
        watch.service.respond("a", "Them.")
        replies.append(watch.round().news[0].reply)
    free, costs = NextReply.PROBABLY_FREE, NextReply.PROBABLY_NOT
    assert replies == ([free, costs] if opens else [costs, free]) * 2


def test_a_thread_of_many_pages_is_read_only_as_far_as_it_may_be_new(watch):
    watch.round()
    for number in range(7):
        watch.service.respond("a", f"{number}")
    assert [one.words for one in watch.round().news] == list("0123456")
    assert watch.service.asked["engagement_list"] == 5
    watch.service.respond("a", "one more")
    assert [one.words for one in watch.round().news] == ["one more"]
    assert watch.service.asked["engagement_list"] == 1


def test_who_is_late_or_soon_will_be_is_named_once_a_day(watch):
    watch.service.set("a", respond_by_date=NEAR)
    watch.service.set("b", respond_by_date=FAR)
    watch.service.set("c", respond_by_date=NEAR)
    watch.service.respond("c", "Kia ora.")
    watch.service.set("d", respond_by_date="2026-10-01T00:00:00Z")
    watch.service.add("draft", status="DRAFT", respond_by_date=NEAR)
    watch.service.add("e", respond_by_date="2026-10-02T00:00:00Z")
    # The first round, to which nothing else is news.
    found = watch.round()
    assert [(one.kind, one.about, one.days_words) for one in found.news] == [
        (NewsKind.LATE, "d", "33 days over"),
        (NewsKind.LATE, "e", "32 days over"),
        (NewsKind.RESPOND_BY, "a", "4 working days left"),
    ]
    assert [one.reply for one in found.news] == [NextReply.FREE] * 3
    assert watch.news() == []
    assert watch.service.asked["engagement_list"] == 0
    # The next day, also after days on which the watch was off.
    watch.clock.jump(14 * 24 * 3600)
    watch.service.respond("a", "Kia ora.")
    watch.service.set("b", status="COMPLETE")
    assert [(kind, about) for kind, about in watch.news()] == [
        (NewsKind.RESPONSE, "a"),
        (NewsKind.STATUS, "b"),
        (NewsKind.LATE, "d"),
        (NewsKind.LATE, "e"),
    ]
    watch.clock.jump(24 * 3600)
    assert [one.days_words for one in watch.round().news] == [
        "48 days over",
        "47 days over",
    ]


def invitation(name, status, *, days):
    return TeamInvitation(
        id=name,
        email=f"{name}@x.example",
        status=status,
        name=name,
        expires_at=None if days is None else NOON + timedelta(days=days),
    )


def test_invitations_are_said_when_they_expire_soon_and_when_they_have(watch):
    watch.service.invited = [
        invitation("old", "EXPIRED", days=-9),
        invitation("passed", "PENDING", days=-1),
        invitation("soon", "PENDING", days=2),
        invitation("far", "PENDING", days=40),
        invitation("never", "PENDING", days=None),
        invitation("in", "ACCEPTED", days=-1),
    ]
    assert watch.news() == []
    watch.service.set("a")
    assert watch.news() == [(NewsKind.INVITATION_SOON, "soon")]
    watch.clock.jump(3 * 24 * 3600)
    assert watch.news() == [(NewsKind.INVITATION_OVER, "soon")]
    watch.clock.jump(24 * 3600)
    assert watch.news() == []


def test_since_a_day_the_first_round_says_what_is_new(watch):
    watch.service.respond("a", "Before.")
    since = watch.service.at + timedelta(seconds=1)
    watch.service.respond("a", "After.")
    watch.service.invited = [
        invitation("old", "EXPIRED", days=-900),
        invitation("new", "EXPIRED", days=-0.1),
    ]
    found = watch.round(since=since)
    assert [one.words or one.about for one in found.news] == ["After.", "new"]
    assert found.threads == 1
    assert watch.news() == []


@pytest.mark.parametrize("knows_person", [True, False])
def test_without_the_team_the_name_behind_the_key_alone_is_known(watch, knows_person):
    watch.service.may_read_team = False
    if knows_person:
        watch.person = Person(id="1", name="Mere Tauira", email="")
    watch.round()
    watch.service.respond("a", "Us.", by="Mere Tauira")
    found = watch.round()
    own = NewsKind.OWN_RESPONSE if knows_person else NewsKind.RESPONSE
    assert [(one.kind, one.reply) for one in found.news] == [(own, NextReply.UNKNOWN)]
    assert "team:read" in found.remarks[0]


def test_a_round_that_is_stopped_counts_for_nothing(watch):
    watch.round()
    before = watch.memory
    watch.service.respond("a", "Kia ora.")

    def stop(page):
        watch.halt.asked |= page > 1

    watch.service.before_page = stop
    assert watch.round() is None
    assert watch.memory is before
    watch.service.before_page = lambda _: None
    watch.halt.asked = False
    assert watch.news() == [(NewsKind.RESPONSE, "a")]


def test_a_list_that_shifts_at_night_is_read_again_in_the_next_round(watch):
    watch.round()
    watch.clock.jump(24 * 3600)

    watch.service.before_page = shifting(watch.service)
    assert "kept changing" in watch.round().remarks[0]
    watch.service.before_page = lambda _: None
    watch.round()
    assert watch.memory.swept_on == date(2026, 11, 4)


@pytest.mark.parametrize(
    "broken",
    [
        {"name": None},
        {"updated_on": "yesterday"},
        {"updated_on": "0001-01-01T00:00:00Z"},
        {"respond_by_date": None},
        {"closed_on": 7},
    ],
)
def test_a_project_in_an_unknown_form_stops_the_round(watch, broken):
    watch.service.projects["a"].update(broken)
    with pytest.raises(ContractBroken, match="a project in an unknown form"):
        watch.round()


def test_a_project_or_an_entry_without_its_times_stops_the_round(watch):
    watch.round()
    watch.service.respond("a", "Kia ora.")
    watch.service.threads["a"][0]["created_on"] = None
    with pytest.raises(ContractBroken, match="a thread in an unknown form"):
        watch.round()
    watch.service.projects["a"].update(status="CLOSED", updated_on=None)
    with pytest.raises(ContractBroken, match="a project in an unknown form"):
        watch.round()


def test_documents_are_named_and_a_person_need_not_be(watch):
    watch.round()
    watch.service.respond("a", "See the plan.")
    entry = watch.service.threads["a"][0]
    entry["created_by"] = None
    entry["documents"] = [{"name": "plan.pdf"}, {"name": None}]
    (one,) = watch.round().news
    assert (one.who, one.documents) == ("", ("plan.pdf", "a document without a name"))
    watch.service.respond("a", "All of it.")
    watch.service.threads["a"][0]["documents"] = [{"name": f"{n}"} for n in range(12)]
    (one,) = watch.round().news
    assert one.documents[-2:] == ("9", "2 more")


def test_a_status_that_the_service_does_not_say_is_no_change(watch):
    watch.round()
    watch.service.set("a", status=None)
    assert watch.news() == []
    watch.service.set("a", status="IN_PROGRESS")
    assert watch.news() == []
    watch.memory = replace(watch.memory, swept_on=None)
    watch.service.set("a", status="UPDATED")
    assert watch.news() == [(NewsKind.STATUS, "a")]
