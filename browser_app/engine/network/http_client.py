"""HTTP client for small documents, limited in time and size.

The host is looked up here and nowhere else, so that the address that is judged is the one that is spoken to.
"""

import socket
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import HTTPError

from browser_app import __version__
from browser_app.engine.cancel_token import CancelToken
from browser_app.engine.masters.target_sink import MasterError
from browser_app.engine.network.address_rules import NetworkScope, network_scope
from browser_app.engine.network.host_resolver import resolve_host
from browser_app.engine.network.os_error_text import os_error_text
from browser_app.language import gettext as _

CONNECT_TIMEOUT_S = 5.0
READ_TIMEOUT_S = 10.0
MAX_REDIRECTS = 3
MAX_DOCUMENT_BYTES = 16 << 20
"""The largest document, unless less is asked for; Steam's list of 20,000 servers has 10 MB."""
_CHUNK_BYTES = 64 << 10
_ERROR_BODY_BYTES = 4096
_REDIRECT_STATUSES = frozenset({301, 302, 303, 307, 308})

ConnectionFactory = Callable[[], socket.socket]


@dataclass(frozen=True, slots=True)
class HttpDocument:
    """What came."""

    body: bytes
    scope: NetworkScope
    """How near the server is: of all that had a part in it, the farthest."""


class HttpStatusError(MasterError):
    """The server answered, but with no document.

    Attributes:
        status: the HTTP status.
        body: the beginning of what came with it.
    """

    def __init__(self, reason: str, status: int, body: bytes) -> None:
        super().__init__(reason)
        self.status, self.body = status, body


def fetch_document(
    url: str,
    cancel_token: CancelToken,
    *,
    secret_params: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
    verify: bool | str = True,
    max_bytes: int = MAX_DOCUMENT_BYTES,
) -> HttpDocument:
    """Get a document.

    Args:
        url: where it is.
        cancel_token: ends it at once; the caller sets it when the time is over.
        secret_params: what goes into the query and to nobody but the host of `url`; over the Internet by https only.
        headers: what else is said in the request, to every host on the way.
        verify: the certificates to trust, as requests takes it.
        max_bytes: what the document may have.

    Raises:
        StatusError: the server has none for us.
        MasterError: it could not be had. The text never holds any part of `secret_params` or of a query.
    """
    host = urlsplit(url).hostname
    reach = NetworkScope.THIS_MACHINE
    for _turn in range(MAX_REDIRECTS + 1):
        hop = _HttpHop(url, cancel_token)
        if hop.scope > reach:
            raise MasterError(_("redirect into a private network refused"))
        reach = hop.scope if reach is NetworkScope.THIS_MACHINE else min(reach, hop.scope)
        if secret_params and hop.scope is NetworkScope.INTERNET and urlsplit(url).scheme != "https":
            raise MasterError(_("keys are only sent over HTTPS"))
        found = _request_hop(hop, secret_params, headers or {}, verify, max_bytes)
        if isinstance(found, bytes):
            return HttpDocument(found, reach)
        url = _redirect_target(url, found, required_host=host if secret_params else None)
        secret_params = None
    raise MasterError(_("too many redirects"))


def _redirect_target(url: str, location: str, required_host: str | None) -> str:
    try:
        target = urljoin(url, location)
        parts = urlsplit(target)
    except ValueError:
        raise MasterError(_("invalid redirect")) from None
    same_server = location and _origin(target) == _origin(url)
    if (parts.scheme != "https" or not parts.hostname) and not same_server:
        raise MasterError(_("redirect away from HTTPS refused"))
    if required_host is not None and parts.hostname != required_host:
        raise MasterError(_("redirect to another host refused"))
    return target


def _origin(url: str) -> tuple[str, str]:
    """Scheme, host and port."""
    return urlsplit(url)[:2]


class _HttpHop:
    """One web server on the way."""

    def __init__(self, url: str, cancel_token: CancelToken) -> None:
        parts = urlsplit(url)
        self.url = url
        self.cancel_token = cancel_token
        self.host = parts.hostname or ""
        try:
            self.port = parts.port or (443 if parts.scheme == "https" else 80)
        except ValueError:
            raise MasterError(_("invalid redirect")) from None
        self.addresses = resolve_host(self.host, cancel_token)
        if not self.addresses:
            raise MasterError(_("unknown host {host}").format(host=self.host))
        self.scope = min(map(network_scope, self.addresses))


