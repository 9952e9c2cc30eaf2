"""Readers of replies of Zandronum, Odamex and Chocolate Doom."""

from collections.abc import Mapping, Sequence

from browser_app.catalogue.reply_readers.reply_fields import (
    find_coloured_name,
    find_mode_name,
    find_profile,
    ping_only_info,
)
from browser_app.catalogue.reply_readers.server_info_text import PlainRules, clean_text
from browser_app.catalogue.server_info import PlayerInfo, QueryTarget, ServerInfo
from browser_app.games.game_files import GameFiles
from browser_app.games.game_profile import GameProfile
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.doom import odamex
from browser_app.protocols.doom.chocolate_doom import IN_GAME, ChocolateDoomReply
from browser_app.protocols.doom.odamex import OdamexPlayer, OdamexReply, OdamexVersion
from browser_app.protocols.doom.zandronum import ZandronumPlayer, ZandronumRefusal, ZandronumReply
from browser_app.protocols.query_session import QueryParts

_DIALECT = "doom"
_MAX_TAGS = 8
_MAX_RULE_LENGTH = 2000
_MINUTE_S = 60.0
_ODAMEX_ENGINE_WAD = "odamex.wad"
"""The engine's own file, which every installation has."""
_DUEL_SLOTS = "2"
_NO_COUNTRIES = ("XIP", "XUN")
"""Zandronum's codes for a country that follows from the address, and for none."""


def read_zandronum_reply(
    reply: ZandronumReply | ZandronumRefusal, target: QueryTarget, games: GameRegistry, parts: QueryParts
) -> ServerInfo:
    """Read a reply of Zandronum; a refusal only shows that the server is there."""
    version = "" if isinstance(reply, ZandronumRefusal) else reply.version.partition(" on ")[0]
    profile = find_profile(games, target, {"version": version})
    if isinstance(reply, ZandronumRefusal):
        return ping_only_info(target, profile)
    rows = None if reply.players is None else tuple([_zandronum_player(player) for player in reply.players])
    name, mode = clean_text(reply.name, _DIALECT), _mode(None if reply.mode is None else str(reply.mode), profile)
    max_players = reply.max_clients if reply.max_players is None else reply.max_players
    has_room = reply.player_count is None or not reply.max_clients or reply.player_count < reply.max_clients
    return ServerInfo(
        game=None if profile is None else profile.id,
        name=name,
        map=clean_text(reply.map),
        connect=target.address,
        players=reply.player_count if rows is None else _count(rows, is_bot=False),
        bots=None if rows is None else _count(rows, is_bot=True),
        spectators=None if rows is None else sum(row.spectator is True for row in rows),
        max_players=max_players or None,
        joinable=None if has_room else False,
        mode=mode,
        mode_name=find_mode_name(profile, mode) or clean_text(reply.mode_name) or None,
        version=clean_text(version) or None,
        password=_either(reply.password, reply.join_password),
        tags=_tags(reply.wads),
        coloured_name=find_coloured_name(reply.name, name),
        player_list=rows if parts & QueryParts.PLAYERS else None,
        rules=PlainRules(_zandronum_rules(reply)) if parts & QueryParts.RULES else None,
        game_files=GameFiles(
            reply.iwad,
            reply.wads,
            frozenset(wad for index, wad in enumerate(reply.wads) if index in reply.optional_wads),
            reply.patches,
        ),
    )


def _zandronum_player(player: ZandronumPlayer) -> PlayerInfo:
    return PlayerInfo(
        clean_text(player.name, _DIALECT),
        None if player.is_spectator else float(player.score),
        player.minutes * _MINUTE_S,
        None if player.is_bot else float(player.ping),
        None if player.team is None else player.team + 1,
        player.is_bot,
        player.is_spectator,
    )


def _zandronum_rules(reply: ZandronumReply) -> Mapping[str, str]:
    wads = (f"{wad} (optional)" if index in reply.optional_wads else wad for index, wad in enumerate(reply.wads))
    country = "" if reply.country in _NO_COUNTRIES else reply.country
    rules = {
        "iwad": reply.iwad, "wads": ", ".join(wads), "patches": ", ".join(reply.patches), "game": reply.game_name,
        "website": reply.website, "country": country, "skill": "" if reply.skill is None else str(reply.skill),
        "instagib": "1" if reply.is_instagib else "", "buckshot": "1" if reply.is_buckshot else "",
        **{name: str(limit) for name, limit in reply.limits.items()},
    }  # fmt: skip
    return {name: text[:_MAX_RULE_LENGTH] for name, text in rules.items() if text}


