"""dpmaster's protocol: client, server, and the additions of Unvanquished's master."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser_app.protocols.address import Address
from browser_app.protocols.quake.dpmaster import encode_servers_request, is_valid_gamename, parse_servers_packet
from browser_app.protocols.quake.dpmaster_server import (
    MAX_PACKET_BYTES,
    ServersRequest,
    encode_servers_response,
    parse_master_request,
)
from browser_app.protocols.query_session import PacketError

PLAIN = b"\xff\xff\xff\xffgetserversResponse"
EXTENDED = b"\xff\xff\xff\xffgetserversExtResponse"
END = b"\\EOT\0\0\0"
SERVER = b"\\\x01\x02\x03\x04\x69\x87"
ADDRESS = Address("1.2.3.4", 27015)


@pytest.mark.parametrize(
    ("gamename", "protocol", "ipv6", "words"),
    [
        ("Xonotic", 3, False, b"getservers Xonotic 3 empty full"),
        ("Xonotic", "3", True, b"getserversExt Xonotic 3 empty full ipv4 ipv6"),
        ("", 68, False, b"getservers 68 empty full"),
        ("3DGame", 1, False, b"getservers 3DGame 1 empty full"),
    ],
)
def test_encode_requests(gamename: str, protocol: int | str, ipv6: bool, words: bytes) -> None:
    datagram = encode_servers_request(gamename, protocol, ipv6)
    assert datagram == b"\xff\xff\xff\xff" + words
    assert parse_master_request(datagram) == ServersRequest(gamename, int(protocol), is_extended=ipv6)


@pytest.mark.parametrize(
    ("gamename", "protocol", "ipv6"),
    [
        *(("", 68, True), ("two words", 3, False), ("71", 3, False), ("a\\b", 3, False), ("x" * 64, 3, False)),
        *(("Xonotic", "three", False), ("Xonotic", "", False), ("Xonotic", "3 full", False), ("a\n", 3, False)),
    ],
)
def test_invalid_requests(gamename: str, protocol: int | str, ipv6: bool) -> None:
    with pytest.raises(ValueError, match=r"game|protocol"):
        encode_servers_request(gamename, protocol, ipv6)


def test_game_names() -> None:
    assert is_valid_gamename("DarkPlaces-Quake")
    assert is_valid_gamename("0x")
    assert not any(map(is_valid_gamename, ("", "68", "-1", "a b", "naïve", "a;b", 'a"b', "a/b", "a%b")))


@pytest.mark.parametrize(
    ("data", "addresses", "end"),
    [
        (PLAIN + SERVER + END, (ADDRESS,), True),
        (PLAIN + END, (), True),
        (PLAIN, (), False),
        (PLAIN + SERVER, (ADDRESS,), False),
        (PLAIN + SERVER + b"\\EOT", (ADDRESS,), True),
        (PLAIN + SERVER + b"\\EOF", (ADDRESS,), True),
        (PLAIN + b"\\EOT\x69\x87" + b"\x01" + SERVER, (Address("69.79.84.105", 0x8701), ADDRESS), False),
        (PLAIN + b"\\\\/\\/\\\\" + SERVER, (Address("92.47.92.47", 0x5C5C), ADDRESS), False),
        (PLAIN + b"\\\x01\x02\x03\x04\0\0" + SERVER, (ADDRESS,), False),
        (PLAIN + b"\\\xff\xff\xff\xff\x69\x87" + SERVER, (ADDRESS,), False),
        (PLAIN + SERVER + b"\\\x01\x02", (ADDRESS,), False),
        (PLAIN + SERVER + b"junk" + SERVER, (ADDRESS,), False),
        (PLAIN + b"\n\0" + SERVER + END, (ADDRESS,), True),
        (PLAIN + b"\n" + SERVER + END, (ADDRESS,), True),
        (PLAIN + b" \\010203046987\\0a0B0c0d0001\\000000000000\\EOT", (ADDRESS, Address("10.11.12.13", 1)), True),
        (PLAIN + b"\\010203" + b"\\abcdef", (Address("48.49.48.50", 12339), Address("97.98.99.100", 25958)), False),
        (EXTENDED + b"/" + bytes(15) + b"\x01\x69\x87" + SERVER + END, (Address("::1", 27015), ADDRESS), True),
        (EXTENDED + b"/" + bytes(10) + b"\xff\xff\x01\x02\x03\x04\x69\x87", (ADDRESS,), False),
        (EXTENDED + b"/" + bytes(15) + b"\x01\x69", (), False),
    ],
)
def test_parse_lists(data: bytes, addresses: tuple[Address, ...], end: bool) -> None:
    packet = parse_servers_packet(data)
    assert packet.addresses == addresses
    assert packet.is_last is end
    assert (packet.index, packet.total) == (None, None)


def test_numbered_and_labelled_lists() -> None:
    packet = parse_servers_packet(EXTENDED + b"\x001\x002\0featured" + SERVER)
    assert (packet.index, packet.total, packet.addresses) == (1, 2, (ADDRESS,))
    packet = parse_servers_packet(EXTENDED + b"\x002\x002\0" + SERVER + END)
    assert (packet.index, packet.total, packet.is_last) == (2, 2, True)
    packet = parse_servers_packet(EXTENDED + b"\x001\x002" + SERVER)
    assert (packet.index, packet.total, packet.addresses) == (1, 2, (ADDRESS,))


def test_links_are_no_servers() -> None:
    packet = parse_servers_packet(EXTENDED + b"Links\x001\x001\0" + bytes(24))
    assert packet.addresses == ()
    assert not packet.is_last


@pytest.mark.parametrize("data", [b"", b"\xff\xff\xff\xff", b"\xff\xff\xff\xffgetservers", EXTENDED + b"\0x\0y\0"])
def test_invalid_lists(data: bytes) -> None:
    with pytest.raises(PacketError):
        parse_servers_packet(data)


IPV4 = st.builds(
    Address, st.ip_addresses(v=4).map(str).filter(lambda host: host != "255.255.255.255"), st.integers(1, 65535)
)
IPV6 = st.builds(
    Address,
    st.ip_addresses(v=6).filter(lambda ip: getattr(ip, "ipv4_mapped", None) is None).map(str),
    st.integers(1, 65535),
)


@given(st.lists(IPV4, max_size=500), st.booleans())
def test_plain_lists_round_trip(addresses: list[Address], end: bool) -> None:
    check_round_trip(addresses, extended=False, end=end)


@given(st.lists(IPV4 | IPV6, max_size=200), st.booleans())
def test_extended_lists_round_trip(addresses: list[Address], end: bool) -> None:
    check_round_trip(addresses, extended=True, end=end)


def check_round_trip(addresses: list[Address], extended: bool, end: bool) -> None:
    datagrams = encode_servers_response(addresses, extended=extended, end=end)
    packets = [parse_servers_packet(datagram) for datagram in datagrams]
    assert max(map(len, datagrams)) <= MAX_PACKET_BYTES
    assert [address for packet in packets for address in packet.addresses] == addresses
    assert [packet.is_last for packet in packets] == [False] * (len(packets) - 1) + [end]


def test_empty_list_has_dpmasters_length() -> None:
    assert [len(datagram) for datagram in encode_servers_response([])] == [29]


@pytest.mark.parametrize(
    ("words", "read"),
    [
        (b"getservers 68", ServersRequest("", 68, is_extended=False)),
        (b"getservers Xonotic 3 full\n", ServersRequest("Xonotic", 3, is_extended=False)),
        (b"getserversExt unv 86 empty ipv6", ServersRequest("unv", 86, is_extended=True)),
    ],
)
def test_parse_requests(words: bytes, read: ServersRequest) -> None:
    assert parse_master_request(b"\xff\xff\xff\xff" + words) == read


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"\xff\xff\xff\xff", b"getservers 68", b"\xff\xff\xff\xffgetinfo x", b"\xff\xff\xff\xffgetservers"),
        b"\xff\xff\xff\xffheartbeat QuakeArena-1\n",
        *(b"\xff\xff\xff\xffgetservers x y", b"\xff\xff\xff\xffgetserversExt 68", b"\xff\xff\xff\xff" + b" " * 3000),
    ],
)
def test_invalid_master_datagrams(data: bytes) -> None:
    with pytest.raises(PacketError):
        parse_master_request(data)
