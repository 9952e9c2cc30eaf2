"""Faults of servers: what they change, and that they are bounded."""

import struct
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from measurements import best_of
from udp_client import INFO, ONE_REPLY_GAMES, ReceivedDatagram, UdpClient, first_request

from browser_app.demo.demo_network import DemoNetwork
from browser_app.demo.faults import faulty_responder
from browser_app.demo.faults.faulty_server import FLOOD_PER_REQUEST, MAX_FLOOD
from browser_app.demo.faults.network_faults import NetworkFaults, ServerFault
from browser_app.protocols.a2s.a2s_session import A2SSession
from browser_app.protocols.quake.quake3 import Quake3Session
from browser_app.protocols.query_session import DONE, PacketError, QueryParts

pytestmark = pytest.mark.linux

GETSTATUS = b"\xff\xff\xff\xffgetstatus T0K3N234"


def request_faulty(fault: ServerFault, game: str, request: bytes, count: int = 1) -> list[ReceivedDatagram]:
    """Return the replies of one server with this fault; check their senders."""
    faults = NetworkFaults({fault: 1.0})
    with (
        DemoNetwork(1, (2, 2), faults=faults, games=(game,), challenge_info=0, simulate_players=False) as network,
        UdpClient() as client,
    ):
        server = network.servers[0]
        received = client.request(request, server.address, count)
        assert all((each.sender == server.address) is (fault is not ServerFault.WRONG_PORT) for each in received)
        assert all(each.sender.host == server.address.host for each in received)
        return received


def is_accepted(data: bytes, game: str) -> bool:
    """Whether our own session takes it for a whole answer."""
    session = A2SSession(QueryParts.INFO) if game in ("ns2", "tf2") else Quake3Session(must_echo=True)
    session.build_request(b"T0K3N234")
    try:
        return session.receive(data) is DONE
    except PacketError:
        return False


@dataclass(frozen=True)
class FaultCase:
    fault: ServerFault
    game: str
    is_expected: Callable[[bytes], bool]


@pytest.mark.parametrize(
    "case",
    [
        FaultCase(
            ServerFault.WRONG_TOKEN, "xonotic", lambda data: b"\\challenge\\" in data and b"T0K3N234" not in data
        ),
        FaultCase(
            ServerFault.WRONG_TOKEN, "openarena", lambda data: b"\\challenge\\" in data and b"T0K3N234" not in data
        ),
        FaultCase(ServerFault.GARBAGE, "ns2", lambda data: len(data) < 200),
        FaultCase(ServerFault.GARBAGE, "quake3", lambda data: len(data) < 200),
        FaultCase(ServerFault.MALFORMED, "tf2", lambda data: data.startswith(b"\xff\xff\xff\xffI")),
        FaultCase(ServerFault.TRUNCATED, "ns2", lambda data: data.startswith(b"\xff\xff\xff\xffI")),
        FaultCase(ServerFault.TOO_LARGE, "ns2", lambda data: len(data) == 60_000),
        FaultCase(ServerFault.TOO_LARGE, "warfork", lambda data: len(data) == 60_000),
        FaultCase(ServerFault.ENDLESS_SPLITS, "ns2", lambda data: data.startswith(b"\xfe\xff\xff\xff")),
        FaultCase(ServerFault.BZIP2_BOMB, "ns2", lambda data: len(data) < 400 and b"BZh" in data),
    ],
    ids=lambda case: f"{case.fault.value}, {case.game}",
)
def test_faults_are_as_declared(case: FaultCase) -> None:
    request = INFO if case.game in ("ns2", "tf2") else GETSTATUS
    received = request_faulty(case.fault, case.game, request)
    assert len(received) == 1
    assert case.is_expected(received[0].data)
    assert not is_accepted(received[0].data, case.game)


@pytest.mark.parametrize("game", ["ns2", "openarena", "xonotic"])
def test_wrong_port_has_answer(game: str) -> None:
    (received,) = request_faulty(ServerFault.WRONG_PORT, game, INFO if game == "ns2" else GETSTATUS)
    assert is_accepted(received.data, game)


def test_endless_challenges_differ() -> None:
    faults = NetworkFaults({ServerFault.ENDLESS_CHALLENGES: 1.0})
    with DemoNetwork(1, (1, 1), faults=faults, games=("ns2",)) as network, UdpClient() as client:
        request, seen = INFO, set()
        for _ in range(20):
            reply = client.request(request, network.servers[0].address)[0].data
            assert reply[:5] == b"\xff\xff\xff\xffA"
            seen.add(reply[5:9])
            request = INFO + reply[5:9]
    assert len(seen) == 20


