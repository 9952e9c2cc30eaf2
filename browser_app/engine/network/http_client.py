"""HTTP client for small documents, limited in time and size.

Each host of a chain of redirects is resolved once: the addresses that are checked are those connected to. No proxy is
used.
"""

import socket
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import SplitResult, urljoin, urlsplit

import requests
from urllib3.exceptions import HTTPError

from browser_app.engine.cancel_token import CancelToken
from browser_app.engine.network.address_rules import NetworkScope, network_scope
from browser_app.engine.network.host_resolver import resolve_host
from browser_app.engine.network.http_connection import (
    ENDLESS_TURN,
    MIN_MEAN_CHUNK_BYTES,
    PinnedAddressAdapter,
    WorkTurn,
)
from browser_app.engine.network.request_errors import RequestError, UnknownHostError, os_error_text
from browser_app.engine.query.host_budget import HostBudget
from browser_app.language import gettext as _
from browser_app.protocols.address import normalize_host
from browser_app.protocols.effective_host import effective_host
from browser_app.protocols.http_reply import USER_AGENT

CONNECT_TIMEOUT_S = 5.0
READ_TIMEOUT_S = 10.0
MAX_REDIRECTS = 3
MAX_DOCUMENT_BYTES = 16 << 20
"""Default size limit of a document; Steam's list of 20,000 servers has 10 MB."""
_CHUNK_BYTES = 64 << 10
_MAX_SMALL_CHUNKS = 2_000
"""More chunks must have the mean size `MIN_MEAN_CHUNK_BYTES`."""
_ERROR_BODY_BYTES = 4096
_GZIP = zlib.MAX_WBITS | 16  # zlib's number for the format
_REDIRECT_STATUSES = frozenset({301, 302, 303, 307, 308})
_DEFAULT_PORTS = {"http": 80, "https": 443}

ResultT = TypeVar("ResultT")


@dataclass(frozen=True, slots=True)
class HttpDocument:
    """Body of a document and where it came from."""

    body: bytes
    scope: NetworkScope
    """Network scope of the server; with redirects, the most remote of all servers involved."""


