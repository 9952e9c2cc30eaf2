"""Lists of OpenTTD, BZFlag and SuperTuxKart: entries, codes, other documents."""

from collections.abc import Sequence

import pytest

from browser_app.catalogue.reply_readers.bzflag_server_info import read_bzflag_list
from browser_app.catalogue.reply_readers.openttd_server_info import read_openttd_list
from browser_app.catalogue.reply_readers.supertuxkart_server_info import read_supertuxkart_list
from browser_app.catalogue.server_info import DescribedServer
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address
from browser_app.protocols.master_lists.described_list import DescribedListError
from browser_app.protocols.openttd.coordinator import LISTING, LISTING_REQUEST, NEWGRF_LOOKUP
from browser_app.protocols.openttd.game_info import encode_openttd_packet
from browser_app.protocols.server_code import code_address

NO_GAMES = GameRegistry([])
GAME_INFO = bytes((6, 1)) + bytes(14) + b"\x0f\2\0Rig\x0014.1\0\1\x19\3\1\0\1\0\2\2\1"
SETTINGS = "0001002800030000000000000000" + "0000" + "14" + "0105" + "0205" + "0000" * 3 + "0103"


def listing(*connections: str) -> bytes:
    entries = b"".join(text.encode() + b"\0" + GAME_INFO for text in connections)
    return encode_openttd_packet(LISTING, len(connections).to_bytes(2, "little") + entries)


def openttd(*chunks: bytes) -> list[DescribedServer | None]:
    return list(read_openttd_list(chunks, NO_GAMES))


def test_listing_names_addresses_and_codes() -> None:
    assert LISTING_REQUEST[2:5] == b"\4\6\7"
    stream = listing("192.0.2.7:3979", "+AbC1") + encode_openttd_packet(NEWGRF_LOOKUP, b"x") + listing("?") + listing()
    found = openttd(stream[:50], stream[50:])
    servers = [server for server in found if server is not None]
    assert [(server.target.address, server.target.protocol) for server in servers] == [
        (Address("192.0.2.7", 3979), "openttd"),
        (code_address("openttd", "+AbC1"), "listed"),
    ]
    assert len(found) == 4
    info = servers[0].info
    assert (info.name, info.map, info.players, info.spectators, info.password) == ("Rig", "256×512", 2, 1, True)


@pytest.mark.parametrize(
    ("stream", "reason"),
    [
        (listing("192.0.2.7:3979"), "incomplete"),
        (b"", "incomplete"),
        (b"<html></html>", "not a list|incomplete"),
        (encode_openttd_packet(0, b"\1"), "not a list"),
        (b"\1\0\5", "not a list"),
        (encode_openttd_packet(LISTING, b"\1\0+A\0" + GAME_INFO[:-2]), "truncated"),
    ],
)
def test_other_streams_are_reported(stream: bytes, reason: str) -> None:
    with pytest.raises(DescribedListError, match=reason):
        openttd(stream)


def bzflag(*lines: str) -> Sequence[DescribedServer | None]:
    return list(read_bzflag_list(["\n".join(lines).encode()], NO_GAMES))


def test_bzflag_lines_are_read() -> None:
    found = bzflag("TOKEN: none", f"bz.example:5155 BZFS0221 {SETTINGS} 192.0.2.7 Two Tanks  CTF", "")
    (server,) = filter(None, found)
    assert (server.target.address, server.target.protocol) == (Address("192.0.2.7", 5155), "bzflag")
    info = server.info
    assert (info.name, info.mode, info.tags) == ("Two Tanks CTF", "1", ("jumping", "ricochet"))
    assert (info.players, info.spectators, info.max_players) == (3, 1, 10)


@pytest.mark.parametrize(
    "line",
    [
        f"h:99999 BZFS0221 {SETTINGS} 192.0.2.7 t",
        f"h BZFS0221 {SETTINGS} 192.0.2.7 t",
        f"h:5154 BZFS0221 {SETTINGS}00 192.0.2.7 t",
        f"h:5154 other {SETTINGS} 192.0.2.7 t",
        f"h:5154 BZFS0221 {SETTINGS} 0.0.0.0 t",
    ],
)
def test_bad_bzflag_lines_list_nothing(line: str) -> None:
    assert bzflag("NOTICE: x", line) == [None, None]
    with pytest.raises(DescribedListError, match="not a list"):
        bzflag(line)


def kart(attributes: str, players: str = "") -> str:
    return f"<server><server-info {attributes}/><players>{players}</players></server>"


def karts(*servers: str, head: str = "") -> list[DescribedServer | None]:
    document = f'{head}<list success="yes"><servers>{"".join(servers)}</servers></list>'.encode()
    return list(read_supertuxkart_list([document[:40], document[40:]], NO_GAMES))


KART = 'ip="3221225991" port="2760" max_players="8" current_players="2" game_mode="0" difficulty="1" name="A &amp; B"'


def test_kart_servers_are_listed() -> None:
    more = ' game_started="1" password="1" current_track="hacienda"'
    (server,) = karts(kart(KART + more, '<player-info username="Ann"/><player-info username="Bo"/>'))
    assert server is not None
    assert (server.target.address, server.target.protocol) == (Address("192.0.2.7", 2760), "listed")
    info = server.info
    assert (info.name, info.map, info.tags, info.connect) == (
        "A & B",
        "hacienda",
        ("intermediate",),
        Address("192.0.2.7", 2760),
    )
    assert (info.players, info.max_players, info.password, info.joinable) == (2, 8, True, False)
    assert [row.name for row in info.player_list or ()] == ["Ann", "Bo"]


def test_missing_kart_values_are_unknown() -> None:
    (server,) = karts(kart(KART.replace("game_mode", "x").replace("difficulty", "y") + ' game_started="1"'))
    assert server is not None
    info = server.info
    assert (info.mode, info.tags, info.password, info.joinable) == (None, (), None, None)
    (server,) = karts(kart(KART))
    assert server is not None
    assert dict(server.info.rules or {}) == {}


@pytest.mark.parametrize("encoding", ["foo", "idna", "utf-7", "shift_jis"])
def test_declared_encoding_does_not_matter(encoding: str) -> None:
    (server,) = karts(kart(KART), head=f'<?xml version="1.0" encoding="{encoding}"?>')
    assert server is not None


def test_kart_entries_without_server_are_skipped() -> None:
    assert karts(kart(""), kart(KART.replace("2760", "0")), kart(KART.replace("3221225991", "99999999999"))) == [
        None,
        None,
        None,
    ]
    assert karts() == []


@pytest.mark.parametrize(
    ("head", "server"),
    [
        ('<!DOCTYPE a [<!ENTITY b "c">]>', ""),
        ("", "<unclosed>"),
        ("", "&undefined;"),
        ("", "<!-- " + "x" * 90_000 + "-->"),
    ],
)
def test_other_documents_are_refused(head: str, server: str) -> None:
    with pytest.raises(DescribedListError):
        karts(server, head=head)
