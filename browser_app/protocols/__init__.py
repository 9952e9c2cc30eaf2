"""Query and master server protocols: bytes to dataclasses and back."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from browser_app.protocols.a2s_session import A2SSession
from browser_app.protocols.quake3 import Quake3Session
from browser_app.protocols.query_session import QueryParts, QuerySession


@dataclass(frozen=True, slots=True)
class QueryProtocol:
    """A way to ask game servers."""

    name: str
    """As in server URLs and game profiles."""
    default_parts: QueryParts
    """What a list of servers asks for: as much as one round trip brings."""
    min_interval_s: float
    """Least time between two requests to one IP address, s; 0 where servers do not mind."""
    new_session: Callable[[QueryParts], QuerySession]
    """Begins one query."""


QUERY_PROTOCOLS: Mapping[str, QueryProtocol] = MappingProxyType(
    {
        protocol.name: protocol
        for protocol in (
            QueryProtocol("a2s", QueryParts.INFO, 0.0, A2SSession),
            QueryProtocol("quake3", QueryParts.INFO | QueryParts.PLAYERS, 0.0, lambda _want: Quake3Session()),
            # The engine's flood guard (net_getstatusfloodblockingtimeout) ignores a second query within 1 s.
            QueryProtocol(
                "darkplaces", QueryParts.INFO | QueryParts.PLAYERS, 1.05, lambda _want: Quake3Session(must_echo=True)
            ),
        )
    }
)
"""All query protocols by name."""
