"""Servers as lists describe them: shown, replaced by replies, aged, dropped."""

from dataclasses import replace

import numpy as np
import pytest
from catalogue_helpers import GAMES, NOW, failed_query, reply, server_info, target

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.filters.server_filter import parse_filter
from browser_app.catalogue.list_descriptions import merge_descriptions
from browser_app.catalogue.server_info import DescribedServer, QueryStatus, SavedServer, ServerInfo
from browser_app.catalogue.source_listings import source_id

LIST = source_id("ddnet+https://192.0.2.1/servers.json")


@pytest.fixture
def catalogue() -> Catalogue:
    return Catalogue(GAMES)


def described(number: int, name: str = "Listed", *, protocol: str = "a2s", players: int = 5) -> DescribedServer:
    info = server_info(number, name=name, players=players)
    return DescribedServer(target(number)._replace(protocol=protocol), info)


def greeting(number: int) -> ServerInfo:
    """Return the reply of a server that reports no values."""
    return ServerInfo(None, "", "", target(number).address, None, None, None, None)


def test_descriptions_are_shown_at_once(catalogue: Catalogue) -> None:
    changes = merge_descriptions(catalogue, [described(0), described(1)], NOW)
    assert changes.added.tolist() == [0, 1]
    assert (catalogue.name[0], catalogue.players[0]) == ("Listed", 5)
    assert (catalogue.status[0], catalogue.described[0], catalogue.described_at[0]) == (QueryStatus.LISTED, True, NOW)
    assert np.isnan([catalogue.ping_ms[0], catalogue.last_answer[0]]).all()
    catalogue.rescore()
    assert np.isnan(catalogue.score[0])  # not ranked while the ping is unknown
    assert not catalogue.unresponsive[0]
    assert parse_filter("listed").matching_rows(catalogue).tolist() == [True, True]


def test_refusals_keep_what_was_known(catalogue: Catalogue) -> None:
    catalogue.merge([reply(0, 40.0)])
    refusal = reply(0, 60.0, at=NOW + 5)
    refusal.info = replace(greeting(0), is_ping_only=True)
    catalogue.merge([refusal])
    assert (catalogue.name[0], catalogue.players[0], catalogue.status[0]) == ("Server 0", 12, QueryStatus.OK)
    assert (catalogue.last_answer[0], catalogue.unresponsive[0]) == (NOW + 5, False)


def test_replies_replace_descriptions(catalogue: Catalogue) -> None:
    merge_descriptions(catalogue, [described(0)], NOW)
    catalogue.merge([reply(0)])
    own_name = catalogue.name[0]
    assert (own_name != "Listed", catalogue.described[0], catalogue.status[0]) == (True, False, QueryStatus.OK)
    merge_descriptions(catalogue, [described(0, "Listed again")], NOW + 1e9)
    assert (catalogue.name[0], catalogue.described[0]) == (own_name, False)


def test_name_of_a_list_stays_where_replies_have_none(catalogue: Catalogue) -> None:
    merge_descriptions(catalogue, [described(0, protocol="bzflag")], NOW)
    nameless = reply(0)
    assert nameless.info is not None
    nameless.target = nameless.target._replace(protocol="bzflag")
    nameless.info = replace(nameless.info, name="", players=9)
    catalogue.merge([nameless])
    assert (catalogue.name[0], catalogue.players[0], catalogue.described[0]) == ("Listed", 9, False)


def test_name_of_a_later_list_is_shown(catalogue: Catalogue) -> None:
    nameless = reply(0)
    assert nameless.info is not None
    nameless.target = nameless.target._replace(protocol="bzflag")
    nameless.info = replace(nameless.info, name="", players=9)
    catalogue.merge([nameless])
    merge_descriptions(catalogue, [described(0, protocol="bzflag")], NOW)
    assert (catalogue.name[0], catalogue.players[0], catalogue.described[0]) == ("Listed", 9, False)


def test_newer_list_describes_unresponsive_server(catalogue: Catalogue) -> None:
    catalogue.merge([reply(0)])
    answered_at = catalogue.last_answer[0]
    catalogue.merge([failed_query(0)])
    merge_descriptions(catalogue, [described(0)], answered_at - 1.0)
    assert not catalogue.described[0]
    merge_descriptions(catalogue, [described(0)], answered_at + 1.0)
    assert (catalogue.name[0], catalogue.described[0]) == ("Listed", True)
    assert catalogue.status[0] == QueryStatus.NO_ANSWER


