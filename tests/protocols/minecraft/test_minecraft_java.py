"""Minecraft Java's status: packets, documents, recorded and damaged replies."""

import json
from contextlib import suppress

import pytest
from family_servers import exchanges
from hypothesis import given
from hypothesis import strategies as st

from browser_app.catalogue.reply_readers.server_info_readers import read_reply
from browser_app.catalogue.server_info import QueryTarget
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address
from browser_app.protocols.minecraft.java import (
    JavaSession,
    JavaStatus,
    decode_varint,
    encode_java_packet,
    encode_java_ping,
    encode_java_status_request,
    encode_varint,
    parse_java_status,
    split_java_packet,
)
from browser_app.protocols.query_session import DONE, PARTIAL, PacketError, QueryParts

SERVER = Address("192.0.2.1", 25565)
DOCUMENT = {
    "version": {"name": "§a1.20.4", "protocol": 765},
    "players": {"max": 20, "online": 31, "sample": [{"name": "Alice"}, {"name": "§bBob"}, 1, {}]},
    "description": {"text": "§aRig", "extra": [" of\n", {"text": "MC", "extra": [["!"]]}]},
    "favicon": "data:image/png;base64," + "A" * 400,
}


def status_body(document: object) -> bytes:
    text = json.dumps(document).encode()
    return b"\0" + encode_varint(len(text)) + text


@given(st.integers(0, 2**32 - 1))
def test_numbers_are_read_back(value: int) -> None:
    encoded = encode_varint(value)
    assert decode_varint(b"x" + encoded + b"y", 1) == (value, 1 + len(encoded))
    assert decode_varint(encoded[:-1]) is None
    with pytest.raises(PacketError, match="invalid number"):
        decode_varint(b"\xff" * 5)


def test_request_names_the_server() -> None:
    assert encode_java_status_request("127.0.0.1", 25599) == bytes.fromhex(
        "1300ffffffff0f093132372e302e302e3163ff010100"
    )
    assert JavaSession(Address("127.0.0.1", 25599)).build_request(b"token000") == encode_java_status_request(
        "127.0.0.1", 25599
    )


@pytest.mark.parametrize("size", [1, 7, 4096])
def test_reply_may_come_in_any_parts(size: int) -> None:
    session = JavaSession(SERVER)
    session.build_request(b"token000")
    stream = encode_java_packet(status_body(DOCUMENT))
    steps = [session.receive(stream[first : first + size]) for first in range(0, len(stream), size)]
    assert steps[:-1] == [PARTIAL] * (len(steps) - 1)
    assert steps[-1] is DONE
    assert session.reply == JavaStatus("§aRig of\nMC!", "§a1.20.4", 31, 20, ("Alice", "§bBob"))
    assert session.build_ping_probe() == b"\x09\x01token000"
    pong = encode_java_ping(b"token000")
    answers = [session.is_probe_reply(pong[first : first + size]) for first in range(0, len(pong), size)]
    assert answers == [False] * (len(answers) - 1) + [True]


def test_foreign_pong_is_no_probe_reply() -> None:
    session = JavaSession(SERVER)
    session.build_request(b"token000")
    session.build_ping_probe()
    assert not session.is_probe_reply(encode_java_ping(b"token001"))


def test_status_becomes_a_server() -> None:
    target = QueryTarget(SERVER, "minecraft", None)
    info = read_reply(parse_java_status(status_body(DOCUMENT)), target, GameRegistry([]), QueryParts.ALL)
    assert (info.name, info.map, info.version) == ("Rig of MC!", "", "1.20.4")
    assert (info.players, info.bots, info.spectators, info.max_players) == (31, None, None, 20)
    assert (info.password, info.player_list, info.connect) == (None, None, SERVER)
    assert dict(info.rules or {}) == {"version": "1.20.4", "sample": "Alice, Bob"}


@pytest.mark.parametrize("description", [None, 1, [], {}, {"extra": "x" * 9}, "x" * 100_000, [[[[["x"]]]]]])
def test_missing_values_are_unknown(description: object) -> None:
    status = parse_java_status(status_body({"description": description, "players": {"max": -1, "online": True}}))
    assert (status.players, status.max_players, status.version, status.sample) == (None, None, "", ())
    assert len(status.name) <= 4096


def test_number_of_values_is_limited() -> None:
    with pytest.raises(PacketError):
        parse_java_status(status_body({"description": [0] * 30_000}))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\1",
        b"\0",
        b"\0\x05{}",
        status_body([]),
        status_body("x"),
        b"\0\x01{",
        b"\0" + encode_varint(6) + b'{"a":1',
    ],
)
def test_other_bodies_are_rejected(body: bytes) -> None:
    with pytest.raises(PacketError):
        parse_java_status(body)


def test_deep_documents_are_bounded() -> None:
    for text in ("[" * 50_000, '{"description":' * 5_000 + "1" + "}" * 5_000):
        with suppress(PacketError):
            parse_java_status(b"\0" + encode_varint(len(text)) + text.encode())
    nested: object = "x"
    for _level in range(40):
        nested = {"extra": [nested]}
    assert parse_java_status(status_body({"description": nested})).name == ""


def test_small_parts_are_not_copied_again() -> None:
    session = JavaSession(SERVER)
    session.receive(encode_varint(128 * 1024))
    received = session._received
    session.receive(b"\0")
    assert session._received is received


def test_packet_length_is_limited() -> None:
    for length in (0, 128 * 1024 + 1, 2**31):
        with pytest.raises(PacketError):
            split_java_packet(encode_varint(length) + b"x")
    with pytest.raises(PacketError, match="too large"):
        JavaSession(SERVER).receive(b"\xff" * 4 + b"\x07")


def test_damaged_replies_raise_only_packet_errors() -> None:
    whole = encode_java_packet(status_body(DOCUMENT))
    for position in range(len(whole)):
        flipped = bytearray(whole)
        flipped[position] ^= 0x91
        for damaged in (whole[:position], bytes(flipped)):
            with suppress(PacketError):
                JavaSession(SERVER).receive(damaged)


def test_recorded_statuses_are_read() -> None:
    found = []
    for each in exchanges("minecraft-java"):
        if each.what.startswith("handshake"):
            session = JavaSession(SERVER)
            assert session.receive(each.replies[0]) is DONE
            found.append(session.reply)
    assert found == [
        JavaStatus("Rig flying-squid", "1.16.1", 0, 10, ()),
        JavaStatus("§aRig §lMC§r", "1.20.4", 3, 20, ("Alice", "Bob")),
    ]
