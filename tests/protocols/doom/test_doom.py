"""Zandronum, Odamex and Chocolate Doom: replies, compression, masters."""

import json
import random
import struct
from collections.abc import Callable

import pytest
from family_servers import exchanges
from recorded_data import ADDED, data_folders

from browser_app.protocols.address import Address
from browser_app.protocols.doom import odamex, zandronum
from browser_app.protocols.doom.chocolate_doom import ChocolateDoomReply, ChocolateDoomSession
from browser_app.protocols.doom.doom_masters import (
    ODAMEX_LIST,
    ZANDRONUM_LIST_REQUEST,
    parse_chocolate_list,
    parse_odamex_list,
    parse_zandronum_list,
)
from browser_app.protocols.doom.doom_server import (
    encode_odamex_reply,
    encode_zandronum_refusal,
    encode_zandronum_reply,
    parse_odamex_request,
    parse_zandronum_request,
)
from browser_app.protocols.doom.odamex import OdamexPlayer, OdamexReply, OdamexSession, parse_odamex_reply
from browser_app.protocols.doom.zandronum import (
    Fields,
    ZandronumPlayer,
    ZandronumRefusal,
    ZandronumReply,
    ZandronumSession,
    parse_zandronum_reply,
)
from browser_app.protocols.doom.zandronum_huffman import MAX_DECOMPRESSED_BYTES, compress, decompress
from browser_app.protocols.query_session import DONE, PacketError

ZANDRONUM = ZandronumReply(
    "3.2 on Linux", "Rig", "http://rig.example/", "MAP01", 16, 8, ("a.wad", "b.pk3"), 12, is_instagib=True,
    game_name="DOOM II", iwad="doom2.wad", password=False, join_password=True, skill=3,
    limits={"fraglimit": 20, "timelimit": 10, "minutes left": 7}, player_count=2, has_teams=True, team_count=2,
    players=(
        ZandronumPlayer("\x1cgBo", -3, 40, is_spectator=False, is_bot=False, team=1, minutes=12),
        ZandronumPlayer("Grunt", 5, 0, is_spectator=False, is_bot=True, team=None, minutes=0),
    ),
    optional_wads=frozenset({1}), patches=("x.deh",), country="SWE", mode_name="Capture the Flag",
)  # fmt: skip
ODAMEX = OdamexReply(
    "10.6.0", "stable", {"sv_hostname": "Rig", "sv_gametype": "3", "sv_timelimit": "10"}, True, "MAP02", 7, ("x.deh",),
    ("odamex.wad", "doom2.wad", "c.wad"), (OdamexPlayer("Bo", 1, 40, 12, False, -3),),
)  # fmt: skip


def test_zandronum_reply_is_parsed() -> None:
    session = ZandronumSession()
    session.build_request(b"token000")
    asked = parse_zandronum_request(session.build_request(b"token001"))
    assert session.receive(encode_zandronum_reply(ZANDRONUM, asked.token)) is DONE
    assert (session.reply, session.answered_attempt) == (ZANDRONUM, 1)
    with pytest.raises(PacketError, match="unexpected"):
        session.receive(encode_zandronum_reply(ZANDRONUM, asked.token))


@pytest.mark.parametrize("is_banned", [False, True])
def test_zandronum_refusal_is_an_answer(is_banned: bool) -> None:
    session = ZandronumSession()
    asked = parse_zandronum_request(session.build_request(b"token000"))
    with pytest.raises(PacketError, match="wrong token"):
        session.receive(encode_zandronum_refusal(asked.token ^ 1, is_banned=is_banned))
    assert session.receive(encode_zandronum_refusal(asked.token, is_banned=is_banned)) is DONE
    assert session.reply == ZandronumRefusal(is_banned)


def test_odamex_reply_is_parsed() -> None:
    session = OdamexSession()
    token = parse_odamex_request(session.build_request(b"token000"))
    with pytest.raises(PacketError, match="wrong token"):
        session.receive(encode_odamex_reply(ODAMEX, token ^ 1))
    assert session.receive(encode_odamex_reply(ODAMEX, token)) is DONE
    assert (session.reply, session.answered_attempt) == (ODAMEX, 0)


def test_recorded_chocolate_doom_server() -> None:
    (query,) = exchanges("chocolate-doom")
    session = ChocolateDoomSession()
    assert session.build_request(b"token000") == query.request
    assert session.receive(query.replies[0]) is DONE
    assert session.reply == ChocolateDoomReply("Chocolate Doom 3.0.0", 0, 0, 8, "Rig Choco")


