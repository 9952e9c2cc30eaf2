"""Registry of the conversions from a protocol's reply to `ServerInfo`."""

from collections.abc import Callable, Mapping
from typing import Any

from browser_app.catalogue.reply_readers.a2s_server_info import server_info_from_a2s
from browser_app.catalogue.reply_readers.armagetron_server_info import server_info_from_armagetron
from browser_app.catalogue.reply_readers.bzflag_server_info import server_info_from_bzflag
from browser_app.catalogue.reply_readers.cube2_server_info import server_info_from_cube2
from browser_app.catalogue.reply_readers.doom_server_info import (
    server_info_from_chocolate_doom,
    server_info_from_odamex,
    server_info_from_zandronum,
)
from browser_app.catalogue.reply_readers.gamespy_server_info import server_info_from_gamespy, server_info_from_unreal2
from browser_app.catalogue.reply_readers.luanti_server_info import server_info_from_greeting
from browser_app.catalogue.reply_readers.mindustry_server_info import server_info_from_mindustry
from browser_app.catalogue.reply_readers.minecraft_server_info import server_info_from_bedrock, server_info_from_java
from browser_app.catalogue.reply_readers.mumble_server_info import server_info_from_mumble
from browser_app.catalogue.reply_readers.openttd_server_info import server_info_from_openttd
from browser_app.catalogue.reply_readers.quake3_server_info import server_info_from_quake3
from browser_app.catalogue.reply_readers.quakeworld_server_info import (
    server_info_from_quake2,
    server_info_from_quakeworld,
)
from browser_app.catalogue.reply_readers.san_andreas_server_info import (
    server_info_from_ase,
    server_info_from_samp,
)
from browser_app.catalogue.reply_readers.space_station_server_info import server_info_from_station
from browser_app.catalogue.reply_readers.supertuxkart_server_info import server_info_from_supertuxkart
from browser_app.catalogue.reply_readers.teeworlds_server_info import server_info_from_teeworlds
from browser_app.catalogue.server_info import QueryTarget, ServerInfo
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.a2s.a2s import A2SReply
from browser_app.protocols.armagetron import ArmagetronReply
from browser_app.protocols.bzflag import BzflagReply
from browser_app.protocols.cube2.cube2_reply import Cube2Reply
from browser_app.protocols.doom.chocolate_doom import ChocolateDoomReply
from browser_app.protocols.doom.odamex import OdamexReply, OdamexVersion
from browser_app.protocols.doom.zandronum import ZandronumRefusal, ZandronumReply
from browser_app.protocols.gamespy.gamespy_reply import GameSpyReply
from browser_app.protocols.luanti import LuantiGreeting
from browser_app.protocols.mindustry import MindustryReply
from browser_app.protocols.minecraft.bedrock import BedrockReply
from browser_app.protocols.minecraft.java import JavaStatus
from browser_app.protocols.mumble import MumbleReply
from browser_app.protocols.openttd.game_info import OpenTTDReply
from browser_app.protocols.quake.quake2 import Quake2Reply
from browser_app.protocols.quake.quake3 import Quake3Reply
from browser_app.protocols.quake.quakeworld import QuakeWorldReply
from browser_app.protocols.query_session import QueryParts
from browser_app.protocols.san_andreas.ase import AseReply
from browser_app.protocols.san_andreas.samp import SampReply
from browser_app.protocols.space_station.status import StationStatus
from browser_app.protocols.supertuxkart import SuperTuxKartReply
from browser_app.protocols.teeworlds.teeworlds_reply import TeeworldsReply
from browser_app.protocols.unreal2 import Unreal2Reply

ServerInfoReader = Callable[[Any, QueryTarget, GameRegistry, QueryParts], ServerInfo]

_READERS: Mapping[type, ServerInfoReader] = {
    A2SReply: server_info_from_a2s,
    Quake3Reply: server_info_from_quake3,
    TeeworldsReply: server_info_from_teeworlds,
    LuantiGreeting: server_info_from_greeting,
    BedrockReply: server_info_from_bedrock,
    JavaStatus: server_info_from_java,
    SampReply: server_info_from_samp,
    AseReply: server_info_from_ase,
    Cube2Reply: server_info_from_cube2,
    OpenTTDReply: server_info_from_openttd,
    BzflagReply: server_info_from_bzflag,
    ArmagetronReply: server_info_from_armagetron,
    SuperTuxKartReply: server_info_from_supertuxkart,
    MumbleReply: server_info_from_mumble,
    QuakeWorldReply: server_info_from_quakeworld,
    Quake2Reply: server_info_from_quake2,
    ZandronumReply: server_info_from_zandronum,
    ZandronumRefusal: server_info_from_zandronum,
    OdamexReply: server_info_from_odamex,
    OdamexVersion: server_info_from_odamex,
    ChocolateDoomReply: server_info_from_chocolate_doom,
    StationStatus: server_info_from_station,
    GameSpyReply: server_info_from_gamespy,
    MindustryReply: server_info_from_mindustry,
    Unreal2Reply: server_info_from_unreal2,
}
"""Type of reply → its reader."""


def server_info_from_reply(
    reply: object, target: QueryTarget, games: GameRegistry, parts: QueryParts = QueryParts.ALL
) -> ServerInfo:
    """Convert a reply of the server `target`.

    The game is identified from the reply, or else taken from the target. Players and rules that were not requested are
    dropped: with thousands of servers they would only fill memory.
    """
    return _READERS[type(reply)](reply, target, games, parts)
