"""Servers in rare states: one in each, and how it behaves."""

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from browser_app.catalogue.places.geography import min_round_trip_ms
from browser_app.catalogue.suspicion import MIN_ROUND_TRIP_SHARE
from browser_app.demo.demo_names import FRIEND_NAMES, USER_COUNTRY
from browser_app.demo.demo_network import DemoNetwork
from browser_app.demo.demo_options import MIN_SERVERS_WITH_STATES, DemoOptions
from browser_app.demo.demo_runner import make_network
from browser_app.demo.demo_server import ServerRequest
from browser_app.demo.faults.demo_states import DemoState
from browser_app.demo.faults.state_responders import (
    ANSWERING_NS,
    QUERY_GAP_NS,
    ClosingResponder,
    SecondAttemptResponder,
)
from browser_app.demo.population import PopulationSimulation
from browser_app.demo.scenario import ServerSpec
from browser_app.demo.user.demo_lists import make_user_lists
from browser_app.protocols.address import Address

PEER = ("127.0.0.1", 1)
MS = 1_000_000


class EchoResponder:
    """Answers every request."""

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the request."""
        return (request.data,)


def request_at(received_ns: int) -> ServerRequest:
    return ServerRequest(b"?", PEER, received_ns)


@pytest.fixture(scope="module")
def specs() -> dict[DemoState, ServerSpec]:
    """Specs of the default network by state."""
    network = DemoNetwork(states=True)
    return {spec.state: spec for spec in network.specs if spec.state is not None}


def names(spec: ServerSpec) -> list[str]:
    return [player.name for player in spec.server.players]


def test_every_state_has_one_server() -> None:
    specs = make_network(DemoOptions(states=True)).specs
    counts = Counter(spec.state for spec in specs if spec.state is not None)
    assert counts == dict.fromkeys(DemoState, 1)


def test_states_are_wanted_and_rare() -> None:
    assert not any(spec.state for spec in DemoNetwork().specs)
    assert not any(spec.state for spec in DemoNetwork(MIN_SERVERS_WITH_STATES - 1, states=True).specs)
    assert any(spec.state for spec in DemoNetwork(MIN_SERVERS_WITH_STATES, states=True).specs)


def test_states_change_no_other_server(specs: dict[DemoState, ServerSpec]) -> None:
    changed = {spec.server.number for spec in specs.values()}
    pairs = zip(DemoNetwork().specs, DemoNetwork(states=True).specs, strict=True)
    assert all(one == other for one, other in pairs if one.server.number not in changed)


def test_groups_of_players(specs: dict[DemoState, ServerSpec]) -> None:
    players = specs[DemoState.BOTS].server.players
    groups = Counter("bot" if one.is_bot else "spectator" if one.is_spectator else one.team for one in players)
    assert groups.keys() == {1, 2, "bot", "spectator"}


def test_ping_is_impossible(specs: dict[DemoState, ServerSpec]) -> None:
    spec = specs[DemoState.TOO_NEAR]
    assert spec.latency_ms < MIN_ROUND_TRIP_SHARE * min_round_trip_ms(USER_COUNTRY, spec.country)


def test_friends_are_on_one_server_only(specs: dict[DemoState, ServerSpec]) -> None:
    present = set(names(specs[DemoState.FRIENDS])) & set(FRIEND_NAMES)
    assert len(present) == len(FRIEND_NAMES) - 1
    others = (spec for spec in DemoNetwork(states=True).specs if spec.state is not DemoState.FRIENDS)
    assert not any(set(names(spec)) & set(FRIEND_NAMES) for spec in others)


def test_friend_joins_later() -> None:
    (spec,) = (spec for spec in DemoNetwork(states=True).specs if spec.state is DemoState.ALERT)
    (when_s, name), *_others = spec.server.arrivals
    life = PopulationSimulation([spec.server], random.Random(1))
    life.advance(when_s - 0.001)
    assert name not in names(spec)
    revision = spec.server.revision
    life.advance(when_s)
    assert name in names(spec)
    assert spec.server.revision > revision


def test_closing_server_stops_for_good() -> None:
    server = ClosingResponder(EchoResponder())
    times = (0, ANSWERING_NS, ANSWERING_NS + 1, 100 * ANSWERING_NS)
    assert [len(server.respond(request_at(when))) for when in times] == [1, 1, 0, 0]


def test_second_attempt_is_answered() -> None:
    server = SecondAttemptResponder(EchoResponder())
    soon, later = 1000, 3000 + QUERY_GAP_NS // MS
    starts = (0, soon, later)
    answered = [bool(server.respond(request_at((start + ms) * MS))) for start in starts for ms in (0, 500, 600)]
    assert answered == [False, True, False] * 3
    assert not server.respond(request_at((later + 700) * MS))  # a query that is given up
    again = 2 * later
    assert [bool(server.respond(request_at((again + ms) * MS))) for ms in (0, 500, 600)] == [False, True, False]


def test_lists_name_servers_by_state() -> None:
    servers = [(Address("127.0.0.1", 1 + number), spec) for number, spec in enumerate(DemoNetwork(states=True).specs)]
    states = {address: spec.state for address, spec in servers}
    lists = make_user_lists(servers, 1e9)
    assert [states[each.target.address] for each in lists.favourites][:2] == [DemoState.BOTS, DemoState.FRIENDS]
    assert [states[address] for address in lists.blocked] == [DemoState.BLOCKED]
    assert [states[address] for address in lists.friend_alerts] == [DemoState.ALERT]
    ((address, players),) = lists.player_alerts
    spec = dict(servers)[address]
    assert spec.server.human_count < players <= spec.server.human_count + len(spec.server.arrivals)
    (saved,) = lists.saved_servers
    assert states[saved.target.address] is DemoState.SAVED
    assert saved.last_answer < 1e9
    assert not make_user_lists([(address, spec) for address, spec in servers if spec.state is None], 1e9).friends
