"""Master servers of Teeworlds 0.7: handshake, parts of the list and damaged ones."""

from collections.abc import Sequence
from contextlib import suppress
from ipaddress import IPv6Address

import pytest
from fake_masters import CollectingSink, udp_master
from hypothesis import given, settings
from hypothesis import strategies as st
from timeouts import LIMIT_S

from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.masters.address_lists import UDP_LIST_KINDS, UdpListMaster
from browser_app.engine.masters.master_kinds import master_url_problem, parse_master_source
from browser_app.engine.masters.udp_master_client import UdpMasterTiming
from browser_app.engine.network.request_errors import RequestError
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address
from browser_app.protocols.query_session import PacketError
from browser_app.protocols.teeworlds.teeworlds_master import LIST_REPLY, LIST_REQUEST, TeeworldsMasterExchange

PATIENT = UdpMasterTiming(requests_s=(0.0, LIMIT_S), no_answer_s=2 * LIMIT_S, incomplete_s=LIMIT_S, complete_s=0.1)
QUICK = UdpMasterTiming(requests_s=(0.0,), no_answer_s=0.2)
MASTER_TOKEN = b"mast"
SERVERS = [Address(f"127.0.0.{n}", 8303) for n in range(1, 101)]


def token_reply(request: bytes) -> bytes:
    return b"\x04\0\0" + request[8:12] + b"\x05" + MASTER_TOKEN


def list_part(own_token: bytes, servers: Sequence[Address]) -> bytes:
    records = b"".join(
        IPv6Address(f"::ffff:{host}" if "." in host else host).packed + port.to_bytes(2, "big")
        for host, port in servers
    )
    return b"\x21" + own_token + MASTER_TOKEN + LIST_REPLY + records


def replies(_number: int, request: bytes) -> list[bytes]:
    """Answer like a master: nothing without its token."""
    if request.startswith(b"\x04\0\0\xff\xff\xff\xff\x05") and len(request) >= 512:
        return [token_reply(request), token_reply(request)]
    own_token = request[5:9]
    if request != b"\x21" + MASTER_TOKEN + own_token + LIST_REQUEST:
        return []
    forged = list_part(b"\0\0\0\0", [Address("127.0.0.250", 1)])
    return [forged, list_part(own_token, SERVERS[:75]), b"\x21", list_part(own_token, SERVERS[75:]) + b"odd"]


def test_list_follows_token() -> None:
    collector = CollectingSink()
    with udp_master(replies) as master:
        source = parse_master_source(f"teeworlds+udp://127.0.0.1:{master.port}", GameRegistry([]))
        assert isinstance(source, UdpListMaster)
        assert source.poll(collector.sink, PATIENT) is None
    assert collector.addresses == SERVERS
    assert collector.batches[0][0] == QueryTarget(SERVERS[0], "teeworlds07", None)
    assert len(master.requests) == 2


def test_master_without_list_is_reported() -> None:
    with udp_master(lambda _number, request: [token_reply(request)]) as master:
        source = UdpListMaster("", Address("127.0.0.1", master.port), UDP_LIST_KINDS[0])
        with pytest.raises(RequestError):
            source.poll(CollectingSink().sink, QUICK)
    assert 2 <= len(master.requests) <= 3


@pytest.mark.parametrize(
    "url", ["teeworlds+udp://h", "teeworlds+udp://h:1/x", "teeworlds+udp://h:1?x", "teeworlds://h:1"]
)
def test_other_urls_are_refused(url: str) -> None:
    assert master_url_problem(url) is not None


def test_addresses_of_both_families() -> None:
    exchange = TeeworldsMasterExchange(b"ownt")
    assert exchange.receive(token_reply(exchange.build_request())) is None
    servers = [Address("192.0.2.7", 8303), Address("2001:db8::7", 8304)]
    data = list_part(b"ownt", [*servers, Address("192.0.2.8", 0)])
    assert exchange.receive(data) == tuple(servers)
    for bad in (data[:16], data.replace(MASTER_TOKEN, b"----"), token_reply(b"\0" * 8 + b"ownt")):
        with pytest.raises(PacketError):
            exchange.receive(bad)


@settings(max_examples=60)
@given(st.data())
def test_damaged_datagrams_raise_nothing_else(data: st.DataObject) -> None:
    exchange = TeeworldsMasterExchange(b"ownt")
    for whole in (token_reply(exchange.build_request()), list_part(b"ownt", SERVERS[:2])):
        at = data.draw(st.integers(0, len(whole) - 1))
        changed = whole[:at] + bytes([data.draw(st.integers(0, 255))]) + whole[at + 1 :]
        for damaged in (whole[:at], changed, whole):
            with suppress(PacketError):
                exchange.receive(damaged)
