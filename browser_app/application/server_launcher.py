"""Launch of the game for a server and record of the visit."""

import logging
import math
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from browser_app.application.game_finder import GameFinder
from browser_app.catalogue.catalogue import Catalogue
from browser_app.language import gettext as _
from browser_app.launch.game_process import start_game
from browser_app.launch.installed_games import create_not_installed_error
from browser_app.launch.launch_arguments import GameNotInstalledError, LaunchError
from browser_app.launch.launch_plan import LaunchPlan, plan_launch
from browser_app.launch.wad_files import find_wad_arguments
from browser_app.storage.user_lists.visit_history_store import ServerVisit
from browser_app.storage.user_storage import UserStorage

if TYPE_CHECKING:
    from subprocess import Popen

_log = logging.getLogger(__name__)

_PLACEHOLDER_PASSWORD = "0"  # noqa: S105 (stands for an unknown password)


class ChangedServerError(LaunchError):
    """The saved password may be meant for another server."""


class ServerLauncher:
    """Launches games for servers of a catalogue.

    Call it in the thread that owns the catalogue; methods that may block are safe in any thread.
    """

    def __init__(self, catalogue: Catalogue, game_finder: GameFinder, storage: UserStorage) -> None:
        self._catalogue, self._game_finder, self._storage = catalogue, game_finder, storage

    def saved_password(self, server: int) -> str | None:
        """Return the password saved for a server.

        May block until the user has unlocked the secret store.
        """
        return self._storage.passwords.get(self._catalogue.targets[server].address)

    def has_secret_store(self) -> bool:
        """Return whether there is a secret store; may block."""
        return self._storage.secrets.is_available()

    def save_password(self, server: int, password: str) -> bool:
        """Save a password that worked, and return whether there was a store for it.

        May block.
        """
        info = self._catalogue.server_info(server)
        return info is not None and self._storage.passwords.save(
            self._catalogue.targets[server].address, password, info.identity
        )

    def password_warning(self, server: int) -> str:
        """Return, in sentences, why a saved password may be meant for another server.

        Empty if there is no password, or the server is the one that it was saved for.
        """
        address, info = self._catalogue.targets[server].address, self._catalogue.server_info(server)
        if address not in self._storage.passwords or info is None:
            return ""
        saved, now = self._storage.passwords.identity(address), info.identity
        if saved is None:
            return _("It is not known for which server the password was saved.")
        sentences = []
        if saved.game != now.game:
            text = _("The game was {before} and is now {now}.")
            sentences.append(text.format(before=self._game_name(saved.game), now=self._game_name(now.game)))
        if saved.stable_key != now.stable_key:
            sentences.append(_("The key that identifies the server has changed."))
        if saved.connect != now.connect:
            text = _("The game address was {before} and is now {now}.")
            sentences.append(text.format(before=saved.connect, now=now.connect))
        return " ".join(sentences)

    def accept_server(self, server: int) -> None:
        """Accept a server, as it is now, as the one that its password is meant for."""
        info = self._catalogue.server_info(server)
        if info is not None:
            self._storage.passwords.set_identity(self._catalogue.targets[server].address, info.identity)

    def password_to_send(self, server: int, *, accept_changes: bool) -> str | None:
        """Return the saved password if the server wants one; may block.

        Raises:
            ChangedServerError: it may be meant for another server, and `accept_changes` is not set.
        """
        if self._catalogue.password[server] != 1:
            return None
        warning = self.password_warning(server)
        if warning and not accept_changes:
            text = _("the saved password was not sent to “{server}”, which may be another server now: {warning}")
            raise ChangedServerError(text.format(server=self._catalogue.targets[server].address, warning=warning))
        return self.saved_password(server)

    def plan(self, server: int, password: str | None) -> LaunchPlan:
        """Return how the server's game would be started.

        Raises:
            LaunchError: it cannot be started.
        """
        target, info = self._catalogue.targets[server], self._catalogue.server_info(server)
        game = self._game_finder.games.get(self._catalogue.game[server])
        if info is None:
            raise LaunchError(_("“{server}” has never answered").format(server=target.address))
        if game is None:
            unknown = _("the game of “{server}” is unknown, so it cannot be started")
            raise LaunchError(unknown.format(server=target.address))
        if self._catalogue.password[server] == 1 and not password:
            raise LaunchError(_("a password is required and none is saved; join from the game itself"))
        extra = self._storage.launch_arguments.get(target.address)
        installations = self._game_finder.find_installations(game)
        plan = plan_launch(game, info.connect, installations, password=password, extra_arguments=extra)
        if plan.argv is None or not plan.is_installed or not self._game_finder.needs_files(game):
            return plan
        return replace(plan, argv=(*plan.argv, *find_wad_arguments(game, info.game_files)))

    def check_launch(self, server: int) -> None:
        """Check that the server's game could be started, whatever its password.

        Raises:
            LaunchError: it could not; `GameNotInstalledError` if the game is not installed.
        """
        self._plan_installed(server, _PLACEHOLDER_PASSWORD if self._catalogue.password[server] == 1 else None)

    def launch(self, server: int, reason: str, password: str | None) -> "Popen[bytes] | None":
        """Start the game and record the visit; `reason` is Play Now's explanation.

        Returns:
            The game's process; None if a URL starts it.

        Raises:
            LaunchError: it cannot be started.
        """
        address, game = self._catalogue.targets[server].address, self._catalogue.game[server]
        try:
            plan = self._plan_installed(server, password)
            process = start_game(plan)
        except LaunchError as error:
            _log.info("Cannot start %s for %s: %s", game, address, error)
            raise
        _log.info("Joining %s with %s", address, game)
        self._storage.visit_history.add_visit(self._build_visit(server, reason))
        self.notify_lists_changed()
        return process if plan.argv is not None else None

    def record_visit_end(self, server: int) -> None:
        """Record that the last visit ended now."""
        self._storage.visit_history.set_left(self._catalogue.targets[server].address, time.time())
        self.notify_lists_changed()

    def notify_lists_changed(self) -> None:
        """Apply changed user lists to the catalogue."""
        self._catalogue.set_user_lists(self._storage.collect_user_lists(time.time()))

    def create_not_installed_error(self, server: int) -> GameNotInstalledError:
        """Return the error that explains why a game cannot be started.

        It names where to get the game, or what is wrong with the user's own program.
        """
        game = self._game_finder.games[self._catalogue.game[server]]
        return create_not_installed_error(game, self._game_finder.program_problem(game))

    def _plan_installed(self, server: int, password: str | None) -> LaunchPlan:
        plan = self.plan(server, password)
        if not plan.is_installed:
            raise self.create_not_installed_error(server)
        return plan

    def _game_name(self, game: str | None) -> str:
        profile = self._game_finder.games.get(game or "")
        return profile.name if profile is not None else _("unknown")

    def _build_visit(self, server: int, reason: str) -> ServerVisit:
        catalogue, info = self._catalogue, self._catalogue.server_info(server)
        target, ping, score = catalogue.targets[server], catalogue.ping_ms[server], catalogue.score[server]
        return ServerVisit(
            joined_at=time.time(),
            address=target.address,
            name=info.name if info else "",
            map=info.map if info else "",
            protocol=target.protocol,
            game=info.game if info else None,
            players=info.players if info else None,
            ping_ms=None if math.isnan(ping) else float(ping),
            score=None if math.isnan(score) else float(score),
            play_now_reason=reason,
        )
