import socket
import threading
import time
from dataclasses import replace

import pytest
from fake_masters import CollectingSink, UdpMaster, fake_lookups, udp_master
from timeouts import LIMIT_S

from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.masters import target_sink as target_sink_module
from browser_app.engine.masters import udp_master_client as udp_master_module
from browser_app.engine.masters.dpmaster_client import DpMaster
from browser_app.engine.masters.udp_master_client import UdpMasterTiming
from browser_app.engine.network import host_resolver as host_resolver_module
from browser_app.engine.network.address_rules import NetworkScope
from browser_app.engine.network.request_errors import RequestError
from browser_app.protocols.address import Address
from browser_app.protocols.quake.dpmaster_server import ServersRequest, encode_servers_response, parse_master_request

pytestmark = pytest.mark.slow

QUICK = UdpMasterTiming(
    requests_s=(0.0, 0.05, 0.1),
    no_answer_s=0.8,
    throttled_s=1.5,
    second_address_s=0.4,
    incomplete_s=0.5,
    complete_s=0.1,
)
PATIENT = UdpMasterTiming(requests_s=(0.0, LIMIT_S), no_answer_s=2 * LIMIT_S, incomplete_s=LIMIT_S, complete_s=0.1)
"""For masters that answer: even on a busy machine no request is repeated."""
DISCARD = 9
"""A port that is unused and that the system does not assign."""
SERVERS = [Address(f"127.0.{i // 250}.{i % 250 + 1}", 26000) for i in range(450)]


def source(master: UdpMaster | int, host: str = "127.0.0.1", gamename: str = "Xonotic") -> DpMaster:
    port = master if isinstance(master, int) else master.port
    return DpMaster(f"dpmaster://{host}:{port}", Address(host, port), gamename, 3, "darkplaces", "xonotic")


def poll(collector: CollectingSink, master: DpMaster, timing: UdpMasterTiming = QUICK) -> str | None:
    return master.poll(collector.sink, timing)


def test_list_arrives_in_batches() -> None:
    collector = CollectingSink()
    with udp_master(lambda *_: encode_servers_response(SERVERS)) as master:
        assert poll(collector, source(master), PATIENT) is None
    assert sorted(collector.addresses) == sorted(SERVERS)
    assert len(collector.batches) >= 3
    assert collector.batches[0][0] == QueryTarget(SERVERS[0], "darkplaces", "xonotic")
    assert parse_master_request(master.requests[0]) == ServersRequest("Xonotic", 3, False)
    assert len(master.requests) == 1


def test_game_without_name() -> None:
    collector = CollectingSink()
    with udp_master(lambda *_: encode_servers_response(SERVERS[:1])) as master:
        assert poll(collector, source(master, gamename=""), PATIENT) is None
    assert master.requests == [b"\xff\xff\xff\xffgetservers 3 empty full"]


def test_empty_list_is_no_error() -> None:
    collector = CollectingSink()
    with udp_master(lambda *_: encode_servers_response([])) as master:
        assert poll(collector, source(master)) is None
    assert collector.batches == []


def test_reordering_is_awaited() -> None:
    collector = CollectingSink()
    with udp_master(lambda *_: encode_servers_response(SERVERS)[::-1]) as master:
        assert poll(collector, source(master)) is None
    assert len(collector.addresses) == 450


def test_silence_repeats_request() -> None:
    collector = CollectingSink()
    with udp_master(lambda number, _: encode_servers_response(SERVERS) if number == 3 else []) as master:
        assert poll(collector, source(master)) is None
    assert len(collector.addresses) == 450


def test_silent_master_is_given_up() -> None:
    with udp_master(lambda *_: []) as master, pytest.raises(RequestError, match="no answer to 3 requests"):
        poll(CollectingSink(), source(master))
    assert len(master.requests) == 3


