"""Conversion of the replies of SA-MP, open.mp, VC:MP and Multi Theft Auto servers to `ServerInfo`."""

from browser_app.catalogue.server_info import PlayerInfo, QueryTarget, ServerInfo
from browser_app.catalogue.server_info_text import MAX_COLOURED_LENGTH, PlainRules, clean_text
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.query_session import QueryParts
from browser_app.protocols.san_andreas.samp import SampReply

_SAMP_DIALECT = "braces"


def server_info_from_samp(reply: SampReply, target: QueryTarget, games: GameRegistry, parts: QueryParts) -> ServerInfo:
    """Convert a reply of SA-MP, open.mp or VC:MP.

    Bots are not counted, neither as players nor as slots, and there are no spectators. The name of the map is the
    server's own words, known with the rules only.
    """
    profile = games.get(target.game) if target.game else None
    rules = reply.rules or {}
    values = {"version": reply.version or rules.get("version", ""), "language": reply.language}
    profile = games.identify_info(target.protocol, values) or profile
    name = clean_text(reply.name, _SAMP_DIALECT)
    mode = clean_text(reply.mode, _SAMP_DIALECT) or None
    return ServerInfo(
        game=None if profile is None else profile.id,
        name=name,
        map=clean_text(rules.get("mapname", ""), _SAMP_DIALECT),
        connect=target.address,
        players=reply.players,
        bots=None,
        spectators=None,
        max_players=reply.max_players,
        mode=mode,
        mode_name=None if profile is None or mode is None else profile.modes.get(mode),
        version=clean_text(values["version"]) or None,
        password=reply.password,
        tags=(language,) if (language := clean_text(reply.language)) not in ("", "-") else (),
        coloured_name=reply.name[:MAX_COLOURED_LENGTH] if reply.name != name else "",
        player_list=None
        if reply.player_list is None or not parts & QueryParts.PLAYERS
        else tuple(
            PlayerInfo(clean_text(player.name), float(player.score), None, None, None, None)
            for player in reply.player_list
        ),
        rules=PlainRules(reply.rules) if reply.rules is not None and parts & QueryParts.RULES else None,
    )
