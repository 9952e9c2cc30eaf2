"""Suspicion marks: found on false data, absent on what honest servers send."""

import json
from dataclasses import replace

import numpy as np
import pytest
from a2s_samples import a2s_info

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.filters.server_filter import parse_filter
from browser_app.catalogue.list_descriptions import merge_steam_counts
from browser_app.catalogue.places.geography import min_distance_km, min_round_trip_ms
from browser_app.catalogue.reply_readers.server_info_readers import read_reply
from browser_app.catalogue.server_info import PlayerInfo, QueryResult, QueryStatus, QueryTarget, ServerInfo
from browser_app.catalogue.suspicion import SuspicionMark, format_suspicions, rows_beyond_limit, suspicions_of
from browser_app.catalogue.suspicion_tracker import MAX_COMPARED_SERVERS, SharedPlayerLists
from browser_app.games.game_registry import load_games
from browser_app.paths import resource_folder
from browser_app.protocols.a2s.a2s import A2SPlayer
from browser_app.protocols.a2s.a2s_server import encode_info, encode_players
from browser_app.protocols.a2s.a2s_session import A2SSession
from browser_app.protocols.address import Address
from browser_app.protocols.master_lists.steam_server_list import parse_steam_servers
from browser_app.protocols.query_session import DONE, QueryParts

NOW = 1_760_000_000.0


def server_info(port: int = 1, players: tuple[PlayerInfo, ...] | None = None, **changes: object) -> ServerInfo:
    values: dict[str, object] = {"max_players": 10, "coloured_name": "Name"} | changes
    return ServerInfo(
        None,
        "Name",
        "",
        Address("127.0.0.1", port),
        len(players or ()),
        0,
        0,
        player_list=players,
        **values,  # type: ignore[arg-type]
    )


def players(count: int, first: int = 0, duration_s: float | None = None) -> tuple[PlayerInfo, ...]:
    return tuple(
        PlayerInfo(f"player {i}", 0.0, 200.0 + 9 * i if duration_s is None else duration_s, None, None, bot=False)
        for i in range(first, first + count)
    )


def merge(catalogue: Catalogue, host: str, info: ServerInfo, ping_ms: float = 40.0, at: float = NOW) -> int:
    target = QueryTarget(Address(host, 27015), "a2s", None)
    catalogue.merge([QueryResult(target, QueryStatus.OK, info, None, ping_ms, False, 1, at)])
    row = catalogue.row_of(target.address)
    assert row is not None
    return row


@pytest.mark.parametrize(
    ("info", "mark"),
    [
        (server_info(), SuspicionMark(0)),
        (server_info(players=players(170)), SuspicionMark.TOO_MANY_PLAYERS),
        (server_info(players=players(14)), SuspicionMark(0)),  # a few more than slots: waiting queues
        (server_info(players=players(6, duration_s=3000.0)), SuspicionMark.IDENTICAL_TIMES),
        (server_info(players=players(5, duration_s=3000.0)), SuspicionMark(0)),
        (server_info(players=players(8, duration_s=10.0)), SuspicionMark(0)),  # just after a map change
        (server_info(players=players(1, duration_s=-4.0)), SuspicionMark.NEGATIVE_TIME),
        (server_info(coloured_name="\x01\x01Name"), SuspicionMark.INVISIBLE_NAME_PREFIX),
        (server_info(players=()), SuspicionMark(0)),
    ],
)
def test_marks_of_one_reply(info: ServerInfo, mark: SuspicionMark) -> None:
    assert suspicions_of(info, info.player_list or ()) == mark


def test_copied_player_lists() -> None:
    catalogue = Catalogue({})
    one = merge(catalogue, "127.0.0.1", server_info(players=players(7)))
    assert catalogue.suspicions[one] == 0
    other = merge(catalogue, "127.0.0.2", server_info(players=players(7)))
    few = merge(catalogue, "127.0.0.3", server_info(players=players(3)))
    assert catalogue.suspicions[[one, other, few]].tolist() == [
        SuspicionMark.COPIED_PLAYERS,
        SuspicionMark.COPIED_PLAYERS,
        0,
    ]
    assert parse_filter("-doubt").matching_rows(catalogue).tolist() == [False, False, True]
    merge(catalogue, "127.0.0.2", server_info(players=players(7, first=20)))
    assert catalogue.suspicions[[one, other]].tolist() == [0, 0]


def test_players_who_moved_are_no_copy() -> None:
    """The list of the server that they left may be as old as the server keeps it."""
    catalogue = Catalogue({})
    left = merge(catalogue, "127.0.0.1", server_info(players=players(7, duration_s=500.0)))
    for at, time_there in ((10.0, 60.0), (290.0, 280.0)):
        joined = merge(catalogue, "127.0.0.2", server_info(players=players(7, duration_s=time_there)), at=NOW + at)
        assert not (catalogue.suspicions[[left, joined]] & SuspicionMark.COPIED_PLAYERS).any()


