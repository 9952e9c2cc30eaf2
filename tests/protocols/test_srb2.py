"""Sonic Robo Blast 2, SRB2Kart and Ring Racers: replies, lists, damaged ones.

The bytes are packed here as the games' own structures lay them out; no server of theirs was recorded.
"""

import struct
import zlib
from collections.abc import Sequence

import pytest

from browser_app.catalogue.reply_readers.server_info_readers import read_reply
from browser_app.catalogue.reply_readers.srb2_server_info import read_srb2_list
from browser_app.catalogue.server_info import QueryTarget, ServerInfo
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address
from browser_app.protocols.master_lists.described_list import DescribedListError
from browser_app.protocols.query_session import DONE, PARTIAL, PacketError, QueryParts
from browser_app.protocols.srb2 import JOINS_DISABLED, MAX_DATAGRAM_BYTES, SLOTS_FULL, Srb2Session, build_srb2_request

TARGET = QueryTarget(Address("192.0.2.7", 5029), "srb2", None, host_name="play.example.org")
TOKEN = zlib.crc32(b"token000")
SRB2 = struct.Struct("<BB16s5B24s4BII32s8s33s16sBB")
KART = struct.Struct("<BB16s9BII32s8s33s16sBB256s")
RING_RACERS = struct.Struct("<BB16sBB4s3B24s4BII32s33s16sBB256sh")
PLAYER = struct.Struct("<B22s4s3BIH")


def packet(kind: int, body: bytes) -> bytes:
    rest = bytes([0, 0, kind, 0]) + body
    return (0x1234567 + sum(place * byte for place, byte in enumerate(rest, 1))).to_bytes(4, "little") + rest


def file(name: bytes) -> bytes:
    return b"\x11\0\0\x10\0" + name + b"\0" + b"m" * 16


def srb2_info(
    token: int = TOKEN, version: int = 5, people: int = 5, refusal: int = 0, files: Sequence[bytes] = (), act: int = 1
) -> bytes:
    body = SRB2.pack(
        255, version, b"SRB2", 202, 15, people, 16, refusal, b"Co-op", bool(files), 0, 0x40, len(files), token,
        35 * 90, b"\x82Green \x80Hills", b"MAP01", b"GREENFLOWER", b"m" * 16, act, 1,
    )  # fmt: skip
    return packet(13, body + bytes(256 if version == 5 else 0) + b"".join(map(file, files)))


def kart_info(people: int = 3) -> bytes:
    body = KART.pack(
        255, 0, b"SRB2Kart", 1, 6, people, 16, 3, 0, 1, 2, 0, TOKEN, 0, b"x" * 32, b"MAPB1", b"", b"", 0, 0, b""
    )
    return packet(13, body)


def ring_racers_info(people: int = 1) -> bytes:
    body = RING_RACERS.pack(
        255, 0, b"RingRacers", 2, 3, b"\xde\xad\xbe\xef", people, 15, 1, b"Race", 0, 0, 1, 0, TOKEN, 0, b"Rig",
        b"Panic City", b"", 0, 0, b"https://example.org", -1,
    )  # fmt: skip
    return packet(13, body)


def players(*entries: tuple[bytes, int, int, int]) -> bytes:
    listed = [
        PLAYER.pack(place, name, b"", team, 0, 0, score, seconds)
        for place, (name, team, score, seconds) in enumerate(entries)
    ]
    return packet(14, b"".join(listed) + PLAYER.pack(255, b"", b"", 0, 0, 0, 0, 0) * (32 - len(listed)))


PLAYERS = players((b"Ann", 0, 1200, 61), (b"\x85Bob", 255, 0, 3), (b"B" * 22, 2, 7, 9), (b"Eve", 1, 0, 0))


def session() -> Srb2Session:
    started = Srb2Session()
    assert started.build_request(b"token000") == build_srb2_request(TOKEN)
    return started


def info_of(games: GameRegistry, info: bytes, listed: bytes = PLAYERS) -> ServerInfo:
    query = session()
    assert query.receive(info) is PARTIAL
    assert query.has_more
    assert query.receive(listed) is DONE
    assert query.answered_attempt == 0
    with pytest.raises(PacketError, match="unexpected"):
        query.receive(info)
    return read_reply(query.reply, TARGET, games)


def test_request_has_checksum() -> None:
    assert build_srb2_request(0x04030201) == bytes.fromhex("db452301 0000 0c00 00 01020304")


def test_srb2_reply_becomes_info(games: GameRegistry) -> None:
    info = info_of(games, srb2_info(files=(b"a.pk3", b"b.wad")))
    assert (info.game, info.name, info.map, info.version) == ("srb2", "Green Hills", "GREENFLOWER ZONE 1", "2.2.15")
    assert (info.players, info.spectators, info.bots, info.max_players) == (4, 1, None, 16)
    assert (info.mode, info.mode_name, info.password) == ("coop", "Co-op", False)
    assert (info.joinable, info.closed) == (None, False)
    assert (info.connect, info.coloured_name) == (Address("play.example.org", 5029), "\x82Green \x80Hills")
    assert info.player_list is not None
    assert [(each.name, each.team, each.score, each.duration_s, each.spectator) for each in info.player_list] == [
        ("Ann", None, 1200.0, 61.0, False),
        ("Bob", None, None, 3.0, True),
        ("B" * 22, 2, 7.0, 9.0, False),
        ("Eve", 1, 0.0, 0.0, False),
    ]
    assert dict(info.rules or {}) == {
        "map": "MAP01", "level_time": "90 s", "files": "a.pk3, b.wad", "modified": "yes", "cheats": "no",
        "dedicated": "yes",
    }  # fmt: skip


