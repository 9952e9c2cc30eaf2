"""Filter language: meaning of each form, errors, and robustness."""

import time

import numpy as np
import pytest
from catalogue_helpers import GAMES, failed_query, reply, scored_catalogue, server_info, target
from hypothesis import example, given
from hypothesis import strategies as st
from measurements import best_of

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.filters.filter_fields import (
    FIELD_MEANINGS,
    FLAG_FIELDS,
    NUMBER_FIELDS,
    TEXT_FIELDS,
    addresses_filter,
)
from browser_app.catalogue.filters.server_filter import (
    FILTER_FIELDS,
    FilterError,
    ServerFilter,
    parse_filter,
    parse_filter_leniently,
)
from browser_app.catalogue.player_trends import SLOT_S, ForecastColumns
from browser_app.catalogue.server_info import PlayerInfo, QueryTarget, SavedServer
from browser_app.catalogue.user_lists import FriendGroup, FriendList, ServerMatcher, UserLists
from browser_app.protocols.address import Address


def _passing(text: str, catalogue: Catalogue) -> list[int]:
    return [int(row) for row in parse_filter(text).matching_rows(catalogue).nonzero()[0]]


@pytest.fixture(scope="module")
def servers() -> Catalogue:
    ann = PlayerInfo("Ann [EU]", 1.0, 1.0, None, None, False)
    catalogue = scored_catalogue(
        {"name": "Veil of Tears", "map": "ns2_veil", "players": 24, "tags": ("shine", "NSL"), "server_skill": 1500.0},
        {"name": "Empty House", "map": "ns2_tram", "players": 0, "password": True, "mode": "siege"},
        {"name": "Duelling", "map": "veil", "players": 6, "game": "xonotic", "mode": "duel", "mode_name": "Duel",
         "password": None, "reserved": 2, "version": "0.8.6", "player_list": (ann,), "ping_ms": 120.0},
        {"name": "Silent", "map": "ns2_docking", "players": 22, "joinable": False, "rookie_only": True},
    )  # fmt: skip
    catalogue.merge([failed_query(3)])
    catalogue.restore(
        [SavedServer(target(4), server_info(4, map="ns2_eclipse", max_players=None, players=None), None, 0.0)]
    )
    catalogue.set_user_lists(
        UserLists(
            favourite=ServerMatcher(addresses=frozenset({target(1).address})),
            blocked=ServerMatcher(names=("silent",)),
            friends=FriendList({"team": FriendGroup(patterns=("ann*",))}),
            notes={target(0).address: "friendly admins"},
        )
    )
    return catalogue


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("", [0, 1, 2, 3, 4]),
        ("   ", [0, 1, 2, 3, 4]),
        # bare words: name, map, mode, tags, player names
        ("veil", [0, 2]),
        ("VEIL tears", [0]),
        ("siege", [1]),
        ("shine", [0]),
        ("ann", [2]),
        ("ann [eu]", [2]),
        ('"ann [eu]"', [2]),
        ('"of tears"', [0]),
        ('"empty"', [1]),
        ("v?il", [0, 2]),
        ("e*house", [1]),
        ("*tears*", [0]),
        ("e?ling", [2]),
        ("nowhere", []),
        # wildcards stay within the name, the map, a tag or a player's name
        ("tears*shine", []),
        ("tears?ns2", []),
        ("d*veil", []),
        # numbers as the program prints them and as people write them
        ("ping>=119.99999999999999 ping<=120.00000000000001", [2]),
        ("ping>.5 ping:.5..120", [0, 1, 2]),
        ("ping<.5", []),
        # and, or, not, brackets
        ("veil | siege", [0, 1, 2]),
        ("veil|siege", [0, 1, 2]),
        ("-veil", [1, 3, 4]),
        ("--veil", [0, 2]),
        ("-(veil | siege)", [3, 4]),
        ("veil duel | siege", [1, 2]),
        ("veil (duel | siege)", [2]),
        ("(veil)(duel)", [2]),
        # numbers; a silent server's last counts say nothing
        ("players>=6", [0, 2]),
        ("players>6", [0]),
        ("players<6", [1]),
        ("players<=6", [1, 2]),
        ("players=6", [2]),
        ("players!=6", [0, 1]),
        ("players:6", [2]),
        ("players:0,6", [1, 2]),
        ("players:1..22", [2]),
        ("players:..6", [1, 2]),
        ("players:6..", [0, 2]),
        ("players:0..1,24..", [0, 1]),
        ("ping<80", [0, 1]),
        ("ping>0", [0, 1, 2]),
        ("-ping<80", [2, 3, 4]),
        ("ping!=50", [2]),
        ("skill:1000..2000", [0]),
        ("skill<1e9", None),
        ("free>15", [1, 2]),
        ("free:16", [2]),
        ("max=24", [0, 1, 2, 3]),
        ("bots=0", [0, 1, 2, 4]),
        ("spectators>=0", []),
        ("perf>=50", [0, 1, 2, 3, 4]),
        ("score>0", [0, 1, 2, 3]),
        # texts
        ("map:veil", [2]),
        ("map:*veil", [0, 2]),
        ("map:ns2_*,veil", [0, 1, 2, 3, 4]),
        ("map:NS2_VEIL", [0]),
        ("map!=veil", [0, 1, 3, 4]),
        ("map=veil", [2]),
        ("mode:ns2,siege", [0, 1, 3, 4]),
        ("mode:Duel", [2]),
        ("game:xonotic", [2]),
        ("game:XON", [2]),
        ('game:"natural selection 2"', [0, 1, 3, 4]),
        ("name:house", [1]),
        ("name:e*e", [1]),
        ('name:"*"', []),
        ("version:0.8.*", [2]),
        ("tag:nsl", [0]),
        ("tag:ns", []),
        ("player:ann", [2]),
        ("player:*", [2]),
        ("note:*", [0]),
        ("note:admins", [0]),
        ("address:10.0.0.3:", [3]),
        ("address:27015", [0, 1, 2, 3, 4]),
        ("country:de", []),
        # flags
        ("full", [0]),
        ("-full", [1, 2, 3, 4]),
        ("full:no", [1, 2, 3, 4]),
        ("FULL:Yes", [0]),
        ("empty", [1]),
        ("locked:yes", [1]),
        ("locked:no", [0, 2, 3, 4]),
        ("locked!=yes", [0, 2, 3, 4]),
        ("fav", [1]),
        ("fav:yes", [1]),
        ("friend:yes", [2]),
        ("friend", [2]),
        ("friend:team", [2]),
        ("friend:others,TE*", [2]),
        ("friend:others", []),
        ("-friend:team players<10", [1]),
        ("blocked:yes", [3]),
        ("rookie", [3]),
        ("rookie:1", [3]),
        ("old", [4]),
        ("silent", [3]),
        ("players>=6 ping<80 -full map:*veil* mode:ns2,siege", []),
        ("players>=6 ping<200 -full (map:*veil* | mode:ns2,siege) locked:no", [2]),
    ],
)
def test_matching_rows(text: str, rows: list[int] | None, servers: Catalogue) -> None:
    if rows is None:
        with pytest.raises(FilterError):
            parse_filter(text)
    else:
        assert _passing(text, servers) == rows


