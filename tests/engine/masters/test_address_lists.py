"""Lists of addresses alone: of masters over UDP, and Quake II's on the web."""

import pytest
from fake_masters import CollectingSink, Page, udp_master, web_server
from timeouts import LIMIT_S

from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.masters.address_lists import UdpListMaster
from browser_app.engine.masters.master_kinds import parse_master_source
from browser_app.engine.masters.udp_master_client import UdpMasterTiming
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address, parse_address
from browser_app.protocols.master_lists import described_list
from browser_app.protocols.master_lists.described_list import DescribedListError
from browser_app.protocols.quake.quake_master_lists import (
    QUAKE2_LIST,
    QUAKEWORLD_LIST,
    parse_address_list,
    parse_web_list,
)
from browser_app.protocols.query_session import PacketError

PATIENT = UdpMasterTiming(requests_s=(0.0, LIMIT_S), no_answer_s=2 * LIMIT_S, incomplete_s=LIMIT_S, complete_s=0.1)
SERVERS = [Address("127.0.0.1", 27500), Address("127.0.0.2", 0x0A0A)]
RECORDS = b"".join(bytes(map(int, host.split("."))) + port.to_bytes(2, "big") for host, port in SERVERS)
HEAD = b"\xff\xff\xff\xff"


@pytest.mark.parametrize(
    ("scheme", "protocol", "request_bytes", "header"),
    [
        ("quakeworld", "quakeworld", b"c\n\0", HEAD + b"d\n"),
        ("hexenworld", "hexenworld", b"\xffc\0", b"\xff" + HEAD + b"d\n"),
        ("quake2", "quake2", b"query\n\0", HEAD + b"servers "),
        ("quake2", "quake2", b"query\n\0", HEAD + b"servers\n"),
        ("quetoo", "quake2", HEAD + b"getservers 2027", HEAD + b"servers "),
    ],
)
def test_masters_get_their_own_requests(scheme: str, protocol: str, request_bytes: bytes, header: bytes) -> None:
    collector = CollectingSink()
    with udp_master(lambda _number, _request: [header + RECORDS + b"cut"]) as master:
        source = parse_master_source(f"{scheme}+udp://127.0.0.1:{master.port}", GameRegistry([]))
        assert isinstance(source, UdpListMaster)
        assert source.poll(collector.sink, PATIENT) is None
    assert collector.addresses == SERVERS
    assert collector.batches[0][0] == QueryTarget(SERVERS[0], protocol, None)
    assert master.requests == [request_bytes]


@pytest.mark.parametrize(
    ("scheme", "request_bytes", "reply"),
    [
        (
            "zandronum",
            b"\xff\x7c\x5d\x56\0\2\0",
            b"\xff\6\0\0\0\0\x08" + b"\1\x7f\0\0\1\x6c\x6b" + b"\1\x7f\0\0\2\x0a\x0a" + b"\0\2",
        ),
        ("odamex", b"\xa3\xdb\x0b\0", b"\xa3\xdb\x0b\0\2\0" + b"\x7f\0\0\1\x6c\x6b" + b"\x7f\0\0\2\x0a\x0a"),
        ("chocolate-doom", b"\0\2", b"\0\x03127.0.0.1:27500\x00127.0.0.2:2570\0"),
    ],
)
def test_doom_masters_are_queried(scheme: str, request_bytes: bytes, reply: bytes) -> None:
    collector = CollectingSink()
    with udp_master(lambda _number, _request: [reply]) as master:
        source = parse_master_source(f"{scheme}+udp://127.0.0.1:{master.port}", GameRegistry([]))
        assert isinstance(source, UdpListMaster)
        assert source.poll(collector.sink, PATIENT) is None
    assert collector.batches[0] == [QueryTarget(server, scheme, None) for server in SERVERS]
    assert master.requests == [request_bytes]


def test_impossible_addresses_are_left_out() -> None:
    data = HEAD + b"d\n" + b"\xff\xff\xff\xff\x6b\x6c" + b"\x7f\0\0\1\0\0" + RECORDS
    assert list(parse_address_list(data, QUAKEWORLD_LIST)) == SERVERS


@pytest.mark.parametrize("data", [b"", HEAD, HEAD + b"n\\a\\b\n", HEAD + b"d", b"servers "])
def test_other_datagrams_are_rejected(data: bytes) -> None:
    for list_format in (QUAKEWORLD_LIST, QUAKE2_LIST):
        with pytest.raises(PacketError, match="not this protocol"):
            parse_address_list(data, list_format)


@pytest.mark.parametrize("document", [RECORDS, b"127.0.0.1:27500\n127.0.0.2:2570\r\n"])
def test_web_list_has_two_forms(document: bytes) -> None:
    assert list(parse_web_list([document[:5], document[5:]])) == SERVERS


def test_useless_lines_of_web_list_are_counted() -> None:
    assert list(parse_web_list([b"127.0.0.1:27500\nhello\n0.0.0.0:27910\n"])) == [SERVERS[0], None, None]


def test_large_web_list_is_read_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []

    def parse(text: str, default_port: int | None) -> Address:
        parsed.append(text)
        return parse_address(text, default_port)

    monkeypatch.setattr(described_list, "parse_address", parse)
    assert next(parse_web_list([b"127.0.0.1:27500\n" * 1_000])) == SERVERS[0]
    assert len(parsed) == 1


def test_web_list_is_read_over_http() -> None:
    collector = CollectingSink()
    with web_server({"/": Page(RECORDS)}) as web:
        parse_master_source(f"quake2+http://127.0.0.1:{web.port}/?raw=2", GameRegistry([])).poll(collector.sink)
    assert collector.batches[0] == [QueryTarget(server, "quake2", None) for server in SERVERS]


@pytest.mark.parametrize("document", [b"", b"no list", b"<html>\xe4</html>", RECORDS[:-1]])
def test_other_documents_are_no_web_list(document: bytes) -> None:
    with pytest.raises(DescribedListError):
        list(parse_web_list([document]))
