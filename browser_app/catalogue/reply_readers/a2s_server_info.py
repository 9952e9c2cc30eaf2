"""Readers of A2S replies."""

import math
from collections.abc import Mapping
from dataclasses import replace

from browser_app.catalogue.places.languages import language_codes_of_tags
from browser_app.catalogue.reply_readers.reply_fields import find_coloured_name, find_mode_name, guess_game_port
from browser_app.catalogue.reply_readers.server_info_text import PlainRules, clean_text
from browser_app.catalogue.server_info import PlayerInfo, QueryTarget, ServerInfo
from browser_app.games.game_profile import GameProfile
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.a2s.a2s import A2SInfo, A2SPlayer, A2SReply
from browser_app.protocols.a2s.ns2_tags import NS2Tags, parse_ns2_average_skill, parse_ns2_tags
from browser_app.protocols.address import Address
from browser_app.protocols.coloured_text import plain_text
from browser_app.protocols.query_session import QueryParts

_MAX_KEYWORDS_LENGTH = 1024
_RUST_APP_ID = 252490
_STEAM_GAME_SERVER_ACCOUNT = 3
"""Steam account type of servers that log in with an account of their own; all others get a new id at each start."""


def read_a2s_reply(reply: A2SReply, target: QueryTarget, games: GameRegistry, parts: QueryParts) -> ServerInfo:
    """Read an A2S reply.

    A2S counts bots as players; `ServerInfo.players` does not. A2S does not report spectators.
    """
    info, players, rules = reply.info, reply.players, reply.rules
    profile = _find_profile(info, target, games)
    name = clean_text(info.name, "none" if profile is None else profile.colours)
    keywords = plain_text(info.keywords[:_MAX_KEYWORDS_LENGTH]) if info.keywords else ""
    tags = tuple([tag for tag in map(str.strip, keywords.split(",")) if tag])
    server = ServerInfo(
        game=None if profile is None else profile.id,
        name=name,
        map=clean_text(info.map),
        connect=Address(target.address.host, info.port or target.game_port or guess_game_port(target, profile)),
        players=max(0, info.players - info.bots),
        bots=info.bots,
        spectators=None,
        max_players=info.max_players or None,
        version=clean_text(info.version or "") or None,
        password=info.password,
        stable_key=_stable_key(info.steam_id),
        tags=tags,
        language=language_codes_of_tags(tags),
        coloured_name=find_coloured_name(info.name, name),
        player_list=_player_list(players, info.bots) if players is not None and parts & QueryParts.PLAYERS else None,
        rules=PlainRules(rules) if rules is not None and parts & QueryParts.RULES else None,
    )
    if profile is not None and profile.tags == "ns2":
        return _with_ns2_tags(server, parse_ns2_tags(keywords), rules, profile)
    return _with_rust_counts(server) if info.appid == _RUST_APP_ID else server


def _find_profile(info: A2SInfo, target: QueryTarget, games: GameRegistry) -> GameProfile | None:
    """Return the profile of the game that the server reports.

    Without an app id, that of the game that the server was listed for.
    """
    profile = games.identify(appid=info.appid, folder=info.folder)
    if profile is None and not info.appid and target.game is not None:
        return games.get(target.game)
    return profile


def _with_ns2_tags(
    server: ServerInfo, tags: NS2Tags, rules: Mapping[bytes, bytes] | None, profile: GameProfile
) -> ServerInfo:
    return replace(
        server,
        reserved=tags.reserved,
        mode=tags.mode,
        mode_name=find_mode_name(profile, tags.mode),
        version=server.version if tags.build is None else str(tags.build),
        performance=tags.performance,
        quality=tags.quality,
        server_skill=_ns2_average_skill(tags, rules) if server.players else None,
        rookie_only=tags.rookie_only,
        quick_play=not tags.ignore_play_now,
        tags=tags.tags,
    )


def _ns2_average_skill(tags: NS2Tags, rules: Mapping[bytes, bytes] | None) -> float | None:
    """Return the mean skill from the tags (up to build 328) or the rules (since)."""
    if tags.skill is not None:
        return float(tags.skill)
    return parse_ns2_average_skill(rules) if rules else None


def _with_rust_counts(server: ServerInfo) -> ServerInfo:
    """Take the counts of players and slots from Rust's tags (`mp300,cp280`).

    They may exceed the single bytes of the reply.
    """
    counts = {tag[:2]: int(tag[2:]) for tag in server.tags if tag[2:].isascii() and tag[2:].isdigit() and len(tag) < 8}
    players, max_players = counts.get("cp", server.players), counts.get("mp", server.max_players)
    return replace(server, players=players, max_players=max_players or None)


def _stable_key(steam_id: int | None) -> str | None:
    if steam_id is None or (steam_id >> 52) & 0xF != _STEAM_GAME_SERVER_ACCOUNT:
        return None
    return f"steam:{steam_id}"


def _player_list(players: tuple[A2SPlayer, ...], bots: int) -> tuple[PlayerInfo, ...]:
    """Read the players.

    A2S does not mark bots: on a server with bots `bot` is unknown, on others False.
    """
    bot = None if bots else False
    return tuple(
        PlayerInfo(clean_text(p.name), float(p.score), _plausible_duration(p.duration_s), None, None, bot)
        for p in players
    )


def _plausible_duration(seconds: float) -> float | None:
    """Return None for impossible times and for −1…0.

    Honest servers send the latter for an unknown time.
    """
    return seconds if math.isfinite(seconds) and not -1.0 <= seconds < 0.0 else None