def test_silence_after_challenge() -> None:
    faults = NetworkFaults({ServerFault.SILENT_AFTER_CHALLENGE: 1.0})
    with DemoNetwork(1, (1, 1), faults=faults, games=("tf2",), challenge_info=0) as network, UdpClient() as client:
        address = network.servers[0].address
        challenge = client.request(INFO, address)[0].data
        assert challenge[4:5] == b"A"
        client.send(INFO + challenge[5:9], address)
        assert client.receives_nothing()


def test_endless_splits_are_many_first_parts() -> None:
    received = request_faulty(ServerFault.ENDLESS_SPLITS, "ns2", INFO, count=64)
    assert len(received) == 64
    ids = {struct.unpack_from("<I", each.data, 4)[0] for each in received}
    assert len(ids) == 64
    assert all(each.data[8:10] == b"\x20\x00" for each in received)


def test_bomb_is_not_inflated() -> None:
    (received,) = request_faulty(ServerFault.BZIP2_BOMB, "tf2", INFO)
    with pytest.raises(PacketError):
        A2SSession(QueryParts.INFO).receive(received.data)


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
        UdpClient() as client,
    ):
        address = network.servers[0].address
        begins_ns = []
        for _ in range(MAX_FLOOD // FLOOD_PER_REQUEST):  # one after the other: no more than a receive buffer holds
            sent_ns = client.send(request, address)
            received = client.receive(FLOOD_PER_REQUEST + 1)
            assert len(received) == FLOOD_PER_REQUEST + 1
            begins_ns.append(received[0].received_ns - sent_ns)
        assert min(begins_ns) < 20_000_000
        assert len(client.request(request, address)) == 1
        assert client.receives_nothing()


def test_false_count_has_no_names() -> None:
    faults = NetworkFaults({ServerFault.FALSE_COUNT: 1.0})
    with DemoNetwork(1, (1, 1), faults=faults, games=("tf2",)) as network, UdpClient() as client:
        address = network.servers[0].address
        session = A2SSession(QueryParts.INFO | QueryParts.PLAYERS)
        step: object = session.build_request()
        while isinstance(step, bytes):
            step = session.receive(client.request(step, address)[0].data)
        assert session.reply is not None
        assert session.reply.info.players == network.servers[0].state.max_players - 1
        assert session.reply.info.bots == 0
        assert not session.reply.players


def test_duplicates_and_reordering() -> None:
    with (
        DemoNetwork(
            30, (1, 1), faults=NetworkFaults(duplicates=1.0), simulate_players=False, games=ONE_REPLY_GAMES
        ) as network,
        UdpClient() as client,
    ):
        for server in network.servers:
            client.send(first_request(server), server.address)
        assert len(client.receive(60)) == 60
        assert client.receives_nothing()
    jumping = NetworkFaults(jumps=1.0, jump_ms=80)
    with DemoNetwork(30, (1, 1), faults=jumping, games=ONE_REPLY_GAMES) as network, UdpClient() as client:
        assert min(client.measure_pings(network.servers, first_request).values()) > 81

    def later() -> int:
        with (
            DemoNetwork(
                60, (1, 1), faults=NetworkFaults(reorder=0.5), simulate_players=False, games=ONE_REPLY_GAMES
            ) as network,
            UdpClient() as client,
        ):
            return sum(ping > 30 for ping in client.measure_pings(network.servers, first_request).values())

    assert 10 < best_of(later, 50) < 50


def test_faults_meet_their_shares() -> None:
    faults = NetworkFaults({ServerFault.GARBAGE: 0.25, ServerFault.WRONG_PORT: 0.25})
    with DemoNetwork(80, (1, 1), faults=faults, games=("openarena", "quake3")) as network, UdpClient() as client:
        server_faults = [server.fault for server in network.servers]
        assert server_faults.count(ServerFault.GARBAGE) == server_faults.count(ServerFault.WRONG_PORT) == 20
        for server in (server for server, fault in zip(network.servers, server_faults, strict=True) if fault is None):
            assert is_accepted(client.request(GETSTATUS, server.address)[0].data, "openarena")
