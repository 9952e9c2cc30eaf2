"""Interface of master servers, and of the kinds that `master_kinds` registers."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.masters.target_sink import TargetSink
from browser_app.engine.network.address_rules import NetworkScope, network_scope
from browser_app.engine.network.host_resolver import is_ip_address
from browser_app.engine.network.url_redaction import redact_url
from browser_app.games.game_profile import GameProfile
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address, normalize_host, printable_text


@dataclass(frozen=True, slots=True)
class MasterSource(ABC):
    """A master server, or another source that lists servers."""

    url: str
    """As given, with keys redacted."""

    @abstractmethod
    def poll(self, sink: TargetSink) -> str | None:
        """Pass its servers to `sink`: addresses, or whole descriptions.

        Returns:
            A message for the user, such as that the list is incomplete; None if all is well. What `sink` omitted is
            not included.

        Raises:
            SteamKeyMissingError: it needs a Steam Web API key, and the user has none.
            RequestError: there is no list.
        """

    @property
    def is_on_this_machine(self) -> bool:
        """Whether it may list servers of this machine.

        Judged without resolving the name.
        """
        return is_local_host(urlsplit(self.url).hostname or "")

    @property
    def known_servers(self) -> tuple[QueryTarget, ...]:
        """Servers that are known without a poll; hosts may be names."""
        return ()

    def for_game(self, _profile: GameProfile | None, /) -> "MasterSource":
        """Return it as a master of one game, or of none in particular.

        Unchanged if its list names the games.
        """
        return self


@dataclass(frozen=True, slots=True)
class MasterKind:
    """A kind of master servers, known by the scheme of its URLs."""

    forms: tuple[str, ...]
    """Its URLs, with placeholders in capital letters: `json+https://HOST/PATH`."""
    matches: Callable[[SplitResult], bool]
    """Returns whether a URL of its scheme has its form; the URL has a valid port and neither user nor fragment."""
    parse: Callable[[str, GameRegistry], MasterSource]
    """Parses a URL that matches; raises ValueError, whose text names the URL or the file, without any key."""
    is_for_own_games: bool = False
    """Whether such masters are only polled for games that the user has or chose: there is one for each of a great many
    games.
    """


def is_local_host(host: str) -> bool:
    """Return whether a host, an IP address or a name, is certainly this machine."""
    if is_ip_address(host):
        return network_scope(host) is NetworkScope.THIS_MACHINE
    return host.rstrip(".").rpartition(".")[2] == "localhost"  # RFC 6761


def parse_url_host(url: str) -> str:
    """Return the host of a URL in its canonical form.

    Raises:
        ValueError: it is neither an IP address nor a host name; the text contains the URL without keys.
    """
    try:
        return normalize_host(urlsplit(url).hostname or "")
    except ValueError as error:
        raise ValueError(f"{printable_text(redact_url(url))}: {error}") from None


def create_host_port_kind(scheme: str, create: Callable[[str, Address, GameRegistry], MasterSource]) -> MasterKind:
    """Return the kind of masters with URLs `SCHEME://HOST:PORT`.

    `create` returns the master of a URL and its address, whose host may be a name.
    """

    def matches(parts: SplitResult) -> bool:
        return bool(parts.hostname and parts.port) and parts.path in ("", "/") and not parts.query

    def parse(url: str, games: GameRegistry) -> MasterSource:
        return create(url, Address(parse_url_host(url), urlsplit(url).port or 0), games)

    return MasterKind((f"{scheme}://HOST:PORT",), matches, parse)
