"""Game servers and masters on loopback for tests of the whole program: real sockets, one thread."""

import select
import socket
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

from a2s_samples import a2s_info

from browser_app.protocols.a2s import A2SPlayer
from browser_app.protocols.a2s_server import encode_info, encode_players, encode_rules
from browser_app.protocols.a2s_server import parse_a2s_request as read_a2s_request
from browser_app.protocols.address import Address
from browser_app.protocols.dpmaster_server import ServersRequest, encode_servers_response
from browser_app.protocols.dpmaster_server import parse_master_request as read_master_request
from browser_app.protocols.quake3 import Quake3Player
from browser_app.protocols.quake3_server import encode_status_response
from browser_app.protocols.quake3_server import parse_quake3_request as read_quake_request
from browser_app.protocols.query_session import PacketError, QueryParts

Handler = Callable[[bytes], Iterable[bytes]]
"""From a request to the datagrams that answer it; it may raise `PacketError`, which is silence."""


@contextmanager
def serving(*handlers: Handler, hosts: Sequence[str] = ()) -> Iterator[tuple[Address, ...]]:
    """Run one server a handler, each on a free port of 127.0.0.1 or of its own host; their addresses."""
    socks: dict[socket.socket, Handler] = {}
    ended = threading.Event()
    thread = threading.Thread(target=_serve, args=(socks, ended), name="loopback servers")
    try:
        for handler, host in zip(handlers, hosts or ["127.0.0.1"] * len(handlers), strict=True):
            sock = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_DGRAM)
            socks[sock] = handler
            sock.bind((host, 0))
        thread.start()
        yield tuple(Address(*sock.getsockname()[:2]) for sock in socks)
    finally:
        ended.set()
        if thread.is_alive():
            thread.join()
        for sock in socks:
            sock.close()


def _serve(socks: Mapping[socket.socket, Handler], ended: threading.Event) -> None:
    while not ended.is_set():
        for sock in select.select(list(socks), [], [], 0.02)[0]:
            request, peer = sock.recvfrom(4096)
            with suppress(PacketError):
                for datagram in socks[sock](request):
                    sock.sendto(datagram, peer)


def silent(_request: bytes) -> Iterable[bytes]:
    """Never answers."""
    return ()


def always(*datagrams: bytes) -> Handler:
    """The same to whatever is asked."""
    return lambda _request: datagrams


def a2s(player_list: Sequence[A2SPlayer] = (), rules: Mapping[bytes, bytes] | None = None, **info: object) -> Handler:
    """A Steam server with fields of its own."""
    parts = {
        QueryParts.INFO: encode_info(a2s_info(**info)),
        QueryParts.PLAYERS: encode_players(player_list),
        QueryParts.RULES: encode_rules(rules or {}),
    }
    return lambda request: (parts[read_a2s_request(request).requested_part],)


def quake3(players: Iterable[Quake3Player] = (), **info: str) -> Handler:
    """An OpenArena server with keys of its own."""
    told = {
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
        return (encode_status_response(told, people, challenge=read_quake_request(request).challenge),)

    return answer


def dpmaster(servers: Sequence[Address], *, end: bool = True) -> Handler:
    """A master that knows these servers; without `end` it never says that its list is complete."""

    def answer(request: bytes) -> Iterable[bytes]:
        asked = read_master_request(request)
        return (
            encode_servers_response(servers, extended=asked.is_extended, end=end)
            if isinstance(asked, ServersRequest)
            else ()
        )

    return answer
