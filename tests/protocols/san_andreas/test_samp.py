"""SA-MP, open.mp and VC:MP queries: exchanges, code pages, damage, recordings."""

import struct
from contextlib import suppress

import pytest
from family_servers import exchanges

from browser_app.catalogue.reply_readers.san_andreas_server_info import read_samp_reply
from browser_app.catalogue.server_info import QueryTarget
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address
from browser_app.protocols.query_session import DONE, PacketError, QueryParts
from browser_app.protocols.san_andreas.samp import VCMP, SampPlayer, SampSession, decode_samp_text

SERVER = Address("192.0.2.7", 7777)
HEADER = b"SAMP\xc0\x00\x02\x07\x61\x1e"
ALL = QueryParts.ALL


def text(raw: bytes, size: str = "<I") -> bytes:
    return struct.pack(size, len(raw)) + raw


def info(players: int = 3, name: bytes = b"{ff0000}Los Santos") -> bytes:
    return struct.pack("<?HH", True, players, 50) + text(name) + text(b"RP") + text(b"English")


PLAYERS = struct.pack("<H", 2) + text(b"One", "<B") + struct.pack("<i", -5) + text(b"Two", "<B") + struct.pack("<i", 7)
RULES = struct.pack("<H", 2) + b"".join(text(each, "<B") for each in (b"mapname", b"Here", b"version", b"omp 1.5"))


def test_parts_are_requested_in_turn() -> None:
    session = SampSession(ALL, SERVER)
    assert session.build_request(b"token000") == HEADER + b"i"
    assert session.receive(HEADER + b"i" + info()) == HEADER + b"c"
    with pytest.raises(PacketError, match="unexpected kind"):
        session.receive(HEADER + b"i" + info())
    assert session.receive(HEADER + b"c" + PLAYERS) == HEADER + b"r"
    assert session.receive(HEADER + b"r" + RULES) is DONE
    assert session.reply is not None
    assert session.reply.player_list == (SampPlayer(b"One", -5), SampPlayer(b"Two", 7))
    assert session.reply.rules == {b"mapname": b"Here", b"version": b"omp 1.5"}
    with pytest.raises(PacketError, match="unexpected"):
        session.receive(HEADER + b"r" + RULES)


def test_players_above_limit_are_not_requested() -> None:
    session = SampSession(ALL, SERVER)
    assert session.receive(HEADER + b"i" + info(players=101)) == HEADER + b"r"


def test_missing_part_is_skipped() -> None:
    session = SampSession(QueryParts.INFO | QueryParts.PLAYERS, SERVER)
    assert session.receive(HEADER + b"i" + info()) == HEADER + b"c"
    assert session.skip_current_part()
    assert not session.has_more
    assert session.request_more(QueryParts.RULES)
    assert session.build_request(b"token000") == HEADER + b"r"
    nothing = SampSession(ALL, SERVER)
    assert not nothing.skip_current_part()
    assert not nothing.has_more


def test_ping_echoes_our_bytes() -> None:
    session = SampSession(QueryParts.INFO, SERVER)
    session.build_request(b"Token000")
    probe = session.build_ping_probe()
    assert probe == HEADER + b"pToke"
    assert session.is_probe_reply(probe)
    assert not session.is_probe_reply(HEADER + b"pxxxx")


def test_other_servers_replies_are_rejected() -> None:
    session = SampSession(ALL, SERVER)
    for header in (b"SAMP\xc0\x00\x02\x08\x61\x1e", b"VCMP" + HEADER[4:], HEADER[:9]):
        with pytest.raises(PacketError):
            session.receive(header + b"i" + info())


