"""Running twins and the keys to them.

One twin serves the whole session; a test that counts tokens or requests starts
its own with `fresh_twin`.
"""

from contextlib import ExitStack

import pytest

from kawe_twin.serving import TwinOptions, start_twin
from twin.asking import asking, owner_of
from twin.failing import House
from twin.visiting import Visitor


@pytest.fixture(scope="session")
def twin(tmp_path_factory):
    options = TwinOptions(
        folder=tmp_path_factory.mktemp("twin"), tokens=100_000, rate_limit=1_000_000
    )
    with start_twin(options) as running:
        yield running


@pytest.fixture
def fresh_twin(tmp_path):
    """Give a function that starts a twin in the test's own folder."""
    with ExitStack() as stack:

        def start(**options):
            given = TwinOptions(folder=tmp_path / "twin", **options)
            return stack.enter_context(start_twin(given))

        yield start


@pytest.fixture(scope="session")
def house_of_faults(tmp_path_factory):
    options = TwinOptions(
        folder=tmp_path_factory.mktemp("faulty"),
        tokens=100_000,
        rate_limit=1_000_000,
        faults=True,
    )
    with start_twin(options) as running:
        made = House(running)
        yield made
        made.close()


@pytest.fixture
def house(house_of_faults):
    """Give a twin with a switchboard, on which nothing is set."""
    yield house_of_faults
    house_of_faults.board.clear()


@pytest.fixture(scope="session")
def live(twin):
    with asking(twin) as with_key:
        yield with_key


@pytest.fixture(scope="session")
def sandbox(twin):
    with asking(twin, twin.address.sandbox_key) as with_key:
        yield with_key


@pytest.fixture(scope="session")
def iwi(twin):
    with asking(twin, twin.address.iwi_key) as with_key:
        yield with_key


@pytest.fixture(scope="session")
def owner(twin):
    """Give a client of the owner's routes."""
    with owner_of(twin) as client:
        yield client


@pytest.fixture(scope="session")
def other(twin, owner):
    """Give the key of another organisation."""
    accounts = owner.get("/_twin/state").json()["accounts"]
    (account,) = [one for one in accounts if one["name"].startswith("Te Rōpū")]
    made = owner.post("/_twin/keys", json={"account_id": account["id"]}).json()
    with asking(twin, made["key"]) as with_key:
        yield with_key


@pytest.fixture
def key_with(twin, live, owner):
    """Give a function that makes a key of the live team with these scopes."""
    with ExitStack() as stack:

        def make(*scopes):
            body = {"account_id": live.team()["id"], "scopes": list(scopes)}
            key = owner.post("/_twin/keys", json=body).json()["key"]
            return stack.enter_context(asking(twin, key))

        yield make


@pytest.fixture
def ask_live():
    """Give a function that asks a twin with its live key, or another."""
    with ExitStack() as stack:
        yield lambda running, *, key=None: stack.enter_context(asking(running, key))


@pytest.fixture
def running(fresh_twin):
    return fresh_twin()


@pytest.fixture
def asker(running, ask_live):
    return ask_live(running)


@pytest.fixture
def visit():
    """Give a function that signs in at a twin."""
    with ExitStack() as stack:

        def sign_in(running):
            visitor = Visitor(running)
            stack.enter_context(visitor.client)
            visitor.sign_in()
            return visitor

        yield sign_in


@pytest.fixture
def visitor(visit, live, iwi):
    made = visit(live)
    made.team = f"/portal/accounts/{live.team()['id']}"
    made.inbox = f"/portal/accounts/{iwi.team()['id']}"
    return made


@pytest.fixture
def fresh(fresh_twin, ask_live, visit):
    """Give a function that starts a twin, with a key and a visitor of it."""

    def start(**options):
        running = fresh_twin(**options)
        return ask_live(running), visit(running)

    return start
