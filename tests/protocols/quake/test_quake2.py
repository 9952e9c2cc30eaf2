"""Quake II and the games on its engine: status replies and damaged ones."""

import pytest

from browser_app.protocols.quake.infostring import MAX_REPLY_BYTES
from browser_app.protocols.quake.quake2 import (
    MAX_PLAYER_LINES,
    PING_REPLY,
    STATUS_HEADER,
    STATUS_REQUEST,
    Quake2Session,
    parse_quake2_reply,
)
from browser_app.protocols.query_session import DONE, PacketError

INFO = b"\\hostname\\Rig\\mapname\\q2dm1\\maxclients\\8\n"


def test_status_is_parsed() -> None:
    session = Quake2Session()
    assert session.build_request(b"token000") == STATUS_REQUEST
    assert session.receive(STATUS_HEADER + INFO + b'-2 45 "R\xe1zor"\n0 0 "B0t" \n7 12 "x" "192.0.2.1:27901"\n') is DONE
    assert session.reply is not None
    assert session.reply.info == {"hostname": "Rig", "mapname": "q2dm1", "maxclients": "8"}
    assert [(each.name, each.score, each.ping) for each in session.reply.players] == [
        ("R\ue0e1zor", -2, 45), ("B0t", 0, 0), ("x", 7, 12),
    ]  # fmt: skip
    with pytest.raises(PacketError, match="unexpected"):
        session.receive(STATUS_HEADER + INFO)


def test_quetoo_lines_are_infostrings() -> None:
    data = b"\xff\xff\xff\xffstatus\n\\sv_hostname\\Rig\\sv_max_clients\\8\n\\score\\3\\ping\\50\\name\\Bo\n"
    reply = parse_quake2_reply(data + b"\\score\\1\\ping\\0\\name\\Grunt\\ai\\1\n\\score\\x\\ping\\0\n\\\n")
    assert [(each.name, each.score, each.is_bot) for each in reply.players] == [("Bo", 3, False), ("Grunt", 1, True)]


def test_ping_has_its_own_reply() -> None:
    session = Quake2Session()
    assert session.build_ping_probe() == b"\xff\xff\xff\xffping\n"
    assert session.is_probe_reply(PING_REPLY)
    assert not session.is_probe_reply(STATUS_HEADER + INFO)


def test_number_of_players_is_bounded() -> None:
    assert len(parse_quake2_reply(STATUS_HEADER + INFO + b'1 2 "n"\n' * 500).players) == MAX_PLAYER_LINES


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not this protocol"),
        (PING_REPLY, "not this protocol"),
        (STATUS_HEADER + b"Server is full.\n", "no infostring"),
        (STATUS_HEADER + INFO.rstrip(), "truncated infostring"),
        (STATUS_HEADER + b"\\a\\" + b"x" * MAX_REPLY_BYTES, "too large"),
    ],
)
def test_damaged_replies_are_rejected(data: bytes, reason: str) -> None:
    with pytest.raises(PacketError, match=reason):
        parse_quake2_reply(data)
