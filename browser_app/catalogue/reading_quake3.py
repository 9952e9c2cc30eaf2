"""Replies of the Quake III family, DarkPlaces included, as `Facts`."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from browser_app.catalogue.facts import Facts, PlayerRow, Target
from browser_app.catalogue.plain_rules import PlainRules
from browser_app.catalogue.reading_text import MAX_COLOURED, line
from browser_app.games.games import Games
from browser_app.games.profile import GameProfile
from browser_app.protocols.address import Address
from browser_app.protocols.conversation import Want
from browser_app.protocols.qcstatus import QCStatus, read_qcstatus
from browser_app.protocols.quake3 import Quake3Player, Quake3Reply

_DARKPLACES_WATCHER = "-666"
_WARSOW_WATCHER = "-9999"
_FINGERPRINT = re.compile(r"\d (\S{44})@")
_PASSWORD_KEYS = ("g_needpass", "pswrd")
_MOST_SLOTS = 255
_DEVELOPMENT = 65535
"""Xonotic's `gameversion` where it runs from the developers' sources."""


class _Counts(NamedTuple):
    players: int | None
    bots: int | None
    spectators: int | None


def read_quake3(reply: Quake3Reply, target: Target, games: Games, want: Want) -> Facts:
    """Humans that play are players with a ping (bots have none) less those who only watch, where that is told."""
    info = reply.info
    darkplaces = target.protocol == "darkplaces"
    profile = games.identify(target.protocol, info=info) or (games.get(target.game) if target.game else None)
    dialect = profile.colours if profile is not None else "xonotic" if darkplaces else "quake3"
    coloured = info.get("sv_hostname") or info.get("hostname") or ""
    name = line(coloured, dialect)
    qcstatus = read_qcstatus(info["qcstatus"]) if "qcstatus" in info else None
    rows = None if reply.players is None else _player_list(reply.players, dialect, darkplaces)
    counts = _darkplaces_counts(info, rows) if darkplaces else _counts(info, rows, dialect)
    mode = _mode(info, profile, qcstatus, dialect)
    return Facts(
        game=None if profile is None else profile.id,
        name=name,
        map=line(info.get("mapname", ""), dialect),
        connect=Address(target.address.host, _game_port(target, profile)),
        players=counts.players,
        bots=counts.bots,
        spectators=counts.spectators,
        max_players=_slots(info.get("sv_maxclients")),
        reserved=_slots(info.get("sv_privateClients")),
        joinable=None if qcstatus is None or qcstatus.joinable is None else qcstatus.joinable > 0,
        mode=mode,
        mode_name=None if profile is None or mode is None else profile.modes.get(mode),
        version=_version(info, profile, qcstatus, dialect),
        password=_password(info),
        stable_key=_stable_key(info),
        tags=_tags(info, qcstatus, dialect),
        coloured_name=coloured[:MAX_COLOURED] if coloured != name else "",
        player_list=rows if want & Want.PLAYERS else None,
        rules=PlainRules(_without_token(info), dialect) if want & Want.RULES else None,
    )


def _game_port(target: Target, profile: GameProfile | None) -> int:
    port = target.address.port - (0 if profile is None else profile.query_port_offset)
    return port if 0 < port < 65536 else target.address.port


def _counts(info: Mapping[str, str], rows: Sequence[PlayerRow] | None, dialect: str) -> _Counts:
    """A status reply is counted by its lines; an info reply tells numbers, of which not every game has the same."""
    if rows is not None:
        bots = sum(row.bot is True for row in rows)
        watching = sum(row.spectator is True and row.bot is not True for row in rows)
        return _Counts(len(rows) - bots - watching, bots, watching if watching or dialect == "warsow" else None)
    clients, humans, bots_told = (_count(info.get(key)) for key in ("clients", "g_humanplayers", "bots"))
    if clients is None or bots_told is not None:  # Unvanquished leaves its bots out of `clients`
        return _Counts(clients, bots_told, None)
    if humans is None:
        return _Counts(clients, None, None)
    return _Counts(humans, max(0, clients - humans), None)


def _darkplaces_counts(info: Mapping[str, str], rows: Sequence[PlayerRow] | None) -> _Counts:
    """`clients` are all that are connected, bots and watchers too; who watches is only in the player list."""
    clients, bots = _count(info.get("clients")), _count(info.get("bots"))
    watching = None if rows is None else sum(row.spectator is True and row.bot is not True for row in rows)
    if clients is None:
        return _Counts(None, bots, watching)
    return _Counts(max(0, clients - (bots or 0) - (watching or 0)), bots, watching)


def _player_list(players: Sequence[Quake3Player], dialect: str, darkplaces: bool) -> tuple[PlayerRow, ...]:
    return tuple([_player(player, dialect, darkplaces) for player in players])


def _player(player: Quake3Player, dialect: str, darkplaces: bool) -> PlayerRow:
    score, *roles = player.score.split(":")
    bot = player.ping == 0 or "bot" in roles
    watching = None
    if darkplaces:
        watching = score == _DARKPLACES_WATCHER or player.team == 0 or "spectator" in roles
    elif score == _WARSOW_WATCHER:
        watching = True
    return PlayerRow(
        line(player.name, dialect),
        None if watching else _score(score.partition(",")[0]),
        None,
        float(player.ping) if player.ping > 0 else None,
        player.team,
        bot,
        watching,
    )


def _score(text: str) -> float | None:
    try:
        score = float(text)
    except ValueError:
        return None
    return score if math.isfinite(score) else None


def _count(text: str | None) -> int | None:
    """A number of people or slots; None for what cannot be one."""
    return int(text) if text and len(text) < 6 and text.isascii() and text.isdigit() else None


def _slots(text: str | None) -> int | None:
    """A number of slots; None for more than any engine of the family has: it would buy a seeding bonus with air."""
    slots = _count(text)
    return slots if slots is None or slots <= _MOST_SLOTS else None


def _mode(info: Mapping[str, str], profile: GameProfile | None, qcstatus: QCStatus | None, dialect: str) -> str | None:
    if qcstatus is not None:
        return line(qcstatus.mode, dialect) or None
    # The same value is `g_gametype` in a status reply and `gametype` in an info reply.
    key = "g_gametype" if profile is None else profile.mode_key
    told = info.get(key) or info.get(key.removeprefix("g_"))
    if not told or key == "qcstatus":
        return None
    code = line(told, dialect)
    return profile.mode_codes.get(code, code) if profile is not None else code


def _without_token(info: Mapping[str, str]) -> dict[str, str]:
    """The infostring without what we sent ourselves."""
    return {key: value for key, value in info.items() if key != "challenge"}


def _version(
    info: Mapping[str, str], profile: GameProfile | None, qcstatus: QCStatus | None, dialect: str
) -> str | None:
    key = (profile.version_key if profile is not None else "") or "version"
    told = line(info.get(key) or info.get("version", ""), dialect)
    if key == "gameversion" and info.get(key):
        if qcstatus is not None and qcstatus.version[:1].isdigit():
            return line(qcstatus.version, dialect)
        number = _count(told)
        if number is not None and number != _DEVELOPMENT:
            return f"{number // 10000}.{number // 100 % 100}.{number % 100}"
        return line(qcstatus.version, dialect) if qcstatus is not None else told
    return told or None


def _password(info: Mapping[str, str]) -> bool | None:
    for key in _PASSWORD_KEYS:
        if key in info:
            return info[key].strip() not in ("", "0")
    return None


def _stable_key(info: Mapping[str, str]) -> str | None:
    match = _FINGERPRINT.match(info.get("d0_blind_id", ""))
    return None if match is None else f"d0:{match[1]}"


def _tags(info: Mapping[str, str], qcstatus: QCStatus | None, dialect: str) -> tuple[str, ...]:
    """The modification that runs, under whichever key the game tells it."""
    told = [info.get("fs_game"), info.get("game")]
    if qcstatus is not None and qcstatus.mod != "Xonotic":
        told.append(qcstatus.mod)
    return tuple(dict.fromkeys(tag for text in told if text and (tag := line(text, dialect))))
