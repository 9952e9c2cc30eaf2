"""Readers of replies and lists of Sonic Robo Blast 2 and its relatives."""

from collections.abc import Iterable, Iterator

from browser_app.catalogue.reply_readers.reply_fields import find_coloured_name, find_mode_name, find_profile
from browser_app.catalogue.reply_readers.server_info_text import PlainRules, clean_text
from browser_app.catalogue.server_info import PlayerInfo, QueryTarget, ServerInfo
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.master_lists.srb2_list import parse_srb2_list
from browser_app.protocols.query_protocols import SRB2
from browser_app.protocols.query_session import QueryParts
from browser_app.protocols.srb2 import (
    DEDICATED,
    JOINS_DISABLED,
    SLOTS_FULL,
    SPECTATOR_TEAM,
    SPEED_BITS,
    Srb2Player,
    Srb2Reply,
)

_DIALECT = "srb2"
_MAX_RULE_LENGTH = 2000
_SPEEDS = {"SRB2Kart": ("easy", "normal", "hard"), "RingRacers": ("gear 1", "gear 2", "gear 3")}
"""Speeds of karts by application."""
_BOT_APPLICATION = "RingRacers"
"""Its servers list bots, but do not count them."""


def read_srb2_reply(reply: Srb2Reply, target: QueryTarget, games: GameRegistry, parts: QueryParts) -> ServerInfo:
    """Read a reply. There are no passwords, and nothing shows which players are bots."""
    profile = find_profile(games, target, {"application": reply.application})
    rows = None if reply.players is None else tuple([_player(player) for player in reply.players])
    spectators = None if rows is None else sum(row.spectator is True for row in rows)
    text = clean_text(reply.mode, _DIALECT)
    mode = text if profile is None else profile.mode_codes.get(text, text)
    name = clean_text(reply.name, _DIALECT)
    has_room = not reply.max_players or reply.people < reply.max_players  # spectators take slots, too
    return ServerInfo(
        game=None if profile is None else profile.id,
        name=name,
        map=_map_text(reply),
        connect=target.named_address,
        players=max(0, reply.people - (spectators or 0)),
        bots=max(0, len(rows) - reply.people) if rows is not None and reply.application == _BOT_APPLICATION else None,
        spectators=spectators,
        max_players=reply.max_players or None,
        joinable=None if has_room and reply.refusal != SLOTS_FULL else False,
        closed=None if reply.refusal is None else reply.refusal == JOINS_DISABLED,
        mode=mode or None,
        mode_name=find_mode_name(profile, mode) or text or None,
        version=reply.version,
        password=False,
        tags=_SPEEDS.get(reply.application, ())[reply.flags & SPEED_BITS :][:1],
        coloured_name=find_coloured_name(reply.name, name),
        player_list=rows if parts & QueryParts.PLAYERS else None,
        rules=PlainRules(_rules(reply), _DIALECT) if parts & QueryParts.RULES else None,
    )


def _map_text(reply: Srb2Reply) -> str:
    """Return the level's title as the games show it; its short name if it has none."""
    title = clean_text(reply.map_title, _DIALECT)
    if not title:
        return clean_text(reply.map_name, _DIALECT)
    zone = "" if not reply.is_zone else " ZONE" if title.isupper() else " Zone"
    return f"{title}{zone}{f' {reply.act}' if reply.act else ''}"


def _player(player: Srb2Player) -> PlayerInfo:
    is_spectator = player.team == SPECTATOR_TEAM
    return PlayerInfo(
        clean_text(player.name, _DIALECT),
        None if is_spectator else float(player.score),
        float(player.seconds),
        None,
        None if is_spectator or not player.team else player.team,
        None,
        is_spectator,
    )


def _rules(reply: Srb2Reply) -> dict[str, str]:
    flags = {"modified": reply.is_modified, "cheats": reply.has_cheats, "dedicated": bool(reply.flags & DEDICATED)}
    rules = {
        "map": reply.map_name, "level_time": f"{reply.level_time_s:.0f} s", "files": ", ".join(reply.files),
        **{name: "yes" if is_set else "no" for name, is_set in flags.items()},
    }  # fmt: skip
    return {name: text[:_MAX_RULE_LENGTH] for name, text in rules.items() if text}


def read_srb2_list(chunks: Iterable[bytes], _games: GameRegistry, game: str) -> Iterator[QueryTarget | None]:
    """Read one game's list, which holds only addresses; see `parse_srb2_list`."""
    for address in parse_srb2_list(chunks):
        yield None if address is None else QueryTarget(address, SRB2, game)
