"""OpenTTD, BZFlag, Armagetron, SuperTuxKart, Mumble: good and bad replies."""

from collections.abc import Callable
from contextlib import suppress

import pytest
from family_servers import exchanges

from browser_app.catalogue.reply_readers.server_info_readers import read_reply
from browser_app.catalogue.server_info import QueryTarget, ServerInfo
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols import armagetron
from browser_app.protocols.address import Address
from browser_app.protocols.armagetron import ArmagetronSession
from browser_app.protocols.bzflag import BzflagSession
from browser_app.protocols.mumble import MumbleSession
from browser_app.protocols.openttd.game_info import OpenTTDSession, encode_openttd_packet
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS
from browser_app.protocols.query_session import DONE, PARTIAL, PacketError, QueryParts, QuerySession
from browser_app.protocols.supertuxkart import SuperTuxKartSession

KART_REPLY = bytes.fromhex("00000006075269672053544b090031d70203000000")
"""As version 1.4 answered in the lobby."""
NO_GAMES = GameRegistry([])
SMALL, BIG = (each.replies[0] for each in exchanges("armagetron"))
((OPENTTD_REPLY,),) = (each.replies for each in exchanges("openttd"))
((BZFLAG_REPLY,),) = (each.replies for each in exchanges("bzflag"))
((MUMBLE_REPLY,),) = (each.replies for each in exchanges("mumble"))


def info_of(session: QuerySession, protocol: str) -> ServerInfo:
    target = QueryTarget(Address("192.0.2.1", 4000), protocol, None)
    assert session.reply is not None
    return read_reply(session.reply, target, NO_GAMES, QueryParts.ALL)


def session_after_first_reply() -> ArmagetronSession:
    session = ArmagetronSession()
    assert session.build_request(b"token000") == armagetron.build_armagetron_request(armagetron.SMALL_REQUEST)
    assert session.receive(SMALL) == armagetron.build_armagetron_request(armagetron.BIG_REQUEST)
    return session


def pinged() -> MumbleSession:
    session = MumbleSession()
    session.build_request(b"token000")
    return session


def test_openttd_info_is_read_in_parts() -> None:
    session = OpenTTDSession()
    assert session.build_request(b"token000") == exchanges("openttd")[0].request
    assert session.receive(OPENTTD_REPLY[:20]) is PARTIAL
    assert session.receive(OPENTTD_REPLY[20:]) is DONE
    found = info_of(session, "openttd")
    assert (found.name, found.map, found.mode, found.version) == ("Rig OTTD", "256×256", "0", "13.0")
    assert (found.players, found.spectators, found.max_players, found.password) == (0, 0, 25, False)
    assert dict(found.rules or {}) == {"companies": "0/15", "newgrfs": "0", "dedicated": "yes"}


@pytest.mark.parametrize(
    "head",
    [
        b"\1" + b"A\0" + b"1.0\0" + b"\0" + b"\1\x0a\3\1" + bytes(4) + b"map\0",
        b"\4" + b"\1" + b"GRF1" + bytes(16) + bytes(8) + b"\x0f\2\0" + b"A\0" + b"1.0\0" + b"\0" + b"\1\x0a\3\1\0",
        b"\7" + bytes(8) + b"\2" + bytes(4) + b"s\0" + b"\1" + bytes(4) + bytes(8) + b"\x0f\2\0" + b"A\0" + b"1.0\0"
        b"\1\x0a\3\1",
    ],
)  # fmt: skip
def test_openttd_versions_are_read(head: bytes) -> None:
    session = OpenTTDSession()
    assert session.receive(encode_openttd_packet(6, head + b"\0\2\0\1\3\0")) is DONE
    found = info_of(session, "openttd")
    assert (found.name, found.map, found.mode) == ("A", "512×256", "3")
    assert (found.players, found.spectators, found.max_players, found.password) == (2, 1, 10, True)
    rules = {} if head[0] == 1 else {"companies": "2/15", "newgrfs": "1"}
    assert found.rules == rules | {"dedicated": "no"}


def test_openttd_zeros_are_unknown() -> None:
    head = b"\1A\0" + b"1.0\0" + b"\0" + bytes(3) + b"\1" + bytes(4) + b"map\0"
    session = OpenTTDSession()
    assert session.receive(encode_openttd_packet(6, head + bytes(6))) is DONE
    found = info_of(session, "openttd")
    assert (found.players, found.max_players, found.map) == (0, None, "")


def test_bzflag_teams_are_counted() -> None:
    session = BzflagSession()
    assert session.build_request(b"token000") == exchanges("bzflag")[0].request
    data = bytearray(BZFLAG_REPLY)
    data[-18:-6] = bytes((1, 2, 3, 4, 0, 4, 0, 0, 0, 0, 2, 3))
    assert session.receive(bytes(data)) is DONE
    found = info_of(session, "bzflag")
    assert (found.players, found.spectators, found.max_players) == (4, 2, 10)
    assert (found.name, found.mode, found.version, found.tags) == ("", "1", "BZFS0221", ("jumping",))
    assert dict(found.rules or {}) == {
        "shots": "1",
        "rogue": "1/2",
        "red": "3/4",
        "green": "0/4",
        "observer": "2/3",
    }


