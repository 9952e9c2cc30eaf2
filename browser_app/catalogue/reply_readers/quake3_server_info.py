"""Readers of Quake III, DarkPlaces and FiveM replies."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from browser_app.catalogue.reply_readers.reply_fields import (
    find_coloured_name,
    find_mode_name,
    find_profile,
    guess_game_port,
    parse_count,
    parse_slots,
)
from browser_app.catalogue.reply_readers.server_info_text import PlainRules, clean_text
from browser_app.catalogue.server_info import PlayerInfo, QueryTarget, ServerInfo
from browser_app.games.game_profile import GameProfile
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address
from browser_app.protocols.quake.quake3 import Quake3Player, Quake3Reply
from browser_app.protocols.quake.xonotic_qcstatus import QCStatus, parse_qcstatus
from browser_app.protocols.query_session import QueryParts

_DARKPLACES_SPECTATOR_SCORE = "-666"
_WARSOW_SPECTATOR_SCORE = "-9999"
_FINGERPRINT_PATTERN = re.compile(r"\d ([!-~]{44})@")
_PASSWORD_KEYS = ("g_needpass", "pswrd")
_MAX_SLOTS = 255
"""Of the engines of the family."""
_FIVEM_MAX_SLOTS = 2048
_DEVELOPMENT_VERSION = 65535
"""Xonotic's `gameversion` in builds from the development branch."""


class _PlayerCounts(NamedTuple):
    players: int | None
    bots: int | None
    spectators: int | None


def read_quake3_reply(reply: Quake3Reply, target: QueryTarget, games: GameRegistry, parts: QueryParts) -> ServerInfo:
    """Read a Quake III or DarkPlaces reply.

    Players are those with a ping (bots have none), without spectators where the protocol reports these.
    """
    info = reply.info
    darkplaces = target.protocol == "darkplaces"
    max_slots = _FIVEM_MAX_SLOTS if target.protocol == "fivem" else _MAX_SLOTS
    profile = find_profile(games, target, info)
    dialect = profile.colours if profile is not None else "xonotic" if darkplaces else "quake3"
    coloured = info.get("sv_hostname") or info.get("hostname") or ""
    name = clean_text(coloured, dialect)
    qcstatus = parse_qcstatus(info["qcstatus"]) if "qcstatus" in info else None
    rows = None if reply.players is None else _player_list(reply.players, dialect, darkplaces)
    counts = _darkplaces_player_counts(info, rows) if darkplaces else _player_counts(info, rows, dialect)
    mode = _game_mode(info, profile, qcstatus, dialect)
    return ServerInfo(
        game=None if profile is None else profile.id,
        name=name,
        map=clean_text(info.get("mapname", ""), dialect),
        connect=Address(target.address.host, guess_game_port(target, profile)),
        players=counts.players,
        bots=counts.bots,
        spectators=counts.spectators,
        max_players=parse_slots(info.get("sv_maxclients"), max_slots),
        reserved=parse_slots(info.get("sv_privateClients"), max_slots, min_slots=0),
        joinable=None if qcstatus is None or qcstatus.joinable is None else qcstatus.joinable > 0,
        mode=mode,
        mode_name=find_mode_name(profile, mode),
        version=_game_version(info, profile, qcstatus, dialect),
        password=_needs_password(info),
        stable_key=_stable_key(info),
        tags=_tags(info, qcstatus, dialect),
        coloured_name=find_coloured_name(coloured, name),
        player_list=rows if parts & QueryParts.PLAYERS else None,
        rules=PlainRules(_without_challenge(info), dialect) if parts & QueryParts.RULES else None,
    )


def _player_counts(info: Mapping[str, str], rows: Sequence[PlayerInfo] | None, dialect: str) -> _PlayerCounts:
    """Count the player lines of a status reply, or read an info reply's numbers.

    The keys of the latter vary between games.
    """
    if rows is not None:
        bots = sum(row.bot is True for row in rows)
        spectators = sum(row.spectator is True and row.bot is not True for row in rows)
        reported = spectators if spectators or dialect == "warsow" else None
        return _PlayerCounts(len(rows) - bots - spectators, bots, reported)
    clients, humans, reported_bots = (parse_count(info.get(key)) for key in ("clients", "g_humanplayers", "bots"))
    if clients is None or reported_bots is not None:  # Unvanquished does not count bots in `clients`
        return _PlayerCounts(clients, reported_bots, None)
    if humans is None:
        return _PlayerCounts(clients, None, None)
    return _PlayerCounts(humans, max(0, clients - humans), None)


