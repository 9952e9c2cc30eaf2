"""Every fault does what it says, and no more than it says."""

import struct
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from asking import INFO, ONE_REPLY_GAMES, Asker, Heard, request_for
from measurements import best_of

from browser_app.demo.demo_network import DemoNetwork
from browser_app.demo.faults import faulty_responder
from browser_app.demo.faults.faulty_server import FLOOD_PER_REQUEST, MAX_FLOOD
from browser_app.demo.faults.network_faults import NetworkFaults, ServerFault
from browser_app.protocols.a2s.a2s_session import A2SSession
from browser_app.protocols.quake.quake3 import Quake3Session
from browser_app.protocols.query_session import DONE, PacketError, QueryParts

pytestmark = pytest.mark.linux

GETSTATUS = b"\xff\xff\xff\xffgetstatus T0K3N234"


def answers(lie: ServerFault, game: str, request: bytes, count: int = 1) -> list[Heard]:
    """Return what one server with this fault sends back.

    Checks the sender's address too.
    """
    faults = NetworkFaults({lie: 1.0})
    with (
        DemoNetwork(1, (2, 2), faults=faults, games=(game,), challenge_info=0, simulate_players=False) as network,
        Asker() as asker,
    ):
        server = network.servers[0]
        heard = asker.ask(request, server.address, count)
        assert all((each.sender == server.address) is (lie is not ServerFault.WRONG_PORT) for each in heard)
        assert all(each.sender.host == server.address.host for each in heard)
        return heard


def accepted(data: bytes, game: str) -> bool:
    """Whether our own conversation takes it for a whole answer."""
    conversation = A2SSession(QueryParts.INFO) if game in ("ns2", "tf2") else Quake3Session(must_echo=True)
    conversation.build_request(b"T0K3N234")
    try:
        return conversation.receive(data) is DONE
    except PacketError:
        return False


@dataclass(frozen=True)
class Case:
    lie: ServerFault
    game: str
    looks: Callable[[bytes], bool]


@pytest.mark.parametrize(
    "case",
    [
        Case(ServerFault.WRONG_TOKEN, "xonotic", lambda data: b"\\challenge\\" in data and b"T0K3N234" not in data),
        Case(ServerFault.WRONG_TOKEN, "openarena", lambda data: b"\\challenge\\" in data and b"T0K3N234" not in data),
        Case(ServerFault.GARBAGE, "ns2", lambda data: len(data) < 200),
        Case(ServerFault.GARBAGE, "quake3", lambda data: len(data) < 200),
        Case(ServerFault.MALFORMED, "tf2", lambda data: data.startswith(b"\xff\xff\xff\xffI")),
        Case(ServerFault.TRUNCATED, "ns2", lambda data: data.startswith(b"\xff\xff\xff\xffI")),
        Case(ServerFault.TOO_LARGE, "ns2", lambda data: len(data) == 60_000),
        Case(ServerFault.TOO_LARGE, "warfork", lambda data: len(data) == 60_000),
        Case(ServerFault.ENDLESS_SPLITS, "ns2", lambda data: data.startswith(b"\xfe\xff\xff\xff")),
        Case(ServerFault.BZIP2_BOMB, "ns2", lambda data: len(data) < 400 and b"BZh" in data),
    ],
    ids=lambda case: f"{case.lie.value}, {case.game}",
)
def test_faults_are_as_declared(case: Case) -> None:
    request = INFO if case.game in ("ns2", "tf2") else GETSTATUS
    heard = answers(case.lie, case.game, request)
    assert len(heard) == 1
    assert case.looks(heard[0].data)
    assert not accepted(heard[0].data, case.game)


@pytest.mark.parametrize("game", ["ns2", "openarena", "xonotic"])
def test_wrong_port_has_answer(game: str) -> None:
    (heard,) = answers(ServerFault.WRONG_PORT, game, INFO if game == "ns2" else GETSTATUS)
    assert accepted(heard.data, game)


def test_endless_challenges_differ() -> None:
    faults = NetworkFaults({ServerFault.ENDLESS_CHALLENGES: 1.0})
    with DemoNetwork(1, (1, 1), faults=faults, games=("ns2",)) as network, Asker() as asker:
        request, seen = INFO, set()
        for _ in range(20):
            reply = asker.ask(request, network.servers[0].address)[0].data
            assert reply[:5] == b"\xff\xff\xff\xffA"
            seen.add(reply[5:9])
            request = INFO + reply[5:9]
    assert len(seen) == 20


