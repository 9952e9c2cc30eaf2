"""Registry of query protocols."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, NamedTuple

from browser_app.language import N_
from browser_app.protocols import srb2
from browser_app.protocols.a2s.a2s_session import A2SSession
from browser_app.protocols.address import Address
from browser_app.protocols.armagetron import MIN_INTERVAL_S, ArmagetronSession
from browser_app.protocols.bzflag import BzflagSession
from browser_app.protocols.cube2 import cube2_session as cube2
from browser_app.protocols.doom import zandronum
from browser_app.protocols.doom.chocolate_doom import ChocolateDoomSession
from browser_app.protocols.doom.odamex import OdamexSession
from browser_app.protocols.gamespy.gamespy1 import GameSpy1Session
from browser_app.protocols.gamespy.gamespy2 import GameSpy2Session
from browser_app.protocols.gamespy.gamespy3 import GameSpy3Session
from browser_app.protocols.luanti import LuantiSession, build_disconnect
from browser_app.protocols.mindustry import MindustrySession
from browser_app.protocols.minecraft import bedrock
from browser_app.protocols.minecraft.java import JavaSession, parse_lan_announcement
from browser_app.protocols.mumble import MumbleSession
from browser_app.protocols.openttd import game_info
from browser_app.protocols.quake.quake2 import Quake2Session
from browser_app.protocols.quake.quake3 import INFO_REQUEST, Quake3Session
from browser_app.protocols.quake.quakeworld import HexenWorldSession, QuakeWorldSession
from browser_app.protocols.query_session import QueryParts, QuerySession
from browser_app.protocols.san_andreas import ase, samp
from browser_app.protocols.san_andreas.samp import SampSession
from browser_app.protocols.space_station.status import SpaceStationSession
from browser_app.protocols.supertuxkart import LAN_PORT, SuperTuxKartSession
from browser_app.protocols.teeworlds.teeworlds06 import Teeworlds06Session
from browser_app.protocols.teeworlds.teeworlds07 import Teeworlds07Session
from browser_app.protocols.unreal2 import Unreal2Session

A2S: Final = "a2s"
QUAKE3: Final = "quake3"
DARKPLACES: Final = "darkplaces"
FIVEM: Final = "fivem"
TEEWORLDS06: Final = "teeworlds06"
TEEWORLDS07: Final = "teeworlds07"
MINECRAFT: Final = "minecraft"
BEDROCK: Final = "bedrock"
LUANTI: Final = "luanti"
SAMP: Final = "samp"
VCMP: Final = "vcmp"
ASE: Final = "ase"
SAUERBRATEN: Final = "cube2"
RED_ECLIPSE: Final = "redeclipse"
ASSAULT_CUBE: Final = "assaultcube"
TESSERACT: Final = "tesseract"
OPENTTD: Final = "openttd"
BZFLAG: Final = "bzflag"
ARMAGETRON: Final = "armagetron"
SUPERTUXKART: Final = "stk"
MUMBLE: Final = "mumble"
QUAKEWORLD: Final = "quakeworld"
HEXENWORLD: Final = "hexenworld"
QUAKE2: Final = "quake2"
ZANDRONUM: Final = "zandronum"
ODAMEX: Final = "odamex"
CHOCOLATE_DOOM: Final = "chocolate-doom"
SPACE_STATION: Final = "ss14"
GAMESPY1: Final = "gamespy1"
GAMESPY2: Final = "gamespy2"
GAMESPY3: Final = "gamespy3"
UNREAL2: Final = "unreal2"
MINDUSTRY: Final = "mindustry"
SRB2: Final = "srb2"
LISTED: Final = "listed"
"""Servers that are never queried: everything known about them comes from lists."""


class SrvService(NamedTuple):
    """A service whose host and port a domain may name in an SRV record."""

    name: str
    """Prefix of the domain, such as `_minecraft._tcp`."""
    port: int
    """Default port, the only one for which the record is looked up."""


class LanAnnouncement(NamedTuple):
    """Datagrams by which servers announce themselves on the local network.

    They send one about once a second.
    """

    group: str
    """Multicast address that they are sent to; empty if they are broadcast."""
    port: int
    parse: Callable[[bytes], int | None]
    """Returns the server's port, None for the one it sends from; raises PacketError for any other datagram."""