def _darkplaces_player_counts(info: Mapping[str, str], rows: Sequence[PlayerInfo] | None) -> _PlayerCounts:
    """Derive the counts from `clients`, which includes bots and spectators.

    Only the player list shows spectators.
    """
    clients, bots = parse_count(info.get("clients")), parse_count(info.get("bots"))
    spectators = None if rows is None else sum(row.spectator is True and row.bot is not True for row in rows)
    if clients is None:
        return _PlayerCounts(None, bots, spectators)
    return _PlayerCounts(max(0, clients - (bots or 0) - (spectators or 0)), bots, spectators)


def _player_list(players: Sequence[Quake3Player], dialect: str, darkplaces: bool) -> tuple[PlayerInfo, ...]:
    return tuple([_player_info(player, dialect, darkplaces) for player in players])


def _player_info(player: Quake3Player, dialect: str, darkplaces: bool) -> PlayerInfo:
    score, *roles = player.score.split(":")
    bot = player.ping == 0 or "bot" in roles
    spectators = None
    if darkplaces:
        spectators = score == _DARKPLACES_SPECTATOR_SCORE or player.team == 0 or "spectator" in roles
    elif score == _WARSOW_SPECTATOR_SCORE:
        spectators = True
    return PlayerInfo(
        clean_text(player.name, dialect),
        None if spectators else _parse_score(score.partition(",")[0]),
        None,
        float(player.ping) if player.ping > 0 else None,
        player.team,
        bot,
        spectators,
    )


def _parse_score(text: str) -> float | None:
    try:
        score = float(text)
    except ValueError:
        return None
    return score if math.isfinite(score) else None


def _game_mode(
    info: Mapping[str, str], profile: GameProfile | None, qcstatus: QCStatus | None, dialect: str
) -> str | None:
    if qcstatus is not None:
        return clean_text(qcstatus.mode, dialect) or None
    # The value is called `g_gametype` in status replies and `gametype` in info replies.
    key = "g_gametype" if profile is None else profile.mode_key
    value = info.get(key) or info.get(key.removeprefix("g_"))
    if not value or key == "qcstatus":
        return None
    code = clean_text(value, dialect)
    return (profile.mode_codes.get(code, code) if profile is not None else code) or None


def _without_challenge(info: Mapping[str, str]) -> dict[str, str]:
    """Return the infostring without our own challenge."""
    return {key: value for key, value in info.items() if key != "challenge"}


def _game_version(
    info: Mapping[str, str], profile: GameProfile | None, qcstatus: QCStatus | None, dialect: str
) -> str | None:
    key = (profile.version_key if profile is not None else "") or "version"
    version = clean_text(info.get(key) or info.get("version", ""), dialect)
    if key == "gameversion" and info.get(key):
        if qcstatus is not None and qcstatus.version[:1].isdigit():
            return clean_text(qcstatus.version, dialect)
        number = parse_count(version)
        if number is not None and number != _DEVELOPMENT_VERSION:
            return f"{number // 10000}.{number // 100 % 100}.{number % 100}"
        return clean_text(qcstatus.version, dialect) if qcstatus is not None else version
    return version or None


def _needs_password(info: Mapping[str, str]) -> bool | None:
    for key in _PASSWORD_KEYS:
        if key in info:
            return info[key].strip() not in ("", "0")
    return None


def _stable_key(info: Mapping[str, str]) -> str | None:
    match = _FINGERPRINT_PATTERN.match(info.get("d0_blind_id", ""))
    return None if match is None else f"d0:{match[1]}"


def _tags(info: Mapping[str, str], qcstatus: QCStatus | None, dialect: str) -> tuple[str, ...]:
    """Return the running modification, from whichever key the game uses for it."""
    names = [info.get("fs_game"), info.get("game")]
    if qcstatus is not None and qcstatus.mod != "Xonotic":
        names.append(qcstatus.mod)
    return tuple(dict.fromkeys(tag for text in names if text and (tag := clean_text(text, dialect))))
