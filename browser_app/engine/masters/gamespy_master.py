"""Master servers by GameSpy's protocol over TCP."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import SplitResult, urlsplit

from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.masters.master_source import MasterKind, MasterSource, parse_url_host
from browser_app.engine.masters.target_sink import TargetSink
from browser_app.engine.masters.tcp_master_client import connect_master
from browser_app.engine.network.request_errors import RequestError
from browser_app.games.game_profile import GameProfile
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address
from browser_app.protocols.gamespy.gamespy_master_packets import (
    GAME_KEYS,
    build_list_request,
    find_challenge,
    parse_gamespy_list,
)
from browser_app.protocols.master_lists.described_list import DescribedListError
from browser_app.protocols.query_protocols import GAMESPY1


@dataclass(frozen=True, slots=True)
class GameSpyMaster(MasterSource):
    """A master that lists the servers of one game."""

    address: Address
    """Its host may be a name."""
    game: str
    """As in `GAME_KEYS`."""
    profile: str | None = field(default=None)
    """ID of the game's profile, if a profile names the master."""

    def poll(self, sink: TargetSink) -> None:
        """Pass the master's servers to `sink` as they arrive."""
        with sink.parsing, connect_master(self.address, sink) as connection:
            chunks = connection.receive()
            try:
                connection.send(build_list_request(_read_challenge(chunks), self.game))
                addresses = parse_gamespy_list(chunks)
                targets = (None if each is None else QueryTarget(each, GAMESPY1, self.profile) for each in addresses)
                sink.add_entries(targets, connection.scope)
            except DescribedListError as error:
                raise RequestError(str(error)) from None

    def for_game(self, profile: GameProfile | None, /) -> "GameSpyMaster":
        """Return it with the game's profile."""
        return GameSpyMaster(self.url, self.address, self.game, None if profile is None else profile.id)


def _read_challenge(chunks: Iterator[bytes]) -> bytes:
    """Return the challenge that a master begins with.

    Raises:
        DescribedListError: the master sends no challenge.
    """
    greeting = b""
    for chunk in chunks:
        greeting += chunk
        if (challenge := find_challenge(greeting)) is not None:
            return challenge
    raise DescribedListError("not a list")


def _parse(url: str, _games: GameRegistry) -> GameSpyMaster:
    parts = urlsplit(url)
    return GameSpyMaster(url, Address(parse_url_host(url), parts.port or 0), parts.path.strip("/"))


def _matches(parts: SplitResult) -> bool:
    return bool(parts.hostname and parts.port) and parts.path.strip("/") in GAME_KEYS and not parts.query


GAMESPY_MASTER = MasterKind(("gamespy+tcp://HOST:PORT/GAME",), _matches, _parse)
