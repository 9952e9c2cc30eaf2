"""A2S replies as `Facts`."""

import math

from browser_app.catalogue.facts import Facts, PlayerRow, Target
from browser_app.catalogue.plain_rules import PlainRules
from browser_app.catalogue.reading_text import MAX_COLOURED, line
from browser_app.games.games import Games
from browser_app.games.profile import GameProfile
from browser_app.protocols.a2s import A2SInfo, A2SPlayer, A2SReply
from browser_app.protocols.address import Address
from browser_app.protocols.coloured_text import plain
from browser_app.protocols.conversation import Want
from browser_app.protocols.ns2 import NS2Tags, read_rules, read_tags

_MAX_KEYWORDS = 1024
_RUST = 252490
_NO_TAGS = NS2Tags()
_GAME_SERVER_ACCOUNT = 3
"""Steam's account type of servers that log in under a name of their own; all others get a new id at each start."""


def read_a2s(reply: A2SReply, target: Target, games: Games, want: Want) -> Facts:
    """Bots are counted among the players by A2S; here they are not. Whether somebody only watches is not told."""
    info = reply.info
    profile = games.identify("a2s", appid=info.appid, folder=info.folder)
    if profile is None and not info.appid and target.game is not None:
        profile = games.get(target.game)
    keywords = plain(info.keywords[:_MAX_KEYWORDS]) if info.keywords else ""
    ns2 = profile is not None and profile.tags == "ns2"
    told = read_tags(keywords) if ns2 else _NO_TAGS
    tags = told.tags if ns2 else tuple([tag for tag in map(str.strip, keywords.split(",")) if tag])
    players, max_players = max(0, info.players - info.bots), info.max_players
    if info.appid == _RUST:
        players, max_players = _rust_counts(tags, players, max_players)
    name = line(info.name, "none" if profile is None else profile.colours)
    mode = told.mode
    return Facts(
        game=None if profile is None else profile.id,
        name=name,
        map=line(info.map),
        connect=Address(target.address.host, _game_port(info, target, profile)),
        players=players,
        bots=info.bots,
        spectators=None,
        max_players=max_players,
        reserved=told.reserved,
        mode=mode,
        mode_name=profile.modes.get(mode) if profile is not None and mode is not None else None,
        version=str(told.build) if told.build is not None else line(info.version or "") or None,
        password=info.password,
        performance=told.performance,
        quality=told.quality,
        server_skill=_ns2_skill(told, reply, players) if ns2 else None,
        rookie_only=told.rookie_only if ns2 else None,
        quick_play=not told.ignore_play_now if ns2 else None,
        stable_key=_stable_key(info.steam_id),
        tags=tags,
        coloured_name=info.name[:MAX_COLOURED] if info.name != name else "",
        player_list=_player_list(reply.players, info.bots)
        if reply.players is not None and want & Want.PLAYERS
        else None,
        rules=PlainRules(reply.rules) if reply.rules is not None and want & Want.RULES else None,
    )


def _game_port(info: A2SInfo, target: Target, profile: GameProfile | None) -> int:
    if info.port or target.game_port:
        return info.port or target.game_port or 0
    port = target.address.port - (0 if profile is None else profile.query_port_offset)
    return port if 0 < port < 65536 else target.address.port


def _ns2_skill(told: NS2Tags, reply: A2SReply, players: int) -> float | None:
    """Tags up to build 328, the rules since. Of nobody there is no mean, whatever number stands there."""
    if not players:
        return None
    if told.skill is not None:
        return float(told.skill)
    return read_rules(reply.rules).average_skill if reply.rules else None


def _rust_counts(tags: tuple[str, ...], players: int, max_players: int) -> tuple[int, int]:
    """Rust tells in its tags (`mp300,cp280`) what the reply's single bytes cannot hold."""
    counts = {tag[:2]: int(tag[2:]) for tag in tags if tag[2:].isascii() and tag[2:].isdigit() and len(tag) < 8}
    return counts.get("cp", players), counts.get("mp", max_players)


def _stable_key(steam_id: int | None) -> str | None:
    if steam_id is None or (steam_id >> 52) & 0xF != _GAME_SERVER_ACCOUNT:
        return None
    return f"steam:{steam_id}"


def _player_list(players: tuple[A2SPlayer, ...], bots: int) -> tuple[PlayerRow, ...]:
    """Who of them is a bot is not told; without bots nobody is."""
    bot = None if bots else False
    return tuple(PlayerRow(line(p.name), float(p.score), _duration(p.duration_s), None, None, bot) for p in players)


def _duration(seconds: float) -> float | None:
    """-1 is what honest servers say of those whose time they do not know, and a clock may be a little behind."""
    return seconds if math.isfinite(seconds) and not -1.0 <= seconds < 0.0 else None
