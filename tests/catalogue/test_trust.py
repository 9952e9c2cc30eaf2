"""Signs of servers that are not what they say: found where they are, silent on what honest servers do too."""

import numpy as np
import pytest

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.geography import min_distance_km, min_round_trip_ms
from browser_app.catalogue.server_filter import parse_filter
from browser_app.catalogue.server_info import PlayerInfo, QueryResult, QueryStatus, QueryTarget, ServerInfo
from browser_app.catalogue.suspicion import SuspicionMark, format_suspicions, rows_beyond_limit, suspicions_of
from browser_app.protocols.address import Address

NOW = 1_760_000_000.0


def facts(port: int = 1, players: tuple[PlayerInfo, ...] | None = None, **given: object) -> ServerInfo:
    values: dict[str, object] = {"max_players": 10, "coloured_name": "Name"} | given
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


def merge(catalogue: Catalogue, host: str, told: ServerInfo, ping_ms: float = 40.0) -> int:
    target = QueryTarget(Address(host, 27015), "a2s", None)
    catalogue.merge([QueryResult(target, QueryStatus.OK, told, None, ping_ms, False, 1, NOW)])
    row = catalogue.row_of(target.address)
    assert row is not None
    return row


@pytest.mark.parametrize(
    ("told", "doubt"),
    [
        (facts(), SuspicionMark(0)),
        (facts(players=players(170)), SuspicionMark.TOO_MANY_PLAYERS),
        (facts(players=players(14)), SuspicionMark(0)),  # a few more than slots: queues
        (facts(players=players(6, duration_s=3000.0)), SuspicionMark.IDENTICAL_TIMES),
        (facts(players=players(5, duration_s=3000.0)), SuspicionMark(0)),
        (facts(players=players(8, duration_s=10.0)), SuspicionMark(0)),  # the map has just changed
        (facts(players=players(1, duration_s=-4.0)), SuspicionMark.NEGATIVE_TIME),
        (facts(coloured_name="\x01\x01Name"), SuspicionMark.INVISIBLE_NAME_PREFIX),
        (facts(players=()), SuspicionMark(0)),
    ],
)
def test_what_one_answer_shows(told: ServerInfo, doubt: SuspicionMark) -> None:
    assert suspicions_of(told, told.player_list or ()) == doubt


def test_the_same_players_at_two_addresses_and_no_longer() -> None:
    catalogue = Catalogue({})
    one = merge(catalogue, "127.0.0.1", facts(players=players(7)))
    assert catalogue.suspicions[one] == 0
    other = merge(catalogue, "127.0.0.2", facts(players=players(7)))
    few = merge(catalogue, "127.0.0.3", facts(players=players(3)))
    assert catalogue.suspicions[[one, other, few]].tolist() == [
        SuspicionMark.COPIED_PLAYERS,
        SuspicionMark.COPIED_PLAYERS,
        0,
    ]
    assert parse_filter("-doubt").matching_rows(catalogue).tolist() == [False, False, True]
    merge(catalogue, "127.0.0.2", facts(players=players(7, first=20)))
    assert catalogue.suspicions[[one, other]].tolist() == [0, 0]


def test_a_server_at_its_ipv4_and_its_ipv6_address_is_no_copy() -> None:
    catalogue = Catalogue({})
    four = merge(catalogue, "192.0.2.7", facts(players=players(7)))
    six = merge(catalogue, "2001:db8::7", facts(players=players(7)))
    assert catalogue.suspicions[[four, six]].tolist() == [0, 0]
    elsewhere = merge(catalogue, "192.0.2.8", facts(players=players(7)))
    assert catalogue.suspicions[[four, elsewhere]].tolist() == [SuspicionMark.COPIED_PLAYERS] * 2


def test_a_ping_that_light_cannot_make() -> None:
    catalogue = Catalogue({})
    catalogue.own_country = "DE"
    brazil = merge(catalogue, "200.160.2.3", facts(), 3.0)  # an address of Brazil's registry
    far = merge(catalogue, "200.160.2.4", facts(), 190.0)
    here = merge(catalogue, "127.0.0.1", facts(), 0.2)
    catalogue.rescore()
    assert catalogue.country[brazil] == "BR"
    assert catalogue.suspicions[[brazil, far, here]].tolist() == [SuspicionMark.PING_TOO_LOW, 0, 0]
    catalogue.own_country = ""
    catalogue.rescore()
    assert catalogue.suspicions[brazil] == 0


@pytest.mark.parametrize(("a", "b"), [("DE", "BR"), ("US", "AU"), ("GB", "JP"), ("ZA", "NO")])
def test_distances_are_symmetric_and_of_the_right_size(a: str, b: str) -> None:
    assert min_distance_km(a, b) == min_distance_km(b, a)
    assert 40 < min_round_trip_ms(a, b) < 200  # these are continents apart
    assert min_distance_km(a, a) == 0


@pytest.mark.parametrize(("a", "b"), [("DE", "FR"), ("US", "CA"), ("US", "MX"), ("RU", "FI"), ("DE", "XX"), ("", "")])
def test_neighbours_and_unknown_countries_say_nothing(a: str, b: str) -> None:
    assert min_round_trip_ms(a, b) == 0


def test_the_best_of_an_operator_are_shown() -> None:
    operator = np.array([7, 7, 3, 7, 3, 7], np.int32)
    assert rows_beyond_limit(operator, 2).tolist() == [False, False, False, True, False, True]
    assert not rows_beyond_limit(operator, 9).any()
    assert rows_beyond_limit(np.zeros(0, np.int32), 2).tolist() == []


def test_each_doubt_has_a_sentence() -> None:
    assert len(format_suspicions(~SuspicionMark(0), "3", "BR")) == len(SuspicionMark)
    assert format_suspicions(SuspicionMark.PING_TOO_LOW, "3", "BR") == [
        "A ping of 3 ms to BR is impossible; checked again before joining."
    ]
    assert format_suspicions(SuspicionMark(0)) == []
