"""Discovery on the local network.

Uses only the broadcast address of loopback: no packet leaves this machine.
"""

import errno
import select
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace

import pytest
from fake_game_servers import CHALLENGE, INFO, patient_timing
from fake_masters import CollectingSink
from free_ports import free_port
from measurements import best_of
from timeouts import LIMIT_S

from browser_app.catalogue.server_info import QueryStatus, QueryTarget
from browser_app.engine.masters import broadcast_search, lan_discovery
from browser_app.engine.masters.broadcast_search import LanTiming
from browser_app.engine.masters.lan_discovery import (
    LIMITED_BROADCAST,
    LOOPBACK_BROADCAST,
    MAX_LAN_QUERIES,
    LanMaster,
    create_lan_master,
    find_broadcast_addresses,
)
from browser_app.engine.masters.master_poll import MasterPoll
from browser_app.engine.masters.query_sources import QuerySources, parse_sources
from browser_app.engine.network.address_rules import NetworkScope, network_scope
from browser_app.engine.network.request_errors import RequestError
from browser_app.engine.query.host_budget import MIN_SPACING_NS
from browser_app.engine.query.query_timing import PACES
from browser_app.engine.query.scanner import Scanner
from browser_app.engine.server_poll import start_poll
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address
from browser_app.protocols.doom.doom_server import encode_zandronum_refusal, encode_zandronum_reply
from browser_app.protocols.doom.zandronum import ZandronumReply
from browser_app.protocols.luanti import PROTOCOL_ID, build_disconnect, build_luanti_ping
from browser_app.protocols.minecraft.java import parse_lan_announcement
from browser_app.protocols.quake.quake3_server import encode_status_response, parse_quake3_request
from browser_app.protocols.query_protocols import MINECRAFT, QUERY_PROTOCOLS, LanAnnouncement

pytestmark = [pytest.mark.linux, pytest.mark.slow]  # other systems have no loopback broadcast

QUICK = LanTiming(rounds_s=(0.0, 0.05), gap_s=0.001, listen_s=0.5)
_TIMESTAMPNS = 35

Script = Callable[[bytes], Sequence[bytes]]


class PauseCappingClock:
    """A clock on which a pause of the machine takes 0.15 s.

    That is less than the neighbours have for their replies.
    """

    def __init__(self) -> None:
        self._now_s, self._read_s = 0.0, time.monotonic()

    def monotonic(self) -> float:
        """Return the time, which is read at least every 0.1 s during a search."""
        before_s, self._read_s = self._read_s, time.monotonic()
        self._now_s += min(0.15, self._read_s - before_s)
        return self._now_s


