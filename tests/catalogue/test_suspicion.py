"""Suspicion marks: found on false data, absent on what honest servers send."""

import numpy as np
import pytest

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.geography import min_distance_km, min_round_trip_ms
from browser_app.catalogue.server_filter import parse_filter
from browser_app.catalogue.server_info import PlayerInfo, QueryResult, QueryStatus, QueryTarget, ServerInfo
from browser_app.catalogue.suspicion import SuspicionMark, format_suspicions, rows_beyond_limit, suspicions_of
from browser_app.protocols.address import Address

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
        PlayerInfo(f"player {i}", 0.0, 100.0 + 9 * i if duration_s is None else duration_s, None, None, bot=False)
        for i in range(first, first + count)
    )


def merge(catalogue: Catalogue, host: str, info: ServerInfo, ping_ms: float = 40.0) -> int:
    target = QueryTarget(Address(host, 27015), "a2s", None)
    catalogue.merge([QueryResult(target, QueryStatus.OK, info, None, ping_ms, False, 1, NOW)])
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


def test_copied_players_until_lists_differ() -> None:
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


def test_dual_stack_server_is_no_copy() -> None:
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
    catalogue.own_country = ""
    catalogue.rescore()
    assert catalogue.suspicions[brazil] == 0


@pytest.mark.parametrize(("a", "b"), [("DE", "BR"), ("US", "AU"), ("GB", "JP"), ("ZA", "NO")])
def test_distances_are_symmetric_and_plausible(a: str, b: str) -> None:
    assert min_distance_km(a, b) == min_distance_km(b, a)
    assert 40 < min_round_trip_ms(a, b) < 200  # on different continents
    assert min_distance_km(a, a) == 0


@pytest.mark.parametrize(("a", "b"), [("DE", "FR"), ("US", "CA"), ("US", "MX"), ("RU", "FI"), ("DE", "XX"), ("", "")])
def test_neighbours_and_unknown_countries(a: str, b: str) -> None:
    assert min_round_trip_ms(a, b) == 0


def test_rows_beyond_operator_limit() -> None:
    operator = np.array([7, 7, 3, 7, 3, 7], np.int32)
    assert rows_beyond_limit(operator, 2).tolist() == [False, False, False, True, False, True]
    assert not rows_beyond_limit(operator, 9).any()
    assert rows_beyond_limit(np.zeros(0, np.int32), 2).tolist() == []


def test_each_mark_has_a_sentence() -> None:
    assert len(format_suspicions(~SuspicionMark(0), "3", "BR")) == len(SuspicionMark)
    assert format_suspicions(SuspicionMark.PING_TOO_LOW, "3", "BR") == [
        "A ping of 3 ms to BR is impossible; checked again before joining."
    ]
    assert format_suspicions(SuspicionMark(0)) == []
