"""Faults that a demo network can simulate."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from browser_app.protocols import query_protocols
from browser_app.protocols.address import Address


class ServerFault(enum.Enum):
    """A fault of a server. Each is bounded: no request causes more than 256 datagrams."""

    WRONG_TOKEN = "wrong token"  # noqa: S105 (the name of a fault, not a password)
    """Repeats another token than the one sent, or another address; not if the protocol has neither."""
    WRONG_PORT = "wrong port"
    """Answers from another port of its address."""
    GARBAGE = "garbage"
    """Answers with random bytes, 0 to 200 of them."""
    MALFORMED = "malformed"
    """Replies that begin correctly and then break the format."""
    TRUNCATED = "truncated"
    """Cuts every datagram in half, which makes it useless."""
    TOO_LARGE = "too large"
    """Pads every datagram to 60,000 bytes."""
    ENDLESS_CHALLENGES = "endless challenges"
    """A2S: accepts no challenge and always sends a new one."""
    SILENT_AFTER_CHALLENGE = "silent after challenge"
    """A2S: sends a challenge, then nothing."""
    ENDLESS_SPLITS = "endless splits"
    """A2S: sends first parts of new split replies that never become complete."""
    BZIP2_BOMB = "bzip2 bomb"
    """A2S: a compressed split reply of a few hundred bytes that inflates to 64 MiB."""
    FLOOD = "flood"
    """Sends unrequested replies at once, to arrive first: 200 per request, 4,000 in all."""
    FALSE_COUNT = "false count"
    """A2S: its info reports a full server, its player list is empty."""


class MasterFault(enum.Enum):
    """A fault of a master server."""

    DEAD = "dead"
    """Reads requests and never answers."""
    SLOW = "slow"
    """Answers after `NetworkFaults.slow_s`."""
    PRIVATE = "private"
    """Adds addresses that must not be queried: private, link-local, multicast, reserved, port 0."""
    EMPTY = "empty"
    """Lists no server."""
    INCOMPLETE = "incomplete"
    """UDP: loses its first packet. HTTP: the connection breaks in the middle of the answer."""
    NO_END = "no end"
    """UDP: never marks its list as complete."""
    GARBAGE = "garbage"
    """Answers with random bytes."""
    ENDLESS = "endless"
    """UDP: repeats its list a hundred times and never ends it."""


@dataclass(frozen=True, slots=True)
class NetworkFaults:
    """Faults of a demo network; none by default."""

    servers: Mapping[ServerFault, float] = field(default_factory=dict)
    """Share (0 to 1) of the living servers whose protocol allows it that have a fault; no server has two."""
    duplicates: float = 0.0
    """Probability, for each reply, that it is sent twice."""
    reorder: float = 0.0
    """Probability, for each reply, that later ones overtake it (it is sent 30 ms late)."""
    jumps: float = 0.0
    """Probability, for each reply, that it is `jump_ms` late."""
    jump_ms: float = 250.0
    slow_s: float = 3.0
    """Delay of a slow master server."""
    masters: Mapping[str, MasterFault] = field(default_factory=dict)
    """By game ID, `steam` (the Web API) or `list` (the community's list)."""


_A2S_ONLY = frozenset(
    {
        ServerFault.ENDLESS_CHALLENGES,
        ServerFault.SILENT_AFTER_CHALLENGE,
        ServerFault.ENDLESS_SPLITS,
        ServerFault.BZIP2_BOMB,
        ServerFault.FALSE_COUNT,
    }
)
_DATAGRAMS_ONLY = frozenset({ServerFault.WRONG_PORT, ServerFault.TOO_LARGE, ServerFault.FLOOD})
_TOKEN_AT_END = slice(-8, None)
_ADDRESS = slice(4, 10)
TOKEN_PLACES: Final = {
    query_protocols.QUAKE3: _TOKEN_AT_END,
    query_protocols.DARKPLACES: _TOKEN_AT_END,
    query_protocols.FIVEM: _TOKEN_AT_END,
    query_protocols.SAUERBRATEN: _TOKEN_AT_END,
    query_protocols.RED_ECLIPSE: _TOKEN_AT_END,
    query_protocols.ASSAULT_CUBE: _TOKEN_AT_END,
    query_protocols.TESSERACT: _TOKEN_AT_END,
    query_protocols.MUMBLE: _TOKEN_AT_END,
    query_protocols.TEEWORLDS06: slice(-1, None),
    query_protocols.TEEWORLDS07: slice(-1, None),
    query_protocols.BEDROCK: slice(1, 9),
    query_protocols.GAMESPY2: slice(3, 7),
    query_protocols.GAMESPY3: slice(3, 7),
    query_protocols.SAMP: _ADDRESS,
    query_protocols.VCMP: _ADDRESS,
    query_protocols.ZANDRONUM: slice(9, 13),
    query_protocols.ODAMEX: slice(12, 16),
    query_protocols.SRB2: slice(9, 13),
}
"""Position of the bytes of a request that replies repeat, by protocol; replies of other protocols repeat none."""
_PLAYERS_LAST = frozenset({
    query_protocols.ASE, query_protocols.TEEWORLDS06, query_protocols.QUAKEWORLD, query_protocols.HEXENWORLD,
    query_protocols.QUAKE2,
})  # fmt: skip


def can_have_fault(protocol: str, fault: ServerFault) -> bool:
    """Return whether servers of this protocol can have this fault."""
    if fault is ServerFault.WRONG_TOKEN:
        return protocol in TOKEN_PLACES
    if fault is ServerFault.TRUNCATED and protocol in _PLAYERS_LAST:
        return False  # a list of players that is cut off does not make the reply useless
    if fault in _DATAGRAMS_ONLY:
        return not query_protocols.QUERY_PROTOCOLS[protocol].is_stream
    return fault not in _A2S_ONLY or protocol == query_protocols.A2S


FORBIDDEN_ADDRESSES: Final = tuple(
    Address(host, port)
    for host, port in (
        ("10.0.0.1", 27960), ("172.16.3.4", 27960), ("192.168.1.10", 26000), ("169.254.17.4", 27015),
        ("224.0.0.9", 27960), ("240.1.2.3", 27960), ("0.1.2.3", 27960), ("127.0.0.1", 0),
    )
)  # fmt: skip
"""Addresses that no master server should list (see `MasterFault.PRIVATE`)."""
