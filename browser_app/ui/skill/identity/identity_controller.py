"""The controller that stores and suggests the user's identities."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from browser_app.bridge.background_tasks import BackgroundTasks
from browser_app.bridge.skill.skill_service_poller import SkillServicePoller
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.number_text import integer_text
from browser_app.player.player_identities import (
    Identity,
    IdentityKind,
    choose_identity,
    match_player_ids,
    parse_identities,
)
from browser_app.player.xonotic_keys import FoundFingerprint, find_fingerprints, list_xonotic_key_folders
from browser_app.storage.own_skill.skill_sample_store import IdentityStore, StoredIdentity
from browser_app.storage.ui_state import UiState
from browser_app.ui.skill.identity.identity_dialog import IdentityDialog, IdentitySuggestion
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import abbreviated_path

MAX_SUGGESTED_PLAYERS = 4
"""Number of the record's players that are suggested."""

RecordPlayers = Sequence[tuple[str, str, int]]
"""Id, name and rounds of a record's players, most rounds first."""
RecordPlayersQuery = Callable[[str, Callable[[RecordPlayers], object]], object]
"""Calls back with the players of a game's record."""


class IdentityController(QObject):
    """Stores the user's identities and suggests new ones.

    Signals:
        identities_changed: identities were added or removed.
        change_reported: text about a change, and a function that undoes it.
        undo_requested: Ctrl+Z was pressed in the dialog.
    """

    identities_changed = Signal()
    change_reported = Signal(str, object)
    undo_requested = Signal()

    def __init__(
        self,
        theme: Theme,
        store: IdentityStore,
        service_poller: SkillServicePoller,
        background: BackgroundTasks,
        games: Mapping[str, str],
        ui_state: UiState,
        query_record_players: RecordPlayersQuery | None = None,
    ) -> None:
        """Create the controller; `games` has names by id.

        `query_record_players` loads the players of a game's record.
        """
        super().__init__()
        self._theme, self._store, self._service_poller, self._background = theme, store, service_poller, background
        self._games, self._ui_state, self._query_record_players = games, ui_state, query_record_players
        self.dialog: IdentityDialog | None = None
        self._found_keys: Sequence[FoundFingerprint] = ()
        self._record_players: dict[str, RecordPlayers] = {}
        self.key_folders: Callable[[], Sequence[Path]] = lambda: tuple(
            list_xonotic_key_folders(sys.platform, Path.home(), os.environ)
        )
        """Returns the folders that are searched for Xonotic keys."""

    def identities(self) -> tuple[Identity, ...]:
        """Return the user's identities in all games."""
        return parse_identities(self._store)

    def open(self, parent: QWidget, game: str) -> None:
        """Open the dialog over a widget with a game selected."""
        if self.dialog is None:
            games = {game: game, **self._games} if game else self._games  # a record may be of any game
            dialog = IdentityDialog(self._theme, parent.window(), self._ui_state, games, game)
            dialog.add_requested.connect(self.add)
            dialog.remove_requested.connect(self.remove)
            dialog.undo_requested.connect(self.undo_requested)
            dialog.identity_field.lookup_requested.connect(self._resolve_vanity_name)
            dialog.identity_field.game_chosen.connect(self._request_record_players)
            dialog.finished.connect(self._on_closed)
            self.dialog = dialog
            self._update_dialog()
            self._background.run(lambda: find_fingerprints(self.key_folders()), self._set_found_keys)
            self._request_record_players(dialog.identity_field.selected_game())
        self.dialog.open()

    def add(self, identity: Identity) -> None:
        """Add an identity of the user."""
        self._store.add(StoredIdentity(identity.game, identity.kind, identity.value))
        self._on_identities_changed()

    def remove(self, identity: Identity) -> None:
        """Remove an identity of the user."""
        self._store.remove(StoredIdentity(identity.game, identity.kind, identity.value))
        self._on_identities_changed()
        text = _("Identity “{identity}” removed").format(identity=identity.value)
        self.change_reported.emit(text, partial(self.add, identity))

    def _on_identities_changed(self) -> None:
        self._update_dialog()
        self._service_poller.identities_changed()
        self.identities_changed.emit()

    def _on_closed(self) -> None:
        self.dialog = None

    def _update_dialog(self) -> None:
        if self.dialog is not None:
            self.dialog.show_identities(self.identities())
            self.dialog.show_suggestions(self._suggestions(self.dialog.identity_field.selected_game()))

    def _suggestions(self, game: str) -> list[IdentitySuggestion]:
        """Return the keys of this computer and the record's players with most rounds."""
        keys = [
            IdentitySuggestion(
                Identity("xonotic", IdentityKind.XONOTIC, found.fingerprint),
                _("Xonotic key {beginning}…").format(beginning=found.fingerprint[:8]),
                abbreviated_path(found.path),
            )
            for found in self._found_keys
        ]
        seen = self._record_players.get(game, ())
        own = [each for each in self.identities() if each.game == game]
        if match_player_ids(own, [each[0] for each in seen], [each[1] for each in seen]):
            return keys  # the user was found in the record, so its other players are not the user
        where = self._games.get(game, game)
        return keys + [
            IdentitySuggestion(choose_identity(game, player, name), name, _seen_text(rounds, where))
            for player, name, rounds in seen[:MAX_SUGGESTED_PLAYERS]
        ]

    def _request_record_players(self, game: str) -> None:
        if self._query_record_players is not None and game not in self._record_players:
            self._query_record_players(game, partial(self._set_record_players, game))
        self._update_dialog()

    def _set_found_keys(self, found: Sequence[FoundFingerprint]) -> None:
        self._found_keys = found
        self._update_dialog()

    def _set_record_players(self, game: str, seen: RecordPlayers) -> None:
        self._record_players[game] = seen
        self._update_dialog()

    def _resolve_vanity_name(self, name: str) -> None:
        def show_account(account: str) -> None:
            if self.dialog is not None:
                self.dialog.identity_field.show_resolved_account(name, account)

        def show_problem(why: str) -> None:
            if self.dialog is not None:
                self.dialog.identity_field.show_lookup_problem(name, why)

        self._service_poller.find_account(name, show_account, show_problem)


def _seen_text(rounds: int, game: str) -> str:
    words = ngettext("in {n} round of {game}", "in {n} rounds of {game}", rounds)
    return words.format(n=integer_text(rounds), game=game)
