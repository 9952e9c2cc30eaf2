"""Community lists as master servers: on the web, and in local files.

The HTTP client is imported by the first poll: importing it takes a fifth of the program's start-up time.
"""

from collections.abc import Container, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import SplitResult, unquote, urlsplit

from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.masters.master_source import MasterKind, MasterSource, parse_url_host
from browser_app.engine.masters.target_sink import TargetSink
from browser_app.engine.network.address_rules import NetworkScope
from browser_app.engine.network.request_errors import RequestError
from browser_app.engine.network.url_redaction import redact_url
from browser_app.file_errors import file_error_text
from browser_app.games.game_registry import GameRegistry
from browser_app.input_files import read_regular_file
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.number_text import integer_text
from browser_app.protocols.master_lists.community_list import (
    ListedServer,
    ServerListError,
    ServerListReader,
    parse_server_list,
)

_MAX_WEB_LIST_BYTES = 4 << 20
_MAX_FILE_BYTES = 16 << 20


@dataclass(frozen=True, slots=True)
class WebListMaster(MasterSource):
    """A community's list on the web."""

    location: str
    """`https://…` or `http://…`; may contain a key."""
    game_ids: frozenset[str]
    """Known game profiles, which its entries may name."""

    def poll(self, sink: TargetSink) -> str | None:
        """Pass the servers of the list to `sink`.

        The message counts the entries that were not understood.
        """
        from browser_app.engine.network.http_client import read_document

        def read(chunks: Iterator[bytes], scope: NetworkScope) -> int:
            reader = ServerListReader(chunks)
            try:
                sink.add_entries((server and _to_target(server, self.game_ids) for server in reader), scope)
            except ServerListError as error:
                raise RequestError(str(error)) from None
            return reader.unknown_entries

        with sink.parsing:
            not_understood = read_document(
                self.location,
                sink.cancel_token,
                read,
                max_bytes=_MAX_WEB_LIST_BYTES,
                host_budget=sink.context.host_budget,
                turn=sink.parsing,
            )
        if not not_understood:
            return None
        text = ngettext(
            "{n} entry was not understood and left out",
            "{n} entries were not understood and left out",
            not_understood,
        )
        return text.format(n=integer_text(not_understood))


@dataclass(frozen=True, slots=True)
class FileMaster(MasterSource):
    """A list in a local file, read when its URL was parsed."""

    servers: tuple[QueryTarget, ...]
    """Hosts may be names."""

    def poll(self, sink: TargetSink) -> None:
        """Pass the servers to `sink`."""
        sink.add_entries(self.servers, NetworkScope.THIS_MACHINE)

    @property
    def is_on_this_machine(self) -> bool:
        """True: the user's own file."""
        return True

    @property
    def known_servers(self) -> tuple[QueryTarget, ...]:
        """All servers of the list."""
        return self.servers


def _to_target(server: ListedServer, game_ids: Container[str]) -> QueryTarget:
    """Convert a listed server; a game that is not in `game_ids` becomes None."""
    return QueryTarget(server.address, server.protocol, server.game if server.game in game_ids else None)


def _parse_web_list(url: str, games: GameRegistry) -> WebListMaster:
    parse_url_host(url)
    return WebListMaster(redact_url(url), url.removeprefix("json+"), frozenset(games))


def _parse_list_file(url: str, games: GameRegistry) -> FileMaster:
    path = url.removeprefix("file:")
    if path.startswith("//"):  # file:///PATH, as browsers write it
        path = unquote(urlsplit(url).path)
    try:
        servers = parse_server_list(_read_list_file(Path(path)))
        return FileMaster(url, tuple(_to_target(server, games) for server in servers))
    except ServerListError as error:
        place = path if error.line is None else f"{path}:{error.line}"
        raise ValueError(f"{place}: {error}") from None
    except OSError as error:
        raise ValueError(f"{path}: {file_error_text(error)}") from None


def _read_list_file(path: Path) -> bytes:
    try:
        return read_regular_file(path.expanduser(), _MAX_FILE_BYTES)
    except RuntimeError:
        raise ServerListError(_("no such user")) from None
    except ValueError:
        raise ServerListError(_("invalid file name")) from None


def _has_host(parts: SplitResult) -> bool:
    return bool(parts.hostname)


def _has_path(parts: SplitResult) -> bool:
    return bool(parts.path)


WEB_LIST = MasterKind(("json+https://HOST/PATH", "json+http://HOST/PATH"), _has_host, _parse_web_list)
LIST_FILE = MasterKind(("file:PATH",), _has_path, _parse_list_file)
