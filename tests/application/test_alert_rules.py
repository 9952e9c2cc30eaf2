"""Conditions and texts of alerts."""

import pytest

from browser_app.application.alert_rules import ALERT_RULES
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.server_info import QueryResult, QueryStatus, QueryTarget, ServerInfo
from browser_app.games import load_games
from browser_app.paths import resource_folder
from browser_app.protocols.address import Address
from browser_app.storage.user_lists.alert_store import AlertKind

SERVER = Address("10.0.0.1", 27015)


def catalogue_with(players: int | None, max_players: int | None) -> Catalogue:
    """Return a catalogue with one server, whose player list is unknown."""
    catalogue = Catalogue(load_games(resource_folder() / "games"))
    info = ServerInfo("ns2", "Server", "ns2_veil", SERVER, players, 0, 0, max_players)
    catalogue.merge([QueryResult(QueryTarget(SERVER, "a2s", "ns2"), QueryStatus.OK, info, None, 50.0, False, 1, 1.0)])
    return catalogue


@pytest.mark.parametrize("kind", AlertKind)
def test_every_kind_has_a_rule(kind: AlertKind) -> None:
    rule = ALERT_RULES[kind]
    assert ("{n}" in rule.label) == kind.has_number
    assert "{server}" in rule.title


@pytest.mark.parametrize(
    ("kind", "players", "max_players", "met"),
    [
        (AlertKind.SLOT, 8, 16, True),
        (AlertKind.SLOT, 16, 16, False),
        (AlertKind.SLOT, 16, None, None),
        (AlertKind.PLAYERS, 6, 16, True),
        (AlertKind.PLAYERS, 5, 16, False),
        (AlertKind.PLAYERS, None, 16, None),
    ],
)
def test_condition(kind: AlertKind, players: int | None, max_players: int | None, met: bool | None) -> None:
    causes = ALERT_RULES[kind].causes(catalogue_with(players, max_players), 0, 6)
    assert (None if causes is None else bool(causes)) == met


def test_friends_are_unknown_without_player_list() -> None:
    assert ALERT_RULES[AlertKind.FRIEND].causes(catalogue_with(8, 16), 0, 0) is None


def test_no_friend_is_on_an_empty_server() -> None:
    assert ALERT_RULES[AlertKind.FRIEND].causes(catalogue_with(0, 16), 0, 0) == frozenset()
