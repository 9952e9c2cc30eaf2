"""Joining a server: plan the launch, start the game, remember the visit. Shared by `play` and the window."""

import time
from collections.abc import Mapping

from browser_app.catalogue.catalogue import Catalogue
from browser_app.games.profile import GameProfile
from browser_app.launch.arguments import LaunchError
from browser_app.launch.plan import LaunchPlan, plan_launch
from browser_app.launch.start import start
from browser_app.storage.history import Join
from browser_app.storage.session import Session


class Joins:
    """Joins servers of a catalogue; only for the thread that owns it."""

    def __init__(self, catalogue: Catalogue, games: Mapping[str, GameProfile], session: Session) -> None:
        self._catalogue, self._games, self._session = catalogue, games, session

    def password(self, server: int) -> str | None:
        """The password saved for a server; may block until the user has unlocked the secret store."""
        return self._session.passwords.get(self._catalogue.targets[server].address)

    def plan(self, server: int, password: str | None) -> LaunchPlan:
        """How the server's game would be started.

        Raises:
            LaunchError: it cannot be, and why.
        """
        target, facts = self._catalogue.targets[server], self._catalogue.facts(server)
        game = self._games.get(self._catalogue.game[server])
        if facts is None or game is None:
            raise LaunchError(f"the game of {target.address} is unknown, so it cannot be started")
        if self._catalogue.password[server] == 1 and not password:
            raise LaunchError("it needs a password, and none is saved; join it from the game itself")
        return plan_launch(game, facts.connect, password=password)

    def launch(self, server: int, why: str, password: str | None) -> str | None:
        """Start the game and remember the visit; what stands in the way, or None. `why`: Play Now's sentence."""
        try:
            plan = self.plan(server, password)
            if not plan.installed:
                return self.not_installed(server)
            start(plan)
        except LaunchError as error:
            return str(error)
        self._session.history.record_join(self._join(server, why))
        self._catalogue.set_lists(self._session.lists(time.time()))
        return None

    def not_installed(self, server: int) -> str:
        """Where the game comes from."""
        game = self._games[self._catalogue.game[server]]
        where = f"; it comes from {game.launch.install_url}" if game.launch.install_url else ""
        return f"{game.name} is not installed here{where}"

    def _join(self, server: int, why: str) -> Join:
        catalogue, facts = self._catalogue, self._catalogue.facts(server)
        target, ping, score = catalogue.targets[server], catalogue.ping_ms[server], catalogue.score[server]
        return Join(
            joined_at=time.time(),
            address=target.address,
            name=facts.name if facts else "",
            map=facts.map if facts else "",
            protocol=target.protocol,
            game=facts.game if facts else None,
            players=facts.players if facts else None,
            ping_ms=None if ping != ping else float(ping),
            score=None if score != score else float(score),
            why=why,
        )