class LanRequest(NamedTuple):
    """A request that finds servers on the local network, but queries nothing."""

    datagram: bytes
    parse: Callable[[bytes], int | None]
    """Returns the port at which the sender of a reply is queried, None for the one it sends from; raises PacketError
    for any other datagram.
    """


@dataclass(frozen=True, slots=True)
class QueryProtocol:
    """A protocol for querying game servers."""

    name: str
    """As in server URLs and game profiles."""
    default_parts: QueryParts
    """Parts requested for a server list: as many as one round trip returns."""
    new_session: Callable[[QueryParts, Address], QuerySession]
    """Starts one query to the server at an address, whose host is an IP address unless `sends_host_name`."""
    min_interval_s: float = 0.0
    """Minimum time between two requests to one server, in seconds; 0 if servers set no limit."""
    refuses_repetition: bool = False
    """Servers refuse a second query for some seconds after a reply, and are silent after packets of other protocols."""
    lan_ports: Sequence[int] = ()
    """Ports on which every search of the local network looks for its servers."""
    lan_requests: Mapping[int, LanRequest] = field(default_factory=dict)
    """By port: requests by which every search of the local network looks for its servers, too."""
    answers_lan_elsewhere: bool = False
    """All servers on one machine share `lan_ports`, and each answers from its own query port."""
    lan_announcement: LanAnnouncement | None = None
    """Set if servers on the local network announce themselves."""
    compatible_with: str = ""
    """Name of a more general protocol that its servers answer as well."""
    team_names: Mapping[int, str] = field(default_factory=dict)
    """Names of team numbers, untranslated."""
    is_stream: bool = False
    """Over TCP: requests and replies are parts of one stream each way, and no request is sent twice."""
    srv_service: SrvService | None = None
    """Set if players give the domain of a server instead of its host and port."""
    sends_host_name: bool = False
    """Requests contain the server's host name, by which proxies choose between several servers at one address."""
    is_ping_only: bool = False
    """A reply only shows that the server is up; everything else comes from lists that describe it."""
    names_servers: bool = True
    """Whether replies contain the server's name; else only lists do."""
    is_listed_only: bool = False
    """Its servers are never queried, and so have no ping."""
    build_disconnect: Callable[[bytes], bytes | None] | None = None
    """Returns the datagram that ends the session which a server's datagram opened, None if that opened none; servers do
    not reply to it. Set for servers that would otherwise send theirs again and again.
    """
    family: str = ""
    """Protocols of one family report the same values, which identify the game; empty for a family of its own."""


def _refuse_session(_parts: QueryParts, server: Address) -> QuerySession:
    raise ValueError(f"{server} cannot be queried")


_DOOM_TEAMS = {1: N_("Blue"), 2: N_("Red"), 3: N_("Green"), 4: N_("Gold")}

_INFO, _WITH_PLAYERS = QueryParts.INFO, QueryParts.INFO | QueryParts.PLAYERS


def _drop_arguments(session: Callable[[], QuerySession]) -> Callable[[QueryParts, Address], QuerySession]:
    return lambda _parts, _server: session()


def _open_cube2(dialect: cube2.Cube2Dialect) -> Callable[[QueryParts, Address], QuerySession]:
    return lambda parts, _server: cube2.Cube2Session(parts, dialect)


