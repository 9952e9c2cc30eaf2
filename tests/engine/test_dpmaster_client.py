import socket
import threading
import time
from dataclasses import replace

import pytest
from fake_masters import UdpMaster, udp_master
from timeouts import LIMIT_S

from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.cancel_token import CancelToken
from browser_app.engine.masters import dpmaster_client as udp_master_module
from browser_app.engine.masters import target_sink as delivery_module
from browser_app.engine.masters.dpmaster_client import DpMasterTiming, poll_dpmaster
from browser_app.engine.masters.master_types import DpMaster
from browser_app.engine.masters.target_sink import TargetSink
from browser_app.engine.network.address_rules import NetworkScope
from browser_app.engine.network.request_errors import RequestError
from browser_app.protocols.address import Address
from browser_app.protocols.dpmaster_server import ServersRequest, encode_servers_response, parse_master_request

QUICK = DpMasterTiming(
    requests_s=(0.0, 0.05, 0.1),
    no_answer_s=0.8,
    throttled_s=1.5,
    second_address_s=0.4,
    incomplete_s=0.5,
    complete_s=0.1,
)
PATIENT = DpMasterTiming(requests_s=(0.0, LIMIT_S), no_answer_s=2 * LIMIT_S, incomplete_s=LIMIT_S, complete_s=0.1)
"""For masters that answer: even on a busy machine no request is repeated."""
DISCARD = 9
"""A port that is unused and that the system does not assign."""
SERVERS = [Address(f"127.0.{i // 250}.{i % 250 + 1}", 26000) for i in range(450)]


def source(master: UdpMaster | int, host: str = "127.0.0.1", gamename: str = "Xonotic") -> DpMaster:
    port = master if isinstance(master, int) else master.port
    return DpMaster(f"dpmaster://{host}:{port}", Address(host, port), gamename, 3, "darkplaces", "xonotic")


class CollectingSink:
    """A sink that keeps all targets."""

    def __init__(self) -> None:
        self.batches: list[list[QueryTarget]] = []
        self.stop = CancelToken()
        self.delivery = TargetSink(lambda batch: self.batches.append(list(batch)), self.stop)

    @property
    def addresses(self) -> list[Address]:
        return [target.address for batch in self.batches for target in batch]

    def poll(self, master: DpMaster, timing: DpMasterTiming = QUICK) -> str | None:
        return poll_dpmaster(master, self.delivery, timing)


def test_list_arrives_in_batches() -> None:
    harvest = CollectingSink()
    with udp_master(lambda *_: encode_servers_response(SERVERS)) as master:
        assert harvest.poll(source(master), PATIENT) is None
    assert sorted(harvest.addresses) == sorted(SERVERS)
    assert len(harvest.batches) == 3
    assert harvest.batches[0][0] == QueryTarget(SERVERS[0], "darkplaces", "xonotic")
    assert parse_master_request(master.requests[0]) == ServersRequest("Xonotic", 3, False, True, True, True, False)
    assert len(master.requests) == 1


def test_game_without_name() -> None:
    harvest = CollectingSink()
    with udp_master(lambda *_: encode_servers_response(SERVERS[:1])) as master:
        assert harvest.poll(source(master, gamename=""), PATIENT) is None
    assert master.requests == [b"\xff\xff\xff\xffgetservers 3 empty full"]


def test_empty_list_is_no_error() -> None:
    harvest = CollectingSink()
    with udp_master(lambda *_: encode_servers_response([])) as master:
        assert harvest.poll(source(master)) is None
    assert harvest.batches == []


def test_reordered_packets_are_awaited() -> None:
    harvest = CollectingSink()
    with udp_master(lambda *_: encode_servers_response(SERVERS)[::-1]) as master:
        assert harvest.poll(source(master)) is None
    assert len(harvest.addresses) == 450


def test_requests_are_repeated_without_reply() -> None:
    harvest = CollectingSink()
    with udp_master(lambda number, _: encode_servers_response(SERVERS) if number == 3 else []) as master:
        assert harvest.poll(source(master)) is None
    assert len(harvest.addresses) == 450


def test_silent_master_is_given_up() -> None:
    with udp_master(lambda *_: []) as master, pytest.raises(RequestError, match="no answer to 3 requests"):
        CollectingSink().poll(source(master))
    assert len(master.requests) == 3


def test_silent_master_delays_little() -> None:
    with udp_master(lambda *_: []) as master:
        began = time.monotonic()
        with pytest.raises(RequestError, match="no answer to 3 requests"):
            poll_dpmaster(source(master), CollectingSink().delivery)
        took_s = time.monotonic() - began
    assert 3.5 < took_s < LIMIT_S
    assert len(master.requests) == 3


def test_throttling_master_is_awaited() -> None:
    """It answered another request, and this one at the fourth attempt, when a silent master is given up."""
    patient = replace(QUICK, requests_s=(0.0, 0.05, 0.1, 0.5))
    harvest = CollectingSink()
    with udp_master(lambda number, _: encode_servers_response(SERVERS) if number == 4 else []) as master:
        talking = {Address("127.0.0.1", master.port)}
        assert poll_dpmaster(source(master), harvest.delivery, patient, talking) is None
    assert len(harvest.addresses) == 450


def test_responding_masters_are_shared() -> None:
    talking: set[Address] = set()
    with udp_master(lambda *_: encode_servers_response([])) as master:
        poll_dpmaster(source(master), CollectingSink().delivery, QUICK, talking)
    assert talking == {Address("127.0.0.1", master.port)}


def test_connection_refused() -> None:
    began = time.monotonic()
    with pytest.raises(RequestError, match="connection refused"):
        CollectingSink().poll(source(DISCARD), PATIENT)
    assert time.monotonic() - began < LIMIT_S  # before the second request