def test_armagetron_is_woken_first() -> None:
    session = session_after_first_reply()
    with pytest.raises(PacketError, match="unexpected kind"):
        session.receive(SMALL)
    assert session.receive(BIG) is DONE
    found = info_of(session, "armagetron")
    assert (found.name, found.players, found.max_players, found.version) == (
        "Rig Arma",
        0,
        16,
        "0.2.9.1_alpha20230222",
    )
    assert (found.connect.port, found.player_list) == (4000, ())  # the queried port, not the reported 19534
    assert dict(found.rules or {})["options"] == "Rig rules"


def test_armagetron_names_are_read() -> None:
    session = session_after_first_reply()
    number, text = armagetron.encode_long_number, armagetron.encode_armagetron_text
    fields = (number(4534), text(""), text("Ünï"), number(2), number(0), number(17), text("0.4"), number(16))
    assert session.receive(b"\0\x33" + bytes(4) + b"".join(fields) + text("0xff0000Ann\nBøb\n")) is DONE
    found = info_of(session, "armagetron")
    assert (found.name, found.players) == ("Ünï", 2)
    assert [row.name for row in found.player_list or ()] == ["Ann", "Bøb"]


def test_armagetron_slots_are_bounded() -> None:
    session = session_after_first_reply()
    number, text = armagetron.encode_long_number, armagetron.encode_armagetron_text
    fields = (
        number(4534),
        text(""),
        text("A"),
        number(0),
        number(0),
        number(17),
        text("0.4"),
        number(60_000),
        text(""),
    )
    assert session.receive(b"\0\x33" + bytes(4) + b"".join(fields)) is DONE
    assert info_of(session, "armagetron").max_players is None


def test_small_reply_alone_is_incomplete() -> None:
    session = session_after_first_reply()
    assert not session.skip_current_part()
    assert session.build_request(b"token001") == armagetron.build_armagetron_request(armagetron.BIG_REQUEST)


def test_armagetron_has_a_min_interval() -> None:
    assert QUERY_PROTOCOLS["armagetron"].min_interval_s > 0.5


def test_kart_reply_is_read() -> None:
    session = SuperTuxKartSession()
    assert session.build_request(b"token000") == b"\x0astk-server"
    assert session.receive(KART_REPLY) is DONE
    found = info_of(session, "stk")
    assert (found.name, found.map, found.mode, found.tags) == ("Rig STK", "", "3", ("expert",))
    assert (found.players, found.max_players, found.password, found.connect.port) == (0, 9, False, 12759)


def test_mumble_token_identifies_attempt() -> None:
    session = pinged()
    session.build_request(b"token001")
    with pytest.raises(PacketError, match="wrong token"):
        session.receive(MUMBLE_REPLY[:4] + b"another0" + MUMBLE_REPLY[12:])
    assert session.receive(MUMBLE_REPLY[:4] + b"token001" + MUMBLE_REPLY[12:]) is DONE
    assert session.answered_attempt == 1
    found = info_of(session, "mumble")
    assert (found.name, found.version, found.players, found.max_players) == ("", "1.3.4", 0, 42)


def test_mumble_zeros_are_unknown() -> None:
    session = pinged()
    assert session.receive(MUMBLE_REPLY[:4] + b"token000" + bytes(12)) is DONE
    found = info_of(session, "mumble")
    assert (found.players, found.max_players, found.rules) == (0, None, {})


SESSIONS: dict[str, tuple[Callable[[], QuerySession], bytes]] = {
    "openttd": (OpenTTDSession, OPENTTD_REPLY),
    "bzflag": (BzflagSession, BZFLAG_REPLY),
    "armagetron": (session_after_first_reply, BIG),
    "stk": (SuperTuxKartSession, KART_REPLY),
    "mumble": (pinged, MUMBLE_REPLY),
}


@pytest.mark.parametrize("protocol", SESSIONS)
def test_damaged_replies_raise_only_packet_errors(protocol: str) -> None:
    new_session, whole = SESSIONS[protocol]
    for position in range(len(whole)):
        flipped = bytearray(whole)
        flipped[position] ^= 0x91
        for damaged in (whole[:position], bytes(flipped)):
            session = new_session()
            with suppress(PacketError):
                session.receive(damaged)
            if session.reply is not None:
                info_of(session, protocol)


@pytest.mark.parametrize("protocol", SESSIONS)
def test_second_reply_is_refused(protocol: str) -> None:
    new_session, whole = SESSIONS[protocol]
    session = new_session()
    assert session.receive(whole) is DONE
    with pytest.raises(PacketError, match="unexpected"):
        session.receive(whole)