def test_silence_delays_little() -> None:
    with udp_master(lambda *_: []) as master:
        began = time.monotonic()
        with pytest.raises(RequestError, match="no answer to 3 requests"):
            source(master).poll(CollectingSink().sink)
        took_s = time.monotonic() - began
    assert 3.5 < took_s < LIMIT_S
    assert len(master.requests) == 3


def test_throttling_is_awaited() -> None:
    """A master that answered another request is sent a fourth one.

    A silent master is given up before that.
    """
    patient = replace(QUICK, requests_s=(0.0, 0.05, 0.1, 0.5))
    collector = CollectingSink()
    with udp_master(lambda number, _: encode_servers_response(SERVERS) if number == 4 else []) as master:
        collector.context.responding_masters.add(Address("127.0.0.1", master.port))
        assert source(master).poll(collector.sink, patient) is None
    assert len(collector.addresses) == 450


def test_answers_are_shared() -> None:
    collector = CollectingSink()
    with udp_master(lambda *_: encode_servers_response([])) as master:
        poll(collector, source(master))
    assert collector.context.responding_masters == {Address("127.0.0.1", master.port)}


def test_connection_refused() -> None:
    began = time.monotonic()
    with pytest.raises(RequestError, match="connection refused"):
        poll(CollectingSink(), source(DISCARD), PATIENT)
    assert time.monotonic() - began < LIMIT_S  # before the second request


def test_incomplete_list_is_repeated() -> None:
    collector = CollectingSink()
    with udp_master(lambda *_: encode_servers_response(SERVERS, end=False)[1:]) as master:
        assert poll(collector, source(master)) == "incomplete list"
    assert len(master.requests) == 2
    assert len(collector.addresses) == 450 - 196


def test_second_request_fills_gaps() -> None:
    collector = CollectingSink()
    with udp_master(
        lambda number, _: encode_servers_response(SERVERS)[:2] if number == 1 else encode_servers_response(SERVERS)
    ) as master:
        assert poll(collector, source(master)) is None
    assert len(collector.addresses) == 450


def test_numbers_reveal_gaps() -> None:
    head = b"\xff\xff\xff\xffgetserversExtResponse\0%d\0" + b"2\0" + b"\\\x7f\0\0%c\x65\x90"
    end = b"\\EOT\0\0\0"
    collector = CollectingSink()
    with udp_master(lambda *_: [head % (2, 2) + end]) as master:
        assert poll(collector, source(master)) == "incomplete list"
    with udp_master(lambda *_: [head % (2, 2) + end, head % (1, 1)]) as master:
        assert poll(collector, source(master)) is None
    assert sorted(collector.addresses) == [("127.0.0.1", 26000), ("127.0.0.2", 26000)]


def test_garbage_is_not_silence() -> None:
    garbage = [b"\xff\xff\xff\xffprint\nno such command\n", b"", b"\xff" * 60_000]
    with udp_master(lambda *_: garbage) as master, pytest.raises(RequestError, match="not a server list"):
        poll(CollectingSink(), source(master))


def test_truncation_keeps_records() -> None:
    collector = CollectingSink()
    with udp_master(lambda *_: [encode_servers_response(SERVERS[:3])[0][:-10]]) as master:
        assert poll(collector, source(master)) == "incomplete list"
    assert collector.addresses == SERVERS[:2]


def test_other_senders_are_dropped() -> None:
    collector = CollectingSink()
    with (
        udp_master(lambda *_: encode_servers_response(SERVERS), reply_host="127.0.0.2") as master,
        pytest.raises(RequestError, match="no answer"),
    ):
        poll(collector, source(master))
    assert collector.batches == []


def test_private_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    lies = [Address(host, 26000) for host in ("10.0.0.1", "127.0.0.1", "169.254.1.1", "224.0.0.1", "240.0.0.1")]
    good = [Address("8.8.8.8", 26000), Address("9.9.9.9", 1)]
    with udp_master(lambda *_: encode_servers_response([*lies, *good, Address("8.8.4.4", 0)])) as master:
        collector = CollectingSink()
        assert poll(collector, source(master)) is None
        assert collector.addresses == [*lies[:3], *good]
        monkeypatch.setattr(udp_master_module, "network_scope", lambda _: NetworkScope.INTERNET)
        collector = CollectingSink()
        assert poll(collector, source(master)) is None
        assert collector.addresses == good


