"""Connections to master servers over TCP, limited in time, size and parts."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

from browser_app.engine.masters.target_sink import TargetSink
from browser_app.engine.network.address_rules import NetworkScope, network_scope
from browser_app.engine.network.host_resolver import resolve_host
from browser_app.engine.network.request_errors import RequestError, UnknownHostError, os_error_text
from browser_app.language import gettext as _
from browser_app.protocols.address import Address
from browser_app.protocols.effective_host import effective_host

CONNECT_TIMEOUT_S: Final = 5.0
READ_TIMEOUT_S: Final = 10.0
MAX_LIST_BYTES: Final = 4 << 20
_CHUNK_BYTES = 64 << 10
_MAX_SMALL_CHUNKS, _MIN_MEAN_CHUNK_BYTES = 2_000, 64
"""More parts than that must have this mean size: each costs as much time as parsing some entries of a list."""


class MasterConnection:
    """A connection to one master server."""

    def __init__(self, sock: socket.socket, host: str, sink: TargetSink) -> None:
        self.scope: NetworkScope = network_scope(host)
        """What the master may list."""
        self._sock = sock
        self._sink = sink

    def send(self, data: bytes) -> None:
        """Send a request.

        Raises:
            RequestError: the connection was lost.
        """
        with _network_errors(), self._sink.parsing.waiting():
            self._sock.sendall(data)

    def receive(self) -> Iterator[bytes]:
        """Yield the parts of what the master sends, until it closes the connection.

        Raises:
            RequestError: the connection was lost, or the master sends too much.
        """
        received = number = 0
        while data := self._receive_part():
            number += 1
            received += len(data)
            if received > MAX_LIST_BYTES:
                raise RequestError(_("the answer is larger than {n} MiB").format(n=MAX_LIST_BYTES >> 20))
            if number > _MAX_SMALL_CHUNKS and received < number * _MIN_MEAN_CHUNK_BYTES:
                raise RequestError(_("the answer arrives in parts that are too small"))
            yield data

    def _receive_part(self) -> bytes:
        with _network_errors(), self._sink.parsing.waiting():
            return self._sock.recv(_CHUNK_BYTES)


@contextmanager
def _network_errors() -> Iterator[None]:
    """Turn errors of the network into `RequestError`."""
    try:
        yield
    except TimeoutError:
        raise RequestError(_("no answer")) from None
    except OSError as error:
        raise RequestError(os_error_text(error, _("connection lost"))) from None


@contextmanager
def connect_master(address: Address, sink: TargetSink) -> Iterator[MasterConnection]:
    """Connect to the first address of a master that accepts.

    The connection is closed at the end. Cancelling the sink ends what is received.
    Each attempt to connect takes a packet of the host's budget.

    Raises:
        RequestError: no address accepts the connection.
    """
    with sink.parsing.waiting():
        hosts = resolve_host(address.host, sink.cancel_token)
    if not hosts:
        raise UnknownHostError(address.host)
    with ExitStack() as stack:
        with sink.parsing.waiting():
            sock, host = _connect(hosts, address.port, sink, stack)
        yield MasterConnection(sock, host, sink)


def _connect(hosts: tuple[str, ...], port: int, sink: TargetSink, stack: ExitStack) -> tuple[socket.socket, str]:
    """Return a connection to the first host that accepts, and that host."""
    problem = _("no answer")
    for host in hosts:
        _wait_for_budget(host, sink)
        try:
            sock = stack.enter_context(socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET))
            sock.settimeout(CONNECT_TIMEOUT_S)
            stack.enter_context(sink.cancel_token.shutting_down_on_cancel(sock))
            sock.connect((host, port))
        except TimeoutError:
            problem = _("no answer")
        except OSError as error:
            problem = os_error_text(error, _("cannot be reached"))
        else:
            sock.settimeout(READ_TIMEOUT_S)
            return sock, host
    raise RequestError(problem)


def _wait_for_budget(host: str, sink: TargetSink) -> None:
    while wait_s := sink.context.host_budget.try_spend(effective_host(host)):
        if sink.cancel_token.wait(wait_s):
            raise RequestError(_("no answer"))