def test_country_of_public_address() -> None:
    catalogue = Catalogue(GAMES)
    catalogue.merge([reply(0)])
    catalogue.rows.add([target(1)._replace(address=target(1).address._replace(host="8.8.8.8"))])
    assert (catalogue.country[0], catalogue.country[1]) == ("", "US")
    assert _passing("country:us,de", catalogue) == [1]


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("ping<", 4, 5),
        ("ping<fast", 5, 9),
        ("veil ping:10..x", 10, 15),
        ("ping:..", 5, 7),
        ("veil ping:20,30..10", 13, 19),
        ("ping<1..2", 5, 9),
        ("ping<1,2", 6, 7),
        ("ping:inf", 5, 8),
        ("colour:red", 0, 6),
        ("map>veil", 3, 4),
        ("map:", 3, 4),
        ("map:a,", 5, 6),
        ("fav:maybe", 4, 9),
        ("fav:yes,no", 7, 8),
        ("full>1", 4, 5),
        ('name:"abc', 5, 9),
        ('"abc', 0, 4),
        ('""', 0, 2),
        ("(veil", 0, 1),
        ("veil)", 4, 5),
        ("()", 1, 2),
        ("| veil", 0, 1),
        ("veil |", 5, 6),
        ("veil || tram", 6, 7),
        ("veil - tram", 5, 6),
        ("veil -", 5, 6),
        ("players >=6", 8, 11),
        ("(" * 31 + "x" + ")" * 31, 30, 31),
        ("x" * 6001, 6000, 6001),
    ],
)
def test_filter_error_marks_fault(text: str, start: int, end: int) -> None:
    with pytest.raises(FilterError) as caught:
        parse_filter(text)
    assert (caught.value.start, caught.value.end) == (start, end)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("ping<fast", ["ping", "number"]),
        ("veil ping:20,30..10", ["30", "10"]),
        ("colour:red", ["colour"]),
        ("fav:maybe", ["fav", "yes", "no"]),
        ("(" * 31 + "x" + ")" * 31, ["30"]),
        ("x" * 6001, ["6000"]),
        ("x " * 501, ["500"]),
        ("name:" + "x," * 500 + "x", ["500"]),
    ],
)
def test_filter_error_names_field_and_limits(text: str, parts: list[str]) -> None:
    with pytest.raises(FilterError) as caught:
        parse_filter(text)
    assert all(part in caught.value.message for part in parts)


