"""Readers of QuakeWorld, HexenWorld and Quake II replies."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from browser_app.catalogue.reply_readers.reply_fields import (
    find_coloured_name,
    find_mode_name,
    find_profile,
    parse_count,
    parse_slots,
)
from browser_app.catalogue.reply_readers.server_info_text import PlainRules, clean_text
from browser_app.catalogue.server_info import PlayerInfo, QueryTarget, ServerInfo
from browser_app.games.game_profile import GameProfile
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.quake.quake2 import Quake2Player, Quake2Reply
from browser_app.protocols.quake.quake_master_lists import parse_web_list
from browser_app.protocols.quake.quakeworld import QuakeWorldPlayer, QuakeWorldReply
from browser_app.protocols.query_protocols import QUAKE2
from browser_app.protocols.query_session import QueryParts

_FONT_DIALECT = "quake"
_MAX_SLOTS = 256
_TEAM_IDS = {"red": 1, "blue": 2}
_PROXY = re.compile(r"(qtv|qwfwd)\b", re.IGNORECASE)
"""Beginning of the version of programs that relay other servers' games."""
_PLAYER_PASSWORD = 1
"""Bit of `needpass`; the other one is for spectators."""
_DUEL_SLOTS = 2
_MINUTE_S = 60.0


def read_quakeworld_reply(
    reply: QuakeWorldReply, target: QueryTarget, games: GameRegistry, parts: QueryParts
) -> ServerInfo:
    """Read a reply of QuakeWorld or HexenWorld.

    Nobody plays on a proxy: its mode names the kind of proxy, and its numbers of players and slots are unknown. So is
    the number of spectators on servers of the original games.
    """
    info = reply.info
    profile = find_profile(games, target, info)
    dialect = _FONT_DIALECT if profile is None else profile.colours
    coloured, version = info.get("hostname", ""), clean_text(info.get("*version", ""), dialect)
    name = clean_text(coloured, dialect)
    proxy = _PROXY.match(version)
    mode = proxy[1].lower() if proxy else _quakeworld_mode(info, profile, dialect)
    rows = tuple([_quakeworld_player(player, dialect, is_viewer=proxy is not None) for player in reply.players])
    spectators = sum(row.spectator is True for row in rows)
    bots = sum(row.bot is True and row.spectator is not True for row in rows)
    folder = clean_text(info.get("*gamedir", ""), dialect)
    return ServerInfo(
        game=None if profile is None else profile.id,
        name=name,
        map=clean_text(info.get("map", ""), dialect),
        connect=target.address,
        players=None if proxy else len(rows) - bots - spectators,
        bots=None if proxy else bots,
        spectators=spectators if proxy or reply.lists_spectators else None,
        max_players=None if proxy else parse_slots(info.get("maxclients"), _MAX_SLOTS),
        closed=proxy is not None,
        mode=mode,
        mode_name=find_mode_name(profile, mode),
        version=version or None,
        password=_needs_password(info.get("needpass", "0")),
        tags=(folder,) if folder and folder != "qw" else (),
        coloured_name=find_coloured_name(coloured, name),
        player_list=rows if parts & QueryParts.PLAYERS else None,
        rules=PlainRules(info, dialect) if parts & QueryParts.RULES else None,
    )


def _quakeworld_player(player: QuakeWorldPlayer, dialect: str, *, is_viewer: bool) -> PlayerInfo:
    is_spectator = player.is_spectator or is_viewer
    return PlayerInfo(
        clean_text(player.name, dialect),
        None if is_spectator else float(player.score),
        player.minutes * _MINUTE_S,
        float(player.ping) if player.ping else None,
        _TEAM_IDS.get(clean_text(player.team, dialect).lower()),
        player.is_bot,
        is_spectator,
    )


