"""Readers of Teeworlds and DDNet replies."""

from collections.abc import Iterable, Iterator, Sequence

from browser_app.catalogue.reply_readers.reply_fields import (
    describe_server,
    find_coloured_name,
    find_mode_name,
    find_profile,
    known_slots,
)
from browser_app.catalogue.reply_readers.server_info_text import PlainRules, clean_text
from browser_app.catalogue.server_info import DescribedServer, PlayerInfo, QueryTarget, ServerInfo
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.master_lists.described_list import ListedReply
from browser_app.protocols.query_session import QueryParts
from browser_app.protocols.teeworlds.teeworlds_list import parse_teeworlds_list
from browser_app.protocols.teeworlds.teeworlds_reply import MAX_CLIENTS, TeeworldsClient, TeeworldsReply

_NO_TIME = -9999
"""Score in race modes before the first finish."""


def read_teeworlds_reply(
    reply: TeeworldsReply, target: QueryTarget, games: GameRegistry, parts: QueryParts
) -> ServerInfo:
    """Read a reply of either version.

    Only version 0.7 reports bots, and only in the list of clients.
    """
    values = {"version": reply.version, "gametype": reply.game_type}
    profile = find_profile(games, target, values)
    name = clean_text(reply.name)
    game_type = clean_text(reply.game_type) or None
    mode = game_type if profile is None or game_type is None else profile.mode_codes.get(game_type, game_type)
    rows = reply.client_list if _is_complete(reply) else None
    players, spectators, bots = _count_clients(reply, rows)
    max_players = known_slots(reply.max_players, MAX_CLIENTS)
    return ServerInfo(
        game=None if profile is None else profile.id,
        name=name,
        map=clean_text(reply.map),
        connect=target.address,
        players=players,
        bots=bots,
        spectators=spectators,
        max_players=max_players,
        joinable=False if max_players is not None and reply.clients >= reply.max_clients > 0 else None,
        mode=mode,
        mode_name=find_mode_name(profile, mode),
        version=clean_text(reply.version) or None,
        password=reply.password,
        coloured_name=find_coloured_name(reply.name, name),
        player_list=None if rows is None or not parts & QueryParts.PLAYERS else tuple([_player_info(r) for r in rows]),
        rules=PlainRules(values) if parts & QueryParts.RULES else None,
    )


def _is_complete(reply: TeeworldsReply) -> bool:
    """Return whether a reply lists all clients; bots may be beyond their number."""
    if reply.client_list is None:
        return False
    bots = sum(client.is_bot is True for client in reply.client_list)
    return reply.clients in (len(reply.client_list), len(reply.client_list) - bots)


def _count_clients(reply: TeeworldsReply, rows: Sequence[TeeworldsClient] | None) -> tuple[int, int, int | None]:
    """Return the numbers of players, spectators and bots.

    `rows` is None if the list of clients is incomplete.
    """
    if rows is None:
        return reply.players, max(0, reply.clients - reply.players), None
    spectators = sum(row.is_spectator for row in rows)
    bots = None if any(row.is_bot is None for row in rows) else sum(row.is_bot is True for row in rows)
    return len(rows) - spectators - (bots or 0), spectators, bots


def _player_info(client: TeeworldsClient) -> PlayerInfo:
    return PlayerInfo(
        clean_text(client.name),
        None if client.is_spectator or client.score in (None, _NO_TIME) else client.score,
        None,
        None,
        None,
        client.is_bot,
        client.is_spectator,
    )


def read_teeworlds_list(chunks: Iterable[bytes], games: GameRegistry) -> Iterator[DescribedServer | None]:
    """Read DDNet's list; see `parse_teeworlds_list`."""
    for server in parse_teeworlds_list(chunks):
        if server is None:
            yield None
            continue
        listed, parts = ListedReply(server.address, server.reply), QueryParts.INFO | QueryParts.PLAYERS
        yield describe_server(listed, server.protocol, read_teeworlds_reply, games, parts)
