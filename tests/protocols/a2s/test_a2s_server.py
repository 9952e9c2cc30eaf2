"""Encoded replies are parsed to the same values, by python-a2s too."""

import io
from dataclasses import replace
from pathlib import Path

import pytest
from a2s.byteio import ByteReader  # type: ignore[import-untyped]  # python-a2s has no types
from a2s.info import InfoProtocol, SourceInfo  # type: ignore[import-untyped]
from a2s_samples import PLAIN_INFO
from goldsource_encoder import encode_goldsource_info
from hypothesis import given
from hypothesis import strategies as st
from recorded_data import expected_recordings
from recorded_packets import a2s_records, session_at

from browser_app.protocols.a2s.a2s import A2SInfo, A2SPlayer, TheShipInfo
from browser_app.protocols.a2s.a2s_parser import parse_info, parse_players, parse_rules
from browser_app.protocols.a2s.a2s_server import (
    A2SRequest,
    encode_info,
    encode_players,
    encode_rules,
    parse_a2s_request,
)
from browser_app.protocols.query_session import DONE, PacketError, QueryParts

TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=40)
BYTE = st.integers(0, 255)
LETTER = st.characters(max_codepoint=255)
PORT = st.none() | st.integers(0, 65535)
ID = st.integers(0, 2**64 - 1)

INFOS = st.builds(
    A2SInfo,
    *(BYTE, TEXT, TEXT, TEXT, TEXT, st.none() | st.integers(1, 65535), BYTE, BYTE, BYTE, LETTER, LETTER),
    *(st.booleans(), st.booleans(), TEXT, PORT, st.none() | ID, st.none(), st.none(), st.none() | TEXT),
)


@given(INFOS, st.integers(0, 65535), TEXT)
def test_source_info_round_trip(info: A2SInfo, port: int, spectator: str) -> None:
    if info.appid == 2400:
        info.the_ship = TheShipInfo(1, 2, 3)
    assert parse_info(encode_info(info)[4:]) == info
    relayed = replace(info, spectator_port=port, spectator_name=spectator)
    assert parse_info(encode_info(relayed)[4:]) == relayed


@given(INFOS, TEXT, st.just(b"") | st.binary(min_size=11, max_size=11).map(b"example.org\0\0".__add__))
def test_goldsource_round_trip(info: A2SInfo, address: str, mod: bytes) -> None:
    info = replace(info, appid=None, version=None, port=None, steam_id=None, keywords=None)
    assert parse_info(encode_goldsource_info(info, address, mod)[4:]) == info


def test_goldsource_omits_bots() -> None:
    whole = encode_goldsource_info(replace(PLAIN_INFO, bots=0))[4:]
    assert parse_info(whole[:-1]) == parse_info(whole)


def test_large_appid_in_game_id() -> None:
    info = parse_info(encode_info(replace(PLAIN_INFO, appid=892970))[4:])
    assert (info.appid, info.game_id) == (892970, 892970)


def test_appid_is_part_of_game_id() -> None:
    info = parse_info(encode_info(replace(PLAIN_INFO, appid=1, game_id=0x1234567802000A28))[4:])
    assert (info.appid, info.game_id) == (0xA28, 0x1234567802000A28)


def test_ship_needs_its_fields() -> None:
    ship = replace(PLAIN_INFO, appid=2400, the_ship=TheShipInfo(1, 2, 3))
    assert parse_info(encode_info(ship)[4:]) == ship
    with pytest.raises(PacketError, match="truncated info"):
        parse_info(encode_info(replace(ship, keywords=None, port=None, steam_id=None))[4:-5])


PLAYER = st.builds(A2SPlayer, TEXT, st.integers(-(2**31), 2**31 - 1), st.floats(-1e6, 1e6, width=32))


@given(st.lists(PLAYER, max_size=20).filter(lambda players: [p.name for p in players] != ["Max Players"]))
def test_players_round_trip(players: list[A2SPlayer]) -> None:
    assert parse_players(encode_players(players)[4:]) == tuple(players)


WORD = st.binary(max_size=20).map(lambda raw: raw.replace(b"\0", b""))


@given(st.dictionaries(WORD, WORD, max_size=30))
def test_rules_round_trip(rules: dict[bytes, bytes]) -> None:
    assert parse_rules(encode_rules(rules)[4:]) == rules


@pytest.mark.parametrize(
    ("data", "asked"),
    [
        (b"\xff\xff\xff\xffTSource Engine Query\0", A2SRequest(QueryParts.INFO, None)),
        (b"\xff\xff\xff\xffTSource Engine Query\0abcd", A2SRequest(QueryParts.INFO, b"abcd")),
        (b"\xff\xff\xff\xffU\xff\xff\xff\xff", A2SRequest(QueryParts.PLAYERS, None)),
        (b"\xff\xff\xff\xffU\0\0\0\0", A2SRequest(QueryParts.PLAYERS, b"\0\0\0\0")),
        (b"\xff\xff\xff\xffVabcd", A2SRequest(QueryParts.RULES, b"abcd")),
        (b"\xff\xff\xff\xffV", A2SRequest(QueryParts.RULES, None)),
    ],
)
def test_parse_requests(data: bytes, asked: A2SRequest) -> None:
    assert parse_a2s_request(data) == asked


@pytest.mark.parametrize("data", [b"", b"\xff\xff\xff\xff", b"\xff\xff\xff\xffi", b"\xff\xff\xff\xffTSource"])
def test_invalid_requests(data: bytes) -> None:
    with pytest.raises(PacketError):
        parse_a2s_request(data)


def test_python_a2s_agrees(data_dir: Path) -> None:
    """All values are equal but The Ship's version and some GoldSource order."""
    compared = 0
    for record in a2s_records(data_dir):
        if record.query != "info" or "the-ship" in record.kinds or "info-goldsource" in record.kinds:
            continue
        (data,) = record.datagrams
        theirs = InfoProtocol.deserialize_response(ByteReader(io.BytesIO(data[5:]), "<", "utf-8"), data[4], 0.0)
        assert isinstance(theirs, SourceInfo)
        session = session_at("info")
        assert session.receive(data) is DONE
        assert session.reply is not None
        ours = session.reply.info
        assert (ours.name, ours.map, ours.folder, ours.game, ours.version, ours.keywords) == (
            *(theirs.server_name, theirs.map_name, theirs.folder, theirs.game, theirs.version, theirs.keywords),
        )
        assert (ours.players, ours.max_players, ours.bots, ours.password, ours.vac) == (
            *(theirs.player_count, theirs.max_players, theirs.bot_count, theirs.password_protected),
            theirs.vac_enabled,
        )
        assert (ours.port, ours.steam_id, ours.game_id) == (theirs.port, theirs.steam_id, theirs.game_id)
        compared += 1
    assert compared >= expected_recordings(data_dir).a2s_compared
