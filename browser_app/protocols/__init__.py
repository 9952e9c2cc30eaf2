"""Query and master protocols: bytes to dataclasses and back, nothing else."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from browser_app.protocols.a2s_conversation import A2SConversation
from browser_app.protocols.conversation import Conversation, Want
from browser_app.protocols.quake3_conversation import Quake3Conversation


@dataclass(frozen=True, slots=True)
class QueryProtocol:
    """A way to ask game servers."""

    name: str
    """As in server URLs and game profiles."""
    default_want: Want
    """What a list of servers asks for: as much as one round trip brings."""
    min_interval_s: float
    """Least time between two requests to one IP address, s; 0 where servers do not mind."""
    converse: Callable[[Want], Conversation]
    """Begins one query."""


QUERY_PROTOCOLS: Mapping[str, QueryProtocol] = MappingProxyType(
    {
        protocol.name: protocol
        for protocol in (
            QueryProtocol("a2s", Want.INFO, 0.0, A2SConversation),
            QueryProtocol("quake3", Want.INFO | Want.PLAYERS, 0.0, lambda _want: Quake3Conversation()),
            # The engine's flood guard (net_getstatusfloodblockingtimeout) ignores a second query within 1 s.
            QueryProtocol(
                "darkplaces", Want.INFO | Want.PLAYERS, 1.05, lambda _want: Quake3Conversation(must_echo=True)
            ),
        )
    }
)
"""All query protocols by name."""
