"""Joining a server: plan the launch, start the game, remember the visit. Shared by `play` and the window."""

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from browser_app.catalogue.catalogue import Catalogue
from browser_app.games.profile import GameProfile
from browser_app.language import gettext as _
from browser_app.launch.arguments import LaunchError, NotInstalled
from browser_app.launch.plan import LaunchPlan, plan_launch
from browser_app.launch.start import start
from browser_app.storage.history import Join
from browser_app.storage.session import Session

if TYPE_CHECKING:
    from subprocess import Popen

_ANY_PASSWORD = "0"  # noqa: S105 (stands for one that is not known yet)


class Joins:
    """Joins servers of a catalogue; only for the thread that owns it, but for passwords, which may block."""

    def __init__(self, catalogue: Catalogue, games: Mapping[str, GameProfile], session: Session) -> None:
        self._catalogue, self._games, self._session = catalogue, games, session

    def password(self, server: int) -> str | None:
        """The password saved for a server; may block until the user has unlocked the secret store."""
        return self._session.passwords.get(self._catalogue.targets[server].address)

    def can_keep_passwords(self) -> bool:
        """There is a secret store; may block."""
        return self._session.secrets.available()

    def keep_password(self, server: int, password: str) -> bool:
        """Save a password that worked; may block. False where there is no store for it."""
        return self._session.passwords.save(self._catalogue.targets[server].address, password)

    def plan(self, server: int, password: str | None) -> LaunchPlan:
        """How the server's game would be started.

        Raises:
            LaunchError: it cannot be, and why.
        """
        target, facts = self._catalogue.targets[server], self._catalogue.facts(server)
        game = self._games.get(self._catalogue.game[server])
        if facts is None:
            raise LaunchError(_("{server} has never answered").format(server=target.address))
        if game is None:
            unknown = _("the game of {server} is unknown, so it cannot be started")
            raise LaunchError(unknown.format(server=target.address))
        if self._catalogue.password[server] == 1 and not password:
            raise LaunchError(_("it needs a password, and none is saved; join it from the game itself"))
        extra = self._session.launch_settings.arguments(target.address)
        return plan_launch(game, facts.connect, password=password, extra=extra)

    def check(self, server: int) -> None:
        """See whether the server's game could be started, whatever its password.

        Raises:
            LaunchError: it could not, and why; `NotInstalled` where the game is not there.
        """
        self._installed(server, _ANY_PASSWORD if self._catalogue.password[server] == 1 else None)

    def launch(self, server: int, why: str, password: str | None) -> "Popen[bytes] | None":
        """Start the game and remember the visit; its process, None where Steam starts it. `why`: Play Now's sentence.

        Raises:
            LaunchError: it cannot be started, and why.
        """
        plan = self._installed(server, password)
        process = start(plan)
        self._session.history.record_join(self._join(server, why))
        self.lists_changed()
        return process if plan.argv is not None else None

    def left(self, server: int) -> None:
        """Remember that the last visit has ended now."""
        self._session.history.record_leave(self._catalogue.targets[server].address, time.time())
        self.lists_changed()

    def lists_changed(self) -> None:
        """Have the catalogue know what was saved."""
        self._catalogue.set_lists(self._session.lists(time.time()))

    def not_installed(self, server: int) -> NotInstalled:
        """Where the game comes from."""
        game = self._games[self._catalogue.game[server]]
        return NotInstalled(game.name, game.launch.install_url)

    def _installed(self, server: int, password: str | None) -> LaunchPlan:
        plan = self.plan(server, password)
        if not plan.installed:
            raise self.not_installed(server)
        return plan

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
