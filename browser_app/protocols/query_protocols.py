"""Registry of query protocols."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, NamedTuple

from browser_app.language import N_
from browser_app.protocols.a2s.a2s_session import A2SSession
from browser_app.protocols.address import Address
from browser_app.protocols.luanti import LuantiSession, build_farewell
from browser_app.protocols.minecraft.bedrock import BedrockSession
from browser_app.protocols.minecraft.java import JavaSession
from browser_app.protocols.quake.quake3 import INFO_REQUEST, Quake3Session
from browser_app.protocols.query_session import QueryParts, QuerySession
from browser_app.protocols.san_andreas import samp
from browser_app.protocols.san_andreas.ase import AseSession
from browser_app.protocols.san_andreas.samp import SampSession
from browser_app.protocols.teeworlds.teeworlds06 import Teeworlds06Session
from browser_app.protocols.teeworlds.teeworlds07 import Teeworlds07Session

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


class SrvService(NamedTuple):
    """A service whose host and port a domain may name in an SRV record."""

    name: str
    """In front of the domain: `_minecraft._tcp`."""
    port: int
    """Usual port, where the record is asked for."""


@dataclass(frozen=True, slots=True)
class QueryProtocol:
    """A protocol for querying game servers."""

    name: str
    """As in server URLs and game profiles."""
    default_parts: QueryParts
    """Parts requested for a server list: as many as one round trip returns."""
    min_interval_s: float
    """Minimum time between two requests to one server, in seconds; 0 if servers do not limit it."""
    new_session: Callable[[QueryParts, Address], QuerySession]
    """Starts one query to the server at an address."""
    compatible_with: str = ""
    """Name of a more general protocol that its servers answer as well."""
    team_names: Mapping[int, str] = field(default_factory=dict)
    """Names of team numbers, untranslated."""
    is_stream: bool = False
    """Over TCP: the requests and replies of a session are parts of one stream each way, and sent once."""
    srv_service: SrvService | None = None
    """Set if players give the domain of a server instead of its host and port."""
    is_ping_only: bool = False
    """A reply only shows that the server is there; all else is known from lists that describe it."""
    farewell: Callable[[bytes], bytes | None] | None = None
    """Returns the datagram that makes a server forget us after one of its datagrams, None if that needs none; nobody
    answers it. For servers that would else repeat theirs.
    """
    family: str = ""
    """Protocols of one family report the same values, by which games are told apart; empty for the name itself."""


QUERY_PROTOCOLS: Mapping[str, QueryProtocol] = MappingProxyType(
    {
        protocol.name: protocol
        for protocol in (
            QueryProtocol(A2S, QueryParts.INFO, 0.0, lambda parts, _server: A2SSession(parts)),
            QueryProtocol(
                QUAKE3,
                QueryParts.INFO | QueryParts.PLAYERS,
                0.0,
                lambda _parts, _server: Quake3Session(),
                family="quake",
            ),
            # The engine's flood guard (net_getstatusfloodblockingtimeout) ignores a second query within 1 s.
            QueryProtocol(
                DARKPLACES,
                QueryParts.INFO | QueryParts.PLAYERS,
                1.05,
                lambda _parts, _server: Quake3Session(must_echo=True),
                compatible_with=QUAKE3,
                team_names={1: N_("Red"), 2: N_("Blue"), 3: N_("Yellow"), 4: N_("Pink")},
                family="quake",
            ),
            # GetInfoOutOfBand.h of its source: 2 requests a second, and a challenge of at most 8 characters, which is
            # echoed. Owners may switch getstatus off.
            QueryProtocol(
                FIVEM,
                QueryParts.INFO,
                0.5,
                lambda _parts, _server: Quake3Session(must_echo=True, request=INFO_REQUEST),
                family="quake",
            ),
            QueryProtocol(
                TEEWORLDS06,
                QueryParts.INFO | QueryParts.PLAYERS,
                0.0,
                lambda _parts, _server: Teeworlds06Session(),
                family="teeworlds",
            ),
            QueryProtocol(
                TEEWORLDS07,
                QueryParts.INFO | QueryParts.PLAYERS,
                0.0,
                lambda _parts, _server: Teeworlds07Session(),
                family="teeworlds",
            ),
            QueryProtocol(
                MINECRAFT,
                QueryParts.INFO,
                0.0,
                lambda _parts, server: JavaSession(server),
                srv_service=SrvService("_minecraft._tcp", 25565),
                is_stream=True,
            ),
            QueryProtocol(BEDROCK, QueryParts.INFO, 0.0, lambda _parts, _server: BedrockSession()),
            QueryProtocol(
                LUANTI,
                QueryParts.INFO,
                0.0,
                lambda _parts, _server: LuantiSession(),
                is_ping_only=True,
                farewell=build_farewell,
            ),
            QueryProtocol(SAMP, QueryParts.INFO, 0.0, SampSession),
            QueryProtocol(
                VCMP,
                QueryParts.INFO,
                0.0,
                lambda parts, server: SampSession(parts, server, samp.VCMP),
            ),
            QueryProtocol(ASE, QueryParts.INFO | QueryParts.PLAYERS, 0.0, lambda _parts, _server: AseSession()),
        )
    }
)
"""All query protocols by name."""


def protocol_family(name: str) -> str:
    """Return the family of a protocol."""
    return QUERY_PROTOCOLS[name].family or name