def test_endless_list_ends() -> None:
    collector = CollectingSink()
    with udp_master(lambda *_: encode_servers_response(SERVERS, end=False) * 5) as master:
        assert poll(collector, source(master)) == "incomplete list"
    assert len(collector.addresses) == 450


def test_repeating_master_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(target_sink_module, "MAX_REJECTED_ENTRIES", 1_000)
    collector = CollectingSink()
    with udp_master(lambda *_: encode_servers_response(SERVERS, end=False) * 5) as master:
        assert poll(collector, source(master)) is None
    assert collector.sink.omission_messages == ["list cut off after 1\u202f000 entries without a server"]
    assert len(collector.addresses) == 450


def test_server_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(target_sink_module, "MAX_SERVERS_PER_MASTER", 100)
    collector = CollectingSink()
    with udp_master(lambda *_: encode_servers_response(SERVERS)) as master:
        assert poll(collector, source(master)) is None
    assert collector.sink.omission_messages == ["list cut off after 100 servers"]
    assert collector.addresses == SERVERS[:100]


def test_cancel_ends_at_once() -> None:
    collector = CollectingSink()
    with udp_master(lambda *_: []) as master:
        threading.Timer(0.1, collector.cancel_token.cancel).start()
        began = time.monotonic()
        with pytest.raises(RequestError):
            poll(collector, source(master), PATIENT)
    assert time.monotonic() - began < LIMIT_S


def test_unknown_host() -> None:
    with pytest.raises(RequestError, match=r"host name no-such-host\.invalid cannot be resolved"):
        poll(CollectingSink(), source(1, host="no-such-host.invalid"))


def ipv6_here() -> bool:
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as sock:
            sock.bind(("::1", 0))
    except OSError:
        return False
    return True


@pytest.mark.skipif(not ipv6_here(), reason="this machine has no IPv6")
def test_ipv6_master_lists_both() -> None:
    listed = [Address("127.0.0.1", 26000), Address("::1", 26001)]
    collector = CollectingSink()
    with udp_master(lambda *_: encode_servers_response(listed, extended=True), host="::1") as master:
        assert poll(collector, source(master, host="::1")) is None
    assert collector.addresses == listed
    assert parse_master_request(master.requests[0]) == ServersRequest("Xonotic", 3, True)


def test_name_with_near_address(monkeypatch: pytest.MonkeyPatch) -> None:
    fake_lookups(monkeypatch, {"list.example": [["127.0.0.1", "127.0.0.5"]]})
    scopes = {"127.0.0.1": NetworkScope.THIS_MACHINE, "127.0.0.5": NetworkScope.INTERNET}
    monkeypatch.setattr(host_resolver_module, "network_scope", scopes.__getitem__)
    collector = CollectingSink()
    with udp_master(lambda *_: encode_servers_response(SERVERS[:1]), host="127.0.0.5") as master:
        assert poll(collector, source(master, host="list.example"), PATIENT) is None
    assert collector.addresses == SERVERS[:1]


@pytest.mark.skipif(not ipv6_here(), reason="this machine has no IPv6")
def test_second_address_not_awaited(monkeypatch: pytest.MonkeyPatch) -> None:
    collector = CollectingSink()
    monkeypatch.setattr(udp_master_module, "resolve_host", lambda *_: ("::1", "127.0.0.1"))
    with (
        udp_master(lambda *_: encode_servers_response(SERVERS)) as master,
        socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as mute,
    ):
        mute.bind(("::1", master.port))
        began = time.monotonic()
        assert poll(collector, source(master), replace(PATIENT, second_address_s=0.4)) is None
    assert time.monotonic() - began < LIMIT_S
    assert len(collector.addresses) == 450