def _request_hop(
    hop: _HttpHop, secret: Mapping[str, str] | None, headers: Mapping[str, str], verify: bool | str, max_bytes: int
) -> bytes | str:
    """The document, or where the redirect leads."""
    with ExitStack() as stack:
        session = stack.enter_context(requests.Session())
        session.trust_env = False  # no proxies, no passwords from files: what is asked for is all that is sent
        session.headers.update({"User-Agent": f"ready-room/{__version__}", "Accept-Encoding": "identity"})
        for scheme in ("http://", "https://"):
            session.mount(scheme, _PinnedAddressAdapter(lambda: _connect(hop, stack)))
        try:
            response = session.get(
                hop.url,
                params=secret,
                headers=dict(headers),
                stream=True,
                allow_redirects=False,
                timeout=(CONNECT_TIMEOUT_S, READ_TIMEOUT_S),
                verify=verify,
            )
            stack.callback(response.close)
            return _read_response(response, max_bytes, has_key=bool(secret))
        except (requests.RequestException, HTTPError, OSError, ValueError) as error:
            raise MasterError(_error_text(error)) from None


def _connect(hop: _HttpHop, stack: ExitStack) -> socket.socket:
    """A connection to the first address that takes one; `stop` breaks it off."""
    trouble = _("no answer")
    for address in hop.addresses:
        sock = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
        stack.callback(sock.close)
        sock.settimeout(CONNECT_TIMEOUT_S)
        handle = stack.enter_context(sock.dup())  # TLS takes the socket itself over
        stack.enter_context(hop.cancel_token.calling_on_cancel(partial(_shut_down, handle)))
        if hop.cancel_token.is_cancelled:
            break
        try:
            sock.connect((address, hop.port))
        except TimeoutError:
            trouble = _("no answer")
        except OSError as error:
            trouble = os_error_text(error, _("cannot be reached"))
        else:
            return sock
    raise MasterError(trouble)


def _shut_down(sock: socket.socket) -> None:
    """Wake whoever waits for this connection."""
    with suppress(OSError):  # it is not connected any more
        sock.shutdown(socket.SHUT_RDWR)


class _PinnedAddressAdapter(HTTPAdapter):
    """Makes its connections by `connect`. Neither requests nor urllib3 has an open place to say which address is meant
    and to get hold of the socket."""

    def __init__(self, connect: ConnectionFactory) -> None:
        self._connect = connect
        super().__init__()

    def init_poolmanager(self, *args: Any, **options: Any) -> None:
        """Called by the constructor of requests' adapter."""
        super().init_poolmanager(*args, **options)
        self.poolmanager.pool_classes_by_scheme = {
            "http": self._with_connection_factory(HTTPConnectionPool, HTTPConnection),
            "https": self._with_connection_factory(HTTPSConnectionPool, HTTPSConnection),
        }

    def _with_connection_factory(self, pool: type, connection: type) -> type:
        own = type(connection.__name__, (connection,), {"_new_conn": lambda _: self._connect()})
        return type(pool.__name__, (pool,), {"ConnectionCls": own})


def _read_response(response: requests.Response, max_bytes: int, *, has_key: bool) -> bytes | str:
    status = response.status_code
    if status in _REDIRECT_STATUSES:
        return response.headers.get("Location", "")
    if status != 200:
        raise HttpStatusError(_status_text(status, has_key=has_key), status, _read_error_body(response))
    if response.headers.get("Content-Encoding", "identity") != "identity":
        raise MasterError(_("unexpected compressed response"))
    body = bytearray()
    for chunk in response.iter_content(_CHUNK_BYTES):
        body += chunk
        if len(body) > max_bytes:
            raise MasterError(_("the response is larger than {n} MiB").format(n=max_bytes >> 20))
    if body.lstrip()[:1] == b"<":
        raise MasterError(_("the response is a web page, not a list"))
    return bytes(body)


def _status_text(status: int, *, has_key: bool) -> str:
    if status in (401, 403):
        return _("the key was rejected") if has_key else _("access denied (HTTP {status})").format(status=status)
    if status == 429:
        return _("too many requests; try again later")
    return _("HTTP error {status}").format(status=status)


def _read_error_body(response: requests.Response) -> bytes:
    """What comes with a refusal, as far as it comes."""
    with suppress(requests.RequestException, HTTPError, OSError):
        return next(response.iter_content(_ERROR_BODY_BYTES), b"")
    return b""


def _error_text(error: Exception) -> str:
    """Why it failed. The error's own text may hold the whole URL with the key, so it is never shown."""
    if isinstance(error, requests.exceptions.SSLError):
        return _("HTTPS certificate not trusted")
    if isinstance(error, requests.Timeout):
        return _("no answer")
    if isinstance(error, ValueError):  # requests looks at redirects that it is not to follow
        return _("invalid response")
    return _("connection lost")
