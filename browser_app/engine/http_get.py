"""Getting one small document from a stranger's web server: bounded in time and size, and ended at once when told.

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
from browser_app.engine.address_rules import Reach, reach_of
from browser_app.engine.delivery import MasterError
from browser_app.engine.os_words import in_words
from browser_app.engine.resolve import resolve
from browser_app.engine.stop import Stop
from browser_app.language import gettext as _

CONNECT_S = 5.0
READ_S = 10.0
MAX_REDIRECTS = 3
MAX_BYTES = 16 << 20
"""The largest document, unless less is asked for; Steam's list of 20,000 servers has 10 MB."""
_CHUNK = 64 << 10
_REFUSAL_BYTES = 4096
_REDIRECTS = frozenset({301, 302, 303, 307, 308})

Dial = Callable[[], socket.socket]


@dataclass(frozen=True, slots=True)
class Document:
    """What came."""

    body: bytes
    reach: Reach
    """How near the server is: of all that had a part in it, the farthest."""


class StatusError(MasterError):
    """The server answered, but with no document.

    Attributes:
        status: the HTTP status.
        body: the beginning of what came with it.
    """

    def __init__(self, reason: str, status: int, body: bytes) -> None:
        super().__init__(reason)
        self.status, self.body = status, body


def get(
    url: str,
    stop: Stop,
    *,
    secret: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
    verify: bool | str = True,
    max_bytes: int = MAX_BYTES,
) -> Document:
    """Get a document.

    Args:
        url: where it is.
        stop: ends it at once; the caller sets it when the time is over.
        secret: what goes into the query and to nobody but the host of `url`; over the Internet by https only.
        headers: what else is said in the request, to every host on the way.
        verify: the certificates to trust, as requests takes it.
        max_bytes: what the document may have.

    Raises:
        StatusError: the server has none for us.
        MasterError: it could not be had. The text never holds any part of `secret` or of a query.
    """
    host = urlsplit(url).hostname
    reach = Reach.MACHINE
    for _turn in range(MAX_REDIRECTS + 1):
        hop = _Hop(url, stop)
        if hop.reach > reach:
            raise MasterError(_("a redirect leads into a private network"))
        reach = hop.reach if reach is Reach.MACHINE else min(reach, hop.reach)
        if secret and hop.reach is Reach.INTERNET and urlsplit(url).scheme != "https":
            raise MasterError(_("a key goes over the Internet by https only"))
        found = _speak(hop, secret, headers or {}, verify, max_bytes)
        if isinstance(found, bytes):
            return Document(found, reach)
        url = _redirected(url, found, must_be=host if secret else None)
        secret = None
    raise MasterError(_("too many redirects"))


def _redirected(url: str, location: str, must_be: str | None) -> str:
    try:
        target = urljoin(url, location)
        parts = urlsplit(target)
    except ValueError:
        raise MasterError(_("a redirect leads nowhere")) from None
    same_server = location and _server(target) == _server(url)
    if (parts.scheme != "https" or not parts.hostname) and not same_server:
        raise MasterError(_("a redirect leads away from https"))
    if must_be is not None and parts.hostname != must_be:
        raise MasterError(_("a redirect leads to another host"))
    return target


def _server(url: str) -> tuple[str, str]:
    """Scheme, host and port."""
    return urlsplit(url)[:2]


class _Hop:
    """One web server on the way."""

    def __init__(self, url: str, stop: Stop) -> None:
        parts = urlsplit(url)
        self.url = url
        self.stop = stop
        self.host = parts.hostname or ""
        try:
            self.port = parts.port or (443 if parts.scheme == "https" else 80)
        except ValueError:
            raise MasterError(_("a redirect leads nowhere")) from None
        self.addresses = resolve(self.host, stop)
        if not self.addresses:
            raise MasterError(_("unknown host {host}").format(host=self.host))
        self.reach = min(map(reach_of, self.addresses))