@pytest.fixture(autouse=True)
def capped_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give neighbours their time to reply on a machine that pauses, too."""
    monkeypatch.setattr(broadcast_search, "time", PauseCappingClock())


@dataclass
class FakeNeighbour:
    """A server that receives broadcasts on loopback and answers from its own address."""

    port: int
    request_times_s: list[float] = field(default_factory=list)
    """Kernel timestamps of the requests, Unix time; complete once it is closed."""


@contextmanager
def neighbour(
    script: Script, host: str = "127.0.0.1", port: int = 0, reply_port: int | None = None
) -> Iterator[FakeNeighbour]:
    """Run a neighbour.

    A socket bound to the broadcast address receives nothing else; `reply_port` 0 answers from another port.
    """
    with ExitStack() as ends:
        unicast, broadcast_socket = (
            ends.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) for _ in range(2)
        )
        unicast.bind((host, port))
        server = FakeNeighbour(unicast.getsockname()[1])
        broadcast_socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        for sock in (unicast, broadcast_socket):
            sock.setsockopt(socket.SOL_SOCKET, _TIMESTAMPNS, 1)
        broadcast_socket.bind((LOOPBACK_BROADCAST, server.port))
        reply_socket = unicast
        if reply_port is not None:
            reply_socket = ends.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            reply_socket.bind((host, reply_port))
        wake_out, wake_in = socket.socketpair()
        ends.enter_context(wake_out)
        ends.enter_context(wake_in)

        def serve() -> None:
            while (ready := select.select([unicast, broadcast_socket, wake_in], [], [])[0]) != [wake_in]:
                for sock in ready:
                    if sock is not wake_in:
                        data, ((_, _, stamp),), _, peer = sock.recvmsg(4096, 64)
                        seconds, nanoseconds = struct.unpack("@ll", stamp)
                        server.request_times_s.append(seconds + nanoseconds / 1e9)
                        for packet in script(data):
                            reply_socket.sendto(packet, peer)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield server
        finally:
            wake_out.send(b"!")
            thread.join()


def status(data: bytes) -> list[bytes]:
    """Return the reply of a Quake III or DarkPlaces server."""
    info = {"gamename": "Xonotic", "hostname": "Cellar", "mapname": "stormkeep", "sv_maxclients": "8", "clients": "0"}
    return [encode_status_response(info, (), challenge=parse_quake3_request(data).challenge)]


def master(protocol: str, *neighbours: FakeNeighbour) -> LanMaster:
    return LanMaster("lan:", tuple((protocol, each.port) for each in neighbours), (LOOPBACK_BROADCAST,))


def poll(collector: CollectingSink, source: LanMaster, timing: LanTiming = QUICK) -> str | None:
    return source.poll(collector.sink, timing)


@pytest.mark.parametrize(
    ("protocol", "script"),
    [("quake3", status), ("darkplaces", status), ("a2s", lambda _: [INFO]), ("a2s", lambda _: [CHALLENGE])],
)
def test_replies_are_listed(protocol: str, script: Script) -> None:
    collector = CollectingSink()
    with neighbour(script) as one, neighbour(script) as two, neighbour(lambda _: []) as silent:
        assert poll(collector, master(protocol, one, two, silent)) is None
    (batch,) = collector.batches
    assert sorted(batch) == sorted(QueryTarget(Address("127.0.0.1", each.port), protocol, None) for each in (one, two))
    assert len(silent.request_times_s) == 2


def test_second_round_finds_missed() -> None:
    collector = CollectingSink()
    with neighbour(lambda data: status(data) if len(server.request_times_s) == 2 else []) as server:
        poll(collector, master("quake3", server))
    assert collector.sink.count == 1


@pytest.mark.parametrize(
    ("protocol", "script"),
    [
        ("quake3", lambda _: [b"", b"\xff" * 60_000, b"\xff\xff\xff\xffprint\nno such command\n", INFO]),
        ("quake3", lambda _: [encode_status_response({"hostname": "spoofed"}, (), challenge="guessed1")]),
        ("darkplaces", lambda _: [encode_status_response({"hostname": "spoofed"}, ())]),
        ("darkplaces", lambda _: [encode_status_response({"hostname": "spoofed"}, (), challenge="guessed1")]),
        ("a2s", lambda data: [*status(b"\xff\xff\xff\xffgetstatus x"), INFO[:9], b"\xfe\xff\xff\xff\0", data]),
    ],
)
def test_invalid_reply_is_ignored(protocol: str, script: Script) -> None:
    collector = CollectingSink()
    with neighbour(script) as server, pytest.raises(RequestError, match="no server answered on the local network"):
        poll(collector, master(protocol, server))
    assert len(server.request_times_s) == 2
    assert collector.batches == []


def test_other_port_is_ignored() -> None:
    collector = CollectingSink()
    with neighbour(status, reply_port=0) as server, pytest.raises(RequestError):
        poll(collector, master("quake3", server))
    assert len(server.request_times_s) == 2


def test_reply_from_internet_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        broadcast_search,
        "network_scope",
        lambda host: NetworkScope.INTERNET if host == "127.0.0.3" else network_scope(host),
    )
    collector = CollectingSink()
    with neighbour(status, host="127.0.0.3") as stranger, neighbour(status, host="127.0.0.2") as good:
        poll(collector, master("quake3", stranger, good))
    assert len(stranger.request_times_s) == 2
    assert [target.address for target in collector.batches[0]] == [("127.0.0.2", good.port)]


def test_server_with_several_own_addresses() -> None:
    collector = CollectingSink()
    with neighbour(status) as first, neighbour(status, host="127.0.0.2", port=first.port):
        poll(collector, master("quake3", first))
    assert [target.address for target in collector.batches[0]] == [("127.0.0.1", first.port)]


def test_flood_neither_delays_nor_fills_list() -> None:
    def took_s() -> float:
        collector = CollectingSink()
        with neighbour(lambda data: status(data) * 500) as server:
            began = time.monotonic()
            poll(collector, master("quake3", server))
            ended = time.monotonic()
        assert collector.sink.count == 1
        return ended - began

    assert best_of(took_s, 2.0) < 2.0


def test_cancel_ends_search() -> None:
    collector = CollectingSink()

    def stopping(data: bytes) -> list[bytes]:
        collector.cancel_token.cancel()
        return status(data)

    with neighbour(stopping) as server:
        began = time.monotonic()
        with pytest.raises(RequestError):
            poll(collector, master("darkplaces", server), LanTiming(rounds_s=(0.0, 2 * LIMIT_S)))
    assert time.monotonic() - began < LIMIT_S
    assert collector.batches == []


def test_cancelled_poll_is_reported() -> None:
    request_times_s = threading.Event()

    def silent(_: bytes) -> list[bytes]:
        request_times_s.set()
        return []

    with neighbour(silent) as server:
        poll = MasterPoll([master("darkplaces", server)], lambda *_: None)
        poll.start()
        assert request_times_s.wait(LIMIT_S)
        poll.cancel()
        assert poll.wait(LIMIT_S)
    assert [(state.url, state.ok, state.servers, state.error) for state in poll.states] == [
        ("lan:", False, 0, "cancelled")
    ]


class UnreachableSocket(socket.socket):
    """Fails for every destination but loopback, as without a network."""

    def sendto(self, data: bytes, address: tuple[str, int]) -> int:  # type: ignore[override] # only this signature is used
        if address[0] != LOOPBACK_BROADCAST:
            raise OSError(errno.ENETUNREACH, "Network is unreachable")
        return super().sendto(data, address)


def test_unreachable_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    with neighbour(status) as server:
        questions = master("quake3", server).queries
        monkeypatch.setattr(socket, "socket", UnreachableSocket)
        collector = CollectingSink()
        assert poll(collector, LanMaster("lan:", questions, (LOOPBACK_BROADCAST, LIMITED_BROADCAST))) == (
            "only this computer was queried: network unreachable"
        )
        assert collector.sink.count == 1
        began = time.monotonic()
        with pytest.raises(RequestError, match=r"^network unreachable$"):
            poll(collector, LanMaster("lan:", questions, (LIMITED_BROADCAST,)), LanTiming(listen_s=2 * LIMIT_S))
        assert time.monotonic() - began < LIMIT_S


def test_forbidden_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object) -> socket.socket:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(socket, "socket", forbidden)
    with pytest.raises(RequestError, match="operation not permitted"):
        poll(CollectingSink(), LanMaster("lan:", (("quake3", 27960),), (LOOPBACK_BROADCAST,)))


def test_scan_respects_flood_guard(games: GameRegistry) -> None:
    """The worst case: the server answers only the second request of the search."""
    answered = [0.0]

    def reply_once_a_second(data: bytes) -> list[bytes]:
        if len(server.request_times_s) < 2 or server.request_times_s[-1] - answered[0] < 1.0:
            return []
        answered[0] = server.request_times_s[-1]
        return status(data)

    with neighbour(reply_once_a_second) as server, Scanner(games) as scanner:
        sources = QuerySources((master("darkplaces", server),))
        poll = start_poll(scanner, sources, pace=PACES["unlimited"], timing=patient_timing())
        assert poll.wait(LIMIT_S)
    (result,) = poll.scan.results
    assert (result.status, result.attempts) == (QueryStatus.OK, 1)
    assert result.info is not None
    assert result.info.game == "xonotic"
    assert [(state.ok, state.servers, state.error) for state in poll.master_states] == [(True, 1, None)]
    assert len(server.request_times_s) == 3


class CountingSocket(socket.socket):
    """Counts the datagrams of all sockets."""

    sent = 0

    def sendto(self, data: bytes, address: tuple[str, int]) -> int:  # type: ignore[override] # only this signature is used
        CountingSocket.sent += 1
        return super().sendto(data, address)


def test_search_is_short(games: GameRegistry, monkeypatch: pytest.MonkeyPatch) -> None:
    source = create_lan_master(games.values())
    assert len(source.queries) == MAX_LAN_QUERIES
    monkeypatch.setattr(socket, "socket", CountingSocket)
    monkeypatch.setattr(CountingSocket, "sent", 0)
    timing = LanTiming(gap_s=0.001, listen_s=0.0)
    with pytest.raises(RequestError):
        LanMaster("lan:", source.queries, (LOOPBACK_BROADCAST,)).poll(CollectingSink().sink, timing)
    assert CountingSocket.sent == 2 * MAX_LAN_QUERIES
    assert CountingSocket.sent * MIN_SPACING_NS / 1e9 + LanTiming().listen_s < 3.5


def test_own_games_add_ports(games: GameRegistry) -> None:
    usual = create_lan_master([]).queries
    assert {("a2s", 27015), ("a2s", 27016), ("darkplaces", 26000), ("quake3", 27961), ("bedrock", 19132)} <= set(usual)
    assert {name for name, _port in usual if QUERY_PROTOCOLS[name].is_stream} == {"openttd"}
    assert {("openttd", 3979), ("ase", 34219), ("mindustry", 6567), ("srb2", 5029)} <= set(usual)
    assert all(("a2s", port) not in usual for port in (28015, 28016))
    (source,) = parse_sources(games, game_ids=["minecraft"], lan=True, own_games=["rust"]).masters
    assert isinstance(source, LanMaster)
    assert (source.url, source.broadcasts) == ("lan:", ())
    assert {*source.queries} >= {("a2s", 28015), *((name, ports[0]) for name, ports in lan_ports().items())}
    assert source.queries.index(("a2s", 28015)) < source.queries.index(("a2s", 27016))


def test_zandronum_is_not_searched_for(games: GameRegistry) -> None:
    source = create_lan_master([games["zandronum"]])
    assert "zandronum" not in {protocol for protocol, _port in source.queries}
    assert source.announcing == ("minecraft", "zandronum")


def lan_ports() -> dict[str, Sequence[int]]:
    return {name: protocol.lan_ports for name, protocol in QUERY_PROTOCOLS.items() if protocol.lan_ports}


def test_cube_server_answers_from_its_own_port() -> None:
    reply = b"\0\5\x80\x04\x01\0\0\x10\0\0Rig\0"
    collector = CollectingSink()
    with neighbour(lambda data: [data + reply], reply_port=0) as one, neighbour(status, reply_port=0) as other:
        asked = LanMaster("lan:", (("cube2", one.port), ("quake3", other.port)), (LOOPBACK_BROADCAST,))
        poll(collector, asked)
    (target,) = collector.batches[0]
    assert target.protocol == "cube2"
    assert target.address.port not in (one.port, other.port)


def test_luanti_server_gets_a_disconnect() -> None:
    greeting, requests = PROTOCOL_ID + bytes.fromhex("0001 00 03 ffdc 00 01 1234"), list[bytes]()

    def greet(data: bytes) -> list[bytes]:
        requests.append(data)
        return [greeting] if data == build_luanti_ping() else []

    with neighbour(greet) as server:
        collector = CollectingSink()
        poll(collector, master("luanti", server))
    assert collector.sink.count == 1
    assert Counter(requests) == {build_luanti_ping(): 2, build_disconnect(greeting): 2}


def ask_by_lan_requests(monkeypatch: pytest.MonkeyPatch, *asked: tuple[str, int, FakeNeighbour]) -> CollectingSink:
    """Poll neighbours by LAN requests, given their usual ports."""
    changed = {
        name: replace(QUERY_PROTOCOLS[name], lan_requests={each.port: QUERY_PROTOCOLS[name].lan_requests[usual_port]})
        for name, usual_port, each in asked
    }
    monkeypatch.setattr(lan_discovery, "QUERY_PROTOCOLS", {**QUERY_PROTOCOLS, **changed})
    collector = CollectingSink()
    poll(collector, LanMaster("lan:", tuple((name, each.port) for name, _port, each in asked), (LOOPBACK_BROADCAST,)))
    return collector


def test_lan_requests_find_servers_that_are_queried_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    requests = set[bytes]()

    def serve_openttd(data: bytes) -> list[bytes]:
        requests.add(data)
        return [b"\x03\0\2", b"\x04\0\1", b"\x03\0\1"]

    def serve_mta(data: bytes) -> list[bytes]:
        requests.add(data)
        return [b"MTA-SERVER 65500\0", b"MTA-SERVER x\0", b"MTA-SERVER 0", b"MTA-SERVER 22010\0"]

    with neighbour(serve_openttd) as openttd, neighbour(serve_mta) as mta:
        collector = ask_by_lan_requests(monkeypatch, ("openttd", 3979, openttd), ("ase", 34219, mta))
    assert requests == {b"\x03\0\0", b"MTA-CLIENT 1.6\0"}
    assert {(target.address, target.protocol) for target in collector.batches[0]} == {
        (Address("127.0.0.1", openttd.port), "openttd"),
        (Address("127.0.0.1", 22133), "ase"),
    }


def test_invalid_lan_replies_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    with neighbour(lambda _: [b"\x03\0\2", b"\x04\0\1", b"MTA-SERVER 22010\0"]) as server:
        with pytest.raises(RequestError):
            ask_by_lan_requests(monkeypatch, ("openttd", 3979, server))
        assert len(server.request_times_s) == 2


def test_zandronum_servers_that_broadcast_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    zandronum = QUERY_PROTOCOLS["zandronum"]
    assert zandronum.lan_announcement is not None
    announcement = zandronum.lan_announcement._replace(port=free_port())
    changed = replace(zandronum, lan_announcement=announcement)
    monkeypatch.setattr(lan_discovery, "QUERY_PROTOCOLS", {**QUERY_PROTOCOLS, "zandronum": changed})
    reply = ZandronumReply("3.3", name="Cellar", map="MAP01")
    bad = (b"", b"\xff", encode_zandronum_reply(reply, 7), encode_zandronum_refusal(0), b"\xff" * 900)
    collector = CollectingSink()
    with ExitStack() as ends:
        server, strange = (ends.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) for _ in range(2))
        for sock in (server, strange):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
            sock.bind(("127.0.0.1", 0))

        def broadcast(_: bytes) -> list[bytes]:
            for datagram in bad:
                strange.sendto(datagram, (LOOPBACK_BROADCAST, announcement.port))
            server.sendto(encode_zandronum_reply(reply, 0), (LOOPBACK_BROADCAST, announcement.port))
            return []

        with neighbour(broadcast) as waker:
            poll(collector, LanMaster("lan:", (("a2s", waker.port),), (LOOPBACK_BROADCAST,), ("zandronum",)))
        assert collector.batches == [[QueryTarget(Address(*server.getsockname()), "zandronum", None)]]


def test_announced_worlds_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    port = free_port()
    announcement = LanAnnouncement("224.0.2.60", port, parse_lan_announcement)
    java = replace(QUERY_PROTOCOLS[MINECRAFT], lan_announcement=announcement)
    monkeypatch.setattr(lan_discovery, "QUERY_PROTOCOLS", {**QUERY_PROTOCOLS, MINECRAFT: java})
    good = (b"[MOTD]A world[AD]1[/AD][/MOTD][AD]25570[/AD]", b"[MOTD]\xff[/MOTD][AD]192.0.2.7:25571[/AD]")
    bad = (b"", b"[MOTD]A[/MOTD]", b"[MOTD]A[/MOTD][AD]0[/AD]", b"[MOTD]A[/MOTD][AD]65536[/AD]", b"\xff" * 9000)

    def announce(_: bytes) -> list[bytes]:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
            for datagram in (*bad, *good):
                sock.sendto(datagram, ("127.0.0.1", port))
        return []

    collector = CollectingSink()
    with neighbour(announce) as server:
        poll(collector, LanMaster("lan:", (("a2s", server.port),), (LOOPBACK_BROADCAST,), (MINECRAFT,)))
    (found,) = collector.batches
    assert sorted(found) == [QueryTarget(Address("127.0.0.1", each), MINECRAFT, None) for each in (25570, 25571)]


def test_lan_is_not_this_machine(games: GameRegistry) -> None:
    with Scanner(games) as scanner, pytest.raises(ValueError, match=r"unlimited.* lan: is not"):
        start_poll(scanner, parse_sources(games, lan=True), pace=PACES["unlimited"])


def test_broadcast_addresses() -> None:
    addresses = find_broadcast_addresses()
    assert (addresses[0], addresses[-1]) == (LOOPBACK_BROADCAST, LIMITED_BROADCAST)
    assert len(set(addresses)) == len(addresses)
    assert all(socket.inet_aton(address) != bytes(4) for address in addresses)