def test_saved_server_is_described_by_a_list(catalogue: Catalogue) -> None:
    catalogue.restore([SavedServer(target(0), server_info(0), 40.0, NOW)])
    merge_descriptions(catalogue, [described(0)], NOW + 1.0)
    assert (catalogue.name[0], catalogue.saved[0], catalogue.status[0]) == ("Listed", False, QueryStatus.LISTED)


def test_only_servers_that_answered_are_saved(catalogue: Catalogue) -> None:
    merge_descriptions(catalogue, [described(0)], NOW)
    catalogue.merge([reply(1)])
    assert [server.target for server in catalogue.saved_servers([0, 1])] == [target(1)]


def test_samp_map_lasts_until_the_next_rules(catalogue: Catalogue) -> None:
    at = target(0)._replace(protocol="samp")

    def answer(rules: dict[str, str] | None) -> None:
        info = replace(server_info(0), map=(rules or {}).get("mapname", ""), version=None, rules=rules)
        catalogue.merge([replace(reply(0), target=at, info=info)])

    answer({"mapname": "Los Santos"})
    answer(None)
    assert catalogue.map[0] == "Los Santos"
    answer({"mapname": "Las Venturas"})
    assert catalogue.map[0] == "Las Venturas"


def test_saved_samp_map_outlasts_the_list(catalogue: Catalogue) -> None:
    server = described(0, protocol="samp")
    saved = replace(server_info(0), map="Los Santos")
    catalogue.restore([SavedServer(server.target, saved, 40.0, NOW)])
    merge_descriptions(catalogue, [server._replace(info=replace(server.info, map=""))], NOW + 1.0)
    assert (catalogue.name[0], catalogue.map[0]) == ("Listed", "Los Santos")


def test_ping_alone_keeps_the_description(catalogue: Catalogue) -> None:
    server = described(0, protocol="luanti")
    merge_descriptions(catalogue, [server], NOW)
    catalogue.merge([replace(reply(0), target=server.target, info=greeting(0))])
    assert (catalogue.name[0], catalogue.players[0], catalogue.described[0]) == ("Listed", 5, True)
    assert (catalogue.status[0], catalogue.ping_ms[0] > 0) == (QueryStatus.OK, True)
    catalogue.rescore()
    assert catalogue.score[0] > 0
    merge_descriptions(catalogue, [described(0, "Newer", protocol="luanti")], NOW + 60.0)
    assert (catalogue.name[0], catalogue.status[0]) == ("Newer", QueryStatus.OK)
    catalogue.merge([replace(reply(1), target=target(1)._replace(protocol="luanti"), info=greeting(1))])
    assert (catalogue.name[1], catalogue.described[1], catalogue.status[1]) == ("", False, QueryStatus.OK)


def test_answered_server_is_not_described_as_another_game(catalogue: Catalogue) -> None:
    catalogue.merge([reply(0), reply(1)])
    catalogue.merge([failed_query(1)])
    forged = [described(number, protocol="luanti") for number in (0, 1)]
    merge_descriptions(catalogue, forged, NOW + 60.0)
    assert catalogue.name.texts_of(np.array([0, 1])) == ["Server 0", "Server 1"]
    assert catalogue.rows.polled_targets() == [target(0), target(1)]


def test_list_does_not_change_how_own_servers_are_queried(catalogue: Catalogue) -> None:
    catalogue.rows.add([target(0)])
    forged = described(0, protocol="luanti")
    merge_descriptions(catalogue, [forged], NOW)
    catalogue.merge([replace(failed_query(0), target=forged.target)])
    assert (catalogue.rows.polled_targets(), catalogue.server_info(0)) == ([target(0)], None)
    named = target(0)._replace(protocol="bedrock", game=None)
    catalogue.rows.add([named])  # by the user
    assert catalogue.rows.polled_targets() == [named]


def test_described_servers_are_dropped_with_their_list(catalogue: Catalogue) -> None:
    merge_descriptions(catalogue, [described(0), described(1)], NOW)
    catalogue.rows.set_listing(LIST, np.array([0]), is_complete=True)
    assert catalogue.rows.drop_unlisted(100).removed.tolist() == [1]
    assert catalogue.server_info(1) is None
    merge_descriptions(catalogue, [described(2, "Other")], NOW)
    assert (catalogue.name[1], catalogue.described[1]) == ("Other", True)
