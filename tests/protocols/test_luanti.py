"""Luanti's ping: greetings and disconnects."""

import pytest

from browser_app.protocols.luanti import LuantiGreeting, LuantiSession, build_disconnect
from browser_app.protocols.query_session import DONE, PacketError

RECORDED_GREETING = bytes.fromhex("4f45740300010003ffdc00010002")
DISCONNECT = bytes.fromhex("4f4574030002000003")


def test_greeting_ends_the_query() -> None:
    session = LuantiSession()
    assert session.build_request(b"token000") == bytes.fromhex("4f45740300000001")
    assert session.receive(RECORDED_GREETING) is DONE
    assert session.reply == LuantiGreeting(b"\0\2")
    with pytest.raises(PacketError, match="unexpected"):
        session.receive(RECORDED_GREETING)


def test_disconnect_names_the_peer() -> None:
    assert build_disconnect(RECORDED_GREETING) == DISCONNECT
    assert build_disconnect(RECORDED_GREETING[:-2] + b"\xab\xcd") == DISCONNECT.replace(b"\0\2\0", b"\xab\xcd\0")


def test_damaged_greetings_are_rejected() -> None:
    for position in range(len(RECORDED_GREETING)):
        damaged = bytearray(RECORDED_GREETING)
        damaged[position] ^= 0x91
        for data in (RECORDED_GREETING[:position], bytes(damaged)):
            if data[:8] + data[10:12] == RECORDED_GREETING[:8] + RECORDED_GREETING[10:12] and len(data) == 14:
                continue  # sequence number and peer id may be any
            assert build_disconnect(data) is None
            with pytest.raises(PacketError):
                LuantiSession().receive(data)
