"""Readers of GameSpy's and Unreal Engine 2's replies."""

import re
from collections.abc import Mapping

from browser_app.catalogue.reply_readers.reply_fields import (
    find_coloured_name,
    find_mode_name,
    find_profile,
    guess_game_port,
    known_ping,
    known_slots,
)
from browser_app.catalogue.reply_readers.server_info_text import PlainRules, clean_text
from browser_app.catalogue.server_info import PlayerInfo, QueryTarget, ServerInfo
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address
from browser_app.protocols.gamespy.gamespy_reply import GameSpyReply
from browser_app.protocols.query_session import QueryParts
from browser_app.protocols.unreal2 import MAX_PLAYERS, Unreal2Player, Unreal2Reply

_COUNT = re.compile(r"[0-9]{1,5}")
_NUMBER = re.compile(r" *(-?[0-9]{1,9}) *")
_SCORE_FIELDS = ("score", "frags", "kills")
_UT3_MAP = re.compile(r"(?:.*,)?p1073741825=([^,]*)(?:,.*)?", re.DOTALL)
"""Unreal Tournament 3 sends many values as that of the map."""
_YES, _NO = frozenset({"1", "true", "yes"}), frozenset({"0", "false", "no", ""})
_GAME_PASSWORD = "GamePassword"  # noqa: S105 - a key, not a password


def read_gamespy_reply(reply: GameSpyReply, target: QueryTarget, games: GameRegistry, parts: QueryParts) -> ServerInfo:
    """Read a reply by any of GameSpy's protocols.

    Bots and spectators are not counted apart from players.
    """
    rules = reply.rules
    profile = find_profile(games, target, rules)
    colours = "none" if profile is None else profile.colours
    name, mode = clean_text(rules["hostname"], colours), clean_text(rules.get("gametype", ""), colours) or None
    port = _count(rules.get("hostport", "")) or guess_game_port(target, profile)
    wants_players = bool(parts & QueryParts.PLAYERS) and reply.player_list is not None
    return ServerInfo(
        game=None if profile is None else profile.id,
        name=name,
        map=clean_text(_map_name(rules)),
        connect=Address(target.address.host, port if port < 65536 else target.address.port),
        players=_count(rules.get("numplayers", "")),
        bots=None,
        spectators=None,
        max_players=_count(rules.get("maxplayers", "")) or None,
        mode=mode,
        mode_name=find_mode_name(profile, mode),
        version=clean_text(rules.get("gamever", "")) or None,
        password=_flag(rules["password"]) if "password" in rules else None,
        coloured_name=find_coloured_name(rules["hostname"], name),
        player_list=tuple(_player_info(each, colours) for each in reply.player_list or ()) if wants_players else None,
        rules=PlainRules(rules, colours) if parts & QueryParts.RULES else None,
    )


def _map_name(rules: Mapping[str, str]) -> str:
    name = rules.get("mapname", "") or rules.get("map", "")
    match = _UT3_MAP.fullmatch(name)
    return match[1] if match else name


def _player_info(player: Mapping[str, str], colours: str) -> PlayerInfo:
    team = _number(player.get("team", ""))
    score = next((player[key] for key in _SCORE_FIELDS if key in player), "")
    return PlayerInfo(
        clean_text(player.get("player", "") or player.get("playername", ""), colours),
        _number(score),
        None,
        known_ping(_number(player.get("ping", ""))),
        None if team is None else int(team),
        _flag(player["AIBot"]) if "AIBot" in player else None,
        player["mesh"] == "Spectator" if "mesh" in player else None,
    )


def _count(text: str) -> int | None:
    return int(text) if _COUNT.fullmatch(text) else None


def _number(text: str) -> float | None:
    match = _NUMBER.fullmatch(text)
    return float(match[1]) if match else None


def _flag(text: str) -> bool | None:
    """Parse a Boolean; None if the text is neither yes nor no."""
    lowered = text.strip().lower()
    return True if lowered in _YES else False if lowered in _NO else None


def read_unreal2_reply(reply: Unreal2Reply, target: QueryTarget, games: GameRegistry, parts: QueryParts) -> ServerInfo:
    """Read a reply by Unreal Engine 2's protocol.

    It names the class of the mode, from which the game follows. Whether a password is needed is among the rules of
    some servers only.
    """
    profile = find_profile(games, target, {"gametype": reply.game_type})
    rules, mode = reply.rules or {}, clean_text(reply.game_type) or None
    return ServerInfo(
        game=None if profile is None else profile.id,
        name=clean_text(reply.name),
        map=clean_text(reply.map),
        connect=Address(target.address.host, reply.game_port or guess_game_port(target, profile)),
        players=reply.players,
        bots=None,
        spectators=None,
        max_players=known_slots(reply.max_players, MAX_PLAYERS),
        mode=mode,
        mode_name=find_mode_name(profile, mode),
        version=clean_text(rules.get("ServerVersion", "")) or None,
        password=_flag(rules[_GAME_PASSWORD]) if _GAME_PASSWORD in rules else None,
        player_list=tuple(map(_unreal2_player, reply.player_list))
        if reply.player_list is not None and parts & QueryParts.PLAYERS
        else None,
        rules=PlainRules(rules) if reply.rules is not None and parts & QueryParts.RULES else None,
    )


def _unreal2_player(player: Unreal2Player) -> PlayerInfo:
    return PlayerInfo(clean_text(player.name), float(player.score), None, known_ping(player.ping_ms), None, None)
