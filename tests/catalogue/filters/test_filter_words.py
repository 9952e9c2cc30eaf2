"""Every word of the filter language matches the bytes that a real server sends."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from a2s_samples import a2s_info
from test_server_forecasts import daily_model
from timeouts import LIMIT_S

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.filters.filter_fields import FIELD_SYNONYMS, FLAG_FIELDS, NUMBER_FIELDS, TEXT_FIELDS
from browser_app.catalogue.filters.server_filter import parse_filter
from browser_app.catalogue.list_descriptions import merge_descriptions
from browser_app.catalogue.player_trends import SLOT_S
from browser_app.catalogue.reply_readers.server_info_readers import read_reply
from browser_app.catalogue.server_info import DescribedServer, QueryResult, QueryStatus, QueryTarget, SavedServer
from browser_app.catalogue.user_lists import FriendGroup, FriendList, ServerMatcher, UserLists
from browser_app.demo.demo_network import DemoNetwork
from browser_app.engine.masters.query_sources import QuerySources
from browser_app.engine.query.query_timing import PACES
from browser_app.engine.query.scanner import Scanner
from browser_app.engine.server_poll import start_poll
from browser_app.games.game_registry import GameRegistry, load_games
from browser_app.paths import resource_folder
from browser_app.protocols.a2s.a2s import A2SPlayer, A2SReply
from browser_app.protocols.a2s.a2s_server import encode_info, encode_players, encode_rules
from browser_app.protocols.a2s.a2s_session import A2SSession
from browser_app.protocols.address import Address
from browser_app.protocols.quake.quake3 import Quake3Player, Quake3Reply, parse_quake3_reply
from browser_app.protocols.quake.quake3_server import encode_status_response
from browser_app.protocols.quake.quakeworld import STATUS_HEADER, parse_quakeworld_reply
from browser_app.protocols.query_session import DONE, QueryParts

NOW = 1_700_000_000.0
NS2 = QueryTarget(Address("200.160.2.3", 27016), "a2s", "ns2")  # an address of Brazil's registry
XONOTIC = QueryTarget(Address("192.0.2.2", 26000), "darkplaces", "xonotic")
OPENARENA = QueryTarget(Address("192.0.2.3", 27960), "quake3", "openarena")
SANDBOX = QueryTarget(Address("192.0.2.7", 27015), "a2s", "gmod")
SILENT = QueryTarget(Address("192.0.2.4", 27960), "quake3", "openarena")
LISTED = QueryTarget(Address("192.0.2.6", 27960), "quake3", "openarena")
PROXY = QueryTarget(Address("192.0.2.8", 27500), "quakeworld", "quakeworld")
OLD = QueryTarget(Address("192.0.2.5", 27960), "quake3", "openarena")

WORDS = {
    "score": "score>0",
    "ping": "ping<80",
    "jitter": "jitter<1",
    "players": "players>=6",
    "bots": "bots>0",
    "spectators": "spectators>0",
    "max": "max=24",
    "free": "free>0",
    "perf": "perf>10",
    "skill": "skill:1000..2000",
    "gain": "gain>0",
    "trend": "trend>3",
    "forecast": "forecast>=1",
    "reserved": "reserved>0",
    **{flag: flag for flag in FLAG_FIELDS},
    "name": "name:hive",
    "map": "map:ns2_*",
    "mode": "mode:ctf",
    "game": "game:xonotic",
    "version": "version:344",
    "country": "country:br",
    "region": 'region:"south america"',
    "lang": "lang:de",
    "address": "address:192.0.2",
    "tag": "tag:shine",
    "player": "player:ann",
    "note": "note:*",
}
"""A term for each word; `friend` is a flag and a text."""


@cache
def shipped_games() -> GameRegistry:
    return load_games(resource_folder() / "games")


def a2s_reply(info: bytes, players: bytes, rules: bytes) -> A2SReply:
    session = A2SSession(QueryParts.ALL)
    for datagram in (info, players, rules):
        status = session.receive(datagram)
    assert status is DONE
    assert session.reply is not None
    return session.reply


def answer(target: QueryTarget, reply: A2SReply | Quake3Reply) -> QueryResult:
    info = read_reply(reply, target, shipped_games())
    return QueryResult(target, QueryStatus.OK, info, None, 30.0, False, 1, NOW)


def ns2_answer() -> QueryResult:
    tags = "344|ns2|M|149|25|12|99|R_S2|rookie_only|shine|tickrate_29"
    info = a2s_info(name="Third hive", map="ns2_veil", appid=4920, players=14, bots=1, keywords=tags)
    players = [A2SPlayer(f"marine {i}", i, 60.0 * i) for i in range(13)]
    rules = {b"AverageSkill": b"1620.5", b"tickrate": b"29"}
    return answer(NS2, a2s_reply(encode_info(info), encode_players(players), encode_rules(rules)))


def sandbox_answer() -> QueryResult:
    info = a2s_info(name="Baustelle", appid=4000, keywords="gm:sandbox,lang:de")
    return answer(SANDBOX, a2s_reply(encode_info(info), encode_players([]), encode_rules({})))


def xonotic_answer() -> QueryResult:
    info = {
        "gamename": "Xonotic", "gameversion": "800", "sv_maxclients": "16", "clients": "4", "bots": "1",
        "mapname": "atelier", "hostname": "Flags", "qcstatus": "ctf:0.8.6:P0:S12:F0:MXonotic::score!!",
    }  # fmt: skip
    people = [
        Quake3Player("Ann", "12", 40, 5),
        Quake3Player("Bo", "3", 55, 14),
        Quake3Player("watcher", "-666", 30, 0),
        Quake3Player("[BOT]Gator", "9", 0, 5),
    ]
    return answer(XONOTIC, parse_quake3_reply(encode_status_response(info, people)))


def openarena_answer(target: QueryTarget = OPENARENA, people: int = 2) -> QueryResult:
    info = {
        "gamename": "baseoa", "com_gamename": "Quake3Arena", "com_protocol": "71", "version": "ioq3+oa 1.36",
        "sv_hostname": "\x01\x01Duels", "sv_maxclients": "2", "mapname": "oa_dm1", "g_needpass": "1",
    }  # fmt: skip
    players = [Quake3Player(f"player {i}", "1", 48, None) for i in range(people)]
    return answer(target, parse_quake3_reply(encode_status_response(info, players)))


def proxy_answer() -> QueryResult:
    reply = parse_quakeworld_reply(STATUS_HEADER + rb"\*version\QTV 1.09\hostname\Relay" + b"\n")
    return QueryResult(PROXY, QueryStatus.OK, read_reply(reply, PROXY, shipped_games()), None, 30.0, False, 1, NOW)


@pytest.fixture(scope="module")
def servers() -> Catalogue:
    """Return servers of three protocols, with state of the user and of earlier runs."""
    catalogue = Catalogue(shipped_games())
    failed = QueryResult(SILENT, QueryStatus.NO_ANSWER, None, "no answer in 3 attempts", None, False, 3, NOW)
    catalogue.merge([ns2_answer() for _reply in range(3)])
    catalogue.merge([xonotic_answer(), openarena_answer(), sandbox_answer(), proxy_answer(), failed])
    saved = openarena_answer(OLD, people=0).info
    assert saved is not None
    catalogue.restore([SavedServer(OLD, saved, 25.0, NOW - 3600)])
    merge_descriptions(catalogue, [DescribedServer(LISTED, replace(saved, name="Described"))], NOW)
    catalogue.installed_games = frozenset({"xonotic"})
    catalogue.set_user_lists(
        UserLists(
            favourite=ServerMatcher(addresses=frozenset({NS2.address})),
            blocked=ServerMatcher(names=("*duels",)),
            friends=FriendList({"team": FriendGroup(patterns=("ann",))}),
            notes={NS2.address: "friendly admins"},
        )
    )
    now_playing = catalogue.players
    for slot in range(4):
        earlier = np.maximum(now_playing - 2 * (3 - slot), 0.0)
        catalogue.trends.record_players(np.arange(len(catalogue)), earlier, NOW - (3 - slot) * SLOT_S)
    catalogue.forecasts.set_models({NS2.address: daily_model(9)})
    catalogue.forecasts.assign_rows(np.arange(len(catalogue)), [each.address for each in catalogue.targets])
    catalogue.forecasts.update(now_playing, catalogue.usable_slots, NOW)
    catalogue.rescore({"ns2": 1500.0})
    return catalogue


def test_every_word_has_term() -> None:
    assert WORDS.keys() == {*NUMBER_FIELDS, *FLAG_FIELDS, *TEXT_FIELDS}


@pytest.mark.parametrize(("spelling", "word"), FIELD_SYNONYMS.items())
def test_synonym_is_read_as_its_word(spelling: str, word: str) -> None:
    assert spelling not in WORDS
    term = WORDS[word].replace(word, spelling, 1).upper()
    assert parse_filter(f"-{term}") == parse_filter(f"-{WORDS[word]}".upper())
    assert str(parse_filter(term)).startswith(word)


def test_suspicious_servers_can_be_left_out() -> None:
    assert str(parse_filter("-suspicious ping<80")) == "-doubt:yes ping<80"
    assert str(parse_filter("suspicious:no")) == "doubt:no"
    assert str(parse_filter('"suspicious"')) == '"suspicious"'


@pytest.mark.parametrize("term", [*WORDS.values(), "friend:team"])
def test_words_match_server_data(servers: Catalogue, term: str) -> None:
    matching = parse_filter(term).matching_rows(servers)
    assert matching.any()
    assert not matching.all()


def test_demo_servers_match_words() -> None:
    """What depends on servers' replies alone is found in the demo network as well."""
    from_elsewhere = {
        "fav", "friend", "blocked", "installed", "note", "country", "region", "trend", "forecast", "old", "silent",
        "doubt", "listed", "jitter", "closed",
    }  # fmt: skip
    catalogue = Catalogue(shipped_games())
    with (
        DemoNetwork(servers=400, simulate_players=False, latency_ms=(1.0, 5.0)) as network,
        Scanner(shipped_games()) as scanner,
    ):
        targets = [QueryTarget(each.address, each.state.game.protocol, each.state.game.id) for each in network.servers]
        poll = start_poll(scanner, QuerySources(), pace=PACES["unlimited"], parts=QueryParts.ALL, known=targets)
        assert poll.wait(LIMIT_S)
        catalogue.merge(list(poll.scan.results))
    catalogue.rescore()
    terms = {
        **WORDS,
        "name": "name:a",
        "lang": "lang:en",
        "tag": "tag:*",
        "address": "address:127.",
        "player": "player:a",
    }
    unmatched = {
        term
        for word, term in terms.items()
        if word not in from_elsewhere and not parse_filter(term).matching_rows(catalogue).any()
    }
    assert unmatched == set()
