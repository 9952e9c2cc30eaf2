"""Minecraft Bedrock queries: recorded and damaged replies, tokens."""

from contextlib import suppress

import pytest
from family_servers import exchanges

from browser_app.catalogue.reply_readers.server_info_readers import read_reply
from browser_app.catalogue.server_info import QueryTarget
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address
from browser_app.protocols.minecraft.bedrock import (
    OFFLINE_MESSAGE_ID,
    BedrockReply,
    BedrockSession,
    parse_bedrock_reply,
)
from browser_app.protocols.query_session import DONE, PacketError, QueryParts

TEXT = "MCPE;§aRig Bedrock;748;1.21.40;31;12;1234;Second;Survival;1;19133;19134;"


def pong(text: str = TEXT, token: bytes = b"token000") -> bytes:
    body = text.encode()
    return b"\x1c" + token + bytes(8) + OFFLINE_MESSAGE_ID + len(body).to_bytes(2, "big") + body


def asked(*tokens: bytes) -> BedrockSession:
    session = BedrockSession()
    for token in tokens:
        datagram = session.build_request(token)
        assert (datagram[:1], datagram[1:9], datagram[9:25], len(datagram)) == (b"\x01", token, OFFLINE_MESSAGE_ID, 33)
    return session


def test_token_identifies_attempt() -> None:
    session = asked(b"first000", b"second00")
    with pytest.raises(PacketError, match="wrong token"):
        session.receive(pong(token=b"third000"))
    assert session.receive(pong(token=b"second00")) is DONE
    assert session.answered_attempt == 1
    with pytest.raises(PacketError, match="unexpected"):
        session.receive(pong(token=b"first000"))


def test_reply_becomes_a_server() -> None:
    _token, reply = parse_bedrock_reply(pong())
    target = QueryTarget(Address("8.8.8.8", 19132), "bedrock", None)
    info = read_reply(reply, target, GameRegistry([]), QueryParts.ALL)
    assert (info.name, info.map, info.version, info.mode, info.mode_name) == (
        "Rig Bedrock",
        "Second",
        "1.21.40",
        "survival",
        "Survival",
    )
    assert (info.players, info.bots, info.spectators, info.max_players) == (31, None, None, 12)
    assert (info.connect, info.password, info.player_list) == (target.address, None, None)


@pytest.mark.parametrize(
    ("host", "queried", "joined"),
    [
        ("192.168.1.5", 19132, 19133),
        ("fe80::1", 19132, 19133),
        ("192.168.1.5", 25565, 25565),
        ("8.8.8.8", 19132, 19132),
        ("8.8.8.8", 25565, 25565),
    ],
)
def test_reported_port_counts_on_local_network_alone(host: str, queried: int, joined: int) -> None:
    _token, reply = parse_bedrock_reply(pong())
    info = read_reply(reply, QueryTarget(Address(host, queried), "bedrock", None), GameRegistry([]), QueryParts.ALL)
    assert info.connect == Address(host, joined)


def test_missing_fields_are_unknown() -> None:
    _token, reply = parse_bedrock_reply(pong("MCEE;Rig;748;1.21.40;0;12"))
    assert reply == BedrockReply("MCEE", "Rig", "1.21.40", 0, 12, "", "", "", None)
    for port in ("0", "65536", "x", "²"):
        assert parse_bedrock_reply(pong(f"MCPE;Rig;748;1;0;12;1;2;3;4;{port};"))[1].game_port is None


@pytest.mark.parametrize("text", ["", "MCPE;Rig;748;1;0", "XXXX;Rig;748;1;0;12", "MCPE;Rig;748;1;-1;12", "MCPE;;;;;"])
def test_other_texts_are_rejected(text: str) -> None:
    with pytest.raises(PacketError):
        parse_bedrock_reply(pong(text))


def test_damaged_replies_raise_only_packet_errors() -> None:
    whole = pong()
    for position in range(len(whole)):
        flipped = bytearray(whole)
        flipped[position] ^= 0x91
        with suppress(PacketError):
            parse_bedrock_reply(bytes(flipped))
        with pytest.raises(PacketError):
            parse_bedrock_reply(whole[:position])


def test_recorded_replies_are_read() -> None:
    for each in exchanges("minecraft-bedrock"):
        token, reply = parse_bedrock_reply(each.replies[0])
        assert token == each.request[1:9]
        assert (reply.name, reply.version, reply.max_players, reply.mode) == ("Rig Bedrock", "1.21.40", 12, "survival")