@pytest.mark.further_recordings
def test_recorded_servers_of_both_ports() -> None:
    replies = [parse_zandronum_reply(data)[1] for data in recorded("zandronum")]
    names = [reply.name if isinstance(reply, ZandronumReply) else "" for reply in replies]
    assert names == ["Rig Zan", "", "Rig Zan", "Rig Zan"]
    version, info = (parse_odamex_reply(data)[1] for data in recorded("odamex")[:2])
    assert version == odamex.OdamexVersion("10.6.0")
    assert isinstance(info, OdamexReply)
    assert (info.variables["sv_hostname"], info.map, info.wads) == ("Rig Oda", "MAP01", ("ODAMEX.WAD", "FREEDOOM2.WAD"))


def recorded(name: str) -> list[bytes]:
    text = (data_folders()[ADDED] / "families" / f"{name}.jsonl").read_text("utf-8")
    return [bytes.fromhex(row["response_hex"]) for row in map(json.loads, text.splitlines()) if row["response_hex"]]


def test_compression_is_that_of_the_game() -> None:
    assert decompress(bytes.fromhex("066812f1522701")) == bytes.fromhex(
        "7c5d56000200"
    )  # a game's request to its master
    assert compress(bytes.fromhex("7c5d56000200")) == bytes.fromhex("066812f1522701")
    rng = random.Random(7)
    for data in (b"\0", bytes(range(256)), b"DOOM II" * 50, rng.randbytes(500)):
        assert decompress(compress(data)) == data
        assert len(compress(data)) <= len(data) + 1


@pytest.mark.parametrize("data", [b"", b"\0", b"\x08\0", b"\x03\xff", bytes(MAX_DECOMPRESSED_BYTES + 1)])
def test_damaged_compression_is_rejected(data: bytes) -> None:
    with pytest.raises(PacketError):
        decompress(data)


@pytest.mark.parametrize(
    ("parse", "data"),
    [
        (parse_zandronum_reply, b"\xff" + decompress(encode_zandronum_reply(ZANDRONUM, 7))),
        (parse_odamex_reply, encode_odamex_reply(ODAMEX, 7)),
    ],
)
def test_cut_off_replies_are_rejected(parse: Callable[[bytes], object], data: bytes) -> None:
    parse(data)
    for end in range(len(data)):
        with pytest.raises(PacketError):
            parse(data[:end])


def test_unknown_fields_are_rejected() -> None:
    plain = bytearray(decompress(encode_zandronum_reply(ZANDRONUM, 7)))
    flags = 8 + len("3.2 on Linux") + 1
    plain[flags + 1] |= 0x80
    with pytest.raises(PacketError, match="unknown field"):
        parse_zandronum_reply(b"\xff" + bytes(plain))


@pytest.mark.parametrize("fields", [Fields.PLAYERS, Fields.TEAM_SCORES | Fields.PLAYER_COUNT])
def test_fields_without_their_count_are_rejected(fields: Fields) -> None:
    head = struct.pack("<2I", zandronum.ACCEPTED, 7) + b"3.2\0"
    with pytest.raises(PacketError, match="missing count"):
        parse_zandronum_reply(b"\xff" + head + struct.pack("<I", fields) + bytes(40))


def test_zandronum_list_has_blocks_of_ports() -> None:
    assert decompress(ZANDRONUM_LIST_REQUEST) == bytes.fromhex("7c5d56000200")
    block = b"\x02\xc0\0\2\x07\xaa\x29\xab\x29" + b"\x01\xc0\0\2\x08\0\0"
    part = parse_zandronum_list(compress(b"\6\0\0\0\0\x08" + block + b"\0\x07"))
    assert (part.addresses, part.is_last) == ((Address("192.0.2.7", 10666), Address("192.0.2.7", 10667)), False)
    assert parse_zandronum_list(compress(b"\6\0\0\0\1\x02")).is_last


@pytest.mark.parametrize("data", [b"\4\0\0\0", b"\6\0\0\0\0\x09", b"\6\0\0\0\0\x08\x02\xc0\0\2", b""])
def test_other_zandronum_datagrams_are_rejected(data: bytes) -> None:
    with pytest.raises(PacketError):
        parse_zandronum_list(b"\xff" + data)


def test_odamex_list_is_one_datagram() -> None:
    servers = b"\xc0\0\2\x07\xaa\x29" + b"\xc0\0\2\x08\xab\x29"
    found = parse_odamex_list(ODAMEX_LIST + b"\2\0" + servers)
    assert found.addresses == (Address("192.0.2.7", 10666), Address("192.0.2.8", 10667))
    for data in (b"", ODAMEX_LIST + b"\3\0" + servers, servers):
        with pytest.raises(PacketError):
            parse_odamex_list(data)


def test_chocolate_list_is_text() -> None:
    found = parse_chocolate_list(b"\0\x03192.0.2.7:2342\0nonsense\x00192.0.2.8:2343\x00192.0.2.9")
    assert found.addresses == (Address("192.0.2.7", 2342), Address("192.0.2.8", 2343))
    with pytest.raises(PacketError):
        parse_chocolate_list(b"\0\x02")