@pytest.mark.parametrize("version", [3, 4])
def test_older_srb2_servers_name_no_download(version: int, games: GameRegistry) -> None:
    info = info_of(games, srb2_info(version=version, files=(b"a.pk3",), act=0))
    assert (info.map, (info.rules or {})["files"]) == ("GREENFLOWER ZONE", "a.pk3")


def test_kart_reply_becomes_info(games: GameRegistry) -> None:
    info = info_of(games, kart_info())
    assert (info.game, info.name, info.map, info.version) == ("srb2kart", "x" * 32, "MAPB1", "1.6")
    assert (info.players, info.spectators, info.max_players, info.bots) == (2, 1, 16, None)
    assert (info.mode, info.mode_name, info.tags) == ("battle", "Battle", ("hard",))


def test_ring_racers_reply_becomes_info(games: GameRegistry) -> None:
    info = info_of(games, ring_racers_info(), players((b"Ann", 0, 1, 1), (b"Eggrobo", 0, 0, 1)))
    assert (info.game, info.name, info.map, info.version) == ("ringracers", "Rig", "Panic City", "2.3")
    assert (info.players, info.bots, info.spectators, info.joinable) == (1, 1, 0, False)
    assert (info.mode, info.tags) == ("race", ("gear 2",))


def test_full_server_cannot_be_joined(games: GameRegistry) -> None:
    for refusal, is_closed in ((JOINS_DISABLED, True), (SLOTS_FULL, False)):
        info = info_of(games, srb2_info(refusal=refusal))
        assert (info.joinable, info.closed) == (False, is_closed)
    assert info_of(games, srb2_info(refusal=3)).joinable is None  # we are banned, others are not
    full = info_of(games, kart_info(people=16))  # one of them watches
    assert (full.players, full.joinable, full.closed) == (15, False, None)


def test_datagrams_may_change_places(games: GameRegistry) -> None:
    query = session()
    assert query.receive(PLAYERS) is PARTIAL
    assert query.answered_attempt is None
    assert query.receive(srb2_info()) is DONE
    assert read_reply(query.reply, TARGET, games).spectators == 1


def test_missing_players_are_unknown(games: GameRegistry) -> None:
    query = session()
    assert query.receive(srb2_info()) is PARTIAL
    assert query.skip_current_part()
    assert not query.has_more
    info = read_reply(query.reply, TARGET, games)
    assert (info.players, info.spectators, info.player_list) == (5, None, None)


def test_players_alone_are_no_reply() -> None:
    query = session()
    assert query.receive(PLAYERS) is PARTIAL
    assert not query.skip_current_part()


def test_second_attempt_may_be_answered() -> None:
    query = session()
    query.build_request(b"token001")
    assert query.receive(srb2_info(zlib.crc32(b"token001"))) is PARTIAL
    with pytest.raises(PacketError, match="unexpected"):
        query.receive(srb2_info())
    assert query.receive(PLAYERS) is DONE
    assert query.answered_attempt == 1


def test_unwanted_parts_are_left_out(games: GameRegistry) -> None:
    query = session()
    query.receive(srb2_info())
    query.receive(PLAYERS)
    info = read_reply(query.reply, TARGET, games, QueryParts.INFO)
    assert (info.player_list, info.rules, info.spectators) == (None, None, 1)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "truncated"),
        (srb2_info()[:7], "truncated"),
        (srb2_info()[:-1] + b"x", "not this protocol"),
        (b"\0" + srb2_info()[1:], "not this protocol"),
        (packet(13, srb2_info()[8:-1]), "truncated"),
        (srb2_info(version=6), "unknown version"),
        (packet(13, b"\xc9" + bytes(200)), "unknown version"),  # as version 2.1 begins
        (srb2_info(token=7), "wrong token"),
        (packet(13, srb2_info(files=(b"a",))[8:-20]), "truncated"),
        (packet(14, b""), "not this protocol"),
        (packet(14, bytes(35)), "not this protocol"),
        (packet(9, b"Go away\0"), "not this protocol"),
        (PLAYERS + bytes(MAX_DATAGRAM_BYTES), "too large"),
    ],
)
def test_invalid_replies_are_refused(data: bytes, reason: str) -> None:
    query = session()
    with pytest.raises(PacketError, match=reason):
        query.receive(data)
    assert query.reply is None
    assert query.receive(srb2_info()) is PARTIAL


def listed(text: bytes, games: GameRegistry) -> list[Address | None]:
    found = list(read_srb2_list([text[:9], text[9:]], games, "srb2"))
    assert {(each.protocol, each.game) for each in found if each} <= {("srb2", "srb2")}
    return [None if each is None else each.address for each in found]


def test_list_of_rooms_names_addresses(games: GameRegistry) -> None:
    text = b"33\n192.0.2.7 5029 My%20Server v2.2.15\n2001:db8::7 5030 A v2.2.15\n\n28\n192.0.2.8 70000 B v2.2.15\n"
    assert listed(text, games) == [
        None, Address("192.0.2.7", 5029), Address("2001:db8::7", 5030), None, None, None, None,
    ]  # fmt: skip


def test_list_of_servers_names_addresses(games: GameRegistry) -> None:
    assert listed(b"192.0.2.7 5029 a%40b\n192.0.2.8 5030 \n", games)[:2] == [
        Address("192.0.2.7", 5029),
        Address("192.0.2.8", 5030),
    ]
    assert listed(b"\n", games) == [None, None]


@pytest.mark.parametrize("text", [b"Nothing to see here", b"{}\n", b"\xff\xfe\n", b"33\n"])
def test_other_documents_are_no_list(text: bytes, games: GameRegistry) -> None:
    with pytest.raises(DescribedListError, match="not a list"):
        listed(text, games)
