"""Game servers and masters on loopback, with real sockets and one thread."""

import select
import socket
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

from a2s_samples import a2s_info

from browser_app.protocols.a2s.a2s import A2SPlayer
from browser_app.protocols.a2s.a2s_server import encode_info, encode_players, encode_rules, parse_a2s_request
from browser_app.protocols.address import Address
from browser_app.protocols.quake.dpmaster_server import encode_servers_response, parse_master_request
from browser_app.protocols.quake.quake3 import Quake3Player
from browser_app.protocols.quake.quake3_server import encode_status_response, parse_quake3_request
from browser_app.protocols.query_session import PacketError, QueryParts

Handler = Callable[[bytes], Iterable[bytes]]
"""Returns the datagrams that answer a request; `PacketError` means no answer."""


@contextmanager
def serving(*handlers: Handler, hosts: Sequence[str] = ()) -> Iterator[tuple[Address, ...]]:
    """Run a server for each handler, on a free port; yield the addresses.

    A server's host is 127.0.0.1 unless `hosts` names it.
    """
    handlers_by_socket: dict[socket.socket, Handler] = {}
    stop_event = threading.Event()
    thread = threading.Thread(target=_serve, args=(handlers_by_socket, stop_event), name="loopback servers")
    try:
        for handler, host in zip(handlers, hosts or ["127.0.0.1"] * len(handlers), strict=True):
            sock = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_DGRAM)
            handlers_by_socket[sock] = handler
            sock.bind((host, 0))
        thread.start()
        yield tuple(Address(*sock.getsockname()[:2]) for sock in handlers_by_socket)
    finally:
        stop_event.set()
        if thread.is_alive():
            thread.join()
        for sock in handlers_by_socket:
            sock.close()


def _serve(handlers_by_socket: Mapping[socket.socket, Handler], stop_event: threading.Event) -> None:
    while not stop_event.is_set():
        for sock in select.select(list(handlers_by_socket), [], [], 0.02)[0]:
            request, peer = sock.recvfrom(4096)
            with suppress(PacketError):
                for datagram in handlers_by_socket[sock](request):
                    sock.sendto(datagram, peer)


def silent(_request: bytes) -> Iterable[bytes]:
    """Do not answer."""
    return ()


def always(*datagrams: bytes) -> Handler:
    """Return a handler that sends these datagrams for any request."""
    return lambda _request: datagrams


def a2s(player_list: Sequence[A2SPlayer] = (), rules: Mapping[bytes, bytes] | None = None, **info: object) -> Handler:
    """Return the handler of a Steam server."""
    parts = {
        QueryParts.INFO: encode_info(a2s_info(**info)),
        QueryParts.PLAYERS: encode_players(player_list),
        QueryParts.RULES: encode_rules(rules or {}),
    }
    return lambda request: (parts[parse_a2s_request(request).requested_part],)


def quake3(players: Iterable[Quake3Player] = (), **info: str) -> Handler:
    """Return the handler of an OpenArena server."""
    keys = {
        "sv_hostname": "^1An ^7arena",
        "mapname": "oa_dm1",
        "gamename": "baseoa",
        "g_gametype": "0",
        "sv_maxclients": "16",
        "sv_privateClients": "2",
        "g_needpass": "0",
        "version": "ioq3+oa 1.36",
    } | info
    people = tuple(players)

    def answer(request: bytes) -> Iterable[bytes]:
        return (encode_status_response(keys, people, challenge=parse_quake3_request(request).challenge),)

    return answer


def dpmaster(servers: Sequence[Address], *, end: bool = True) -> Handler:
    """Return the handler of a master; without `end` its list stays incomplete."""

    def answer(request: bytes) -> Iterable[bytes]:
        return encode_servers_response(servers, extended=parse_master_request(request).is_extended, end=end)

    return answer
