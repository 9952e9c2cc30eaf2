"""Search for the protocol and query port of a server given by address."""

import math
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from browser_app.catalogue.server_info import QueryResult, QueryStatus, QueryTarget
from browser_app.engine.cancel_token import CancelToken
from browser_app.engine.network.host_resolver import (
    HostLookup,
    is_ip_address,
    is_unknown_host,
    resolve_host,
    system_lookup,
)
from browser_app.engine.network.srv_records import follow_srv_records
from browser_app.engine.query.query_timing import PACES, QueryTiming
from browser_app.engine.query.scan import Scan
from browser_app.engine.query.scanner import Scanner
from browser_app.games.game_profile import GameProfile
from browser_app.protocols.address import Address
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS
from browser_app.protocols.query_session import QueryParts
from browser_app.protocols.server_link import ServerLink

SEARCH_TIMING = QueryTiming(waits_s=(0.4, 0.6), late_reply_wait_s=1.0, stream_wait_s=1.4)
"""Short, because the user waits. A lost packet of a TCP handshake is repeated after 1 s."""
POLL_INTERVAL_S = 0.05
_NEAREST_PROTOCOLS = 3
"""Protocols tried because a game that speaks them has a default port near the given one."""
_USUAL_PROTOCOLS = 2
"""Protocols tried for any port: those that most games speak."""


@dataclass(frozen=True, slots=True)
class ServerSearchResult:
    """Outcome of a search."""

    target: QueryTarget | None
    """How to query the server; the best guess if it did not reply, None if its host was not found."""
    result: QueryResult | None = None
    """Its reply; None if there was none."""
    is_host_unknown: bool = False
    """Whether the host was not found because its name has no usable address; otherwise no name server answered."""


def find_server(
    scanner: Scanner,
    games: Mapping[str, GameProfile],
    link: ServerLink,
    cancel_token: CancelToken,
    lookup: HostLookup = system_lookup,
) -> ServerSearchResult | None:
    """Search for the server that a link names; blocks for about two seconds at most.

    Returns None if `cancel_token` is cancelled. A server that is never queried is taken as the link names it.
    """
    known_game = link.game if link.game in games else None
    if link.protocol and not (listed := QueryTarget(link.address, link.protocol, known_game)).is_queryable:
        return ServerSearchResult(listed)
    answered_hosts: list[str] = []

    def look_up(host: str) -> Iterable[str]:
        try:
            found = lookup(host)
        except (OSError, UnicodeError) as error:
            if is_unknown_host(error):
                answered_hosts.append(host)
            raise
        answered_hosts.append(host)
        return found

    server = link.address
    if link.protocol:
        server = follow_srv_records([QueryTarget(server, link.protocol, None)], cancel_token)[0].address
    hosts = resolve_host(server.host, cancel_token, look_up)
    if not hosts:
        return None if cancel_token.is_cancelled else ServerSearchResult(None, is_host_unknown=bool(answered_hosts))
    address, game = Address(hosts[0], server.port), known_game
    if link.protocol and link.is_query:
        guesses = [QueryTarget(address, link.protocol, game)]
    else:
        guesses = list(guess_targets(games, address, link.protocol, game))
    if not is_ip_address(server.host):
        guesses = [guess._replace(host_name=server.host) for guess in guesses]
    result = _query_guesses(scanner, guesses, cancel_token)
    if result is not None:
        target = _apply_profile(games, result)
        return ServerSearchResult(target, replace(result, target=target))
    return None if cancel_token.is_cancelled else ServerSearchResult(guesses[0])