def read_odamex_reply(
    reply: OdamexReply | OdamexVersion, target: QueryTarget, games: GameRegistry, parts: QueryParts
) -> ServerInfo:
    """Read a reply of Odamex; one with the version alone only shows presence."""
    profile = find_profile(games, target, {"version": reply.version})
    if isinstance(reply, OdamexVersion):
        return ping_only_info(target, profile)
    variables = reply.variables
    rows = tuple([_odamex_player(player) for player in reply.players])
    coloured = variables.get("sv_hostname", "")
    name, mode = clean_text(coloured, _DIALECT), _odamex_mode(reply, profile)
    main_wad, *wads = [wad for wad in reply.wads if wad.lower() != _ODAMEX_ENGINE_WAD] or [""]
    max_clients = _number(variables.get("sv_maxclients"))
    return ServerInfo(
        game=None if profile is None else profile.id,
        name=name,
        map=clean_text(reply.map),
        connect=target.address,
        players=_count(rows, is_bot=False),
        bots=0,
        spectators=sum(row.spectator is True for row in rows),
        max_players=_number(variables.get("sv_maxplayers")) or None,
        joinable=False if max_clients is not None and len(rows) >= max_clients > 0 else None,
        mode=mode,
        mode_name=find_mode_name(profile, mode),
        version=clean_text(reply.version) or None,
        password=reply.has_join_password,
        tags=_tags(wads),
        coloured_name=find_coloured_name(coloured, name),
        player_list=rows if parts & QueryParts.PLAYERS else None,
        rules=PlainRules(_odamex_rules(reply, main_wad, wads)) if parts & QueryParts.RULES else None,
        game_files=GameFiles(main_wad, tuple(wads), patches=reply.patches),
    )


def _odamex_player(player: OdamexPlayer) -> PlayerInfo:
    return PlayerInfo(
        clean_text(player.name, _DIALECT),
        None if player.is_spectator else float(player.frags),
        player.minutes * _MINUTE_S,
        float(player.ping),
        None if player.team is None else player.team + 1,
        bot=False,
        spectator=player.is_spectator,
    )


def _odamex_mode(reply: OdamexReply, profile: GameProfile | None) -> str | None:
    """Return the mode; a duel is a deathmatch of two."""
    if reply.game_type == odamex.DEATHMATCH and reply.variables.get("sv_maxplayers") == _DUEL_SLOTS:
        return "duel"
    return _mode(str(reply.game_type), profile)


def _odamex_rules(reply: OdamexReply, main_wad: str, wads: Sequence[str]) -> Mapping[str, str]:
    files = {"iwad": main_wad, "wads": ", ".join(wads), "patches": ", ".join(reply.patches)}
    left = {} if reply.minutes_left is None else {"minutes left": str(reply.minutes_left)}
    return {name: text[:_MAX_RULE_LENGTH] for name, text in files.items() if text} | left | reply.variables


def read_chocolate_doom_reply(
    reply: ChocolateDoomReply, target: QueryTarget, games: GameRegistry, parts: QueryParts
) -> ServerInfo:
    """Read a reply of Chocolate Doom; the first player decides what is played."""
    profile = find_profile(games, target, {"version": reply.version})
    return ServerInfo(
        game=None if profile is None else profile.id,
        name=clean_text(reply.name),
        map="",
        connect=target.address,
        players=reply.players,
        bots=0,
        spectators=None,
        max_players=reply.max_players or None,
        closed=reply.state == IN_GAME,
        version=clean_text(reply.version) or None,
        password=False,
        coloured_name=find_coloured_name(reply.name, clean_text(reply.name)),
        rules=PlainRules({"state": str(reply.state)}) if parts & QueryParts.RULES else None,
    )


def _count(rows: Sequence[PlayerInfo], *, is_bot: bool) -> int:
    return sum(row.bot is is_bot and row.spectator is not True for row in rows)


def _mode(code: str | None, profile: GameProfile | None) -> str | None:
    return code if profile is None or code is None else profile.mode_codes.get(code, code)


def _either(*passwords: bool | None) -> bool | None:
    """Return whether one of the passwords is needed; None if none is known of."""
    known = [password for password in passwords if password is not None]
    return any(known) if known else None


def _tags(wads: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(tag for wad in wads[:_MAX_TAGS] if (tag := clean_text(wad))))


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 4 else None
