"""Registry of the readers of a protocol's reply into `ServerInfo`."""

from collections.abc import Mapping
from typing import Any

from browser_app.catalogue.reply_readers.a2s_server_info import read_a2s_reply
from browser_app.catalogue.reply_readers.armagetron_server_info import read_armagetron_reply
from browser_app.catalogue.reply_readers.bzflag_server_info import read_bzflag_reply
from browser_app.catalogue.reply_readers.cube2_server_info import read_cube2_reply
from browser_app.catalogue.reply_readers.doom_server_info import (
    read_chocolate_doom_reply,
    read_odamex_reply,
    read_zandronum_reply,
)
from browser_app.catalogue.reply_readers.gamespy_server_info import read_gamespy_reply, read_unreal2_reply
from browser_app.catalogue.reply_readers.luanti_server_info import read_luanti_greeting
from browser_app.catalogue.reply_readers.mindustry_server_info import read_mindustry_reply
from browser_app.catalogue.reply_readers.minecraft_server_info import read_bedrock_reply, read_java_reply
from browser_app.catalogue.reply_readers.mumble_server_info import read_mumble_reply
from browser_app.catalogue.reply_readers.openttd_server_info import read_openttd_reply
from browser_app.catalogue.reply_readers.quake3_server_info import read_quake3_reply
from browser_app.catalogue.reply_readers.quakeworld_server_info import (
    read_quake2_reply,
    read_quakeworld_reply,
)
from browser_app.catalogue.reply_readers.reply_fields import ServerInfoReader
from browser_app.catalogue.reply_readers.san_andreas_server_info import (
    read_ase_reply,
    read_samp_reply,
)
from browser_app.catalogue.reply_readers.space_station_server_info import read_space_station_reply
from browser_app.catalogue.reply_readers.srb2_server_info import read_srb2_reply
from browser_app.catalogue.reply_readers.supertuxkart_server_info import read_supertuxkart_reply
from browser_app.catalogue.reply_readers.teeworlds_server_info import read_teeworlds_reply
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
from browser_app.protocols.space_station.status import SpaceStationStatus
from browser_app.protocols.srb2 import Srb2Reply
from browser_app.protocols.supertuxkart import SuperTuxKartReply
from browser_app.protocols.teeworlds.teeworlds_reply import TeeworldsReply
from browser_app.protocols.unreal2 import Unreal2Reply

_READERS: Mapping[type, ServerInfoReader[Any]] = {
    A2SReply: read_a2s_reply,
    Quake3Reply: read_quake3_reply,
    TeeworldsReply: read_teeworlds_reply,
    LuantiGreeting: read_luanti_greeting,
    BedrockReply: read_bedrock_reply,
    JavaStatus: read_java_reply,
    SampReply: read_samp_reply,
    AseReply: read_ase_reply,
    Cube2Reply: read_cube2_reply,
    OpenTTDReply: read_openttd_reply,
    BzflagReply: read_bzflag_reply,
    ArmagetronReply: read_armagetron_reply,
    SuperTuxKartReply: read_supertuxkart_reply,
    MumbleReply: read_mumble_reply,
    QuakeWorldReply: read_quakeworld_reply,
    Quake2Reply: read_quake2_reply,
    ZandronumReply: read_zandronum_reply,
    ZandronumRefusal: read_zandronum_reply,
    OdamexReply: read_odamex_reply,
    OdamexVersion: read_odamex_reply,
    ChocolateDoomReply: read_chocolate_doom_reply,
    SpaceStationStatus: read_space_station_reply,
    GameSpyReply: read_gamespy_reply,
    MindustryReply: read_mindustry_reply,
    Unreal2Reply: read_unreal2_reply,
    Srb2Reply: read_srb2_reply,
}
"""Type of reply → its reader."""


def read_reply(
    reply: object, target: QueryTarget, games: GameRegistry, parts: QueryParts = QueryParts.ALL
) -> ServerInfo:
    """Read a reply of the server `target`.

    The game is identified from the reply, or else taken from the target. Players and rules that were not requested are
    dropped: with thousands of servers they would only fill memory.
    """
    return _READERS[type(reply)](reply, target, games, parts)