def test_silence_after_challenge() -> None:
    faults = NetworkFaults({ServerFault.SILENT_AFTER_CHALLENGE: 1.0})
    with DemoNetwork(1, (1, 1), faults=faults, games=("tf2",), challenge_info=0) as network, Asker() as asker:
        address = network.servers[0].address
        challenge = asker.ask(INFO, address)[0].data
        assert challenge[4:5] == b"A"
        asker.send(INFO + challenge[5:9], address)
        assert asker.hears_nothing()


def test_endless_splits_are_many_first_parts() -> None:
    heard = answers(ServerFault.ENDLESS_SPLITS, "ns2", INFO, count=64)
    assert len(heard) == 64
    ids = {struct.unpack_from("<I", each.data, 4)[0] for each in heard}
    assert len(ids) == 64
    assert all(each.data[8:10] == b"\x20\x00" for each in heard)


def test_bomb_is_not_inflated() -> None:
    (heard,) = answers(ServerFault.BZIP2_BOMB, "tf2", INFO)
    with pytest.raises(PacketError):
        A2SSession(QueryParts.INFO).receive(heard.data)


def test_bzip2_bomb_is_ready_made() -> None:
    faulty_responder._compressed_zeros.cache_clear()
    faults = NetworkFaults({ServerFault.BZIP2_BOMB: 1.0})
    with DemoNetwork(1, (2, 2), faults=faults, games=("ns2",), challenge_info=0, simulate_players=False):
        assert faulty_responder._compressed_zeros.cache_info().currsize == 1


@pytest.mark.parametrize("game", ["ns2", "xonotic"])
def test_flood_comes_first_and_ends(game: str) -> None:
    request = INFO if game == "ns2" else GETSTATUS
    faults = NetworkFaults({ServerFault.FLOOD: 1.0})
    with (
        DemoNetwork(1, (20, 20), faults=faults, games=(game,), challenge_info=0, flood_guard=False) as network,
        Asker() as asker,
    ):
        address = network.servers[0].address
        begins_ns = []
        for _ in range(MAX_FLOOD // FLOOD_PER_REQUEST):  # one after the other: no more than a receive buffer holds
            sent_ns = asker.send(request, address)
            heard = asker.hear(FLOOD_PER_REQUEST + 1)
            assert len(heard) == FLOOD_PER_REQUEST + 1
            begins_ns.append(heard[0].at_ns - sent_ns)
        assert min(begins_ns) < 20_000_000
        assert len(asker.ask(request, address)) == 1
        assert asker.hears_nothing()


def test_false_count_has_no_names() -> None:
    faults = NetworkFaults({ServerFault.FALSE_COUNT: 1.0})
    with DemoNetwork(1, (1, 1), faults=faults, games=("tf2",)) as network, Asker() as asker:
        address = network.servers[0].address
        conversation = A2SSession(QueryParts.INFO | QueryParts.PLAYERS)
        step: object = conversation.build_request()
        while isinstance(step, bytes):
            step = conversation.receive(asker.ask(step, address)[0].data)
        assert conversation.reply is not None
        assert conversation.reply.info.players == network.servers[0].state.max_players - 1
        assert conversation.reply.info.bots == 0
        assert not conversation.reply.players


def test_duplicates_and_reordering() -> None:
    with (
        DemoNetwork(
            30, (1, 1), faults=NetworkFaults(duplicates=1.0), simulate_players=False, games=ONE_REPLY_GAMES
        ) as network,
        Asker() as asker,
    ):
        for server in network.servers:
            asker.send(request_for(server), server.address)
        assert len(asker.hear(60)) == 60
        assert asker.hears_nothing()
    jumping = NetworkFaults(jumps=1.0, jump_ms=80)
    with DemoNetwork(30, (1, 1), faults=jumping, games=ONE_REPLY_GAMES) as network, Asker() as asker:
        assert min(asker.ask_all(network.servers, request_for).values()) > 81

    def later() -> int:
        with (
            DemoNetwork(
                60, (1, 1), faults=NetworkFaults(reorder=0.5), simulate_players=False, games=ONE_REPLY_GAMES
            ) as network,
            Asker() as asker,
        ):
            return sum(ping > 30 for ping in asker.ask_all(network.servers, request_for).values())

    assert 10 < best_of(later, 50) < 50


def test_faults_meet_their_shares() -> None:
    faults = NetworkFaults({ServerFault.GARBAGE: 0.25, ServerFault.WRONG_PORT: 0.25})
    with DemoNetwork(80, (1, 1), faults=faults, games=("openarena", "quake3")) as network, Asker() as asker:
        lies = [server.fault for server in network.servers]
        assert lies.count(ServerFault.GARBAGE) == lies.count(ServerFault.WRONG_PORT) == 20
        for server in (server for server, lie in zip(network.servers, lies, strict=True) if lie is None):
            assert accepted(asker.ask(GETSTATUS, server.address)[0].data, "openarena")