_WORDS = ["veil", "de", "6", "-1.5", "10..20", "..", "yes", "no", "ß", "İ", "\t", "\n", "\x00", " ", "  "]
_SIGNS = [":", "<", ">=", "!=", "=", "(", ")", "|", "-", '"', ",", "*", "?", "[", "\\"]
_PIECES = st.sampled_from([*FILTER_FIELDS.numbers, *FILTER_FIELDS.texts, *FILTER_FIELDS.flags, *_WORDS, *_SIGNS])
_TEXTS = st.lists(_PIECES | st.text(max_size=3), max_size=25).map("".join)


@given(_TEXTS)
@example('-"a" | (b c:d)')
def test_any_text_parses_or_raises_located_error(text: str) -> None:
    try:
        parsed = parse_filter(text)
    except FilterError as caught:
        error = caught
    else:
        assert parse_filter(str(parsed)) == parsed
        return
    assert 0 <= error.start < error.end <= len(text)
    assert str(error)


@given(_TEXTS)
def test_wrong_words_are_left_out(text: str) -> None:
    """What remains is a valid filter, whatever was typed."""
    valid_part, error = parse_filter_leniently(text)
    assert parse_filter_leniently(str(valid_part)) == (valid_part, None)
    if error is None:
        assert valid_part == parse_filter(text)
        return
    with pytest.raises(FilterError) as caught:
        parse_filter(text)
    assert (error.message, error.start) == (caught.value.message, caught.value.start)


@pytest.mark.parametrize(
    ("text", "rest", "hint"),
    [
        ("players>=6 png<80", "players>=6", "ping"),
        ("plyers>=6 veil", "veil", "players"),
        ("ping<80 -mapp:veil full", "ping<80 full:yes", "map"),
        ("(png<80 | veil) map:tram", "veil map:tram", "ping"),
        ('veil name:"half', "veil", "quote"),
        ("ping<", "", "value"),
    ],
)
def test_rest_of_wrong_filter_applies(text: str, rest: str, hint: str) -> None:
    valid_part, error = parse_filter_leniently(text)
    assert str(valid_part) == rest
    assert error is not None
    assert hint in error.message.split(";")[-1]


