"""Conversion of Teeworlds and DDNet replies to `ServerInfo`."""

from functools import cache

from browser_app.catalogue.reply_readers.server_info_readers import read_reply
from browser_app.catalogue.server_info import PlayerInfo, QueryTarget, ServerInfo
from browser_app.games.game_registry import GameRegistry, load_games
from browser_app.paths import resource_folder
from browser_app.protocols.address import Address
from browser_app.protocols.query_session import QueryParts
from browser_app.protocols.teeworlds.teeworlds_reply import TeeworldsClient, TeeworldsReply


@cache
def _games() -> GameRegistry:
    return load_games(resource_folder() / "games")


def _read(reply: TeeworldsReply, parts: QueryParts = QueryParts.ALL) -> ServerInfo:
    target = QueryTarget(Address("192.0.2.1", 8303), "teeworlds06", None)
    return read_reply(reply, target, _games(), parts)


def _reply(*clients: TeeworldsClient, max_players: int = 12, max_clients: int = 16) -> TeeworldsReply:
    players = sum(not each.is_spectator for each in clients)
    return TeeworldsReply(
        "0.7.5", "A \x1b server", "dm1", "DM", False, players, max_players, len(clients), max_clients, clients
    )


def _client(name: str, score: int = 0, *, is_spectator: bool = False, is_bot: bool | None = False) -> TeeworldsClient:
    return TeeworldsClient(name, "Clan", score, is_spectator, is_bot)


def test_bots_and_spectators_are_not_players() -> None:
    info = _read(
        _reply(_client("One", 7), _client("Two", is_spectator=True), _client("Three", is_bot=True), _client("Four"))
    )
    assert (info.players, info.bots, info.spectators, info.max_players) == (2, 1, 1, 12)
    assert info.player_list is not None
    assert info.player_list[0] == PlayerInfo("One", 7.0, None, None, None, False, False)
    assert info.player_list[1].score is None
    assert (info.name, info.map, info.version, info.password) == ("A server", "dm1", "0.7.5", False)


def test_bots_may_be_beyond_number_of_clients() -> None:
    reply = _reply(_client("One", 7), _client("Two", is_spectator=True), _client("Three", is_bot=True))
    reply.players, reply.clients = 1, 2
    info = _read(reply)
    assert (info.players, info.bots, info.spectators) == (1, 1, 1)
    assert info.player_list is not None
    assert len(info.player_list) == 3


def test_bots_are_unknown_in_version_06() -> None:
    info = _read(_reply(_client("One", is_bot=None), _client("Two", -9999, is_bot=None)))
    assert (info.players, info.bots) == (2, None)
    assert info.player_list is not None
    assert [row.score for row in info.player_list] == [0.0, None]


def test_missing_list_keeps_the_counts() -> None:
    reply = _reply(_client("One"), _client("Two", is_spectator=True))
    reply.client_list = None
    info = _read(reply)
    assert (info.players, info.bots, info.spectators, info.player_list) == (1, None, 1, None)


def test_no_free_client_slot_means_not_joinable() -> None:
    crowd = [_client(str(number), is_spectator=number > 3) for number in range(16)]
    assert _read(_reply(*crowd)).joinable is False
    assert _read(_reply(*crowd[:15])).joinable is not False
    assert _read(_reply(max_players=100_000)).max_players is None


def test_parts_not_requested_are_dropped() -> None:
    info = _read(_reply(_client("One")), QueryParts.INFO)
    assert (info.player_list, info.rules, info.players) == (None, None, 1)