def _speak(
    hop: _Hop, secret: Mapping[str, str] | None, headers: Mapping[str, str], verify: bool | str, max_bytes: int
) -> bytes | str:
    """The document, or where the redirect leads."""
    with ExitStack() as stack:
        session = stack.enter_context(requests.Session())
        session.trust_env = False  # no proxies, no passwords from files: what is asked for is all that is sent
        session.headers.update({"User-Agent": f"ready-room/{__version__}", "Accept-Encoding": "identity"})
        for scheme in ("http://", "https://"):
            session.mount(scheme, _Adapter(lambda: _dial(hop, stack)))
        try:
            response = session.get(
                hop.url,
                params=secret,
                headers=dict(headers),
                stream=True,
                allow_redirects=False,
                timeout=(CONNECT_S, READ_S),
                verify=verify,
            )
            stack.callback(response.close)
            return _read(response, max_bytes, keyed=bool(secret))
        except (requests.RequestException, HTTPError, OSError, ValueError) as error:
            raise MasterError(_in_words(error)) from None


def _dial(hop: _Hop, stack: ExitStack) -> socket.socket:
    """A connection to the first address that takes one; `stop` breaks it off."""
    trouble = _("no answer")
    for address in hop.addresses:
        sock = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
        stack.callback(sock.close)
        sock.settimeout(CONNECT_S)
        handle = stack.enter_context(sock.dup())  # TLS takes the socket itself over
        stack.enter_context(hop.stop.waking(partial(_break_off, handle)))
        if hop.stop.is_set:
            break
        try:
            sock.connect((address, hop.port))
        except TimeoutError:
            trouble = _("no answer")
        except OSError as error:
            trouble = in_words(error, _("cannot be reached"))
        else:
            return sock
    raise MasterError(trouble)


def _break_off(sock: socket.socket) -> None:
    """Wake whoever waits for this connection."""
    with suppress(OSError):  # it is not connected any more
        sock.shutdown(socket.SHUT_RDWR)


class _Adapter(HTTPAdapter):
    """Makes its connections by `dial`. Neither requests nor urllib3 has an open place to say which address is meant
    and to get hold of the socket."""

    def __init__(self, dial: Dial) -> None:
        self._dial = dial
        super().__init__()

    def init_poolmanager(self, *args: Any, **options: Any) -> None:
        """Called by the constructor of requests' adapter."""
        super().init_poolmanager(*args, **options)
        self.poolmanager.pool_classes_by_scheme = {
            "http": self._dialling(HTTPConnectionPool, HTTPConnection),
            "https": self._dialling(HTTPSConnectionPool, HTTPSConnection),
        }

    def _dialling(self, pool: type, connection: type) -> type:
        own = type(connection.__name__, (connection,), {"_new_conn": lambda _: self._dial()})
        return type(pool.__name__, (pool,), {"ConnectionCls": own})


def _read(response: requests.Response, max_bytes: int, *, keyed: bool) -> bytes | str:
    status = response.status_code
    if status in _REDIRECTS:
        return response.headers.get("Location", "")
    if status != 200:
        raise StatusError(_why_not(status, keyed=keyed), status, _beginning(response))
    if response.headers.get("Content-Encoding", "identity") != "identity":
        raise MasterError(_("the answer is compressed, which was not asked for"))
    body = bytearray()
    for chunk in response.iter_content(_CHUNK):
        body += chunk
        if len(body) > max_bytes:
            raise MasterError(_("the answer is larger than {n} MiB").format(n=max_bytes >> 20))
    if body.lstrip()[:1] == b"<":
        raise MasterError(_("the answer is a web page, no list"))
    return bytes(body)


def _why_not(status: int, *, keyed: bool) -> str:
    if status in (401, 403):
        return _("the key was refused") if keyed else _("access refused (HTTP {status})").format(status=status)
    if status == 429:
        return _("asked too often; it wants us to wait")
    return _("it answered with HTTP {status}").format(status=status)


def _beginning(response: requests.Response) -> bytes:
    """What comes with a refusal, as far as it comes."""
    with suppress(requests.RequestException, HTTPError, OSError):
        return next(response.iter_content(_REFUSAL_BYTES), b"")
    return b""


def _in_words(error: Exception) -> str:
    """Why it failed. The error's own text may hold the whole URL with the key, so it is never shown."""
    if isinstance(error, requests.exceptions.SSLError):
        return _("its https certificate cannot be trusted")
    if isinstance(error, requests.Timeout):
        return _("no answer")
    if isinstance(error, ValueError):  # requests looks at redirects that it is not to follow
        return _("the answer makes no sense")
    return _("the connection broke off")