class HttpStatusError(RequestError):
    """The server replied with a status other than 200.

    Attributes:
        status: HTTP status.
        body: start of the body.
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
    """Fetch a document; see `read_document`."""

    def join(chunks: Iterator[bytes], scope: NetworkScope) -> HttpDocument:
        return HttpDocument(b"".join(chunks), scope)

    return read_document(
        url, cancel_token, join, secret_params=secret_params, headers=headers, verify=verify, max_bytes=max_bytes
    )


def read_document(
    url: str,
    cancel_token: CancelToken,
    read: Callable[[Iterator[bytes], NetworkScope], ResultT],
    *,
    secret_params: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
    verify: bool | str = True,
    max_bytes: int = MAX_DOCUMENT_BYTES,
    host_budget: HostBudget | None = None,
    turn: WorkTurn = ENDLESS_TURN,
    allows_markup: bool = False,
) -> ResultT:
    """Read a document while it arrives.

    Args:
        url: its URL.
        cancel_token: ends the request at once; the caller cancels it on timeout.
        read: receives the parts of the document, at most 64 KiB each, and the network scope of its server; with
            redirects, the scope of the most remote server involved. Iterating may raise `RequestError`. The connection
            is closed when it returns.
        secret_params: query parameters, sent only to the host of `url`, and over the Internet only by https.
        headers: request headers, also sent after redirects to other hosts.
        verify: certificates to trust, as in requests.
        max_bytes: size limit of the document.
        host_budget: packets that a host may get, of which each connection takes one; None: as many as it takes.
        turn: the caller's turn, left to others while this waits for the network.
        allows_markup: whether the document may begin with `<`; otherwise it is taken for a web page.

    Raises:
        HttpStatusError: the server refused the request.
        RequestError: the request failed. The text never contains any part of `secret_params` or of a query.
    """
    target = _parse_url(url)
    host, scope_limit = target.hostname, NetworkScope.THIS_MACHINE
    for _hop_number in range(MAX_REDIRECTS + 1):
        hop = _HttpHop(target, scope_limit, cancel_token, host_budget, turn)
        scope_limit = min(scope_limit, hop.scope)
        if secret_params and hop.scope is NetworkScope.INTERNET and target.scheme != "https":
            raise RequestError(_("keys are only sent over HTTPS"))
        with ExitStack() as stack:
            response = _send_request(hop, stack, secret_params, headers or {}, verify)
            if response.status_code not in _REDIRECT_STATUSES:
                _check_response(response, has_key=bool(secret_params))
                return read(_iterate_body(response, max_bytes, allows_markup=allows_markup), scope_limit)
            location = response.headers.get("Location", "")
        target = _redirect_target(target, location, required_host=host if secret_params else None)
        secret_params = None
    raise RequestError(_("too many redirects"))


def _parse_url(url: str) -> SplitResult:
    """Return the parts of a URL in canonical form.

    No other parser reads that form differently.

    Raises:
        RequestError: it is not an HTTP URL, or has a user name, an invalid host or an invalid port.
    """
    try:
        parts = urlsplit(url)
        host = normalize_host(parts.hostname or "")
    except ValueError:
        raise RequestError(_("invalid URL")) from None
    if parts.scheme not in _DEFAULT_PORTS or parts.username is not None:
        raise RequestError(_("invalid URL"))
    try:
        port = parts.port
    except ValueError:
        raise RequestError(_("invalid port in the URL")) from None
    netloc = f"[{host}]" if ":" in host else host
    if port not in (None, _DEFAULT_PORTS[parts.scheme]):
        netloc += f":{port}"
    return parts._replace(netloc=netloc, path=parts.path or "/", fragment="")


def _redirect_target(url: SplitResult, location: str, required_host: str | None) -> SplitResult:
    try:
        target = urljoin(url.geturl(), location)
        scheme = urlsplit(target).scheme
    except ValueError:
        raise RequestError(_("invalid redirect")) from None
    if not location or (scheme != "https" and scheme != url.scheme):
        raise RequestError(_("redirect away from HTTPS refused"))
    parts = _parse_url(target)
    if parts.scheme != "https" and parts.netloc != url.netloc:
        raise RequestError(_("redirect away from HTTPS refused"))
    if required_host is not None and parts.hostname != required_host:
        raise RequestError(_("redirect to another host refused"))
    return parts


class _HttpHop:
    """One web server in a chain of redirects."""

    def __init__(
        self,
        url: SplitResult,
        scope_limit: NetworkScope,
        cancel_token: CancelToken,
        host_budget: HostBudget | None,
        turn: WorkTurn,
    ) -> None:
        """Resolve the host; refuse a scope nearer than `scope_limit`."""
        host = url.hostname or ""
        self.url = url.geturl()
        self.scope_limit = scope_limit
        self.cancel_token = cancel_token
        self.port = url.port or _DEFAULT_PORTS[url.scheme]
        self.turn = turn
        with turn.waiting():
            self.addresses = resolve_host(host, cancel_token)
        if not self.addresses:
            raise UnknownHostError(host)
        self.scope = network_scope(self.addresses[0])
        if self.scope > scope_limit:
            raise RequestError(_("redirect into a private network refused"))
        self._host_budget = host_budget

    def wait_for_budget(self, address: str) -> None:
        """Wait until one of the host's addresses may be connected to.

        Raises:
            RequestError: the request was cancelled meanwhile.
        """
        while self._host_budget is not None and (wait_s := self._host_budget.try_spend(effective_host(address))):
            if self.cancel_token.wait(wait_s):
                raise RequestError(_("no answer"))


def _send_request(
    hop: _HttpHop,
    stack: ExitStack,
    secret: Mapping[str, str] | None,
    headers: Mapping[str, str],
    verify: bool | str,
) -> requests.Response:
    """Return the response with its body unread; `stack` closes the connection."""
    session = stack.enter_context(requests.Session())
    session.trust_env = False  # no proxies or netrc passwords: nothing is sent but the request itself
    session.headers.update({"User-Agent": USER_AGENT, "Accept-Encoding": "gzip"})
    for scheme in ("http://", "https://"):
        session.mount(scheme, PinnedAddressAdapter(lambda: _connect(hop, stack), hop.turn))
    with _network_errors():
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
    return response


@contextmanager
def _network_errors() -> Iterator[None]:
    """Turn errors of the network and of HTTP into `RequestError`."""
    try:
        yield
    except (requests.RequestException, HTTPError, OSError, ValueError) as error:
        raise RequestError(_describe_error(error)) from None


def _connect(hop: _HttpHop, stack: ExitStack) -> socket.socket:
    """Connect to the first address that accepts.

    The hop's cancel token shuts the connection down.
    """
    problem = _("no answer")
    for address in hop.addresses:
        try:
            return _connect_address(hop, address, stack)
        except TimeoutError:
            problem = _("no answer")
        except OSError as error:
            problem = os_error_text(error, _("cannot be reached"))
    raise RequestError(problem)


def _connect_address(hop: _HttpHop, address: str, stack: ExitStack) -> socket.socket:
    """Connect to one address; raises OSError if it does not accept."""
    hop.wait_for_budget(address)
    numeric = socket.getaddrinfo(address, hop.port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    family, *_names, peer = numeric[0]
    sock = socket.socket(family, socket.SOCK_STREAM)
    stack.callback(sock.close)
    sock.settimeout(CONNECT_TIMEOUT_S)
    handle = stack.enter_context(sock.dup())  # TLS takes over the socket itself
    stack.enter_context(hop.cancel_token.shutting_down_on_cancel(handle))
    if hop.cancel_token.is_cancelled:
        raise RequestError(_("no answer"))
    sock.connect(peer)
    if hop.scope_limit is not NetworkScope.THIS_MACHINE and sock.getsockname()[0] == sock.getpeername()[0]:
        raise RequestError(_("redirect into a private network refused"))  # this machine, by its public address
    return sock


def _check_response(response: requests.Response, *, has_key: bool) -> None:
    status = response.status_code
    if status != 200:
        raise HttpStatusError(_describe_status(status, has_key=has_key), status, _read_error_body(response))


def _iterate_body(response: requests.Response, max_bytes: int, *, allows_markup: bool) -> Iterator[bytes]:
    """Yield the parts of a body, which must be of the right kind and size."""
    bytes_left, is_blank = max_bytes, True
    with _network_errors():
        for part in _iterate_parts(response, max_bytes):
            bytes_left -= len(part)
            if bytes_left < 0:
                raise _too_large(max_bytes)
            start = part.lstrip() if is_blank else b""
            if start.startswith(b"<") and not allows_markup:
                raise RequestError(_("the answer is a web page, not a list"))
            is_blank = is_blank and not start
            yield part


def _iterate_parts(response: requests.Response, max_bytes: int) -> Iterator[bytes]:
    """Yield a body in parts of at most 64 KiB, decompressed.

    At most `max_bytes` are received for it.

    Raises:
        RequestError: the encoding is unknown, the compressed data is invalid or incomplete, the parts are too small or
            there is more of it.
    """
    # urllib3 would decompress a part whatever its size becomes; without the header it leaves the body as it is.
    encoding = response.raw.headers.pop("Content-Encoding", "identity").lower()
    received = _iterate_received(response, max_bytes)
    if encoding in ("gzip", "x-gzip"):
        return _decompress(received)
    if encoding != "identity":
        raise RequestError(_("unknown compression of the answer"))
    return received


def _iterate_received(response: requests.Response, max_bytes: int) -> Iterator[bytes]:
    size = 0
    for number, part in enumerate(response.iter_content(_CHUNK_BYTES)):
        size += len(part)
        if number > _MAX_SMALL_CHUNKS and size < number * MIN_MEAN_CHUNK_BYTES:
            raise RequestError(_("the answer arrives in parts that are too small"))
        if size > max_bytes:
            raise _too_large(max_bytes)
        yield part


def _too_large(max_bytes: int) -> RequestError:
    return RequestError(_("the answer is larger than {n} MiB").format(n=max_bytes >> 20))


def _decompress(parts: Iterator[bytes]) -> Iterator[bytes]:
    decompressor = zlib.decompressobj(_GZIP)
    try:
        for part in parts:
            rest = part
            while rest and not decompressor.eof:
                yield decompressor.decompress(rest, _CHUNK_BYTES)
                rest = decompressor.unconsumed_tail
    except zlib.error:
        raise RequestError(_("invalid answer")) from None
    if not decompressor.eof:
        raise RequestError(_("connection lost"))


def _describe_status(status: int, *, has_key: bool) -> str:
    if status in (401, 403):
        return _("the key was rejected") if has_key else _("access denied (HTTP {status})").format(status=status)
    if status == 429:
        return _("too many requests; try again later")
    return _("HTTP error {status}").format(status=status)


def _read_error_body(response: requests.Response) -> bytes:
    """Return the start of an error reply's body, as far as it arrives."""
    with suppress(requests.RequestException, HTTPError, OSError, RequestError):
        return next(_iterate_parts(response, _CHUNK_BYTES), b"")[:_ERROR_BODY_BYTES]
    return b""


def _describe_error(error: Exception) -> str:
    """Return why a request failed.

    The error's own text may contain the URL with the key, so it is never shown.
    """
    if isinstance(error, requests.exceptions.SSLError):
        return _("HTTPS certificate not trusted")
    if isinstance(error, requests.Timeout):
        return _("no answer")
    if isinstance(error, ValueError):  # requests also parses redirects that it must not follow
        return _("invalid answer")
    return _("connection lost")
