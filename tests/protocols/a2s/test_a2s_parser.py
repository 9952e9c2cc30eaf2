"""A2S players and rules that are truncated, wrap around or are hidden."""

import math
import struct

import pytest

from browser_app.protocols.a2s.a2s import A2SPlayer
from browser_app.protocols.a2s.a2s_parser import MAX_PLAYERS, parse_players, parse_rules
from browser_app.protocols.a2s.a2s_server import encode_players, encode_rules
from browser_app.protocols.query_session import PacketError


def players_body(players: list[A2SPlayer]) -> bytes:
    return encode_players(players)[4:]


def crowd(size: int) -> list[A2SPlayer]:
    return [A2SPlayer(f"Player {number}", number, float(number)) for number in range(size)]


@pytest.mark.parametrize("size", [0, 1, 255, 256, 300, 600])
def test_player_count_wraps_around(size: int) -> None:
    players = parse_players(players_body(crowd(size)))
    assert players == tuple(crowd(size))


def test_player_limit() -> None:
    assert parse_players(players_body(crowd(MAX_PLAYERS + 300))) == tuple(crowd(MAX_PLAYERS))


def test_trailing_bytes_are_ignored() -> None:
    body = players_body(crowd(2)) + players_body(crowd(3))[2:]
    assert parse_players(body) == tuple(crowd(2))


def test_truncation_keeps_rows() -> None:
    body = players_body(crowd(3))
    assert parse_players(body[:-1]) == tuple(crowd(2))


def test_missing_players_are_unknown() -> None:
    assert parse_players(b"D\x05") is None
    assert parse_players(b"D\x00") == ()


def test_hidden_row_is_no_player() -> None:
    assert parse_players(players_body([A2SPlayer("Max Players", 20, 3.5)])) is None
    both = [A2SPlayer("Max Players", 20, 3.5), A2SPlayer("Ann", 1, 2.0)]
    assert parse_players(players_body(both)) == tuple(both)


@pytest.mark.parametrize("duration", [math.nan, math.inf, -math.inf, 3e38])
def test_bad_duration_is_nan(duration: float) -> None:
    players = parse_players(b"D\x01\0Ann\0" + struct.pack("<if", 1, duration))
    assert players is not None
    assert math.isnan(players[0].duration_s)


def test_ship_adds_deaths() -> None:
    crew = [A2SPlayer("Ann", 1, 2.0, 3, 2500), A2SPlayer("Bob", 4, 5.0, 6, -1)]
    assert parse_players(players_body(crew), the_ship=True) == tuple(crew)
    assert parse_players(players_body(crew)[:-8], the_ship=True) == (crew[0], A2SPlayer("Bob", 4, 5.0))


def test_rules_are_bytes_in_order() -> None:
    rules = {b"z": b"1", b"a": b"\x01\x02\xff", b"": b"", b"b": b""}
    assert parse_rules(encode_rules(rules)[4:]) == rules
    assert list(parse_rules(encode_rules(rules)[4:])) == list(rules)


@pytest.mark.parametrize(("cut", "left"), [(0, 3), (1, 2), (3, 2), (4, 2), (5, 2), (6, 2), (7, 1)])
def test_truncated_rules_keep_pairs(cut: int, left: int) -> None:
    body = encode_rules({b"a": b"1", b"bb": b"22", b"cc": b"33"})[4:]
    assert len(parse_rules(body[: len(body) - cut])) == left


@pytest.mark.parametrize("body", [b"D", b"E", b"E\x01"])
def test_missing_count_is_rejected(body: bytes) -> None:
    with pytest.raises(PacketError, match="truncated"):
        parse_players(body) if body[:1] == b"D" else parse_rules(body)
