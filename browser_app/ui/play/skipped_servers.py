"""Servers and games that Play Now leaves out for a while."""

import time
from dataclasses import replace

from browser_app.engine.catalogue_snapshot import PlayOptions
from browser_app.protocols.address import Address

SKIP_DURATION_S, FAILURE_SKIP_S = 3600.0, 600.0
"""How long a server is left out if the user skips it, and after a join that failed."""


class SkippedServers:
    """Servers by address and games by id, each until a time of its own."""

    def __init__(self) -> None:
        self._addresses: dict[Address, float] = {}
        self._games: dict[str, float] = {}

    def skip_server(self, address: Address, seconds: float) -> None:
        """Leave a server out."""
        self._addresses[address] = time.monotonic() + seconds

    def skip_game(self, game: str, seconds: float) -> None:
        """Leave out all servers of a game."""
        self._games[game] = time.monotonic() + seconds

    def clear_games(self) -> None:
        """Leave no game out any more."""
        self._games.clear()

    def apply_to(self, options: PlayOptions) -> PlayOptions:
        """Return the options without the skipped servers."""
        now = time.monotonic()
        return replace(
            options,
            skipped_addresses=frozenset(address for address, until in self._addresses.items() if until > now),
            skipped_games=frozenset(game for game, until in self._games.items() if until > now),
        )