def _quakeworld_mode(info: Mapping[str, str], profile: GameProfile | None, dialect: str) -> str | None:
    """Return the mode that the server names (KTX), else the one that its rules mean."""
    named = _named_mode(info.get("mode", ""), profile, dialect)
    if named is not None:
        return named
    if info.get("teamplay", "0") not in ("", "0"):
        return "tdm"
    if info.get("deathmatch", "0") in ("", "0"):
        return "coop" if info.get("coop", "0") not in ("", "0") else None
    return "duel" if parse_count(info.get("maxclients")) == _DUEL_SLOTS else "ffa"


def read_quake2_reply(reply: Quake2Reply, target: QueryTarget, games: GameRegistry, parts: QueryParts) -> ServerInfo:
    """Read a reply of Quake II or a game on its engine.

    Spectators are not distinguished from players. Where the game does not mark bots, they are those without a ping.
    """
    info = reply.info
    profile = find_profile(games, target, info)
    dialect = _FONT_DIALECT if profile is None else profile.colours
    coloured = _first_value(info, ("hostname", "sv_hostname"))
    name = clean_text(coloured, dialect)
    rows = tuple([_quake2_player(player, dialect) for player in reply.players])
    bots = sum(row.bot is True for row in rows)
    mode = _quake2_mode(info, profile, dialect)
    mods = (clean_text(info[key], dialect) for key in ("gamename", "game") if key in info)
    return ServerInfo(
        game=None if profile is None else profile.id,
        name=name,
        map=clean_text(_first_value(info, ("mapname", "sv_map")), dialect),
        connect=target.address,
        players=len(rows) - bots,
        bots=bots,
        spectators=None,
        max_players=parse_slots(_first_value(info, ("maxclients", "sv_max_clients")), _MAX_SLOTS),
        mode=mode,
        mode_name=find_mode_name(profile, mode),
        version=clean_text(info.get("version", ""), dialect) or None,
        password=_needs_password(info["needpass"]) if "needpass" in info else None,
        tags=tuple(dict.fromkeys(mod for mod in mods if mod not in ("", "baseq2"))),
        coloured_name=find_coloured_name(coloured, name),
        player_list=rows if parts & QueryParts.PLAYERS else None,
        rules=PlainRules(info, dialect) if parts & QueryParts.RULES else None,
    )


def _quake2_player(player: Quake2Player, dialect: str) -> PlayerInfo:
    is_bot = player.ping == 0 if player.is_bot is None else player.is_bot
    ping_ms = float(player.ping) if player.ping > 0 else None
    return PlayerInfo(clean_text(player.name, dialect), float(player.score), None, ping_ms, None, is_bot)


def _quake2_mode(info: Mapping[str, str], profile: GameProfile | None, dialect: str) -> str | None:
    """Return the mode that the server names, else the one that its rules mean."""
    keys = (*filter(None, (profile.mode_key if profile else "",)), "match_type")
    for value in (info.get(key, "") for key in keys):
        if (named := _named_mode(value, profile, dialect)) is not None:
            return named
    for key, mode in (("ctf", "ctf"), ("coop", "coop"), ("teamplay", "tdm"), ("deathmatch", "dm")):
        if info.get(key, "0").strip() not in ("", "0"):
            return mode
    return None


def _named_mode(value: str, profile: GameProfile | None, dialect: str) -> str | None:
    text = clean_text(value, dialect)
    return (text if profile is None else profile.mode_codes.get(text, text)) or None


def _first_value(info: Mapping[str, str], keys: Sequence[str]) -> str:
    return next((info[key] for key in keys if key in info), "")


def _needs_password(text: str) -> bool | None:
    number = parse_count(text.strip())
    return None if number is None else bool(number & _PLAYER_PASSWORD)


def read_quake2_list(chunks: Iterable[bytes], _games: GameRegistry) -> Iterator[QueryTarget | None]:
    """Read a list of addresses of Quake II servers; see `parse_web_list`."""
    for address in parse_web_list(chunks):
        yield None if address is None else QueryTarget(address, QUAKE2, None)
