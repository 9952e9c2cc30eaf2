"""Readers of Minecraft replies."""

from ipaddress import ip_address

from browser_app.catalogue.reply_readers.reply_fields import find_coloured_name, find_profile
from browser_app.catalogue.reply_readers.server_info_text import PlainRules, clean_text
from browser_app.catalogue.server_info import QueryTarget, ServerInfo
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address
from browser_app.protocols.minecraft.bedrock import LAN_PORT, BedrockReply
from browser_app.protocols.minecraft.java import JavaStatus
from browser_app.protocols.query_session import QueryParts

_DIALECT = "minecraft"


def read_bedrock_reply(reply: BedrockReply, target: QueryTarget, games: GameRegistry, parts: QueryParts) -> ServerInfo:
    """Read a Bedrock reply.

    It names no players, and the level instead of a map. Networks of servers count more players than one server has
    slots; such counts are kept. Players join at the address that replied, as the game does.
    """
    values = {"edition": reply.edition, "version": reply.version}
    profile = find_profile(games, target, values)
    name = clean_text(reply.name, _DIALECT)
    mode = clean_text(reply.mode, _DIALECT) or None
    rules = values | {"level": reply.level_name, "server_id": reply.server_id}
    return ServerInfo(
        game=None if profile is None else profile.id,
        name=name,
        map=clean_text(reply.level_name, _DIALECT),
        connect=Address(target.address.host, _bedrock_game_port(reply, target.address)),
        players=reply.players,
        bots=None,
        spectators=None,
        max_players=reply.max_players or None,
        mode=None if mode is None else mode.lower(),
        mode_name=mode,
        version=clean_text(reply.version, _DIALECT) or None,
        coloured_name=find_coloured_name(reply.name, name),
        rules=PlainRules(rules, _DIALECT) if parts & QueryParts.RULES else None,
    )


def _bedrock_game_port(reply: BedrockReply, server: Address) -> int:
    """Return the game port.

    That is the queried one, but for a server on the local network that answers on the common port. Elsewhere the
    reported port is often one behind a router or in a container.
    """
    is_on_lan_port = server.port == LAN_PORT and ip_address(server.host).is_private
    return reply.game_port if is_on_lan_port and reply.game_port is not None else server.port


def read_java_reply(reply: JavaStatus, target: QueryTarget, games: GameRegistry, parts: QueryParts) -> ServerInfo:
    """Read a Java reply.

    There is no map, and whether a password is needed is not reported. The names that a server shows are no list of its
    players: many show advertisements. The game joins by host name, which proxies need.
    """
    profile = find_profile(games, target, {"version": reply.version})
    name = clean_text(reply.name.replace("\n", " "), _DIALECT)
    shown = ", ".join(filter(None, (clean_text(each, _DIALECT) for each in reply.sample)))
    return ServerInfo(
        game=None if profile is None else profile.id,
        name=name,
        map="",
        connect=target.named_address,
        players=reply.players,
        bots=None,
        spectators=None,
        max_players=reply.max_players or None,
        version=clean_text(reply.version, _DIALECT) or None,
        coloured_name=find_coloured_name(reply.name, name),
        rules=PlainRules({"version": reply.version, "sample": shown}, _DIALECT) if parts & QueryParts.RULES else None,
    )