def test_copy_without_times_needs_two_looks() -> None:
    catalogue = Catalogue({})
    listed = tuple(replace(player, duration_s=None) for player in players(7))
    rows = [merge(catalogue, f"127.0.0.{host}", server_info(players=listed)) for host in (1, 2)]
    assert catalogue.suspicions[rows].tolist() == [0, 0]
    for row in rows:
        merge(catalogue, f"127.0.0.{row + 1}", server_info(players=listed), at=NOW + 300.0)
    assert catalogue.suspicions[rows].tolist() == [SuspicionMark.COPIED_PLAYERS] * 2


def test_past_lists_are_forgotten() -> None:
    lists = SharedPlayerLists()
    for first in range(100):
        lists.set_players(0, players(8, first), NOW)
        assert lists.set_players(1, players(8, first), NOW) == {0, 1}
    assert len(lists._rows_by_names) == 1


def test_many_copies_are_compared_with_few() -> None:
    lists, catalogue = SharedPlayerLists(), Catalogue({})
    concerned = [lists.set_players(row, players(8), NOW) for row in (*range(50), *range(50))]
    assert max(map(len, concerned)) == MAX_COMPARED_SERVERS + 1
    assert max(len(lists.rows_with_same_players(row)) for row in range(50)) == MAX_COMPARED_SERVERS
    for host in range(1, 51):
        merge(catalogue, f"127.0.0.{host}", server_info(players=players(8)))
    assert (catalogue.suspicions == SuspicionMark.COPIED_PLAYERS).all()


def test_dual_stack_is_no_copy() -> None:
    catalogue = Catalogue({})
    four = merge(catalogue, "192.0.2.7", server_info(players=players(7)))
    six = merge(catalogue, "2001:db8::7", server_info(players=players(7)))
    assert catalogue.suspicions[[four, six]].tolist() == [0, 0]
    elsewhere = merge(catalogue, "192.0.2.8", server_info(players=players(7)))
    assert catalogue.suspicions[[four, elsewhere]].tolist() == [SuspicionMark.COPIED_PLAYERS] * 2


def test_impossible_ping() -> None:
    catalogue = Catalogue({})
    catalogue.own_country = "DE"
    brazil = merge(catalogue, "200.160.2.3", server_info(), 3.0)  # an address of Brazil's registry
    far = merge(catalogue, "200.160.2.4", server_info(), 190.0)
    here = merge(catalogue, "127.0.0.1", server_info(), 0.2)
    catalogue.rescore()
    assert catalogue.country[brazil] == "BR"
    assert catalogue.suspicions[[brazil, far, here]].tolist() == [SuspicionMark.PING_TOO_LOW, 0, 0]
    merge(catalogue, "200.160.2.3", server_info(), 3.0)
    assert catalogue.suspicions[brazil] == SuspicionMark.PING_TOO_LOW  # no blinking at each reply
    catalogue.own_country = ""
    catalogue.rescore()
    assert catalogue.suspicions[brazil] == 0


# --- marks that need more than one reply: bytes as servers and Steam send them

TEAM_FORTRESS = QueryTarget(Address("192.0.2.7", 27015), "a2s", "tf2")


def merge_packets(catalogue: Catalogue, at: float, count: int, listed: list[A2SPlayer] | None) -> int:
    """Merge a reply of `count` players; return its marks.

    They were received at a time, with a player list unless it is None.
    """
    parts = QueryParts.INFO if listed is None else QueryParts.INFO | QueryParts.PLAYERS
    session = A2SSession(parts)
    status = session.receive(encode_info(a2s_info(players=count, bots=0)))
    if listed is not None:
        status = session.receive(encode_players(listed))
    assert status is DONE
    assert session.reply is not None
    info = read_reply(session.reply, TEAM_FORTRESS, load_games(resource_folder() / "games"), parts)
    catalogue.merge([QueryResult(TEAM_FORTRESS, QueryStatus.OK, info, None, 40.0, False, 1, at)])
    catalogue.rescore()
    return int(catalogue.suspicions[0])


def people(count: int, shift_s: float = 0.0) -> list[A2SPlayer]:
    return [A2SPlayer(f"player {i}", i, 300.0 + 40 * i + shift_s) for i in range(count)]


def test_players_without_player_list() -> None:
    catalogue = Catalogue({})
    assert merge_packets(catalogue, NOW, 5, []) == 0  # a few may just have left
    assert merge_packets(catalogue, NOW + 10, 23, []) == SuspicionMark.EMPTY_PLAYER_LIST
    assert merge_packets(catalogue, NOW + 20, 23, None) == SuspicionMark.EMPTY_PLAYER_LIST  # no newer list
    assert merge_packets(catalogue, NOW + 30, 23, people(23)) == 0


