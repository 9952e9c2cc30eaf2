"""Discovery of servers on the local network by UDP broadcast."""

import contextlib
import socket
import struct
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, zip_longest

from browser_app.engine.masters.broadcast_search import BroadcastQuery, BroadcastSearch, LanTiming, run_search
from browser_app.engine.masters.master_source import MasterSource
from browser_app.engine.masters.target_sink import TargetSink
from browser_app.engine.network.address_rules import NetworkScope, is_loopback
from browser_app.engine.network.request_errors import RequestError, os_error_text
from browser_app.games.game_profile import GameProfile
from browser_app.language import gettext as _
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS, QueryProtocol

LIMITED_BROADCAST = "255.255.255.255"
"""All hosts on the one network that the system chooses."""
LOOPBACK_BROADCAST = "127.255.255.255"
"""Servers on this machine that listen on all addresses; verified on Linux only."""

_SIOCGIFBRDADDR = 0x8919
"""From linux/sockios.h; the reply is a `struct ifreq` with a `sockaddr_in` after the interface's name."""
_IFREQ_BYTES = 40
_ADDRESS_BYTES = slice(20, 24)
_NO_ADDRESS = "0.0.0.0"  # noqa: S104 - only compared with, nothing binds to it


def find_broadcast_addresses() -> tuple[str, ...]:
    """Return the broadcast addresses that reach all IPv4 neighbours.

    This machine is first; there are no duplicates. On Linux these are loopback, the network of each interface (of its
    first address if it has several) and the limited broadcast; on other systems only the last.
    """
    if sys.platform != "linux":
        return (LIMITED_BROADCAST,)
    return (LOOPBACK_BROADCAST, *_find_interface_broadcasts(), LIMITED_BROADCAST)


def _find_interface_broadcasts() -> tuple[str, ...]:
    if sys.platform != "linux":
        return ()
    from fcntl import ioctl

    found: dict[str, None] = {}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        for _, name in socket.if_nameindex():
            with contextlib.suppress(OSError):  # it has no IPv4 address, or is gone
                reply = ioctl(sock, _SIOCGIFBRDADDR, struct.pack(f"{_IFREQ_BYTES}s", name.encode()))
                found[socket.inet_ntoa(reply[_ADDRESS_BYTES])] = None
    return tuple(address for address in found if address not in (_NO_ADDRESS, LIMITED_BROADCAST, LOOPBACK_BROADCAST))


LAN_URL = "lan:"
"""URL of the local network as a master."""
PORTS_PER_GAME = 4
"""A game's default port and those after it, used by further servers on one machine: id's engines search as many on a
local network (NUM_SERVER_PORTS).
"""
MAX_LAN_QUERIES = 64
"""Requests of one round. Each takes 20 ms, so that a search ends within 3.5 s."""


@dataclass(frozen=True, slots=True)
class LanMaster(MasterSource):
    """The local network: servers that reply to a broadcast."""

    queries: tuple[tuple[str, int], ...]
    """Query protocol and port of each request."""
    broadcasts: tuple[str, ...] = ()
    """Their destinations; empty for all networks of this machine at the time of the poll."""
    announcing: tuple[str, ...] = ()
    """Query protocols whose servers announce themselves."""

    @property
    def is_on_this_machine(self) -> bool:
        """Whether only servers of this machine receive the requests."""
        return bool(self.broadcasts) and all(is_loopback(broadcast) for broadcast in self.broadcasts)

    def poll(self, sink: TargetSink, timing: LanTiming | None = None) -> str | None:
        """Pass the servers that replied or announced themselves to `sink`, all at the end.

        By then the minimum interval of each server's protocol (DarkPlaces' flood guard) has passed, so that it may be
        queried at once. Only IPv4 has broadcasts. Replies from public addresses are ignored. There is a
        message if only this machine was queried; an empty list is an error.
        """
        queries = [BroadcastQuery(QUERY_PROTOCOLS[protocol], port) for protocol, port in self.queries]
        queries.sort(key=lambda query: -query.protocol.min_interval_s)  # the others are sent while these wait
        try:
            broadcasts, budget = self.broadcasts or find_broadcast_addresses(), sink.context.host_budget
            announcing = [QUERY_PROTOCOLS[protocol] for protocol in self.announcing]
            with BroadcastSearch(broadcasts, queries, budget, announcing) as search:
                run_search(search, queries, sink, timing or LanTiming())
                if not sink.cancel_token.is_cancelled:
                    sink.add(search.collect_targets(), NetworkScope.THIS_MACHINE)
                return search.build_result_message(sink.count)
        except OSError as error:
            raise RequestError(os_error_text(error, _("the network cannot be queried"))) from None


def create_lan_master(own_games: Iterable[GameProfile]) -> LanMaster:
    """Return the local network as a master.

    It is asked on the first port that servers of each protocol usually have and on that of each of the user's own
    games, the most important of which are first, then on the second ports and so on, as far as `MAX_LAN_QUERIES`
    permits.
    """
    first_ports = [
        (profile.protocol, profile.default_port + profile.query_port_offset)
        for profile in own_games
        if _is_searched(QUERY_PROTOCOLS[profile.protocol])
    ]
    rows = [
        [(protocol.name, port) for port in (*protocol.lan_ports, *protocol.lan_requests)]
        for protocol in QUERY_PROTOCOLS.values()
    ]
    rows += [[(protocol, port + step) for step in range(PORTS_PER_GAME)] for protocol, port in first_ports]
    by_step = chain.from_iterable(zip_longest(*rows))
    queries = dict.fromkeys(query for query in by_step if query is not None and 1 <= query[1] <= 65535)
    announcing = tuple(protocol.name for protocol in QUERY_PROTOCOLS.values() if protocol.lan_announcement)
    return LanMaster(LAN_URL, tuple(queries)[:MAX_LAN_QUERIES], announcing=announcing)


def _is_searched(protocol: QueryProtocol) -> bool:
    """Return whether a search can find a protocol's servers.

    They answer datagrams, and again soon after the search.
    """
    return not protocol.is_stream and not protocol.is_listed_only and not protocol.refuses_repetition
