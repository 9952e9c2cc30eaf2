"""Conversion of A2S replies to `ServerInfo`."""

import math

from browser_app.catalogue.reply_readers.reply_fields import find_coloured_name, find_mode_name, guess_game_port
from browser_app.catalogue.reply_readers.server_info_text import PlainRules, clean_text
from browser_app.catalogue.server_info import PlayerInfo, QueryTarget, ServerInfo
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.a2s.a2s import A2SPlayer, A2SReply
from browser_app.protocols.a2s.ns2_tags import NS2Tags, parse_ns2_average_skill, parse_ns2_tags
from browser_app.protocols.address import Address
from browser_app.protocols.coloured_text import plain_text
from browser_app.protocols.query_session import QueryParts

_MAX_KEYWORDS_LENGTH = 1024
_RUST_APP_ID = 252490
_NO_TAGS = NS2Tags()
_STEAM_GAME_SERVER_ACCOUNT = 3
"""Steam account type of servers that log in with an account of their own; all others get a new id at each start."""


def server_info_from_a2s(reply: A2SReply, target: QueryTarget, games: GameRegistry, parts: QueryParts) -> ServerInfo:
    """Convert an A2S reply.

    A2S counts bots as players; `ServerInfo.players` does not. A2S does not report spectators.
    """
    info = reply.info
    profile = games.identify(appid=info.appid, folder=info.folder)
    if profile is None and not info.appid and target.game is not None:
        profile = games.get(target.game)
    keywords = plain_text(info.keywords[:_MAX_KEYWORDS_LENGTH]) if info.keywords else ""
    ns2 = profile is not None and profile.tags == "ns2"
    ns2_tags = parse_ns2_tags(keywords) if ns2 else _NO_TAGS
    tags = ns2_tags.tags if ns2 else tuple([tag for tag in map(str.strip, keywords.split(",")) if tag])
    players, max_players = max(0, info.players - info.bots), info.max_players
    if info.appid == _RUST_APP_ID:
        players, max_players = _rust_counts(tags, players, max_players)
    name = clean_text(info.name, "none" if profile is None else profile.colours)
    mode = ns2_tags.mode
    return ServerInfo(
        game=None if profile is None else profile.id,
        name=name,
        map=clean_text(info.map),
        connect=Address(target.address.host, info.port or target.game_port or guess_game_port(target, profile)),
        players=players,
        bots=info.bots,
        spectators=None,
        max_players=max_players,
        reserved=ns2_tags.reserved,
        mode=mode,
        mode_name=find_mode_name(profile, mode),
        version=str(ns2_tags.build) if ns2_tags.build is not None else clean_text(info.version or "") or None,
        password=info.password,
        performance=ns2_tags.performance,
        quality=ns2_tags.quality,
        server_skill=_ns2_average_skill(ns2_tags, reply, players) if ns2 else None,
        rookie_only=ns2_tags.rookie_only if ns2 else None,
        quick_play=not ns2_tags.ignore_play_now if ns2 else None,
        stable_key=_stable_key(info.steam_id),
        tags=tags,
        coloured_name=find_coloured_name(info.name, name),
        player_list=_player_list(reply.players, info.bots)
        if reply.players is not None and parts & QueryParts.PLAYERS
        else None,
        rules=PlainRules(reply.rules) if reply.rules is not None and parts & QueryParts.RULES else None,
    )


def _ns2_average_skill(tags: NS2Tags, reply: A2SReply, players: int) -> float | None:
    """Return the mean skill from the tags (up to build 328) or the rules (since).

    An empty server has none.
    """
    if not players:
        return None
    if tags.skill is not None:
        return float(tags.skill)
    return parse_ns2_average_skill(reply.rules) if reply.rules else None


def _rust_counts(tags: tuple[str, ...], players: int, max_players: int) -> tuple[int, int]:
    """Return the counts from Rust's tags (`mp300,cp280`).

    They may exceed the single bytes of the reply.
    """
    counts = {tag[:2]: int(tag[2:]) for tag in tags if tag[2:].isascii() and tag[2:].isdigit() and len(tag) < 8}
    return counts.get("cp", players), counts.get("mp", max_players)


def _stable_key(steam_id: int | None) -> str | None:
    if steam_id is None or (steam_id >> 52) & 0xF != _STEAM_GAME_SERVER_ACCOUNT:
        return None
    return f"steam:{steam_id}"


def _player_list(players: tuple[A2SPlayer, ...], bots: int) -> tuple[PlayerInfo, ...]:
    """Convert the players.

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