def test_vcmp_has_its_own_magic_and_version() -> None:
    session = SampSession(ALL, SERVER, VCMP)
    assert session.build_request(b"token000") == b"VCMP" + HEADER[4:] + b"i"
    players_request = session.receive(b"MP04" + HEADER[4:] + b"i" + b"04rel006\0\0\0\0" + info())
    assert players_request == b"VCMP" + HEADER[4:] + b"c"
    names = struct.pack("<H", 2) + text(b"One", "<B") + text(b"Two", "<B")
    assert session.receive(b"MP04" + HEADER[4:] + b"c" + names) is DONE
    assert session.reply is not None
    assert (session.reply.version, session.reply.players) == (b"04rel006", 3)
    assert session.reply.player_list == (SampPlayer(b"One", None), SampPlayer(b"Two", None))
    found = read_samp_reply(session.reply, QueryTarget(SERVER, "vcmp", None), GameRegistry([]), ALL)
    assert [row.score for row in found.player_list or ()] == [None, None]


@pytest.mark.parametrize(
    ("shown", "code_page"),
    [("Ünïcode", "utf-8"), ("Россия RP", "cp1251"), ("Überfall für alle", "cp1252"), ("Сервер", "utf-8")],
)
def test_code_page_is_guessed(shown: str, code_page: str) -> None:
    assert decode_samp_text(shown.encode(code_page)) == shown


def test_code_page_of_user_is_not_guessed() -> None:
    session = SampSession(ALL, SERVER)
    name = "Zażółć gęślą jaźń"
    players = struct.pack("<H", 1) + text("Łukasz".encode("cp1250"), "<B") + struct.pack("<i", 0)
    rules = struct.pack("<H", 1) + text(b"mapname", "<B") + text("Łódź".encode("cp1250"), "<B")
    for datagram in (b"i" + info(name=name.encode("cp1250")), b"c" + players, b"r" + rules):
        session.receive(HEADER + datagram)
    assert session.reply is not None
    target = QueryTarget(SERVER, "samp", None)
    assert read_samp_reply(session.reply, target, GameRegistry([]), ALL).name != name
    found = read_samp_reply(session.reply, target._replace(code_page="cp1250"), GameRegistry([]), ALL)
    assert (found.name, found.map) == (name, "Łódź")
    assert [player.name for player in found.player_list or ()] == ["Łukasz"]
    assert (found.rules or {})["mapname"] == "Łódź"


def test_reply_becomes_a_server() -> None:
    session = SampSession(ALL, SERVER)
    for datagram in (HEADER + b"i" + info(), HEADER + b"c" + PLAYERS, HEADER + b"r" + RULES):
        session.receive(datagram)
    assert session.reply is not None
    found = read_samp_reply(session.reply, QueryTarget(SERVER, "samp", None), GameRegistry([]), ALL)
    assert (found.name, found.map, found.mode, found.version, found.tags) == (
        "Los Santos",
        "Here",
        "RP",
        "omp 1.5",
        ("English",),
    )
    assert (found.players, found.bots, found.spectators, found.max_players, found.password) == (3, None, None, 50, True)
    assert [row.score for row in found.player_list or ()] == [-5.0, 7.0]


def test_damaged_replies_raise_only_packet_errors() -> None:
    for number, whole in enumerate((HEADER + b"i" + info(), HEADER + b"c" + PLAYERS, HEADER + b"r" + RULES)):
        for position in range(len(whole)):
            flipped = bytearray(whole)
            flipped[position] ^= 0x91
            for damaged in (whole[:position], bytes(flipped)):
                session = SampSession(ALL, SERVER)
                for datagram in (HEADER + b"i" + info(), HEADER + b"c" + PLAYERS)[:number]:
                    session.receive(datagram)
                with suppress(PacketError):
                    session.receive(damaged)


def test_recorded_open_mp_replies_are_read() -> None:
    replies = {each.what: each.replies[0] for each in exchanges("samp-openmp")}
    session = SampSession(ALL, Address("127.0.0.1", int.from_bytes(replies["opcode i"][8:10], "little")))
    for opcode in "icr":
        session.receive(replies[f"opcode {opcode}"])
    assert session.reply is not None
    found = read_samp_reply(session.reply, QueryTarget(SERVER, "samp", None), GameRegistry([]), ALL)
    assert (found.name, found.mode, found.tags, found.version) == (
        "Rig open.mp ü",
        "Rig RP",
        ("English",),
        "omp 1.5.8.0",
    )
    assert (found.players, found.max_players, found.player_list) == (0, 50, ())