def test_incomplete_list_is_requested_again() -> None:
    harvest = CollectingSink()
    with udp_master(lambda *_: encode_servers_response(SERVERS, end=False)[1:]) as master:
        assert harvest.poll(source(master)) == "incomplete list"
    assert len(master.requests) == 2
    assert len(harvest.addresses) == 450 - 196


def test_second_request_fills_gaps() -> None:
    harvest = CollectingSink()
    with udp_master(
        lambda number, _: encode_servers_response(SERVERS)[:2] if number == 1 else encode_servers_response(SERVERS)
    ) as master:
        assert harvest.poll(source(master)) is None
    assert len(harvest.addresses) == 450


def test_numbered_packets_reveal_gaps() -> None:
    head = b"\xff\xff\xff\xffgetserversExtResponse\0%d\0" + b"2\0" + b"\\\x7f\0\0%c\x65\x90"
    end = b"\\EOT\0\0\0"
    harvest = CollectingSink()
    with udp_master(lambda *_: [head % (2, 2) + end]) as master:
        assert harvest.poll(source(master)) == "incomplete list"
    with udp_master(lambda *_: [head % (2, 2) + end, head % (1, 1)]) as master:
        assert harvest.poll(source(master)) is None
    assert sorted(harvest.addresses) == [("127.0.0.1", 26000), ("127.0.0.2", 26000)]


def test_garbage_is_not_silence() -> None:
    garbage = [b"\xff\xff\xff\xffprint\nno such command\n", b"", b"\xff" * 60_000]
    with udp_master(lambda *_: garbage) as master, pytest.raises(RequestError, match="not a server list"):
        CollectingSink().poll(source(master))


def test_truncated_packet_keeps_whole_records() -> None:
    harvest = CollectingSink()
    with udp_master(lambda *_: [encode_servers_response(SERVERS[:3])[0][:-10]]) as master:
        assert harvest.poll(source(master)) == "incomplete list"
    assert harvest.addresses == SERVERS[:2]


def test_packets_from_elsewhere_are_dropped() -> None:
    harvest = CollectingSink()
    with (
        udp_master(lambda *_: encode_servers_response(SERVERS), reply_host="127.0.0.2") as master,
        pytest.raises(RequestError, match="no answer"),
    ):
        harvest.poll(source(master))
    assert harvest.batches == []


def test_internet_master_has_no_private_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    lies = [Address(host, 26000) for host in ("10.0.0.1", "127.0.0.1", "169.254.1.1", "224.0.0.1", "240.0.0.1")]
    good = [Address("8.8.8.8", 26000), Address("9.9.9.9", 1)]
    with udp_master(lambda *_: encode_servers_response([*lies, *good, Address("8.8.4.4", 0)])) as master:
        harvest = CollectingSink()
        assert harvest.poll(source(master)) is None
        assert harvest.addresses == [*lies[:3], *good]
        monkeypatch.setattr(udp_master_module, "network_scope", lambda _: NetworkScope.INTERNET)
        harvest = CollectingSink()
        assert harvest.poll(source(master)) is None
        assert harvest.addresses == good


def test_endless_list_ends() -> None:
    harvest = CollectingSink()
    with udp_master(lambda *_: encode_servers_response(SERVERS, end=False) * 20) as master:
        assert harvest.poll(source(master)) == "incomplete list"
    assert len(harvest.addresses) == 450


def test_server_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery_module, "MAX_SERVERS_PER_MASTER", 100)
    harvest = CollectingSink()
    with udp_master(lambda *_: encode_servers_response(SERVERS)) as master:
        assert harvest.poll(source(master)) is None
    assert harvest.delivery.omission_messages == ["list cut off after 100 servers"]
    assert harvest.addresses == SERVERS[:100]


def test_cancel_ends_at_once() -> None:
    harvest = CollectingSink()
    with udp_master(lambda *_: []) as master:
        threading.Timer(0.1, harvest.stop.cancel).start()
        began = time.monotonic()
        with pytest.raises(RequestError):
            harvest.poll(source(master), PATIENT)
    assert time.monotonic() - began < LIMIT_S


def test_unknown_host() -> None:
    with pytest.raises(RequestError, match=r"unknown host no-such-host\.invalid"):
        CollectingSink().poll(source(1, host="no-such-host.invalid"))


def ipv6_here() -> bool:
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as sock:
            sock.bind(("::1", 0))
    except OSError:
        return False
    return True


@pytest.mark.skipif(not ipv6_here(), reason="this machine has no IPv6")
def test_ipv6_master_is_asked_for_both_families() -> None:
    listed = [Address("127.0.0.1", 26000), Address("::1", 26001)]
    harvest = CollectingSink()
    with udp_master(lambda *_: encode_servers_response(listed, extended=True), host="::1") as master:
        assert harvest.poll(source(master, host="::1")) is None
    assert harvest.addresses == listed
    assert parse_master_request(master.requests[0]) == ServersRequest("Xonotic", 3, True, True, True, True, True)


@pytest.mark.skipif(not ipv6_here(), reason="this machine has no IPv6")
def test_second_address_is_not_awaited(monkeypatch: pytest.MonkeyPatch) -> None:
    harvest = CollectingSink()
    monkeypatch.setattr(udp_master_module, "resolve_host", lambda *_: ("::1", "127.0.0.1"))
    with (
        udp_master(lambda *_: encode_servers_response(SERVERS)) as master,
        socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as mute,
    ):
        mute.bind(("::1", master.port))
        began = time.monotonic()
        assert harvest.poll(source(master), replace(PATIENT, second_address_s=0.4)) is None
    assert time.monotonic() - began < LIMIT_S
    assert len(harvest.addresses) == 450