def test_every_field_has_a_meaning() -> None:
    assert set(FIELD_MEANINGS) == {*NUMBER_FIELDS, *TEXT_FIELDS, *FLAG_FIELDS}


@given(_TEXTS)
def test_any_filter_masks_all_rows(text: str) -> None:
    try:
        parsed = parse_filter(text)
    except FilterError:
        return
    catalogue = scored_catalogue({"name": "Veil", "tags": ("a", "de")}, {"players": None, "map": "", "mode": None})
    mask = parsed.matching_rows(catalogue)
    assert mask.shape == (2,)
    assert (parse_filter(f"-({text})").matching_rows(catalogue) != mask).all() if text.strip() else mask.all()


def test_mask_is_a_copy() -> None:
    catalogue = scored_catalogue({}, {})
    mask = parse_filter("fav").matching_rows(catalogue)
    mask[:] = True
    assert not catalogue.favourite.any()


def test_no_pattern_is_slow() -> None:
    catalogue = scored_catalogue(*({"name": "a" * 200} for _ in range(50)))
    start = time.process_time()
    parse_filter("name:" + "*a" * 40 + "*b").matching_rows(catalogue)
    assert time.process_time() - start < 10.0  # exponential backtracking would never end


@pytest.mark.slow
def test_filter_20000_rows_is_fast() -> None:
    catalogue = Catalogue(GAMES)
    catalogue.merge(
        [reply(number, name=f"Server {number} of many", map=f"ns2_map{number % 60}") for number in range(20_000)]
    )
    catalogue.rescore()
    for text in ("veil many", "players>=6 ping<80 -full map:*map1* mode:ns2,siege", "name:*12* | (skill:1..2 -locked)"):
        parsed = parse_filter(text)

        def took_s(parsed: ServerFilter = parsed) -> float:
            start = time.process_time()
            parsed.matching_rows(catalogue)
            return time.process_time() - start

        assert best_of(took_s, 0.090) < 0.090  # the goal is 30 ms


def test_trend_and_forecast_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    catalogue = scored_catalogue({"players": 9}, {"players": 2}, {"players": 5}, {"players": 7})
    hours = [[3.0, 8.0, 5.0], [5.0, 6.0, 5.0], [7.0, 4.0, 5.0], [9.0, 2.0, 5.0]]
    for slot, players in enumerate(hours):
        catalogue.trends.record_players(np.arange(3), np.array(players), (1_000 + slot) * SLOT_S)
    likely = np.array([14.0, 3.0, np.nan, np.nan])
    monkeypatch.setattr(catalogue.forecasts, "forecasts_of", lambda rows: ForecastColumns(*[likely[rows]] * 4))
    assert _passing("trend>3", catalogue) == [0]
    assert _passing("trend<=-6", catalogue) == [1]
    assert _passing("trend=0", catalogue) == [2]
    assert _passing("-trend>3", catalogue) == [1, 2, 3]
    assert _passing("forecast>=12 | trend:-10..-1", catalogue) == [0, 1]
    assert _passing("forecast<100", catalogue) == [0, 1]


def test_quoted_address_is_whole() -> None:
    catalogue = Catalogue(GAMES)
    addresses = [Address("1.2.3.4", 2701), Address("1.2.3.4", 27015), Address("11.2.3.4", 27015)]
    catalogue.rows.add([QueryTarget(address, "a2s", "ns2") for address in addresses])
    named = QueryTarget(Address("9.9.9.9", 25565), "a2s", "ns2", host_name="play.example.org")
    catalogue.rows.add([named])
    assert [_passing(addresses_filter([address]), catalogue) for address in addresses] == [[0], [1], [2]]
    assert _passing("address:1.2.3.4:2701", catalogue) == [0, 1, 2]
    assert _passing(f'{addresses_filter([addresses[2], named.named_address])},"1.2.3."', catalogue) == [0, 1, 2, 3]