QUERY_PROTOCOLS: Mapping[str, QueryProtocol] = MappingProxyType(
    {
        protocol.name: protocol
        for protocol in (
            QueryProtocol(
                A2S,
                _INFO,
                lambda parts, _server: A2SSession(parts),
                lan_ports=range(27015, 27021),  # those that Steam's own browser asks
            ),
            QueryProtocol(
                QUAKE3,
                _WITH_PLAYERS,
                _drop_arguments(Quake3Session),
                lan_ports=range(27960, 27964),  # NUM_SERVER_PORTS of the engine
                family="quake",
            ),
            QueryProtocol(
                DARKPLACES,
                _WITH_PLAYERS,
                lambda _parts, _server: Quake3Session(must_echo=True),
                # The engine's flood guard (net_getstatusfloodblockingtimeout) ignores a second query within 1 s.
                min_interval_s=1.05,
                lan_ports=range(26000, 26004),
                compatible_with=QUAKE3,
                team_names={1: N_("Red"), 2: N_("Blue"), 3: N_("Yellow"), 4: N_("Pink")},
                family="quake",
            ),
            QueryProtocol(
                FIVEM,
                _INFO,
                # GetInfoOutOfBand.h of its source: a challenge of at most 8 characters, which is echoed, and 2 requests
                # a second. Owners may switch getstatus off.
                lambda _parts, _server: Quake3Session(must_echo=True, request=INFO_REQUEST),
                min_interval_s=0.5,
                lan_ports=(30120,),
                family="quake",
            ),
            QueryProtocol(
                TEEWORLDS06,
                _WITH_PLAYERS,
                _drop_arguments(Teeworlds06Session),
                lan_ports=range(8303, 8311),  # as the game's own browser
                family="teeworlds",
            ),
            QueryProtocol(
                TEEWORLDS07,
                _WITH_PLAYERS,
                _drop_arguments(Teeworlds07Session),
                lan_ports=range(8303, 8311),
                family="teeworlds",
            ),
            QueryProtocol(
                MINECRAFT,
                _INFO,
                lambda _parts, server: JavaSession(server),
                lan_announcement=LanAnnouncement("224.0.2.60", 4445, parse_lan_announcement),
                srv_service=SrvService("_minecraft._tcp", 25565),
                sends_host_name=True,
                is_stream=True,
            ),
            QueryProtocol(BEDROCK, _INFO, _drop_arguments(bedrock.BedrockSession), lan_ports=(bedrock.LAN_PORT,)),
            QueryProtocol(
                LUANTI,
                _INFO,
                _drop_arguments(LuantiSession),
                lan_ports=(30000,),
                is_ping_only=True,
                build_disconnect=build_disconnect,
            ),
            QueryProtocol(SAMP, _INFO, SampSession, lan_ports=(7777,)),
            QueryProtocol(VCMP, _INFO, lambda parts, server: SampSession(parts, server, samp.VCMP), lan_ports=(8192,)),
            QueryProtocol(
                ASE,
                _WITH_PLAYERS,
                _drop_arguments(ase.AseSession),
                lan_ports=(22126,),
                lan_requests={ase.LAN_PORT: LanRequest(ase.LAN_REQUEST, ase.parse_lan_reply)},
            ),
            QueryProtocol(
                SAUERBRATEN, _INFO, _open_cube2(cube2.SAUERBRATEN), lan_ports=(28784,), answers_lan_elsewhere=True
            ),
            QueryProtocol(
                RED_ECLIPSE,
                _WITH_PLAYERS,
                _open_cube2(cube2.RED_ECLIPSE),
                lan_ports=(28799,),
                answers_lan_elsewhere=True,
            ),
            QueryProtocol(
                ASSAULT_CUBE,
                _WITH_PLAYERS,
                _open_cube2(cube2.ASSAULT_CUBE),
                lan_ports=(28762,),
                answers_lan_elsewhere=True,
            ),
            QueryProtocol(
                TESSERACT, _INFO, _open_cube2(cube2.TESSERACT), lan_ports=(41998,), answers_lan_elsewhere=True
            ),
            QueryProtocol(
                OPENTTD,
                _INFO,
                _drop_arguments(game_info.OpenTTDSession),
                lan_requests={game_info.LAN_PORT: LanRequest(game_info.LAN_REQUEST, game_info.parse_lan_reply)},
                is_stream=True,
            ),
            QueryProtocol(BZFLAG, _INFO, _drop_arguments(BzflagSession), lan_ports=(5154,), names_servers=False),
            QueryProtocol(
                ARMAGETRON,
                _WITH_PLAYERS,
                _drop_arguments(ArmagetronSession),
                min_interval_s=MIN_INTERVAL_S,
                lan_ports=range(4534, 4538),
            ),
            QueryProtocol(SUPERTUXKART, _INFO, _drop_arguments(SuperTuxKartSession), lan_ports=(LAN_PORT,)),
            QueryProtocol(MUMBLE, _INFO, _drop_arguments(MumbleSession), lan_ports=(64738,), names_servers=False),
            QueryProtocol(
                SPACE_STATION,
                _INFO,
                lambda _parts, server: SpaceStationSession(server),
                sends_host_name=True,
                is_stream=True,
            ),
            QueryProtocol(
                QUAKEWORLD,
                _WITH_PLAYERS,
                _drop_arguments(QuakeWorldSession),
                lan_ports=range(27500, 27504),
                team_names={1: N_("Red"), 2: N_("Blue")},
            ),
            QueryProtocol(HEXENWORLD, _WITH_PLAYERS, _drop_arguments(HexenWorldSession), lan_ports=(26950,)),
            QueryProtocol(QUAKE2, _WITH_PLAYERS, _drop_arguments(Quake2Session), lan_ports=range(27910, 27914)),
            QueryProtocol(
                ZANDRONUM,
                QueryParts.ALL,
                _drop_arguments(zandronum.ZandronumSession),
                refuses_repetition=True,  # sv_queryignoretime: 10 s, for all programs at one IP address together
                lan_announcement=LanAnnouncement("", zandronum.LAN_PORT, zandronum.parse_lan_announcement),
                team_names=_DOOM_TEAMS,
            ),
            QueryProtocol(
                ODAMEX, _WITH_PLAYERS, _drop_arguments(OdamexSession), lan_ports=(10666,), team_names=_DOOM_TEAMS
            ),
            QueryProtocol(CHOCOLATE_DOOM, _INFO, _drop_arguments(ChocolateDoomSession), lan_ports=(2342,)),
            QueryProtocol(GAMESPY1, _WITH_PLAYERS, _drop_arguments(GameSpy1Session)),
            QueryProtocol(GAMESPY2, _INFO, lambda parts, _server: GameSpy2Session(parts)),
            QueryProtocol(GAMESPY3, _WITH_PLAYERS, _drop_arguments(GameSpy3Session)),
            QueryProtocol(UNREAL2, _INFO, lambda parts, _server: Unreal2Session(parts)),
            QueryProtocol(MINDUSTRY, _INFO, _drop_arguments(MindustrySession), lan_ports=(6567,)),
            QueryProtocol(
                SRB2,
                _WITH_PLAYERS,
                _drop_arguments(srb2.Srb2Session),
                lan_ports=(srb2.LAN_PORT,),
                team_names={1: N_("Red"), 2: N_("Blue")},
            ),
            QueryProtocol(LISTED, _INFO, _refuse_session, is_listed_only=True),
        )
    }
)
"""All query protocols by name."""

PROTOCOL_SYNONYMS: Final = MappingProxyType(
    {"supertuxkart": SUPERTUXKART, "chocolatedoom": CHOCOLATE_DOOM, "sauerbraten": SAUERBRATEN, "gamespy4": GAMESPY3}
)
"""Further names of query protocols, for input only."""


def protocol_family(name: str) -> str:
    """Return the family of a protocol."""
    return QUERY_PROTOCOLS[name].family or name