def test_empty_server_is_not_suspicious() -> None:
    catalogue = Catalogue({})
    merge_packets(catalogue, NOW, 0, [])
    assert merge_packets(catalogue, NOW + 60, 12, None) == 0


@pytest.mark.parametrize(
    ("later_s", "shift_s", "mark"),
    [
        (300.0, 0.0, SuspicionMark.FROZEN_TIMES),
        (300.0, 300.0, 0),
        (60.0, 0.0, 0),  # a cached reply
        (7200.0, 0.0, 0),  # other people with the same names
    ],
)
def test_times_that_do_not_grow(later_s: float, shift_s: float, mark: int) -> None:
    catalogue = Catalogue({})
    assert merge_packets(catalogue, NOW, 8, people(8)) == 0
    assert merge_packets(catalogue, NOW + later_s, 8, people(8, shift_s)) == mark


def test_frozen_times_are_detected() -> None:
    catalogue = Catalogue({})
    marks = [merge_packets(catalogue, NOW + 30 * turn, 8, people(8)) for turn in range(5)]
    assert marks == [0, 0, 0, 0, SuspicionMark.FROZEN_TIMES]
    assert merge_packets(catalogue, NOW + 150, 8, people(8, 150)) == SuspicionMark.FROZEN_TIMES  # too soon to compare
    assert merge_packets(catalogue, NOW + 300, 8, people(8, 300)) == 0


@pytest.mark.parametrize(
    ("steam_players", "later_s", "mark"),
    [(2, 60.0, SuspicionMark.UNKNOWN_TO_STEAM), (8, 60.0, 0), (2, 3600.0, 0), (None, 60.0, 0)],
)
def test_players_unknown_to_steam(steam_players: int | None, later_s: float, mark: int) -> None:
    listed = {"addr": str(TEAM_FORTRESS.address), "appid": 440, "players": steam_players, "max_players": 24}
    (server,) = parse_steam_servers([json.dumps({"response": {"servers": [listed]}}).encode()])
    assert server is not None
    catalogue = Catalogue({})
    merge_packets(catalogue, NOW, 23, None)
    merge_steam_counts(catalogue, {} if server.players is None else {server.address: server.players}, NOW)
    assert merge_packets(catalogue, NOW + later_s, 23, None) == mark


def test_steam_counts_only_part_of_goldsource() -> None:
    games = load_games(resource_folder() / "games")
    for game, mark in (("cs16", 0), ("halflife", 0), ("tf2", SuspicionMark.UNKNOWN_TO_STEAM)):
        catalogue = Catalogue(games)
        row = merge(catalogue, "192.0.2.7", replace(server_info(), game=game, players=23))
        merge_steam_counts(catalogue, {catalogue.targets[row].address: 2}, NOW)
        catalogue.rescore()
        assert catalogue.suspicions[row] == mark


@pytest.mark.parametrize(("a", "b"), [("DE", "BR"), ("US", "AU"), ("GB", "JP"), ("ZA", "NO")])
def test_distances_are_plausible(a: str, b: str) -> None:
    assert min_distance_km(a, b) == min_distance_km(b, a)
    assert 40 < min_round_trip_ms(a, b) < 200  # on different continents
    assert min_distance_km(a, a) == 0


@pytest.mark.parametrize(("a", "b"), [("DE", "FR"), ("US", "CA"), ("US", "MX"), ("RU", "FI"), ("DE", "XX"), ("", "")])
def test_neighbours_and_unknown_countries(a: str, b: str) -> None:
    assert min_round_trip_ms(a, b) == 0


def test_subnet_has_one_operator() -> None:
    hosts = ("2606:4700:1:2::1", "2606:4700:1:2:3::4", "2606:4700:1:3::1", "8.8.8.8", "64:ff9b::808:808")
    catalogue = Catalogue({})
    catalogue.rows.add([QueryTarget(Address(host, 27_015), "a2s", None) for host in hosts])
    one, other, neighbour, ipv4, translated = catalogue.operator.tolist()
    assert one == other
    assert ipv4 == translated
    assert len({one, neighbour, ipv4}) == 3


def test_rows_beyond_operator_limit() -> None:
    operator = np.array([7, 7, 3, 7, 3, 7], np.int32)
    assert rows_beyond_limit(operator, 2).tolist() == [False, False, False, True, False, True]
    assert not rows_beyond_limit(operator, 9).any()
    assert rows_beyond_limit(np.zeros(0, np.int32), 2).tolist() == []


def test_each_mark_has_sentence() -> None:
    assert len(format_suspicions(~SuspicionMark(0), "3", "BR")) == len(SuspicionMark)
    assert format_suspicions(SuspicionMark.PING_TOO_LOW, "3", "BR") == [
        "A ping of 3 ms to BR is impossible; checked again before joining."
    ]
    assert format_suspicions(SuspicionMark(0)) == []