def guess_targets(
    games: Mapping[str, GameProfile], address: Address, protocol: str | None, game: str | None
) -> Iterator[QueryTarget]:
    """Yield the likely ways to query a server by its game address, most likely first.

    They follow from the games' default ports. Only likely protocols are tried, so that a server gets few packets. Those
    come first whose servers stay silent after a packet of another protocol.
    """
    queried = [profile for profile in games.values() if not QUERY_PROTOCOLS[profile.protocol].is_listed_only]

    def rank_profile(profile: GameProfile) -> tuple[bool, int, bool]:
        distance = abs(profile.default_port - address.port)
        return profile.id != game, distance, not QUERY_PROTOCOLS[profile.protocol].refuses_repetition

    near = sorted(queried, key=rank_profile)
    for each in [protocol] if protocol else _select_protocols([_get_search_protocol(profile) for profile in near]):
        offsets = [p.query_port_offset for p in near if _get_search_protocol(p) == each]
        for offset in dict.fromkeys((*offsets[:1], 0, *offsets) if game else (0, *offsets)):
            if 1 <= address.port + offset <= 65535:
                yield QueryTarget(
                    Address(address.host, address.port + offset), each, game, address.port if offset else None
                )


def _select_protocols(protocols: Sequence[str]) -> Iterable[str]:
    """Return the first few of the games' protocols, then the most common ones."""
    nearest = [*dict.fromkeys(protocols)][:_NEAREST_PROTOCOLS]
    usual = [name for name, _count in Counter(protocols).most_common(_USUAL_PROTOCOLS)]
    return dict.fromkeys(nearest + usual)


def _get_search_protocol(profile: GameProfile) -> str:
    """Return the most general protocol that a game's servers answer.

    The reply then identifies the game.
    """
    return QUERY_PROTOCOLS[profile.protocol].compatible_with or profile.protocol


def _query_guesses(scanner: Scanner, guesses: Sequence[QueryTarget], cancel_token: CancelToken) -> QueryResult | None:
    """Query in all these ways at once and return the reply to the likeliest one.

    The host's budget spaces the packets, in this order.
    """
    scans = [
        scanner.scan(
            [guess for guess in guesses if guess.protocol == protocol],
            pace=PACES["normal"],
            parts=QueryParts.INFO,
            timing=SEARCH_TIMING,
            urgent=True,
            own_ports=True,  # on a shared one, the protocols would wait for each other
        )
        for protocol in dict.fromkeys(guess.protocol for guess in guesses)
    ]
    for scan in scans:
        scan.seal()
    result = _wait_for_likeliest(scans, guesses, cancel_token)
    for scan in scans:
        scan.cancel()
    return result


def _wait_for_likeliest(
    scans: Sequence[Scan], guesses: Sequence[QueryTarget], cancel_token: CancelToken
) -> QueryResult | None:
    """Return the reply to the first of the guesses that was answered.

    None if none was. A later one counts if the earlier ones have failed, or stay silent for as long again as its reply
    took.
    """
    ranks = {guess: rank for rank, guess in enumerate(guesses)}
    waiting, best, began_s, end_s = set(ranks.values()), None, time.monotonic(), math.inf
    while not cancel_token.is_cancelled and time.monotonic() < end_s:
        running = next((scan for scan in scans if not scan.wait(0.0)), None)
        if running is not None:
            running.wait(min(POLL_INTERVAL_S, end_s - time.monotonic()))
        for result in _drain_results(scans):
            rank = ranks[result.target]
            waiting.discard(rank)
            if result.status == QueryStatus.OK and (best is None or rank < ranks[best.target]):
                end_s = min(end_s, 2 * time.monotonic() - began_s)
                best = result
        if running is None or (best is not None and all(rank > ranks[best.target] for rank in waiting)):
            break
    return None if cancel_token.is_cancelled else best


def _drain_results(scans: Iterable[Scan]) -> Iterator[QueryResult]:
    for scan in scans:
        while scan.results:
            yield scan.results.popleft()


def _apply_profile(games: Mapping[str, GameProfile], result: QueryResult) -> QueryTarget:
    info, target = result.info, result.target
    profile = games.get(info.game or "") if info is not None else None
    return target if profile is None else target._replace(protocol=profile.protocol, game=profile.id)
